"""Values of index variables: numbers as expressions, pointers as an array and an offset."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.c_text import is_same_text
from hlsmem.read.c.normal.scalars.linear_sums import Linear, linear, simplified
from hlsmem.read.c.operations import binary, indexed
from hlsmem.read.c.trees import fresh, integer, used_names

# Names that stand for what a variable held before: C has none with a space.
MARK = "at the start of the turn: "
GIVEN = "as given: "  # what a parameter of the function is before it is stepped


def plain(own: str) -> str:
    """The variable of a name that stands for what it held."""
    return own.removeprefix(MARK).removeprefix(GIVEN)


@dataclass(frozen=True, slots=True)
class Pointer:
    """The elements from `offset` on of the array, row or variable `base`.

    A variable whose address is taken is no array: its only element is 0.
    """

    base: Any
    offset: Any
    is_array: bool = True

    def element(self, subscript: Any, place: Any) -> Any | None:
        """The element `subscript` behind it; None where there is none."""
        index = simplified(_sum(self.offset, subscript, place))
        if self.is_array:
            return indexed(fresh(self.base, place), fresh(index, place), place)
        whole = linear(index)
        return fresh(self.base, place) if whole.is_constant() and not whole.constant else None


@dataclass(frozen=True, slots=True)
class Cyclic:
    """A variable that goes on by `step` in each iteration, modulo `modulus`."""

    step: int
    modulus: int

    def value(self, start: Any, turns: Any) -> Any | None:
        """Its value after some iterations; None where it does not start in its range."""
        first = linear(start)
        if not first.is_constant() or not 0 <= first.constant < self.modulus:
            return None
        whole = first.plus(linear(turns), self.step).node(turns.place)
        return binary("%", whole, integer(self.modulus, turns.place), turns.place)


@dataclass(frozen=True, slots=True)
class Cut:
    """A step that an iteration makes only where some sums are all none below 0."""

    holds: tuple[Linear, ...]
    step: Linear


Value = Any  # an expression of a number, or a Pointer
# What is known at a place, of the variables there; None where that is nothing.
Environment = dict[str, Value | None]


@lru_cache(maxsize=256)  # the same few values are asked at every statement
def names_in(value: Value) -> frozenset[str]:
    """The names of which a value is made."""
    if isinstance(value, Pointer):
        return used_names(value.base) | used_names(value.offset)
    return used_names(value)


def same_value(left: Value | None, right: Value | None) -> bool:
    if left is right or left is None or right is None:
        return left is right
    if isinstance(left, Pointer) or isinstance(right, Pointer):
        if not isinstance(left, Pointer) or not isinstance(right, Pointer):
            return False
        return same_value(left.base, right.base) and same_value(left.offset, right.offset)
    return is_same_text(left, right)


def _sum(left: Any, right: Any, place: Any) -> Any:
    if isinstance(left, tree.Constant) and left.value == "0":
        return right
    return binary("+", left, right, place)
