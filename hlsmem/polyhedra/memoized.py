"""Results that are kept, by the texts of the isl values that they are of."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import field
from functools import lru_cache, wraps
from typing import Any, TypeVar

import islpy as _isl

from hlsmem.core.lazy_dataclass import dataclass

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Argument:
    """An argument, and what it is told apart by: an isl value by its text."""

    key: Hashable
    value: Any = field(compare=False)


@dataclass(frozen=True, slots=True, eq=False)
class Itself:
    """An argument of work that is kept, told apart from others by being another object.

    >>> calls = []
    >>> @kept(8)
    ... def size(asked):
    ...     calls.append(asked)
    ...     return len(asked.value)
    >>> words = ["a"]
    >>> size(Itself(words)), size(Itself(words)), size(Itself(["a"]))
    (1, 1, 1)
    >>> len(calls)
    2
    """

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Itself) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


_VALUES = (_isl.Set, _isl.Map, _isl.UnionSet, _isl.UnionMap)

_forgetting: list[Callable[[], None]] = []


def forget() -> None:
    """Keep nothing of what came before, as if the process had just started."""
    for clear in _forgetting:
        clear()


def kept(most: int) -> Callable[[Callable[..., Result]], Callable[..., Result]]:
    """A decorator: what a function gave in its last so many different calls is kept.

    Its arguments are sets and maps of isl, and keys of dictionaries; its results must not be
    changed. Equal values with different texts are worked on once each: to find out that they are
    equal may take longer than the work.

    >>> calls = []
    >>> @kept(8)
    ... def size(points):
    ...     calls.append(points)
    ...     return points.count_val().to_python()
    >>> size(_isl.Set("{ [i] : 0 <= i < 5 }")), size(_isl.Set("{ [i] : 0 <= i <= 4 }"))
    (5, 5)
    >>> len(calls)
    1
    """

    def decorate(work: Callable[..., Result]) -> Callable[..., Result]:
        @lru_cache(most)
        def known(*arguments: _Argument) -> Result:
            return work(*(argument.value for argument in arguments))

        _forgetting.append(known.cache_clear)

        @wraps(work)
        def call(*arguments: Any) -> Result:
            return known(*(_Argument(_key(argument), argument) for argument in arguments))

        return call

    return decorate


def _key(argument: Any) -> Hashable:
    return str(argument) if isinstance(argument, _VALUES) else argument


@kept(4096)
def map_of(text: str) -> _isl.Map:
    """The map that a text says: to read one takes longer than to look for its text."""
    return _isl.Map(text)


@kept(4096)
def set_of(text: str) -> _isl.Set:
    """The set that a text says."""
    return _isl.Set(text)
