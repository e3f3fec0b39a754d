"""Parts that hold an array in hardware by plan.json, wires among them, and its cells in C."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Document = Mapping[str, Any]


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
        if document["memories"][part["memory"]]["kind"] == "wire"
        for stream, _ in part["operands"]
    )
