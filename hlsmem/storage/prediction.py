"""The run of circuits, predicted: every kind of storage brings what plays in it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from hlsmem.gates.streams import PlainStream
from hlsmem.plan import Plan
from hlsmem.predict import Prediction, latencies, predict_players
from hlsmem.predict.branch import with_branches
from hlsmem.predict.closed import Passage, closed_form
from hlsmem.predict.parts import Players, Stream, Writer
from hlsmem.program import Program
from hlsmem.storage.chain.circuit import ChainCircuit
from hlsmem.storage.chain.play import chain_passage, chain_players, chain_streams
from hlsmem.storage.circuits import Circuit, circuits
from hlsmem.storage.fifo.circuit import FifoCircuit
from hlsmem.storage.fifo.play import fifo_passage, fifo_players
from hlsmem.storage.junctions import Junction
from hlsmem.storage.ram.circuit import MemoryCircuit
from hlsmem.storage.ram.play import memory_players

# Beats of all streams together, up to which a run is played.
MOST_LISTED = 16_000_000
# No branch FIFO behind any read stream.
NO_DEPTHS: Mapping[str, int] = MappingProxyType({})


def predict(program: Program, plan: Plan) -> Prediction:
    """The prediction for a plan, with the latencies of the program's statements."""
    return predict_circuits(circuits(program, plan), latencies(program))


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """Circuits that run together. `forks` are write streams that bring the same beats to several
    parts of an array, and `sinks` the streams of those beats that no part takes.

    `depths` are the beats of branch FIFOs by the read streams that they stand behind.
    """

    memories: tuple[Circuit, ...]
    joined: tuple[Junction, ...]
    forks: tuple[tuple[str, ...], ...]
    sinks: tuple[PlainStream, ...]
    depths: Mapping[str, int]

    @property
    def step_entries(self) -> int:
        return self.memories[0].step_entries if self.memories else 0


def network_of(
    memories: Sequence[Circuit],
    joined: Sequence[Junction] = (),
    depths: Mapping[str, int] = NO_DEPTHS,
) -> Network:
    """The network of circuits; `joined` are the junctions of arrays in several parts."""
    forks, sinks = [], []
    for junction in joined:
        if junction.is_write:
            sink = junction.sink()
            sinks += [] if sink is None else [sink]
            names = [branch.stream for branch in junction.branches]
            forks.append((*names, *([] if sink is None else [sink.name])))
    return Network(
        memories=tuple(memories),
        joined=tuple(joined),
        forks=tuple(forks),
        sinks=tuple(sinks),
        depths=depths,
    )


def predict_circuits(
    memories: Sequence[Circuit],
    latency: Mapping[str, int],
    joined: Sequence[Junction] = (),
    depths: Mapping[str, int] = NO_DEPTHS,
) -> Prediction:
    """The prediction for circuits that run together, with datapaths of these latencies.

    `joined` and `depths` are those of a network. In closed form where no beat has to wait, else
    by a play of the run; where that is too long, cycles are not known and the reason says so.

    Raises LimitError if nothing moves: a defect of the plan, the blocked streams are named.
    """
    network = network_of(memories, joined, depths)
    found = without_stalls(network, latency)
    return played(network, latency) if found is None else found


def without_stalls(network: Network, latency: Mapping[str, int]) -> Prediction | None:
    """The prediction in closed form; None where beats may wait."""
    passages = [passage_of(memory, network.depths) for memory in network.memories]
    known = [passage for passage in passages if passage is not None]
    if not known or len(known) < len(passages):
        return None
    known += [Passage(writer=sink, links=()) for sink in network.sinks]
    return closed_form(known, network.step_entries, latency, network.forks)


def played(network: Network, latency: Mapping[str, int]) -> Prediction:
    """The prediction by a play."""
    beats = sum(stream.beats for memory in network.memories for stream in streams_of(memory))
    if beats > MOST_LISTED:
        told = f"cycles are not predicted: the streams have {beats} beats, and runs in which beats"
        told += f" wait are played up to {MOST_LISTED}"
        return Prediction(cycles=None, interval=None, reason=told, wait=None, streams=())
    players = [players_of(memory, network.depths) for memory in network.memories]
    streams = [Stream(sink) for sink in network.sinks]
    players += [Players(streams=(s,), readers=(), writers=(Writer(s, ()),)) for s in streams]
    found = predict_players(players, network.step_entries, latency, network.forks)
    return _outside(found, network.joined)


def _outside(prediction: Prediction, joined: Sequence[Junction]) -> Prediction:
    """The prediction with a reason that names the streams of arrays, not those of their parts."""
    if prediction.reason is None:
        return prediction
    names = {branch.stream: one.name for one in joined for branch in one.branches}
    words = re.split(r"(\w+)", prediction.reason)
    return replace(prediction, reason="".join(names.get(word, word) for word in words))


def players_of(circuit: Circuit, depths: Mapping[str, int] = NO_DEPTHS) -> Players:
    """What a circuit brings into a play."""
    match circuit:
        case ChainCircuit():
            return chain_players(circuit, depths)
        case FifoCircuit():
            return with_branches(fifo_players(circuit), depths)
        case MemoryCircuit():
            return with_branches(memory_players(circuit), depths)


def passage_of(circuit: Circuit, depths: Mapping[str, int] = NO_DEPTHS) -> Passage | None:
    """What a circuit is in a network without stalls; None where it has gates, or was listed."""
    match circuit:
        case ChainCircuit():
            return chain_passage(circuit, depths)
        case FifoCircuit() if circuit.words > 1 and not depths.get(circuit.reader.name):
            return fifo_passage(circuit)
        case _:
            return None


def streams_of(circuit: Circuit) -> tuple[PlainStream, ...]:
    """The streams of a circuit; those of a chain have no gates, the writer comes first."""
    match circuit:
        case FifoCircuit():
            return (circuit.writer, circuit.reader)
        case ChainCircuit():
            return chain_streams(circuit)
        case MemoryCircuit():
            return circuit.streams
