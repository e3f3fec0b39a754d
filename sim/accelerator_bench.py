"""Frames through the top of an accelerator, against what the program computes.

HLSMEM_VECTORS names a file with `ports` (name, in or out, beats a frame, the words of all frames)
and `runs` (name, per cent of the cycles in which a port waits, seed, the beat before which a reset
comes, and by port the beat whose tlast is wrong). HLSMEM_RESULTS gets for each run its fault, ""
where there is none, the cycles from the end of a frame to that of the next, and how often `error`
was high.
"""

from __future__ import annotations

import json
import os
from itertools import pairwise
from pathlib import Path
from random import Random

import cocotb
from cocotb.triggers import Timer

PATIENCE = 20_000
"""Cycles in which nothing moves, after which a run is over."""


EMPTY = 40
"""Cycles behind the last frame in which nothing may come out."""


class Port:
    """A stream of the top, with the beats that have gone in a run."""

    def __init__(self, dut, given):
        self.name, self.beats = given["name"], given["beats"]
        self.is_input, self.words = given["direction"] == "in", given["words"]
        self.data, self.valid, self.ready, self.last = (
            getattr(dut, f"{self.name}_{wire}") for wire in ("tdata", "tvalid", "tready", "tlast")
        )
        self.begin()

    def begin(self):
        self.at, self.offered, self.held, self.ends = 0, False, None, []

    def offer(self, stalls, misplaced):
        """Drive an input: what is offered stays until it is taken."""
        if self.at == len(self.words):
            self.offered = False
        elif not self.offered:
            self.offered = not stalls
        self.valid.value = int(self.offered)
        if self.offered:
            self.data.value = self.words[self.at]
            is_last = self.at % self.beats == self.beats - 1
            self.last.value = int(is_last != (self.at == misplaced))

    def gone(self, cycle):
        if self.at % self.beats == self.beats - 1:
            self.ends.append(cycle)
        self.at += 1
        self.offered = False


async def edge(dut):
    """The rising edge of the clock, and the falling one behind it."""
    dut.clk.value = 1
    await Timer(5, "ns")
    dut.clk.value = 0


async def reset(dut, ports):
    dut.rst.value = 1
    for port in ports:
        (port.valid if port.is_input else port.ready).value = 0
        port.begin()
    for _ in range(4):
        await Timer(5, "ns")
        await edge(dut)
    dut.rst.value = 0


def fault_of(port, stalls, cycle):
    """What an output does wrong in a cycle, before its edge."""
    if not port.valid.value.is_resolvable:
        return f"{port.name}_tvalid is {port.valid.value} in cycle {cycle}"
    if not int(port.valid.value):
        return (
            f"{port.name}_tvalid falls before its beat is taken, cycle {cycle}" if port.held else ""
        )
    shown = str(port.data.value), str(port.last.value)
    if port.held and shown != port.held:
        return f"{port.name}: beat {port.at} changes while it waits, cycle {cycle}"
    if port.at == len(port.words):
        return f"{port.name} has more beats than the frames, cycle {cycle}"
    if not port.data.value.is_resolvable or int(port.data.value) != port.words[port.at]:
        shown = f"beat {port.at} is {port.data.value}, not {port.words[port.at]:#x}"
        return f"{port.name}: {shown}, cycle {cycle}"
    is_last = port.at % port.beats == port.beats - 1
    if int(port.last.value) != is_last:
        return f"{port.name}_tlast is {port.last.value} in beat {port.at}, cycle {cycle}"
    port.held = shown if stalls else None
    return ""


async def play(dut, ports, run):
    """One run; its record."""
    drawn = Random(run["seed"])
    await reset(dut, ports)
    if run["reset"]:
        await frames(dut, ports, run, drawn, until=run["reset"])
        await reset(dut, ports)
    return await frames(dut, ports, run, drawn)


async def frames(dut, ports, run, drawn, until=None):
    cycle = idle = errors = 0
    while any(port.at < len(port.words) for port in ports if not port.is_input):
        if until is not None and ports[0].at >= until:
            break
        stalls = [drawn.random() * 100 < run["stall"] for _ in ports]
        for port, waits in zip(ports, stalls, strict=True):
            if port.is_input:
                port.offer(waits, run["misplaced"].get(port.name))
            else:
                port.ready.value = int(not waits)
        await Timer(5, "ns")
        goes = []
        for port, waits in zip(ports, stalls, strict=True):
            if port.is_input:
                if not port.ready.value.is_resolvable:
                    return record(run, ports, errors, f"{port.name}_tready is x, cycle {cycle}")
                if port.offered and int(port.ready.value):
                    goes.append(port)
                continue
            fault = fault_of(port, waits, cycle)
            if fault:
                return record(run, ports, errors, fault)
            if int(port.valid.value) and not waits:
                goes.append(port)
        errors += int(dut.error.value)
        await edge(dut)
        for port in goes:
            port.gone(cycle)
        cycle, idle = cycle + 1, 0 if goes else idle + 1
        if idle > PATIENCE:
            at = ", ".join(f"{port.name} {port.at}" for port in ports)
            return record(run, ports, errors, f"nothing moves any more, beats gone: {at}")
    await Timer(5, "ns")
    errors += int(dut.error.value)
    fault = "" if until is not None else await further(dut, ports)
    return record(run, ports, errors, fault)


async def further(dut, ports):
    """What still comes out when all frames have gone, though none goes in."""
    outputs = [port for port in ports if not port.is_input]
    for port in ports:
        if port.is_input:
            port.valid.value = 0
    for _ in range(EMPTY if len(outputs) < len(ports) else 0):
        await Timer(5, "ns")
        for port in outputs:
            if port.valid.value.is_resolvable and int(port.valid.value):
                return f"{port.name} has more beats than the frames"
        await edge(dut)
    return ""


def record(run, ports, errors, fault):
    ends = [port.ends for port in ports if not port.is_input]
    periods = sorted({b - a for own in ends for a, b in pairwise(own)})
    return {"name": run["name"], "fault": fault, "periods": periods, "errors": errors}


@cocotb.test()
async def accelerator(dut):
    given = json.loads(Path(os.environ["HLSMEM_VECTORS"]).read_text())
    dut.clk.value = 0
    ports = [Port(dut, one) for one in given["ports"]]
    found = []
    for run in given["runs"]:
        found.append(await play(dut, ports, run))
        if found[-1]["fault"]:
            break
    Path(os.environ["HLSMEM_RESULTS"]).write_text(json.dumps(found))
