"""The question of `hlsmem rank --with`: two nests merged by number, iteration beside iteration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from itertools import product

from hlsmem.core.errors import InputError, Note, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import counted
from hlsmem.polyhedra import Map
from hlsmem.program.model import Program, Statement
from hlsmem.program.options import Design
from hlsmem.studies.ranks.instance_numbers import Ranking, total_at
from hlsmem.studies.ranks.loop_nest import LoopNest, nest_of, times_of
from hlsmem.studies.ranks.merged_c import merged_in_c
from hlsmem.studies.ranks.merged_order import Live, Order, live_between, order_of
from hlsmem.studies.ranks.question import named_statement, program_of, refuse_numbers
from hlsmem.verb import parameters_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """Two nests of a design with equal trip counts, merged by number.

    `everywhere`: the counts are equal for all parameters. `stands` is the nest in whose place the
    loops come, where others stand between.
    """

    program: Program = field(compare=False)
    first: LoopNest = field(compare=False)
    second: LoopNest = field(compare=False)
    form: str
    delay: int
    iterations: int
    everywhere: bool
    stands: str
    order: Order
    live: Live
    c: str


def ask_merged(
    design: Design, statement: str, other: str, *, form: str = "steps", delay: int = 0
) -> Merged:
    """The loops of the nest of `other` in which iteration K of that of `statement` runs before its
    own iteration K, or `delay` iterations later.

    Raises InputError where trip counts differ, a dependence runs against it, or the statements are
    not of two nests; LimitError where there is too much to be judged.
    """
    program = program_of(design).source
    chosen = [named_statement(program, name) for name in (statement, other)]
    first = nest_of(program, chosen[0])
    if chosen[1] in first.members:
        what = f"{other!r} stands in the nest of {statement!r}"
        raise InputError(
            Problem(what, "name a statement of another nest", chosen[1].source_location)
        )
    second = nest_of(program, chosen[1])
    iterations, everywhere = _trips(program, first, second)
    is_forward = _is_forward(first, second)
    stands = _place(program, first, second, is_forward=is_forward)
    order = order_of(program, first, second, is_forward=is_forward)
    _refuse_order(order, first, second, delay)
    live = live_between(program, first, second, delay=delay, is_forward=is_forward)
    found = Merged(
        program=program,
        first=first,
        second=second,
        form=form,
        delay=delay,
        iterations=iterations,
        everywhere=everywhere,
        stands=stands,
        order=order,
        live=live,
        c="",
    )
    return _with_c(found)


def _with_c(found: Merged) -> Merged:
    text = merged_in_c(
        found.program,
        found.first,
        found.second,
        by_roots=found.form == "roots",
        delay=found.delay,
        head=_head(found),
    )
    return replace(found, c=text)


def _head(found: Merged) -> list[str]:
    first, second = found.first.label, found.second.label
    values = parameters_text(found.program.values)
    where = "for all parameters" if found.everywhere else f"at {values} alone"
    later = f", {counted(found.delay, 'iteration')} later" if found.delay else ""
    pairs = counted(found.order.pairs, "pair") if found.order.pairs else "none"
    before, behind = (first, second) if found.order.is_forward else (second, first)
    at = f" at {values}" if values else ""
    lines = [
        f"{first} with {second} of {found.program.name}:"
        f" {counted(found.iterations, 'iteration')} each{at}",
        f"iteration K of {first} runs before iteration K of {second}{later}",
        f"dependences between them{at}: {pairs}",
        f"most values alive between them{at}: {found.live.merged};"
        f" {before}, then {behind}: {found.live.apart}",
        f"these loops stand where those of {found.stands} stood",
    ]
    if values:
        lines.insert(1, f"trip counts are equal {where}")
    return lines


def _trips(program: Program, first: LoopNest, second: LoopNest) -> tuple[int, bool]:
    """The iterations of both nests, and whether they are as many for all parameters.

    Raises InputError where they differ, LimitError where 64 bits cannot number them.
    """
    counts = [total_at(one.ranking, program.values) for one in (first, second)]
    for one, count in zip((first, second), counts, strict=True):
        refuse_numbers(one.ranking.statement, count)
    if counts[0] != counts[1]:
        values = parameters_text(program.values)
        what = f"the nest of {first.label!r} has {counted(counts[0], 'iteration')}, that of"
        what += f" {second.label!r} {counts[1]}{f' at {values}' if values else ''}"
        remedy = "choose parameters with which they have as many, see --param, or split the longer"
        raise InputError(Problem(what, remedy, second.ranking.statement.source_location))
    return counts[0], _same_count(first.ranking, second.ranking)


def _same_count(first: Ranking, second: Ranking) -> bool:
    """True if the difference of two counts is 0 wherever their parts meet."""
    return all(
        one.names == other.names and not (one.terms - other.terms).terms
        for one, other in product(first.total, second.total)
        if not one.where.is_disjoint(other.where)
    )


def _is_forward(first: LoopNest, second: LoopNest) -> bool:
    """True if the program runs the first nest before the second; InputError for side by side."""
    if first.whole.lex_ge_set(second.whole).is_empty():
        return True
    if first.whole.lex_le_set(second.whole).is_empty():
        return False
    what = f"the nests of {first.label!r} and {second.label!r} run side by side already"
    remedy = "give one a schedule behind the other"
    raise InputError(Problem(what, remedy, second.ranking.statement.source_location))


def _place(program: Program, first: LoopNest, second: LoopNest, *, is_forward: bool) -> str:
    """The nest in whose place the merged one stands; InputError where others forbid both."""
    early, late = (first, second) if is_forward else (second, first)
    between = [
        one
        for one in program.statements
        if one not in early.members and one not in late.members
        if not times_of(program, one).range().lex_ge_set(early.whole).is_empty()
        if not times_of(program, one).range().lex_le_set(late.whole).is_empty()
    ]
    behind = _dependent(program, early.members, between)
    ahead = _dependent(program, between, late.members)
    if behind is None:
        return late.label
    if ahead is None:
        return early.label
    what = f"{behind[1].name!r} stands between the nests of {early.label!r} and {late.label!r}:"
    what += f" it has to run behind {behind[0].name!r},"
    what += f" and {ahead[1].name!r} behind {ahead[0].name!r}"
    notes = (Note(f"{ahead[0].name!r} is here", ahead[0].source_location),)
    raise InputError(Problem(what, "name nests without such", behind[1].source_location, notes))


def _dependent(
    program: Program, early: Sequence[Statement], late: Sequence[Statement]
) -> tuple[Statement, Statement] | None:
    """The first statements of some with a dependence, for any parameters of the context."""
    for one, other in product(early, late):
        times = times_of(program, one), times_of(program, other)
        before = times[0].apply_range(Map.lex_lt(times[0].range().get_space()))
        before = before.apply_range(times[1].reverse())
        behind = (*other.sees, *other.writes)
        touching = (*product(one.writes, behind), *product(one.sees, other.writes))
        for mine, theirs in touching:
            if mine.array != theirs.array:
                continue
            pairs = mine.relation.apply_range(theirs.relation.reverse())
            if not pairs.intersect(before).is_empty():
                return one, other
    return None


def _refuse_order(order: Order, first: LoopNest, second: LoopNest, delay: int) -> None:
    """Raises InputError where a delay keeps not all dependences."""
    if order.allows(delay):
        return
    assert order.worst is not None, "only a pair is violated"
    pair = order.worst
    ends = (pair.first, pair.second) if order.is_forward else (pair.second, pair.first)
    what = f"{ends[0]} has to run before {ends[1]}, as both access {pair.element}"
    if not order.is_forward:
        remedy = f"ask for {second.label} --with {first.label}"
        if order.bound >= 0:
            remedy = f"let {second.label} be at most {order.bound} later: --delay {order.bound}"
    else:
        later = counted(order.bound, "iteration")
        remedy = f"let {second.label} run {later} later: --delay {order.bound}"
    notes = (Note(f"{first.label!r} is here", first.ranking.statement.source_location),)
    place = second.ranking.statement.source_location
    if delay:
        what = f"--delay {delay} is too {'little' if order.is_forward else 'much'}: {what}"
    raise InputError(Problem(what, remedy, place, notes))


def merged_document(found: Merged) -> dict[str, object]:
    """The same as a JSON value (hlsmem-rank-with/1)."""
    return {
        "format": "hlsmem-rank-with/1",
        "design": found.program.name,
        "params": dict(found.program.values),
        "statement": found.first.label,
        "with": found.second.label,
        "by": found.form,
        "delay": found.delay,
        "least_delay": found.order.least,
        "iterations": {"value": found.iterations, "all_params": found.everywhere},
        "pairs": found.order.pairs,
        "live": {"merged": found.live.merged, "apart": found.live.apart},
        "stands": found.stands,
        "c": found.c,
    }
