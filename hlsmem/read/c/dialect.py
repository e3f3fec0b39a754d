"""Dialects of HLS: how each tool's pragmas are spelled, and where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import dialects


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """Spellings of a tool; an empty one is none that a page of its vendor shows.

    `marks` is a pattern of what texts of this dialect have, `interval` one of its pragmas for
    pipelines, with the number. `pipeline` takes {interval}, in cycles, and stands before the loop
    or first in its body. `dependence` takes {variable} and {distance},
    in iterations of the loop around it: no value is read earlier than that after its write.
    `partition` splits all dimensions of {variable} into registers, behind its declaration or before
    it. `depth` takes {variable} and {depth}, in elements of a stream. They are from `page`.
    """

    name: str
    page: str
    marks: str = ""
    interval: str = ""
    pipeline: str = ""
    is_before_loop: bool = True
    dependence: str = ""
    partition: str = ""
    is_before_declaration: bool = False
    depth: str = ""


PLAIN = "plain"


@cache
def all_dialects() -> Mapping[str, Dialect]:
    """Return the dialects by name."""
    modules = sorted(one.name for one in iter_modules(dialects.__path__))
    found = (import_module(f"{dialects.__name__}.{one}").DIALECT for one in modules)
    return {one.name: one for one in found}


def dialect_of(texts: Iterable[str]) -> Dialect:
    """Return the dialect of sources: that of the first mark in them, `plain` without any.

    >>> dialect_of(["#pragma HLS loop pipeline", "#pragma HLS PIPELINE II=1"]).name
    'smarthls'
    """
    known = all_dialects()
    for text in texts:
        found = [
            (mark.start(), one)
            for one in known.values()
            if one.marks and (mark := re.search(one.marks, text, re.MULTILINE))
        ]
        if found:
            return min(found, key=lambda one: one[0])[1]
    return known[PLAIN]


def interval_of(directive: str) -> int | None:
    """Return the initiation interval, in cycles, that a pragma asks for: 1 where it names none;
    None for other pragmas.

    >>> interval_of("#pragma HLS PIPELINE II=2"), interval_of("#pragma HLS loop pipeline II(3)")
    (2, 3)
    >>> interval_of("#pragma HLS PIPELINE off"), interval_of("#pragma ii 4")
    (None, 4)
    """
    text = " ".join(directive.split())
    for one in all_dialects().values():
        found = re.fullmatch(one.interval, text) if one.interval else None
        if found is not None:
            return int(found[1] or 1)
    return None
