"""Reading isl text with the checks isl leaves out: nothing left over, no free names, a place."""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress
from typing import Any

from hlsmem.core.errors import InputError, LimitError, Problem
from hlsmem.core.memory_limit import is_near_limit, limited
from hlsmem.core.source_location import SourceLocation, Span
from hlsmem.polyhedra import (
    Map,
    MultiUnionPwAff,
    PolyhedralError,
    Set,
    UnionMap,
    UnionSet,
)
from hlsmem.polyhedra.diagnosis import NAME, Fault, fault_of
from hlsmem.polyhedra.limits import WorkLimitError, bounded

# Operations of isl that a text may take: about 5 s, and 200 MB.
_OPERATIONS, _BYTES = 10_000_000, 200 << 20
_BAND = re.compile(r"\s*(\[[^\[\]{}]*\]\s*->\s*)?\[\s*\{.*\}\s*\]\s*", re.DOTALL)


def parse_set(
    text: str,
    *,
    parameters: Collection[str],
    source_location: SourceLocation | Span | None = None,
    what: str = "set",
) -> Any:
    """A Set; raises InputError for bad text, leftovers or undeclared parameters.

    `what` names the text in messages. With a Span the message points into the text.

    >>> parse_set("{ A[i] : 0 <= i < N }", parameters=("N",), what="domain")
    Traceback (most recent call last):
    hlsmem.core.errors.InputError: domain uses 'N' without declaring it; write [N] -> { ... }
    """
    return _parse(Set, text, parameters, source_location, what)


def parse_map(
    text: str,
    *,
    parameters: Collection[str],
    source_location: SourceLocation | Span | None = None,
    what: str = "map",
) -> Any:
    """A Map; raises as `parse_set`."""
    return _parse(Map, text, parameters, source_location, what)


def parse_union_set(
    text: str,
    *,
    parameters: Collection[str],
    source_location: SourceLocation | Span | None = None,
    what: str = "set",
) -> Any:
    """A UnionSet; raises as `parse_set`."""
    return _parse(UnionSet, text, parameters, source_location, what)


def parse_union_map(
    text: str,
    *,
    parameters: Collection[str],
    source_location: SourceLocation | Span | None = None,
    what: str = "map",
) -> Any:
    """A UnionMap; raises as `parse_set`."""
    return _parse(UnionMap, text, parameters, source_location, what)


def parse_band(
    text: str,
    *,
    parameters: Collection[str],
    source_location: SourceLocation | Span | None = None,
    what: str = "schedule",
) -> Any:
    """The UnionMap from instances to times of isl's text of a band of a schedule tree.

    Raises as `parse_set`.

    >>> str(parse_band("[{ S[i] -> [floor(i/4)] }, { S[i] -> [-i] }]", parameters=()))
    '{ S[i] -> [o0, -i] : -3 + i <= 4o0 <= i }'
    """
    fault = _undeclared(text, parameters)
    if fault is None and not _BAND.fullmatch(text):
        remedy = "write it like [{ S[i] -> [i] }], with one { .. } for every entry of time"
        fault = Fault("is no list of times", remedy, 0, len(text))
    if fault is None:
        try:
            return UnionMap.from_multi_union_pw_aff(MultiUnionPwAff(text))
        except PolyhedralError:
            _refuse_where_memory_fails(MultiUnionPwAff, text)
            fault = fault_of(text, parameters, MultiUnionPwAff)
    at = (
        source_location.place(fault.offset, fault.length)
        if isinstance(source_location, Span)
        else source_location
    )
    raise InputError(Problem(f"{what} {fault.what}", fault.remedy, at))


def _parse(
    kind: Any,
    text: str,
    parameters: Collection[str],
    source_location: SourceLocation | Span | None,
    what: str,
) -> Any:
    fault = _leftover(text) or _undeclared(text, parameters) or _no_arrow(kind, text)
    if fault is None:
        try:
            with bounded(_OPERATIONS):
                return kind(text)
        except WorkLimitError:
            where = (
                source_location.place(0, len(text))
                if isinstance(source_location, Span)
                else source_location
            )
            found = f"{what} takes more than {_OPERATIONS:,} operations of isl to read"
            remedy = "write it with fewer cases: each `or`, `!=` and `mod .. !=` multiplies them"
            raise LimitError(Problem(found, remedy, where)) from None
        except PolyhedralError:
            _refuse_where_memory_fails(kind, text)
            fault = _wrong_kind(kind, text) or fault_of(text, parameters, UnionSet, UnionMap)
    at = (
        source_location.place(fault.offset, fault.length)
        if isinstance(source_location, Span)
        else source_location
    )
    raise InputError(Problem(f"{what} {fault.what}", fault.remedy, at))


def _refuse_where_memory_fails(kind: Any, text: str) -> None:
    """Raise MemoryError where isl reads a text that it failed at once it gets all memory there is:
    it says "syntax error" of both."""
    if not is_near_limit(_BYTES):
        return
    with limited(None), bounded(_OPERATIONS), suppress(PolyhedralError):
        kind(text)
        raise MemoryError


def _leftover(text: str) -> Fault | None:
    """isl reads up to the closing brace and silently ignores the rest."""
    depth = 0
    for position, character in enumerate(text):
        depth += (character == "{") - (character == "}")
        if character == "}" and depth == 0:
            rest = text[position + 1 :]
            if not rest.strip():
                return None
            start = position + 1 + len(rest) - len(rest.lstrip())
            return Fault(
                f"has text left over after the closing brace: {rest.strip()!r}",
                "remove it, or join the parts with ';' inside the braces",
                start,
                len(rest.strip()),
            )
    return None


def _undeclared(text: str, parameters: Collection[str]) -> Fault | None:
    """isl takes any name in front of the braces for a parameter."""
    opening = text.find("{")
    for found in NAME.finditer(text, 0, max(opening, 0)):
        if found[0] not in parameters:
            known = ", ".join(parameters) or "none"
            return Fault(
                f"declares {found[0]!r}, which is no parameter of the design",
                f"add it to params; the parameters are: {known}",
                found.start(),
                len(found[0]),
            )
    return None


def _no_arrow(kind: Any, text: str) -> Fault | None:
    """isl reads the set { A[i] } as the map { [] -> A[i] }."""
    body = text[text.find("{") + 1 : text.rfind("}")]
    if kind in (Map, UnionMap) and body.strip() and "->" not in body:
        return _everywhere(text, "is a set, but a map is needed here")
    return None


def _wrong_kind(kind: Any, text: str) -> Fault | None:
    """The fault of valid text that names another kind of value than the one asked for."""
    wanted_map = kind in (Map, UnionMap)
    for other in (UnionSet, UnionMap):
        try:
            value = other(text)
        except PolyhedralError:
            continue
        if (other is UnionMap) != wanted_map:
            found, wanted = ("set", "map") if wanted_map else ("map", "set")
            return _everywhere(text, f"is a {found}, but a {wanted} is needed here")
        pieces = value.n_map() if wanted_map else value.n_set()
        if kind in (Set, Map) and pieces != 1:
            return _everywhere(text, f"has {pieces} different tuples, but needs one")
    return None


def _everywhere(text: str, what: str) -> Fault:
    remedy = "write { A[i] -> B[j] : ... } for a map and { A[i] : ... } for a set"
    return Fault(what, remedy, 0, len(text))
