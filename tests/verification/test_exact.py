"""What `exact` proves, and the witness it names when it cannot."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hlsmem.polyhedra import Map, Set
from hlsmem.program import Array, ConflictInput, ConflictSet, ElementType, Order, Storage
from hlsmem.verdict import Status
from tests.programs import make_program
from tests.verification.subjects import blur, document_of, exact, passes, piece

EIGHT = {"N": 8}


def verdict_of(modulus: str, matrix: list[list[str | int]] | None = None, **options: bool) -> str:
    program = blur()
    own = piece(matrix or [[1, -2]], [modulus], EIGHT)
    verdict = exact(program, document_of(program, {"b": [own]}, **options))["b"]
    return f"{verdict.status.value}: {verdict.detail}"


def test_the_least_modulus_of_blur_is_proved_for_all_parameters() -> None:
    assert verdict_of("2*N + 1") == (
        "pass: proved for all parameters: 17 cells separate all conflicting elements"
    )


def test_a_certificate_at_the_values_is_judged_there_only() -> None:
    assert verdict_of("17", everywhere=False) == (
        "pass: proved at N=8: 17 cells separate all conflicting elements"
    )


def test_one_cell_less_is_refused_with_the_pair_and_who_needs_it() -> None:
    assert verdict_of("2*N") == (
        "fail: b[0][7] and b[2][0] share a cell at N=8: b[0][7] is written by P(y=0, x=7) and "
        "still needed by C(y=2, x=7) when b[2][0] is written by P(y=2, x=0)"
    )


def test_a_modulus_that_is_right_at_the_values_only_is_refused() -> None:
    assert verdict_of("N + 9").startswith("fail: b[")
    assert "at N=9" in verdict_of("N + 9")


def test_a_modulus_that_vanishes_is_refused() -> None:
    assert verdict_of("4*N - 15") == "fail: the modulus 4*N - 15 is below 1 at N=3"


def test_coefficients_with_parameters_are_proved() -> None:
    assert verdict_of("2*N + 1", [["N", 1]]).startswith("pass: proved for all parameters")
    assert verdict_of("2*N", [["N", 1]]).startswith("fail")


def test_what_cannot_be_expressed_is_not_called_proved() -> None:
    assert verdict_of("2*N^2 + N", [["N^2", 1]]) == (
        "fail: the plan claims a proof for all parameters, but the coefficient N^2 is not affine "
        "in the parameters"
    )


def test_reading_first_and_writing_last_saves_a_cell_by_iteration() -> None:
    program = blur(order=Order.ITERATION)
    least = document_of(program, {"b": [piece([["N", 1]], ["2*N"], EIGHT)]})
    less = document_of(program, {"b": [piece([["N", 1]], ["2*N - 1"], EIGHT)]})
    assert passes(exact(program, least))
    assert not passes(exact(program, less))


def chain(strict: bool, modulus: int, live_out: str = "{ }", live_in: str = "{ }") -> bool:
    """Does a running value, a[i] = f(a[i-1]), fit into `modulus` cells?"""
    program = make_program(
        values={},
        domains=["{ S[i] : 0 <= i < 9 }"],
        schedules=["{ S[i] -> [i] }"],
        reads=["{ S[i] -> A[i-1] : i > 0 }"],
        writes=["{ S[i] -> A[i] }"],
        live_out=[live_out],
        live_in=[live_in],
    )
    document = document_of(program, {"A": [piece([[1]], [modulus], {})]}, strict=strict)
    return passes(exact(program, document))


def test_strict_forbids_to_overwrite_what_is_read_at_the_same_time() -> None:
    assert chain(strict=False, modulus=1)
    assert not chain(strict=True, modulus=1)
    assert chain(strict=True, modulus=2)


def test_slack_keeps_a_value_for_further_beats_of_its_reader() -> None:
    program = blur()
    enough, less = (
        document_of(program, {"b": [piece([["N", 1]], [modulus], EIGHT)]})
        for modulus in ("2*N + 2", "2*N + 1")
    )
    assert passes(exact(program, less))
    enough["program"]["slack"] = less["program"]["slack"] = 1
    assert passes(exact(program, enough))
    assert exact(program, less)["b"].detail == (
        "b[0][0] and b[2][1] share a cell at N=8: b[0][0] is written by P(y=0, x=0) and needed "
        "by C(y=2, x=0) and 1 beats longer when b[2][1] is written by P(y=2, x=1)"
    )


def test_what_is_live_out_stays_until_the_end() -> None:
    assert not chain(strict=False, modulus=8, live_out="{ A[i] : i = 0 or i = 8 }")
    assert chain(strict=False, modulus=9, live_out="{ A[i] : i = 0 or i = 8 }")


def test_live_in_elements_that_nobody_reads_need_no_cell() -> None:
    assert chain(strict=False, modulus=1, live_in="{ A[i] : 20 <= i < 30 }")


def test_live_in_elements_that_are_read_lie_there_from_the_start() -> None:
    program = make_program(
        values={},
        domains=["{ S[i] : 0 <= i < 4 }"],
        schedules=["{ S[i] -> [i] }"],
        reads=["{ S[i] -> A[i] }"],
        live_in=["{ A[i] : 0 <= i < 4 }"],
    )
    four, three = (document_of(program, {"A": [piece([[1]], [m], {})]}) for m in (4, 3))
    assert passes(exact(program, four))
    assert exact(program, three)["A"].detail == (
        "A[0] and A[3] share a cell: A[0] is filled before the start and A[3] is filled before "
        "the start"
    )


def test_a_read_of_what_nobody_wrote_names_the_reader() -> None:
    program = make_program(
        values={},
        domains=["{ S[i] : 0 <= i < 4 }"],
        schedules=["{ S[i] -> [i] }"],
        reads=["{ S[i] -> A[i-1] }"],
        writes=["{ S[i] -> A[i] }"],
    )
    document = document_of(program, {"A": [piece([[1]], [1], {})]})
    assert exact(program, document)["A"].detail == (
        "A[-1] is read by S(i=0), but nothing provides it"
    )


@pytest.mark.parametrize(("must", "least"), [(True, 1), (False, 3)])
def test_a_write_that_may_not_happen_ends_nothing(must: bool, least: int) -> None:
    """Elements are written, two steps later perhaps again, and read at once."""
    program = make_program(
        values={"N": 8},
        context="[N] -> { : N >= 4 }",
        domains=[f"[N] -> {{ {name}[i] : 0 <= i < N }}" for name in "STR"],
        schedules=[
            "[N] -> { S[i] -> [i,0] }",
            "[N] -> { T[i] -> [i + 2,1] }",
            "[N] -> { R[i] -> [i + 2,2] }",
        ],
        reads=["[N] -> { R[i] -> A[i] }"],
        writes=["[N] -> { S[i] -> A[i] }", "[N] -> { T[i] -> A[i] }"],
    )
    first, second, reader = program.statements
    (write,) = second.writes
    perhaps = replace(second, writes=(replace(write, must=must),))
    program = replace(program, statements=(first, perhaps, reader))
    for cells in range(1, 5):
        document = document_of(program, {"A": [piece([[1]], [str(cells)], {"N": 8})]})
        assert passes(exact(program, document)) is (cells >= least)


def test_a_scalar_has_one_cell_and_no_rows() -> None:
    program = make_program(
        values={},
        domains=["{ S[i] : 0 <= i < 4 }"],
        schedules=["{ S[i] -> [i] }"],
        reads=["{ S[i] -> A[] : i > 0 }"],
        writes=["{ S[i] -> A[] }"],
    )
    assert passes(exact(program, document_of(program, {"A": [piece([], [], {})]})))


def pieces_of(first: str, second: str) -> str:
    program = make_program(
        values={"N": 6},
        context="[N] -> { : N >= 4 }",
        domains=["[N] -> { S[i] : 0 <= i < N }", "[N] -> { T[i] : 0 <= i < N }"],
        schedules=["[N] -> { S[i] -> [0,i] }", "[N] -> { T[i] -> [1,i] }"],
        reads=["[N] -> { T[i] -> A[i] }"],
        writes=["[N] -> { S[i] -> A[i] }"],
    )
    own = [
        piece([[1]], ["2"], program.values, domain=first),
        piece([[1]], ["N - 2"], program.values, domain=second),
    ]
    return exact(program, document_of(program, {"A": own}))["A"].detail


def test_pieces_lie_one_after_the_other() -> None:
    assert pieces_of("[N] -> { [i] : i < 2 }", "[N] -> { [i] : i >= 2 }") == (
        "proved for all parameters: 6 cells separate all conflicting elements"
    )


@pytest.mark.parametrize(
    ("second", "found"),
    [
        ("[N] -> { [i] : i >= 1 }", "A[1] lies in two pieces"),
        ("[N] -> { [i] : i >= 3 }", "A[2] lies in no piece"),
        ("[N] -> { [i] : 2 <= i < 6 }", "A[6] at N=7 lies in no piece"),
    ],
)
def test_every_element_lies_in_exactly_one_piece(second: str, found: str) -> None:
    assert pieces_of("[N] -> { [i] : i < 2 }", second) == found


def bare(differences: str, pairs: str | None = None, elements: str | None = None) -> ConflictInput:
    array = Array(
        name="A",
        element=ElementType("int32"),
        index=("x", "y"),
        extents=None,
        storage=Storage.MEMORY,
    )
    given = ConflictSet(
        array=array,
        differences=Set(differences),
        pairs=None if pairs is None else Map(pairs),
        elements=None if elements is None else Set(elements),
    )
    return ConflictInput(
        name="bare",
        parameters=("N",),
        values=EIGHT,
        context=Set("[N] -> { : N >= 3 }"),
        conflicts={"A": given},
    )


def conflict_verdict(given: ConflictInput, matrix: list[list[str | int]], *moduli: str) -> str:
    own = piece(matrix, moduli, EIGHT)
    return exact(given, document_of(given, {"A": [own]}))["A"].detail


REVERSE_L = "[N] -> { [x,y] : 1 <= x < N and 0 <= y <= 1 }"


def test_differences_of_a_bare_conflict_set_are_closed_under_sign() -> None:
    proved = "proved for all parameters: 16 cells separate all conflicting elements"
    assert conflict_verdict(bare(REVERSE_L), [[1, 0], [0, 1]], "N", "2") == proved
    assert conflict_verdict(bare(REVERSE_L), [[1, -1]], "N") == (
        "A[-1][0] and A[0][1] share a cell and conflict at N=8"
    )


def test_elements_outside_do_not_conflict() -> None:
    elements = "[N] -> { A[x,y] : 0 <= x < N and y = 0 }"
    assert conflict_verdict(bare(REVERSE_L, elements=elements), [[1, -1]], "N").startswith("proved")


def test_pairs_say_more_than_their_differences() -> None:
    pairs = "[N] -> { A[x,y] -> A[v,w] : x = 0 and v = 1 and y = w = 0 }"
    given = bare("[N] -> { [x,y] : x = 1 and y = 0 }", pairs=pairs)
    assert conflict_verdict(given, [[1, 0]], "2").startswith("proved")
    assert conflict_verdict(given, [[0, 1]], "2").endswith("share a cell and conflict at N=8")


def test_an_array_the_design_does_not_plan_is_refused() -> None:
    program = blur()
    document = document_of(program, {"b": [piece([[1, -2]], ["2*N + 1"], EIGHT)]})
    document["arrays"]["c"] = document["arrays"]["b"]
    assert exact(program, document)["c"].detail == "the design plans no such array"
    del document["arrays"]["c"], document["arrays"]["b"]
    missing = exact(program, document)["b"]
    assert (missing.status, missing.detail) == (Status.FAIL, "the plan has no such array")
