"""What planner and checks share of the arithmetic of sets, against enumeration in Python.

Random unions of two polyhedra with a remainder and a parameter; the oracle tests every point of
a box by the numbers that the text was made of. `DimType`, `Space`, `Val`, and sets and maps
themselves are isl's own; what isl answers is held here through the functions that ask it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as some

from hlsmem.core.quasi_polynomial import QuasiPolynomial, parse_quasi_polynomial
from hlsmem.mapping.mapping_kernel import product_of
from hlsmem.polyhedra import Map, Set, UnionMap, UnionSet
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.extremes import first_point, lexmax, lexmin
from hlsmem.polyhedra.generated_loops import condition_in_c
from hlsmem.polyhedra.isl_text import parse_map, parse_set
from hlsmem.polyhedra.lattices import unit
from hlsmem.polyhedra.limits import WorkLimitError, within
from hlsmem.polyhedra.other_parameters import in_class
from hlsmem.polyhedra.quantities import maximum, quantity_pieces
from hlsmem.polyhedra.relations import (
    array_elements,
    dimension_names,
    maps_of,
    named,
    sets_of,
    union_map,
)
from hlsmem.polyhedra.sets import (
    count,
    fix_parameters,
    parameter_names,
    points,
    points_around,
    without_name,
)
from hlsmem.polyhedra.signs import is_never_negative
from hlsmem.polyhedra.sweep import contains, evaluate

BOX = range(-3, 4)
GRID = list(product(BOX, BOX))

Point = tuple[int, ...]


@dataclass(frozen=True)
class Piece:
    """a x + b y <= c + d N and (x + e y) mod m = r, inside of the box."""

    a: int
    b: int
    c: int
    d: int
    e: int
    m: int
    r: int

    @property
    def text(self) -> str:
        return (
            f"-3 <= x, y <= 3 and {self.a}x + {self.b}y <= {self.c} + {self.d}N"
            f" and (x + {self.e}y) mod {self.m} = {self.r % self.m}"
        )

    def holds(self, x: int, y: int, n: int) -> bool:
        meets = self.a * x + self.b * y <= self.c + self.d * n
        return meets and (x + self.e * y) % self.m == self.r % self.m


SMALL = some.integers(-2, 2)
PIECES = some.lists(
    some.builds(
        Piece, SMALL, SMALL, some.integers(-3, 3), SMALL, SMALL, some.integers(1, 3), SMALL
    ),
    min_size=1,
    max_size=2,
)
SIZES = some.integers(-2, 3)


def text_of(pieces: list[Piece], tuples: str = "A[x, y]") -> str:
    return f"[N] -> {{ {'; '.join(f'{tuples} : {one.text}' for one in pieces)} }}"


def listed(pieces: list[Piece], n: int) -> list[Point]:
    return [(x, y) for x, y in GRID if any(one.holds(x, y, n) for one in pieces)]


def rows(array: np.ndarray) -> list[Point]:
    return [tuple(row) for row in array.tolist()]


@given(PIECES, SIZES)
def test_reading_fixing_listing_counting_and_membership(pieces: list[Piece], n: int) -> None:
    value, expected = parse_set(text_of(pieces), parameters=("N",)), listed(pieces, n)
    assert parameter_names(value) == ["N"]
    here = without_name(fix_parameters(value, {"N": n}))
    assert not here.has_tuple_name()
    assert parameter_names(here) == []
    assert rows(distinct_points(here)) == rows(points(here)) == expected
    assert count(here) == len(expected)
    sides = [max(side) - min(side) + 1 for side in zip(*expected, strict=True)]
    assert points_around(here) == (prod(sides) if expected else 0)
    grid = np.array(GRID, dtype=np.int64)
    assert rows(grid[contains(here, grid)]) == expected


@given(some.lists(some.integers(0, 3), max_size=3), some.sampled_from(["N", "i0"]), SIZES)
def test_the_elements_of_an_array(extents: list[int], name: str, size: int) -> None:
    elements = fix_parameters(array_elements("A", [*extents, name], [name]), {name: size})
    expected = list(product(*map(range, (*extents, max(size, 0)))))
    assert rows(points(elements)) == expected


@given(PIECES, SIZES)
def test_least_greatest_and_first_points(pieces: list[Piece], n: int) -> None:
    value, expected = Set(text_of(pieces)), listed(pieces, n)
    for found, chosen in ((lexmin(value), expected[:1]), (lexmax(value), expected[-1:])):
        assert rows(distinct_points(fix_parameters(found, {"N": n}))) == chosen
    assume(not value.is_empty())
    sample = first_point(value, {"N": n})
    assert sample.coordinates in listed(pieces, sample.parameters["N"])
    if expected:
        assert (sample.parameters, sample.coordinates) == ({"N": n}, expected[0])


@given(PIECES, SIZES)
def test_least_and_greatest_images(pieces: list[Piece], n: int) -> None:
    value = parse_map(text_of(pieces, "A[x] -> B[y]"), parameters=("N",))
    images: dict[int, list[int]] = {}
    for x, y in listed(pieces, n):
        images.setdefault(x, []).append(y)
    for extreme, chosen in ((lexmin, min), (lexmax, max)):
        found = fix_parameters(extreme(value), {"N": n})
        assert rows(distinct_points(found)) == [(x, chosen(ys)) for x, ys in images.items()]
        domain = np.array([[x] for x in images], dtype=np.int64).reshape(-1, 1)
        assert rows(evaluate(found, domain)) == [(chosen(ys),) for ys in images.values()]


@given(PIECES, PIECES, SIZES)
def test_pieces_of_unions_by_name(first: list[Piece], second: list[Piece], n: int) -> None:
    texts = [text_of(first), text_of(second, "B[x, y]")]
    union = UnionSet(texts[0]).union(UnionSet(texts[1]))
    for name, pieces in (("A", first), ("B", second)):
        found = [points(fix_parameters(one, {"N": n})) for one in sets_of(named(union, name))]
        assert [row for one in found for row in rows(one)] == listed(pieces, n)
    assert named(union, "C").is_empty()
    texts = [text_of(first, "A[x] -> A[y]"), text_of(second, "A[x] -> B[y]")]
    joined = fix_parameters(union_map([Map(text) for text in texts]), {"N": n})
    found = {one.range().get_tuple_name(): rows(points(one)) for one in maps_of(joined)}
    wanted = {"A": listed(first, n), "B": listed(second, n)}
    assert found == {name: pairs for name, pairs in wanted.items() if pairs}
    assert union_map([]).is_equal(UnionMap("{ }"))


@given(PIECES, SIZES, some.integers(1, 4), some.integers(0, 3))
def test_a_residue_class(pieces: list[Piece], quotient: int, period: int, residue: int) -> None:
    there = in_class(Set(text_of(pieces)), "N", period, residue)
    here = fix_parameters(there, {"N": quotient})
    assert rows(points(here)) == listed(pieces, period * quotient + residue)


@given(PIECES, SIZES, SMALL, SMALL)
def test_the_greatest_value_of_a_form(pieces: list[Piece], n: int, a: int, b: int) -> None:
    found = fix_parameters(Set.from_pw_aff(maximum(Set(text_of(pieces)), (a, b))), {"N": n})
    values = [a * x + b * y for x, y in listed(pieces, n)]
    assert rows(distinct_points(found)) == ([(max(values),)] if values else [])


NAMES = ["N", *(f"{x}{'_' * n}{k}" for x in "xy" for n in range(3) for k in range(3))]


@given(some.sets(some.sampled_from(NAMES), max_size=6))
def test_dimensions_are_no_parameters(parameters: set[str]) -> None:
    """Points are as many whatever parameters are called, which isl would take dimensions for."""
    x, y = dimension_names("x", 2, parameters)
    value = Set(f"[{', '.join(parameters)}] -> {{ [{x}, {y}] : 0 <= {x} <= {y} <= 3 }}")
    found = points(fix_parameters(value, dict.fromkeys(parameters, 7)))
    assert rows(found) == [(a, b) for a in range(4) for b in range(a, 4)]


@given(PIECES, SMALL, SMALL)
def test_the_pieces_of_a_value(pieces: list[Piece], a: int, b: int) -> None:
    context = Set("[N] -> { : -2 <= N <= 3 }").params()
    found = quantity_pieces(maximum(Set(text_of(pieces)), (a, b)), context)
    for n in range(-2, 4):
        values = [a * x + b * y for x, y in listed(pieces, n)]
        here = [one for one in found if holds_at(one.when, n)]
        assert [one.value.evaluate({"N": n}) for one in here] == ([max(values)] if values else [])


def holds_at(condition: str, n: int) -> bool:
    return not fix_parameters(Set(condition), {"N": n}).is_empty()


@given(PIECES, SIZES)
def test_a_condition_in_c(pieces: list[Piece], n: int) -> None:
    """Its operators are those of Python, but for three. isl lets C divide only where the value is
    not negative, or take a remainder to compare it with 0: there both languages agree."""
    text = condition_in_c(fix_parameters(Set(text_of(pieces)), {"N": n}), ["i", "j"])
    text = text.replace("&&", " and ").replace("||", " or ").replace("/", "//")
    names = {"floord": lambda a, b: a // b, "min": min, "max": max}
    code = compile(text, "condition", "eval")
    found = [at for at in GRID if eval(code, names, dict(zip("ij", at, strict=True)))]
    assert found == listed(pieces, n)


@given(SMALL, some.integers(-6, 6), SMALL, some.integers(-3, 3))
def test_signs_are_those_at_every_size(a: int, b: int, c: int, least: int) -> None:
    """Exact for affine quasi-polynomials; for others what is said to hold does."""
    context = Set(f"[N] -> {{ : {least} <= N <= {least + 6} }}").params()
    sizes = range(least, least + 7)
    affine = parse_quasi_polynomial(f"{a}*N + {b}")
    assert is_never_negative(affine, context) is all(a * n + b >= 0 for n in sizes)
    if is_never_negative(parse_quasi_polynomial(f"{c}*N^2 + {a}*N + {b}"), context):
        assert all(c * n * n + a * n + b >= 0 for n in sizes)


@given(some.lists(some.tuples(SMALL, SMALL), max_size=3), SIZES)
def test_products_of_rows_and_columns(pairs: list[tuple[int, int]], n: int) -> None:
    size = QuasiPolynomial.parameter("N")
    found = product_of([a for a, _ in pairs], [size * b + a for a, b in pairs])
    assert found.evaluate({"N": n}) == sum(a * (n * b + a) for a, b in pairs)


@pytest.mark.parametrize("size", range(4))
def test_unit_vectors_are_the_rows_of_the_identity(size: int) -> None:
    assert [unit(size, k) for k in range(size)] == [tuple(row) for row in np.eye(size).tolist()]


@given(PIECES, SIZES)
def test_a_limit_gives_the_answer_or_none(pieces: list[Piece], n: int) -> None:
    value = Set(text_of(pieces))
    for operations in (10, 1_000, 10_000_000):
        try:
            found = within(operations, lambda _: rows(points(fix_parameters(value, {"N": n}))))
        except WorkLimitError:
            assert operations < 10_000_000
        else:
            assert found == listed(pieces, n)
