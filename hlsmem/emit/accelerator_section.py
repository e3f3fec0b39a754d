"""The section of the report on a whole accelerator: its streams, and the processes between them."""

from __future__ import annotations

from hlsmem.core.wording import counted
from hlsmem.emit.markdown_table import Column, table
from hlsmem.plan import PlannedAccelerator, PlannedPort, PlannedProcess


def accelerator_section(accelerator: PlannedAccelerator, frame: int | None) -> str:
    """Return what an instance of the top connects to, and what computes inside.

    `frame` are the cycles from a frame to the next one, where they are known.
    """
    ports = [
        [f"`{one.name}`", one.array, _elements(one), str(one.bits), str(one.beats)]
        for one in accelerator.ports
    ]
    processes = [
        [
            f"`{one.name}`",
            ", ".join(one.statements),
            str(one.stages),
            str(one.multipliers),
            _states(one),
        ]
        for one in accelerator.processes
    ]
    count = counted(len(accelerator.processes), "process")
    pace = "" if frame is None else f", every {counted(frame, 'cycle')} where nobody waits"
    text = (
        f"`rtl/{accelerator.top}.v` is the whole of it: the memories and {count}, with stages for"
        f" {accelerator.clock_mhz} MHz on an ECP5. It runs freely, a frame behind the other"
        f"{pace};"
        " `error` is high for a cycle where a `tlast` that comes in is not at the end of a frame."
    )
    streams = table(
        [
            Column("stream"),
            Column("array"),
            Column("element"),
            Column("tdata bits", right=True),
            Column("beats a frame", right=True),
        ],
        ports,
    )
    made = table(
        [
            Column("process"),
            Column("statements"),
            Column("cycles", right=True),
            Column("multipliers", right=True),
            Column("keeps from beat to beat"),
        ],
        processes,
    )
    slow = [
        f"`{one.name}` takes a beat every {counted(one.interval, 'cycle')}:"
        f" {', '.join(one.states)} follows from the beat before by more than a clock cycle."
        for one in accelerator.processes
        if one.interval > 1
    ]
    yours = [
        f"`{one.name}` is your module `{one.module}` of `rtl/{one.file}`, a result"
        f" {counted(one.latency, 'cycle')} behind its operands: simulated, and not proved."
        for one in accelerator.functions
    ]
    return "\n\n".join(["## Accelerator", text, streams, made, *slow, *yours])


def _elements(port: PlannedPort) -> str:
    """The elements of a beat."""
    return port.element if port.elements == 1 else f"{port.elements} x {port.element}"


def _states(process: PlannedProcess) -> str:
    """The variables kept from beat to beat, with their least and greatest values but of floats."""
    kept = (
        f"{name}, {values[0]} to {values[1]}" if values else name
        for name, values in process.states.items()
    )
    return "; ".join(kept) or "-"
