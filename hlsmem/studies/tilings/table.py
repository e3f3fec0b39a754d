"""Tilings as text, as JSON (hlsmem-tiles/1) and as a picture: the tiles of every wave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import counted, listed
from hlsmem.emit.markdown_table import Column, table
from hlsmem.emit.picture import svg
from hlsmem.studies.tilings.tiling import Tiling

FORMAT = "hlsmem-tiles/1"
_MOST_WAVES = 10_000
_COLUMNS = [
    Column("tiling"),
    Column("rows"),
    Column("tile"),
    *(Column(name, right=True) for name in ("tiles", "waves", "first", "widest")),
    Column("start-up, drain", right=True),
    Column("extra points", right=True),
    Column("points of one", right=True),
    Column("cells of one: any, tiled", right=True),
    Column("waves grow with"),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class TilesRow:
    """A tiling with the cells of one tile and what its waves grow with; None where not known."""

    tiling: Tiling
    cells_any: int | None = None
    cells_tiled: int | None = None
    grows_with: tuple[str, ...] | None = None


def tiles_text(
    rows: Sequence[TilesRow], *, nest: str, outside: Sequence[str], parallel: int | None
) -> str:
    """A table of the tilings that are legal, and why the others are not."""
    lines = [nest]
    if outside:
        lines.append(f"outside of it, and of no tile: {', '.join(outside)}")
    legal = [row for row in rows if row.tiling.is_legal]
    columns = list(_COLUMNS)
    if parallel is not None:
        columns.append(Column(f"tiles in waves of {parallel}", right=True))
    if legal:
        lines += ["", table(columns, [_cells(row, parallel) for row in legal])]
    notes = [note for row in rows for note in _notes(row.tiling)] + _expanded(rows)
    return "\n".join([*lines, *([""] if notes else []), *notes])


def _cells(row: TilesRow, parallel: int | None) -> list[str]:
    found = row.tiling
    cells = [
        found.kind,
        ", ".join(found.rows),
        " x ".join(map(str, found.sizes)),
        str(found.tiles),
        str(len(found.waves)),
        str(found.waves[0]),
        str(max(found.waves)),
        f"{found.startup}, {found.drain}",
        str(found.computed - found.useful),
        str(found.points_most),
        _known(row.cells_any, row.cells_tiled),
        _growth(row.grows_with),
    ]
    share = None if parallel is None else found.share(parallel)
    return cells if share is None else [*cells, f"{share:.4%}"]


def _known(*cells: int | None) -> str:
    """Sizes in a list; those of rows that are no band of a class are not known."""
    if all(one is None for one in cells):
        return "-"
    return ", ".join("-" if one is None else str(one) for one in cells)


def _growth(names: Sequence[str] | None) -> str:
    if names is None:
        return "not counted"
    return ", ".join(names) or "nothing"


def _expanded(rows: Sequence[TilesRow]) -> list[str]:
    """The arrays whose values are tiled, and of which kinds, where not of all."""
    legal = [row.tiling for row in rows if row.tiling.is_legal]
    of_values = [one for one in legal if one.expanded]
    if not of_values:
        return []
    names, setting = ", ".join(of_values[0].expanded), _setting(of_values[0])
    kinds = "" if of_values == legal else f"{', '.join(one.kind for one in of_values)}: "
    return [f"{kinds}expanded: {names} (value-based flow; {setting} plans it so)"]


def _setting(found: Tiling) -> str:
    return f"plan.expand=[{','.join(found.expanded)}]"


def _notes(found: Tiling) -> list[str]:
    allowed = f"; {_setting(found)} allows it" if found.expanded else ""
    if found.cycle is not None:
        tiles = " and ".join(f"({', '.join(map(str, one))})" for one in found.cycle)
        rows = ", ".join(found.rows)
        what = f"{found.kind}: not legal: tiles {tiles} of rows {rows} each need the other"
        return [f"{what}; use rows that go down along no dependence{allowed}"]
    if found.reason:
        return [f"{found.kind}: {found.reason}{allowed}"]
    if found.slices:
        parts = listed([counted(one, "point") for one in found.slices])
        return [f"{found.kind}: a full tile sends, computes and receives {parts}"]
    if found.by == "formula":
        return [f"{found.kind}: counted by the formula of its rows, tile (a, b) in wave a + b"]
    return []


def tiles_document(
    rows: Sequence[TilesRow], *, design: str, values: Mapping[str, int], parallel: int | None
) -> dict[str, Any]:
    """The same as a JSON value."""
    return {
        "format": FORMAT,
        "design": design,
        "params": dict(values),
        "tilings": [_document(row, parallel) for row in rows],
    }


def _document(row: TilesRow, parallel: int | None) -> dict[str, Any]:
    found = row.tiling
    width = parallel or 1
    return {
        "kind": found.kind,
        "rows": list(found.rows),
        "sizes": list(found.sizes),
        "origin": list(found.origin),
        "legal": found.is_legal,
        "reason": found.reason or None,
        "tiles": found.tiles,
        "waves": list(found.waves) if len(found.waves) <= _MOST_WAVES else None,
        "count": len(found.waves),
        "first": found.waves[0] if found.waves else None,
        "widest": max(found.waves, default=None),
        "startup": found.startup,
        "drain": found.drain,
        "parallel": {"P": width, "fraction": found.share(width)},
        "points": {"computed": found.computed, "useful": found.useful},
        "slices": list(found.slices),
        "tile": {
            "points_most": found.points_most,
            "cells_any": row.cells_any,
            "cells_tiled": row.cells_tiled,
        },
        "grows_with": None if row.grows_with is None else list(row.grows_with),
        "cycle": None if found.cycle is None else [list(one) for one in found.cycle],
        "expanded": list(found.expanded),
        "by": found.by,
    }


# The picture: a histogram of waves for each tiling, all on one scale.

_WIDTH, _HEIGHT, _GAP, _LEFT, _RIGHT = 640, 84, 46, 56, 16
_MOST_BARS = 600


def tiles_picture(rows: Sequence[TilesRow], title: str) -> str:
    """Picture of the tiles in each wave, one panel a tiling: waves to the right, tiles upwards;
    SVG."""
    shown = [row.tiling for row in rows if row.tiling.waves]
    height = (_HEIGHT + _GAP) * len(shown) + 40
    longest = max((len(one.waves) for one in shown), default=1)
    widest = max((max(one.waves) for one in shown), default=1)
    parts = [svg.text(_LEFT, 20, title, size=13, bold=True)]
    for number, one in enumerate(shown):
        parts += _panel(one, 40 + (_HEIGHT + _GAP) * number, longest, widest)
    return svg.document(_WIDTH, height, title, parts)


def _panel(found: Tiling, top: float, longest: int, widest: int) -> list[str]:
    across = svg.Scale(0, longest, _LEFT, _WIDTH - _RIGHT)
    up = svg.Scale(0, widest, top + _HEIGHT, top + 18)
    bottom = top + _HEIGHT
    waves = found.waves
    label = f"{found.kind} ({', '.join(found.rows)}): {counted(len(waves), 'wave')},"
    label += f" first {waves[0]}, widest {max(waves)}"
    parts = [svg.text(_LEFT, top + 10, label)]
    step = -(-len(waves) // _MOST_BARS)
    for first in range(0, len(waves), step):
        some = waves[first : first + step]
        left, right = across.at(first), across.at(first + len(some))
        height = bottom - up.at(max(some))
        wide = max(right - left - (1 if right - left > 3 else 0), 0.2)
        parts.append(svg.rectangle(left, bottom - height, wide, height, svg.BLUE))
    parts.append(svg.line((_LEFT, bottom), (_WIDTH - _RIGHT, bottom), svg.GREY))
    for value in (0, widest):
        parts.append(svg.text(_LEFT - 6, up.at(value) + 4, str(value), anchor="end"))
    for value in svg.round_numbers(0, longest, 8):
        parts.append(svg.text(across.at(value), bottom + 14, str(value), anchor="middle"))
    parts.append(svg.text(_WIDTH - _RIGHT, bottom + 26, "wave", anchor="end", colour=svg.GREY))
    return parts
