"""The constraints of a convex piece as integers, all read at once.

isl hands out factors one by one, which takes longer than what they are read for; printed as
a matrix they come together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import islpy as _isl

from hlsmem.core.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """factors . x + constant is 0 (`equal`), or at least 0."""

    equal: bool
    factors: tuple[int, ...]
    constant: int

    @property
    def form(self) -> list[int]:
        """The factors, and the constant last."""
        return [*self.factors, self.constant]


def rows(piece: Any) -> list[Row]:
    """The constraints of a basic set without integer divisions, as it has them.

    Factors are those of the dimensions, then those of the parameters.
    """
    printer = _isl.Printer.to_str(_isl.DEFAULT_CONTEXT)
    printer = printer.set_output_format(_isl.format.POLYLIB).print_basic_set(piece)
    _, *lines = printer.get_str().splitlines()
    found = []
    for line in lines:
        kind, *factors, constant = map(int, line.split())
        found.append(Row(kind == 0, tuple(factors), constant))
    return found


def lifted(piece: Any) -> Any:
    """A basic set of known integer divisions with these as further dimensions, at its end.

    Each has the one value that its definition gives: isl leaves conditions of it out where
    others imply that there is some value.
    """
    divisions = piece.dim(_isl.dim_type.div)
    if not divisions:
        return piece
    kind = _isl.dim_type
    size = piece.dim(kind.set)
    found = piece.lift().flatten()
    space = _isl.LocalSpace.from_space(found.get_space())
    places = [(kind.param, k, kind.param, k) for k in range(piece.dim(kind.param))]
    places += [(kind.in_, k, kind.in_, k) for k in range(size)]
    places += [(kind.div, k, kind.in_, size + k) for k in range(divisions)]
    for position in range(divisions):
        form = piece.get_div(position)
        divisor = form.get_denominator_val()
        rest = _isl.Aff.zero_on_domain(space)
        rest = rest.set_constant_val(form.get_constant_val().mul(divisor))
        for source, k, target, place in places:
            factor = form.get_coefficient_val(source, k).mul(divisor)
            rest = rest.set_coefficient_val(target, place, factor)
        rest = rest.set_coefficient_val(kind.in_, size + position, divisor.neg())
        for bound in (rest, rest.neg().add_constant_val(divisor.sub(_isl.Val(1)))):
            found = found.add_constraint(_isl.Constraint.inequality_from_aff(bound))
    return found


def plainly_within(inner: Sequence[Row], outer: Sequence[Row]) -> bool:
    """True if each of the outer constraints is one of the inner ones, or looser than one.

    Of sets in one space; says nothing where it does not hold.
    """
    known = {row.factors: row for row in inner}
    for row in outer:
        tighter = known.get(row.factors)
        if tighter is None or tighter.constant > row.constant:
            return False
        if row.equal and not (tighter.equal and tighter.constant == row.constant):
            return False
    return True
