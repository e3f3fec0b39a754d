"""A design whose datapath is generated: its processes, and the latencies that these have.

Datapaths do not depend on storage. They are made first, and storage is planned for their latencies
(`pipeline.latency`), which stand among the overrides as if the design had them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from hlsmem.core.errors import HlsmemError, InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.datapath.beats import statements_together
from hlsmem.datapath.processes import Process, processes
from hlsmem.datapath.stages import Delays, Timing
from hlsmem.datapath.statements import Beat
from hlsmem.devices import DEFAULT_FAMILY, family_of
from hlsmem.planner.hardware.storage_placement import Placement
from hlsmem.polyhedra import DimType, PolyhedralError
from hlsmem.polyhedra.extremes import lexmax, lexmin
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.joined_statements import joined
from hlsmem.program.model import Copy, Kernel, Mix, Program, Statement, Storage
from hlsmem.program.options import Design
from hlsmem.program.packed_words import read_word
from hlsmem.read.design import changed
from hlsmem.read.element_bounds import at_values


@dataclass(frozen=True, slots=True, kw_only=True)
class Accelerated:
    """A design with the processes of its datapath; none where memories alone are made.

    `notes` say why, or what is slow in it.
    """

    design: Design
    processes: tuple[Process, ...] = ()
    notes: tuple[Problem, ...] = ()


def with_datapath(design: Design) -> Accelerated:
    """Return the design with the datapath that it asks for.

    A conflict set has none, nor a network with a statement that has no body.
    Raises InputError where it has to be whole and cannot be.
    """
    if design.build == "memories" or (design.build == "auto" and not _has_bodies(design)):
        return Accelerated(design=design)
    try:
        return _whole(design)
    except (HlsmemError, PolyhedralError) as error:
        if design.build == "whole":
            raise
        return memories_alone(design, error)


def _has_bodies(design: Design) -> bool:
    """True if the design says of each statement what it computes."""
    statements = () if design.program is None else design.program.statements
    return bool(statements) and not any(isinstance(one.body, Mix) for one in statements)


def memories_alone(design: Design, error: Exception) -> Accelerated:
    """Return the design without a datapath, and a note that says why."""
    why = Problem("isl fails at the streams of the caller's arrays", _REMEDY)
    if isinstance(error, HlsmemError):
        why = error.problems[0]
    what = f"memories alone are made: {why.what}"
    remedy = _SILENT if why.remedy == _REMEDY else why.remedy
    return Accelerated(
        design=design, notes=(Problem(what, remedy, why.source_location, why.notes),)
    )


def _whole(design: Design) -> Accelerated:
    program, kernel = design.program, design.kernel
    problems = [*_unfit(design)]
    if program is None or problems:
        raise InputError(*(problems or [Problem("a conflict set has no datapath", _REMEDY)]))
    settings = [*_streams(program, kernel)]
    together = program.together or (statements_together(program) if kernel is not None else ())
    if together:
        settings.append(f"pipeline.together={_listed(together)}")
    program = replace(program, together=together)
    words = dict(_words(program))
    settings += [f"arrays.{name}.word={count}" for name, count in words.items()]
    program = joined(_with_words(program, words))
    timing = Timing(period=1000 / design.target.clock_mhz, delays=Delays())
    modules = {one.name: one for one in design.modules}
    found = processes(program, timing, modules)
    latencies = dict(_latencies(program, found))
    _check_asked(design, latencies)
    settings += [f"pipeline.latency.{name}={cycles}" for name, cycles in latencies.items()]
    recurrences = (own for process in found for own in _recurrences(process, latencies))
    settings += [f"pipeline.recurrence.{name}={cycles}" for name, cycles in recurrences]
    missing = [one for one in settings if one not in design.overrides]
    # Read once more in any case: isl prints relations in another way once it has worked with them.
    notes = tuple(_late(design, found))
    return Accelerated(design=changed(design, missing), processes=found, notes=notes)


def _words(program: Program) -> Iterator[tuple[str, int]]:
    """The arrays of which all beats read whole words, and the elements of these."""
    found = joined(program)
    for array in found.arrays.values():
        if array.lanes == 1 and array.word == 1:
            count = read_word(found, array)
            if count > 1:
                yield array.name, count


def _with_words(program: Program, words: Mapping[str, int]) -> Program:
    own = {name: replace(program.arrays[name], word=count) for name, count in words.items()}
    return replace(program, arrays={**program.arrays, **own})


def _late(design: Design, found: Sequence[Process]) -> Iterator[Problem]:
    """Remark stages that are longer than a period, as one operation of them is."""
    for process in found:
        if process.module.longest is not None:
            what, time = process.module.longest
            first = process.statements[0]
            what = f"{first.name} has {what}, which takes {time:.1f} ns from register to register"
            remedy = f"set target.clock_mhz to at most {int(1000 / time)}"
            what = f"{what}: more than a cycle at {design.target.clock_mhz} MHz"
            yield Problem(what, remedy, first.source_location)


def _listed(groups: Sequence[Sequence[str]]) -> str:
    """Lists of names as YAML has them."""
    lists = (f"[{', '.join(names)}]" for names in groups)
    return f"[{', '.join(lists)}]"


_REMEDY = "set accelerator.build: memories"
_SILENT = "accelerator.build: memories leaves this remark out"


def _unfit(design: Design) -> Iterator[Problem]:
    """What no accelerator is made of."""
    program = design.program
    if program is None:
        return
    place = next((one.source_location for one in program.statements), None)
    if program.lanes or program.unroll:
        yield Problem("unrolled loops have no datapath yet", _REMEDY, place)
    if program.tile is not None:
        yield Problem("a tile of a program has no datapath", _REMEDY, place)
    written = {access.array for one in program.statements for access in one.writes}
    if design.kernel is None and not any(
        program.arrays[name].storage is not Storage.MEMORY for name in written
    ):
        yield Problem("nothing leaves: no array that is written is outside", _REMEDY, place)
    for one in program.statements:
        if isinstance(one.body, Mix):
            what = f"{one.name} has no circuit: nothing says what it computes"
            yield Problem(what, "give its body in C", one.source_location)
        if fix_parameters(one.domain, program.values).is_empty():
            what = f"{one.name} has no circuit: it never runs{at_values(program.values)}"
            yield Problem(what, "leave it out", one.source_location)
    for array in program.arrays.values():
        if array.storage is Storage.STATE:
            what = f"{array.name!r} is kept from run to run, which frames do not ask for"
            yield Problem(what, _REMEDY, array.source_location)
        is_touched = any(array.name in _touched(one) for one in program.statements)
        if array.storage is Storage.EXTERNAL and is_touched and design.kernel is None:
            what = f"{array.name!r} stays outside: it has no stream"
            remedy = f"set arrays.{array.name}.storage: stream"
            yield Problem(what, remedy, array.source_location)
        elif array.storage is Storage.EXTERNAL and is_touched and not array.is_parameter:
            what = f"{array.name!r} is used outside of the loops too: it has no stream"
            yield Problem(what, _REMEDY, array.source_location)
        elif array.storage is Storage.EXTERNAL and is_touched and not array.index:
            what = f"{array.name!r} is a number of the caller's: it has no stream"
            yield Problem(what, _REMEDY, array.source_location)


def _touched(statement: Statement) -> set[str]:
    return {access.array for access in (*statement.reads, *statement.writes)}


def _streams(program: Program, kernel: Kernel | None) -> Iterator[str]:
    """Settings with which the arrays of the caller are streams, those that are read alone whole.

    The design of a network says which arrays are streams.
    """
    undecided = () if kernel is None else kernel.undecided
    for array in program.arrays.values():
        if not array.is_parameter and (kernel is not None or array.storage is not Storage.STREAM):
            continue
        if array.storage is Storage.EXTERNAL:
            if array.name not in undecided:
                what = f"{array.name!r} stays outside: it has no stream"
                remedy = f"set arrays.{array.name}.storage: stream"
                raise InputError(Problem(what, remedy, array.source_location))
            yield f"arrays.{array.name}.storage=stream"
        if any(a.array == array.name and a.chosen for one in program.statements for a in one.sees):
            what = f"data decide which elements of {array.name!r} are read: it has no stream"
            raise InputError(Problem(what, _REMEDY, array.source_location))
        read = any(a.array == array.name for one in program.statements for a in one.reads)
        written = any(a.array == array.name for one in program.statements for a in one.writes)
        if read and written:
            what = f"{array.name!r} is read and written: it comes in and leaves"
            raise InputError(Problem(what, _REMEDY, array.source_location))
        is_open = array.transfer == "auto" and not written
        if is_open and array.index and array.extents is not None:
            yield f"arrays.{array.name}.transfer=whole"


def _latencies(program: Program, found: Sequence[Process]) -> Iterator[tuple[str, int]]:
    """The cycles of each statement: all of its process's where it writes to a memory."""
    kept = {one.name for one in program.arrays.values() if one.storage is Storage.DATAPATH}
    for process in found:
        for one in process.statements:
            is_inner = all(access.array in kept for access in one.writes)
            waits = process.module.interval if _sets_states(process, one) else 1
            inner = waits if waits > 1 else 0
            yield one.name, inner if is_inner else process.module.latency


def _recurrences(process: Process, latencies: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """The cycles between the beats of statements that set states, where these are not latencies."""
    for one in process.statements:
        if _sets_states(process, one) and latencies[one.name]:
            yield one.name, process.module.interval


def _sets_states(process: Process, statement: Statement) -> bool:
    """True if a statement of the innermost loops sets what these keep from beat to beat."""
    states = {one.name for one in process.computed.states}
    sets = any(access.array in states for access in statement.writes)
    return sets and process.beat(statement) is Beat.EACH


def _check_asked(design: Design, latencies: Mapping[str, int]) -> None:
    """Refuse latencies of the design that are not those of its datapaths."""
    assert design.program is not None
    problems = []
    for one in design.program.statements:
        asked, cycles = design.pipeline.latency.get(one.name), latencies.get(one.name)
        if asked is not None and cycles is not None and asked != cycles:
            what = f"{one.name} has a latency of {cycles}, that of its datapath, and not of {asked}"
            remedy = f"leave out pipeline.latency.{one.name}"
            problems.append(Problem(what, remedy, one.source_location))
    if problems:
        raise InputError(*problems)


def check_built(
    design: Design, program: Program | None, placement: Placement, found: Sequence[Process]
) -> None:
    """Refuse a plan without Verilog, and orders that its processes cannot have.

    Refuse arrays of the caller that no device holds, too, where nobody asked for a whole one.
    """
    if design.build == "auto":
        _check_size(design, placement)
    if program is None or placement.chosen is None:
        reason = placement.timing.reason if placement.timing is not None else None
        raise InputError(Problem(f"there is no Verilog: {reason}", _REMEDY))
    times = {
        one.name: fix_parameters(one.schedule.intersect_domain(one.domain), program.values)
        for one in program.statements
    }
    streams = {one.name for one in placement.streams}
    for process in found:
        _check_streams(process, streams)
        _check_sums(times, process)
        _check_beats(program, times, process)


def _check_size(design: Design, placement: Placement) -> None:
    """Refuse memories of more bits than the block RAM of the family's largest device."""
    family = family_of(design.target.device or DEFAULT_FAMILY)
    largest = max(family.devices, key=lambda one: one.blocks)
    most = largest.blocks * family.block_bits
    if placement.bits > most:
        what = f"whole arrays take {placement.bits} bits on chip, and {largest.name} has {most}"
        raise InputError(Problem(what, "tile the loops"))


_Times = Mapping[str, Any]
"""The planned times of each statement's instances, at the values of the parameters."""


def _check_streams(process: Process, streams: Collection[str]) -> None:
    """Refuse operands and results that no stream carries: data decide which elements they are."""
    used = [(one.access.array, one.statement, "m") for one in process.computed.inputs if one.access]
    used += [(one.access.array, one.statement, "s") for one in process.outputs]
    for array, statement, side in used:
        if f"{side}_{array}_{statement}" not in streams:
            what = f"{statement} has no stream for {array!r}: data decide which elements it has"
            place = process.statements[0].source_location
            raise InputError(Problem(what, _REMEDY, place))


def _check_sums(times: _Times, process: Process) -> None:
    """Refuse an order in which a process with states does not run its loops as its text does."""
    is_single = all(process.beat(one) is Beat.EACH for one in process.statements)
    if is_single and not process.computed.states:
        return
    own = times[process.deepest.name]
    same = own.domain().identity()
    if not own.lex_lt_map(own).is_subset(same.lex_lt_map(same)):
        what = f"in the order of the plan {process.deepest.name} sums up in another order"
        raise InputError(Problem(what, "set schedule: text", process.deepest.source_location))


def _check_beats(program: Program, times: _Times, process: Process) -> None:
    """Refuse a process that would wait for itself: a beat takes all its operands at once, and
    something that one of them waits for comes when another is to have gone."""
    planned = {one.name for one in program.planned_arrays()}
    reading = [one for one in process.statements if {a.array for a in one.reads} & planned]
    own = {one.name for one in process.statements}
    for early, late in combinations(reading, 2):
        beats = _of_one_beat(times, process, early, late)
        if beats is None:
            continue
        begin, end = times[early.name], times[late.name]
        end = beats.apply_range(end)
        begin = begin.intersect_domain(end.domain())
        read = {access.array for access in early.reads}
        for one in program.statements:
            is_copy = isinstance(one.body, Copy)
            touched = _touched(one)
            if one.name in own or not touched & (read if is_copy else planned):
                continue
            if is_copy and process.holds(early):
                continue
            other = times[one.name]
            between = begin.lex_lt_map(other).intersect(end.lex_gt_map(other))
            if not between.is_empty():
                what = (
                    f"{early.name} and {late.name} would be one beat, and {one.name} comes between"
                )
                remedy = f"write them as one statement, or {_REMEDY}"
                raise InputError(Problem(what, remedy, late.source_location))


def _of_one_beat(times: _Times, process: Process, early: Statement, late: Statement) -> Any:
    """{ early[i] -> late[j] }: instances that share a beat; None where none do for sure."""
    kinds = process.beat(early), process.beat(late)
    first, second = (times[one.name].domain() for one in (early, late))
    if kinds == (Beat.EACH, Beat.EACH):
        return first.identity().set_tuple_name(DimType.out, late.name)
    outer, inner = (first, second) if kinds[0] is Beat.FIRST else (second, first)
    depth = outer.dim(DimType.set)
    whole = inner.identity().project_out(DimType.in_, depth, inner.dim(DimType.set) - depth)
    name = (early if kinds[0] is Beat.FIRST else late).name
    whole = whole.set_tuple_name(DimType.in_, name)
    if kinds == (Beat.FIRST, Beat.EACH):
        return lexmin(whole)
    if kinds == (Beat.EACH, Beat.LAST):
        return lexmax(whole).reverse()
    return None
