"""Whether a plan.json document has the shape the checks rely on, whatever wrote it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sized
from typing import Any

from hlsmem.values import dataclass
from hlsmem.wording import counted


@dataclass(frozen=True, slots=True)
class Whole:
    """An integer, at least `least`."""

    least: int | None = None


@dataclass(frozen=True, slots=True)
class Word:
    """One of these texts."""

    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Name:
    """An identifier: files are called by it."""


@dataclass(frozen=True, slots=True)
class ListOf:
    items: Any


@dataclass(frozen=True, slots=True)
class Row:
    """A list of so many entries, each of a shape of its own."""

    entries: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class NamedBy:
    """An object with any keys, its values alike."""

    values: Any


@dataclass(frozen=True, slots=True)
class OneOf:
    choices: tuple[Any, ...]


# Objects are dictionaries of the keys they must have; further keys are nobody's business here.
_ROWS = ListOf(ListOf(Whole()))
_FORMULA = OneOf((str, ListOf({"when": str, "expr": str})))
_PIECE = {
    "domain": OneOf((None, str)),
    "matrix": ListOf(ListOf(str)),
    "matrix_value": _ROWS,
    "modulus": ListOf(str),
    "modulus_value": ListOf(Whole(1)),
    "offset": ListOf(str),
    "offset_value": ListOf(Whole()),
}
_MAPPING = {
    "cells": Whole(1),
    "certificate": {"scope": str, "by": str},
    "pieces": ListOf(_PIECE),
}
_ARRAY = {
    "element": {"type": str, "bits": Whole(1)},
    "index": ListOf(str),
    "declared": OneOf((None, {"cells": Whole(), "expr": _FORMULA})),
    "bounds": ListOf({"kind": str, "cells": Whole(), "expr": OneOf((None, _FORMULA))}),
    "mapping": _MAPPING,
    "parts": ListOf(
        {
            "memory": str,
            "operands": ListOf(Row((str, Whole(0)))),
            "takes": OneOf((None, str)),
            "mapping": OneOf((None, _MAPPING)),
            "base": Whole(),
            "bank_basis": OneOf((None, _ROWS)),
            "storage_basis": OneOf((None, _ROWS)),
            "taps": OneOf((None, ListOf(Whole(0)))),
            "taps_expr": OneOf((None, ListOf(OneOf((None, _FORMULA))))),
        }
    ),
    "cells_of_any_form": OneOf((None, Whole(1))),
}
_CUTS = {
    "vector": OneOf((None, Whole(1))),
    "outer": OneOf((None, Whole(1))),
    "rows": OneOf((None, Whole(1))),
    "jam": Whole(1),
}
_HOST = {
    "order": str,
    "mapping": _MAPPING,
    "cell_bytes": Whole(1),
    "at": OneOf((None, Whole(0))),
}
_BANKS = {
    "bank_block": Whole(1),
    "boxes": OneOf(
        (None, {"lower": ListOf(Whole()), "sides": ListOf(Whole(1)), "counts": ListOf(Whole(1))})
    ),
}
_COST = NamedBy(Whole(0))
_EXACT = {"kind": Word(("exact",)), "value": Whole(0)}
_BY_RUN = {
    "kind": Word(("by-run",)),
    "bound": Whole(0),
    "runs": ListOf({"seed": Whole(0), "value": Whole(0)}),
}
_KIND = Word(("wire", "registers", "ram", "banked", "chain", "fifo", "window"))
_STREAM = {
    "name": str,
    "array": str,
    "statement": OneOf((None, str)),
    "beats": Whole(0),
    "operands": ListOf({"bits": Row((Whole(0), Whole(0))), "lane": Whole(0)}),
}
_PLAN = {
    "design": Name(),
    "inputs": NamedBy(str),
    "overrides": ListOf(str),
    "params": NamedBy(Whole()),
    "target": OneOf((None, {"device": str, "block_rams": OneOf((None, Whole(0)))})),
    "context": str,
    "program": OneOf(
        (None, {"order": Word(("sequential", "iteration")), "strict": bool, "slack": Whole(0)})
    ),
    "memories": NamedBy(
        {
            "bits": Whole(1),
            "words": Whole(0),
            "banks": Whole(1),
            "copies": Whole(1),
            "kind": _KIND,
            "resources": OneOf((None, _COST)),
        }
    ),
    "arrays": NamedBy(_ARRAY),
    "streams": ListOf(_STREAM),
    "elastic": ListOf(
        {
            "stream": str,
            "beats": Whole(1),
            "bits": Whole(1),
            "waits_for": str,
            "latency": NamedBy(Whole()),
        }
    ),
    "timing": OneOf((None, {"cycles": OneOf((None, _EXACT, _BY_RUN))})),
}


def misshapen(document: Any) -> tuple[str, ...]:
    """What is not as plan.json has it, one line each, e.g. "memories.b.words is 'x'"."""
    return (
        tuple(_misfits(document, _PLAN, ""))
        or tuple(_uneven(document))
        or tuple(_without_memory(document))
    )


def _uneven(document: Mapping[str, Any]) -> Iterator[str]:
    """Lists that are not as long as others say; the document has the shape otherwise."""
    for name, array in document["arrays"].items():
        path, dimensions = f"arrays.{name}", len(array["index"])
        places = [(f"{path}.mapping", array["mapping"])]
        for number, part in enumerate(array["parts"]):
            inner = f"{path}.parts[{number}]"
            if part["mapping"] is not None:
                places.append((f"{inner}.mapping", part["mapping"]))
            for key in ("taps", "taps_expr"):
                if part[key] is not None:
                    yield from _other_length(f"{inner}.{key}", part[key], len(part["operands"]))
        for place, mapping in places:
            for number, piece in enumerate(mapping["pieces"]):
                yield from _uneven_piece(f"{place}.pieces[{number}]", piece, dimensions)


def _uneven_piece(path: str, piece: Mapping[str, Any], dimensions: int) -> Iterator[str]:
    rows = len(piece["modulus"])
    for key in ("matrix", "matrix_value", "modulus_value", "offset", "offset_value"):
        yield from _other_length(f"{path}.{key}", piece[key], rows)
    for key in ("matrix", "matrix_value"):
        for number, row in enumerate(piece[key]):
            yield from _other_length(f"{path}.{key}[{number}]", row, dimensions)


def _other_length(path: str, found: Sized, wanted: int) -> Iterator[str]:
    if len(found) != wanted:
        yield f"{path} has {counted(len(found), 'entry')}, not {wanted}"


def _order_shape(order: Any) -> dict[str, Any]:
    """The shape of C's own order, whose last keys may be missing."""
    more = {"cuts": NamedBy(_CUTS), "machine": NamedBy(Whole(1))}
    known = order if isinstance(order, Mapping) else {}
    return {"times": NamedBy(str)} | {key: more[key] for key in more if key in known}


def _without_memory(document: Mapping[str, Any]) -> Iterator[str]:
    """Malformed cells of C, parts in memories and of streams that are not there."""
    if "host" in document:
        yield from _misfits(document["host"], _order_shape(document["host"]), "host")
    streams = {stream["name"] for stream in document["streams"]}
    has_hardware = bool(document["timing"]) and document["timing"]["cycles"] is not None
    for name, array in document["arrays"].items():
        if array.get("host") is not None:
            yield from _misfits(array["host"], _HOST, f"arrays.{name}.host")
        for number, part in enumerate(array["parts"]):
            path = f"arrays.{name}.parts[{number}]"
            if part["bank_basis"] is not None:
                yield from _misfits(part, _BANKS, path)
            if part["memory"] not in document["memories"]:
                yield f"{path}.memory is {part['memory']!r}, which memories does not have"
            for stream in dict.fromkeys(stream for stream, _ in part["operands"]):
                if has_hardware and stream not in streams:
                    yield f"{path}.operands has {stream!r}, which streams does not have"


def _misfits(value: Any, shape: Any, path: str) -> Iterator[str]:
    match shape:
        case dict():
            if not isinstance(value, Mapping):
                yield _wrong(path, value)
                return
            for key, inner in shape.items():
                if key not in value:
                    yield f"{_joined(path, key)} is missing"
                else:
                    yield from _misfits(value[key], inner, _joined(path, key))
        case NamedBy(inner) if isinstance(value, Mapping):
            for key, entry in value.items():
                yield from _misfits(entry, inner, _joined(path, key))
        case Name() if isinstance(value, str) and value.isascii() and value.isidentifier():
            pass
        case ListOf(inner) if isinstance(value, list):
            for position, entry in enumerate(value):
                yield from _misfits(entry, inner, f"{path}[{position}]")
        case Row(entries) if isinstance(value, list) and len(value) == len(entries):
            for position, (entry, inner) in enumerate(zip(value, entries, strict=True)):
                yield from _misfits(entry, inner, f"{path}[{position}]")
        case OneOf(choices):
            if all(any(_misfits(value, choice, path)) for choice in choices):
                yield _wrong(path, value)
        case Whole(least) if isinstance(value, int) and not isinstance(value, bool):
            if least is not None and value < least:
                yield f"{path} is {value}, less than {least}"
        case Word(choices):
            if value not in choices:
                yield _wrong(path, value)
        case None if value is None:
            pass
        case type() if isinstance(value, shape):
            pass
        case _:
            yield _wrong(path, value)


def _joined(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _wrong(path: str, value: Any) -> str:
    text = repr(value)
    shown = text if len(text) <= 40 else f"{text[:37]}..."
    return f"{path or 'the plan'} is {shown}"
