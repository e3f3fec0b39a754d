"""Helpers on relations between named spaces: listing unions, renaming, anonymous identities."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from hlsmem.polyhedra import DimType, Map, Set, UnionMap, UnionSet, Val
from hlsmem.polyhedra.memoized import map_of


def maps_of(union: Any) -> list[Any]:
    """The maps of a UnionMap, one a pair of spaces, in no particular order."""
    found = union.get_map_list()
    return [found.get_at(position) for position in range(found.n_map())]


def sets_of(union: Any) -> list[Any]:
    """The sets of a UnionSet, one a space, in no particular order."""
    found = union.get_set_list()
    return [found.get_at(position) for position in range(found.n_set())]


def union_map(relations: Iterable[Any]) -> Any:
    """The UnionMap of any number of maps."""
    result = UnionMap("{ }")
    for relation in relations:
        result = result.union(UnionMap.from_map(relation))
    return result


def named(union: Any, name: str) -> Any:
    """The sets of a UnionSet in the space `name`, as a UnionSet."""
    result = UnionSet("{ }")
    for piece in sets_of(union):
        if piece.has_tuple_name() and piece.get_tuple_name() == name:
            result = result.union(UnionSet.from_set(piece))
    return result


def origin(space: Any) -> Any:
    """The set { 0 } of a set space."""
    result = Set.universe(space)
    for position in range(space.dim(DimType.set)):
        result = result.fix_val(DimType.set, position, Val(0))
    return result


def array_elements(name: str, extents: Sequence[object], parameters: Sequence[str] = ()) -> Any:
    """Return the elements of an array; extents are numbers or texts that isl reads.

    >>> array_elements("A", [4, "N + 1"], ["N"])
    Set("[N] -> { A[i0, i1] : 0 <= i0 <= 3 and 0 <= i1 <= N }")
    """
    names = dimension_names("i", len(extents), parameters)
    bounds = [f"0 <= {i} < {extent}" for i, extent in zip(names, extents, strict=True)]
    elements = f"{name}[{', '.join(names)}] : {' and '.join(bounds) or 'true'}"
    return Set(f"[{', '.join(parameters)}] -> {{ {elements} }}")


def dimension_names(prefix: str, count: int, parameters: Collection[str] = ()) -> list[str]:
    """Names for `count` dimensions of a text with some parameters: prefix0, prefix1, ..

    Where a parameter has one of these they are prefix_0, ..: isl takes a dimension that has the
    name of a parameter for that.

    >>> dimension_names("t", 2), dimension_names("t", 2, ["N", "t1"])
    (['t0', 't1'], ['t_0', 't_1'])
    """
    while any(f"{prefix}{position}" in parameters for position in range(count)):
        prefix += "_"
    return [f"{prefix}{position}" for position in range(count)]


def with_names(value: Any, kind: Any, names: Iterable[str]) -> Any:
    """A set or map whose first dimensions of a kind have these names.

    Texts of isl prime those that stand twice.
    """
    for position, name in enumerate(names):
        value = value.set_dim_name(kind, position, name)
    return value


def rearrangement(size: int, entries: Iterable[int | str]) -> Any:
    """The map of anonymous tuples [t0, ..] to the listed entries: a position or isl text.

    >>> str(rearrangement(3, [2, "0", 0]))
    '{ [t0, t1, t2] -> [t2, 0, t0] }'
    """
    names = dimension_names("t", size)
    target = [names[entry] if isinstance(entry, int) else entry for entry in entries]
    return map_of(f"{{ [{', '.join(names)}] -> [{', '.join(target)}] }}")


def only_map(union: Any, empty: Any) -> Any:
    """The one map of a UnionMap over one pair of spaces; `empty` where there is none."""
    return empty if union.is_empty() else Map.from_union_map(union)


def fixed_entries(tuples: Any) -> list[int]:
    """The positions at which a set of tuples plainly has one constant value."""
    return [
        position
        for position in range(tuples.dim(DimType.set))
        if tuples.plain_get_val_if_fixed(DimType.set, position).is_int()
    ]


def plain_box(tuples: Any) -> Any:
    """The tuples with the same constants at the `fixed_entries`, and anything elsewhere."""
    result = Set.universe(tuples.get_space())
    for position in fixed_entries(tuples):
        value = tuples.plain_get_val_if_fixed(DimType.set, position)
        result = result.fix_val(DimType.set, position, value)
    return result


def constant_point(tuples: Any) -> tuple[int, ...] | None:
    """The one point that a set of tuples plainly is, or None."""
    entries = [
        tuples.plain_get_val_if_fixed(DimType.set, position)
        for position in range(tuples.dim(DimType.set))
    ]
    if not all(entry.is_int() for entry in entries):
        return None
    return tuple(entry.to_python() for entry in entries)


def parameter_box(box: Mapping[str, tuple[int, int]]) -> Any:
    """The parameter set in which every parameter lies in its range (inclusive)."""
    inside = [f"{low} <= {name} <= {high}" for name, (low, high) in box.items()]
    return Set(f"[{', '.join(box)}] -> {{ : {' and '.join(inside)} }}")


def parameters_first(points: Any, names: Sequence[str]) -> Any:
    """A set with the parameters `names`, in this order, as its first dimensions instead."""
    flat = points.flatten().align_params(Set(f"[{', '.join(names)}] -> {{ : }}").get_space())
    return flat.reset_tuple_id().move_dims(DimType.set, 0, DimType.param, 0, len(names))
