"""Caches and registers, from files as Linux has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.planner.host.host_schedule import cache_kib, vector_bits


def caches(folder: Path) -> Path:
    for number, (level, kind, size) in enumerate(
        [(1, "Instruction", "64K"), (1, "Data", "48K"), (2, "Unified", "2M"), (3, "Unified", "x")]
    ):
        one = folder / f"index{number}"
        one.mkdir()
        for name, text in (("level", level), ("type", kind), ("size", size)):
            (one / name).write_text(f"{text}\n")
    return folder


def test_the_data_caches(tmp_path: Path) -> None:
    folder = caches(tmp_path)
    assert [cache_kib(level, folder) for level in (1, 2, 3, 4)] == [48, 2048, None, None]
    assert cache_kib(1, tmp_path / "none") is None


@pytest.mark.parametrize(
    ("line", "bits"),
    [
        ("flags\t\t: fpu sse2 avx avx2 avx512f", 512),
        ("flags\t\t: fpu sse2 avx", 256),
        ("flags : sse2", 128),
        ("Features : fp asimd", 128),
        ("flags : fpu", None),
        ("model name : avx512f", None),
    ],
)
def test_the_vector_registers(tmp_path: Path, line: str, bits: int | None) -> None:
    (tmp_path / "cpuinfo").write_text(f"processor : 0\n{line}\n")
    assert vector_bits(tmp_path / "cpuinfo") == bits
    assert vector_bits(tmp_path / "none") is None
