"""Schedule trees as isl writes them, in YAML: domain, bands, sequences, filters and marks.

isl has a reader of its own, which crashes on text that is no tree and knows no places.

Source: Verdoolaege, Guelton, Grosser, Cohen, "Schedule trees" (IMPACT 2014).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from hlsmem.core.errors import InputError
from hlsmem.core.source_location import Span
from hlsmem.polyhedra import UnionMap
from hlsmem.polyhedra.relations import maps_of, rearrangement, union_map
from hlsmem.read.document import Document, KeyPath, read_document, shown
from hlsmem.read.texts import Texts

_TREE = re.compile(r"""\s*\{?\s*["']?domain["']?\s*:""")
# What isl writes into bands beside their times; none of it changes the order.
_SILENT = ("permutable", "coincident", "options")
_KINDS = ("schedule", "sequence", "set", "filter", "mark")


def is_tree(text: str) -> bool:
    """True if a text begins like a schedule tree."""
    return _TREE.match(text) is not None


def tree_times(texts: Texts, *path: str | int) -> Any:
    """The UnionMap from instances to times of the schedule tree in the text at `path`.

    Times are the entries of the bands from the root to a leaf, with the position of the child
    in a sequence; shorter ones are padded with zeros. The children of a `set` may come in any
    order, so they come one after the other. None where something is wrong.
    """
    document = _inner_document(texts, path)
    if document is None:
        return None
    inner = replace(texts, document=document)
    before = len(texts.problems)
    if not isinstance(document.value, dict) or not isinstance(document.get("domain"), str):
        _refuse(inner, (), "has no domain", "begin it with domain")
        return None
    domain = inner.union_set("domain", what="the domain of the schedule")
    if domain is None:
        return None
    _only(inner, (), ("domain", "child"))
    below = _child(inner, (), domain)
    if len(texts.problems) > before:
        return None
    size = max((one.range().tuple_dim() for one in maps_of(below)), default=0)
    return union_map(_padded(one, size) for one in maps_of(below))


def _inner_document(texts: Texts, path: KeyPath) -> Document | None:
    """The YAML in a text, with places in the file around it."""
    text, span = texts.document.get(*path), texts.document.span(*path)
    try:
        found = read_document(text, span.file)
    except InputError as error:
        for problem in error.problems:
            texts.problems.add(f"the schedule is {problem.what}", problem.remedy, span.place())
        return None
    return replace(
        found,
        values={key: _outward(one, span) for key, one in found.values.items()},
        keys={key: _outward(one, span) for key, one in found.keys.items()},
    )


def _outward(inner: Span, outer: Span) -> Span:
    if outer.offsets is None or inner.end <= inner.start:
        return replace(outer, offsets=None)
    offsets = outer.offsets
    own = None if inner.offsets is None else tuple(offsets[one] for one in inner.offsets)
    first, last = offsets[inner.start], offsets[min(inner.end, len(offsets)) - 1]
    return replace(outer, start=first, end=last + 1, offsets=own)


def _refuse(texts: Texts, path: KeyPath, what: str, remedy: str) -> None:
    texts.problem(f"the schedule tree {what}", remedy, *path)


def _only(texts: Texts, path: KeyPath, known: tuple[str, ...]) -> None:
    for key in texts.document.get(*path):
        if key not in known:
            source_location = texts.document.key_place(*path, key)
            what = f"the schedule tree has {key!r}, which means nothing here"
            texts.problems.add(what, f"use one of {', '.join(known)}", source_location)


def _child(texts: Texts, path: KeyPath, domain: Any) -> Any:
    """The times below a node; without a child, times of no entries."""
    if "child" not in texts.document.get(*path):
        return _no_times(domain)
    return _times(texts, (*path, "child"), domain)


def _no_times(domain: Any) -> Any:
    return UnionMap.from_domain_and_range(domain, UnionMap("{ [] -> [] }").range())


def _times(texts: Texts, path: KeyPath, domain: Any) -> Any:
    """{ instance -> [time] } of the instances in `domain`, by the node at `path`."""
    node = texts.document.get(*path)
    kinds = [kind for kind in _KINDS if isinstance(node, dict) and kind in node]
    if len(kinds) != 1:
        what = f"has {shown(node)} where a node is needed"
        _refuse(texts, path, what, f"write a mapping with one of {', '.join(_KINDS)}")
        return UnionMap("{ }")
    kind = kinds[0]
    match kind:
        case "schedule":
            _only(texts, path, (kind, "child", *_SILENT))
            return _band(texts, path, domain)
        case "sequence" | "set":
            _only(texts, path, (kind,))
            return _sequence(texts, (*path, kind), domain)
        case "filter":
            _only(texts, path, (kind, "child"))
            return _filtered(texts, path, domain)
        case _:
            _only(texts, path, (kind, "child"))
            return _child(texts, path, domain)


def _text(texts: Texts, path: KeyPath) -> bool:
    if isinstance(texts.document.get(*path), str):
        return True
    _refuse(texts, path, f"has {shown(texts.document.get(*path))} here", "write isl text in quotes")
    return False


def _band(texts: Texts, path: KeyPath, domain: Any) -> Any:
    own = (*path, "schedule")
    times = texts.band(*own, what="a band of the schedule") if _text(texts, own) else None
    below = _child(texts, path, domain)
    if times is None:
        return below
    without = domain.subtract(times.domain())
    if not without.is_empty():
        _refuse(texts, own, f"gives no time in this band to {without.coalesce()}", "add them")
    return times.intersect_domain(domain).flat_range_product(below)


def _sequence(texts: Texts, path: KeyPath, domain: Any) -> Any:
    children = texts.document.get(*path)
    if not isinstance(children, list):
        _refuse(texts, path, f"has {shown(children)} here", "write a list of filters")
        return UnionMap("{ }")
    found = UnionMap("{ }")
    for position, child in enumerate(children):
        below = (*path, position)
        if not isinstance(child, dict) or "filter" not in child:
            _refuse(texts, below, "has a child without a filter", "begin it with filter")
            continue
        _only(texts, below, ("filter", "child"))
        times = _filtered(texts, below, domain)
        first = UnionMap.from_domain_and_range(
            times.domain(), UnionMap(f"{{ [{position}] -> [] }}").domain()
        )
        found = found.union(first.flat_range_product(times))
    return found


def _filtered(texts: Texts, path: KeyPath, domain: Any) -> Any:
    own = (*path, "filter")
    chosen = texts.union_set(*own, what="a filter of the schedule") if _text(texts, own) else None
    return _child(texts, path, domain if chosen is None else domain.intersect(chosen))


def _padded(times: Any, size: int) -> Any:
    own = times.range().tuple_dim()
    return times.apply_range(rearrangement(own, [*range(own), *["0"] * (size - own)]))
