"""What the plan says of a datapath: its processes, its streams, and the functions of the user."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from pathlib import PurePosixPath

from hlsmem.datapath.processes import Process
from hlsmem.plan import (
    PlannedAccelerator,
    PlannedFunction,
    PlannedPort,
    PlannedProcess,
    Stream,
)
from hlsmem.planner.hardware.storage_placement import Placement
from hlsmem.program.model import Copy, Program
from hlsmem.program.options import Design
from hlsmem.verilog.keywords import module_name
from hlsmem.verilog.verilog_ports import padded_bits


def accelerator_of(
    design: Design, program: Program | None, placement: Placement, found: Sequence[Process]
) -> PlannedAccelerator | None:
    """Return what the plan says of a datapath; None where there is none."""
    if program is None or not found:
        return None
    passing = {one.name for one in program.statements if isinstance(one.body, Copy)}
    ports = [_port(program, one) for one in placement.streams if one.statement in passing]
    return PlannedAccelerator(
        top=module_name(design.input.name),
        clock_mhz=design.target.clock_mhz,
        processes=tuple(_planned(program, one) for one in found),
        ports=tuple(sorted(ports, key=lambda one: one.direction)),
        functions=tuple(_functions(design, found)),
    )


def _functions(design: Design, found: Sequence[Process]) -> Iterator[PlannedFunction]:
    """The functions of processes that modules of the user's compute."""
    called = {name for process in found for name in process.module.foreign}
    for one in design.modules:
        if one.name in called:
            file = PurePosixPath(one.file.name).name
            yield PlannedFunction(name=one.name, module=one.module, file=file, latency=one.latency)


def _port(program: Program, stream: Stream) -> PlannedPort:
    """The port of an array that passes: all of it leaves, also what nothing writes, unless the
    design wants what is used alone."""
    array, is_input = program.arrays[stream.array], stream.name.startswith("s_")
    own = program.apart.arrays[stream.array]
    extents = tuple(one.evaluate(program.values) for one in own.extents or ())
    is_part = array.transfer == "used" or not extents
    return PlannedPort(
        name=f"{'s' if is_input else 'm'}_axis_{stream.array}",
        array=stream.array,
        direction="in" if is_input else "out",
        bits=padded_bits(array.element.bits),
        element=own.element.name,
        extents=extents,
        beats=stream.beats if is_input or is_part else prod(extents) // array.lanes,
        elements=array.lanes,
    )


def _planned(program: Program, process: Process) -> PlannedProcess:
    states = {
        one.name: ()
        if program.arrays[one.name].element.is_float
        else (one.operand.interval.least, one.operand.interval.greatest)
        for one in process.computed.states
    }
    return PlannedProcess(
        name=process.name,
        statements=tuple(one.name for one in process.parts),
        stages=process.module.latency,
        states=states,
        multipliers=process.module.multipliers,
        interval=process.module.interval,
    )
