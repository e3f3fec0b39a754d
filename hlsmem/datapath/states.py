"""Variables that inner loops keep from beat to beat, and the values that they can have."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.datapath.values import Add, Interval, Subtract, Value
from hlsmem.datapath.widths import in_order


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A variable that keeps its value from one beat to the next.

    `begun` are the values that it is set to in front of the innermost loops, `whole` those of its
    type. `entered` is what a
    beat begins with: the operand, or on the first beat what was set in front; `following` is what
    the beat leaves.
    """

    name: str
    begun: Interval
    whole: Interval
    operand: Value
    entered: Value
    following: Value


def summed(state: State, states: Sequence[State], trips: int) -> Interval | None:
    """Return the interval at the beginning of each of so many beats of a state that they add to.

    That of its type where the sums leave it; None where a beat does not only add, or adds what
    depends on one of the `states`.
    """
    added = _added(state, {one.operand for one in states})
    if added is None:
        return None
    own, times = state.begun, max(trips - 1, 0)
    sums = Interval(
        own.least + min(0, times * added.least), own.greatest + max(0, times * added.greatest)
    )
    return sums if sums.is_within(state.whole) else state.whole


def _added(state: State, operands: Collection[Value]) -> Interval | None:
    """What a beat adds to a state; None where it does more than that, or less."""
    least = greatest = times = 0
    waiting = [(state.following, 1)]
    while waiting:
        one, sign = waiting.pop()
        if one is state.entered:
            times += sign
        elif isinstance(one.operation, (Add, Subtract)):
            first, second = one.operands
            other = -sign if isinstance(one.operation, Subtract) else sign
            waiting += [(first, sign), (second, other)]
        elif any(own in operands for own in in_order([one])):
            return None
        else:
            ends = (sign * one.interval.least, sign * one.interval.greatest)
            least, greatest = least + min(ends), greatest + max(ends)
    return Interval(least, greatest) if times == 1 else None
