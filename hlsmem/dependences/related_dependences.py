"""Dependences between the streams of a memory, from isl relations: no beat is listed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hlsmem.addressing.address_generator import bits_for
from hlsmem.addressing.loop_forms import Condition, Value
from hlsmem.addressing.nest_points import Region
from hlsmem.addressing.point_boxes import condition_of_part
from hlsmem.dependences.comparator_fit import (
    Comparison,
    Counter,
    Earlier,
    Side,
    earlier_of,
    own_time,
)
from hlsmem.dependences.dependence_pairs import Timed, closure, needs, without_implied
from hlsmem.dependences.earliest_release import (
    CompareGate,
    CountGate,
    Gate,
    StreamGates,
    WriteArbiter,
    named,
)
from hlsmem.dependences.release_limits import Asked, CountLimit, KeyLimit, Never
from hlsmem.dependences.step_wires import refusal
from hlsmem.dependences.stream_forms import BeatStream
from hlsmem.dependences.stream_pair import Between, Wire
from hlsmem.dependences.vector_cover import Keys, cover, lead, vector_map
from hlsmem.polyhedra import Map, PolyhedralError
from hlsmem.polyhedra.extremes import lexmax
from hlsmem.polyhedra.limits import WorkLimitError, bounded, within
from hlsmem.program.model import Program

# What isl may do to find what beats wait for. A window in copies of a RAM takes some thousand
# operations; orders in strips, where the last read of a cell has hundreds of cases, may take
# more than anybody waits for. Where beats may be listed instead, which takes a second or two, less
# is worth it: operations on cells modulo a product of extents last a thousand times longer.
MOST_OPERATIONS = 2_000_000
LISTABLE_OPERATIONS = 500_000


class Unrelated(Exception):
    """Beats are to be listed; `reason` says why isl does not do, and `is_limit` whether it would
    with more work."""

    def __init__(self, reason: str, *, is_limit: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.is_limit = reason, is_limit


class RelatedBetween(StreamGates, Between):
    """The answers from isl.

    With `raises`, where beats are too many to be listed, isl may do more, and a gate waits for all
    earlier beats where no few vectors meet what is required; without, there is Unrelated: of
    listed beats the gate may wait for less.
    Raises Unrelated where it has none, InputError where streams cannot hold together.
    """

    def __init__(
        self,
        program: Program,
        streams: Sequence[BeatStream],
        slack: int,
        *,
        is_window: bool = False,
        raises: bool = False,
    ) -> None:
        self.program, self.streams, self.slack = program, streams, slack
        self.raises = raises and not is_window
        self.sides = [Side(stream) for stream in streams]
        self.keys = [Keys(stream) for stream in streams]
        beats = [keys.beats for keys in self.keys]
        most = MOST_OPERATIONS if raises else LISTABLE_OPERATIONS
        try:
            self.found = within(most, lambda _: needs(program, streams, is_window=is_window))
            with bounded(most):
                self.required = without_implied(self.found.required, beats)
                self.implied = closure(self.required, beats)
                self.fitted = {pair: self.fit(*pair) for pair in self.required}
        except PolyhedralError as error:
            raise Unrelated(f"isl fails: {error}") from None
        except WorkLimitError:
            told = f"isl has no answer within {most} operations"
            raise Unrelated(told, is_limit=True) from None

    def fit(self, waiting: int, other: int) -> Counter | Comparison:
        """The gate for what one stream waits for of another."""
        asked, allowed = self.required[waiting, other], self.implied[waiting, other]
        found = cover(asked, allowed, self.keys[waiting], self.keys[other])
        if found is None and self.raises:
            earlier = earlier_of(self.program, self.streams[waiting], self.streams[other])
            everything = own_time(self.sides[waiting], self.sides[other], earlier)
            return Comparison(vectors=(everything,), exact=False)
        if found is None:
            what = f"what {self.streams[waiting].name} waits for of {self.streams[other].name}"
            raise Unrelated(f"{what} takes more than few comparisons")
        return found

    def points(self, stream: int) -> Region:
        return self.streams[stream].visits.region

    def is_fetched(self, reader: int, operand: int) -> bool:
        return not self.found.fetched[reader][operand].is_empty()

    def wires(self) -> tuple[Wire, ...]:
        wires = []
        for reader, operands in self.found.wired.items():
            stream = self.streams[reader]
            for operand, writers in enumerate(operands):
                if stream.operands[operand].same_as < operand:
                    continue
                if len(writers) > 1:
                    raise refusal(stream, operand, "two statements of its own step in turn")
                for writer, pairs in sorted(writers.items()):
                    wires.append(self.wire(reader, operand, writer, pairs))
        return tuple(wires)

    def wire(self, reader: int, operand: int, writer: int, pairs: Any) -> Wire:
        stream = self.streams[reader]
        beats = pairs.domain().get_space()
        target = pairs.range().get_space()
        # Later beats that take the same value, or one of before.
        again = pairs.apply_range(Map.lex_ge(target)).apply_range(pairs.reverse())
        if not again.intersect(Map.lex_lt(beats)).is_empty():
            raise refusal(stream, operand, "one value of its own step several times")
        pushed = self.part(writer, pairs.range())
        wired = self.part(reader, pairs.domain())
        if pushed is None or wired is None:
            raise refusal(stream, operand, "values of its own step at scattered times")
        return Wire(writer=writer, reader=reader, operand=operand, pushed=pushed, wired=wired)

    def part(self, stream: int, beats: Any) -> Condition | None:
        return condition_of_part(self.points(stream), Region(beats.coalesce()))

    def stored(self, writer: int) -> Condition | None:
        return self.part(writer, self.found.stored[writer])

    def collides(self, writer: int, reader: int, operand: int) -> bool:
        last = self.found.required.get((writer, reader))
        if last is None:
            return False
        timed = (Timed(self.program, self.streams[k]) for k in (writer, reader))
        written, read = next(timed), next(timed)
        cells = written.cell(0, last.domain())
        same = cells.apply_range(read.cell(operand, self.found.fetched[reader][operand]).reverse())
        return not same.intersect(last).is_empty()

    def waits(self, waiting: int, other: int) -> bool:
        return (waiting, other) in self.required

    def gate(self, waiting: int, other: int, outputs: dict[str, Value]) -> Gate:
        found, operand = self.fitted[waiting, other], self.found.operands[waiting, other]
        bypass = self.bypasses(waiting, other)
        if isinstance(found, Counter):
            ahead = max(0, found.distance + self.lead(waiting, other))
            return CountGate(
                other=other,
                operand=operand,
                start=found.distance + 1,
                bits=max(2, bits_for(min(found.distance, -1), ahead)),
                bypass=bypass,
                limit=CountLimit(
                    beats=self.streams[waiting].beats,
                    total=self.streams[other].beats,
                    distance=found.distance,
                ),
            )
        return CompareGate(
            other=other,
            operand=operand,
            vectors=tuple(
                named(f"after_{number}", self.streams[other], vector, outputs)
                for number, vector in enumerate(found.vectors)
            ),
            bypass=bypass,
            exact=found.exact,
            limit=KeyLimit(
                waiting=self.sides[waiting], other=self.sides[other], vectors=found.vectors
            ),
        )

    def lead(self, waiting: int, other: int) -> int:
        back = self.required.get((other, waiting))
        if back is None:
            return self.streams[other].beats
        return lead(back, self.keys[waiting], self.keys[other])

    def arbiter(self, one: int, other: int, outputs: dict[str, Value]) -> WriteArbiter:
        mine, theirs = self.sides[one], self.sides[other]
        is_later = theirs.stream.index < mine.stream.index
        earlier = Earlier(entries=1 + self.program.time_dimensions, at_same_time=is_later)
        vector = own_time(mine, theirs, earlier)
        limit = KeyLimit(waiting=mine, other=theirs, vectors=(vector,))
        beats, keys = self.keys[one].beats, self.keys[other].beats
        here = vector_map(vector, beats).coalesce()
        up_to = Map.lex_ge(keys.get_space())
        if beats.is_subset(here.apply_range(up_to).intersect_range(lexmax(keys)).domain()):
            return WriteArbiter(
                first=other, second=one, vector=(), limit=Never(beats=theirs.stream.beats)
            )
        if here.apply_range(up_to).intersect_range(keys).is_empty():
            return WriteArbiter(
                first=one, second=other, vector=(), limit=Never(beats=mine.stream.beats)
            )
        names = named("before", theirs.stream, vector, outputs)
        return WriteArbiter(first=one, second=other, vector=names, limit=limit)

    def sources(self, reader: int) -> tuple[tuple[int, Any], ...]:
        if self.streams[reader].is_write:
            return ()
        return tuple(
            (other, Asked(last=last, waiting=self.sides[waiting], other=self.sides[other]))
            for (waiting, other), last in self.found.required.items()
            if waiting == reader and self.streams[other].is_write
        )
