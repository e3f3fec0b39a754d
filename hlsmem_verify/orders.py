"""Classes of orders: what runs before what in all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import gcd
from typing import Any

import islpy as isl

from hlsmem_verify.isl_values import DIM, at_values, coalesced, count, listed
from hlsmem_verify.lives import Lives, accesses, at_phase, values_seen
from hlsmem_verify.outcomes import (
    MOST_POINTS,
    MOST_RAYS,
    MOST_SIDES,
    MOST_SQUARES,
    MOST_TIME,
    False_,
    Unknown,
)
from hlsmem_verify.program import Program


class Orders:
    """The orders of a class: what runs before what in all of them, on times [1, time..].

    `before` is within what they keep, and all of it where it `is_exact`; `fixed`: at the plan's
    values alone.
    """

    def __init__(self, program: Program, stated: dict[str, Any], arrays: Iterable[str]):
        self.program, self.fixed, self.is_exact = program, bool(stated["fixed"]), True
        rules = program.rules
        if rules["order"] == "iteration" or rules["slack"] or rules["lanes"]:
            raise False_("a class of orders, with steps, slack or lanes of one of them")
        self.times = {
            name: one["times"] if not self.fixed else self.fix(one["times"])
            for name, one in program.statements.items()
        }
        self.time = program.time
        self.events = isl.Set.empty(self.time)
        for times in self.times.values():
            if not times.is_injective() or not self.events.is_disjoint(times.range()):
                raise Unknown("a class of orders where instances share a time")
            self.events = coalesced(self.events.union(times.range()))
        self.needed = self._dependences(set(arrays))
        match stated["schedules"]:
            case "sequential" | "tiled":
                self.before = self._banded(stated["bands"])
            case "any":
                self.before = self._closed()
            case "affine":
                if stated["symbolic"] and not self._is_uniform():
                    raise Unknown("no lemma here for affine schedules in the parameters")
                self.before = self._affine()
            case _:
                self.before = self._stated(stated["before"])
        own = self.before.intersect_domain(self.events).intersect_range(self.events)
        self.before = coalesced(own.subtract(isl.Map.identity(own.get_space())))
        if not self.needed.is_subset(self.before):
            raise False_("an order of the class runs against a dependence")

    def fix(self, relation: Any) -> Any:
        found = at_values(relation, self.program.values)
        return found.align_params(self.program.context.get_space())

    def _dependences(self, planned: set[str]) -> Any:
        """Lemma *dependences*: values of all arrays; what is overwritten, where that is kept."""
        program = self.program
        found = isl.Map.empty(self.time.map_from_set())
        for array in dict.fromkeys(
            access["array"] for one in program.statements.values() for access in one["accesses"]
        ):
            size = next(
                access["relation"].dim(DIM.out)
                for one in program.statements.values()
                for access in one["accesses"]
                if access["array"] == array
            )
            own = accesses(program, array, size)
            writes = coalesced(own.sure.union(own.maybe))
            found = found.union(values_seen(own, self.time).domain_factor_range().reverse())
            if array not in planned or not writes.is_single_valued():
                again = own.read.union(writes).reverse().apply_range(writes)
                found = found.union(again.intersect(isl.Map.lex_lt(self.time)))
        found = found.intersect_domain(self.events).intersect_range(self.events)
        found = self.fix(found) if self.fixed else found
        return coalesced(found)

    def _banded(self, bands: list[dict[str, Any]]) -> Any:
        """Lemma *bands*: the outermost that differs decides; in a tiled one no row goes down."""
        equal = isl.Map.universe(self.time.map_from_set())
        found = isl.Map.empty(self.time.map_from_set())
        for band in bands:
            rows = self._rows(band["maps"])
            size = rows.dim(DIM.out)
            a, b = ([f"{n}{k}" for k in range(size)] for n in "ab")
            order = isl.Map.lex_lt(rows.range().get_space())
            if band["kind"] == "tiled":
                text = " and ".join(f"{x} <= {y}" for x, y in zip(a, b, strict=True))
                order = order.intersect(
                    isl.Map(f"{{ [{', '.join(a)}] -> [{', '.join(b)}] : {text} }}")
                )
            found = found.union(
                equal.intersect(rows.apply_range(order).apply_range(rows.reverse()))
            )
            equal = equal.intersect(rows.apply_range(rows.reverse()))
        return found.union(equal.intersect(isl.Map.lex_lt(self.time)))

    def _rows(self, maps: dict[str, str]) -> Any:
        """{ time -> rows } of a band."""
        found: Any = None
        for name, times in self.times.items():
            if name not in maps:
                raise False_(f"a band without rows of {name}")
            rows = self.program.map(maps[name], f"the rows of {name}")
            if rows.get_tuple_name(DIM.in_) != name or rows.dim(DIM.out) > MOST_TIME:
                raise False_(f"a band has no rows of {name}")
            own = times.reverse().apply_range(rows)
            if not times.range().is_subset(own.domain()) or not own.is_single_valued():
                raise False_(f"a band gives no one row to each instance of {name}")
            if found is not None and found.dim(DIM.out) != own.dim(DIM.out):
                raise False_("a band has rows of several lengths")
            found = own if found is None else found.union(own)
        return found

    def _stated(self, pairs: list[str]) -> Any:
        """Lemma *order*: the relation that is stated is a strict order, once equals are out."""
        found = isl.Map.empty(self.time.map_from_set())
        for text in pairs:
            relation = self.program.map(text, "class.before")
            ends = (relation.get_tuple_name(DIM.in_), relation.get_tuple_name(DIM.out))
            if not set(ends) <= set(self.times):
                raise False_("before is of other statements")
            first, second = (self.times[one] for one in ends)
            found = found.union(first.reverse().apply_range(relation).apply_range(second))
        found = coalesced(found.subtract(isl.Map.identity(found.get_space())))
        if not found.is_disjoint(found.reverse()) or not found.apply_range(found).is_subset(found):
            raise False_("before is no order")
        return found

    def _closed(self) -> Any:
        """Lemma *closure*: no more than follows, by induction: C is in R, or R and then C."""
        once = self.needed
        if once.is_empty():
            return once
        for found in self._closures(once):
            if found.is_subset(once.union(once.apply_range(found))):
                self.is_exact = once.is_subset(found) and once.apply_range(found).is_subset(found)
                return found
        self.is_exact = False
        return once.union(once.apply_range(once))

    def _closures(self, once: Any) -> Iterator[Any]:
        yield once.transitive_closure()[0]
        apart = at_values(once, self.program.values).deltas()
        if count(apart) <= MOST_RAYS:
            rays = [tuple(map(int, one)) for one in listed(apart)]
            names = [f"x{k}" for k in range(len(rays[0]))]
            rows = [f"{_sum(one, names)} >= 0" for one in facets(rays)]
            inside = isl.Set(f"{{ [{', '.join(names)}] : {' and '.join(rows) or 'true'} }}")
            pairs = isl.Map.universe(self.time.map_from_set()).deltas_map()
            pairs = pairs.intersect_range(inside.align_params(self.time)).domain().unwrap()
            pairs = pairs.intersect_domain(self.events).intersect_range(self.events)
            yield pairs.subtract(isl.Map.identity(pairs.get_space()))
        if self.fixed:
            for _ in range(MOST_SQUARES):
                further = coalesced(once.union(once.apply_range(once)))
                if further.is_subset(once):
                    break
                once = further
            yield once

    def _is_uniform(self) -> bool:
        """One statement, whose distances are the same at all parameters: so are its schedules."""
        (times, *others) = self.times.values()
        apart = times.apply_range(self.needed).apply_range(times.reverse()).deltas()
        here = self.fix(apart).intersect_params(self.program.context)
        return not others and bool(here.is_equal(apart.intersect_params(self.program.context)))

    def _affine(self) -> Any:
        """Lemma *affine schedules*: x before y in all legal ones, by Farkas: the row of y less
        that of x, with 1, lies in the cone of the dependences' rows with 1 each."""
        if not self.fixed and not self._is_uniform():
            raise Unknown("affine schedules of dependences that differ with the parameters")
        starts, size = {}, 0
        for name, times in self.times.items():
            starts[name] = size
            size += times.dim(DIM.in_) + 1

        rays = {(*[0] * size, -1)}  # sums of rows may be less by any number
        for x, y in product(self.times, repeat=2):
            pairs = self.times[x].apply_range(self.needed).apply_range(self.times[y].reverse())
            depth = pairs.dim(DIM.in_)
            for point in listed(at_values(pairs, self.program.values).wrap().flatten()):
                ray = [0] * size + [1]
                for name, own, sign in ((x, point[:depth], -1), (y, point[depth:], 1)):
                    for k, one in enumerate([*own, 1], start=starts[name]):
                        ray[k] += sign * one
                rays.add(tuple(ray))
        if len(rays) > MOST_POINTS:
            raise Unknown("too many dependences")
        sides = facets(sorted(rays))
        if all(side[-1] >= 0 for side in sides):
            raise False_("there is no affine schedule")
        found = isl.Map.empty(self.time.map_from_set())
        for x, y in product(self.times, repeat=2):
            a = [f"a{k}" for k in range(self.times[x].dim(DIM.in_))]
            b = [f"b{k}" for k in range(self.times[y].dim(DIM.in_))]
            lines = []
            for side in sides:
                earlier = _sum([-one for one in side[starts[x] :][: len(a)]], a)
                later = _sum(side[starts[y] :][: len(b)], b)
                constant = side[starts[y] + len(b)] - side[starts[x] + len(a)] + side[-1]
                lines.append(f"{earlier} + {later} + {constant} >= 0")
            conditions = " and ".join(lines) or "true"
            pairs = isl.Map(f"{{ {x}[{', '.join(a)}] -> {y}[{', '.join(b)}] : {conditions} }}")
            pairs = self.times[x].reverse().apply_range(pairs).apply_range(self.times[y])
            found = found.union(pairs)
        return found

    def conflicts(self, lives: Lives) -> Any:
        """Lemma *class*: in some order one is written neither before the other, nor after it and
        all its reads; both ways."""
        early, late = (at_phase(self.time, phase) for phase in (0, 2))
        running = at_phase(self.time, 1)
        always = isl.Map.from_domain_and_range(early, running.union(late))
        always = always.union(isl.Map.from_domain_and_range(running, late))
        before = self.before.union(always)
        weakly = before if lives.strict else before.union(isl.Map.identity(before.get_space()))
        births, stored = lives.births, lives.stored
        if self.fixed:
            births, stored = self.fix(births), self.fix(stored)
        own, writes = births.range_map(), coalesced(births.range())
        unordered = coalesced(isl.Map.from_domain_and_range(writes, writes).subtract(before))
        reads = coalesced(isl.Map.from_domain_and_range(stored.range(), writes).subtract(weakly))
        late = (
            own.apply_range(unordered).union(stored.apply_range(reads)).apply_range(own.reverse())
        )
        meets = late.intersect(own.apply_range(unordered.reverse()).apply_range(own.reverse()))
        pairs = meets.domain_factor_domain().range_factor_domain()
        pairs = pairs.union(pairs.reverse())
        return coalesced(pairs.subtract(isl.Map.identity(pairs.get_space())))


def facets(rays: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """Lemma *cone*: the rows that are at least 0 on all sums of rays, none needless."""
    size = len(rays[0])
    kept: list[tuple[int, ...]] = []
    rows = [tuple(sign * (k == j) for j in range(size)) for k in range(size) for sign in (1, -1)]
    for ray in rays:
        side = {row: sum(a * b for a, b in zip(row, ray, strict=True)) for row in rows}
        if min(side.values()) >= 0:
            continue
        kept.append(tuple(ray))
        found = [row for row, value in side.items() if value >= 0]
        for (p, up), (q, down) in product(side.items(), repeat=2):
            if up > 0 > down:
                both = [up * b - down * a for a, b in zip(p, q, strict=True)]
                divisor = gcd(*both) or 1
                found.append(tuple(one // divisor for one in both))
        tight = {
            row: frozenset(
                k
                for k, one in enumerate(kept)
                if not sum(a * b for a, b in zip(row, one, strict=True))
            )
            for row in dict.fromkeys(found)
            if any(row)
        }
        narrow = {own for own in tight.values() if len(own) < len(kept)}
        rows = [
            row
            for own, row in {
                own if own in narrow else row: row for row, own in tight.items()
            }.items()
            if not (own in narrow and any(own < other for other in narrow))
        ]
        if len(rows) > MOST_SIDES:
            raise Unknown("a cone of many sides")
    return rows


def _sum(factors: Sequence[int], names: Sequence[str]) -> str:
    terms = (f"{one}*{name}" for one, name in zip(factors, names, strict=True))
    return " + ".join(f"({one})" if one[0] == "-" else one for one in terms) or "0"
