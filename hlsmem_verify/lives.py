"""Accesses of an array, the values that they see, and how long these stay."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Any

import islpy as isl

from hlsmem_verify.isl_values import DIM, coalesced
from hlsmem_verify.naming import at_text, element_text, sampled, touching
from hlsmem_verify.outcomes import False_, Refused, Unknown
from hlsmem_verify.program import READS, Program


@dataclass(frozen=True)
class Accesses:
    """Accesses of an array: { element -> [phase, time..] }, phase 0 before the run, 2 after it.

    `reads` with their statement and number; `sure` and `maybe` are writes, the latter by data,
    as are the reads `choosing`.
    """

    reads: list[tuple[str, int | None, Any]]
    sure: Any
    maybe: Any
    choosing: Any

    @property
    def read(self) -> Any:
        return coalesced(reduce(isl.Map.union, (one for _, _, one in self.reads), self.none))

    @property
    def none(self) -> Any:
        return isl.Map.empty(self.sure.get_space())


def accesses(
    program: Program,
    array: str,
    size: int,
    operands: list[tuple[str, int]] | None = None,
    takes: Any = None,
) -> Accesses:
    """All accesses of an array; the reads of some operands alone, the writes of some elements."""
    names = ", ".join(f"x{k}" for k in range(size))
    element = isl.Set(f"{program.head}{{ [{names}] }}").get_space()
    none = isl.Map.empty(element.map_from_domain_and_range(program.time))
    found: dict[str, Any] = dict.fromkeys(("write", "may-write", "may-read"), none)
    reads: list[tuple[str, int | None, Any]] = []
    first, last = program.live("live_in", array), program.live("live_out", array)
    if first is not None:
        found["write"] = isl.Map.from_domain_and_range(first, origin(program.time, 0))
    for name, one in program.statements.items():
        for access in one["accesses"]:
            if access["array"] != array:
                continue
            if access["relation"].dim(DIM.out) != size:
                raise Refused(f"accesses of {array} have other dimensions than index")
            times = access["relation"].reverse().apply_range(one["times"])
            kind, number = access["kind"], access["operand"]
            if kind == "look":  # of a filter: no operand, no stream brings it
                reads += [(name, None, times)] * (operands is None)
                continue
            if kind in READS and (operands is None or (f"m_{array}_{name}", number) in operands):
                reads.append((name, number, times))
            if kind not in READS and takes is not None:
                times = times.intersect_domain(takes)
            if kind != "read":
                found[kind] = found[kind].union(times)
    if last is not None and (operands is None or (f"m_{array}_drain", 0) in operands):
        reads.append(("", None, isl.Map.from_domain_and_range(last, origin(program.time, 2))))
    return Accesses(reads, found["write"], found["may-write"], found["may-read"])


def values_seen(own: Accesses, time: Any) -> Any:
    """Lemma *values*: { [x -> read] -> written }, the last sure write before, and unsure later."""
    before = own.read.range_map().apply_range(isl.Map.lex_gt(time))
    known = own.read.domain_map()
    seen = known.apply_range(own.sure).intersect(before).lexmax()
    if own.maybe.is_empty():
        return seen
    unsure = known.apply_range(own.maybe).intersect(before)
    later = seen.range_product(unsure).intersect_range(isl.Map.lex_lt(time).wrap())
    return seen.union(later.range_factor_range()).union(unsure.subtract_domain(seen.domain()))


class Lives:
    """The values of an array, or of one of its parts: who sees them, and how long they stay.

    `operands` are the (stream, number) of the reads that count, None for all; `takes` the elements
    that are written. `births` { x -> written }, `stored` { [x -> written] -> read } of what is read
    in a later step, `until` { [x -> written] -> the last such step }.
    """

    def __init__(
        self,
        program: Program,
        array: str,
        size: int,
        *,
        order: str | None = None,
        strict: bool | None = None,
        slack: int | None = None,
        operands: list[tuple[str, int]] | None = None,
        takes: Any = None,
    ):
        self.program, self.array, rules = program, array, program.rules
        self.order = rules["order"] if order is None else order
        self.strict = rules["strict"] if strict is None else strict
        self.slack = rules["slack"] if slack is None else slack
        self.kept = 1 + rules["step" if self.order == "iteration" else "time"]
        self.time = program.time
        self.accesses = accesses(program, array, size, operands, takes)
        self.reads = self.accesses.reads
        self.births = coalesced(self.accesses.sure.union(self.accesses.maybe))
        seen = values_seen(self.accesses, self.time)
        # Of a read that may find any of several elements, some may have no value.
        lost = self.accesses.read.wrap().subtract(seen.domain())
        lost = lost.subtract(self.accesses.choosing.wrap())
        if not lost.is_empty():
            raise False_(_lost_text(program, array, lost, size))
        uses = seen.curry().range_reverse().uncurry()  # [x -> written] -> read
        cut = self.cut()
        made = self.births.range_map().apply_range(cut)
        later = isl.Map.lex_lt(cut.get_space().range()).apply_range(cut.reverse())
        self.stored = uses.intersect(made.apply_range(later))
        filled = self.births.intersect_range(at_phase(self.time, 0))
        read_first = filled.intersect(uses.domain().unwrap())
        self.births = coalesced(self.births.subtract(filled).union(read_first))
        released = self.stored if not self.slack else self._slack(uses)
        self.until = coalesced(released.apply_range(cut).lexmax())

    def cut(self) -> Any:
        """{ time -> step }: what happens at one step happens at once, reads first."""
        size = self.time.dim(DIM.set)
        same = isl.Map.identity(self.time.map_from_set())
        return same.project_out(DIM.out, self.kept, size - self.kept)

    def _slack(self, uses: Any) -> Any:
        """Lemma *slack*: a value stays until the k-th next beat of the stream that reads it."""
        found = self.stored.intersect_range(at_phase(self.time, 2))
        for name in dict.fromkeys(name for name, _, _ in self.reads if name):
            times = self.program.statements[name]["times"]
            own: Any = None
            for reader, _, one in self.reads:
                if reader == name:
                    own = one if own is None else own.union(one)
            beats = coalesced(own.range())
            if not times.is_injective():
                raise Unknown("slack where several instances of a statement share a time")
            later = isl.Map.lex_lt(self.time).intersect_domain(beats).intersect_range(beats)
            following = coalesced(later.lexmin())
            moved = following
            for _ in range(self.slack - 1):
                moved = moved.apply_range(following)
            mine = self.stored.intersect(uses.intersect_range(beats))
            mine = mine.intersect(self._read_by(own, uses))
            rest = mine.subtract_range(moved.domain())
            end = isl.Map.from_domain_and_range(rest.domain(), origin(self.time, 2))
            found = found.union(mine.apply_range(moved)).union(end)
        return coalesced(found)

    def _read_by(self, own: Any, uses: Any) -> Any:
        """The uses whose read is one of `own` { x -> time }."""
        seen = uses.curry().range_reverse().uncurry()  # [x -> read] -> written
        return seen.intersect_domain(own.wrap()).curry().range_reverse().uncurry()

    def conflicts(self) -> Any:
        """Lemma *conflict*: one is written while a value of the other stays; both ways.

        A value stays from its write up to, without, its last reading step (with it if strict),
        and at least while it is written.
        """
        ends = (isl.Map.lex_ge if self.strict else isl.Map.lex_gt)(self.until.get_space().range())
        writes = coalesced(self.births.range())
        at = self.cut().intersect_domain(writes).reverse()
        own = self.births.range_map()
        later = own.apply_range(isl.Map.lex_le(self.time)).intersect_range(writes)
        stays = self.until.apply_range(ends.apply_range(at)).intersect(later).union(own)
        meets = coalesced(stays).apply_range(self.births.reverse()).domain_factor_domain()
        meets = meets.subtract(isl.Map.identity(meets.get_space()))
        return coalesced(meets.union(meets.reverse()))

    def alive(self, moment: Any) -> Any:
        """Lemma *alive*: the elements with a value just after the writes at `moment`; if strict
        those too that are last read at it."""
        begun = self.births.range_map().apply_range(isl.Map.lex_le(self.time))
        ends = (isl.Map.lex_ge if self.strict else isl.Map.lex_gt)(self.until.get_space().range())
        lasting = self.until.apply_range(ends).intersect_range(moment.apply(self.cut()))
        both = begun.intersect_range(moment).domain().intersect(lasting.domain())
        now = self.births.intersect_range(moment).domain()
        return coalesced(both.unwrap().domain().union(now))


def _lost_text(program: Program, array: str, lost: Any, size: int) -> str:
    """A read [x -> time] that nothing provides."""
    values, point = sampled(lost, program)
    element, time = point[:size], point[size:]
    reader = "the drain after the end"
    if time[0] == 1:
        reader = touching(program, array, True, element, time, values)
    what = f"{element_text(array, element)} is read by {reader}, and nothing has written it"
    return what + at_text(values)


def at_phase(time: Any, phase: int) -> Any:
    return isl.Set.universe(time).fix_val(DIM.set, 0, isl.Val(phase))


def origin(time: Any, phase: int) -> Any:
    found = at_phase(time, phase)
    for k in range(1, time.dim(DIM.set)):
        found = found.fix_val(DIM.set, k, isl.Val(0))
    return found
