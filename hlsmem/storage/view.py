"""What templates print of every kind of storage, and what a bench must know of its streams."""

from __future__ import annotations

from typing import Any

from hlsmem.storage.chain.circuit import ChainCircuit
from hlsmem.storage.chain.view import ChainView, chain_documents, chain_view
from hlsmem.storage.circuits import Circuit
from hlsmem.storage.fifo.circuit import FifoCircuit
from hlsmem.storage.fifo.view import FifoView, fifo_documents, fifo_view
from hlsmem.storage.ram.circuit import MemoryCircuit
from hlsmem.storage.ram.view import BufferView, buffer_view, memory_documents

StorageView = BufferView | ChainView | FifoView


def view_of(design: str, circuit: Circuit) -> StorageView:
    """The view of a buffer module; its template is named after its `kind`."""
    match circuit:
        case ChainCircuit():
            return chain_view(design, circuit)
        case FifoCircuit():
            return fifo_view(design, circuit)
        case MemoryCircuit():
            return buffer_view(design, circuit)


def stream_documents(circuit: Circuit) -> list[dict[str, Any]]:
    """The streams of a circuit in sim/<design>.json."""
    match circuit:
        case ChainCircuit():
            return chain_documents(circuit)
        case FifoCircuit():
            return fifo_documents(circuit)
        case MemoryCircuit():
            return memory_documents(circuit)
