"""Why an array is not smaller, in the user's words: places, iterations, the pair that conflicts."""

from __future__ import annotations

from dataclasses import dataclass

from hlsmem.emit.report import standing
from hlsmem.lifetime import Explanation
from hlsmem.lifetime.explain import Moment, Witness
from hlsmem.plan import ArrayPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """The plan of an array with the explanation of its size."""

    plan: ArrayPlan
    explanation: Explanation


def unfolded_remark(explanation: Explanation, declared_cells: int) -> str:
    """One line for an array that does not fold at all."""
    peak = explanation.peak
    when = f", {'after ' if peak.statement else ''}{peak.text}" if peak else ""
    alive = explanation.max_live
    share = f"all {alive}" if alive == declared_cells else f"{alive} of {declared_cells}"
    return f"1.00x: {share} elements are alive at once{when}"


def explanation_text(explained: Explained) -> str:
    """Some lines for one array: its size beside the bound, the peak, the farthest conflict."""
    plan, why = explained.plan, explained.explanation
    lines = [
        f"{plan.name}: {_cells(plan.mapping.cells)}, {standing(plan)}",
        f"  {_elements(why.elements)} a value, at most {why.max_live} at once"
        + (
            f", first {'after ' if why.peak.statement else ''}{_moment(why.peak)}"
            if why.peak
            else ""
        ),
    ]
    if why.farthest is None:
        lines.append("  no two elements conflict: one cell serves all")
    else:
        lines += [f"  {line}" for line in _witness(why.farthest)]
    return "\n".join(lines)


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
    if last and last.statement is not None:
        lines.append(
            f"cheapest change: let {last.statement} read {witness.kept} before"
            f" {witness.other_written.text}"
        )
    elif last:
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
