"""Proofs for all parameters, compared with enumeration at many parameters."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.polyhedra import DimType, Map, Set
from hlsmem.polyhedra.sets import fix_parameters, points
from hlsmem.quantity import parse_quantity
from hlsmem.verification.folding import Row
from hlsmem.verification.rowmajor import in_row_major_order
from hlsmem.verification.separation import (
    Collision,
    Separated,
    Unproved,
    nonpositive_modulus,
    separates,
)
from tests.families import by_default

# Differences of the interleaved blurs of examples/blur.
BLUR = Set(
    "[N] -> { [y,x] : N >= 3 and ((1 <= x < N and 0 <= y <= 1) or (0 <= x < N and -2 <= y <= -1)"
    " or (-N < x <= -1 and -1 <= y <= 0) or (-N < x <= 0 and 1 <= y <= 2)) }"
)


def row(coefficients: list[str], modulus: str) -> Row:
    """A component whose numbers nobody asks for."""
    return Row(
        coefficients=(),
        modulus=0,
        offset=0,
        symbolic_coefficients=tuple(parse_quantity(entry) for entry in coefficients),
        symbolic_modulus=parse_quantity(modulus),
        symbolic_offset=parse_quantity("0"),
    )


def collides(rows: list[Row], size: int) -> bool:
    """Whether some difference is a multiple in every component, by enumeration at N=size."""
    values = {"N": size}
    for difference in points(fix_parameters(BLUR, values)).tolist():
        forms = [
            sum(
                entry.evaluate(values) * x
                for entry, x in zip(one.symbolic_coefficients, difference, strict=True)
            )
            % one.symbolic_modulus.evaluate(values)
            for one in rows
        ]
        if not any(forms):
            return True
    return False


ENTRIES = ["-2", "-1", "0", "1", "2", "3", "N", "-N", "N + 1", "2*N - 1"]
MODULI = ["1", "2", "3", "5", "N", "N + 1", "2*N - 1", "2*N", "2*N + 1", "3*N"]
ROWS = st.builds(
    row, st.lists(st.sampled_from(ENTRIES), min_size=2, max_size=2), st.sampled_from(MODULI)
)


@settings(max_examples=by_default(30, 120), deadline=None, derandomize=True)
@given(rows=st.lists(ROWS, min_size=1, max_size=2))
def test_a_proof_holds_at_every_parameter_tried(rows: list[Row]) -> None:
    answer = separates(rows, BLUR)
    bad = [size for size in range(3, 12) if collides(rows, size)]
    match answer:
        case Separated():
            assert not bad
        case Collision(differences):
            size = differences.params().sample_point()
            assert size is not None
            found = [
                n for n in range(3, 12) if not fix_parameters(differences, {"N": n}).is_empty()
            ]
            assert found == bad
        case Unproved(reason):
            assert "N" in reason


def test_a_range_without_end_is_not_enumerated() -> None:
    far = Set("[N] -> { [x,y] : x > 0 and y = 0 }")
    assert separates([row(["1", "0"], "N")], far) == Unproved(
        "the component exceeds 64 times the modulus N"
    )
    assert separates([row(["N", "0"], "2")], far) == Unproved(
        "coordinate 0 has no constant range for N"
    )


def test_parameters_may_have_the_names_of_dimensions() -> None:
    near = Set("[d0, k] -> { [x] : 0 < x < d0 or 0 > x > -d0 }")
    assert separates([row(["1"], "d0")], near) == Separated()
    assert isinstance(separates([row(["1"], "d0 - 1")], near), Collision)


def test_a_modulus_below_one_is_found_within_the_context() -> None:
    context = Set("[N] -> { : N >= 3 }")
    assert nonpositive_modulus([row(["1"], "N - 2")], context) == ""
    assert nonpositive_modulus([row(["1"], "N - 3")], context) == (
        "the modulus N - 3 is below 1 at N=3"
    )


def near(rows: str, box: str) -> Map:
    """Conflicts of a square array whose rows are less than `rows` apart, within `box`."""
    return Map(
        f"[N] -> {{ A[y,x] -> A[v,w] : N >= 4 and 0 <= y,v < N and {box} and "
        f"-({rows}) < v - y < {rows} and not (y = v and x = w) }}"
    )


SQUARE = (parse_quantity("N"), parse_quantity("N"))
CONTEXT = Set("[N] -> { : N >= 4 }")


@pytest.mark.parametrize(
    ("coefficients", "modulus", "proved"),
    [
        (["N", "1"], "N^2", True),
        (["N", "1"], "N^2 - 2*N", True),  # (N-3) rows and N-1 columns, plus one
        (["N", "1"], "N^2 - 2*N - 1", False),
        (["N", "-1"], "N^2 - 2*N", True),
        (["-N", "1"], "N^2 - 2*N - 1", False),
        (["1", "N"], "N^2 - 2", True),
        (["1", "N"], "N^2 - 3", False),
        (["N + 1", "1"], "N^2 + N", False),  # no row-major order of the declared array
    ],
)
def test_row_major_distances_are_found_to_the_cell(
    coefficients: list[str], modulus: str, proved: bool
) -> None:
    inside = near("N - 2", "0 <= x,w < N")
    assert in_row_major_order(row(coefficients, modulus), inside, SQUARE, CONTEXT) is proved


def test_row_major_order_needs_elements_inside_the_declared_array() -> None:
    outside = near("N - 2", "0 <= x,w <= N")
    assert not in_row_major_order(row(["N", "1"], "N^2"), outside, SQUARE, CONTEXT)


@settings(max_examples=by_default(15, 60), deadline=None, derandomize=True)
@given(
    rows=st.sampled_from(["1", "2", "N - 2", "N"]),
    a=st.integers(0, 2),
    b=st.integers(-2, 2),
    c=st.integers(-3, 3),
    signs=st.tuples(st.sampled_from([1, -1]), st.sampled_from([1, -1])),
)
def test_what_row_major_order_proves_holds(
    rows: str, a: int, b: int, c: int, signs: tuple[int, int]
) -> None:
    conflicts = near(rows, "0 <= x,w < N")
    modulus = parse_quantity(f"{a}*N^2 + {b}*N + {c}")
    slow, fast = signs
    one = row([f"{slow}*N", f"{fast}"], str(modulus))
    if not in_row_major_order(one, conflicts, SQUARE, CONTEXT):
        return
    for size in (4, 5):
        cells = modulus.evaluate({"N": size})
        for y, x, v, w in points(fix_parameters(conflicts, {"N": size})).tolist():
            assert (slow * size * (v - y) + fast * (w - x)) % cells


@pytest.mark.parametrize(("modulus", "proved"), [("h*w + 1", True), ("h*w", False)])
def test_planes_one_element_wide_are_no_exception(modulus: str, proved: bool) -> None:
    """Elements of a volume up to a plane apart; where w is 1, 1 is no digit below w."""
    order = (
        "((v = z and (u > y or (u = y and w_ > x)))"
        " or (v = z + 1 and (u < y or (u = y and w_ <= x))))"
    )
    box = "0 <= z,v < d and 0 <= y,u < h and 0 <= x,w_ < w"
    one_way = Map(f"[d, h, w] -> {{ A[z,y,x] -> A[v,u,w_] : {box} and {order} }}")
    conflicts = one_way.union(one_way.reverse())
    context = Set("[d, h, w] -> { : d >= 1 and h >= 1 and w >= 1 }")
    extents = tuple(parse_quantity(name) for name in "dhw")
    one = row(["h*w", "w", "1"], modulus)
    assert in_row_major_order(one, conflicts, extents, context) is proved
    for h, w in ((1, 1), (2, 1), (1, 2), (3, 2)):
        sizes = {"d": 3, "h": h, "w": w}
        cells = parse_quantity(modulus).evaluate(sizes)
        pairs = points(fix_parameters(conflicts, sizes)).tolist()
        apart = all(
            (h * w * (v - z) + w * (u - y) + (w_ - x)) % cells for z, y, x, v, u, w_ in pairs
        )
        assert apart is proved


@pytest.mark.parametrize(
    ("modulus", "proved"),
    [
        ("N^2 - 2*N + 1", True),
        ("N^2 - 2*N + 2", True),  # 2 is no digit where N is 1 or 2
        ("N^2 - 2*N + 4", True),
        ("N^2 - 2*N", False),
        ("N^2 - 3*N + 4", False),  # enough at N <= 4 alone
    ],
)
def test_sizes_too_small_for_digits_are_looked_at(modulus: str, proved: bool) -> None:
    """Elements below a diagonal, all at once: at most N^2 - 2*N apart."""
    below = "0 <= x < y < N and 0 <= w < v < N and (y != v or x != w)"
    conflicts = Map(f"[N] -> {{ A[y,x] -> A[v,w] : {below} }}")
    context = Set("[N] -> { : N >= 1 }").params()
    one = row(["N", "-1"], modulus)
    assert in_row_major_order(one, conflicts, SQUARE, context) is proved
    for size in range(1, 8):
        cells = parse_quantity(modulus).evaluate({"N": size})
        pairs = points(fix_parameters(conflicts, {"N": size})).tolist()
        apart = all((size * (v - y) - (w - x)) % cells for y, x, v, w in pairs)
        assert apart or not proved


def test_enumeration_can_tell_the_cases_apart() -> None:
    assert not collides([row(["1", "-2"], "2*N + 1")], 6)
    assert collides([row(["1", "-2"], "2*N")], 6)


def test_a_range_is_known_where_isl_calls_what_it_stands_for_endless() -> None:
    """Differences of rows `y mod 3`: their projection has divisions without end, and ends."""
    rows = (
        "e0 >= 3 and 3e2 >= -5 + 2y - 2e0 - 3e1 and 6e2 <= -4 + 2y - 3e0 - 3e1"
        " and -5 + y - 2e0 - 3e1 <= 3e2 <= -3 + 2y - 2e0 - 3e1 and 9e2 <= -8 + 3y - 5e0 - 6e1"
        " and -5 + 2y - 3e0 - 3e1 <= 6e2"
    )
    found = Set(f"[N] -> {{ [y, x] : N > 3 and 0 < x < N and exists (e0, e1, e2: {rows}) }}")
    assert not found.project_out(DimType.set, 1, 1).is_bounded()
    assert separates([row(["N", "1"], "2*N")], found) == Separated()
