"""Rewrites that bring a text to where it runs; a place has those that it went through.

`at` is where one stands: the call, the loop, the statement. Places are those of whoever uses it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Generic, TypeVar

from hlsmem.core.lazy_dataclass import dataclass

Location = TypeVar("Location")


@dataclass(frozen=True, slots=True)
class Inlined(Generic[Location]):
    """The text of `function` in the place of a call; its `name` where it was one of C.

    >>> str(Inlined("scale<3>", "k.cpp:3:9"))
    'in scale<3>, called from here'
    """

    function: str
    at: Location
    name: str = ""

    def __str__(self) -> str:
        return f"in {self.function}, called from here"


@dataclass(frozen=True, slots=True)
class Unrolled(Generic[Location]):
    """The body of a loop, written for one value of its variable.

    >>> str(Unrolled("i", 3, "k.cpp:3:9"))
    'unrolled from here, i = 3'
    """

    variable: str
    value: int
    at: Location

    def __str__(self) -> str:
        return f"unrolled from here, {self.variable} = {self.value}"


@dataclass(frozen=True, slots=True)
class Moved(Generic[Location]):
    """A text that runs beside another statement than it was written in, or past its loop.

    >>> str(Moved("k.cpp:3:9"))
    'moved past this'
    """

    at: Location

    def __str__(self) -> str:
        return "moved past this"


Rewrite = Inlined[Location] | Unrolled[Location] | Moved[Location]


def rewritten_at(rewrite: Rewrite[Any], at: Location) -> Rewrite[Location]:
    """Return a rewrite with another place.

    >>> rewritten_at(Moved(1), 2)
    Moved(at=2)
    """
    return replace(rewrite, at=at)
