"""The ghost of a stream: its beats counted a second time, in the coordinates of the program.

A ghost knows nothing of the address generator. Its steps are found from the list of all beats,
which the check makes from the program alone, and are compared with that list: whatever way they
were found, they go through exactly these beats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from hlsmem.check.formal.model.ghost_forms import Form, Forms, bits_of, form_text, number_text
from hlsmem.check.formal.model.point_conditions import Range, Region, exact_region, region
from hlsmem.core.lazy_dataclass import dataclass


class NoGhost(Exception):
    """The beats follow each other in a way that is not understood; says which."""


@dataclass(frozen=True, slots=True)
class Transition:
    """Coordinates of the next beat, where `when` holds."""

    when: Region
    onward: tuple[Form, ...]


@dataclass(frozen=True, slots=True)
class Ghost:
    """The beats of a stream as a machine: `name` begins the names of its registers."""

    name: str
    forms: Forms
    domain: Region
    transitions: tuple[Transition, ...]
    last: Region

    def text(self, form: Form, bits: int, suffix: str = "") -> str:
        return form_text(form, self.name, bits, suffix)


def make_ghost(name: str, points: np.ndarray) -> Ghost:
    """The ghost of beats at these points, in lexicographic order; raises NoGhost."""
    forms = Forms(points)
    change = points[1:] != points[:-1]
    if len(points) > 1 and not change.any(axis=1).all():
        raise NoGhost("two beats have the same coordinates")
    level = change.argmax(axis=1)
    by = (points[1:] - points[:-1])[np.arange(len(level)), level]
    if (by <= 0).any():
        raise NoGhost("its beats are not in the order of their coordinates")
    domain = exact_region(forms)
    if domain is None:
        raise NoGhost("its beats are no union of few boxes or octagons")
    transitions = []
    for at, step in sorted({(int(a), int(b)) for a, b in zip(level, by, strict=True)}):
        chosen = np.zeros(len(points), dtype=bool)
        chosen[:-1] = (level == at) & (by == step)
        transitions += _transitions(forms, chosen, at, step)
    last = np.zeros(len(points), dtype=bool)
    last[-1] = True
    ending = region(forms, last)
    assert ending is not None
    ghost = Ghost(name, forms, domain, tuple(transitions), ending)
    _compare(ghost)
    return ghost


def _transitions(forms: Forms, chosen: np.ndarray, at: int, step: int) -> list[Transition]:
    """The steps that move coordinate `at` by `step`; those inside it begin anew."""
    following = forms.points[np.flatnonzero(chosen) + 1]
    onward = [forms.coordinate(k) for k in range(at)]
    onward.append(forms.coordinate(at).plus(forms.number(step)))
    for inner in range(at + 1, forms.rank):
        form = forms.fitted(following[:, inner], chosen)
        if form is None:
            starts = np.unique(following[:, inner])
            if len(starts) in (1, *range(5, len(starts) + 1)) or inner != forms.rank - 1:
                raise NoGhost(f"loop {inner} of its beats does not begin at an affine place")
            found = []
            for start in starts.tolist():
                some = chosen.copy()
                some[np.flatnonzero(chosen)[following[:, inner] != start]] = False
                found += _transitions(forms, some, at, step)
            return found
        onward.append(form)
    when = region(forms, chosen)
    if when is None:
        raise NoGhost("where a loop of its beats goes on is no union of few boxes")
    return [Transition(when, tuple(onward))]


def _compare(ghost: Ghost) -> None:
    """The ghost's steps against the list, beat by beat."""
    points = ghost.forms.points
    for one in ghost.transitions:
        values = [ghost.forms.values(form) for form in one.onward]
        here = _holds(ghost.forms, one.when)[:-1]
        if not np.array_equal(np.stack(values, axis=1)[:-1][here], points[1:][here]):
            raise NoGhost("its steps do not lead from beat to beat")
    moves = np.zeros(len(points), dtype=int)
    for one in ghost.transitions:
        moves += _holds(ghost.forms, one.when)
    wanted = np.ones(len(points), dtype=int)
    wanted[-1] = 0
    if ghost.transitions and (moves != wanted).any():
        raise NoGhost("its steps do not lead from beat to beat")


def _holds(forms: Forms, where: Region) -> np.ndarray:
    result = np.zeros(len(forms.points), dtype=bool)
    for ranges in where:
        inside = np.ones(len(forms.points), dtype=bool)
        for one in ranges:
            values = forms.values(one.form)
            inside &= (values >= one.low) & (values <= one.high)
            inside &= (values - one.low) % one.stride == 0
        result |= inside
    return result


def region_text(ghost: Ghost, where: Region, bits: int) -> str:
    """The region as a Verilog condition on the ghost's coordinates."""
    texts = [" && ".join(_range_texts(ghost, ranges, bits)) or "1'b1" for ranges in where]
    return " || ".join(f"({text})" for text in texts) or "1'b0"


def _range_texts(ghost: Ghost, ranges: Sequence[Range], bits: int) -> Iterator[str]:
    for one in ranges:
        form = ghost.text(one.form, bits)
        low, high = number_text(one.low, bits), number_text(one.high, bits)
        if one.low == one.high:
            yield f"{form} == {low}"
            continue
        yield f"{form} >= {low}"
        yield f"{form} <= {high}"
        if one.stride > 1:
            yield f"({form} - {low}) % {number_text(one.stride, bits)} == 0"


def ghost_text(ghost: Ghost, load: str, step: str, bits: int) -> str:
    """The ghost as Verilog: its registers, as narrow as they can be, and how they step.

    `load` sets it up, `step` moves it on; `bits` holds everything it adds up.
    """
    name, forms = ghost.name, ghost.forms
    columns = {f"{name}_{k}": column for k, column in enumerate(forms.points.T)}
    columns |= {f"{name}_q{k}": column for k, column in enumerate(forms.columns)}
    lines = [f"reg signed [{bits_of(column) - 1}:0] {one};" for one, column in columns.items()]
    for k in range(forms.rank):
        text = f"{name}_{k}"
        for move in ghost.transitions:
            if move.onward[k] != forms.coordinate(k):
                when, value = region_text(ghost, move.when, bits), ghost.text(move.onward[k], bits)
                text = f"({when}) ? {value} : {text}"
        lines.append(f"wire signed [{bits - 1}:0] {name}_{k}_next = {text};")
    for number in range(len(forms.quotients)):
        lines += _next_quotient(ghost, number, bits)
    lines += [f"reg {name}_done;", "always @(posedge clk) begin", f"    if ({load}) begin"]
    lines += [f"        {one} <= {number_text(int(c[0]), bits)};" for one, c in columns.items()]
    lines += [
        f"        {name}_done <= 1'b0;",
        f"    end else if ({step} && ({region_text(ghost, ghost.last, bits)})) begin",
        f"        {name}_done <= 1'b1;",
        f"    end else if ({step}) begin",
    ]
    lines += [f"        {one} <= {one}_next;" for one in columns]
    lines += ["    end", "end"]
    return "\n".join(lines)


def _next_quotient(ghost: Ghost, number: int, bits: int) -> Iterator[str]:
    """The quotient of the next beat: of what it ever grows by, what leaves a remainder."""
    form, divisor = ghost.forms.quotients[number]
    column, name = ghost.forms.columns[number], f"{ghost.name}_q{number}"
    steps = np.unique(column[1:] - column[:-1]).tolist() or [0]
    value = ghost.text(form, bits, "_next")
    yield (
        f"wire signed [{bits - 1}:0] {name}_rest = {value} - {number_text(divisor, bits)} * {name};"
    )
    text = f"{name} + {number_text(steps[0], bits)}"
    for step in steps[1:]:
        least = number_text(divisor * step, bits)
        text = f"({name}_rest >= {least}) ? {name} + {number_text(step, bits)} : ({text})"
    yield f"wire signed [{bits - 1}:0] {name}_next = {text};"


def quotient_claims(ghost: Ghost, bits: int) -> Iterator[str]:
    """Claims on each quotient: the remainder is in range, and within bounds nothing overflows."""
    for number, (form, divisor) in enumerate(ghost.forms.quotients):
        name, column = f"{ghost.name}_q{number}", ghost.forms.columns[number]
        rest = f"({ghost.text(form, bits)} - {number_text(divisor, bits)} * {name})"
        least, most = (number_text(int(end), bits) for end in (column.min(), column.max()))
        yield (
            f"{rest} >= 0 && {rest} < {number_text(divisor, bits)}"
            f" && {name} >= {least} && {name} <= {most}"
        )
