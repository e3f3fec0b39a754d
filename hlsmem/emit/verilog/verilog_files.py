"""The files below OUT that have to do with Verilog: texts from views by templates."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from hlsmem.addressing.address_generator import bits_for
from hlsmem.core import verilog_library as library
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.cycle_model import Prediction
from hlsmem.datapath.processes import Process
from hlsmem.devices import FAMILIES
from hlsmem.emit.holdings import held_in
from hlsmem.emit.templates import templates
from hlsmem.emit.verilog.accelerator import accelerator_modules
from hlsmem.emit.verilog.accelerator_bench import bench_files, bench_of
from hlsmem.emit.verilog.invariants import invariants_document
from hlsmem.emit.verilog.operand_table import operands
from hlsmem.emit.verilog.stepper_view import stepper_views
from hlsmem.plan import Plan
from hlsmem.program.foreign_modules import ForeignModule
from hlsmem.program.model import Program, SourceFile
from hlsmem.program.predicate_reads import with_predicate_reads
from hlsmem.read.design_names import free_name
from hlsmem.storage.elastic import with_counting_forks
from hlsmem.storage.junction_view import (
    JunctionView,
    junction_document,
    junction_ports,
    junction_view,
)
from hlsmem.storage.junctions import Junction
from hlsmem.storage.kinds import Circuit, View
from hlsmem.storage.ram.squashes import SeenView
from hlsmem.storage.ram.view import BufferView
from hlsmem.timing.lanes import lane_columns
from hlsmem.verilog.verilog_ports import PortGroup, padded_bits
from hlsmem.version import VERSION

_NONE: Mapping[str, str] = {}
SIMULATION_FORMAT = "hlsmem-sim/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchFifo:
    """A branch FIFO behind a read stream, or in front of a part.

    Beats come as `source` and go on as `target`.
    """

    ports: PortGroup
    beats: int
    address_bits: int
    waits_for: str

    @property
    def source(self) -> str:
        return f"{self.ports.name}{'' if self.ports.is_write else '_now'}"

    @property
    def target(self) -> str:
        return f"{self.ports.name}{'_now' if self.ports.is_write else ''}"

    @property
    def width(self) -> int:
        """Bits of a beat with tuser."""
        return self.ports.data_bits + self.ports.user_bits


@dataclass(frozen=True, slots=True, kw_only=True)
class TopView:
    design: str
    module: str
    arrays: str
    state: frozenset[str]
    has_fill: bool
    buffers: tuple[View, ...]
    streams: tuple[PortGroup, ...]
    inner: tuple[PortGroup, ...]
    seen: Mapping[str, tuple[SeenView, ...]]
    own: frozenset[str]
    left_open: tuple[str, ...]
    skipping: frozenset[str]
    junctions: tuple[JunctionView, ...]
    branches: tuple[BranchFifo, ...]
    branched: frozenset[str]


def rtl_files(
    program: Program,
    plan: Plan,
    memories: Sequence[Circuit],
    prediction: Prediction,
    joined: Sequence[Junction] = (),
    processes: Sequence[Process] = (),
    modules_of_user: Sequence[ForeignModule] = (),
) -> tuple[SourceFile, ...]:
    """rtl/*.v, rtl/files.f, rtl/README.md, the core and sim/* of these circuits.

    `joined` are the junctions of arrays in several parts, `processes` those of the plan's datapath,
    which instantiates some of the `modules_of_user`.
    """
    program = with_predicate_reads(program)
    printed = templates("rtl")
    joined = with_counting_forks(joined, {one.stream for one in plan.elastic})
    top, told = _top(program, plan, memories, joined)
    documents = [s for memory in memories for s in memory.documents()]
    documents += [junction_document(junction) for junction in joined]
    documents = [{**one, "tuser": told.get(one["name"], one["tuser"])} for one in documents]
    readme = _readme(program, plan, top, prediction, documents, told)
    document = simulation_document(top, memories, prediction, documents)
    hints = json.dumps(invariants_document(memories), separators=(",", ":")) + "\n"
    modules = _modules(top, held_in(plan))
    if plan.accelerator is not None:
        own = accelerator_modules(program, plan.accelerator, processes, top.streams, plan.frame)
        modules = [*own, *modules]
    name = top.module if plan.accelerator is None else plan.accelerator.top
    foreign = dict(_foreign(plan, modules_of_user))
    return (
        *_packed(plan, printed, modules, name, readme, document, foreign),
        SourceFile(name="sim/invariants.json", text=hints),
    )


def _foreign(plan: Plan, modules: Sequence[ForeignModule]) -> Iterator[tuple[str, str]]:
    """The names of files that the user's modules stand in, without a suffix, and their texts."""
    used = () if plan.accelerator is None else plan.accelerator.functions
    names = {one.name for one in used}
    for one in modules:
        if one.name in names:
            yield PurePosixPath(one.file.name).stem, one.file.text


def _top(
    program: Program, plan: Plan, memories: Sequence[Circuit], joined: Sequence[Junction]
) -> tuple[TopView, Mapping[str, int]]:
    """The view of the top, and the bits of tuser of streams that say which beats they have."""
    buffers = tuple(memory.view(plan.design) for memory in memories)
    inner = _inner(buffers, joined)
    seen = {one.array: tuple(one.seen) for one in buffers if isinstance(one, BufferView)}
    ends = {one.name: one for own in seen.values() for one in own}
    ports = {stream.name: stream.ports for buffer in buffers for stream in buffer.streams}
    outside = tuple(_top_streams(buffers, joined))
    told = _told_by_beats(program, outside)
    outside = tuple(replace(one, user_bits=told.get(one.name, one.user_bits)) for one in outside)
    predicate_reads = [one for one in outside if one.name in ends and not ends[one.name].is_own]
    skipping = _skipping(memories)
    view = TopView(
        design=plan.design,
        module=f"{plan.design}_mem",
        arrays=", ".join(memory.array for memory in memories),
        state=frozenset(one.array for one in memories if one.is_state),
        has_fill=any(
            stream.is_fill or stream.is_drain for memory in memories for stream in memory.streams
        ),
        buffers=buffers,
        streams=tuple(one for one in outside if one.name not in ends),
        inner=(*inner.values(), *predicate_reads),
        own=frozenset(name for name, one in ends.items() if one.is_own),
        left_open=(
            *(
                f"{one.name}_{wire}"
                for one in predicate_reads
                for wire in ("tlast", *(["tuser"] if one.user_bits else []))
            ),
            *(f"{one.stream}_tlast" for one in plan.elastic if one.stream in skipping),
            *(f"{name}_tuser" for name in told),
        ),
        seen=seen,
        skipping=skipping,
        junctions=tuple(junction_view(plan.design, junction, inner) for junction in joined),
        branches=tuple(
            BranchFifo(
                ports=ports[one.stream],
                beats=one.beats,
                address_bits=bits_for(0, one.beats - 1),
                waits_for=one.waits_for,
            )
            for one in plan.elastic
        ),
        branched=frozenset(one.stream for one in plan.elastic),
    )
    return view, told


def _skipping(memories: Sequence[Circuit]) -> frozenset[str]:
    """The streams that leave out the beats of instances that do not run."""
    return frozenset(
        stream.name
        for memory in memories
        for stream in memory.streams
        if getattr(stream, "squash", None) is not None
    )


def _modules(top: TopView, held: Mapping[str, str]) -> list[tuple[str, str]]:
    """The name and the text of each module: the top, buffers, junctions, and their address
    generators."""
    printed = templates("rtl")
    modules = [(top.module, printed.get_template("top.v.j2").render(top=top))]
    for buffer in top.buffers:
        parts = held[buffer.array].split("; ")
        text = printed.get_template(f"{buffer.kind}.v.j2").render(
            {buffer.kind: buffer, "held": parts}
        )
        modules.append((buffer.module, text))
        for generator in buffer.generators:
            text = printed.get_template("generator.v.j2").render(generator=generator)
            modules.append((generator.module, text))
    for junction in top.junctions:
        text = printed.get_template(junction.template).render(
            {"fork" if junction.is_write else "join": junction}
        )
        modules.append((junction.module, text))
        for generator in junction.generators:
            text = printed.get_template("generator.v.j2").render(generator=generator)
            modules.append((generator.module, text))
    return modules


def _readme(
    program: Program,
    plan: Plan,
    top: TopView,
    prediction: Prediction,
    documents: Sequence[Mapping[str, Any]],
    told: Iterable[str],
) -> str:
    """rtl/README.md: the ports of the top, and what goes by in the beats of each; of the streams
    `told` tuser says which instances run."""
    comments = {s.name: s.comment for buffer in top.buffers for s in buffer.streams}
    comments |= {one.name: one.comment for one in top.junctions}
    for name in told:
        comments[name] += ", where tuser says that its instance runs"
    beats = {document["name"]: document["beats"] for document in documents}
    text: str = (
        templates("rtl")
        .get_template("README.md.j2")
        .render(
            top=top,
            held=held_in(plan),
            accelerator=plan.accelerator,
            tool=plan.tool,
            prediction=prediction,
            beats=beats,
            comments=comments,
            operands=[
                operand
                for one in documents
                for stream in top.streams
                if stream.name == one["name"]
                for operand in operands(program, one["array"], one["statement"], stream)
            ],
            lanes=[program.iterator_names[column] for column in lane_columns(program)],
        )
    )
    return text


def _told_by_beats(program: Program, streams: Sequence[PortGroup]) -> dict[str, int]:
    """The write streams whose beats say which of their instances run, to nobody's use, with how
    many instances a beat has: what does not run writes what nobody reads.
    """
    found = {}
    widths = {name: padded_bits(one.element.bits) for name, one in program.arrays.items()}
    filtered = [one for one in program.statements if one.filters and not one.looks_apart]
    writes = {f"s_{a.array}_{one.name}": a.array for one in filtered for a in one.writes}
    for stream in streams:
        if stream.name in writes and not stream.user_bits:
            found[stream.name] = stream.data_bits // widths[writes[stream.name]]
    return found


def _inner(buffers: Sequence[View], joined: Sequence[Junction]) -> dict[str, PortGroup]:
    """The streams between junctions and parts, by name."""
    names = {branch.stream for junction in joined for branch in junction.branches}
    streams = (stream.ports for buffer in buffers for stream in buffer.streams)
    return {stream.name: stream for stream in streams if stream.name in names}


def _top_streams(buffers: Sequence[View], joined: Sequence[Junction]) -> Iterator[PortGroup]:
    """The ports of the top, array by array: those of a divided array where its first part is."""
    owners = {branch.stream: one.array for one in joined for branch in one.branches}
    seen: set[str] = set()
    for buffer in buffers:
        for stream in buffer.streams:
            array = owners.get(stream.ports.name)
            if array is None:
                yield stream.ports
            elif array not in seen:
                seen.add(array)
                yield from (junction_ports(one) for one in joined if one.array == array)


def stepper_files(plan: Plan) -> tuple[SourceFile, ...]:
    """The files of a conflict set: for every array a RAM and a stepper."""
    printed = templates("rtl")
    views = stepper_views(plan)
    modules: list[tuple[str, str]] = []
    for view in views:
        modules.append((view.ram, printed.get_template("ram.v.j2").render(view=view)))
        modules.append((view.stepper, printed.get_template("stepper.v.j2").render(view=view)))
    readme = printed.get_template("README_steppers.md.j2").render(views=views, plan=plan)
    document = {
        "format": SIMULATION_FORMAT,
        "steppers": [
            {
                "array": view.array,
                "ram": view.ram,
                "stepper": view.stepper,
                "cells": view.cells,
                "bits": view.bits,
                "cell_bits": view.cell_bits,
                "load_bits": view.load_bits,
                "parts": [
                    {"modulus": part.modulus, "stride": part.stride, "bits": part.bits}
                    for part in view.parts
                ],
            }
            for view in views
        ],
    }
    return _packed(plan, printed, modules, views[0].ram if views else "", readme, document)


def _packed(
    plan: Plan,
    printed: Any,
    modules: Sequence[tuple[str, str]],
    top: str,
    readme: str,
    document: Mapping[str, Any],
    foreign: Mapping[str, str] = _NONE,
) -> tuple[SourceFile, ...]:
    """The modules with those of the library that they need, the user's (`foreign`), file list,
    core, readme and description."""
    own = [(name, library.with_versions(text)) for name, text in reversed(modules)]
    used = library.used_by(text for _, text in modules)
    leaves = [family.output_leaf for family in FAMILIES.values() if family.output_leaf]
    texts = {f"rtl/{name}": text for name, text in library.library_files(used, leaves)}
    file_of = file_names([*map(library.versioned, used), *foreign, *(name for name, _ in own)])
    texts |= {f"rtl/{file_of[name]}.v": text for name, text in foreign.items()}
    texts |= {f"rtl/{file_of[name]}.v": text for name, text in own}
    names = list(file_of.values())
    texts["rtl/files.f"] = "".join(f"{name}.v\n" for name in names)
    texts["rtl/README.md"] = readme
    bench = bench_of(plan)
    texts[f"{plan.design}.core"] = printed.get_template("core.j2").render(
        design=plan.design,
        top=top,
        bench=bench,
        tool=plan.tool,
        version=VERSION,
        files=[f"rtl/{name}.v" for name in names],
    )
    texts[f"sim/{plan.design}.json"] = json.dumps(document, indent=1) + "\n"
    texts |= {} if bench is None else {one.name: one.text for one in bench_files(bench)}
    return tuple(SourceFile(name=name, text=text) for name, text in texts.items())


def simulation_document(
    top: TopView,
    memories: Sequence[Circuit],
    prediction: Prediction,
    streams: Sequence[dict[str, Any]],
) -> dict[str, Any]:
    """Description of the top for a bench, as in docs/verilog.md.

    `inner` are the streams between junctions and the parts of an array, and those that end at
    address generators.
    """
    ports = [stream.name for stream in top.streams]
    inner = [*(stream.name for stream in top.inner), *sorted(top.own)]
    return {
        "format": SIMULATION_FORMAT,
        "top": top.module,
        "streams": [s for name in ports for s in streams if s["name"] == name],
        "inner": [s for name in inner for s in streams if s["name"] == name],
        "memories": [one for memory in memories for one in memory.memory_documents()],
        "prediction": {
            "cycles": prediction.cycles,
            "interval": prediction.interval,
            "reason": prediction.reason,
        },
    }


def file_names(modules: Iterable[str]) -> dict[str, str]:
    """The name of the file of each module, without a suffix: its own, with a number behind it
    where that of one before differs in case alone.

    >>> file_names(["k_t_buffer", "k_T_buffer"])
    {'k_t_buffer': 'k_t_buffer', 'k_T_buffer': 'k_T_buffer_2'}
    """
    taken: set[str] = set()
    return {module: free_name(module, taken) for module in modules}
