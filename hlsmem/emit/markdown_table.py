"""Tables in Markdown, padded so that they line up on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from hlsmem.core.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Column:
    """A heading; `right` aligns numbers."""

    heading: str
    right: bool = False


def table(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; a vertical bar inside a cell is escaped.

    >>> print(table([Column("array"), Column("cells", right=True)], [["a", "129"]]))
    | array | cells |
    |-------|------:|
    | a     |   129 |
    """
    cells = [[text.replace("|", "\\|") for text in row] for row in rows]
    widths = [
        max([3, len(column.heading), *(len(row[i]) for row in cells)])
        for i, column in enumerate(columns)
    ]
    lines = [
        _row([column.heading for column in columns], columns, widths),
        "|" + "|".join(_rule(c, w) for c, w in zip(columns, widths, strict=True)) + "|",
    ]
    lines += [_row(row, columns, widths) for row in cells]
    return "\n".join(lines)


def _row(texts: Sequence[str], columns: Sequence[Column], widths: Sequence[int]) -> str:
    padded = [
        text.rjust(width) if column.right else text.ljust(width)
        for text, column, width in zip(texts, columns, widths, strict=True)
    ]
    return "| " + " | ".join(padded) + " |"


def _rule(column: Column, width: int) -> str:
    return "-" * (width + 1) + ":" if column.right else "-" * (width + 2)
