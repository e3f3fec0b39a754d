"""The words of FIFOs where processes run by themselves: as few as let the network end.

Such networks are confluent (Kahn): a run that ends with bounded channels does so in whatever order
processes are fired, and however streams stall.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from hlsmem.errors import LimitError
from hlsmem.network.channels import Channel, channels_of
from hlsmem.network.firing import Net, least_capacity
from hlsmem.network.listed import net_of, orders_of
from hlsmem.network.processes import processes_of
from hlsmem.options import Design
from hlsmem.predict import latencies
from hlsmem.program import Program
from hlsmem.storage.chooser import Built, Chosen
from hlsmem.storage.fifo.circuit import FifoCircuit
from hlsmem.storage.fifo.kind import Fifo
from hlsmem.storage.prediction import predict_circuits

_LEAST = 2
"""Words of a FIFO that is one: with one word a register would wait for its reader."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A FIFO of an array: the number of its part, and the channel through it."""

    array: str
    part: int
    channel: Channel
    words: int


def with_capacities(design: Design, program: Program, chosen: Chosen) -> Chosen:
    """The choice with FIFOs of as few words as will do, one after the other with those before it
    fixed, where the design asks for that; the same choice where the network is too long to list.

    Accesses of all other memories keep the order of the schedule meanwhile.
    """
    if design.plan.capacity == "schedule" or program.has_conditions:
        return chosen
    places = list(_places(program, chosen))
    grain = "statement" if program.kernel is not None else "given"
    processes = processes_of(program, grain)
    net = net_of(program, processes, [one.channel for one in places])
    if net is None or not places:
        return chosen
    orders = orders_of(program, processes, dict(_others(program, chosen)))
    net = Net(steps=net.steps, parts=(*net.parts, *orders))
    words: list[int | None] = [one.words for one in places]
    words += [None] * len(orders)
    for number, place in enumerate(places):
        found = least_capacity(net, words, number)
        assert found.deadlock is None
        words[number] = min(place.words, max(_LEAST, found.most[number]))
    least = {(p.array, p.part): w for p, w in zip(places, words, strict=False) if w is not None}
    resized = replace(
        chosen,
        built={name: _resized(one, name, least) for name, one in chosen.built.items()},
    )
    depths = {one.stream: one.beats for one in resized.elastic}
    try:
        prediction = predict_circuits(
            resized.circuits, latencies(program), resized.junctions, depths
        )
    except LimitError:
        return chosen
    return replace(resized, prediction=prediction)


def _places(program: Program, chosen: Chosen) -> Iterator[_Place]:
    """The FIFOs of a choice, each with the channel of its first operand."""
    channels = {(one.array, one.sink.name, one.operand): one for one in channels_of(program)}
    for name, built in chosen.built.items():
        for number, circuit in enumerate(built.circuits):
            if not isinstance(circuit, FifoCircuit):
                continue
            stream, operand = built.candidate.shares[number][0][0]
            sink = next(s for s in program.statements if stream == f"m_{name}_{s.name}")
            reads = [k for k, read in enumerate(sink.reads) if read.array == name]
            channel = channels[name, sink.name, reads[operand]]
            yield _Place(name, number, channel, circuit.words)


def _others(program: Program, chosen: Chosen) -> Iterator[tuple[str, frozenset[str] | None]]:
    """Arrays with other memories than FIFOs, and the statements that read from these; None: all."""
    for array in program.planned_arrays():
        built = chosen.built.get(array.name)
        if built is None:
            yield array.name, None
            continue
        shares = zip(built.candidate.shares, built.circuits, strict=True)
        streams = {
            stream
            for (block, _), circuit in shares
            if not isinstance(circuit, FifoCircuit)
            for stream, _ in block
        }
        if streams:
            names = (s.name for s in program.statements if f"m_{array.name}_{s.name}" in streams)
            yield array.name, frozenset(names)


def _resized(built: Built, name: str, least: Mapping[tuple[str, int], int]) -> Built:
    """What was built with FIFOs of so many words."""
    circuits, shares = list(built.circuits), list(built.candidate.shares)
    memories = dict(built.memories)
    for number, memory in enumerate(built.memories):
        words = least.get((name, number))
        if words is None:
            continue
        block, held = shares[number]
        circuit = circuits[number]
        assert isinstance(circuit, FifoCircuit)
        assert isinstance(held, Fifo)
        circuits[number] = replace(circuit, words=words)
        shares[number] = (block, replace(held, circuit=replace(held.circuit, words=words)))
        memories[memory] = replace(memories[memory], words=words)
        if built.device is not None:
            memories[memory] = circuits[number].taking(memories[memory], built.device)
    candidate = replace(built.candidate, shares=tuple(shares))
    return replace(built, candidate=candidate, circuits=tuple(circuits), memories=memories)
