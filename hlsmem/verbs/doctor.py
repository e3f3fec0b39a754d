"""`hlsmem doctor`: the tools hlsmem finds, with versions and minima."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from hlsmem.verb import VERBS, Verb

if TYPE_CHECKING:
    from hlsmem.tools.survey import ToolState


def doctor() -> tuple[ToolState, ...]:
    """The tools that hlsmem and its checks can use, found or not.

    >>> from hlsmem import doctor
    >>> doctor()[0].name
    'C compiler'
    """
    from hlsmem.core.verdict import CHECKS
    from hlsmem.tools.survey import survey

    return survey(checks=CHECKS.found().items.values())


def _print(tools: tuple[ToolState, ...]) -> int:
    """Print the tools; exit 3 where one that every check needs is missing."""
    from hlsmem.core.verdict import CHECKS
    from hlsmem.emit.markdown_table import Column, table

    rows = [
        [
            tool.name,
            tool.version or "not found",
            tool.minimum or "any",
            "ok" if tool.usable else tool.remedy,
            tool.purpose,
        ]
        for tool in tools
    ]
    columns = [Column(name) for name in ("tool", "found", "at least", "state", "used for")]
    print(table(columns, rows))
    for warning in (*CHECKS.found().warnings, *VERBS.found().warnings):
        print(f"warning: {warning}", file=sys.stderr)
    return 0 if all(tool.usable for tool in tools if tool.required) else 3


VERB = Verb(
    name="doctor",
    summary="the tools hlsmem finds, with versions and minima",
    order=150,
    options=(),
    run=doctor,
    print=_print,
    is_limited=False,
)
