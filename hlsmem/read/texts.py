"""The isl texts of a document, read with the design's parameters and with places."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from hlsmem.core.errors import InputError, Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial, parse_quasi_polynomial
from hlsmem.core.source_location import SourceLocation
from hlsmem.polyhedra.extremes import first_point
from hlsmem.polyhedra.isl_text import (
    parse_band,
    parse_map,
    parse_set,
    parse_union_map,
    parse_union_set,
)
from hlsmem.polyhedra.merged_pieces import merged
from hlsmem.polyhedra.sets import with_parameters
from hlsmem.read.document import Document
from hlsmem.read.parameter_values import Parameters

_PLAIN_TUPLE = re.compile(r"(?:^|\W)(\w+)\s*\[([^\[\]]*)\]|\[([^\[\]]*)\]")
_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class Texts:
    """Readers of the texts at a path of `document`.

    Each gives None where the text is wrong, and puts the reason into `problems`. Values
    carry exactly the parameters of the design and are not restricted to the context; what
    lists its points becomes polyhedra where it can.
    """

    document: Document
    parameters: Parameters
    problems: Problems

    def set(self, *path: str | int, what: str) -> Any:
        """The Set in the text at `path`."""
        return self._read(parse_set, path, what)

    def union_set(self, *path: str | int, what: str) -> Any:
        """The UnionSet in the text at `path`."""
        return self._read(parse_union_set, path, what)

    def map(self, *path: str | int, what: str) -> Any:
        """The Map in the text at `path`."""
        return self._read(parse_map, path, what)

    def union_map(self, *path: str | int, what: str) -> Any:
        """The UnionMap in the text at `path`."""
        return self._read(parse_union_map, path, what)

    def band(self, *path: str | int, what: str) -> Any:
        """The UnionMap from instances to times of the band of a schedule tree at `path`."""
        return self._read(parse_band, path, what)

    def quantity(self, *path: str | int, what: str) -> QuasiPolynomial | None:
        """The Quantity in the integer or expression at `path`."""
        content = self.document.get(*path)
        if isinstance(content, int):
            return QuasiPolynomial.constant(content)
        try:
            found = parse_quasi_polynomial(content)
        except ValueError as error:
            self.problem(f"{what}: {error}", "write it like N/2 + 1", *path)
            return None
        unknown = sorted(found.parameters() - set(self.parameters.names))
        if unknown:
            known = ", ".join(self.parameters.names) or "none"
            remedy = f"add it to params; the parameters are: {known}"
            self.problem(f"{what} uses {unknown[0]!r}, which is no parameter", remedy, *path)
            return None
        return found

    def place(self, *path: str | int) -> SourceLocation:
        """The place of the value at `path`."""
        return self.document.place(*path)

    def problem(self, what: str, remedy: str, *path: str | int) -> None:
        """Note a problem of the value at `path`."""
        self.problems.add(what, remedy, self.place(*path))

    def _read(self, parse: Callable[..., Any], path: tuple[str | int, ...], what: str) -> Any:
        text = self.document.get(*path)
        span = self.document.span(*path)
        names = self.parameters.names
        try:
            found = parse(text, parameters=names, source_location=span, what=what)
            return with_parameters(merged(found), names)
        except InputError as error:
            self.problems.extend(error)
            return None


def example_of(points: Any, parameters: Parameters) -> str:
    """A point of a named set that is not empty, as isl writes it: "S[0,3] at N=8"."""
    inside = points.intersect_params(parameters.context)
    found = first_point(inside, parameters.values)
    entries = ",".join(map(str, found.coordinates))
    at = ", ".join(f"{name}={value}" for name, value in found.parameters.items())
    where = f" at {at}" if at else ""
    return f"{points.get_tuple_name()}[{entries}]{where}"


def index_names(text: str, tuple_name: str, dimensions: int) -> tuple[str, ...] | None:
    """The names of the coordinates of `tuple_name` in isl text, where they are plain names.

    An anonymous tuple is looked for with the name "". None where an entry is an
    expression, a name stands twice, or there is no such tuple with that many entries.

    >>> index_names("[N] -> { S[i,j] -> A[j,i]; S[i,j] -> B[i + 1] }", "A", 2)
    ('j', 'i')
    """
    for found in _PLAIN_TUPLE.finditer(text[text.find("{") + 1 :]):
        name, entries = (found[1], found[2]) if found[1] else ("", found[3])
        if name != tuple_name:
            continue
        names = tuple(entry.strip() for entry in entries.split(",")) if entries.strip() else ()
        plain = all(_NAME.fullmatch(entry) for entry in names)
        if plain and len(set(names)) == len(names) == dimensions:
            return names
        return None
    return None


def default_index(dimensions: int) -> tuple[str, ...]:
    """i0, i1, .."""
    return tuple(f"i{position}" for position in range(dimensions))
