"""The run of circuits, predicted: every kind of storage brings what plays in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hlsmem.gates.streams import PlainStream
from hlsmem.plan import Plan
from hlsmem.predict import Prediction, latencies, predict_players
from hlsmem.predict.closed import Passage, closed_form
from hlsmem.predict.parts import Players
from hlsmem.program import Program
from hlsmem.storage.chain.circuit import ChainCircuit
from hlsmem.storage.chain.play import chain_passage, chain_players, chain_streams
from hlsmem.storage.circuits import Circuit, circuits
from hlsmem.storage.fifo.circuit import FifoCircuit
from hlsmem.storage.fifo.play import fifo_passage, fifo_players
from hlsmem.storage.ram.circuit import MemoryCircuit
from hlsmem.storage.ram.play import memory_players


def predict(program: Program, plan: Plan) -> Prediction:
    """The prediction for a plan, with the latencies of the program's statements."""
    return predict_circuits(circuits(program, plan), latencies(program))


def predict_circuits(memories: Sequence[Circuit], latency: Mapping[str, int]) -> Prediction:
    """The prediction for circuits that run together, with datapaths of these latencies.

    In closed form where no beat has to wait, else by a play of the run.

    Raises LimitError if nothing moves: a defect of the plan, the blocked streams are named.
    """
    entries = memories[0].step_entries if memories else 0
    passages = [passage_of(memory) for memory in memories]
    known = [passage for passage in passages if passage is not None]
    if known and len(known) == len(passages):
        found = closed_form(known, entries, latency)
        if found is not None:
            return found
    return predict_players([players_of(memory) for memory in memories], entries, latency)


def players_of(circuit: Circuit) -> Players:
    """What a circuit brings into a play."""
    match circuit:
        case ChainCircuit():
            return chain_players(circuit)
        case FifoCircuit():
            return fifo_players(circuit)
        case MemoryCircuit():
            return memory_players(circuit)


def passage_of(circuit: Circuit) -> Passage | None:
    """What a circuit is in a network without stalls; None where it has gates, or was listed."""
    match circuit:
        case ChainCircuit():
            return chain_passage(circuit)
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
