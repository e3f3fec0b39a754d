"""The module of a process: streams joined to beats, its datapath, and results that leave alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hlsmem.addressing.time_walk import time_walk
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.datapath.operand_beats import ReadingBeats, is_early, reaching, reading_beats
from hlsmem.datapath.processes import Process
from hlsmem.datapath.statements import Beat, Output
from hlsmem.emit.verilog.walk_view import walk_view
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.extremes import lexmax, lexmin
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Program
from hlsmem.verilog.generator_view import AddressGeneratorView
from hlsmem.verilog.verilog_ports import padded_bits
from hlsmem.verilog.verilog_text import resized

_FLAGS = {Beat.FIRST: "first_beat", Beat.LAST: "last_one"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadView:
    """A stream of operands; `due` is Verilog for the beats that take it, "" for all. One that is
    `held` is taken at once, and waits in a register."""

    name: str
    bits: int
    due: str
    ready: str
    held: bool = False

    @property
    def word(self) -> str:
        return f"{self.name}_{'kept' if self.held else 'tdata'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteView:
    """A stream of results; `due` is Verilog for whether the last stage has one."""

    name: str
    bits: int
    due: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultView:
    name: str
    bits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainView:
    """A bit that goes along with the beats from stage to stage."""

    name: str
    stages: int
    following: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessView:
    """A process; one without `results` takes its operands and drops them. The first beat of one
    that `is_early` takes no operand."""

    name: str
    statements: str
    latency: int
    reads: tuple[ReadView, ...]
    writes: tuple[WriteView, ...]
    free: str
    there: str
    waits: int
    generator: AddressGeneratorView | None
    chains: tuple[ChainView, ...]
    operands: tuple[tuple[str, str], ...]
    results: tuple[ResultView, ...]
    unused: tuple[str, ...]
    is_early: bool


def process_view(program: Program, process: Process, streams: Mapping[str, int]) -> ProcessView:
    """Return the view of a process; `streams` are the bits of tdata of the streams there are."""
    some = reading_beats(program, process, streams)
    generator = _walk(program, process, some)
    reads = _reads(process, streams, some)
    waits = process.module.interval - 1
    due = _turn(process, waits)
    there = " & ".join([*map(_is_there, reads), *([due] if waits else [])]) or "1'b1"
    outputs = [f"s_{one.access.array}_{one.statement}" for one in process.outputs]
    free = " & ".join(f"(~{name}_tvalid | {name}_tready)" for name in dict.fromkeys(outputs))
    is_sink = not outputs
    results = tuple(
        ResultView(name=f"q{k}", bits=one.element.bits) for k, one in enumerate(process.outputs)
    )
    flags = {one.beat for one in process.outputs} - {Beat.EACH}
    stages = process.module.latency - 1
    chains = [_chain("valid", "there", stages)]
    chains += [_chain(f"{_FLAGS[own]}s", _FLAGS[own], stages) for own in Beat if own in flags]
    writes = tuple(
        WriteView(
            name=name,
            bits=streams[name],
            due=_due(own[0][0].beat, stages),
            text=_word(own, streams[name]),
        )
        for name, own in _by_stream(outputs, process.outputs, results).items()
    )
    operands, used = _operands(program, process, streams)
    data = [one.word for one in reads if used.get(one.name, 0) < one.bits]
    return ProcessView(
        name=process.name,
        statements=", ".join(one.name for one in process.parts),
        latency=process.module.latency,
        reads=tuple(replace(one, ready=_ready(one, reads, due if waits else "")) for one in reads),
        writes=writes,
        free=free or "1'b1",
        there=there,
        waits=waits,
        generator=generator,
        chains=tuple(one for one in chains if one.stages and not is_sink),
        operands=tuple(operands),
        results=results,
        unused=("clk", "rst", "ce", "there", *data) if is_sink else tuple(data),
        is_early=is_early(program, process, streams),
    )


def _chain(name: str, begin: str, stages: int) -> ChainView:
    following = begin if stages <= 1 else f"{{{name}[{stages - 1}:1], {begin}}}"
    return ChainView(name=name, stages=stages, following=following)


def _due(beat: Beat, stages: int) -> str:
    names = ["valid", *([f"{_FLAGS[beat]}s"] if beat in _FLAGS else [])]
    if stages:
        return " & ".join(f"{name}[{stages}]" for name in names)
    return " & ".join(["there", *([_FLAGS[beat]] if beat in _FLAGS else [])])


def _reads(process: Process, streams: Mapping[str, int], some: ReadingBeats) -> list[ReadView]:
    found = []
    for statement in process.statements:
        due = _FLAGS.get(process.beat(statement), "")
        for array in dict.fromkeys(one.array for one in statement.reads):
            name = f"m_{array}_{statement.name}"
            if name in streams:
                held = process.holds(statement)
                own = _flag(name) if name in some else due
                view = ReadView(name=name, bits=streams[name], due=own, ready="", held=held)
                found.append(view)
    return found


def _flag(stream: str) -> str:
    """The wire that is high on the beats that take an operand of a stream."""
    return f"{stream}_due"


def _is_there(one: ReadView) -> str:
    if one.held:
        return f"({one.name}_held | ~{one.due})"
    return f"({one.name}_tvalid | ~{one.due})" if one.due else f"{one.name}_tvalid"


def _turn(process: Process, waits: int) -> str:
    """When a beat may be taken: the states that it needs are set, or it begins with others."""
    due = f"turns == {waits.bit_length()}'d0"
    return f"(({due}) | first_beat)" if process.computed.first is not None else f"({due})"


def _ready(one: ReadView, reads: Sequence[ReadView], turn: str) -> str:
    """When a beat is taken: `tready` does not follow the stream's own `tvalid`."""
    if one.held:
        return f"~{one.name}_held"
    others = [_is_there(other) for other in reads if other.name != one.name]
    return " & ".join(["ce", *([one.due] if one.due else []), *others, *([turn] if turn else [])])


def _by_stream(
    names: Sequence[str], outputs: Sequence[Output], results: Sequence[ResultView]
) -> dict[str, list[tuple[Output, ResultView]]]:
    """The results of each stream, by their places in its words."""
    found: dict[str, list[tuple[Output, ResultView]]] = {}
    for name, one, result in zip(names, outputs, results, strict=True):
        found.setdefault(name, []).append((one, result))
    return {name: sorted(own, key=lambda pair: pair[0].lane) for name, own in found.items()}


def _word(own: Sequence[tuple[Output, ResultView]], bits: int) -> str:
    """A word of so many bits, the first result in the lowest ones."""
    texts = [
        resized(result.name, result.bits, bits // len(own), one.element.is_signed)
        for one, result in own
    ]
    return texts[0] if len(texts) == 1 else f"{{{', '.join(reversed(texts))}}}"


def _operands(
    program: Program, process: Process, streams: Mapping[str, int]
) -> tuple[list[tuple[str, str]], dict[str, int]]:
    """The ports of the datapath with what they are, and how many bits of streams these are."""
    found: list[tuple[str, str]] = []
    used: dict[str, int] = {}
    if process.computed.states:
        turn = process.module.turn
        found.append(("take", f"valid[{turn}]" if turn else "there"))
    by_name = {one.name: one for one in process.statements}
    for one in process.computed.inputs:
        if one.access is None:
            found.append((one.name, f"at_{one.iterator}"))
            continue
        stream = f"m_{one.access.array}_{one.statement}"
        own = [a for a in by_name[one.statement].reads if a.array == one.access.array]
        position = next(k for k, a in enumerate(own) if a is one.access)
        bits = program.arrays[one.access.array].element.bits
        low = position * padded_bits(bits)
        whole = bits == streams[stream]
        word = f"{stream}_{'kept' if process.holds(by_name[one.statement]) else 'tdata'}"
        text = word if whole else f"{word}[{low + bits - 1}:{low}]"
        found.append((one.name, text))
        used[stream] = used.get(stream, 0) + bits
    if process.computed.first is not None:
        found.append(("first", "first_beat"))
    return found, used


def _walk(program: Program, process: Process, some: ReadingBeats) -> AddressGeneratorView | None:
    """The walk over the beats of a process, where its iterators, its innermost loops, or `some` of
    its beats matter."""
    iterators = [one for one in process.computed.inputs if one.access is None]
    beats = {process.beat(one) for one in process.statements} - {Beat.EACH}
    if process.computed.first is not None:
        beats.add(Beat.FIRST)
    if not iterators and not beats and not some:
        return None
    deepest = process.deepest
    domain = fix_parameters(deepest.domain, program.values).coalesce()
    schedule = fix_parameters(deepest.schedule, program.values).intersect_domain(domain)
    walk = time_walk(schedule.reverse())
    outputs, widths = {}, {}
    for one in iterators:
        position = deepest.iterators.index(one.iterator)
        port = f"at_{one.iterator}"
        outputs[port] = walk.iterator(position)
        widths[port] = (one.interval.bits, one.interval.is_signed)
    outer = min(len(one.iterators) for one in process.statements)
    kinds = [own for own in Beat if own in beats]  # sets have no order that stays
    conditions = {_FLAGS[own]: walk.is_at(_ends(schedule, domain, outer, own)) for own in kinds}
    for name, own in some.items():
        beat, reading = own
        times = schedule.intersect_domain(reaching(domain, reading)).range()
        if beat is not Beat.EACH:
            times = times.intersect(_ends(schedule, domain, outer, beat))
        conditions[_flag(name)] = walk.is_at(times.coalesce())
    return walk_view(walk, f"{process.name}_walk", process.name, outputs, conditions, widths)


def _ends(schedule: Any, domain: Any, outer: int, beat: Beat) -> Any:
    """The times of the first, or of the last, instances for each entry of the outer loops."""
    depth = domain.dim(DimType.set)
    split = domain.identity().reset_tuple_id(DimType.in_).reset_tuple_id(DimType.out)
    by_outer = split.project_out(DimType.in_, outer, depth - outer)
    ends = lexmin(by_outer) if beat is Beat.FIRST else lexmax(by_outer)
    kept = ends.range().set_tuple_name(domain.get_tuple_name())
    return schedule.intersect_domain(kept).range()
