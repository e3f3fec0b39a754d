"""Reading isl text with the checks isl leaves out: nothing left over, no free names, a place."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from hlsmem.errors import InputError, Problem
from hlsmem.places import Place
from hlsmem.polyhedra import Map, PolyhedralError, Set, UnionMap, UnionSet

_NAME = re.compile(r"[A-Za-z_]\w*'?")
_KEYWORDS = frozenset(
    [
        "and",
        "or",
        "not",
        "exists",
        "implies",
        "mod",
        "floor",
        "ceil",
        "floord",
        "ceild",
        "min",
        "max",
        "rat",
        "true",
        "false",
        "infty",
        "lexmin",
        "lexmax",
    ]
)


def parse_set(
    text: str, *, parameters: Collection[str], place: Place | None = None, what: str = "set"
) -> Any:
    """A Set; raises InputError with `place` for bad text, leftovers or undeclared parameters."""
    return _parse(Set, text, parameters, place, what)


def parse_map(
    text: str, *, parameters: Collection[str], place: Place | None = None, what: str = "map"
) -> Any:
    """A Map; raises as `parse_set`."""
    return _parse(Map, text, parameters, place, what)


def parse_union_set(
    text: str, *, parameters: Collection[str], place: Place | None = None, what: str = "set"
) -> Any:
    """A UnionSet; raises as `parse_set`."""
    return _parse(UnionSet, text, parameters, place, what)


def parse_union_map(
    text: str, *, parameters: Collection[str], place: Place | None = None, what: str = "map"
) -> Any:
    """A UnionMap; raises as `parse_set`."""
    return _parse(UnionMap, text, parameters, place, what)


def _parse(
    kind: Any, text: str, parameters: Collection[str], place: Place | None, what: str
) -> Any:
    opening, closing = text.find("{"), _closing_brace(text)
    if opening < 0 or closing < 0:
        raise _error(f"{what} is not isl text: no {{ ... }} in {text!r}", "", place)
    leftover = text[closing + 1 :].strip()
    if leftover:
        raise _error(
            f"{what} has text left over after the closing brace: {leftover!r}",
            "remove it, or join the sets with 'or' or ';'",
            place,
        )
    declared = _NAME.findall(text[:opening])
    unknown = [name for name in declared if name not in parameters]
    if unknown:
        names = ", ".join(repr(name) for name in unknown)
        known = ", ".join(sorted(parameters)) or "none"
        raise _error(
            f"{what} declares {names}, which the context does not know",
            f"add it to params, or use one of: {known}",
            place,
        )
    try:
        return kind(text)
    except PolyhedralError:
        raise _error(*_explain(what, text, opening, closing, declared), place) from None


def _closing_brace(text: str) -> int:
    depth = 0
    for position, character in enumerate(text):
        depth += (character == "{") - (character == "}")
        if character == "}" and depth == 0:
            return position
    return -1


def _explain(
    what: str, text: str, opening: int, closing: int, declared: list[str]
) -> tuple[str, str]:
    """What most likely is wrong with text that isl refuses: isl gives no position."""
    body = text[opening + 1 : closing]
    bound = set(declared) | _KEYWORDS
    for group in re.findall(r"\[([^][]*)\]", body):
        bound.update(_NAME.findall(group))
    for group in re.findall(r"exists\s*\(?\s*([^:]*):", body):
        bound.update(_NAME.findall(group))
    bound.update(re.findall(r"([A-Za-z_]\w*)\s*\[", body))
    free = [name for name in dict.fromkeys(_NAME.findall(body)) if name not in bound]
    if free:
        names = ", ".join(repr(name) for name in free)
        return (
            f"{what} uses {names}, which is no dimension and no declared parameter",
            f"declare it in front: [{free[0]}] -> {{ ... }}",
        )
    return f"{what} is not valid isl text: {text!r}", "see isl's notation for sets and maps"


def _error(what: str, remedy: str, place: Place | None) -> InputError:
    return InputError(Problem(what, remedy, place))
