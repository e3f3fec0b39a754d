"""Storage of the designs in tests/designs on ECP5: what a plan takes, what synthesis finds.

LUTs are those of the whole generated module by Yosys, without placing and routing.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from hlsmem.core.errors import ToolError
from hlsmem.emit.markdown_table import Column, table
from hlsmem.emit.output_folder import write_folder
from hlsmem.planner.output_files import output_files
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.read.design import load
from hlsmem.synthesis import sources_of, synthesise

ROOT = Path(__file__).resolve().parent.parent
DESIGNS = ROOT / "tests" / "designs"
FAMILY = "ecp5"

# A design, settings, and what it should take at most: a sentence for readers of the table.
ROWS = (
    (ROOT / "examples/blur/design.yaml", (), "129 words"),
    (
        DESIGNS / "two_readers.yaml",
        (),
        "130 words, 430 LUT or 250 with 2 blocks, 8196 cycles",
    ),
    (DESIGNS / "pyramid.yaml", (), "457 words, 700 LUT, 4233 cycles"),
    (DESIGNS / "unsharp.yaml", (), "265 words, 140 LUT, 1 block, 3080 cycles"),
    (DESIGNS / "camera.yaml", (), "19260 words, 21 blocks, 30856 cycles"),
    (DESIGNS / "nine.yaml", (), "9 words, 500 LUT"),
    (DESIGNS / "two_reads.yaml", (), "no chain offered"),
)


def print_table() -> None:
    """Words, kinds, predicted cycles and block RAMs; LUTs and flip-flops of synthesis."""
    columns = [
        Column("design"),
        Column("kinds"),
        *(Column(name, right=True) for name in ("words", "cycles", "blocks", "LUT", "FF")),
        Column("wanted"),
    ]
    print(f"\nstorage on {FAMILY}\n")
    print(table(columns, [_row(*row) for row in ROWS]), flush=True)


def _row(file: Path, settings: Sequence[str], wanted: str) -> list[str]:
    planning = plan_design(load(file, settings=settings))
    memories, timing = planning.plan.memories, planning.plan.timing
    kinds = ", ".join(dict.fromkeys(memory.kind for memory in memories.values()))
    cycles = "-" if timing is None or timing.cycles is None else str(timing.cycles)
    words = str(sum(memory.words for memory in memories.values()))
    return [planning.plan.design, kinds, words, cycles, *_area(planning), wanted]


def _area(planning: Planning) -> list[str]:
    """Block RAMs, LUTs and flip-flops; dashes where there is no Yosys."""
    with tempfile.TemporaryDirectory() as name:
        out = Path(name) / "out"
        write_folder(out, output_files(planning))
        try:
            sources = sources_of(out / "rtl", FAMILY)
            top = f"{planning.plan.design}_mem"
            area = synthesise(sources, top, FAMILY, seeds=()).area
        except ToolError:
            return ["-", "-", "-"]
    return [str(area.block_count), str(area.luts), str(area.flip_flops)]
