"""Occupancy vectors of every kind as golden-003 has them."""

from __future__ import annotations

from math import prod
from typing import Any

import pytest

from hlsmem.mapping.projection import projection
from hlsmem.mapping.vectors import schedules_for, vectors_of
from hlsmem.mapping.vectors.answer import KindVectors, class_of, flow_vectors
from hlsmem.mapping.vectors.answer import tester as class_tester
from hlsmem.mapping.vectors.uniform import certificate, rows_set, subsuming, trivial, universal_set
from hlsmem.mapping.vectors.validity import Validity
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.sets import count
from hlsmem.program.model import Program
from hlsmem.program.schedule_classes import Banded, Given, ScheduleClass
from hlsmem.timing.class_relations import orders_of
from tests.classes import (
    AFFINE,
    ANY,
    E1,
    FIGURE_1,
    JACOBI,
    MSA,
    SEQUENTIAL,
    SYMBOLIC,
    band,
    e1,
    tiled,
    uniform,
)
from tests.lifetime.test_class_conflicts import triangular, two_statements
from tests.programs import golden_case, make_program

PARAMETERS = ("m", "n", "p")


def kind_of(
    program: Program, kind: str, asked: ScheduleClass = ANY, array: str = "A", most: int = 12
) -> KindVectors:
    return vectors_of(program, program.arrays[array], asked, kinds=(kind,), most=most).kinds[kind]


def lists(vectors: Any) -> list[list[int]]:
    return [list(one) for one in vectors]


def box(vectors: Any, *sizes: int) -> Program:
    return uniform(vectors, dict(zip(PARAMETERS, sizes, strict=False)))


def is_valid(program: Program, asked: ScheduleClass, vector: tuple[int, ...]) -> bool:
    test = class_tester(program, program.arrays["A"], orders_of(program, asked))
    return test(vector, False) is Validity.VALID


@pytest.mark.parametrize("case", golden_case("003", "s003-e1-given")["expected"], ids=str)
def test_vectors_of_one_schedule(case: Any) -> None:
    a, b = case["schedule"]
    order = f"{{ S[i, j] -> [{a}*i + {b}*j] }}"
    found = kind_of(uniform(E1, {"m": 12, "n": 12}, order=order), "ov")
    assert lists(found.shortest) == sorted(case["shortest"], key=lambda v: (sum(map(abs, v)),
        abs(abs(v[0]) - abs(v[1])), v))  # fmt: skip
    assert lists(found.even) == case["shortest_even"]
    assert sorted(lists(found.strict)) == sorted(case["shortest_strict"])
    assert lists(found.strict_even) == case["shortest_strict_even"]


@pytest.mark.parametrize("case", golden_case("003", "s003-mapping")["expected"], ids=str)
def test_the_mapping_of_a_vector(case: Any) -> None:
    """Cells of the projection along a vector; with a greatest divisor g a row modulo g more."""
    from hlsmem.mapping.vectors.answer import _sizes

    vector, further = tuple(case["v"]), [case["y"]] if "y" in case else []
    for at in case["at"]:
        program = uniform(E1, {"m": at["m"], "n": at["n"]}, context="[m, n] -> { : m, n >= 2 }")
        occupied, allocated, rows, moduli = _sizes(program, program.arrays["A"], vector)
        assert occupied == allocated == prod(moduli) == at["cells"]
        assert lists(rows) == case["projection"] + further
        assert moduli[len(case["projection"]) :] == (case["modulus"],) * len(further)


def test_projections_are_orthogonal_bases() -> None:
    assert projection((2, 4), lambda _: 1) == (((2, -1),), (1, 0))
    assert projection((5,), lambda _: 1) == ((), (1,))


GRID = Set("{ [a, b] : -6 <= a <= 12 and -12 <= b <= 12 }")


def in_grid(found: Any) -> int:
    inside = Set.reset_tuple_id(found) if found.has_tuple_id() else found
    return 0 if inside.is_empty() else count(inside.intersect(GRID))


def test_legal_schedules_and_those_for_stores() -> None:
    legal = Set(golden_case("003", "s003-e1-legal")["expected"]["legal"])
    for expected in golden_case("003", "s003-e1-for-store")["expected"]:
        vector = tuple(expected["v"])
        for size in expected["latency"]:
            found = schedules_for(e1(size["m"], size["n"]), {"A": [vector]})
            assert found.names == ("S_i", "S_j")
            assert found.legal.is_equal(legal)
            assert in_grid(found.allowed) == expected["legal_in_grid"]
            assert found.latency == size["steps_minus_1"]
    assert found.farkas


def test_no_schedule_is_refuted_by_rows_that_add_up_to_nonsense() -> None:
    found = schedules_for(e1(5, 7), {"A": [(0, 1)]})
    assert found.latency is None
    assert found.farkas == (
        "1 x (S_i - S_j >= 1) by the flow dependence of A",
        "1 x (-S_i + S_j >= 0) by the store A = [0, 1]",
    )


def test_schedules_for_a_range_of_stores() -> None:
    found = schedules_for(e1(5, 7), {"A": [(2, y) for y in (-1, 0, 1)]})
    assert found.allowed.is_equal(Set("{ [a, b] : 2b > -a and 3b <= a }"))
    expected = golden_case("003", "s003-e1-range-of-stores")["expected"]["schedules_a_le_5"]
    for a in range(-2, 6):
        for b in range(-6, 6):
            inside = not found.allowed.intersect(Set(f"{{ [{a}, {b}] }}")).is_empty()
            assert inside == ([a, b] in expected)


@pytest.mark.parametrize("asked", [AFFINE, SYMBOLIC])
def test_affine_vectors_of_example_1(asked: ScheduleClass) -> None:
    expected = golden_case("003", "s003-e1")["expected"]
    found = kind_of(e1(9, 9), "aov", asked)
    assert lists(found.shortest) == expected["shortest"]
    assert lists(found.even) == expected["even"]
    assert lists(found.strict) == expected["strict_shortest"]
    assert found.valid is not None
    assert Set(found.valid).is_equal(Set("{ [a, b] : 3 - a <= b <= 2a - 3 }"))
    universal = universal_set(E1, "ab")
    for vector in expected["aov_not_uov_len_le_9"]:
        point = Set(f"{{ [{vector[0]}, {vector[1]}] }}")
        assert point.is_subset(Set(found.valid))
        assert not point.is_subset(universal)


def test_affine_vectors_of_the_other_examples() -> None:
    expected = golden_case("003", "s003-e1b")["expected"]
    assert lists(kind_of(box([(1, 1)], 6, 6), "aov").shortest) == expected["shortest"]
    expected = golden_case("003", "s003-e2")["expected"]
    for name, program in (("A", two_statements(5, 6)), ("B", two_statements(5, 6))):
        found = kind_of(program, "aov", SYMBOLIC, name)
        assert lists(found.shortest) == expected["aov"][name]
        assert lists(found.strict) == expected["strict"][name]
        assert found.occupied == 10
    found = kind_of(box(MSA, 3, 4, 5), "aov")
    assert lists(found.shortest) == lists(found.strict) == [[1, 1, 1]]


@pytest.mark.parametrize("case", golden_case("003", "s003-e3")["expected"]["at"], ids=str)
def test_the_box_of_a_vector_in_three_dimensions(case: Any) -> None:
    found = kind_of(box(MSA, case["a"], case["b"], case["c"]), "quov")
    assert lists(found.shortest) == [[1, 1, 1]]
    assert (found.occupied, found.allocated) == (case["occupied"], case["allocated_tight"])


def test_the_family_of_schedules_matters() -> None:
    for asked, b in ((SYMBOLIC, [1]), (AFFINE, [3])):
        program = triangular(5)
        assert lists(kind_of(program, "aov", asked, "A").shortest) == [[1, 0]]
        assert lists(kind_of(program, "aov", asked, "B").shortest) == [b]


def reversal(context: str, n: int) -> Program:
    source = golden_case("003", "s003-no-vector")["program"]
    return make_program(
        values={"N": n},
        context=f"[N] -> {{ : {context} }}",
        domains=[source["domain"]],
        schedules=["{ S[i] -> [i] }"],
        reads=source["reads"],
        writes=source["writes"],
        drop_unprovided_reads=True,
    )


def test_a_program_without_a_vector() -> None:
    found = kind_of(reversal("N >= 3", 9), "aov", SYMBOLIC)
    assert found.shortest == ()
    assert found.reason is not None
    assert "up to 12" in found.reason
    bounded = kind_of(reversal("3 <= N <= 9", 9), "aov", SYMBOLIC)
    assert bounded.shortest == ((8,),)
    assert (-4,) in bounded.vacuous


UNIVERSAL = {
    "s004-uov-e1": (E1, (9, 9)),
    "s004-uov-stencil": (JACOBI, (9, 9)),
    "s004-uov-fig1": (FIGURE_1, (12, 12)),
    "s004-uov-sw": (((1, 0), (0, 1)), (6, 6)),
    "s004-uov-fig6": (((1, 1), (0, 1)), (6, 6)),
    "own-uov-2-3": (((2,), (3,)), (12,)),
    "own-uov-3-5": (((3,), (5,)), (20,)),
}


@pytest.mark.parametrize("name", UNIVERSAL)
def test_universal_vectors(name: str) -> None:
    expected = golden_case("003", name)["expected"]
    vectors, sizes = UNIVERSAL[name]
    context = "[{}] -> {{ : {} }}".format(
        ", ".join(PARAMETERS[: len(sizes)]),
        " and ".join(f"{name} >= 12" for name in PARAMETERS[: len(sizes)]),
    )
    at = dict.fromkeys(PARAMETERS[: len(sizes)], 12)
    found = kind_of(uniform(vectors, at, context=context), "uov")
    assert lists(found.shortest) == expected["shortest"]
    flow = [tuple(d["d"]) for d in expected["certificate"]]
    proof = certificate(tuple(expected["shortest"][0]), flow)
    assert proof is not None
    assert [list(one.times) for one in proof] == [
        one["multiplicities"] for one in expected["certificate"]
    ]
    assert list(trivial(flow)) == expected["trivial"]
    if "set" in expected:
        assert universal_set(flow, "ab").is_equal(Set("{ [a, b] : 3 - a <= b <= 2a - 5 }"))
    if "quov" in expected:
        assert lists(kind_of(uniform(vectors, at), "quov").shortest) == expected["quov"]


def test_vectors_that_occur_decide() -> None:
    """E1 with two columns has no (1, 2): neither (3, 0) nor (2, 1) is right there."""
    case = golden_case("003", "own-vector-not-occurring")
    thin = uniform(E1, case["params"], context="[m, n] -> { : m = 8 and n = 2 }")
    assert set(flow_vectors(thin) or ()) == {tuple(one) for one in case["expected"]["occurring"]}
    a, b = case["expected"]["witness_schedule"]
    witness = uniform(E1, case["params"], order=f"{{ S[i, j] -> [{a}*i + {b}*j] }}")
    for vector in map(tuple, case["expected"]["invalid"]):
        assert not is_valid(thin, AFFINE, vector)
        assert not is_valid(thin, ANY, vector)
        assert not is_valid(witness, Given(), vector)
    wider = uniform(E1, {"m": 8, "n": 3}, context="[m, n] -> { : m = 8 and n = 3 }")
    assert is_valid(wider, AFFINE, (2, 1))
    assert is_valid(wider, AFFINE, (3, 0))
    assert is_valid(wider, ANY, (3, 0))
    assert not is_valid(wider, AFFINE, (2, 0))


def test_paths_that_leave_the_domain() -> None:
    case = golden_case("003", "own-uov-paths-leave-domain")["expected"]
    flow = ((1, 3), (1, -2))
    assert certificate((5, 0), flow) is not None
    for n in (*case["invalid_for_n"], *case["valid_for_n"]):
        program = uniform(flow, {"m": 12, "n": n}, context="[m, n] -> { : m >= 3 and n >= 3 }")
        assert is_valid(program, ANY, (5, 0)) == (n in case["valid_for_n"])
    assert lists(kind_of(box(flow, 9, 9), "uov").shortest) == case["shortest"]


@pytest.mark.parametrize("case", golden_case("003", "s004-subsumption")["expected"], ids=str)
def test_flow_vectors_that_say_what_all_do(case: Any) -> None:
    kept = subsuming([tuple(one) for one in case["vectors"]])
    assert sorted(lists(kept)) == sorted(case["keep"])


@pytest.mark.parametrize("case", golden_case("003", "s004-quov-tilable")["expected"], ids=str)
def test_vectors_for_all_tilings(case: Any) -> None:
    vectors = [tuple(one) for one in case["vectors"]]
    found = kind_of(box(vectors, *[7] * len(vectors[0])), "quov")
    assert lists(found.shortest) == [case["quov"]]
    assert list(found.least or ()) == case["quov"]


@pytest.mark.parametrize("case", golden_case("003", "s004-quov-sequential")["expected"], ids=str)
def test_vectors_for_the_order_of_loops(case: Any) -> None:
    vectors = [tuple(one) for one in case["vectors"]]
    sizes = [8] * len(vectors[0])
    found = kind_of(box(vectors, *sizes), "quov", SEQUENTIAL)
    assert case["shortest"][0] in lists(found.shortest)
    assert sum(map(abs, found.shortest[0])) == sum(map(abs, case["shortest"][0]))


MIXED = Banded(
    name="tiled",
    bands=(
        band("{ S[i, j, k] -> [i] }", tiled=False),
        band("{ S[i, j, k] -> [j, k] }"),
    ),
)
MIXED_2 = Banded(
    name="tiled",
    bands=(
        band("{ S[i, j, k] -> [i, j] }"),
        band("{ S[i, j, k] -> [k] }", tiled=False),
    ),
)


@pytest.mark.parametrize(
    ("name", "asked", "size"),
    [("s004-quov-mixed", MIXED, (4, 7, 6)), ("s004-quov-mixed-2", MIXED_2, (5, 5, 4))],
)
def test_vectors_for_mixed_bands(name: str, asked: ScheduleClass, size: Any) -> None:
    case = golden_case("003", name)
    vectors = [tuple(one) for one in case["vectors"]]
    program = box(vectors, *size)
    expected = case["expected"]
    found = kind_of(program, "quov", asked)
    assert lists(found.shortest) == expected["shortest"]
    if "cells" in expected:
        assert found.allocated == expected["cells"]
    for vector in expected.get("also_valid", []):
        assert is_valid(program, asked, tuple(vector))
    for vector in expected["invalid"]:
        assert not is_valid(program, asked, tuple(vector))


@pytest.mark.parametrize("case", golden_case("003", "s004-statement-order")["expected"], ids=str)
def test_vectors_by_the_order_of_statements(case: Any) -> None:
    """S writes A; users stand before or behind it in the fused body, at other iterations."""
    users = [("U", one) for one in case["users"]]
    names = [f"U{k}" for k in range(len(users))]
    domains = ["S[t, i] : 0 <= t < 7 and 0 <= i < 7"]
    schedules = ["S[t, i] -> [t, i, 1]"]
    reads = []
    for name, (_, user) in zip(names, users, strict=True):
        t, i = user["e"]
        domains.append(f"{name}[t, i] : 0 <= t < 7 and 0 <= i < 7")
        schedules.append(f"{name}[t, i] -> [t, i, {2 if user['textually_later'] else 0}]")
        reads.append(f"{{ {name}[t, i] -> A[t - {t}, i - {i}] : t >= {t} and i >= {i} }}")
    program = make_program(
        values={},
        domains=[f"{{ {'; '.join(domains)} }}"],
        schedules=[f"{{ {'; '.join(schedules)} }}"],
        reads=reads,
        writes=["{ S[t, i] -> A[t, i] }"],
    )
    found = kind_of(program, "quov", tiled(_fused(["S", *names])))
    assert sorted(lists(found.shortest)) == sorted(case["exact_shortest"])
    rule = tuple(case["max_rule"])
    if any(rule):
        asked = tiled(_fused(["S", *names]))
        assert is_valid(program, asked, rule) == case["max_rule_valid"]


def _fused(names: list[str]) -> str:
    return f"{{ {'; '.join(f'{name}[t, i] -> [t, i]' for name in names)} }}"


def test_sets_of_rows_and_kinds_of_classes() -> None:
    assert rows_set([(1, 0), (1, 1)], E1, "ab").is_equal(Set("{ [a, b] : a >= 1 and a + b >= 3 }"))
    assert isinstance(class_of("ov", ANY), Given)
    assert class_of("aov", SYMBOLIC) == SYMBOLIC
