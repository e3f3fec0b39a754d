"""Occupancy vectors as text, as JSON (hlsmem-vectors/1) and as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hlsmem.core.wording import WITH_EXPANSION
from hlsmem.emit.markdown_table import Column, table
from hlsmem.mapping.vectors import KINDS, ArrayVectors, KindVectors, Stored
from hlsmem.polyhedra.lattices import Vector

FORMAT = "hlsmem-vectors/1"
_COLUMNS = [
    Column("kind"),
    Column("shortest"),
    Column("strict"),
    Column("occupied", right=True),
    Column("allocated", right=True),
    Column("mapping"),
]


def vectors_text(arrays: Sequence[ArrayVectors], stored: Stored | None) -> str:
    """All arrays, kind by kind, and the schedules that the stores allow."""
    parts = [_array_text(one) for one in arrays]
    if not arrays:
        parts.append(f"no array with an index is planned; {WITH_EXPANSION}")
    if stored is not None:
        parts.append(_stored_text(stored))
    return "\n\n".join(parts)


def _array_text(found: ArrayVectors) -> str:
    array = found.array
    lines = [f"{array.name}({', '.join(array.index)})"]
    if found.flow is not None:
        lines.append(f"flow vectors: {_listed(found.flow)}")
        if found.kept != found.flow:
            lines.append(f"{_listed(found.kept)} say what all of them do")
    rows = [_row(kind, one) for kind, one in found.kinds.items()]
    lines += ["", table(_COLUMNS, rows), ""]
    if any("*" in cell for row in rows for cell in row[1:3]):
        lines.append("* the most even of these")
    for kind, one in found.kinds.items():
        lines += [f"{kind}: {text}" for text in _notes(kind, one)]
    return "\n".join(lines)


def _row(kind: str, found: KindVectors) -> list[str]:
    return [
        kind,
        _starred(found.shortest, found.even) or "none",
        _starred(found.strict, found.strict_even),
        "-" if found.occupied is None else str(found.occupied),
        "-" if found.allocated is None else str(found.allocated),
        f"refused: {found.reason}" if found.is_refused else mapping_text(found),
    ]


def _starred(vectors: Sequence[Vector], even: Sequence[Vector]) -> str:
    """Vectors in a row, with a star at the most even ones where there are others."""
    marked = () if len(even) == len(vectors) else even
    return ", ".join(_vector(one) + "*" * (one in marked) for one in vectors)


def mapping_text(found: KindVectors) -> str:
    """The rows of a mapping with their moduli: "(1, -2) mod 17"."""
    return ", ".join(
        f"{_vector(row)} mod {modulus}"
        for row, modulus in zip(found.rows, found.moduli, strict=True)
    )


def _notes(kind: str, found: KindVectors) -> list[str]:
    if found.is_refused:
        return [found.skew] if found.skew else []
    lines = [f"right for {KINDS[kind]}{', at these parameters' if found.is_fixed else ''}"]
    if found.bands:
        bands = "; ".join(f"[{', '.join(rows)}]" for rows in found.bands)
        lines[0] += f", bands {bands}"
    if found.reason is not None:
        lines.append(found.reason)
    if found.valid is not None:
        lines.append(f"all of them, on a domain that paths do not leave: {found.valid}")
    if found.trivial is not None:
        lines.append(f"the sum of the flow vectors is always one: {_vector(found.trivial)}")
    if found.least is not None:
        lines.append(f"the rows are at least {_vector(found.least)} on it")
    if found.vacuous:
        lines.append(f"vacuous, nobody reads what they overwrite: {_listed(found.vacuous)}")
    return lines


def _stored_text(stored: Stored) -> str:
    stores = ", ".join(f"{name} = {_listed(vectors)}" for name, vectors in stored.stores.items())
    lines = [f"legal schedules: {stored.legal}", f"with {stores}: {stored.allowed}"]
    if stored.latency is not None:
        best = ", ".join(f"{name} at {time}" for name, time in stored.best.items())
        lines.append(f"the fastest takes {stored.latency + 1} steps: {best}")
    else:
        lines.append("no schedule keeps the dependences and allows the store:")
        lines += [f"  {text}" for text in stored.farkas]
        if stored.farkas:
            lines.append("  add up to 0 >= 1")
    return "\n".join(lines)


def _vector(vector: Sequence[int]) -> str:
    return f"({', '.join(map(str, vector))})"


def _listed(vectors: Sequence[Sequence[int]]) -> str:
    return ", ".join(map(_vector, vectors))


def vectors_document(
    design: str,
    values: Mapping[str, int],
    context: Any,
    arrays: Sequence[ArrayVectors],
    stored: Stored | None,
) -> dict[str, Any]:
    """The same as a JSON value."""
    document: dict[str, Any] = {
        "format": FORMAT,
        "design": design,
        "params": dict(values),
        "context": str(context),
        "arrays": {one.array.name: _array_document(one) for one in arrays},
    }
    if stored is not None:
        document["schedules"] = _stored_document(stored)
    return document


def _array_document(found: ArrayVectors) -> dict[str, Any]:
    return {
        "index": list(found.array.index),
        "flow": None if found.flow is None else _rows(found.flow),
        "kept": _rows(found.kept),
        "kinds": {kind: _kind_document(kind, one) for kind, one in found.kinds.items()},
    }


def _kind_document(kind: str, found: KindVectors) -> dict[str, Any]:
    document: dict[str, Any] = {
        "valid": found.valid,
        "shortest": _rows(found.shortest),
        "even": _rows(found.even),
        "strict": _rows(found.strict),
        "strict_even": _rows(found.strict_even),
        "vacuous": _rows(found.vacuous),
        "occupied": found.occupied,
        "allocated": found.allocated,
        "mapping": {"matrix": _rows(found.rows), "modulus": list(found.moduli)},
        "fixed": found.is_fixed,
        "reason": found.reason,
        "skew": found.skew,
    }
    if kind == "uov":
        document["trivial"] = None if found.trivial is None else list(found.trivial)
        document["certificate"] = [
            {"flow": list(one.flow), "times": list(one.times)} for one in found.certificate
        ]
    if kind == "quov":
        document["bands"] = [list(rows) for rows in found.bands]
        document["least"] = None if found.least is None else list(found.least)
    return document


def _stored_document(stored: Stored) -> dict[str, Any]:
    return {
        "legal": str(stored.legal),
        "store": {name: _rows(vectors) for name, vectors in stored.stores.items()},
        "set": str(stored.allowed),
        "latency": stored.latency,
        "best": dict(stored.best),
        "farkas": list(stored.farkas),
    }


def _rows(vectors: Sequence[Sequence[int]]) -> list[list[int]]:
    return [list(vector) for vector in vectors]


# The picture.

_UNIT, _MARGIN = 36, 40


def vectors_picture(found: ArrayVectors, kind: str, valid: Sequence[Sequence[int]]) -> str:
    """Flow vectors as arrows, the valid vectors as dots, the shortest of them ringed; SVG.

    `valid` are those near the origin, two entries each.
    """
    flow = found.flow or ()
    shortest = found.kinds[kind].shortest
    points = [(0, 0), *map(tuple, valid), *flow, *shortest]
    low = [min(point[axis] for point in points) - 1 for axis in (0, 1)]
    high = [max(point[axis] for point in points) + 1 for axis in (0, 1)]
    width = _UNIT * (high[1] - low[1]) + 2 * _MARGIN
    height = _UNIT * (high[0] - low[0]) + 2 * _MARGIN

    def at(point: Sequence[int]) -> tuple[int, int]:
        return (
            _MARGIN + _UNIT * (point[1] - low[1]),
            _MARGIN + _UNIT * (point[0] - low[0]),
        )

    x0, y0 = at((0, 0))
    names = found.array.index
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + 20}"'
        f' width="{width}" height="{height + 20}" font-family="sans-serif" font-size="12">',
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8"'
        ' markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="#b03030"/></marker></defs>',
        f'<rect width="{width}" height="{height + 20}" fill="white"/>',
    ]
    for row in range(low[0], high[0] + 1):
        (left, y), (right, _) = at((row, low[1])), at((row, high[1]))
        parts.append(f'<path d="M{left} {y}H{right}" stroke="#e4e4e4"/>')
        parts.append(f'<text x="{left - 10}" y="{y + 4}" text-anchor="end">{row}</text>')
    for column in range(low[1], high[1] + 1):
        (x, top), (_, bottom) = at((low[0], column)), at((high[0], column))
        parts.append(f'<path d="M{x} {top}V{bottom}" stroke="#e4e4e4"/>')
        parts.append(f'<text x="{x}" y="{top - 10}" text-anchor="middle">{column}</text>')
    parts.append(
        f'<text x="{width - 8}" y="14" text-anchor="end">{names[1]} to the right,'
        f" {names[0]} downwards</text>"
    )
    for point in valid:
        x, y = at(point)
        parts.append(f'<circle cx="{x}" cy="{y}" r="4" fill="#3060a0"/>')
    for point in shortest:
        x, y = at(point)
        parts.append(
            f'<circle cx="{x}" cy="{y}" r="9" fill="none" stroke="#3060a0" stroke-width="2"/>'
        )
    for point in flow:
        x, y = at(point)
        parts.append(
            f'<path d="M{x0} {y0}L{x} {y}" stroke="#b03030" stroke-width="2"'
            ' marker-end="url(#head)"/>'
        )
    parts.append(f'<circle cx="{x0}" cy="{y0}" r="4" fill="black"/>')
    parts.append(
        f'<text x="{_MARGIN}" y="{height + 8}">{found.array.name}: flow vectors (arrows),'
        f" {kind} (dots), shortest (rings)</text>"
    )
    return "\n".join([*parts, "</svg>", ""])
