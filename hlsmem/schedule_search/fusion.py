"""Loop nests one after the other whose outermost loops run as one, each nest some rows late.

What a nest leaves for the next is then rows of an array where it was the whole. Only outermost
loops are fused: those inside, which may run as vectors, stay as they are. Source: Darte and Huard,
"Loop shifting for loop compaction" (IJPP 2000), for the shifts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Map, Set
from hlsmem.polyhedra.limits import Report, within
from hlsmem.polyhedra.relations import rearrangement
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.program.model import Program
from hlsmem.schedule_search.loop_times import Times, may_move

MOST_WORK = 8
"""Instances for each element that stays in the cache: where there are more, its way to memory
and back is the least that they wait for."""
_MOST_ROWS = 16
"""Rows of the outermost loop that a value may stay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Nest:
    """The statements of a nest, with the entry of their times that is its outermost loop."""

    entry: int
    names: tuple[str, ...]


def fused_times(
    program: Program,
    given: Mapping[str, str] | None,
    cache_bytes: int,
    values: Mapping[str, int],
    operations: int,
) -> dict[str, str] | None:
    """The times of all statements, isl maps, with nests of an order fused where that pays.

    `given` is that order, the program's own where it is None; `values` are the largest parameters
    that count. None where no nests are fused. Raises WorkLimitError where isl needs more than so
    many operations.
    """
    if not may_move(program):
        return None

    def work(_: Report) -> dict[str, str] | None:
        found = fused(Times.of(program, given), cache_bytes, values)
        return None if found is None else {k: str(one) for k, one in found.schedules.items()}

    return within(operations, work)


def fused(times: Times, cache_bytes: int, values: Mapping[str, int]) -> Times | None:
    """The order with nests fused where what goes from one to the next leaves a cache.

    None where no nests are fused, or where that would be illegal.
    """
    clusters = list(_clusters(times, cache_bytes, values))
    if all(len(cluster) == 1 for cluster in clusters):
        return None
    size, schedules = times.size, dict[str, Any]()
    for cluster in clusters:
        first = times.schedules[cluster[0][0].names[0]].range()
        for position, (nest, shift) in enumerate(cluster):
            head = [str(_constant(first, k)) for k in range(nest.entry)]
            row = f"t{nest.entry} + {shift}"
            for name in nest.names:
                text: list[int | str] = list(range(size))
                text[: nest.entry + 1] = [*head, row, str(position)]
                schedules[name] = times.schedules[name].apply_range(rearrangement(size, text))
    for name, own in times.schedules.items():
        if name not in schedules:
            schedules[name] = own.apply_range(rearrangement(size, [*range(size), "0"]))
    found = replace(times, schedules=schedules)
    return found if found.is_legal() else None


def _clusters(
    times: Times, cache_bytes: int, values: Mapping[str, int]
) -> Iterator[list[tuple[_Nest, int]]]:
    """Nests that run as one, each with the rows by which it is late."""
    for cluster in _possible(times):
        if len(cluster) > 1 and not _gains(times, cluster, cache_bytes, values):
            yield from ([(nest, 0)] for nest, _ in cluster)
        else:
            yield cluster


def _possible(times: Times) -> Iterator[list[tuple[_Nest, int]]]:
    """Nests that may run as one, as many as follow each other."""
    cluster: list[tuple[_Nest, int]] = []
    for nest in _nests(times):
        shift = None if nest is None else _shift(times, cluster, nest)
        if nest is not None and shift is not None:
            cluster.append((nest, shift))
            continue
        if cluster:
            yield cluster
        cluster = [] if nest is None else [(nest, 0)]
    if cluster:
        yield cluster


def _nests(times: Times) -> Iterator[_Nest | None]:
    """The nests in the order in which they run; None for a statement outside of all loops."""
    found: dict[tuple[int, ...], list[str]] = {}
    for one in times.program.statements:
        entry = min(times.varying[one.name], default=times.size)
        reach = times.schedules[one.name].range()
        prefix = tuple(_constant(reach, k) for k in range(entry))
        found.setdefault(prefix, []).append(one.name)
    for prefix, names in sorted(found.items()):
        entry = len(prefix)
        yield None if entry == times.size else _Nest(entry=entry, names=tuple(names))


def _constant(tuples: Any, position: int) -> int:
    """The one value of an entry."""
    return int(tuples.plain_get_val_if_fixed(DimType.set, position).to_python())


def _shift(times: Times, cluster: Sequence[tuple[_Nest, int]], nest: _Nest) -> int | None:
    """The fewest rows by which a nest may be late; None where there is no such number, or where
    it needs nothing of the others."""
    least: int | None = None
    for first, shift in cluster:
        if first.entry != nest.entry:
            return None
        for source, target, move in times.moves:
            if source in first.names and target in nest.names:
                rows = _latest(move, nest.entry)
                if rows is None or rows + shift > _MOST_ROWS:
                    return None
                least = rows + shift if least is None else max(least, rows + shift)
    return least


def _latest(move: Any, entry: int) -> int | None:
    """The most rows by which what comes first is ahead; None where parameters say."""
    size = move.dim(DimType.in_)
    names = ", ".join(f"t{k}" for k in range(size)), ", ".join(f"u{k}" for k in range(size))
    gap = Map(f"{{ [[{names[0]}] -> [{names[1]}]] -> [t{entry} - u{entry}] }}")
    found = move.wrap().apply(gap).project_out_all_params().dim_max_val(0)
    return int(found.to_python()) if found.is_int() else None


def _gains(
    times: Times,
    cluster: Sequence[tuple[_Nest, int]],
    cache_bytes: int,
    values: Mapping[str, int],
) -> bool:
    """True if arrays that only these nests touch are more than a cache holds, and bringing them to
    memory and back is much of their work."""
    program, number = times.program, {n: k for k, (one, _) in enumerate(cluster) for n in one.names}
    touching: dict[str, set[int | None]] = {array.name: set() for array in program.planned_arrays()}
    for one in program.statements:
        for access in (*one.reads, *one.writes):
            if access.array in touching:
                touching[access.array].add(number.get(one.name))
    elements = {
        name: _elements(program, name, values)
        for name, nests in touching.items()
        if len(nests) > 1 and None not in nests
    }
    size = sum(program.arrays[name].element.cell_bytes * n for name, n in elements.items())
    work = sum(
        count(fix_parameters(one.domain, values))
        for one in program.statements
        if one.name in number
    )
    return size > cache_bytes and work <= MOST_WORK * sum(elements.values())


def _elements(program: Program, array: str, values: Mapping[str, int]) -> int:
    """The elements of an array that are written."""
    written = [
        fix_parameters(access.relation.intersect_domain(one.domain).range(), values)
        for one in program.statements
        for access in one.writes
        if access.array == array
    ]
    return count(reduce(Set.union, written)) if written else 0
