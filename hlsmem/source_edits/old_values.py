"""Values of earlier iterations in registers and lines, each line read once and written once in one.

A tap is how many iterations a value is old when it is read. A chain has the taps in order: a gap
of few iterations are registers, a wider one a line of as many words. In rows, each line is as long
as the innermost loop, whose variable indexes it, and registers follow each row: no counter, some
words more.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.host_loops.symbolic_sizes import Scale
from hlsmem.read.c.dialect import Dialect
from hlsmem.source_edits.edits import Edit
from hlsmem.source_edits.linear_text import c_text
from hlsmem.source_edits.merged_bounds import Bounds, is_at_most
from hlsmem.source_edits.user_arrays import UserFile

Gap = tuple[int, ...]
"""Iterations of each loop, outermost first, between two of the innermost."""

Line = tuple[int, QuasiPolynomial]
"""What a line has the values of, by number, and its words."""

_MORE, _WORDS_MORE = 1.1, 16
"""How many times the words of a chain rows may have, or how many words more."""
_MOST_ROWS, _MOST_REGISTERS = 16, 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """The way in which lines are written: `lines` is auto, rows or ring; `taken` are names that
    other lines have."""

    scale: Scale
    dialect: Dialect
    lines: str = "auto"
    taken: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class OldValues:
    """Variables that hold values by their gaps; `now` is the value of this iteration.

    `lines` are its registers and lines, each with the number of what it has the values of and its
    words: 0 is the value of this iteration. `words` are those of all, `distances` the iterations
    from a write of each line with a counter to the read of its value.
    """

    now: str
    values: Mapping[Gap, str]
    declarations: tuple[str, ...]
    loads: tuple[str, ...]
    moves: tuple[str, ...]
    lines: tuple[Line, ...]
    words: QuasiPolynomial
    distances: Mapping[str, QuasiPolynomial] = field(default_factory=dict)

    def reads(self, gaps: Mapping[tuple[int, int], Gap]) -> list[Edit]:
        """Edits that take values from there, by the bytes of accesses."""
        return [Edit(start, stop, self.values[gap]) for (start, stop), gap in gaps.items()]


def old_values(
    array: str,
    file: UserFile,
    bounds: Sequence[Bounds],
    gaps: Collection[Gap],
    kind: str,
    style: Style,
) -> OldValues | None:
    """What holds values of `kind`, read at `gaps`; None where sizes decide on the order of taps."""
    scale = style.scale
    chain = _chain(Names(array, file, style.taken), bounds, set(gaps), kind, scale)
    rows = _rows(Names(array, file, style.taken), bounds, set(gaps), kind)
    if chain is None or rows is None or style.lines == "ring":
        return chain
    few = chain.words.evaluate(scale.values), rows.words.evaluate(scale.values)
    is_near = few[1] <= max(_MORE * few[0], few[0] + _WORDS_MORE)
    return rows if style.lines == "rows" or is_near else chain


def _chain(
    names: Names, bounds: Sequence[Bounds], gaps: set[Gap], kind: str, scale: Scale
) -> OldValues | None:
    taps = {gap: _iterations(gap, bounds) for gap in gaps}
    order = _sorted(set(taps.values()), scale)
    if order is None:
        return None
    inner, plain, zero = bounds[-1], automatic(kind), QuasiPolynomial.constant(0)
    now, before = names.free("now"), zero
    values = {zero: now}
    declarations, loads, moves, counters = list[str](), list[str](), list[str](), dict[str, str]()
    distances = dict[str, QuasiPolynomial]()
    previous, lines, held = now, 0, list[Line]()
    for number, tap in enumerate(_with_registers(order)[1:], 1):
        name, gap = names.free(str(number)), tap - before
        held.append((number - 1, gap))
        if gap.constant_value() == 1:
            declarations.append(f"{kind} {name} = 0;")
            moves.append(f"{name} = {previous};")
        else:
            line, lines = names.free(f"line{lines}"), lines + 1
            declarations.append(f"{kind} {line}[{c_text(gap)}];")
            at = column(inner)
            if gap != inner.trips:
                distances[line] = gap
                at = counters.setdefault(c_text(gap), names.free(f"at{len(counters) or ''}"))
            loads.append(f"const {plain} {name} = {line}[{at}];")
            moves.append(f"{line}[{at}] = {previous};")
        values[tap] = previous = name
        before = tap
    moves.reverse()
    for size, at in counters.items():
        declarations.append(f"{'static ' * (plain != kind)}int {at} = 0;")
        moves.append(f"{at} = {at} + 1 < {size} ? {at} + 1 : 0;")
    return OldValues(
        now=now,
        values={gap: values[tap] for gap, tap in taps.items()},
        declarations=tuple(declarations),
        loads=tuple(loads),
        moves=tuple(moves),
        lines=tuple(held),
        words=before,
        distances=distances,
    )


def _with_registers(order: Sequence[QuasiPolynomial]) -> list[QuasiPolynomial]:
    """Taps from 0 on, with those between two that are few iterations apart."""
    found = [QuasiPolynomial.constant(0)]
    for tap in order:
        gap = (tap - found[-1]).constant_value()
        between = range(1, int(gap)) if gap is not None and gap <= _MOST_REGISTERS else ()
        first = found[-1]
        found += [first + k for k in between]
        found += [tap] if tap != first else []
    return found


def _rows(names: Names, bounds: Sequence[Bounds], gaps: set[Gap], kind: str) -> OldValues | None:
    """Values in lines of a row each; None where they are not some columns of few rows."""
    if len(bounds) < 2 or not gaps or any(any(one[:-2]) or min(one) < 0 for one in gaps):
        return None
    last = max(one[-2] for one in gaps)
    columns = [
        max((one[-1] for one in gaps if one[-2] == row), default=0) for row in range(last + 1)
    ]
    if not 0 < last <= _MOST_ROWS or max(columns) > _MOST_REGISTERS:
        return None
    plain, at = automatic(kind), column(bounds[-1])
    now = names.free("now")
    declarations, loads, moves = list[str](), list[str](), list[str]()
    values, head, number, held = {}, now, 0, list[Line]()
    top, one = 0, QuasiPolynomial.constant(1)
    outside = (0,) * (len(bounds) - 2)
    for row in range(last + 1):
        if row:
            number += 1
            held.append((top, bounds[-1].trips))
            top = number
            line, name = names.free(f"line{row - 1}"), names.free(str(number))
            declarations.append(f"{kind} {line}[{c_text(bounds[-1].trips)}];")
            loads.append(f"const {plain} {name} = {line}[{at}];")
            moves.append(f"{line}[{at}] = {head};")
            head = name
        values[*outside, row, 0] = previous = head
        for late in range(1, columns[row] + 1):
            held.append((number if late > 1 else top, one))
            number += 1
            name = names.free(str(number))
            declarations.append(f"{kind} {name} = 0;")
            moves.append(f"{name} = {previous};")
            values[*outside, row, late] = previous = name
    return OldValues(
        now=now,
        values=values,
        declarations=tuple(declarations),
        loads=tuple(loads),
        moves=tuple(reversed(moves)),
        lines=tuple(held),
        words=bounds[-1].trips * last + sum(columns),
    )


def column(inner: Bounds) -> str:
    """The number of an iteration of the innermost loop, from 0."""
    return c_text(QuasiPolynomial.parameter(inner.variable) - inner.lower)


def automatic(kind: str) -> str:
    """The type of a variable that lives in a body alone.

    >>> automatic("static const int")
    'const int'
    """
    return re.sub(r"\bstatic\s+", "", kind)


def _iterations(gap: Gap, bounds: Sequence[Bounds]) -> QuasiPolynomial:
    """How many iterations of the innermost loop a gap is."""
    total = QuasiPolynomial.constant(0)
    for one, loop in zip(gap, bounds, strict=True):
        total = total * loop.trips + one
    return total


def _sorted(taps: set[QuasiPolynomial], scale: Scale) -> list[QuasiPolynomial] | None:
    """Taps in order, each at least one iteration behind that before; None where sizes decide."""
    found = list[QuasiPolynomial]()
    left = set(taps)
    while left:
        first = next(
            (one for one in left if all(is_at_most(one, other, scale) for other in left)), None
        )
        if first is None or not is_at_most(
            found[-1] + 1 if found else QuasiPolynomial.constant(0), first, scale
        ):
            return None
        found.append(first)
        left.remove(first)
    return found


class Names:
    """Names made of that of an array, none of which the file has, or another line."""

    def __init__(self, array: str, file: UserFile, taken: frozenset[str]) -> None:
        self.name = array
        self.taken = set(file.words | taken)

    def alone(self, name: str) -> str:
        """The name, or one with a number behind it."""
        found = next(one for k in range(10_000) if (one := name + str(k or "")) not in self.taken)
        self.taken.add(found)
        return found

    def free(self, suffix: str) -> str:
        """The name of the array with something behind it, or another."""
        name = f"{self.name}_{suffix}"
        if name in self.taken:
            name = next(one for k in range(1, 10_000) if (one := f"{name}_w{k}") not in self.taken)
        self.taken.add(name)
        return name
