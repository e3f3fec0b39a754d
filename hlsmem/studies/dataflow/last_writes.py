"""The writes of an element before a read of it, by how many loops they have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Map, PolyhedralError
from hlsmem.polyhedra.extremes import lexmax
from hlsmem.polyhedra.memoized import map_of
from hlsmem.polyhedra.relations import dimension_names
from hlsmem.studies.dataflow.condition import Condition
from hlsmem.studies.dataflow.nest import Nest


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """A statement that writes the array of the read: `write` is { instance -> element }.

    Where not `must`, an instance that runs may leave the element as it is.
    """

    nest: Nest
    write: Any = field(compare=False)
    condition: Condition
    must: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """The read: `read` is { instance -> element }; the condition says which instances run.

    Instances may have dimensions behind those of the nest.
    """

    nest: Nest
    read: Any = field(compare=False)
    condition: Condition


def writes_before(reader: Reader, writer: Writer) -> list[Any]:
    """{ k -> i } for each level l: writes of the element before the read, of just l equal loops."""
    touched = reader.read.apply_range(writer.write.reverse())
    common = reader.nest.common(writer.nest)
    found = []
    for level in range(reader.nest.depth + 1):
        if level > common:
            found.append(none_of(touched))
            continue
        one = touched
        for at in range(level):
            one = one.equate(DimType.in_, at, DimType.out, at)
        if level < common:
            one = one.order_gt(DimType.in_, level, DimType.out, level)
        elif not writer.nest.is_before(reader.nest):
            one = none_of(touched)
        found.append(one.coalesce())
    return found


def at_level(
    reader: Reader,
    writers: Mapping[str, Writer],
    memory: Mapping[str, Sequence[Any]],
    level: int,
) -> list[str]:
    """Writers with a write at a level: those the loop carries, then those before the loop.

    Each group textually last first.
    """
    own = reader.nest
    names = [name for name in writers if not memory[name][level].is_empty()]

    def order(name: str) -> tuple[Any, ...]:
        nest = writers[name].nest
        return own.common(nest) > level, nest.slots

    return sorted(names, key=order, reverse=True)


def later(mine: Nest, theirs: Nest) -> Any:
    """{ j -> i } of instances i of `mine` that run later than instances j of `theirs`."""
    common = mine.common(theirs)
    i = dimension_names("i", mine.domain.dim(DimType.set))
    j = dimension_names("j", theirs.domain.dim(DimType.set))
    ways = []
    for at in range(common):
        equal = [f"{j[k]} = {i[k]}" for k in range(at)]
        ways.append(" and ".join([*equal, f"{j[at]} < {i[at]}"]))
    if theirs.is_before(mine):
        ways.append(" and ".join(f"{j[k]} = {i[k]}" for k in range(common)) or "true")
    condition = " or ".join(f"({way})" for way in ways) or "false"
    text = f"{theirs.name}[{', '.join(j)}] -> {mine.name}[{', '.join(i)}] : {condition}"
    return map_of(f"{{ {text} }}")


def last_of(relation: Any, writer: Writer) -> Any:
    """The last write of each read; InputError where writes that surely run have no end."""
    if relation.is_empty():
        return relation
    try:
        return lexmax(relation)
    except PolyhedralError as error:
        if "unbounded" not in str(error):
            raise
        name, reader = writer.nest.name, relation.get_tuple_name(DimType.in_)
        what = f"{name!r} runs without end before {reader!r} reads what it writes"
        remedy = "bound its domain, or give it a filter that ends its loop"
        raise InputError(Problem(what, remedy, writer.nest.source_location)) from None


def none_of(relation: Any) -> Any:
    """The empty relation of the same space."""
    return Map.empty(relation.get_space())
