"""Values of elements that no access of a run shows, with which the filters give what ran.

Of `a[i] > 200 && b[i] > 100` C may leave out either test, and a run of the source says of an input
only which instances ran. Entries taken one by one do not tell: where one keeps an instance from
running, the others may have any value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import Any, NamedTuple

import numpy as np

from hlsmem.polyhedra.sweep import contains
from hlsmem.verification.outcomes import Choices
from hlsmem.verification.rows import row_numbers

# How many assignments to the elements that are tested together are tried.
_ASSIGNMENTS = 4096
# Elements further apart than this many tests are not taken as tested together.
_ROUNDS = 64


class Part(NamedTuple):
    """Where the elements of an entry stand: the array, and which of the lists of its looks."""

    array: str
    number: int


@dataclass(frozen=True, slots=True)
class Decided:
    """A filter each of whose entries looks at one element, and which of its instances ran.

    `allowed` has an instance and the values looked at; `points` has shape (instances, loops).
    """

    allowed: Any = field(compare=False)
    points: np.ndarray = field(compare=False)
    ran: np.ndarray = field(compare=False)
    parts: tuple[Part, ...]

    def agrees(self, values: np.ndarray, columns: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Of the instances `rows`, whether they run by these values as they did: bool."""
        asked = np.concatenate([self.points[rows], values[columns[rows]]], axis=1)
        same: np.ndarray = contains(self.allowed, asked) == self.ran[rows]
        return same


def fitted(
    tests: Sequence[Decided],
    elements: Mapping[str, Sequence[np.ndarray]],
    first: Mapping[str, np.ndarray],
    choices: Mapping[str, Choices],
) -> dict[str, np.ndarray]:
    """Of each array in `elements` a value for each look, the same for looks at one element.

    `elements` has the lists of looks of each array, shape (looks, dimensions) each; `first` has
    the values to begin with, for all of them one after the other. Where these do not agree with
    what ran, values at which a condition changes are tried for the elements that are tested
    together; those that still do not agree are as they were.
    """
    own = [one for one in tests if all(part.array in elements for part in one.parts)]
    numbers: dict[str, np.ndarray] = {}
    places: dict[str, list[np.ndarray]] = {}
    values: list[np.ndarray] = []
    for name, lists in elements.items():
        found, count = row_numbers(np.concatenate(lists))
        base = sum(len(one) for one in values)
        numbers[name] = base + found
        starts = np.cumsum([0, *map(len, lists)])
        places[name] = [base + found[a:b] for a, b in pairwise(starts)]
        start = np.zeros(count, dtype=np.int64)
        start[found] = first[name]
        values.append(start)
    value = np.concatenate([*values, np.zeros(0, dtype=np.int64)])
    columns = [np.stack([places[p.array][p.number] for p in one.parts], axis=1) for one in own]
    group = _groups(columns, len(value))
    every = [np.arange(len(one.points)) for one in own]
    if group is not None and not _of_groups(own, columns, every, group, value).all():
        limits = np.zeros((len(value), 2), dtype=np.int64)
        for name, one in numbers.items():
            limits[one] = (choices[name].low, choices[name].high)
        pool = {v for name in elements for v in (*choices[name].runs, *choices[name].stays)}
        _try(own, columns, group, value, limits, sorted(pool))
    return {name: value[one] for name, one in numbers.items()}


def _groups(columns: Sequence[np.ndarray], count: int) -> np.ndarray | None:
    """Of each element the least that is tested with it, directly or not; None if far apart."""
    group = np.arange(count)
    for _ in range(_ROUNDS):
        before = group.copy()
        for one in columns:
            least = group[one].min(axis=1, keepdims=True)
            np.minimum.at(group, one, np.broadcast_to(least, one.shape))
        if np.array_equal(group, before):
            return group
    return None


def _of_groups(
    tests: Sequence[Decided],
    columns: Sequence[np.ndarray],
    rows: Sequence[np.ndarray],
    group: np.ndarray,
    values: np.ndarray,
) -> np.ndarray:
    """Of each group, whether all of its instances among `rows` run as they did."""
    agree = np.ones(len(values), dtype=bool)
    for test, column, some in zip(tests, columns, rows, strict=True):
        np.logical_and.at(agree, group[column[some, 0]], test.agrees(values, column, some))
    return agree


def _try(
    tests: Sequence[Decided],
    columns: Sequence[np.ndarray],
    group: np.ndarray,
    value: np.ndarray,
    limits: np.ndarray,
    pool: Sequence[int],
) -> None:
    """Change `value` in groups that do not agree, where some assignment of the pool does."""
    every = [np.arange(len(one.points)) for one in tests]
    open_ = ~_of_groups(tests, columns, every, group, value)
    size = np.bincount(group, minlength=len(value))
    open_ &= float(len(pool)) ** size <= _ASSIGNMENTS
    if not open_.any():
        return
    order = np.argsort(group, kind="stable")
    rank = np.empty(len(value), dtype=np.int64)
    rank[order] = np.arange(len(value)) - np.searchsorted(group[order], group[order])
    for chosen in product(pool, repeat=int(size[open_].max())):
        rows = [np.flatnonzero(open_[group[column[:, 0]]]) for column in columns]
        mine = np.flatnonzero(open_[group])
        trial = value.copy()
        trial[mine] = np.clip(np.array(chosen)[rank[mine]], limits[mine, 0], limits[mine, 1])
        right = open_ & _of_groups(tests, columns, rows, group, trial)
        value[:] = np.where(right[group], trial, value)
        open_ &= ~right
        if not open_.any():
            return
