"""docs/plan.md: the objects of plan.json as tables."""

from __future__ import annotations

from typing import Any

import hlsmem_verify


def plan_page() -> str:
    """docs/plan.md: the objects of plan.json, from the outermost, with what each key says."""
    parts = [_PAGE]
    for name, shape in reversed(hlsmem_verify.OBJECTS.items()):
        rows = [
            f"| `{key}`{' (may be missing)' if key in shape.maybe else ''} |"
            f" {_shown(inner)} | {shape.each[key]} |"
            for key, inner in shape.keys.items()
        ]
        head = [f"## {name}", "", shape.says, "", "| key | value | what it says |", "|---|---|---|"]
        parts.append("\n".join([*head, *rows]) + "\n")
    return "\n".join(parts)


_PAGE = """# plan.json, key by key

Every value is of one of four classes: hypothesis (the program, which the check `source` holds
against the design), proved ([how](lemmas.md)), measured (it takes a run or a tool) or informative.
`hlsmem schema plan` prints the same as JSON Schema.
"""


def _shown(shape: Any) -> str:
    """A shape in words, with the class of its leaves."""
    match shape:
        case hlsmem_verify.Keys():
            name = next(k for k, v in hlsmem_verify.OBJECTS.items() if v.keys is shape.keys)
            found = f"[{name}](#{name})"
        case hlsmem_verify.Named():
            found = f"by {shape.kind}: {_shown(shape.values)}"
        case hlsmem_verify.Many():
            found = f"list of {_shown(shape.items)}"
        case hlsmem_verify.Row():
            found = f"({', '.join(map(_shown, shape.entries))})"
        case hlsmem_verify.Either():
            return " or ".join(dict.fromkeys(map(_shown, shape.choices)))
        case _:
            found = f"{', '.join(f'`{one}`' for one in shape.words) or shape.kind}, {shape.claim}"
    return f"{found}, or null" if getattr(shape, "none", False) else found
