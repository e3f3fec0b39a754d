"""Ports of streams: widths of tdata and tuser."""

from __future__ import annotations

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
