"""Chains and FIFOs: what passes through them in order, and where operands find it.

A chain shows an operand the element that was written a fixed number of elements before the newest;
a FIFO gives each element once, in the order of the writes. Whether they do is counted on a history:
one of all accesses that the program makes, or one of a real run.
"""

from __future__ import annotations

from dataclasses import field, replace

import numpy as np

from hlsmem.check.plans.plan_parts import Part, lanes_of, operand_text
from hlsmem.check.rebuilt.witness_text import named
from hlsmem.check.replayed.folded_memory import History, history_of
from hlsmem.check.replayed.run_events import Accesses, Run, only
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.polyhedra.sweep import contains, evaluate
from hlsmem.program.model import Order, Program, Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """The accesses to a part; `operand` is the place of each among the part's, -1 for writes.

    `accesses.instance` numbers the rows of `times` (int64, shape (accesses, time dimensions)).
    """

    accesses: Accesses = field(compare=False)
    operand: np.ndarray = field(compare=False)
    times: np.ndarray = field(compare=False)


def listed(program: Program, part: Part) -> Passage:
    """All accesses to a part that the program makes at the plan's parameters."""
    parts = []
    for statement in program.statements:
        domain = fix_parameters(statement.domain, program.values)
        schedule = fix_parameters(statement.schedule, program.values).intersect_domain(domain)
        for write, chosen in ((False, statement.reads), (True, statement.writes)):
            own = [access for access in chosen if access.array == part.name]
            for number, access in enumerate(own):
                relation = fix_parameters(access.relation, program.values).intersect_domain(domain)
                rows = distinct_points(relation)
                depth = relation.domain_tuple_dim()
                times = evaluate(schedule, rows[:, :depth])
                operand = np.full(len(rows), -1, dtype=np.int64)
                if not write:
                    operand = _numbers(program, statement, part, number, len(own), times)
                parts.append((np.full(len(rows), write), rows[:, depth:], operand, times))
    rank = len(program.arrays[part.name].index)
    none = np.zeros(0, dtype=np.int64)
    times = np.zeros((0, program.time_dimensions), dtype=np.int64)
    parts.append((none.astype(bool), np.zeros((0, rank), dtype=np.int64), none, times))
    written, element, operand, times = (
        np.concatenate([one[column] for one in parts]) for column in range(4)
    )
    accesses = Accesses(
        instance=np.arange(len(written)),
        write=written,
        element=element,
        bits=np.zeros(len(written), dtype=np.int64),
    )
    return Passage(accesses=accesses, operand=operand, times=times)


def recorded(
    program: Program,
    whole: Program,
    part: Part,
    run: Run,
    times: np.ndarray,
    accesses: Accesses,
) -> tuple[Passage, np.ndarray]:
    """Those of recorded accesses to a part's array that are the part's, and which they are.

    `program` is what ran, `whole` the program of which that may be the beginning. A read is that of
    every operand that reads its element in its instance.
    """
    written = np.flatnonzero(accesses.write)
    if part.takes is not None:
        taken = fix_parameters(part.takes, program.values)
        written = written[contains(taken, accesses.element[written])]
    rows, numbers = [written], [np.full(len(written), -1, dtype=np.int64)]
    for statement in program.statements:
        own = [access for access in statement.reads if access.array == part.name]
        if not own or statement.name not in run.statements:
            continue
        which = run.statements.index(statement.name)
        made = np.flatnonzero(~accesses.write & (run.statement[accesses.instance] == which))
        # Operands are worked out once an instance, which may read many of them.
        instances, place = np.unique(accesses.instance[made], return_inverse=True)
        points = run.iterators[instances, : run.depths[which]]
        domain = fix_parameters(statement.domain, program.values)
        for number, access in enumerate(own):
            relation = fix_parameters(access.relation, program.values).intersect_domain(domain)
            inside = contains(relation.domain(), points)
            reads = np.zeros((len(points), accesses.element.shape[1]), dtype=np.int64)
            reads[inside] = evaluate(relation, points[inside])
            same = inside[place]
            for column in range(reads.shape[1]):
                same &= reads[place, column] == accesses.element[made, column]
            same = np.flatnonzero(same)
            rows.append(made[same])
            host_times = times[accesses.instance[made[same]]]
            statement_of_all = next(s for s in whole.statements if s.name == statement.name)
            numbers.append(_numbers(whole, statement_of_all, part, number, len(own), host_times))
    chosen, operand = np.concatenate(rows), np.concatenate(numbers)
    order = np.argsort(chosen, kind="stable")
    chosen, operand = chosen[order], operand[order]
    found = replace(only(accesses, chosen), instance=np.arange(len(chosen)))
    passage = Passage(accesses=found, operand=operand, times=times[accesses.instance[chosen]])
    return passage, np.unique(chosen)


def _numbers(
    program: Program,
    statement: Statement,
    part: Part,
    number: int,
    several: int,
    times: np.ndarray,
) -> np.ndarray:
    """The place among the part's operands of read `number` of `several`, by the lanes of times."""
    stream = f"m_{part.array}_{statement.name}"
    own = sorted(
        (k for k, operand in enumerate(part.operands) if operand[0] == stream),
        key=lambda k: part.operands[k][1],
    )
    lanes = lanes_of(program, statement)
    first = program.step_dimensions
    found = np.full(len(times), own[number], dtype=np.int64)
    for place, lane in enumerate(lanes):
        if lane:
            inside = (times[:, first : first + len(lane)] == np.array(lane)).all(axis=1)
            found[inside] = own[place * several + number]
    return found


def passage_fault(
    program: Program, part: Part, passage: Passage, words: int | None, *, ends: bool = True
) -> str:
    """Why a chain or FIFO of so many words does not give its operands what they read; or "".

    A passage that does not end may leave values in a FIFO. Without `words` any number may wait.
    """
    none = np.zeros((0, len(program.arrays[part.name].index)), dtype=np.int64)
    history = history_of(program, passage.accesses, passage.times, live_in=none, live_out=none)
    lost = np.flatnonzero(~history.write & (history.source < 0))
    if len(lost):
        return f"{_element(part, history, int(lost[0]))} is read and was not written into it"
    if part.entry["taps"] is None:
        return _fifo_fault(program, part, passage, history, words, ends=ends)
    return _chain_fault(program, part, passage, history)


def _places(program: Program, passage: Passage, history: History) -> tuple[np.ndarray, np.ndarray]:
    """The writes in the order in which they enter, and for each event its place there (-1: none).

    Lanes of a beat enter side by side, the last one as the newest.
    """
    writes = np.flatnonzero(history.write)
    if program.lanes:
        first = program.step_dimensions
        lanes = list(range(first, first + len(program.lanes)))
        rest = [k for k in range(program.time_dimensions) if k not in lanes]
        times = passage.times[history.instance[writes]][:, [*rest, *lanes]]
        writes = writes[np.lexsort(times.T[::-1])]
    place = np.full(len(history.write), -1, dtype=np.int64)
    place[writes] = np.arange(len(writes))
    return writes, place


def _chain_fault(program: Program, part: Part, passage: Passage, history: History) -> str:
    writes, place = _places(program, passage, history)
    reads = np.flatnonzero(~history.write)
    # In a step the chain has taken its element before it is read; else writes come last.
    now = history.step[reads] + int(program.order is Order.ITERATION)
    newest = np.searchsorted(history.step[writes], now) - 1
    behind = newest - place[history.source[reads]]
    operand = passage.operand[history.instance[reads]]
    taps = np.array(part.entry["taps"], dtype=np.int64)[operand]
    wrong = np.flatnonzero(behind != taps)
    if not len(wrong):
        return ""
    one = int(wrong[0])
    return (
        f"{operand_text(part.operands[operand[one]])} reads "
        f"{_element(part, history, int(reads[one]))} {behind[one]} elements behind the newest, "
        f"its tap is {taps[one]}"
    )


def _fifo_fault(
    program: Program,
    part: Part,
    passage: Passage,
    history: History,
    words: int | None,
    *,
    ends: bool,
) -> str:
    writes, place = _places(program, passage, history)
    reads = np.flatnonzero(~history.write)
    # Operands of one beat that read the same element share the value that leaves.
    beats = np.stack([history.step[reads], history.element[reads]])
    reads = reads[np.sort(np.unique(beats, axis=1, return_index=True)[1])]
    order = place[history.source[reads]]
    if len(reads) > len(writes) or (ends and len(reads) < len(writes)):
        return f"a FIFO gives {len(writes)} values once, {len(reads)} are read"
    wrong = np.flatnonzero(order != np.arange(len(reads)))
    if len(wrong):
        one = int(wrong[0])
        element = _element(part, history, int(reads[one]))
        return f"{element} is number {order[one]} of the writes and number {one} of the reads"
    gone = np.searchsorted(history.step[reads], history.step[writes], side="right")
    waiting = int((np.arange(1, len(writes) + 1) - gone).max(initial=0))
    if words is not None and waiting > words:
        return f"{waiting} values wait at once, it has {words} words"
    return ""


def _element(part: Part, history: History, event: int) -> str:
    return named(part.array, history.elements[history.element[event]].tolist())
