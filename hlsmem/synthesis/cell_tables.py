"""The figures of synthesis: a table beside the report, and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hlsmem.emit.table import Column, table
from hlsmem.synthesis.synthesis_flow import Figures


def synthesis_document(figures: Sequence[Figures]) -> dict[str, Any]:
    """The figures as plain values: clocks in MHz, lengths in ns."""
    return {
        "modules": [
            {
                "module": one.module,
                "family": one.family,
                "luts": one.area.luts,
                "flip_flops": one.area.flip_flops,
                "blocks": dict(one.area.blocks),
                "multipliers": one.area.multipliers,
                "timing": _timing(one),
            }
            for one in figures
        ]
    }


def _timing(one: Figures) -> dict[str, Any] | None:
    if one.timed is None:
        return None
    return {
        "median_mhz": one.timed.median,
        "mhz_by_seed": {
            str(seed): clock
            for seed, clock in zip(one.timed.seeds, one.timed.megahertz, strict=True)
        },
        "critical_path_ns": one.timed.critical_path_ns,
        "critical_path": list(one.timed.critical_path),
    }


def synthesis_text(figures: Sequence[Figures]) -> str:
    """The table, and the critical path under it."""
    columns = [
        Column("module"),
        Column("family"),
        *(Column(name, right=True) for name in ("LUT", "FF", "blocks", "DSP", "MHz", "of seeds")),
    ]
    lines = [table(columns, [_row(one) for one in figures])]
    for one in figures:
        if one.timed is not None and one.timed.critical_path:
            path = one.timed.critical_path
            lines.append(
                f"Critical path of {one.module}: {one.timed.critical_path_ns} ns from {path[0]}"
                f" to {path[-1]}, {len(path) - 2} cells between."
            )
    return "\n\n".join(lines)


def _row(one: Figures) -> list[str]:
    blocks = " + ".join(f"{number} {kind}" for kind, number in one.area.blocks.items()) or "0"
    clocks = ["-", "-"]
    if one.timed is not None:
        low, high = min(one.timed.megahertz), max(one.timed.megahertz)
        clocks = [f"{one.timed.median:.1f}", f"{len(one.timed.seeds)}: {low:.1f} to {high:.1f}"]
    counts = [str(one.area.luts), str(one.area.flip_flops), blocks, str(one.area.multipliers)]
    return [one.module, one.family, *counts, *clocks]
