"""The streams of a program's planned arrays: their names, beats and operands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hlsmem.banks.cycle_accesses import subscripts
from hlsmem.core.errors import InputError, Note, Problem
from hlsmem.core.source_location import SourceLocation
from hlsmem.plan import Lane, Stream
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.program.model import Access, Program, Statement, Storage
from hlsmem.program.predicate_reads import with_predicate_reads
from hlsmem.timing.lanes import beat_times, lanes_of
from hlsmem.timing.program_edges import DRAIN, FILL, drained, filled
from hlsmem.verilog.verilog_ports import padded_bits


def streams_of(program: Program) -> tuple[Stream, ...]:
    """One stream per (array, statement, direction), in textual order, writes after reads.

    Behind them the fill and the drain of every array but state, which stays in place; streams
    without a beat are left out, and so are those of arrays of which data decide what is accessed,
    and of arrays which filters alone look at. Raises InputError where two streams would have one
    name.
    """
    program = with_predicate_reads(program)
    unknown = program.without_streams()
    planned = {array.name for array in program.planned_arrays() if array.name not in unknown}
    streams: list[Stream] = []
    for statement in program.statements:
        for prefix, accesses in (("m", statement.reads), ("s", statement.writes)):
            for name in dict.fromkeys(a.array for a in accesses if a.array in planned):
                own = [access for access in accesses if access.array == name]
                streams.append(
                    Stream(
                        name=f"{prefix}_{name}_{statement.name}",
                        array=name,
                        statement=statement.name,
                        beats=_beats(program, statement, own),
                        operands=tuple(_lanes(program, statement, name, own)),
                    )
                )
    for array in program.planned_arrays():
        if array.name not in planned or array.storage is Storage.STATE:
            continue
        for name, elements in (
            (f"s_{array.name}_{FILL}", filled(program, array)),
            (f"m_{array.name}_{DRAIN}", drained(program, array)),
        ):
            if elements is not None:
                beats = count(fix_parameters(elements, program.values))
                lane = Lane(bits=(0, padded_bits(array.element.bits) - 1))
                streams.append(
                    Stream(
                        name=name, array=array.name, statement=None, beats=beats, operands=(lane,)
                    )
                )
    kept = tuple(stream for stream in streams if stream.beats)
    _refuse_equal_names(program, kept)
    return kept


def _lanes(
    program: Program, statement: Statement, array: str, accesses: Sequence[Access]
) -> Iterator[Lane]:
    """The operands of a beat, lane by lane in textual order, the first in the lowest bits."""
    bits = padded_bits(program.arrays[array].element.bits)
    number = 0
    for lane, _ in enumerate(lanes_of(program, statement)):
        for access in accesses:
            element = f"{array}{subscripts(access)}"
            yield Lane(bits=(number * bits, (number + 1) * bits - 1), lane=lane, element=element)
            number += 1


def _refuse_equal_names(program: Program, streams: Sequence[Stream]) -> None:
    """`a_b` with statement `c` and `a` with `b_c` have streams of one name."""
    first: dict[str, Stream] = {}
    problems = []
    for stream in streams:
        other = first.setdefault(stream.name, stream)
        if other is not stream:
            what = f"{_whose(other)} and {_whose(stream)} would both have one stream"
            note = Note("the first one", _place_of_access(program, other))
            place = _place_of_access(program, stream)
            problems.append(Problem(what, "rename a statement or an array", place, (note,)))
    if problems:
        raise InputError(*problems)


def _whose(stream: Stream) -> str:
    if stream.statement is None:
        return f"the {stream.name.rpartition('_')[2]} of {stream.array!r}"
    return f"statement {stream.statement!r} on {stream.array!r}"


def _place_of_access(program: Program, stream: Stream) -> SourceLocation | None:
    return next(
        (
            access.source_location
            for statement in program.statements
            if statement.name == stream.statement
            for access in (statement.writes if stream.name[0] == "s" else statement.reads)
            if access.array == stream.array
        ),
        None,
    )


def _beats(program: Program, statement: Statement, accesses: list[Access]) -> int:
    instances = accesses[0].relation.domain()
    for access in accesses[1:]:
        instances = instances.union(access.relation.domain())
    instances = fix_parameters(instances, program.values)
    if not program.lanes:
        return count(instances)
    schedule = fix_parameters(statement.schedule, program.values)
    return count(beat_times(program, schedule).intersect_domain(instances).range())
