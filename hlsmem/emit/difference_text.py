"""The difference of two plans as text, as a Markdown table, for GitHub, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from hlsmem.emit.mapping_text import mapping_lines
from hlsmem.emit.markdown_table import Column, table
from hlsmem.plan import Plan
from hlsmem.plan.plan_difference import Cause, Change, Difference, Rule, broken_rules, difference


def compared(old: Plan, new: Plan, rules: Sequence[Rule] = ()) -> Difference:
    """The figures of two plans that differ, and the rules that the new one breaks; no causes.

    Raises InputError where they share no array, and for rules on figures that one lacks.
    """
    shared = [name for name in old.arrays if name in new.arrays]
    texts = {name: (_mapping(old, name), _mapping(new, name)) for name in shared}
    broken = broken_rules(rules, old, new)
    return replace(difference(old, new, texts), broken=broken)


def _mapping(plan: Plan, name: str) -> str:
    one = plan.arrays[name]
    parts = one.hardware.parts
    lines = [
        mapping_lines(name, one.index, part.mapping)
        if part.mapping is not None
        else (plan.memories[part.memory].kind,)
        for part in parts
    ]
    return "; ".join(line for own in lines for line in own)


def difference_document(found: Difference) -> dict[str, Any]:
    """The content of hlsmem-diff/1."""
    return {
        "format": "hlsmem-diff/1",
        "old": found.old,
        "new": found.new,
        "changes": [asdict(one) for one in found.changes],
        "came": list(found.came),
        "went": list(found.went),
        "keys": [{"key": key, "old": old, "new": new} for key, old, new in found.keys],
        "causes": None if found.causes is None else [asdict(one) for one in found.causes],
        "broken": [asdict(one) for one in found.broken],
    }


def difference_text(found: Difference, form: str = "text") -> str:
    """The difference as "text", "markdown" or "github"; empty where nothing differs."""
    if found.is_empty:
        return ""
    title = f"{found.old} to {found.new}" if found.old != found.new else found.new
    lines = [f"{title}:" if form == "text" else f"### {title}", ""]
    rows = [[_subject(one), one.metric, _value(one.old), _value(one.new), _by(one)]
            for one in found.changes]  # fmt: skip
    if rows:
        columns = [Column("of"), Column("figure"), Column("old"), Column("new"), Column("by")]
        lines += [table(columns, rows), ""]
    lines += [f"- array {name} came" for name in found.came]
    lines += [f"- array {name} went" for name in found.went]
    lines += [f"- {key}: {old} to {new}" for key, old, new in found.keys]
    if found.causes is None:
        lines.append("- a plan.json alone does not hold the program: causes are not looked for")
    else:
        lines += [f"- {_cause(one)}" for one in found.causes]
    if form == "github":
        lines += ["", *(f"::error title=hlsmem {one.rule}::{one.what}" for one in found.broken)]
    elif found.broken:
        lines += ["", *(f"broken: {one.rule}: {one.what}" for one in found.broken)]
    return "\n".join(lines).rstrip("\n")


def _subject(change: Change) -> str:
    return change.array or "all"


def _value(value: int | str | None) -> str:
    return "-" if value is None else str(value)


def _by(change: Change) -> str:
    if isinstance(change.old, int) and isinstance(change.new, int):
        return f"{change.new - change.old:+d}"
    return ""


def _cause(cause: Cause) -> str:
    text = f"{cause.place} {cause.what}".strip()
    if cause.costs is None:
        return text
    return f"{text}: costs {cause.costs} of {cause.cells} cells"
