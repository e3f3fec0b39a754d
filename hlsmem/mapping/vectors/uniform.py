"""Occupancy vectors of one statement with constant flow vectors D, by the papers' rules.

M(D) are the sums of flow vectors, C(D) their cone. Sources: Strout, Carter, Ferrante, Simon,
"Schedule-independent storage mapping for loops" (ASPLOS 1998) for the universal vectors; Thies,
Vivien, Amarasinghe (TOPLAS 2007) for the affine ones; the quasi-universal ones hold for all
tilings of a band. Rules are for domains in which all paths of flow vectors stay inside.
"""

from __future__ import annotations

from collections.abc import Sequence

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import Map, Set
from hlsmem.polyhedra.generators import cone_facets
from hlsmem.polyhedra.lattices import Vector, dot


@dataclass(frozen=True, slots=True)
class Multiplicities:
    """Number of times each flow vector stands in the sum that is v - `flow`."""

    flow: Vector
    times: tuple[int, ...]


def positive_form(vectors: Sequence[Vector]) -> Vector | None:
    """A row that is positive on all vectors; None where there is none (no order keeps them)."""
    facets = cone_facets(vectors)
    form = tuple(sum(column) for column in zip(*facets, strict=True))
    if form and all(dot(form, vector) > 0 for vector in vectors):
        return form
    return None


def sum_of(target: Vector, vectors: Sequence[Vector]) -> tuple[int, ...] | None:
    """The lexicographically greatest multiplicities of vectors that add up to `target`.

    >>> sum_of((2, -2), [(1, 2), (1, 0), (1, -1)])
    (0, 0, 2)
    """
    form = positive_form(vectors)
    if form is None:
        return None
    return _sum_of(target, tuple(vectors), form, 0)


def _sum_of(
    rest: Vector, vectors: tuple[Vector, ...], form: Vector, first: int
) -> tuple[int, ...] | None:
    if not any(rest):
        return (0,) * (len(vectors) - first)
    height = dot(form, rest)
    if height <= 0 or first == len(vectors):
        return None
    own = vectors[first]
    for times in range(height // dot(form, own), -1, -1):
        left = tuple(a - times * b for a, b in zip(rest, own, strict=True))
        found = _sum_of(left, vectors, form, first + 1)
        if found is not None:
            return (times, *found)
    return None


def certificate(vector: Vector, flow: Sequence[Vector]) -> tuple[Multiplicities, ...] | None:
    """Why a vector is universal: v - d is a sum of flow vectors for each d; None if it is not."""
    found = []
    for one in flow:
        times = sum_of(_minus(vector, one), flow)
        if times is None:
            return None
        found.append(Multiplicities(one, times))
    return tuple(found)


def trivial(flow: Sequence[Vector]) -> Vector:
    """The sum of all flow vectors, which is always universal."""
    return tuple(sum(column) for column in zip(*flow, strict=True))


def subsuming(flow: Sequence[Vector]) -> tuple[Vector, ...]:
    """The flow vectors that say what all do: d goes where another one is d plus a sum.

    >>> subsuming([(1, 0), (2, 0)])
    ((2, 0),)
    """
    kept = list(dict.fromkeys(flow))
    for one in list(kept):
        others = [other for other in kept if other != one]
        if any(sum_of(_minus(other, one), flow) is not None for other in others):
            kept.remove(one)
    return tuple(kept)


def _minus(a: Vector, b: Vector) -> Vector:
    return tuple(x - y for x, y in zip(a, b, strict=True))


def universal_set(flow: Sequence[Vector], names: Sequence[str]) -> Set:
    """All universal vectors: those in d + M(D) for every flow vector d."""
    factors = [f"l{k}" for k in range(len(flow))]
    found = Set(f"{{ [{', '.join(names)}] }}")
    for one in flow:
        entries = [
            f"{name} = {own} + "
            + " + ".join(
                f"{vector[axis]}*{times}" for vector, times in zip(flow, factors, strict=True)
            )
            for axis, (name, own) in enumerate(zip(names, one, strict=True))
        ]
        text = " and ".join([*entries, *(f"{factor} >= 0" for factor in factors)])
        part = f"{{ [{', '.join(names)}] : exists {', '.join(factors)} : {text} }}"
        found = found.intersect(Set(part))
    hull = _hull(found, cone_facets(flow), names)
    return hull if hull.is_equal(found) else found.coalesce()


def _hull(found: Set, facets: Sequence[Vector], names: Sequence[str]) -> Set:
    """The least set around `found` with faces along the cone of flow vectors."""
    conditions = []
    for facet in facets:
        form = " + ".join(f"{factor}*{name}" for factor, name in zip(facet, names, strict=True))
        height = Map(f"{{ [{', '.join(names)}] -> [{form}] }}")
        conditions.append(f"{form} >= {found.apply(height).dim_min_val(0)}")
    return Set(f"{{ [{', '.join(names)}] : {' and '.join(conditions)} }}")


def rows_set(rows: Sequence[Vector], flow: Sequence[Vector], names: Sequence[str]) -> Set:
    """All vectors v with r . v >= r . d for every row r and flow vector d.

    With the facets of the cone of D these are the affine vectors, with the rows of a tilable
    band the quasi-universal ones.
    """
    conditions = []
    for row in rows:
        form = " + ".join(f"{factor}*{name}" for factor, name in zip(row, names, strict=True))
        conditions.append(f"{form} >= {max(dot(row, one) for one in flow)}")
    return Set(f"{{ [{', '.join(names)}] : {' and '.join(conditions) or 'true'} }}").coalesce()


def affine_set(flow: Sequence[Vector], names: Sequence[str]) -> Set:
    """All vectors that are right for every legal affine schedule: v - d in C(D) for all d."""
    return rows_set(cone_facets(flow), flow, names)
