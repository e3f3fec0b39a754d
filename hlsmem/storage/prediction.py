"""The run of circuits, predicted: every kind of storage brings what plays in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hlsmem.gates.streams import PlainStream
from hlsmem.plan import Plan
from hlsmem.predict import Prediction, latencies, predict_players
from hlsmem.predict.parts import Players
from hlsmem.program import Program
from hlsmem.storage.chain.circuit import ChainCircuit
from hlsmem.storage.chain.play import chain_players, chain_streams
from hlsmem.storage.circuits import Circuit, circuits
from hlsmem.storage.fifo.circuit import FifoCircuit
from hlsmem.storage.fifo.play import fifo_players
from hlsmem.storage.ram.circuit import MemoryCircuit
from hlsmem.storage.ram.play import memory_players


def predict(program: Program, plan: Plan) -> Prediction:
    """The prediction for a plan, with the latencies of the program's statements."""
    return predict_circuits(circuits(program, plan), latencies(program))


def predict_circuits(memories: Sequence[Circuit], latency: Mapping[str, int]) -> Prediction:
    """The prediction for circuits that run together, with datapaths of these latencies.

    Raises LimitError if nothing moves: a defect of the plan, the blocked streams are named.
    """
    entries = memories[0].step_entries if memories else 0
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


def streams_of(circuit: Circuit) -> tuple[PlainStream, ...]:
    """The streams of a circuit; those of a chain have no gates, the writer comes first."""
    match circuit:
        case FifoCircuit():
            return (circuit.writer, circuit.reader)
        case ChainCircuit():
            return chain_streams(circuit)
        case MemoryCircuit():
            return circuit.streams
