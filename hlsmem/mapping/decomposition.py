"""Differences of conflicting elements as polyhedra that a row can have on one side of it.

Source: Bhaskaracharya, Bondhugula, Cohen, "Automatic storage optimization for arrays"
(TOPLAS 2016), section 3: conflict polyhedra are oriented, later element minus earlier one,
and each is satisfied as a whole. Which decomposition of the union is best, the paper leaves
open; splitting can help and can hurt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from hlsmem.mapping.conflict_differences import Conflicts
from hlsmem.polyhedra import Aff, Constraint, DimType, Set, Val
from hlsmem.polyhedra.sets import fix_parameters, without_name
from hlsmem.polyhedra.star_closure import origin

# Their names, and what they are.
DECOMPOSITIONS = {
    "given": "the pieces as given",
    "disjoint": "disjoint pieces",
    "signs": "disjoint pieces split by the signs of the indices",
    "lexicographic": "pieces by the first index that differs",
}

# A decomposition: basic sets, one of each pair of opposite ones.
Pieces = tuple[Any, ...]


def as_given(differences: Any, pairs: Any) -> Pieces:
    """The pieces of the conflict relation; of the differences where those have some in common.

    `pairs`, the relation, may be None. A piece that has 0 among its rational points is split
    at the first non-zero index.
    """
    if pairs is not None:
        found = [piece.deltas() for piece in pairs.get_basic_maps()]
        pieces = one_of_each(
            part for piece in found for part in without_name(_as_set(piece)).get_basic_sets()
        )
        if disjoint(pieces) == pieces:
            return pieces
    return one_of_each(differences.get_basic_sets())


def by_first_index(differences: Any) -> Pieces:
    """The differences that are positive at the first index at which they are not 0."""
    return tuple(
        piece
        for level in range(differences.dim(DimType.set))
        for piece in _positive_from(differences, level).coalesce().get_basic_sets()
    )


def disjoint(pieces: Pieces) -> Pieces:
    """The pieces without the differences that earlier ones, or their opposites, have.

    What lifetimes give overlaps; a difference that another piece separates need not be
    separated twice, and the rest is easier to have on one side.
    """
    found: list[Any] = []
    taken: Any = None
    for piece in map(_as_set, pieces):
        apart = taken is None or piece.is_disjoint(taken)
        rest = piece if apart else piece.subtract(taken).coalesce()
        found += [part for part in rest.get_basic_sets() if not part.is_empty()]
        both = piece.union(piece.neg())
        taken = both if taken is None else taken.union(both)
    return tuple(found)


def by_signs(pieces: Pieces) -> Pieces:
    """The pieces split where the sign of an index changes: at most 0, or at least 1."""
    found = list(pieces)
    for position in range(pieces[0].dim(DimType.set) if pieces else 0):
        found = [
            part
            for piece in found
            for half in _halves(piece, position)
            if not (part := piece.intersect(half)).is_empty()
        ]
    return tuple(found)


def decomposed(name: str, conflicts: Conflicts, *, at_plan: bool) -> Pieces:
    """The pieces of the conflicts by the decomposition `name` of DECOMPOSITIONS.

    At the plan's values isl knows tighter polyhedra than for all parameters.
    """
    differences = conflicts.differences_at if at_plan else conflicts.differences
    if name == "lexicographic":
        return by_first_index(differences)
    pairs = None if conflicts.pairs is None else conflicts.pairs.symmetric()
    if pairs is not None and at_plan:
        pairs = fix_parameters(pairs, conflicts.values)
    given = as_given(differences, pairs)
    if name == "disjoint":
        return disjoint(given)
    return disjoint(by_signs(given)) if name == "signs" else given


def symmetric_union(pieces: Pieces, space: Any) -> Any:
    """The pieces, their opposites and 0, as one set that keeps them apart."""
    found = origin(space)
    for piece in pieces:
        found = found.union(_as_set(piece)).union(_as_set(piece).neg())
    return found


def one_of_each(pieces: Iterable[Any]) -> Pieces:
    """Oriented pieces without 0, none twice, none the opposite of another or inside it."""
    found: list[Any] = []
    for given in pieces:
        for piece in _without_origin(given):
            opposite = piece.neg()
            if any(piece.is_subset(other) or opposite.is_subset(other) for other in found):
                continue
            found.append(piece)
    return tuple(found)


def _without_origin(given: Any) -> Iterator[Any]:
    rational = given.remove_divs()
    if origin(given.get_space()).intersect(_as_set(rational)).is_empty():
        if not given.is_empty():
            yield given
        return
    for part in by_first_index(_as_set(given).union(_as_set(given).neg())):
        if not part.is_empty():
            yield part


def _positive_from(differences: Any, level: int) -> Any:
    """The points with zeros before `level`, and at least 1 there."""
    for position in range(level):
        differences = differences.fix_val(DimType.set, position, Val(0))
    return differences.lower_bound_val(DimType.set, level, Val(1))


def _halves(piece: Any, position: int) -> tuple[Any, Any]:
    universe = piece.universe(piece.get_space())
    index = Aff.zero_on_domain(piece.get_space())
    index = index.set_coefficient_val(DimType.in_, position, Val(1))
    positive = index.add_constant_val(Val(-1))
    return (
        universe.add_constraint(Constraint.inequality_from_aff(positive)),
        universe.add_constraint(Constraint.inequality_from_aff(index.neg())),
    )


def _as_set(piece: Any) -> Any:
    return Set.from_basic_set(piece)
