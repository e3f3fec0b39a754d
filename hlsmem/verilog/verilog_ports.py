"""Ports of streams: widths of tdata and tuser, and what a bench must know of them beside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PortGroup:
    """A stream's ports: widths of tdata and tuser in bits (0: no tuser)."""

    name: str
    is_write: bool
    data_bits: int
    user_bits: int


def padded_bits(bits: int) -> int:
    """Bits of an element padded to whole bytes."""
    return (bits + 7) // 8 * 8


def stream_document(
    array: str,
    statement: str | None,
    ports: PortGroup,
    *,
    beats: int,
    idle: int = 0,
    operands: Sequence[dict[str, Any]] = (),
    squashes: bool = False,
) -> dict[str, Any]:
    """A stream in sim/<design>.json; `operands` have the memory copy and the bank's trace wire.

    One that `squashes` has no tlast: which of its beats come is known in the run.
    """
    return {
        "name": ports.name,
        "path": f"u_{array}",
        "array": array,
        "statement": statement,
        "direction": "write" if ports.is_write else "read",
        "beats": beats,
        "idle": idle,
        "bits": ports.data_bits,
        "tuser": ports.user_bits,
        "operands": list(operands),
        **({"skips": True} if squashes else {}),
    }


def unaddressed(operands: int) -> list[dict[str, Any]]:
    """Operands that are read from no address."""
    return [{"copy": None, "bank": None} for _ in range(operands)]
