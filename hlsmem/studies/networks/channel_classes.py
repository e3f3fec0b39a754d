"""The class of a channel, by isl alone: no reads are listed, whatever the extents.

A channel is in order where later reads see later writes, single where every value is read once.
A step is one value of the first entries of times (`Program.step_dimensions`): what is written
and read in one step is handed over without a cell.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.dependences.beat_ranks import extremes, rank_of
from hlsmem.network.channels import Channel
from hlsmem.network.listed_channels import listed_lag
from hlsmem.polyhedra import Map
from hlsmem.polyhedra.extremes import last_image
from hlsmem.polyhedra.relations import dimension_names
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.program.model import Program


class ChannelClass(Enum):
    """Class of hardware that a channel needs, the least first where it is in order."""

    WIRE = "wire"
    REGISTER = "register"
    SHIFT_REGISTER = "shift-register"
    FIFO = "fifo"
    HOLD_REGISTER = "hold-register"
    FIFO_MULT = "fifo-mult"
    REORDER = "reorder"
    REORDER_MULT = "reorder-mult"


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Facts on a channel at the plan's parameters.

    `lag` is how often the source runs after the write of a value and not after its read, where
    that is the same for all reads. `for_all` says that the class serves for all parameters of the
    context; a shift register is known for the plan's alone.
    """

    kind: ChannelClass
    order: str
    tokens: int
    reads: int
    lag: int | None
    for_all: bool


@dataclass(frozen=True, slots=True)
class _Shape:
    """In order, single, with at most one value waiting from step to step, or none."""

    in_order: bool
    is_single: bool
    at_most_one: bool
    none_waits: bool

    def serves(self, other: _Shape) -> bool:
        """True if a channel of this shape is good for one of the other."""
        return (
            self.in_order <= other.in_order
            and self.is_single <= other.is_single
            and self.at_most_one <= other.at_most_one
            and self.none_waits <= other.none_waits
        )


def facts_of(program: Program, channel: Channel) -> Facts:
    """Class and order of a channel at the plan's parameters, and whether they hold for all."""
    uses = fix_parameters(channel.uses, program.values)
    shape = _shape(uses, program)
    lag = _lag(uses, fix_parameters(channel.writes, program.values))
    kind = _class(shape, lag)
    for_all = kind is not ChannelClass.SHIFT_REGISTER and (
        kind is ChannelClass.REORDER_MULT or shape.serves(_shape(channel.uses, program))
    )
    order = "fifo" if shape.in_order else "reorder"
    return Facts(
        kind=kind,
        order=order if shape.is_single else f"{order}-mult",
        tokens=count(uses.range()),
        reads=count(uses.domain()),
        lag=lag,
        for_all=for_all,
    )


def _class(shape: _Shape, lag: int | None) -> ChannelClass:
    match shape:
        case _Shape(in_order=False, is_single=True):
            return ChannelClass.REORDER
        case _Shape(in_order=False):
            return ChannelClass.REORDER_MULT
        case _Shape(is_single=False, at_most_one=True):
            return ChannelClass.HOLD_REGISTER
        case _Shape(is_single=False):
            return ChannelClass.FIFO_MULT
        case _Shape(none_waits=True):
            return ChannelClass.WIRE
        case _Shape(at_most_one=True):
            return ChannelClass.REGISTER
    return ChannelClass.FIFO if lag is None else ChannelClass.SHIFT_REGISTER


def _shape(uses: Any, program: Program) -> _Shape:
    """The four facts of { read -> write }; each is an emptiness test."""
    writes = uses.reverse()
    size = program.time_dimensions
    earlier = _before(size, size)
    crossed = writes.apply_range(earlier).apply_range(uses).intersect(earlier.reverse())
    step = _before(size, program.step_dimensions)
    waiting = writes.intersect(step)  # { write -> read in a later step }
    waits = waiting.domain()
    # Two values wait at once where the later one is written before the earlier one is read.
    both = waiting.apply_range(step.reverse()).intersect(earlier).intersect_range(waits)
    return _Shape(
        in_order=bool(crossed.is_empty()),
        is_single=bool(uses.is_injective()),
        at_most_one=bool(both.is_empty()),
        none_waits=bool(waits.is_empty()),
    )


def _before(size: int, entries: int) -> Any:
    """{ [times] -> [times] }: the first entries come before, lexicographically."""
    first, second = dimension_names("a", size), dimension_names("b", size)
    cases = [
        " and ".join([*(f"a{k} = b{k}" for k in range(entry)), f"a{entry} < b{entry}"])
        for entry in range(entries)
    ]
    condition = " or ".join(f"({case})" for case in cases) or "false"
    return Map(f"{{ [{', '.join(first)}] -> [{', '.join(second)}] : {condition} }}")


def _lag(uses: Any, writes: Any) -> int | None:
    """Writes after the one of a value up to its read, where that number is constant.

    By the ranks of writes where their times are nested boxes, else by listing them.
    """
    rank = rank_of(writes)
    if rank is None:
        return listed_lag(uses, writes)
    up_to = Map.lex_ge(uses.domain().get_space()).intersect_domain(uses.domain())
    newest = last_image(up_to.intersect_range(writes))
    source = uses.as_pw_multi_aff()
    apart = rank.pullback_pw_multi_aff(newest).sub(rank.pullback_pw_multi_aff(source))
    low, high = extremes(apart)
    return low if low == high else None
