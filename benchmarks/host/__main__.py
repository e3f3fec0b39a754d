"""`make bench-host`: times of the host C beside the sources in this folder, as reports/host.md.

Every kernel is planned five times: with the plan's own cells, with cells that are chosen for
speed, in the given order, in C's own and in that with its loops cut, and by successive modulo. All
of them and the source take turns. Nothing is asserted.
`python -m benchmarks.host blur` prints the rows of that kernel alone.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from pathlib import Path

from hlsmem.emit.folder import write_folder
from hlsmem.emit.table import Column, table
from hlsmem.pipeline import output_files, plan_design
from hlsmem.planfile import Plan
from hlsmem.read.design import load
from hlsmem.verification.timing import Measured, measure

FOLDER = Path(__file__).parent
REPORT = FOLDER.parents[1] / "reports" / "host.md"
STARTS, ROUNDS, SLOW_ROUNDS = 3, 9, 3
SLOW_SECONDS = 0.5
"""Sources that take longer have fewer rounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A kernel: the parameters that its plan holds for, and two sizes, in cache and in memory."""

    name: str
    context: str
    sizes: tuple[Mapping[str, int], Mapping[str, int]] = field(compare=False)
    more: str = ""
    is_of_order: bool = False
    """Whether it is there for the order of its loops, in which storage matters little."""


CASES = (
    Case(name="blur", context="N >= 4", sizes=({"N": 256}, {"N": 4096})),
    Case(name="unsharp", context="N >= 6", sizes=({"N": 256}, {"N": 4096})),
    Case(name="harris", context="N >= 6", sizes=({"N": 256}, {"N": 4096})),
    Case(name="sobel", context="N >= 4", sizes=({"N": 256}, {"N": 4096})),
    Case(
        name="durbin",
        context="N >= 3",
        sizes=({"N": 400}, {"N": 4000}),
        more='\nhost: {inputs: {r: ["-1e-4", "1e-4"]}}',
    ),
    Case(name="fir", context="N >= 30", sizes=({"N": 8192}, {"N": 4000000})),
    Case(name="fused", context="N >= 4", sizes=({"N": 256}, {"N": 4096}), is_of_order=True),
    Case(name="matmul", context="N >= 4", sizes=({"N": 128}, {"N": 1024}), is_of_order=True),
    Case(name="correlation", context="N >= 4", sizes=({"N": 256}, {"N": 1024}), is_of_order=True),
)
PLANS: Mapping[str, Sequence[str]] = {
    "plan": ("host.objective=plan",),
    "given": ("host.order=given",),
    "uncut": ("host.tile=none", "host.jam=none"),
    "speed": (),
    "successive": ("plan.method=successive", "host.objective=plan"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A kernel at one size: times, and by plan the cells of C and what its loops do."""

    case: str
    place: str
    measured: Measured
    cells: Mapping[str, int]
    shapes: Mapping[str, str]

    def ratio(self, plan: str) -> float:
        return next(one.ratio for one in self.measured.outs if Path(one.name).name == plan)

    def cell(self, plan: str) -> str:
        one = next(one for one in self.measured.outs if Path(one.name).name == plan)
        return f"{one.ratio:.2f} [{one.least:.2f} {one.greatest:.2f}]"


def rows_of(case: Case) -> list[Row]:
    """The rows of a kernel, planned once for all sizes."""
    with tempfile.TemporaryDirectory(prefix="hlsmem-host-") as name:
        folder = Path(name)
        text = (FOLDER / f"{case.name}.c").read_text(encoding="utf-8")
        (folder / f"{case.name}.c").write_text(text, encoding="utf-8")
        small = ", ".join(f"{key}: {value}" for key, value in case.sizes[0].items())
        (folder / "design.yaml").write_text(
            f"hlsmem: 1\nname: {case.name}\nparams: {{{small}}}\n"
            f'context: "[N] -> {{ : {case.context} }}"\n'
            f"kernel: {{file: {case.name}.c}}{case.more}\n",
            encoding="utf-8",
        )
        plans = {}
        for plan, settings in PLANS.items():
            planning = plan_design(load(folder / "design.yaml", settings=settings))
            plans[plan] = planning.plan
            files: dict[str, str | bytes] = {**output_files(planning)}
            write_folder(folder / plan, files)
        outs = [folder / plan for plan in PLANS]
        return [
            Row(
                case=case.name,
                place=place,
                measured=_timed(outs, values),
                cells={plan: cells_at(made, values) for plan, made in plans.items()},
                shapes={plan: shapes_of(made) for plan, made in plans.items()},
            )
            for place, values in zip(("in cache", "memory"), case.sizes, strict=True)
        ]


def _timed(outs: Sequence[Path], values: Mapping[str, int]) -> Measured:
    once = measure(outs, values, starts=1, rounds=1)
    rounds = ROUNDS if once.original < SLOW_SECONDS else SLOW_ROUNDS
    return measure(outs, values, starts=STARTS, rounds=rounds)


def cells_at(plan: Plan, values: Mapping[str, int]) -> int:
    """The cells of C at these parameters."""
    hosts = (one.host for one in plan.arrays.values() if one.host is not None)
    return sum(piece.cells().evaluate(values) for one in hosts for piece in one.mapping.pieces)


def shapes_of(plan: Plan) -> str:
    """What loops do with the arrays that have more than one cell."""
    hosts = (one.host for one in plan.arrays.values() if one.host is not None)
    return ", ".join(dict.fromkeys(one.shape for one in hosts if one.mapping.cells > 1))


def page(rows: Sequence[Row]) -> str:
    """The report."""
    columns = [
        Column("kernel"),
        Column("size"),
        Column("source", right=True),
        *(Column(f"{plan}", right=True) for plan in PLANS),
        *(Column(f"cells, {plan}", right=True) for plan in PLANS),
        Column("loops (plan; speed)"),
    ]
    lines = [
        [
            row.case,
            f"{', '.join(f'{k}={v}' for k, v in row.measured.params.items())}, {row.place}",
            f"{1e3 * row.measured.original:.3f} ms",
            *(row.cell(plan) for plan in PLANS),
            *(str(row.cells[plan]) for plan in PLANS),
            f"{row.shapes['plan']}; {row.shapes['speed']}",
        ]
        for row in rows
    ]
    first = rows[0].measured
    of_order = {case.name for case in CASES if case.is_of_order}
    large = [row for row in rows if row.place == "memory" and row.case not in of_order]
    means = ", ".join(
        f"{plan} {_mean([1 / row.ratio(plan) for row in large]):.2f}" for plan in PLANS
    )
    against = _mean([row.ratio("successive") / row.ratio("speed") for row in large])
    return f"""# Host C: times beside the source

`make bench-host` rebuilds this page. {first.compiler}, `-ffp-contract=off`; {first.machine}.

The sources stand in `benchmarks/host`: parameters are arrays of constant extents, results are \
equal bit for bit and finite. A number is processor time over the source's: the median over \
{first.starts} fresh starts [least, greatest], each the median of its rounds; below 1 is faster. \
All programs of a row take turns on one processor. Other load on the machine shows in the spread.

{table(columns, lines)}

Speed-ups at memory size, geometric mean: {means}. Cells chosen for speed against successive \
modulo, memory size, geometric mean: {against:.2f}.

`plan`: the plan's cells, renumbered (`host.objective: plan`). `given`: cells by the score, in the \
source's order (`host.order: given`). `uncut`: the same in C's own order, whose loops are neither \
jammed nor tiled (`host.tile: none`, `host.jam: none`). `speed`: the default, with both. \
`successive`: `plan.method: successive`, whose remainders stand in front of the inner loop.

What `uncut` gains over `given` is order, not storage: fir in strips, statements of a loop apart, \
loops inside of others (interchange). What `speed` gains over `uncut` is jamming and tiling. \
{", ".join(sorted(of_order))} are here for these alone; means leave them \
out. The source of matmul and correlation is as a compiler meets it with arguments of constant \
extents.

Not rebuilt: tables III to VI of the paper (counters of the processor, swapping), and its tiled \
kernels, for which there is no C of a tile yet.
"""


def _mean(values: Sequence[float]) -> float:
    return prod(values) ** (1 / len(values))


def main(names: Sequence[str]) -> None:
    chosen = [case for case in CASES if case.name in names or not names]
    rows = []
    for case in chosen:
        rows += rows_of(case)
        print(f"{case.name} is measured", file=sys.stderr)
    text = page(rows)
    print(text)
    if not names:
        REPORT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
