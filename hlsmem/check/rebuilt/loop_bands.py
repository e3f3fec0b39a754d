"""The bands of class `tiled` where the design names none, by their definition.

Entry by entry of the times: while an entry is one number in each statement of a nest, a slot, it
parts the nest by that number; from the first entry on that is a loop in all, loops make a band,
until statements differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hlsmem.polyhedra import DimType, Map, Set
from hlsmem.polyhedra.relations import union_map
from hlsmem.program.model import Program, Statement
from hlsmem.program.schedule_classes import Band


def loop_bands(program: Program) -> tuple[Band, ...]:
    """The slots in front, and one tiled band of the loops that the statements of a nest share."""
    slots: dict[str, list[int]] = {one.name: [] for one in program.statements}
    loops: dict[str, list[int]] = {one.name: [] for one in program.statements}
    nests = [list(program.statements)]
    for entry in range(program.time_dimensions):
        further = list[list[Statement]]()
        for nest in nests:
            numbers = _numbers(nest, entry)
            apart = dict.fromkeys(numbers.values())
            if None in apart:
                if len(apart) == 1:
                    for one in nest:
                        loops[one.name].append(entry)
                    further.append(nest)
                continue
            begun = any(loops[one.name] for one in nest)
            if begun and len(apart) > 1:
                continue
            for number in apart:
                further.append([one for one in nest if numbers[one.name] == number])
            for one in nest:
                if not begun:
                    slots[one.name].append(entry)
        nests = further
    rows = ((_band(program, slots, is_tiled=False)), _band(program, loops, is_tiled=True))
    return tuple(band for band in rows if band is not None)


def _numbers(nest: list[Statement], entry: int) -> dict[str, int | None]:
    """The number that an entry is in each statement, None where it is a loop.

    A loop that runs once is one where the entry is a loop of others.
    """
    found = {one.name: _number(one, entry) for one in nest}
    if None in found.values():
        for one in nest:
            if _is_own_loop(one, entry):
                found[one.name] = None
    return found


def _number(statement: Statement, entry: int) -> int | None:
    times = statement.schedule.intersect_domain(statement.domain).range().coalesce()
    value = times.plain_get_val_if_fixed(DimType.set, entry)
    return int(str(value)) if value.is_int() else None


def _is_own_loop(statement: Statement, entry: int) -> bool:
    """True if an entry of the schedule is a loop variable of the statement."""
    own = _entry(statement, entry)
    names = [f"i{k}" for k in range(len(statement.iterators))]
    for name in names:
        loop = Map(f"{{ {statement.name}[{', '.join(names)}] -> [{name}] }}")
        loop = loop.align_params(own.get_space()).intersect_domain(statement.domain)
        if own.is_equal(loop):
            return True
    return False


def _entry(statement: Statement, entry: int) -> Any:
    """{ instance -> [one entry of its time] }."""
    times = statement.schedule.intersect_domain(statement.domain)
    times = times.project_out(DimType.out, entry + 1, times.dim(DimType.out) - entry - 1)
    return times.project_out(DimType.out, 0, entry)


def _band(program: Program, chosen: Mapping[str, list[int]], *, is_tiled: bool) -> Band | None:
    """A band of these entries of each statement, with zeros where others have more."""
    size = max((len(entries) for entries in chosen.values()), default=0)
    if not size:
        return None
    rows = []
    for one in program.statements:
        own = Map.from_domain(one.domain)
        for entry in chosen[one.name]:
            own = own.flat_range_product(_entry(one, entry))
        zeros = ", ".join(["0"] * (size - len(chosen[one.name])))
        rest = Set(f"{{ [{zeros}] }}").align_params(one.domain.get_space())
        own = own.flat_range_product(Map.from_domain_and_range(one.domain, rest))
        rows.append(own.intersect_params(program.context))
    texts = tuple(f"row {k + 1}" for k in range(size))
    return Band(is_tiled=is_tiled, rows=union_map(rows), texts=texts)
