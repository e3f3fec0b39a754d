"""Small gates for requirements that are isl relations: a counter, or comparisons with few vectors.

What `fit` does with listed beats, for gates that wait for no more than is required: candidates are
taken from single beats and from the pieces of the relation, and every one is proved on all beats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, reduce
from itertools import combinations
from typing import Any

from hlsmem.addressing.loop_forms import TRUE, Affine, Condition, Test, Value, every, loop_form
from hlsmem.addressing.nest_points import Region, set_where
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.dependences.beat_ranks import extremes, rank_of
from hlsmem.dependences.comparator_fit import Comparison, Counter, guarded, line
from hlsmem.dependences.dependence_pairs import first_to_ask, minus, rising, value_map
from hlsmem.dependences.stream_forms import BeatStream
from hlsmem.polyhedra import DimType, Map, PwMultiAff, Val
from hlsmem.polyhedra.extremes import lexmax
from hlsmem.polyhedra.sets import count

_MOST_VECTORS = 4
# Pieces of a requirement that candidates are taken from, and beats.
_MOST_PIECES = 8


@dataclass(frozen=True)
class Keys:
    """A stream as others see it: its beats and their numbers, where isl can say them."""

    stream: BeatStream

    @property
    def beats(self) -> Any:
        return self.stream.visits.region.points

    @cached_property
    def rank(self) -> Any:
        return rank_of(self.beats)

    @cached_property
    def low(self) -> int:
        """A value of the first loop that is before all keys."""
        return self.stream.visits.region.least(loop_form(0)) - 1

    def number(self, last: Any) -> Any:
        """The number of the beats that a single-valued map goes to."""
        return self.rank.pullback_pw_multi_aff(PwMultiAff.from_map(last))


def cover(asked: Any, allowed: Any, waiting: Keys, other: Keys) -> Counter | Comparison | None:
    """The gate for beats of a stream that wait for those of another; None where none is found.

    `asked` maps beats to the last beat of the other that goes before them; `allowed`, which never
    falls, to the last that may be waited for without any change of behaviour.
    """
    counter = _counter(asked, allowed, waiting, other)
    if counter is not None:
        return counter
    vectors = _Cover(asked, allowed, waiting, other).vectors()
    return None if vectors is None else Comparison(vectors=vectors, exact=True)


def _counter(asked: Any, allowed: Any, waiting: Keys, other: Keys) -> Counter | None:
    """The counter whose clamped line lies between what is required and what may be."""
    if waiting.rank is None or other.rank is None:
        return None
    most = extremes(_ahead(asked, waiting, other))[0]
    last = lexmax(other.beats)
    bounded = allowed.intersect_range(minus(other.beats, last))
    least = [] if bounded.is_empty() else [extremes(_ahead(bounded, waiting, other))[1]]
    free = minus(waiting.beats, allowed.domain())
    if not free.is_empty():
        least.append(extremes(waiting.rank.intersect_domain(free))[1])
    return Counter(distance=most) if not least or max(least) <= most else None


def _ahead(last: Any, waiting: Keys, other: Keys) -> Any:
    """Number of beats beyond those waited for that have gone before each beat."""
    own = waiting.rank.intersect_domain(last.domain())
    return own.sub(other.number(last)).add_constant_val(Val(-1))


def lead(back: Any, waiting: Keys, other: Keys) -> int:
    """Bound on the beats by which another can be ahead of the waiting stream, for which it waits by
    `back`."""
    behind = rising(back, other.beats)
    free = minus(other.beats, behind.domain())
    held = other.rank.intersect_domain(behind.domain()).sub(waiting.number(behind))
    return max(extremes(held)[1], 0 if free.is_empty() else count(free)) + 1


class _Cover:
    """Looks for vectors that never require more than is allowed and reach all that is asked."""

    def __init__(self, asked: Any, allowed: Any, waiting: Keys, other: Keys) -> None:
        self.asked, self.allowed = asked, allowed
        self.waiting, self.other = waiting, other
        self.later = Map.lex_gt(other.beats.get_space())
        self.loops = waiting.beats.dim(DimType.set)

    def vectors(self) -> tuple[tuple[Value, ...], ...] | None:
        left = first_to_ask(rising(self.asked, self.waiting.beats))
        chosen: list[tuple[Value, ...]] = []
        while not left.is_empty():
            found = self.best(left)
            if found is None or len(chosen) == _MOST_VECTORS:
                return None
            vector, reached = found
            chosen.append(vector)
            left = minus(left, reached)
        return tuple(chosen)

    def best(self, left: Any) -> tuple[tuple[Value, ...], Any] | None:
        """The vector that reaches most of what is left, and the beats where it does."""
        best: tuple[tuple[Value, ...], Any] | None = None
        most = 0
        seen: set[tuple[Affine, ...]] = set()
        for beat in self.samples(left):
            for vector in self.candidates(beat, left):
                if vector in seen:
                    continue
                seen.add(vector)
                reached = self.reached(vector).intersect(left)
                if reached.is_empty() or (most and count(reached) <= most):
                    continue
                for condition in self.conditions(self.beyond(vector), beat):
                    own = reached.intersect(set_where(condition, left)).coalesce()
                    number = 0 if own.is_empty() else count(own)
                    if number > most:
                        best, most = (guarded(vector, condition, self.other.low), own), number
                if best is not None and left.is_subset(best[1]):
                    return best
        return best

    def samples(self, beats: Any) -> list[tuple[int, ...]]:
        """Beats to take candidates from: one in the middle, the ends, and one a piece."""
        region = Region(beats)
        inner = [self.middle(beats), region.first(), region.last()]
        pieces = beats.get_basic_sets()[:_MOST_PIECES]
        inner += [self.middle(type(beats).from_basic_set(piece)) for piece in pieces]
        return list(dict.fromkeys(inner))

    def middle(self, beats: Any) -> tuple[int, ...]:
        """A beat about the middle of each loop in turn."""
        for loop in range(self.loops):
            region, form = Region(beats), loop_form(loop)
            half = (region.least(form) + region.greatest(form)) // 2
            above = region.where(Test(form.plus(-half)))
            beats = beats.fix_val(DimType.set, loop, Val(above.least(form)))
        return Region(beats).first()

    def candidates(self, beat: Sequence[int], left: Any) -> Iterator[tuple[Affine, ...]]:
        """Vectors that are right at a beat: moving along shared time entries, or constant; then
        the pieces of what is required."""
        here = self.allowed.intersect_domain(_point(beat, left))
        target = Region(here.range()).first()
        shared = [
            [int(axis == own) for own in self.waiting.stream.axes]
            for axis in self.other.stream.axes
        ]
        for matrix in (shared, [[0] * self.loops for _ in self.other.stream.axes]):
            yield tuple(
                line(row, value - sum(a * b for a, b in zip(row, beat, strict=True)))
                for row, value in zip(matrix, target, strict=True)
            )
        for relation in (self.allowed, self.asked):
            yield from _affine_pieces(relation.intersect_domain(left), beat)

    def reached(self, vector: Sequence[Affine]) -> Any:
        """The beats at which a vector is not before what is asked."""
        space = self.other.beats.get_space()
        return (
            vector_map(vector, self.waiting.beats)
            .apply_range(Map.lex_ge(space))
            .intersect(self.asked)
            .domain()
        )

    def beyond(self, vector: Sequence[Affine]) -> Any:
        """The beats that a vector holds back for more than is allowed."""
        space = self.other.beats.get_space()
        held = (
            vector_map(vector, self.waiting.beats)
            .apply_range(Map.lex_ge(space))
            .intersect_range(self.other.beats)
        )
        later = self.allowed.apply_range(Map.lex_lt(space)).intersect(held).domain()
        free = minus(self.waiting.beats, self.allowed.domain())
        return later.union(held.domain().intersect(free)).coalesce()

    def conditions(self, bad: Any, beat: Sequence[int]) -> Iterator[Condition]:
        """Conditions that hold at a beat and at none that is bad.

        Everywhere if possible, else a range of one loop's values around the beat's, with or
        without a stride, or a range of the difference of two loops.
        """
        if bad.is_empty():
            yield TRUE
            return
        region = Region(bad)
        single = [loop_form(loop) for loop in range(self.loops)]
        for loop, form in enumerate(single):
            yield from self.range(region, form, beat, 1)
            whole = self.waiting.stream.visits.region
            if whole.stride(loop) % 2:
                yield from self.range(region, form, beat, 2)
        for one, other in combinations(single, 2):
            yield from self.range(region, other - one, beat, 1)

    def range(
        self, bad: Region, form: Affine, beat: Sequence[int], stride: int
    ) -> Iterator[Condition]:
        """The largest interval around a beat's value without a violation."""
        here = int(form.at(beat))
        parts: list[Condition] = []
        if stride > 1:
            parts.append(Test(form.plus(-here).modulo(stride), True))
            bad = bad.where(parts[0])
        if not bad.where(Test(form.plus(-here), True)).is_empty:
            return
        below = bad.where(Test(form.scaled(-1).plus(here)))
        above = bad.where(Test(form.plus(-here)))
        ends: list[Condition] = []
        if not below.is_empty:
            ends.append(Test(form.plus(-below.greatest(form) - stride)))
        if not above.is_empty:
            ends.append(Test(form.scaled(-1).plus(above.least(form) - stride)))
        yield every([*ends, *parts])


def vector_map(vector: Sequence[Value], beats: Any) -> Any:
    """A vector of forms as a map from beats."""
    return reduce(Map.flat_range_product, [value_map(form, beats) for form in vector])


def _point(point: Sequence[int], like: Any) -> Any:
    """The set of one point."""
    found = type(like).universe(like.get_space())
    for loop, value in enumerate(point):
        found = found.fix_val(DimType.set, loop, Val(value))
    return found


def _affine_pieces(relation: Any, beat: Sequence[int]) -> Iterator[tuple[Affine, ...]]:
    """The pieces of a single-valued map that are affine, that of a beat first."""
    found: list[tuple[bool, tuple[Affine, ...]]] = []
    if relation.is_empty():
        return

    def look(domain: Any, values: Any) -> None:
        forms = tuple(_affine(values.get_at(k)) for k in range(values.dim(DimType.out)))
        here = not domain.intersect(_point(beat, domain)).is_empty()
        if all(form is not None for form in forms):
            found.append((not here, forms))  # type: ignore[arg-type]

    PwMultiAff.from_map(relation).foreach_piece(look)
    for _, forms in sorted(found, key=lambda one: one[0])[:_MOST_PIECES]:
        yield forms


def _affine(value: Any) -> Affine | None:
    """An isl expression with integer coefficients and no divisions; None for others."""
    if value.dim(DimType.div):
        return None
    constant = value.get_constant_val()
    factors = [value.get_coefficient_val(DimType.in_, k) for k in range(value.dim(DimType.in_))]
    if not all(one.is_int() for one in (constant, *factors)):
        return None
    return line([int(one.to_python()) for one in factors], int(constant.to_python()))
