"""Parts that hold an array in hardware by plan.json, wires among them, and its cells in C."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Document = Mapping[str, Any]

# What `arrays.X.reads` asks for to get a kind; the others are no answer to it.
_READS = {"chain": "chain", "fifo": "fifo", "banked": "banks", "ram": "copies"}


def parts_of(own: Document) -> Sequence[Any]:
    """The parts that hold an array in hardware."""
    found: Sequence[Any] = own["holdings"]["hardware"]["parts"]
    return found


def bounds_of(own: Document) -> list[Document]:
    """The bounds of an array in the hardware's order: of all mappings, then of modular ones."""
    hardware = own["holdings"]["hardware"]
    found = [hardware["bound"], *(part["lattice"] for part in hardware["parts"])]
    return [one for one in found if one is not None]


def whole(own: Document) -> Document | None:
    """An array in the shape of its only part, where that has addresses; else None."""
    parts = parts_of(own)
    if len(parts) != 1 or parts[0]["mapping"] is None:
        return None
    return {**own, **parts[0], "bounds": bounds_of(own)}


def cells_in_c(own: Document) -> Document | None:
    """The cells of an array in C, in the shape of a part with `cell_bytes` and `at`; None without
    C."""
    host = own["holdings"]["host"]
    if host is None:
        return None
    (cells,) = host["parts"]
    return {**own, **cells, "bounds": [] if host["bound"] is None else [host["bound"]]}


def wired_streams(document: Mapping[str, Any]) -> frozenset[str]:
    """The read streams of a plan that show in a cycle what is written in it."""
    return frozenset(
        stream
        for array in document["arrays"].values()
        for part in parts_of(array)
        if is_wire(document["memories"][part["memory"]])
        for stream, _ in part["operands"]
    )


def is_wire(memory: Document) -> bool:
    """True if a read beat of a memory shows in a cycle what is written in it."""
    return bool(memory["kind"] == "wire")


def is_window(memory: Document) -> bool:
    """True if the cells of a memory are given in the order of the writes, and reads may lag."""
    return bool(memory["kind"] == "window")


def asked_kind(memory: Document) -> str:
    """The kind that a design asks for to get a memory: plan.capacity makes windows of RAMs."""
    return "ram" if is_window(memory) else str(memory["kind"])


def asked_reads(memory: Document) -> str | None:
    """The value of `arrays.X.reads` that asks for a memory; None where no value does."""
    return _READS.get(asked_kind(memory))
