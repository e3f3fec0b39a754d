"""Why an array is not smaller, in the user's words: places, iterations, the pair that conflicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import counted
from hlsmem.emit.change_table import rows_document
from hlsmem.emit.holdings import bound_text
from hlsmem.lifetime.conflict_witness import Explanation, ProgramPoint, Witness
from hlsmem.lifetime.read_prices import Prices, ReadPrice
from hlsmem.lifetime.storage_problem import Bound
from hlsmem.plan import ArrayPlan
from hlsmem.polyhedra.lattices import Vector
from hlsmem.schedule_search.design_changes import Changes, Exceeded
from hlsmem.timing.instance_text import element_text

# Lines of a clique that are shown.
_MOST_RUNS = 8
_UNPRICED = Prices()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Explained:
    """The plan of an array with the explanation of its size.

    `explanation` is None for a bare conflict set, which has no times. `clique` are points
    of which any two are as far apart as two conflicting elements, where they say more than
    the times; "clique" among the bounds where they are elements that conflict themselves.
    `cells` are those of the best modular mapping, `bounds` what none, or no such, can go below.
    `first_write` and `last_read` are functions
    of the element, a line each; `prices` are those of its reads.
    """

    plan: ArrayPlan
    explanation: Explanation | None
    cells: int
    bounds: tuple[Bound, ...]
    clique: tuple[Vector, ...] = ()
    first_write: tuple[str, ...] = ()
    last_read: tuple[str, ...] = ()
    prices: Prices = _UNPRICED

    def __repr__(self) -> str:
        return f"<Explained {self.plan.name}: {self.cells} cells>"

    def __str__(self) -> str:
        return explanation_text(self)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DesignExplained:
    """The arrays of a design, and the changes that save most; None for a conflict set.

    `exceeded` are the figures that are above what the design allows.
    """

    design: str
    params: Mapping[str, int]
    arrays: tuple[Explained, ...]
    changes: Changes | None = None
    exceeded: tuple[Exceeded, ...] = ()

    def __repr__(self) -> str:
        return f"<DesignExplained {self.design}: {len(self.arrays)} arrays>"

    def __str__(self) -> str:
        return design_text(self)


def unfolded_remark(alive: int, peak: ProgramPoint | None, declared_cells: int) -> str:
    """One line for an array that does not fold at all: so many elements live at its peak."""
    when = f", {'after ' if peak.statement else ''}{peak.text}" if peak else ""
    share = f"all {alive}" if alive == declared_cells else f"{alive} of {declared_cells}"
    return f"1.00x: {share} elements are alive at once{when}"


def explanation_text(explained: Explained) -> str:
    """Some lines for one array: its size beside the bound, the peak, the farthest conflict.

    For a bare conflict set the elements of which any two conflict, or what is known of them.
    """
    plan, why = explained.plan, explained.explanation
    held = plan.hardware
    lines = [f"{plan.name}: {counted(held.words, 'word')}, {held.standing}"]
    if explained.cells != held.words:
        lines[0] += f"; {_cells(explained.cells)} by the best modular mapping"
    if why is not None:
        lines += [f"  bound: {bound_text(bound)}" for bound in explained.bounds]
        lines += [f"  {line}" for line in (*explained.first_write, *explained.last_read)]
        lines += _times(why)
        lines += [f"  {line}" for line in _prices(explained)]
    elif explained.cells == 1:
        lines.append("  no two elements conflict: one cell serves all")
    elif not explained.clique:
        lines.append("  there are too many differences to look for elements that all conflict")
    lines += [f"  {line}" for line in _clique(explained)]
    return "\n".join(lines)


def _prices(explained: Explained) -> list[str]:
    """Price of each read, the dearest first; those that cost nothing in one line."""
    prices, cells = explained.prices, explained.cells
    if prices.none:
        return [f"no read has a price: {prices.none}"]
    if not prices.reads and not prices.unpriced:
        return []
    lines = ["what each read costs (a price: without the read it is another program):"]
    for one in prices.reads:
        if one.costs:
            lines.append(f"  {_read(one)} costs {one.costs} of {_cells(cells)}")
    free = [_read(one) for one in prices.reads if not one.costs]
    if free:
        lines.append(f"  nothing: {', '.join(free)}")
    if prices.unpriced:
        lines.append(f"  not priced, the work limit was hit: {', '.join(prices.unpriced)}")
    return lines


def _read(one: ReadPrice) -> str:
    return (
        f"{one.source_location.line}:{one.source_location.column} {one.text}"
        if one.source_location
        else one.text
    )


def design_text(found: DesignExplained) -> str:
    """All arrays, then what would save, and that against every figure that is too large."""
    parts = [explanation_text(one) for one in found.arrays]
    if found.changes is not None:
        parts.append("\n".join(_savings(found.changes)))
        parts += ["\n".join(_against(one, found.changes)) for one in found.exceeded]
    return "\n\n".join(parts)


def _savings(found: Changes) -> list[str]:
    tried = counted(found.tried, "change")
    lines = [f"what would save, of {tried} tried:"]
    if not found.changes:
        lines = [f"none of {tried} tried saves a bit"]
    for rank, one in enumerate(found.changes, 1):
        legal = f"legal if {one.change.needs}" if one.change.needs else "proved legal"
        words = ", ".join(
            f"{name} {found.now.arrays[name].words} to {array.words} words"
            for name, array in one.figures.arrays.items()
            if name in found.now.arrays and array.words != found.now.arrays[name].words
        )
        lines.append(f"  {rank}. {one.change.what}: {words or 'the same words'}")
        lines.append(f"     {legal}")
        lines += [f"     --set '{setting}'" for setting in one.change.settings]
    lines += [f"  not tried, the work limit was hit: {what}" for what in found.not_tried]
    return lines


def _against(one: Exceeded, found: Changes) -> list[str]:
    """The same changes against a figure that is above what the design allows."""
    subject = f"{one.array}'s {one.metric}" if one.array else one.metric
    taken = "not known" if one.taken is None else str(one.taken)
    lines = [f"{subject}: {taken}, {one.most} allowed"]
    rows = [(rank, one.after(row.figures)) for rank, row in enumerate(found.changes, 1)]
    for rank, after in rows:
        if after is not None and after <= one.most:
            lines.append(f"  change {rank} meets it: {after}")
        elif after is not None and one.taken is not None and after < one.taken:
            lines.append(f"  change {rank} comes to {after}: {after - one.most} too many")
    if len(lines) == 1:
        of_c = one.metric == "cells"  # changes are tried for the hardware
        why = (
            "changes are not tried for the C" if of_c else "no change that was tried makes it less"
        )
        lines.append(f"  {why}")
    return lines


def design_document(found: DesignExplained) -> dict[str, Any]:
    """The content of hlsmem-explain/1: an object for each array."""
    return {
        "format": "hlsmem-explain/1",
        "design": found.design,
        "params": dict(found.params),
        "arrays": {one.plan.name: _document(one, found.changes) for one in found.arrays},
        "exceeded": [asdict(one) for one in found.exceeded],
    }


def _document(one: Explained, changes: Changes | None) -> dict[str, Any]:
    plan, why = one.plan, one.explanation
    best = plan.hardware.bound
    return {
        "array": plan.name,
        "cells": one.cells,
        "words": plan.hardware.words,
        "bound": None
        if best is None
        else {"kind": best.kind, "cells": best.cells, "expr": best.expr, "status": best.status},
        "standing": plan.hardware.standing,
        "first_write": list(one.first_write),
        "last_read": list(one.last_read),
        "peak": None
        if why is None
        else {"alive": why.max_live, "elements": why.elements, "after": _instant(why.peak)},
        "farthest": None if why is None or why.farthest is None else _pair(why.farthest),
        "reads": [
            {
                "statement": read.statement,
                "file": read.source_location.file if read.source_location else None,
                "line": read.source_location.line if read.source_location else None,
                "column": read.source_location.column if read.source_location else None,
                "text": read.text,
                "cells": read.cells,
                "max_live": read.max_live,
                "costs": read.costs,
            }
            for read in one.prices.reads
        ],
        "unpriced": list(one.prices.unpriced),
        "changes": [] if changes is None else rows_document(changes),
        "tried": 0 if changes is None else changes.tried,
        "not_tried": [] if changes is None else list(changes.not_tried),
    }


def _instant(program_point: ProgramPoint | None) -> dict[str, Any] | None:
    if program_point is None:
        return None
    return {
        "statement": program_point.statement,
        "at": list(program_point.coordinates),
        "text": program_point.text,
        "place": None
        if program_point.source_location is None
        else str(program_point.source_location),
    }


def _pair(witness: Witness) -> dict[str, Any]:
    return {
        "kept": witness.kept,
        "other": witness.other,
        "difference": list(witness.difference),
        "kept_written": _instant(witness.kept_written),
        "kept_last_read": _instant(witness.kept_last_read),
        "other_written": _instant(witness.other_written),
    }


def _times(why: Explanation) -> list[str]:
    lines = [
        f"  {_elements(why.elements)} a value, at most {why.max_live} at once"
        + (
            f", first {'after ' if why.peak.statement else ''}{_program_point(why.peak)}"
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
    if any(bound.kind == "clique" for bound in explained.bounds):
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
    cells = explained.cells
    if count < cells and any(one.cells == cells for one in explained.bounds):
        lines.append(f"the search excludes every lattice of fewer than {cells} cells")
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


def _by(program_point: ProgramPoint) -> str:
    return (
        _program_point(program_point)
        if program_point.statement is None
        else f"by {_program_point(program_point)}"
    )


def _program_point(program_point: ProgramPoint) -> str:
    return (
        f"{program_point.text} ({program_point.source_location})"
        if program_point.source_location
        else program_point.text
    )


def _source(program_point: ProgramPoint) -> list[str]:
    if program_point.source_location is None or not program_point.source_location.carets():
        return []
    return [f"  {line}" for line in program_point.source_location.carets().splitlines()]
