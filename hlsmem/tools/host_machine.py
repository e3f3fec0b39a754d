"""The caches and the vector registers of the machine that this runs on, as Linux states them."""

from __future__ import annotations

from pathlib import Path

_CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
_PROCESSOR = Path("/proc/cpuinfo")
_REGISTERS = (("avx512f", 512), ("avx", 256), ("sse2", 128), ("asimd", 128))
"""Flags of processors, and the bits of registers that they stand for; the widest first."""


def cache_kib(level: int, folder: Path = _CACHES) -> int | None:
    """The size of the data cache of a level in KiB; None where it cannot be read."""
    for one in sorted(folder.glob("index*")):
        try:
            own, kind, size = (
                (one / name).read_text(encoding="utf-8").strip()
                for name in ("level", "type", "size")
            )
        except OSError:
            continue
        if own == str(level) and kind in ("Data", "Unified") and size[:-1].isdigit():
            factor = {"K": 1, "M": 1024}.get(size[-1])
            return None if factor is None else int(size[:-1]) * factor
    return None


def vector_bits(file: Path = _PROCESSOR) -> int | None:
    """The width of vector registers in bits; None where it cannot be read."""
    try:
        text = file.read_text(encoding="utf-8")
    except OSError:
        return None
    for line in text.splitlines():
        name, _, flags = line.partition(":")
        if name.strip() in ("flags", "Features"):
            found = flags.split()
            return next((bits for flag, bits in _REGISTERS if flag in found), None)
    return None
