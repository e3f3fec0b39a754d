"""The report of `make bench-host`, from the rows that were measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from benchmarks.host.kernels import ASKED, CASES, FOUND
from benchmarks.host.rows import REMAINDERS, PrintedRow, Row
from hlsmem.emit.markdown_table import Column, table

_WAYS = ("plan", REMAINDERS, "given", "uncut", "speed", "successive")
_ALIKE = 1.1
"""A choice that is so near the best of its candidates is as good."""
# By how much a row may be slower than asked on another machine than the figure's.
_SPREAD = {"memory": 0.1, "in cache": 0.15}


def page(rows: Sequence[Row], printed: Sequence[PrintedRow], seconds: float) -> str:
    """The report."""
    measured = [row.measured for row in rows] + [one.row.measured for one in printed]
    first = measured[0]
    of_order = sorted({case.name for case in CASES if case.is_of_order})
    parts = [
        f"""# Host C: times beside the source

`make bench-host` rebuilds this page, here in {seconds / 60:.0f} minutes. {first.compiler}; \
{first.machine}.

The sources stand in `benchmarks/host`: parameters are arrays of constant extents, results are \
equal bit for bit and finite. A number is processor time over the source's: the median over \
{first.starts} fresh starts [least, greatest], each of the fastest round of either; below 1 is \
faster. All programs of a row take turns on one processor. Other load on the machine shows in the \
spread. What is asked was measured on another machine: {_SPREAD["memory"]:.0%} more is allowed at \
memory size, {_SPREAD["in cache"]:.0%} in cache."""
    ]
    if rows:
        parts += [_times(rows), _meaning(of_order), _means(rows), _choices(rows)]
    if printed:
        parts.append(_printed(printed))
    parts.append(_by_hand(rows, printed))
    return "\n\n".join(part for part in parts if part) + "\n"


def _times(rows: Sequence[Row]) -> str:
    columns = [
        Column("kernel"),
        Column("size"),
        Column("source", right=True),
        *(Column(way, right=True) for way in _WAYS),
        Column("asked", right=True),
        Column("cells: plan; successive; C", right=True),
        Column("loops: plan; C"),
    ]
    return table(
        columns,
        [
            [
                row.case,
                _size(row),
                f"{1e3 * row.measured.original:.3f} ms",
                *(row.text(way) for way in _WAYS),
                _asked_of(row, ASKED.get((row.case, row.place))),
                "; ".join(str(row.cells.get(w, "-")) for w in ("plan", "successive", "speed")),
                "; ".join(row.shapes.get(w, "-") for w in ("plan", "speed")),
            ]
            for row in rows
        ],
    )


def _asked_of(row: Row, most: float | None) -> str:
    """What is asked of the time of `speed` over the source's, and whether that is met."""
    if most is None:
        return ""
    ratio = row.ratio("speed")
    if ratio <= most:
        return f"<= {most:g}"
    near = ratio <= most * (1 + _SPREAD[row.place])
    return f"<= {most:g}, within {_SPREAD[row.place]:.0%}" if near else f"<= {most:g}, missed"


def _by_hand(rows: Sequence[Row], printed: Sequence[PrintedRow]) -> str:
    """What was found by hand about these kernels."""
    names = [one.case for one in rows] + [one.printed.row for one in printed]
    lines = [f"- {name}: {FOUND[name]}" for name in dict.fromkeys(names) if name in FOUND]
    if not lines:
        return ""
    text = """C by hand, over the source's time, where more was asked than is reached or more is \
known (fastest of nine rounds in turns). If not said otherwise it ran on another machine, of half \
the sources' times, where C as generated took 0.94 for blur at N=4096, 0.88 and 0.33 for durbin:"""
    return "\n".join([text, "", *lines])


def _size(row: Row) -> str:
    values = ", ".join(f"{key}={value}" for key, value in row.measured.params.items())
    return f"{values}, {row.place}"


def _meaning(of_order: Sequence[str]) -> str:
    return f"""`plan`: the plan's cells, renumbered (`host.objective: plan`). `{REMAINDERS}`: the \
same, but every access computes its cell with a remainder. heat2d's plan holds at N=128 alone: at \
other sizes both run the source's loops, and it has no part in that mean. `given`: cells by the \
score, in the source's order (`host.order: given`). `uncut`: cells by the score, in C's own order, \
whose loops are neither jammed nor tiled (`host.tile: none`, `host.jam: none`). `speed`: the \
default, with both, of which something is `asked`. `successive`: `plan.method: successive`, whose \
remainders stand in front of the inner loop.

What `speed` gains over `given` is order, not storage: fir in strips, statements of a loop apart, \
loops inside of others (interchange). What it gains over `uncut` is jamming and tiling. \
{", ".join(of_order)} are here for these alone; means leave them out. The source of matmul and \
correlation is as a compiler meets it with arguments of constant extents."""


def _means(rows: Sequence[Row]) -> str:
    """What is asked of all rows at memory size, and which miss it."""
    large = [row for row in rows if row.place == "memory" and "successive" in row.names]
    if not large:
        return ""
    lines = []
    for what, figure, mean, floor in (
        ("speed-up of `given`", lambda row: 1 / row.ratio("given"), None, None),
        ("speed-up of `speed`", lambda row: 1 / row.ratio("speed"), 1.6, 1.0),
        (
            "`given` against `successive`",
            lambda row: row.ratio("successive") / row.ratio("given"),
            1.1,
            0.95,
        ),
        (
            "`plan` against the same mapping with remainders, where loops change one",
            lambda row: row.ratio(REMAINDERS) / row.ratio("plan"),
            None,
            1.8,
        ),
    ):
        own = [row for row in large if floor != 1.8 or _changes_remainders(row)]
        lines.append([what, *_judged(own, figure, mean, floor)])
    columns = [
        Column("memory size"),
        Column("geometric mean", right=True),
        Column("asked", right=True),
        Column("least", right=True),
        Column("asked", right=True),
        Column("below"),
    ]
    return table(columns, lines)


def _changes_remainders(row: Row) -> bool:
    """Whether the plan's C has loops without a remainder that its mapping has, at a size where it
    is not the source's loops that run."""
    return row.shapes["plan"] == "segments" and row.is_folded("plan")


def _judged(
    rows: Sequence[Row], figure: Callable[[Row], float], mean: float | None, floor: float | None
) -> list[str]:
    found = {row.case: figure(row) for row in rows}
    if not found:
        return ["-"] * 5
    below = [f"{case} {value:.2f}" for case, value in found.items() if floor and value < floor]
    return [
        f"{prod(found.values()) ** (1 / len(found)):.2f}",
        "" if mean is None else f"{mean:g}",
        f"{min(found.values()):.2f}",
        "" if floor is None else f"{floor:g}",
        ", ".join(below) or "none",
    ]


def _choices(rows: Sequence[Row]) -> str:
    """How far the score's choice is from the best of the candidates that it had."""
    fitted = {case.name for case in CASES if case.is_fitted}
    lines, apart = [], []
    for row in rows:
        found = row.distance()
        if found is None:
            continue
        far, best = found
        is_fitted = row.case in fitted
        if not is_fitted:
            apart.append(far)
        lines.append(
            [
                row.case,
                _size(row),
                "yes" if is_fitted else "no",
                row.text("given"),
                ", ".join(f"{way} {row.ratio(way):.2f}" for way in row.front),
                f"{far:.2f}",
                best if far > 1 else "the choice",
            ]
        )
    if not lines:
        return ""
    columns = [
        Column("kernel"),
        Column("size"),
        Column("fitted on"),
        Column("choice", right=True),
        Column("candidates of the front"),
        Column("choice / best", right=True),
        Column("best"),
    ]
    near = sum(far <= _ALIKE for far in apart)
    return f"""The score's choice of cells and the other candidates that no mapping beats in cells \
and score, all in the source's order. Constants of the score were taken from the \
kernels so marked; of the {len(apart)} other rows the choice is within 10 % of the best in {near}, \
at most {max(apart, default=1.0):.2f} of it.

{table(columns, lines)}"""


def _reduced(before: int | None, cells: int | None) -> tuple[str, str]:
    """Cells, and how many times as many there were before."""
    return str(cells or "-"), f"{before / cells:.4g}" if before and cells else "-"


def _printed(rows: Sequence[PrintedRow]) -> str:
    columns = [
        Column("table II"),
        Column("at"),
        Column("cells, successive", right=True),
        Column("the paper's", right=True),
        Column("reduction", right=True),
        Column("fewest", right=True),
        Column("reduction", right=True),
        Column("timed at"),
        Column("source", right=True),
        Column("successive", right=True),
        Column("the paper's with `%`", right=True),
        Column("C", right=True),
        Column("asked", right=True),
        Column("its loops"),
    ]
    lines = [
        [
            one.printed.row,
            ", ".join(f"{key}={value}" for key, value in one.printed.at.items()),
            str(one.successive or "-"),
            *_reduced(one.successive, one.paper),
            *_reduced(one.successive, one.best),
            ", ".join(f"{key}={value}" for key, value in one.row.measured.params.items()),
            f"{1e3 * one.row.measured.original:.1f} ms",
            *(one.row.text(way) for way in ("successive", REMAINDERS, "speed")),
            _asked_of(one.row, one.printed.asked),
            one.row.shapes["speed"],
        ]
        for one in rows
    ]
    first = rows[0].row.measured
    return f"""Table II of the paper, from sources of our own: an array has every element of every \
tile or time step. Cells are those of its largest array, the paper's by method hyperplane, the \
fewest by any method. Lattice Boltzmann is that of diffusion at relaxation time one, whose \
populations follow from the density. Times: {first.starts} starts of \
{first.rounds} rounds, median [least, greatest].

{table(columns, lines)}"""
