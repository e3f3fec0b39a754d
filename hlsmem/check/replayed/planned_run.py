"""The run of a source seen in the order that is planned, and cut to the tile that is planned.

The run is in the order of the source. Every instance gets the time of the given schedule; of a
tile, only what happens in it is kept: its instances, their writes, and the reads of memories
that find a value made in it. What is kept is worked out from the run alone and compared with
what the tile's program says.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hlsmem.check.replayed.row_numbers import row_numbers
from hlsmem.check.replayed.run_events import Accesses, Run
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.relations import named, sets_of
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.polyhedra.sweep import contains, evaluate
from hlsmem.program.model import Array, Program, Storage


class DifferentTile(Exception):
    """The tile reads or leaves something else than it does in the run; says what."""


def arranged_run(program: Program, run: Run) -> tuple[Run, np.ndarray]:
    """The run with what `program` does of it, and the time of each of its instances.

    `run` is that of `program.source`; `program` may have arrivals and departures, which are not
    added here. Raises DifferentTile.
    """
    whole = program
    if program.tile is not None and program.original is not None:
        whole = program.original
    times = _times(whole, run)
    if whole is program:
        return run, longer(times, program.time_dimensions)
    inside = contains(fix_parameters(program.tile, program.values), times)
    accesses = {}
    for name, own in run.accesses.items():
        array = program.arrays[name]
        kept, leaving = _crossing(array, own, times, inside, _live_after(whole, array))
        _compare(program, array, run, own, kept, leaving)
        accesses[name] = _chosen(own, kept, np.cumsum(inside) - 1)
    cut = Run(
        statements=run.statements,
        depths=run.depths,
        statement=run.statement[inside],
        iterators=run.iterators[inside],
        accesses=accesses,
    )
    return cut, longer(times[inside], program.time_dimensions)


def _times(program: Program, run: Run) -> np.ndarray:
    """The time of each instance by the program's schedules."""
    known = {statement.name: statement for statement in program.statements}
    sizes = {known[name].schedule.range().tuple_dim() for name in run.statements if name in known}
    times = np.zeros((len(run.statement), max(sizes)), dtype=np.int64)
    for number, name in enumerate(run.statements):
        chosen = run.statement == number
        schedule = fix_parameters(known[name].schedule, program.values)
        schedule = schedule.intersect_domain(fix_parameters(known[name].domain, program.values))
        times[chosen] = evaluate(schedule, run.iterators[chosen, : run.depths[number]])
    return times


def longer(times: np.ndarray, size: int) -> np.ndarray:
    """The times with zeros behind: streams add entries."""
    more = np.zeros((len(times), max(size - times.shape[1], 0)), dtype=np.int64)
    return np.concatenate([times, more], axis=1)


def _live_after(program: Program, array: Array) -> np.ndarray:
    """The elements of an array that are live after the program."""
    found = [
        distinct_points(one)
        for one in sets_of(fix_parameters(named(program.live_out, array.name), program.values))
    ]
    return np.concatenate([np.zeros((0, len(array.index)), dtype=np.int64), *found])


def _crossing(
    array: Array, own: Accesses, times: np.ndarray, inside: np.ndarray, live: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Masks of the accesses that the tile makes, and of its writes that are read outside.

    Every element is followed through all its accesses in the order of times, reads first.
    """
    both = np.concatenate([own.element, live])
    numbers, _ = row_numbers(both) if both.shape[1] else (np.zeros(len(both), dtype=np.int64), 1)
    element, after = numbers[: len(own)], set(numbers[len(own) :].tolist())
    time = times[own.instance]
    order = np.lexsort((own.write, *time.T[::-1]))
    here, is_write, elements = inside[own.instance].tolist(), own.write.tolist(), element.tolist()
    last: dict[int, int] = {}
    kept, leaving = np.zeros(len(own), dtype=bool), np.zeros(len(own), dtype=bool)
    holds_outside_values = array.storage is not Storage.MEMORY
    for event in order.tolist():
        source = last.get(elements[event], -1)
        if is_write[event]:
            last[elements[event]] = event
            kept[event] = here[event]
        elif here[event]:
            kept[event] = holds_outside_values or (source >= 0 and here[source])
        elif source >= 0 and here[source]:
            leaving[source] = True
    for number, event in last.items():
        if number in after and here[event]:
            leaving[event] = True
    return kept, leaving


def _chosen(own: Accesses, kept: np.ndarray, numbers: np.ndarray) -> Accesses:
    return Accesses(
        instance=numbers[own.instance[kept]],
        write=own.write[kept],
        element=own.element[kept],
        bits=own.bits[kept],
    )


def _compare(
    program: Program,
    array: Array,
    run: Run,
    own: Accesses,
    kept: np.ndarray,
    leaving: np.ndarray,
) -> None:
    """Compare the run's accesses in the tile with those of the tile's program."""
    said = {tuple(row) for row in _live_after_tile(program, array).tolist()}
    found = {tuple(row) for row in own.element[leaving].tolist()}
    if said != found:
        element = min(said ^ found)
        verb = "leaves" if element in found else "does not leave"
        text = array.name + "".join(f"[{entry}]" for entry in element)
        raise DifferentTile(f"in the run {text} {verb} the tile, in the design it is the opposite")
    reads = kept & ~own.write
    for number, name in enumerate(run.statements):
        chosen = reads & (run.statement[own.instance] == number)
        points = run.iterators[own.instance[chosen], : run.depths[number]]
        rows = {tuple(row) for row in np.concatenate([points, own.element[chosen]], 1).tolist()}
        if rows != _reads(program, name, array.name):
            row = min(rows ^ _reads(program, name, array.name))
            raise DifferentTile(
                f"{name}{list(row[: points.shape[1]])} reads {array.name}"
                f"{list(row[points.shape[1] :])} as made in the tile either in the run"
                " or in the design, not in both"
            )


def _live_after_tile(program: Program, array: Array) -> np.ndarray:
    """Elements that the tile leaves: live after it, or departing as a stream."""
    departing = [one for one in program.statements if one.name == f"{array.name}_out"]
    if array.storage is not Storage.STREAM or not departing:
        return _live_after(program, array)
    return distinct_points(fix_parameters(departing[0].domain, program.values))


def _reads(program: Program, statement: str, array: str) -> set[tuple[Any, ...]]:
    found: set[tuple[Any, ...]] = set()
    for one in program.statements:
        if one.name == statement:
            for access in one.reads:
                if access.array == array:
                    relation = access.relation.intersect_domain(one.domain)
                    points = distinct_points(fix_parameters(relation, program.values))
                    found |= {tuple(row) for row in points.tolist()}
    return found
