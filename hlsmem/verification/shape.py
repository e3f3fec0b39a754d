"""Whether a plan.json document has the shape the checks rely on, whatever wrote it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Whole:
    """An integer, at least `least`."""

    least: int | None = None


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
    "modulus_value": ListOf(Whole()),
    "offset": ListOf(str),
    "offset_value": ListOf(Whole()),
}
_MAPPING = {
    "cells": Whole(),
    "certificate": {"scope": str, "by": str},
    "pieces": ListOf(_PIECE),
}
_ARRAY = {
    "element": {"type": str, "bits": Whole(1)},
    "index": ListOf(str),
    "declared": OneOf((None, {"cells": Whole(), "expr": _FORMULA})),
    "bounds": ListOf(
        {"kind": str, "cells": Whole(), "expr": OneOf((None, _FORMULA)), "status": str}
    ),
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
        }
    ),
}
_BANKS = {
    "bank_block": Whole(1),
    "boxes": OneOf(
        (None, {"lower": ListOf(Whole()), "sides": ListOf(Whole(1)), "counts": ListOf(Whole(1))})
    ),
}
_PLAN = {
    "design": str,
    "inputs": NamedBy(str),
    "overrides": ListOf(str),
    "params": NamedBy(Whole()),
    "order": str,
    "strict": bool,
    "slack": Whole(0),
    "memories": NamedBy(
        {"bits": Whole(1), "words": Whole(0), "banks": Whole(1), "copies": Whole(1), "kind": str}
    ),
    "arrays": NamedBy(_ARRAY),
    "elastic": ListOf(
        {
            "stream": str,
            "beats": Whole(1),
            "bits": Whole(1),
            "waits_for": str,
            "latency": NamedBy(Whole()),
        }
    ),
    "timing": OneOf((None, {"cycles": OneOf((None, {"kind": str, "value": Whole(0)}))})),
}


def misshapen(document: Any) -> tuple[str, ...]:
    """What is not as plan.json has it, one line each, e.g. "memories.b.words is 'x'"."""
    return tuple(_misfits(document, _PLAN, "")) or tuple(_without_memory(document))


def _without_memory(document: Mapping[str, Any]) -> Iterator[str]:
    """Parts in memories that are not there; the document has the shape otherwise."""
    for name, array in document["arrays"].items():
        for number, part in enumerate(array["parts"]):
            path = f"arrays.{name}.parts[{number}]"
            if part["bank_basis"] is not None and "boxes" in part:
                yield from _misfits(part, _BANKS, path)
            if part["memory"] not in document["memories"]:
                yield f"{path}.memory is {part['memory']!r}, which memories does not have"


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
