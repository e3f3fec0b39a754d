"""Figures of generated hardware on ECP5, beside the bare RAM placed and routed in the same run.

`make bench-rtl` prints this table: clocks are medians of five seeds on an LFE5U-25F of speed
grade 6, every port between flip-flops; MHz / RAM is the ratio to the bare RAM with two counters.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from hlsmem.core.data_files import resource_folder
from hlsmem.emit.markdown_table import Column, table
from hlsmem.emit.output_folder import write_folder
from hlsmem.planner.output_files import output_files
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.read.design import load
from hlsmem.synthesis import Figures, sources_of, synthesise

ROOT = Path(__file__).resolve().parent.parent
OWN = Path(__file__).resolve().parent / "rtl"
FAMILY = "ecp5"
LIBRARY = tuple(
    f"hlsmem_{name}" for name in ("ram", "ram_output", "wrap", "delay", "output_register")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """What a design should reach: cells at most, and its clock over that of the bare RAM."""

    luts: int
    flip_flops: int
    blocks: int
    clock: float


@dataclass(frozen=True, slots=True)
class Line:
    name: str
    figures: Figures
    goal: Goal | None = None


def library(*more: Path) -> tuple[Path, ...]:
    """The library with the family's own texts, and other files."""
    folder = resource_folder("rtl")
    own = [folder / FAMILY / f"{name}.v" for name in LIBRARY]
    plain = [folder / f"{name}.v" for name in LIBRARY]
    return (*(o if o.is_file() else p for o, p in zip(own, plain, strict=True)), *more)


def lines() -> Iterator[Line]:
    """Every design of the table, the bare RAM first."""
    yield Line("bare RAM 1024 x 32", synthesise(library(OWN / "bare_ram.v"), "bare_ram", FAMILY))
    for size, window in ((3, 72), (5, 200)):
        blocks = {3: 1, 5: 2}[size]
        yield Line(
            f"{size}x{size} window, line 640",
            planned(f"window{size}"),
            Goal(luts=100, flip_flops=window + 48, blocks=blocks, clock=0.92),
        )
        yield Line(
            f"{size}x{size} window, output register",
            planned(f"window{size}", "target.output_register=yes"),
            Goal(luts=100, flip_flops=window + 68, blocks=blocks, clock=1.55),
        )
    yield Line(
        "FIFO 1024 x 32",
        planned("fifo"),
        Goal(luts=57, flip_flops=27, blocks=2, clock=0.98),
    )
    yield Line(
        "FIFO 1024 x 32, output register",
        planned("fifo", "target.output_register=yes"),
        Goal(luts=87, flip_flops=40, blocks=2, clock=1.5),
    )
    circular = (("WIDTH", "32"), ("DEPTH", "1283"), ("ADDRESS", "11"))
    yield Line(
        "circular buffer 1283 x 32, area",
        synthesise(library(), "hlsmem_delay", FAMILY, parameters=circular),
    )
    yield Line(
        "circular buffer 1283 x 32, speed",
        synthesise(library(), "hlsmem_delay", FAMILY, parameters=(*circular, ("SLICE", "8"))),
        Goal(luts=24, flip_flops=26, blocks=4, clock=0.97),
    )


def stencil_lines() -> Iterator[Line]:
    """A stencil in five banks: as one would write it down, generated, with output registers."""
    naive = synthesise(library(OWN / "stencil5_naive.v"), "stencil5_naive", FAMILY)
    yield Line("5-bank stencil by % and *", naive)
    yield Line("5-bank stencil", planned("stencil5", "target.output_register=no"))
    settings = ("target.output_register=yes", "plan.slack=1")
    yield Line("5-bank stencil, output register", planned("stencil5", *settings))


def against(naive: Line, own: Line, registered: Line, limit: float) -> Iterator[str]:
    """The stencil's ratios to the one by % and *, and to the bare RAM, beside their goals."""
    for what, found, goal, least in (
        ("LUT / naive", own.figures.area.luts / naive.figures.area.luts, 0.35, False),
        ("MHz / naive", clock(own) / clock(naive), 3.0, True),
        (
            "LUT / naive, output register",
            registered.figures.area.luts / naive.figures.area.luts,
            0.45,
            False,
        ),
        ("MHz / RAM, output register", clock(registered) / limit, 1.15, True),
    ):
        met = found >= goal if least else found <= goal
        sign = ">=" if least else "<="
        yield f"{what}: {found:.2f} ({sign} {goal}: {'met' if met else 'missed'})"


def planned(example: str, *settings: str) -> Figures:
    """An example planned and synthesised."""
    planning = plan_design(load(ROOT / "examples" / example / "design.yaml", settings=settings))
    with TemporaryDirectory() as name:
        out = Path(name) / "out"
        write_folder(out, output_files(planning))
        return synthesise(sources_of(out / "rtl", FAMILY), f"{planning.plan.design}_mem", FAMILY)


def figures_table(found: Sequence[Line]) -> str:
    """Cells, clocks and ratios; `goal` says what a line misses."""
    limit = clock(found[0])
    columns = [
        Column("design"),
        *(Column(n, right=True) for n in ("LUT", "FF", "blocks", "DSP", "MHz", "MHz / RAM")),
        Column("goal"),
    ]
    return table(columns, [row(line, limit) for line in found])


def row(line: Line, limit: float) -> list[str]:
    area = line.figures.area
    counts = [area.luts, area.flip_flops, area.block_count, area.multipliers]
    ratio = clock(line) / limit
    texts = [f"{clock(line):.1f}", f"{ratio:.2f}", standing(line, ratio)]
    return [line.name, *map(str, counts), *texts]


def standing(line: Line, ratio: float) -> str:
    """Whether the goal is met, and what is missed."""
    if line.goal is None:
        return "-"
    area = line.figures.area
    missed = [
        f"{name} <= {most}"
        for name, most, found in (
            ("LUT", line.goal.luts, area.luts),
            ("FF", line.goal.flip_flops, area.flip_flops),
            ("blocks", line.goal.blocks, area.block_count),
            ("DSP", 0, area.multipliers),
        )
        if found > most
    ]
    missed += [f"MHz / RAM >= {line.goal.clock}"] if ratio < line.goal.clock else []
    return f"missed: {', '.join(missed)}" if missed else "met"


def clock(line: Line) -> float:
    """MHz, median of the seeds."""
    if line.figures.timed is None:
        raise ValueError(f"{line.name} was not placed")
    return line.figures.timed.median


def main() -> None:
    start = time.perf_counter()
    found = list(lines())
    naive, own, registered = stencils = list(stencil_lines())
    limit = clock(found[0])
    print(figures_table([*found, *stencils]))
    print("\n5-bank stencil: " + "; ".join(against(naive, own, registered, limit)) + ".")
    found += stencils
    print(f"\n{len(found)} designs in {time.perf_counter() - start:.0f} s.")


if __name__ == "__main__":
    main()
