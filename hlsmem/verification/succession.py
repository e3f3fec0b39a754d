"""Chains and FIFOs of long runs: what passes through them, by relations between times.

Nothing is listed. The writes follow each other by the relation `next`; applied d times to itself,
by squaring, it leads from a write to the one d later. An operand of tap d is right if that leads
from the write of what it reads to the newest write.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from hlsmem.polyhedra import Map
from hlsmem.polyhedra.extremes import lexmax, lexmin
from hlsmem.polyhedra.limits import WorkLimitError, within
from hlsmem.polyhedra.samples import first_point
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program import Access, Order, Program, Statement
from hlsmem.values import dataclass
from hlsmem.verification.parts import Part, operand_text

# Operations of isl for one part.
OPERATIONS = 20_000_000
# Parts of a relation; a rank that needs more is no simple loop.
_MOST_PIECES = 64


class NotFollowed(Exception):
    """The times are too complicated for relations; says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Flow:
    """The accesses to a part, by their times.

    `writes` (a set of times), `holds` { time of a write -> element }, `reads` per operand
    { time of a read -> element }.
    """

    writes: Any = field(compare=False)
    holds: Any = field(compare=False)
    reads: tuple[Any, ...] = field(compare=False)


def succession_fault(program: Program, part: Part, words: int | None) -> str:
    """Why a chain or FIFO of so many words does not give its operands what they read; or "".

    Without `words` any number may wait in a FIFO.

    For the plan's parameters, as `passing.passage_fault` counts it. Raises NotFollowed.
    """
    if program.lanes:
        raise NotFollowed("its loops are unrolled")
    try:
        return within(OPERATIONS, lambda _: _fault(program, part, words))
    except WorkLimitError:
        raise NotFollowed(f"more than {OPERATIONS} operations of isl") from None


def _fault(program: Program, part: Part, words: int | None) -> str:
    flow = _flow(program, part)
    if not flow.holds.is_single_valued():
        raise NotFollowed("several writes have one time")
    after = _pieces(lexmin(_pairs(flow.writes, flow.writes, Map.lex_lt)))
    if part.entry["taps"] is None:
        return _fifo_fault(program, flow, after, words)
    return _chain_fault(program, part, flow, after)


def _flow(program: Program, part: Part) -> _Flow:
    holds, reads = None, [None] * len(part.operands)
    for statement in program.statements:
        for access in statement.writes:
            if access.array == part.name:
                made = _by_time(program, statement, access)
                holds = made if holds is None else holds.union(made)
        own = [access for access in statement.reads if access.array == part.name]
        stream = f"m_{part.array}_{statement.name}"
        places = sorted(
            (k for k, operand in enumerate(part.operands) if operand[0] == stream),
            key=lambda k: part.operands[k][1],
        )
        for place, access in zip(places, own, strict=True):
            reads[place] = _by_time(program, statement, access)
    if holds is None or any(one is None for one in reads):
        raise NotFollowed("an operand has no reads")
    return _Flow(writes=holds.domain().coalesce(), holds=holds.coalesce(), reads=tuple(reads))


def _by_time(program: Program, statement: Statement, access: Access) -> Any:
    """{ time of an instance -> the element that it touches }."""
    domain = fix_parameters(statement.domain, program.values)
    schedule = fix_parameters(statement.schedule, program.values).intersect_domain(domain)
    relation = fix_parameters(access.relation, program.values).intersect_domain(domain)
    return schedule.reverse().apply_range(relation)


def _pairs(first: Any, second: Any, order: Any) -> Any:
    return order(first.get_space()).intersect_domain(first).intersect_range(second)


def _pieces(relation: Any) -> Any:
    found = relation.coalesce()
    if found.n_basic_map() > _MOST_PIECES:
        raise NotFollowed(f"a relation of more than {_MOST_PIECES} pieces")
    return found


def _source(flow: _Flow, read: Any) -> Any:
    """{ time of a read -> time of the last write of its element before it }."""
    same = read.apply_range(flow.holds.reverse())
    earlier = Map.lex_gt(flow.writes.get_space())
    return _pieces(lexmax(same.intersect(earlier)))


def _newest(program: Program, flow: _Flow, times: Any) -> Any:
    """{ time of a read -> time of the newest write that is in the chain then }.

    In a step the chain has taken its element before it is read; else writes come last.
    """
    if program.order is Order.SEQUENTIAL:
        return _pieces(lexmax(_pairs(times, flow.writes, Map.lex_gt)))
    order = _step_order(program, strict=False)
    return _pieces(lexmax(order.intersect_domain(times).intersect_range(flow.writes)))


def _step_order(program: Program, *, strict: bool) -> Any:
    """{ time -> times whose step is before, or at most, its own }."""
    size = program.time_dimensions
    steps = size if program.order is Order.SEQUENTIAL else program.step_dimensions
    names, others = [f"t{k}" for k in range(size)], [f"u{k}" for k in range(size)]
    cases = []
    for k in range(steps):
        same = [f"{others[j]} = {names[j]}" for j in range(k)]
        cases.append(" and ".join([*same, f"{others[k]} < {names[k]}"]))
    if not strict:
        cases.append(" and ".join(f"{others[j]} = {names[j]}" for j in range(steps)))
    text = " or ".join(f"({case})" for case in cases)
    return Map(f"{{ [{', '.join(names)}] -> [{', '.join(others)}] : {text} }}")


class _Powers:
    """`next` applied to itself: powers of two are kept."""

    def __init__(self, after: Any) -> None:
        self.squares = [after]

    def moved(self, relation: Any, distance: int) -> Any:
        """The relation with its targets so many writes later."""
        bit = 0
        while distance >> bit:
            if len(self.squares) <= bit:
                last = self.squares[-1]
                self.squares.append(_pieces(last.apply_range(last)))
            if distance >> bit & 1:
                relation = _pieces(relation.apply_range(self.squares[bit]))
            bit += 1
        return relation


def _chain_fault(program: Program, part: Part, flow: _Flow, after: Any) -> str:
    powers = _Powers(after)
    for operand, read, tap in zip(part.operands, flow.reads, part.entry["taps"], strict=True):
        source = _source(flow, read)
        missing = read.domain().subtract(source.domain())
        if not missing.is_empty():
            return f"{operand_text(operand)} is read at {_point(missing)} and was not written"
        newest = _newest(program, flow, read.domain())
        wrong = newest.subtract(powers.moved(source, tap))
        if not wrong.is_empty():
            return (
                f"{operand_text(operand)} at {_point(wrong.domain())} does not read "
                f"{tap} elements behind the newest, its tap"
            )
    return ""


def _fifo_fault(program: Program, flow: _Flow, after: Any, words: int | None) -> str:
    (read,) = flow.reads
    source = _source(flow, read)
    missing = read.domain().subtract(source.domain())
    if not missing.is_empty():
        return f"it is read at {_point(missing)}, and that was not written into it"
    if not source.is_injective():
        return "a value is read twice"
    left = flow.writes.subtract(source.range())
    if not left.is_empty():
        return f"what is written at {_point(left)} is never read"
    times = read.domain()
    turned = source.reverse().apply_range(_pairs(times, times, Map.lex_lt)).apply_range(source)
    turned = turned.intersect(Map.lex_ge(flow.writes.get_space()))
    if not turned.is_empty():
        return f"what is written at {_point(turned.domain())} is read out of order"
    if words is None:
        return ""
    full = _Powers(after).moved(source, words).intersect(_step_order(program, strict=True))
    if not full.is_empty():
        return f"more than {words} values wait at {_point(full.range())}"
    return ""


def _point(times: Any) -> str:
    return str(list(first_point(times, {}).coordinates))
