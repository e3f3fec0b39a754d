"""What plan.json says of the text that comes back: its order, and what holds each array there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.plan import (
    Plan,
    SourceArray,
    SourceHolding,
    SourceLine,
    SourceLines,
    SourceLoop,
    SourceText,
    program_text,
)
from hlsmem.planner.source_planning import Form, ReturnedSource
from hlsmem.read.filter_conditions import with_possible_writes
from hlsmem.source_edits.in_place import InPlace
from hlsmem.source_edits.line_buffers import LineBuffers
from hlsmem.source_edits.linear_text import replaced
from hlsmem.source_edits.merged_bounds import Bounds
from hlsmem.source_edits.merged_nests import Group

Numbers = Mapping[str, QuasiPolynomial]


def with_source(plan: Plan, found: ReturnedSource) -> Plan:
    """A plan with the order and the holdings of the text that comes back, where any of it does."""
    if not found.files or found.program is None:
        return plan
    held = {name: _holding(name, form, found) for name, form in found.forms.items()}
    arrays = {name: replace(one, source=held.get(name)) for name, one in plan.arrays.items()}
    own = found.program.arrays
    others = {
        name: SourceArray(
            element=own[name].element.name,
            bits=own[name].element.bits,
            index=own[name].index,
            extents=own[name].extents,
            held=one,
        )
        for name, one in held.items()
        if name not in plan.arrays
    }
    times = {} if found.merged is None else found.merged.statements
    text = SourceText(
        program=program_text(with_possible_writes(found.program), has_origins=True),
        times={one.name: str(one.schedule) for one in times},
        arrays=others,
    )
    return replace(plan, arrays=arrays, source=text)


def _holding(name: str, form: Form, found: ReturnedSource) -> SourceHolding:
    assert found.program is not None
    words = found.words[name]
    lines = [one for one in found.lines if one.array == name]
    return SourceHolding(
        form=form.form,
        words=words,
        bits=words * found.program.arrays[name].element.bits,
        mapping=form.mapping if isinstance(form, InPlace) else None,
        lines=tuple(_lines(one, found) for one in lines),
    )


def _lines(one: LineBuffers, found: ReturnedSource) -> SourceLines:
    group, numbers = one.group, found.numbers
    # The times of a nest that is not merged are those of the user's text.
    late = (0,) * group.depth if group.is_merged else group.shifts[0]
    arrival = next((own for own in group.arrivals if own.array.name == one.array), None)
    is_arriving = one.name_at is None and arrival is not None
    return SourceLines(
        statements=one.statements,
        loops=tuple(_loops(group, found.bounds[group], late, numbers)),
        lines=tuple(
            SourceLine(after=after, words=replaced(words, numbers)) for after, words in one.lines
        ),
        shift=tuple(a - b for a, b in zip(arrival.shift, late, strict=True))
        if is_arriving and arrival is not None
        else None,
    )


def _loops(
    group: Group, bounds: Sequence[Bounds], late: Sequence[int], numbers: Numbers
) -> list[SourceLoop]:
    """The loops of a group by the entries of its times, which are [s, i, s, j, ..] of the text, and
    [s, i, .., place, i, j, .., nest] where nests are merged."""
    outside, step = group.nests[0].depth, 1 if group.is_merged else 2
    return [
        SourceLoop(
            at=2 * outside + 1 + step * k,
            lower=replaced(one.lower - shift, numbers),
            upper=replaced(one.upper - shift, numbers),
        )
        for k, (one, shift) in enumerate(zip(bounds, late, strict=True))
    ]
