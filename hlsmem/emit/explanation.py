"""Why an array is not smaller, in the user's words: places, iterations, the pair that conflicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hlsmem.emit.report import standing
from hlsmem.lifetime import Explanation
from hlsmem.lifetime.explain import Moment, Witness
from hlsmem.order.witness import element_text
from hlsmem.orders.changes import Priced
from hlsmem.planfile import ArrayPlan
from hlsmem.polyhedra.lattices import Vector
from hlsmem.wording import counted

# Lines of a clique that are shown.
_MOST_RUNS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """The plan of an array with the explanation of its size.

    `explanation` is None for a bare conflict set, which has no times. `clique` are points
    of which any two are as far apart as two conflicting elements, where they say more than
    the times; "clique" among the bounds where they are elements that conflict themselves.
    `change` is one of the design, proved legal, with which the array takes fewer cells.
    """

    plan: ArrayPlan
    explanation: Explanation | None
    clique: tuple[Vector, ...] = ()
    change: Priced | None = None


def unfolded_remark(explanation: Explanation, declared_cells: int) -> str:
    """One line for an array that does not fold at all."""
    peak = explanation.peak
    when = f", {'after ' if peak.statement else ''}{peak.text}" if peak else ""
    alive = explanation.max_live
    share = f"all {alive}" if alive == declared_cells else f"{alive} of {declared_cells}"
    return f"1.00x: {share} elements are alive at once{when}"


def explanation_text(explained: Explained) -> str:
    """Some lines for one array: its size beside the bound, the peak, the farthest conflict.

    For a bare conflict set the elements of which any two conflict, or what is known of them.
    """
    plan, why = explained.plan, explained.explanation
    lines = [f"{plan.name}: {_cells(plan.mapping.cells)}, {standing(plan)}"]
    if why is not None:
        lines += _times(why)
    elif plan.mapping.cells == 1:
        lines.append("  no two elements conflict: one cell serves all")
    elif not explained.clique:
        lines.append("  there are too many differences to look for elements that all conflict")
    lines += [f"  {line}" for line in _clique(explained)]
    if explained.change is not None:
        change, figures = explained.change.change, explained.change.figures
        cells = _cells(figures.arrays[plan.name].cells)
        lines.append(f"  cheapest change, proved legal: {change.what}: {cells}")
        lines += [f"    --set '{setting}'" for setting in change.settings]
    return "\n".join(lines)


def _times(why: Explanation) -> list[str]:
    lines = [
        f"  {_elements(why.elements)} a value, at most {why.max_live} at once"
        + (
            f", first {'after ' if why.peak.statement else ''}{_moment(why.peak)}"
            if why.peak
            else ""
        ),
    ]
    if why.farthest is None:
        return [*lines, "  no two elements conflict: one cell serves all"]
    return [*lines, *(f"  {line}" for line in _witness(why.farthest))]


def _clique(explained: Explained) -> list[str]:
    """The clique, and what it says of the size."""
    if not explained.clique:
        return []
    plan, count = explained.plan, len(explained.clique)
    if any(bound.kind == "clique" for bound in plan.bounds):
        lines = [f"any two of {counted(count, 'element')} conflict, so each has its own cell:"]
    else:
        lines = [
            f"any two of {counted(count, 'point')} are as far apart as two elements that conflict,",
            "so that no modular mapping gives two of them one cell:",
        ]
    runs = [f"  {run}" for run in _runs(plan.name, explained.clique)]
    lines += runs[:_MOST_RUNS]
    if len(runs) > _MOST_RUNS:
        lines.append(f"  and {counted(len(runs) - _MOST_RUNS, 'line')} more")
    if count < plan.mapping.cells and any(b.cells == plan.mapping.cells for b in plan.bounds):
        lines.append(f"the search excludes every lattice of fewer than {plan.mapping.cells} cells")
    return lines


def _runs(array: str, points: Sequence[Vector]) -> list[str]:
    """Points as runs of the last index, e.g. A[0][3..9]."""
    runs: list[tuple[Vector, int, int]] = []
    for *prefix, last in sorted(points):
        if runs and runs[-1][0] == tuple(prefix) and runs[-1][2] == last - 1:
            runs[-1] = (runs[-1][0], runs[-1][1], last)
        else:
            runs.append((tuple(prefix), last, last))
    return [
        element_text(array, prefix) + (f"[{low}..{high}]" if high > low else f"[{low}]")
        for prefix, low, high in runs
    ]


def _witness(witness: Witness) -> list[str]:
    last = witness.kept_last_read
    until = f"and last read {_by(last)}" if last else "and never read"
    lines = [
        f"farthest conflict: {witness.kept} and {witness.other} need two cells",
        f"  {witness.kept} is written {_by(witness.kept_written)}",
        *_source(witness.kept_written),
        f"  {until}",
        *(_source(last) if last else []),
        f"  {witness.other} is written in between, {_by(witness.other_written)}",
        *_source(witness.other_written),
    ]
    if last and last.statement is None:
        lines.append(f"{witness.kept} is live after the end: it cannot be given up earlier")
    return lines


def _cells(number: int) -> str:
    return "1 cell" if number == 1 else f"{number} cells"


def _elements(number: int) -> str:
    return "1 element ever holds" if number == 1 else f"{number} elements ever hold"


def _by(moment: Moment) -> str:
    return _moment(moment) if moment.statement is None else f"by {_moment(moment)}"


def _moment(moment: Moment) -> str:
    return f"{moment.text} ({moment.place})" if moment.place else moment.text


def _source(moment: Moment) -> list[str]:
    if moment.place is None or not moment.place.carets():
        return []
    return [f"  {line}" for line in moment.place.carets().splitlines()]
