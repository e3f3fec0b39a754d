"""Shape of plan.json: the keys and kinds that its readers rely on, whatever wrote it.

Keys and kinds of leaves are those of `hlsmem_verify`, the only table of them. Beyond it, lists
are as long as others say, and names are of what is there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sized
from typing import Any

import hlsmem_verify
from hlsmem.core.wording import counted
from hlsmem_verify.outcomes import MOST_INDEX

_OF_CYCLES = {"exact": ("value",), "by-run": ("bound", "runs")}


def misfits(document: Any) -> Iterator[str]:
    """Misfits with the shape of plan.json, one line each, e.g. "memories.b.words is 'x'"."""
    found = False
    for one in hlsmem_verify.misfits(document, hlsmem_verify.SHAPE):
        found = True
        yield one
    if not found:
        yield from _uneven(document)
        yield from _unrelated(document)


def _uneven(document: Mapping[str, Any]) -> Iterator[str]:
    """Lists that are not as long as others say."""
    for name, array in document["arrays"].items():
        if len(array["index"]) > MOST_INDEX:
            yield f"arrays.{name}.index has {len(array['index'])} entries, more than {MOST_INDEX}"
        dimensions, places = len(array["index"]), []
        hardware, host = array["holdings"]["hardware"], array["holdings"]["host"]
        for number, part in enumerate(host["parts"] if host else ()):
            places.append((f"{_held(name, 'host', number)}.mapping", part["mapping"]))
        returned = array["holdings"].get("source", {})
        if "mapping" in returned:
            places.append((f"arrays.{name}.holdings.source.mapping", returned["mapping"]))
        for number, part in enumerate(hardware["parts"]):
            inner = _held(name, "hardware", number)
            if part["mapping"] is not None:
                places.append((f"{inner}.mapping", part["mapping"]))
            for key in ("taps", "taps_expr"):
                if part[key] is not None:
                    yield from _other_length(f"{inner}.{key}", part[key], len(part["operands"]))
            if part["bank_basis"] is not None:
                yield from _uneven_banks(inner, part, dimensions)
        for place, mapping in places:
            for number, piece in enumerate(mapping["pieces"]):
                yield from _uneven_piece(f"{place}.pieces[{number}]", piece, dimensions)


def _held(array: str, target: str, number: int) -> str:
    return f"arrays.{array}.holdings.{target}.parts[{number}]"


def _uneven_piece(path: str, piece: Mapping[str, Any], dimensions: int) -> Iterator[str]:
    rows = len(piece["modulus"])
    for key in ("matrix", "matrix_value", "modulus_value", "offset", "offset_value"):
        yield from _other_length(f"{path}.{key}", piece[key], rows)
    for key in ("matrix", "matrix_value"):
        yield from _other_rows(f"{path}.{key}", piece[key], dimensions)


def _uneven_banks(path: str, part: Mapping[str, Any], dimensions: int) -> Iterator[str]:
    if part["bank_block"] is None:
        yield f"{path}.bank_block is None, where there are banks"
    if (part["boxes"] is None) == (part["storage_basis"] is None):
        yield f"{path} has no storage_basis and no boxes, or both, where there are banks"
    for key in ("bank_basis", "storage_basis"):
        if part[key] is not None:
            yield from _no_basis(f"{path}.{key}", part[key], dimensions)
    for key, entries in (part["boxes"] or {}).items():
        yield from _other_length(f"{path}.boxes.{key}", entries, dimensions)


def _no_basis(path: str, rows: list[list[int]], dimensions: int) -> Iterator[str]:
    """Why rows are no basis in Hermite form: a positive pivot in each, where later ones have 0."""
    odd = [*_other_length(path, rows, dimensions), *_other_rows(path, rows, dimensions)]
    yield from odd
    taken = set[int]()
    for row in () if odd else reversed(rows):
        pivots = [k for k, entry in enumerate(row) if entry and k not in taken]
        if len(pivots) != 1 or row[pivots[0]] < 1:
            yield f"{path} has no positive pivot in each row"
            return
        taken.add(pivots[0])


def _other_rows(path: str, rows: list[Any], dimensions: int) -> Iterator[str]:
    for number, row in enumerate(rows):
        yield from _other_length(f"{path}[{number}]", row, dimensions)


def _other_length(path: str, found: Sized, wanted: int) -> Iterator[str]:
    if len(found) != wanted:
        yield f"{path} has {counted(len(found), 'entry')}, not {wanted}"


def _unrelated(document: Mapping[str, Any]) -> Iterator[str]:
    """Parts in memories and of streams that are not there, and cycles without what they are."""
    cycles = document["timing"] and document["timing"]["cycles"]
    for key in _OF_CYCLES[cycles["kind"]] if cycles else ():
        if key not in cycles:
            yield f"timing.cycles.{key} is missing"
    streams = {stream["name"] for stream in document["streams"]}
    for name, array in document["arrays"].items():
        host = array["holdings"]["host"]
        if host is not None:
            path = f"arrays.{name}.holdings.host.parts"
            yield from _other_length(path, host["parts"], 1)
        for number, part in enumerate(array["holdings"]["hardware"]["parts"]):
            path = _held(name, "hardware", number)
            if part["memory"] not in document["memories"]:
                yield f"{path}.memory is {part['memory']!r}, which memories does not have"
            for stream in dict.fromkeys(stream for stream, _ in part["operands"]):
                if cycles and stream not in streams:
                    yield f"{path}.operands has {stream!r}, which streams does not have"
