"""Decompositions of differences: together with their opposites they are what was given."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings

from hlsmem.mapping.conflict_differences import conflicts_of
from hlsmem.mapping.decomposition import as_given, by_first_index, by_signs, disjoint
from hlsmem.polyhedra import BasicSet, Set
from hlsmem.polyhedra.other_parameters import independent, unbounded_above
from hlsmem.polyhedra.star_closure import origin
from tests.families import by_default
from tests.mapping.test_laws import Polyhedron, problem_from, unions


def together(pieces: tuple[Any, ...], space: Any) -> Any:
    whole = origin(space)
    for piece in pieces:
        part = Set.from_basic_set(piece)
        whole = whole.union(part).union(part.neg())
    return whole


@settings(max_examples=by_default(6, 25), deadline=None, derandomize=True)
@given(unions())
def test_every_decomposition_is_whole(union: tuple[int, tuple[Polyhedron, ...]]) -> None:
    differences = conflicts_of(problem_from(*union)).differences
    given_pieces = as_given(differences, None)
    zero = origin(differences.get_space())
    decompositions = (
        given_pieces,
        disjoint(given_pieces),
        by_first_index(differences),
        by_signs(given_pieces),
    )
    for pieces in decompositions:
        assert together(pieces, differences.get_space()).is_equal(differences)
        assert all(Set.from_basic_set(piece).is_disjoint(zero) for piece in pieces)


def test_what_one_piece_has_is_taken_from_the_others() -> None:
    """Blur: rows 1 and 2 to the left, all of row 1, row 0 to the right."""
    pieces = (
        BasicSet("{ [y,x] : 0 < y <= 2 and -9 < x <= 0 }"),
        BasicSet("{ [y,x] : y = 1 and -9 < x < 9 }"),
    )
    left, right = disjoint(pieces)
    assert left.is_equal(pieces[0])
    assert right.is_equal(BasicSet("{ [y,x] : y = 1 and 0 < x < 9 }"))


def test_opposite_pieces_are_taken_once() -> None:
    assert by_first_index(Set("{ [0] }")) == ()
    pieces = by_first_index(Set("{ [a,b] : -2 <= a <= 2 and -2 <= b <= 2 }"))
    assert [str(piece) for piece in pieces] == [
        "{ [a, b] : 0 < a <= 2 and -2 <= b <= 2 }",
        "{ [a, b] : a = 0 and 0 < b <= 2 }",
    ]


def test_parameters_that_others_determine_are_replaced() -> None:
    context = Set("[T,N] -> { : N >= 3 and T = N }")
    piece = BasicSet("[T,N] -> { [x] : 0 < x < T and T = N and N >= 3 }")
    pieces, left = independent((piece,), context)
    assert str(left) == "[T] -> {  : T >= 3 }"
    assert [str(one) for one in pieces] == ["[T] -> { [x] : T >= 3 and 0 < x < T }"]


def test_upper_bounds_of_parameters_are_dropped() -> None:
    context = Set("[B] -> { : 3 <= B <= 8 }")
    piece = BasicSet("[B] -> { [x] : 0 < x < B and 3 <= B <= 8 }")
    pieces, left = unbounded_above((piece,), context)
    assert left.to_str() == "[B] -> {  : B >= 3 }"
    assert [str(one) for one in pieces] == ["[B] -> { [x] : B >= 3 and 0 < x < B }"]
    kept = unbounded_above((piece,), Set("[B] -> { : B >= 3 }"))
    assert kept[0] == (piece,)
