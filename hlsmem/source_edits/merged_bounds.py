"""The loops of a group of nests: bounds that hold all of them, and what guards each body."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.host_loops.symbolic_sizes import Scale
from hlsmem.source_edits.linear_text import c_text, replaced
from hlsmem.source_edits.merged_nests import Group
from hlsmem.source_edits.nests import Nest
from hlsmem.source_edits.text_structure import Plain, children_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """A loop of a group: its variable runs from `lower` to before `upper`.

    `guards` are the conditions, as C, under which the body of each nest runs, then those under
    which elements of each arrival come.
    """

    variable: str
    lower: QuasiPolynomial
    upper: QuasiPolynomial
    guards: tuple[tuple[str, ...], ...]

    @property
    def trips(self) -> QuasiPolynomial:
        return self.upper - self.lower

    def is_guarded(self, nests: int) -> bool:
        """True if the body of one of so many nests does not run in each iteration."""
        return any(self.guards[:nests])


def bounds_of(group: Group, scale: Scale) -> tuple[Bounds, ...] | None:
    """The loops of a group, outermost first; None where sizes decide which nest begins or ends,
    or where a variable is too narrow to count as far."""
    found = []
    for loop in range(group.depth):
        limits = group.limits(loop)
        if limits is None or _names(limits) & {n for one in group.nests for n in one.variables}:
            return None
        lower = least([one for one, _ in limits], scale)
        upper = least([-one for _, one in limits], scale)
        if lower is None or upper is None:
            return None
        own = group.nests[0].limits(loop)
        if (own is None or own[1] != -upper) and not _counts_to(
            group.nests[0], loop, -upper, scale
        ):
            return None
        variable = group.variables[loop]
        guards = tuple(_guards(variable, one, (lower, -upper)) for one in limits)
        found.append(Bounds(variable=variable, lower=lower, upper=-upper, guards=guards))
    return tuple(found)


def _counts_to(nest: Nest, loop: int, upper: QuasiPolynomial, scale: Scale) -> bool:
    """True if the variable of a loop holds a value that the text did not have it count to."""
    kind = nest.headers[loop].kind or _declared_kind(nest, loop)
    bits = next((bits for pattern, bits in _BITS if re.fullmatch(pattern, kind)), None)
    if bits is None:
        found = re.fullmatch(r"ap_(u?)int\s*<\s*(\d+)\s*>|(u?)int(\d+)_t", kind)
        if found is None:
            return False
        bits = int(found[2] or found[4]) - (not (found[1] or found[3]))
    return upper.evaluate(scale.values) < 1 << bits


_BITS = (
    (r"(?:signed\s+)?(?:int|long|long\s+int|long\s+long|long\s+long\s+int)|auto|ptrdiff_t", 31),
    (r"unsigned(?:\s+(?:int|long|long\s+int|long\s+long|long\s+long\s+int))?|(?:std::)?size_t", 32),
    (r"(?:signed\s+)?short(?:\s+int)?", 15),
    (r"unsigned\s+short(?:\s+int)?", 16),
    (r"(?:signed\s+)?char", 7),
    (r"unsigned\s+char", 8),
)
"""The bits of a variable's largest value, by its type."""


def _declared_kind(nest: Nest, loop: int) -> str:
    """The type of a variable that is declared in a statement around its loop."""
    name, text = nest.variables[loop], nest.file.text
    for block in reversed(nest.file.around(nest.loops[loop].start)):
        for one in children_of(block):
            if isinstance(one, Plain) and one.start < nest.loops[loop].start:
                own = text[one.start : one.stop]
                found = re.fullmatch(r"((?:\w+\s+)+)(?:\w+[^;]*?,\s*)??" + name + r"\b[^;]*;", own)
                if found is not None:
                    return found[1].strip()
    return ""


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


def least(every: Sequence[QuasiPolynomial], scale: Scale) -> QuasiPolynomial | None:
    """The quantity that is at most each other for all sizes; None where there is none."""
    return next(
        (one for one in every if all(is_at_most(one, other, scale) for other in every)), None
    )


def is_at_most(one: QuasiPolynomial, other: QuasiPolynomial, scale: Scale) -> bool:
    """True if a quantity is at most another for all sizes; names that are no parameters have their
    numbers."""
    numbers = {
        name: QuasiPolynomial.constant(value)
        for name, value in scale.values.items()
        if name not in scale.parameters
    }
    gap = replaced(other - one, numbers)
    known = gap.constant_value()
    if known is not None:
        return known >= 0
    return gap.parameters() <= set(scale.parameters) and scale.is_non_negative(gap)
