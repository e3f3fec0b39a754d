"""Predicate reads in a run, as columns of numpy and as C that tests them.

An instance's filter stands in a list of numbers as: its number, then for each entry how many
elements it looks at and the places of these. A second list of the same length gets what was seen:
whether the instance ran, for each entry whether it was looked at, and the values found. Entries are
looked at one behind the other, as long as what was found lets the instance run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np

from hlsmem.check.replayed.row_numbers import row_numbers
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.generated_loops import condition_in_c
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.polyhedra.sweep import contains
from hlsmem.program.model import Filter

_NONE = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class PredicateRead:
    """One entry of a filter: the elements that it looks at, in the order of instances.

    `owner` numbers the instance of each element, `word` is where that lies. `mark` and `at` are
    where the list has, for each instance of the filter, the entry, and for each element its place.
    """

    array: str
    owner: np.ndarray = field(compare=False)
    element: np.ndarray = field(compare=False)
    word: np.ndarray = field(default_factory=lambda: _NONE, compare=False)
    mark: np.ndarray = field(default_factory=lambda: _NONE, compare=False)
    at: np.ndarray = field(default_factory=lambda: _NONE, compare=False)

    @property
    def made(self) -> np.ndarray:
        return np.ones(len(self.element), dtype=bool)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterRows:
    """A filter of a statement: which of its instances it is for, and its entries."""

    number: int
    rows: np.ndarray = field(compare=False)
    predicate_reads: tuple[PredicateRead, ...]

    def asked(self, look: PredicateRead, seen: np.ndarray, instances: int) -> np.ndarray:
        """Mask of instances that read an entry; those that were settled before did not."""
        found = np.zeros(instances, dtype=bool)
        found[self.rows] = seen[look.mark] == 1
        return found


def filter_rows(
    number: int, given: Filter, values: Mapping[str, int], domain: Any, points: np.ndarray
) -> FilterRows:
    """A filter at parameter values; `points` are the instances of the statement, in `domain`."""
    instances = fix_parameters(given.value, values).domain().intersect(domain)
    predicate_reads, depth = [], points.shape[1]
    for access in given.accesses:
        relation = fix_parameters(access.relation, values).intersect_domain(instances)
        pairs = distinct_points(relation)
        owner = np.zeros(len(pairs), dtype=np.int64)
        if depth:
            numbers, count = row_numbers(np.concatenate([points, pairs[:, :depth]]))
            row = np.empty(count, dtype=np.int64)
            row[numbers[: len(points)]] = np.arange(len(points))
            owner = row[numbers[len(points) :]]
        order = np.argsort(owner, kind="stable")
        predicate_reads.append(
            PredicateRead(array=access.array, owner=owner[order], element=pairs[order, depth:])
        )
    rows = np.flatnonzero(contains(instances, points))
    return FilterRows(number=number, rows=rows, predicate_reads=tuple(predicate_reads))


def placed(
    filters: Sequence[FilterRows], instances: int, start: int
) -> tuple[tuple[FilterRows, ...], np.ndarray, np.ndarray]:
    """The filters of a statement in the list from `start` on, the place of each instance's, and
    the list. The place of an instance that no filter is for is -1.
    """
    place = np.full(instances, -1, dtype=np.int64)
    found, parts = [], [_NONE]
    for one in filters:
        many = len(one.rows)
        counts = [
            np.bincount(look.owner, minlength=instances)[one.rows] for look in one.predicate_reads
        ]
        sizes = 1 + sum((1 + count for count in counts), np.zeros(many, dtype=np.int64))
        at = np.cumsum(sizes) - sizes
        text = np.zeros(int(sizes.sum()), dtype=np.int64)
        text[at] = one.number
        place[one.rows] = start + at
        index = np.zeros(instances, dtype=np.int64)
        index[one.rows] = np.arange(many)
        mark, predicate_reads = at + 1, []
        for look, count in zip(one.predicate_reads, counts, strict=True):
            text[mark] = count
            first = np.cumsum(count) - count
            own = index[look.owner]
            word_at = mark[own] + 1 + np.arange(len(own)) - first[own]
            text[word_at] = look.word
            predicate_reads.append(replace(look, mark=start + mark, at=start + word_at))
            mark = mark + 1 + count
        found.append(replace(one, predicate_reads=tuple(predicate_reads)))
        parts.append(text)
        start += len(text)
    return tuple(found), place, np.concatenate(parts)


# Around the functions of `test_in_c`: what isl counts on. Bodies may have functions of these names.
ARITHMETIC = """\
#define floord(n, d) ((n) < 0 ? -((-(n) + (d) - 1) / (d)) : (n) / (d))
#define min(x, y) ((x) < (y) ? (x) : (y))
#define max(x, y) ((x) < (y) ? (y) : (x))"""
NO_ARITHMETIC = """\
#undef floord
#undef min
#undef max"""


def test_in_c(name: str, given: Filter, values: Mapping[str, int], loads: Sequence[str]) -> str:
    """A C function that says whether an instance at `at` runs, by its filter at `look`.

    What it sees goes to `saw`. `loads` are C for the value at a place, one for each entry, with
    {} for the place; they may name `store`, an array of uint64_t.
    """
    value = fix_parameters(given.value, values)
    depth, size = value.dim(DimType.in_), value.dim(DimType.out)
    points = value.wrap().flatten()
    lines = ["(void)at;", "(void)store;"]
    lines += ["const int64_t *own = look + 1;", "int64_t *found = saw + 1;"]
    for entry in range(size):
        known = points.project_out(DimType.set, depth + entry + 1, size - entry - 1)
        names = [*(f"at[{k}]" for k in range(depth)), *(f"v{k}" for k in range(entry + 1))]
        load = loads[entry].format(f"e{entry}[k]")
        lines += [
            f"const int64_t n{entry} = own[0], *const e{entry} = own + 1;",
            "found[0] = 1;",
            f"for (int64_t k = 0; k < n{entry}; k++)",
            f"    found[1 + k] = (int64_t){load};",
        ]
        lines += [f"for (int64_t k{k} = 0; k{k} < n{k}; k{k}++)" for k in range(entry + 1)]
        lines.append("{")
        for k in range(entry + 1):
            load = loads[k].format(f"e{k}[k{k}]")
            lines.append(f"    const int64_t v{k} = (int64_t){load}; (void)v{k};")
        lines += [f"    if (!({_condition(known, names)}))", "        return 0;", "}"]
        lines += [f"own += 1 + n{entry};", f"found += 1 + n{entry};"]
    body = "\n".join(f"    {line}" for line in [*lines, "return 1;"])
    arguments = "const int64_t *at, const int64_t *look, int64_t *saw, const uint64_t *store"
    return f"static int {name}({arguments})\n{{\n{body}\n}}"


def _condition(points: Any, names: Sequence[str]) -> str:
    """C that says whether a point lies in a set; `names` is C for its coordinates."""
    plain = [f"hlsmem_n{k}" for k in range(len(names))]
    text = condition_in_c(points, plain)
    for one, name in zip(reversed(plain), reversed(names), strict=True):
        text = text.replace(one, name)
    return text
