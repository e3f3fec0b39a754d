"""Values that elements are promised to have: `arrays.m.values`, or a pragma in the C.

`#pragma hlsmem values m(0, M)` stands anywhere in the file; bounds are affine in parameters. One
promise may be made twice, two that differ are a problem.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from hlsmem.core.errors import Problems
from hlsmem.core.quasi_polynomial import QuasiPolynomial, parse_affine
from hlsmem.read.c import tree
from hlsmem.read.c.source_map import SourceMap
from hlsmem.read.c.trees import nodes_of
from hlsmem.read.c.trips import words_of

Ranges = Mapping[str, tuple[QuasiPolynomial, QuasiPolynomial]]

_HOW = "write #pragma hlsmem values m(0, M), with numbers and parameters"


def promised(
    root: Any,
    given: Ranges,
    parameters: Collection[str],
    source: SourceMap,
    problems: Problems,
) -> dict[str, tuple[QuasiPolynomial, QuasiPolynomial]]:
    """The least and the greatest values by names: those `given`, and those of pragmas."""
    found = dict(given)
    for node in nodes_of(root):
        words = words_of(node) if isinstance(node, tree.Pragma) else ""
        if not words.startswith("values"):
            continue
        source_location = source.place(node)
        one = _bounds(words, parameters)
        if isinstance(one, str):
            problems.add(f"#pragma hlsmem {words}: {one}", _HOW, source_location)
            continue
        name, low, high = one
        if found.setdefault(name, (low, high)) != (low, high):
            first, last = found[name]
            what = f"values of '{name}' are from {low} to {high} here, and from {first} to {last}"
            problems.add(what, "keep one of the two", source_location)
    return found


def _bounds(
    words: str, parameters: Collection[str]
) -> tuple[str, QuasiPolynomial, QuasiPolynomial] | str:
    """The name and the bounds in the words of a pragma, or what is wrong with them."""
    read = re.fullmatch(r"values\s+([A-Za-z_]\w*)\s*\(([^,]*),([^,]*)\)", words)
    if read is None:
        return "says no values"
    try:
        low, high = (parse_affine(text.strip(), parameters) for text in read.groups()[1:])
    except ValueError as error:
        return str(error)
    return read[1], low, high
