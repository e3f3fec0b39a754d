"""Changes of a design as a table with their settings, and as JSON."""

from __future__ import annotations

from typing import Any

from hlsmem.emit.markdown_table import Column, table
from hlsmem.schedule_search.design_changes import Change, Changes, Figures, Illegal, Priced

_FORMAT = "hlsmem-what-if/2"


def changes_document(found: Changes) -> dict[str, Any]:
    """The content of hlsmem-what-if/2."""
    return {
        "format": _FORMAT,
        "design": found.design,
        "params": dict(found.params),
        "complete": found.complete,
        "work": found.work,
        "now": _figures_document(found.now),
        "changes": rows_document(found),
        "illegal": [
            {
                "kind": one.change.kind,
                "what": one.change.what,
                "bits": one.bits,
                "because": one.because,
                "settings": list(one.change.settings),
            }
            for one in found.illegal
        ],
    }


def rows_document(found: Changes) -> list[dict[str, Any]]:
    """The changes as hlsmem-what-if/2 has them."""
    return [
        {
            "rank": rank,
            "kind": one.change.kind,
            "what": one.change.what,
            **_order_document(one.change),
            "legal": _legal_document(one.change),
            "settings": list(one.change.settings),
            "saving": round(found.saving(one.figures), 1),
            **_figures_document(one.figures),
        }
        for rank, one in enumerate(found.changes, 1)
    ]


def _legal_document(change: Change) -> dict[str, Any]:
    if change.needs:
        return {"status": "if", "needs": change.needs}
    return {"status": "proved", "scope": "all-parameters"}


def _order_document(change: Change) -> dict[str, Any]:
    if not change.by_columns:
        return {"order": "kept"}
    return {"order": "any", "by_columns": list(change.by_columns)}


def _figures_document(figures: Figures) -> dict[str, Any]:
    return {
        "bits": figures.bits,
        "words": figures.words,
        "blocks": figures.blocks,
        "cycles": figures.cycles,
        "arrays": {
            name: {"words": array.words, "bits": array.bits}
            for name, array in figures.arrays.items()
        },
    }


def changes_text(found: Changes) -> str:
    """A table with a row for each change, the settings of each, and what is illegal and why."""
    values = ", ".join(f"{name} = {value}" for name, value in found.params.items())
    lines = [f"# What if: {found.design}{f' at {values}' if values else ''}", ""]
    with_blocks = found.now.blocks is not None
    columns = [
        Column("rank", right=True),
        Column("kind"),
        Column("saving", right=True),
        Column("bits", right=True),
        Column("words", right=True),
        *([Column("blocks", right=True)] if with_blocks else []),
        Column("cycles", right=True),
        Column("order"),
    ]
    rows = [_row(found, "", "as it is", "", found.now, "")]
    for rank, one in enumerate(found.changes, 1):
        saving = f"{found.saving(one.figures):.1f}x"
        rows.append(
            _row(found, str(rank), one.change.kind, saving, one.figures, _order(one.change))
        )
    lines += [table(columns, rows), ""]
    scope = "legal for all parameters, proved" if found.params else "legal, proved"
    for rank, one in enumerate(found.changes, 1):
        lines += _change_lines(rank, one, scope)
    if not found.changes:
        lines += ["No change was found that saves anything.", ""]
    if found.illegal:
        lines += ["Illegal, whatever they would save:", ""]
        for broken in found.illegal:
            lines += _illegal_lines(broken)
    if found.order == "kept":
        lines += ["With --order any also orders by columns, and strips, are looked for.", ""]
    if not found.complete:
        lines += ["The search was cut; plan.budget makes it longer.", ""]
    return "\n".join(lines)


def _row(
    found: Changes, rank: str, kind: str, saving: str, figures: Figures, order: str
) -> list[str]:
    blocks = [str(figures.blocks)] if found.now.blocks is not None else []
    cycles = "unknown" if figures.cycles is None else str(figures.cycles)
    numbers = [str(figures.bits), str(figures.words), *blocks, cycles]
    return [rank, kind, saving, *numbers, order]


def _order(change: Change) -> str:
    return f"by columns: {', '.join(change.by_columns)}" if change.by_columns else "kept"


def _change_lines(rank: int, one: Priced, scope: str) -> list[str]:
    words = ", ".join(f"{name} {array.words}" for name, array in one.figures.arrays.items())
    lines = [f"{rank}. {one.change.what}", f"   words: {words}"]
    lines.append(f"   legal if {one.change.needs}" if one.change.needs else f"   {scope}")
    return [*lines, *(f"   --set '{setting}'" for setting in one.change.settings), ""]


def _illegal_lines(one: Illegal) -> list[str]:
    return [f"- {one.change.what}: about {one.bits} bits", f"  {one.because}", ""]
