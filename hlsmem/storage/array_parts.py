"""Parts of an array: a program in which some of its reads have an array of their own.

A part serves some operands of some read streams. It is an ordinary array of a program that differs
from the given one in the accesses alone: what the part does not read it does not hold, so that its
lifetimes, mapping and circuit are found as those of any other array.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, UnionSet
from hlsmem.polyhedra.relations import named, sets_of
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Access, Array, Program, Statement, Storage
from hlsmem.timing.lanes import lanes_of
from hlsmem.timing.program_edges import DRAIN, drained, filled
from hlsmem.timing.value_flow import dataflow

# An operand of a read stream: the name of the stream, and its number in the beat.
Operand = tuple[str, int]
Block = tuple[Operand, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartArray:
    """An array of its own for some operands.

    `takes` are the elements that are written into it, a set of the array's elements; None where
    all of them are.
    """

    name: str
    block: Block
    takes: Any = field(default=None, compare=False)


def operands_of(program: Program, array: Array) -> Block:
    """All operands of the read streams of an array, in textual order, the drain last.

    A stream without a beat at the program's values is left out, as it is where streams are made;
    an array of which data decide what is accessed has none.
    """
    if array.name in program.without_streams():
        return ()
    found: list[Operand] = []
    for statement in program.statements:
        own = [access for access in statement.reads if access.array == array.name]
        if all(fix_parameters(one.relation, program.values).is_empty() for one in own):
            continue
        reads = len(own) * sum(1 for _ in lanes_of(program, statement))
        found += [(f"m_{array.name}_{statement.name}", k) for k in range(reads)]
    if array.storage is Storage.MEMORY and drained(program, array) is not None:
        found.append((f"m_{array.name}_{DRAIN}", 0))
    return tuple(found)


def is_divisible(program: Program, array: Array) -> bool:
    """True if an array may be in several parts: beats of one element, all written by statements in
    the same run."""
    return not program.lanes and filled(program, array) is None


def divided(
    program: Program, array: Array, blocks: Sequence[Block], *, alone: bool = False
) -> tuple[Program, tuple[PartArray, ...]]:
    """The program with an array `<array>_<k>` in place of `array` for every block of operands.

    Each operand is in one block; with `alone`, those in none are left out. A write goes to all
    parts that read its element. Where an array has such a name, `_part` stands in the middle. The
    operands of a block are in their order: that is the order of the lanes of its beats.
    """
    order = operands_of(program, array)
    if not alone and sorted(o for block in blocks for o in block) != sorted(order):
        raise ValueError(f"the blocks of {array.name!r} are not its operands, each once")
    if any([*block] != sorted(block, key=order.index) for block in blocks):
        raise ValueError(f"the operands of a block of {array.name!r} are in another order")
    names = _part_names(program, array, len(blocks))
    whole = _accessed(program, array, dict(zip(names, blocks, strict=True)))
    parts = []
    for name, block in zip(names, blocks, strict=True):
        parts.append(PartArray(name=name, block=block, takes=_taken(whole, whole.arrays[name])))
    limits = {part.name: part.takes for part in parts if part.takes is not None}
    statements = tuple(
        replace(one, writes=tuple(_restricted(access, limits) for access in one.writes))
        for one in whole.statements
    )
    return replace(whole, statements=statements), tuple(parts)


def _part_names(program: Program, array: Array, number: int) -> list[str]:
    known = {name.casefold() for name in program.arrays}
    name = array.name
    while any(f"{name}_{k}".casefold() in known for k in range(number)):
        name += "_part"
    return [f"{name}_{k}" for k in range(number)]


def _accessed(program: Program, array: Array, blocks: Mapping[str, Block]) -> Program:
    """The program in which every part takes every write."""
    part_of = {operand: name for name, block in blocks.items() for operand in block}
    arrays: dict[str, Array] = {}
    for name, one in program.arrays.items():
        if name == array.name:
            arrays |= {part: replace(one, name=part) for part in blocks}
        else:
            arrays[name] = one
    drain = part_of.get((f"m_{array.name}_{DRAIN}", 0))
    return replace(
        program,
        arrays=arrays,
        statements=tuple(
            replace(
                statement,
                reads=tuple(_reads(statement, array, part_of)),
                writes=tuple(_writes(statement, array, blocks)),
            )
            for statement in program.statements
        ),
        live_out=_live(program.live_out, array.name, drain),
    )


def _reads(statement: Statement, array: Array, part_of: Mapping[Operand, str]) -> Iterator[Access]:
    number: Counter[str] = Counter()
    for access in statement.reads:
        if access.array != array.name:
            yield access
            continue
        operand = (f"m_{array.name}_{statement.name}", number[access.array])
        number[access.array] += 1
        if operand in part_of:
            yield _of_part(access, part_of[operand])


def _writes(statement: Statement, array: Array, blocks: Mapping[str, Block]) -> Iterator[Access]:
    for access in statement.writes:
        if access.array != array.name:
            yield access
        else:
            yield from (_of_part(access, part) for part in blocks)


def _of_part(access: Access, part: str) -> Access:
    return replace(access, array=part, relation=access.relation.set_tuple_name(DimType.out, part))


def _live(elements: Any, array: str, part: str | None) -> Any:
    """The elements that are live, those of the array as elements of a part (None: of none)."""
    own = named(elements, array)
    rest = elements.subtract(own)
    for one in sets_of(own) if part is not None else ():
        rest = rest.union(UnionSet.from_set(one.set_tuple_name(part)))
    return rest


def _taken(program: Program, array: Array) -> Any:
    """The elements of a part that it ever reads; None where these are all that are written."""
    read = dataflow(program, array.name).uses.domain().unwrap().domain()
    found = sets_of(read)
    written = None
    for statement in program.statements:
        for access in statement.writes:
            if access.array == array.name:
                elements = access.relation.intersect_domain(statement.domain).range()
                elements = elements.intersect_params(program.context)
                written = elements if written is None else written.union(elements)
    if written is None or not found:
        return None
    elements = found[0].coalesce()
    return None if written.is_subset(elements) else elements


def _restricted(access: Access, limits: Mapping[str, Any]) -> Access:
    if access.array not in limits:
        return access
    relation = access.relation.intersect_range(limits[access.array]).coalesce()
    return replace(access, relation=relation)
