"""The run of circuits, predicted: every kind of storage brings what plays in it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from hlsmem.gates.streams import PlainStream
from hlsmem.plan import Plan
from hlsmem.predict import Prediction, latencies, predict_players
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

# No branch FIFO behind any read stream.
NO_DEPTHS: Mapping[str, int] = MappingProxyType({})


def predict(program: Program, plan: Plan) -> Prediction:
    """The prediction for a plan, with the latencies of the program's statements."""
    return predict_circuits(circuits(program, plan), latencies(program))


def predict_circuits(
    memories: Sequence[Circuit],
    latency: Mapping[str, int],
    joined: Sequence[Junction] = (),
    depths: Mapping[str, int] = NO_DEPTHS,
) -> Prediction:
    """The prediction for circuits that run together, with datapaths of these latencies.

    `joined` are the junctions of arrays in several parts, `depths` the beats of branch FIFOs by
    the read streams that they stand behind.
    In closed form where no beat has to wait, else by a play of the run.

    Raises LimitError if nothing moves: a defect of the plan, the blocked streams are named.
    """
    entries = memories[0].step_entries if memories else 0
    if not joined:
        passages = [passage_of(memory, depths) for memory in memories]
        known = [passage for passage in passages if passage is not None]
        if known and len(known) == len(passages):
            found = closed_form(known, entries, latency)
            if found is not None:
                return found
    players = [players_of(memory, depths) for memory in memories]
    forks = []
    for junction in joined:
        if not junction.is_write:
            continue
        names = [branch.stream for branch in junction.branches]
        sink = junction.sink()
        if sink is not None:
            stream = Stream(sink)
            players.append(Players(streams=(stream,), readers=(), writers=(Writer(stream, ()),)))
            names.append(sink.name)
        forks.append(tuple(names))
    return _outside(predict_players(players, entries, latency, forks), joined)


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
            return fifo_players(circuit)
        case MemoryCircuit():
            return memory_players(circuit)


def passage_of(circuit: Circuit, depths: Mapping[str, int] = NO_DEPTHS) -> Passage | None:
    """What a circuit is in a network without stalls; None where it has gates, or was listed."""
    match circuit:
        case ChainCircuit():
            return chain_passage(circuit, depths)
        case FifoCircuit() if circuit.words > 1:
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
