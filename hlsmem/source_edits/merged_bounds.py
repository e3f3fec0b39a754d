"""The loops of a group of nests: bounds that hold all of them, and what guards each body."""

from __future__ import annotations

from collections.abc import Sequence

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.host_loops.symbolic_sizes import Scale
from hlsmem.source_edits.linear_text import c_text
from hlsmem.source_edits.merged_nests import Group


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """A loop of a group: its variable runs from `lower` to before `upper`.

    `guards` are the conditions under which the body of each nest runs, as C.
    """

    variable: str
    lower: QuasiPolynomial
    upper: QuasiPolynomial
    guards: tuple[tuple[str, ...], ...]

    @property
    def trips(self) -> QuasiPolynomial:
        return self.upper - self.lower


def bounds_of(group: Group, scale: Scale) -> tuple[Bounds, ...] | None:
    """The loops of a group, outermost first; None where sizes decide which nest begins or ends."""
    found = []
    for loop in range(group.depth):
        limits = group.limits(loop)
        if limits is None or _names(limits) & {n for one in group.nests for n in one.variables}:
            return None
        lower = _least([one for one, _ in limits], scale)
        upper = _least([-one for _, one in limits], scale)
        if lower is None or upper is None:
            return None
        variable = group.variables[loop]
        guards = tuple(_guards(variable, own, (lower, -upper)) for own in limits)
        found.append(Bounds(variable=variable, lower=lower, upper=-upper, guards=guards))
    return tuple(found)


def _guards(
    variable: str,
    own: tuple[QuasiPolynomial, QuasiPolynomial],
    whole: tuple[QuasiPolynomial, QuasiPolynomial],
) -> tuple[str, ...]:
    found = []
    if own[0] != whole[0]:
        found.append(f"{variable} >= {c_text(own[0])}")
    if own[1] != whole[1]:
        found.append(f"{variable} < {c_text(own[1])}")
    return tuple(found)


def _names(limits: Sequence[tuple[QuasiPolynomial, QuasiPolynomial]]) -> set[str]:
    return {name for pair in limits for one in pair for name in one.parameters()}


def _least(every: Sequence[QuasiPolynomial], scale: Scale) -> QuasiPolynomial | None:
    """The one that is at most each other for all sizes; None where there is none."""
    return next(
        (one for one in every if all(is_at_most(one, other, scale) for other in every)), None
    )


def is_at_most(one: QuasiPolynomial, other: QuasiPolynomial, scale: Scale) -> bool:
    """True if a quantity is at most another for all sizes."""
    gap = other - one
    known = gap.constant_value()
    if known is not None:
        return known >= 0
    return gap.parameters() <= set(scale.parameters) and scale.is_non_negative(gap)
