"""Stages of a pipeline: which values are computed between which registers, by a model of delays."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.datapath.values import (
    Add,
    And,
    Choose,
    Constant,
    Equal,
    Foreign,
    Less,
    Lookup,
    Multiply,
    Operand,
    Or,
    ShiftBy,
    ShiftLeft,
    ShiftRight,
    Subtract,
    Value,
    Wrap,
    Xor,
)
from hlsmem.datapath.widths import in_order

MULTIPLIER_STAGES = 2
"""The registers of `hlsmem_multiply`."""


def registers_in(one: Value) -> int:
    """Return the registers between the operands of a node and its result."""
    match one.operation:
        case Multiply():
            return MULTIPLIER_STAGES
        case Foreign():
            return one.operation.latency
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Delays:
    """Delays in nanoseconds, each with one route in front; those of an ECP5 of speed grade 6.

    A sum or a comparison of w bits takes `carry` + w * `carry_bit`. `tables` are those of tables
    in LUTs of up to so many words, `equals` those of comparisons of up to so many bits.
    """

    carry: float = 1.9
    carry_bit: float = 0.035
    equals: tuple[tuple[int, float], ...] = ((4, 1.2), (16, 2.2), (64, 3.2))
    logic: float = 1.2
    shift: float = 3.4
    tables: tuple[tuple[int, float], ...] = ((16, 1.2), (64, 2.4), (256, 3.8))
    table_doubling: float = 1.4
    setup: float = 0.9
    register: float = 0.5
    stream: float = 2.5
    multiplier_in: float = 0.6
    multiplier_out: float = 2.0

    def of(self, one: Value, widths: Mapping[int, int]) -> float:
        """Return the delay of a node that is no product."""
        bits = widths[one.number]
        match one.operation:
            case Add() | Subtract():
                return self.carry + self.carry_bit * bits
            case Less() if one.operands[1].constant == 0:  # the sign bit
                return 0.0
            case Less():
                return self.carry + self.carry_bit * max(widths[o.number] for o in one.operands)
            case Equal():
                own = max(widths[o.number] for o in one.operands)
                return next(delay for most, delay in self.equals if own <= most or most == 64)
            case Choose() | And() | Or() | Xor():
                return self.logic
            case ShiftBy():
                return self.shift
            case Lookup(_, words):
                return self._table(len(words))
            case Operand() | Constant() | Wrap() | ShiftLeft() | ShiftRight():
                return 0.0
            case Multiply() | Foreign():
                return 0.0

    def _table(self, words: int) -> float:
        for most, delay in self.tables:
            if words <= most:
                return delay
        most, delay = self.tables[-1]
        return delay + self.table_doubling * ((words - 1) // most).bit_length()


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """The clock's period in nanoseconds, and the delays of a family."""

    period: float
    delays: Delays


@dataclass(frozen=True, slots=True, kw_only=True)
class Recurrence:
    """A state of a datapath: the operand that it is, and the value that it has a beat later."""

    operand: Value
    following: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Stages:
    """The stage that each node is computed in, by its number, and how many there are.

    A value of stage s is a function of registers behind stage s - 1. `latency` is the number of
    registers from operands to results. States are set in stage `turn`, `interval` cycles behind the
    beat that they are read for. `longest` is the node whose stage passes the period by itself, with
    nanoseconds from register to register; None where there is none.
    """

    stage: Mapping[int, int]
    latency: int
    turn: int = 0
    longest: tuple[Value, float] | None = None
    interval: int = 1


def stages(
    roots: Sequence[Value],
    states: Sequence[Recurrence],
    widths: Mapping[int, int],
    timing: Timing,
) -> Stages:
    """Return the stages of a graph, each node as soon as possible.

    A node that would pass the period begins the next stage. The results have a register behind
    the last one. All between states and their next values stands in one stage where that does not
    pass the period, else in as few as it takes: a beat comes in as many cycles.
    """
    nodes = in_order([*roots, *(one.following for one in states)])
    loop = _between(nodes, states)
    placed = _Placed(widths, timing)
    begun = {one.operand.number for one in states}
    waiting = []
    for one in nodes:
        if begun.isdisjoint((one.number, *(own.number for own in one.operands))):
            placed.put(one)
        else:
            begun.add(one.number)
            waiting.append(one)
    inner = [one for one in waiting if one.number in loop]
    turn, interval = (
        placed.put_loop(inner, {one.operand.number for one in states}) if states else (0, 1)
    )
    for one in waiting:
        if one.number not in loop:
            placed.put(one)
    stage = {number: at for number, (at, _) in placed.at.items()}
    last = max((stage[one.number] for one in roots), default=0)
    return Stages(
        stage=stage,
        latency=1 + max(last, turn),
        turn=turn,
        longest=_longest(nodes, placed),
        interval=interval,
    )


def _longest(nodes: Sequence[Value], placed: _Placed) -> tuple[Value, float] | None:
    """The node with the longest delay, where that is more than a stage has room for."""
    delays = placed.timing.delays
    ends = delays.register + delays.setup
    times = [(one, ends + delays.of(one, placed.widths)) for one in nodes]
    one, most = max(times, key=lambda own: own[1], default=(None, 0.0))
    return (one, most) if one is not None and most > placed.timing.period else None


def _between(nodes: Sequence[Value], states: Sequence[Recurrence]) -> set[int]:
    """The numbers of the nodes on a way from a state to a next value."""
    behind = {one.operand.number for one in states}
    for one in nodes:
        if any(own.number in behind for own in one.operands):
            behind.add(one.number)
    ahead = {one.following.number for one in states}
    for one in reversed(nodes):
        if one.number in ahead:
            ahead |= {own.number for own in one.operands}
    return (behind & ahead) | {one.operand.number for one in states}


class _Placed:
    """Nodes with their stage, and the time in nanoseconds at which they are there in it."""

    def __init__(self, widths: Mapping[int, int], timing: Timing) -> None:
        self.widths, self.timing = widths, timing
        self.at: dict[int, tuple[int, float]] = {}

    def put(self, one: Value) -> None:
        """Place a node as soon as its operands and the period allow."""
        delays, period = self.timing.delays, self.timing.period
        if isinstance(one.operation, Constant):
            self.at[one.number] = (0, 0.0)
            return
        begin = (0, delays.stream if isinstance(one.operation, Operand) else 0.0)
        stage, time = max((self.at[own.number] for own in one.operands), default=begin)
        if isinstance(one.operation, Multiply):
            stage += time + delays.multiplier_in > period
            self.at[one.number] = (stage + MULTIPLIER_STAGES, delays.multiplier_out)
            return
        if isinstance(one.operation, Foreign):
            # A module has the whole period: its operands come from registers, its result is one.
            stage += time > delays.register
            self.at[one.number] = (stage + one.operation.latency, delays.register)
            return
        own = delays.of(one, self.widths)
        if own and time + own > period - delays.setup:
            stage, time = stage + 1, delays.register
        self.at[one.number] = (stage, time + own)

    def put_loop(self, loop: Sequence[Value], states: Collection[int]) -> tuple[int, int]:
        """Place the nodes of recurrences; return their last stage, and how many stages they have.

        It is one, or what it takes from the `states` on, which are given by their numbers.
        """
        inside = {one.number for one in loop}
        given = [
            self.at[own.number]
            for one in loop
            for own in one.operands
            if own.number not in inside and own.constant is None
        ]
        first = max((stage for stage, _ in given), default=0)
        for turn in (first, first + 1):
            times = self._loop_times(loop, turn)
            most = max(times.values(), default=0.0)
            if most <= self.timing.period - self.timing.delays.setup:
                self.at |= {number: (turn, time) for number, time in times.items()}
                return turn, 1
        for one in loop:
            if one.number in states:
                self.at[one.number] = (first, self.timing.delays.register)
            else:
                self.put(one)
        last = max(self.at[one.number][0] for one in loop)
        return last, last - first + 1

    def _loop_times(self, loop: Sequence[Value], turn: int) -> dict[int, float]:
        """The times of nodes in one stage, whose other operands are there or in a register."""
        delays = self.timing.delays
        times: dict[int, float] = {}
        for one in loop:
            if isinstance(one.operation, (Multiply, Foreign)):
                return {one.number: self.timing.period}
            begin = delays.register
            for own in one.operands:
                if own.number in times:
                    begin = max(begin, times[own.number])
                elif own.constant is None:
                    stage, time = self.at[own.number]
                    begin = max(begin, time if stage == turn else delays.register)
            times[one.number] = begin + delays.of(one, self.widths)
        return times
