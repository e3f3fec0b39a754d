"""Conditions of a statement, and what is known of the values of one from others.

An entry of a condition is a value that a filter looks at. What tells that two entries look at the
same value are tokens: elements, or the writes that they were last written by. Values of all
entries stand in an anonymous tuple, within bounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from functools import cached_property, reduce
from itertools import product
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Map, Set, UnionMap
from hlsmem.polyhedra.memoized import map_of, set_of
from hlsmem.polyhedra.relations import dimension_names, maps_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Values that are known: every tuple of tokens of instance k has values in `values`(k).

    `tokens` are UnionMaps from instances, one an entry. With `tuples`, { k -> [token, ..] }, only
    those tuples have, not all that can be made of the tokens.
    """

    tokens: tuple[Any, ...] = field(compare=False)
    values: Any = field(compare=False)
    tuples: Any = field(compare=False, default=None)


@dataclass(frozen=True, kw_only=True)
class Condition:
    """Condition of a statement's instances: one Fact for each of its filters.

    `domain` are all instances, `bounds` the values that entries of all filters can have, one
    after the other. `loops` is how many stand around the innermost condition.
    """

    domain: Any = field(compare=False)
    filters: tuple[Fact, ...]
    bounds: Any = field(compare=False)
    loops: int

    @cached_property
    def tokens(self) -> tuple[Any, ...]:
        return tuple(token for one in self.filters for token in one.tokens)

    @cached_property
    def runs(self) -> Any:
        """{ instance -> values }: with all that make it run."""
        result = Map.from_domain_and_range(self.domain, self.bounds)
        size = self.bounds.dim(DimType.set)
        first = 0
        for one in self.filters:
            own = [(i, first + i) for i in range(len(one.tokens))]
            values = one.values.apply_range(_equations(len(own), size, own))
            free = Map.from_domain_and_range(self.domain.subtract(one.values.domain()), self.bounds)
            result = result.intersect(values.union(free))
            first += len(own)
        return result.coalesce()

    @cached_property
    def fails(self) -> Any:
        """{ instance -> values }: with all that keep it from running."""
        everything = Map.from_domain_and_range(self.domain, self.bounds)
        return everything.subtract(self.runs).coalesce()

    @cached_property
    def filtered(self) -> Any:
        """The instances that some filter looks at."""
        none = Set.empty(self.domain.get_space())
        return reduce(lambda a, b: a.union(b), (one.values.domain() for one in self.filters), none)

    def is_single(self, entry: int) -> bool:
        """True if an entry is one value for every instance."""
        return bool(self.tokens[entry].is_single_valued())


def unconditional(domain: Any) -> Condition:
    """The condition of a statement whose instances all run."""
    return Condition(domain=domain, filters=(), bounds=set_of("{ [] }"), loops=0)


def implied(facts: Iterable[Fact], relation: Any, condition: Condition) -> Any:
    """{ k -> values }: what entries can be, alike for all instances t of relation { k -> t }.

    `condition` is that of the t. A fact is used where its tokens include all of an entry.
    """
    result = Map.from_domain_and_range(relation.domain(), condition.bounds)
    for fact in facts:
        known = fact.values.domain().intersect(relation.domain())
        if known.is_empty():
            continue
        inside = UnionMap.from_map(relation.intersect_domain(known))
        seen = [inside.apply_range(token) for token in condition.tokens]
        matches = [
            (i, j)
            for i, token in enumerate(fact.tokens)
            for j, one in enumerate(seen)
            if not one.is_empty() and one.is_subset(token)
        ]
        sizes = len(fact.tokens), condition.bounds.dim(DimType.set)
        for some in _together(fact, matches, inside, condition):
            values = fact.values.intersect_domain(known).apply_range(_equations(*sizes, some))
            free = Map.from_domain_and_range(relation.domain().subtract(known), condition.bounds)
            result = result.intersect(values.union(free))
    return result


Match = tuple[int, int]


def _together(
    fact: Fact, matches: Sequence[Match], inside: Any, condition: Condition
) -> list[list[Match]]:
    """Matches that may be used at once: those on one tuple of the fact."""
    if len(matches) < 2:
        return [[one] for one in matches]
    if fact.tuples is not None:
        entries = sorted(i for i, _ in matches)
        distinct = len(set(entries)) == len(entries) == len({j for _, j in matches})
        if distinct and entries == list(range(len(fact.tokens))):
            order = [j for _, j in sorted(matches)]
            mine = inside.apply_range(joined([condition.tokens[j] for j in order]))
            if mine.is_subset(fact.tuples):
                return [list(matches)]
        return [[one] for one in matches]
    single = [one for one in matches if fact.tokens[one[0]].is_single_valued()]
    several = [one for one in matches if one not in single]
    return [[*single, one] for one in several] or [single]


def joined(tokens: Sequence[Any]) -> Any:
    """{ t -> [[token, token], ..] } of entries that are one value each."""
    return reduce(lambda a, b: a.range_product(b), tokens)


def _equations(found: int, wanted: int, matches: Iterable[Match]) -> Any:
    """{ [w] -> [v] : w_i = v_j for all matches }."""
    w, v = dimension_names("w", found), dimension_names("v", wanted)
    same = " and ".join(f"{w[i]} = {v[j]}" for i, j in matches) or "true"
    return map_of(f"{{ [{', '.join(w)}] -> [{', '.join(v)}] : {same} }}")


def not_run(facts: Sequence[Fact], absent: Any, condition: Condition) -> list[Fact]:
    """Facts that follow since no j of { k -> j } ran: one for each kind of tokens.

    Entries of several values say nothing, since which of them failed is open.
    """
    entries = [at for at in range(len(condition.tokens)) if condition.is_single(at)]
    if not entries or absent.is_empty():
        return []
    pairs = absent.wrap()
    known = implied(facts, absent, condition)
    values = absent.domain_map().apply_range(known)
    values = values.intersect(absent.range_map().apply_range(condition.fails))
    size = condition.bounds.dim(DimType.set)
    kept = [(j, i) for i, j in enumerate(entries)]
    narrow = _equations(size, len(entries), kept)
    values, bounds = values.apply_range(narrow), condition.bounds.apply(narrow)
    single = [maps_of(condition.tokens[at]) for at in entries]
    found = []
    for choice in product(*single):
        tuples = joined(choice)
        of_pair = absent.range_map().apply_range(tuples)  # [k -> j] -> tokens
        if of_pair.is_empty():
            continue
        inner = pairs.intersect(of_pair.domain())
        keyed = absent.domain_map().intersect_domain(inner).range_product(of_pair)
        wrong = Map.from_domain_and_range(inner, bounds).subtract(values).apply_domain(keyed)
        right = Map.from_domain_and_range(keyed.range(), bounds).subtract(wrong)
        unkeyed = keyed.range().unwrap().domain_map()
        tokens = tuple(
            UnionMap.from_map(absent.intersect(inner.unwrap()).apply_range(one)) for one in choice
        )
        found.append(
            Fact(
                tokens=tokens,
                values=right.apply_domain(unkeyed).coalesce(),
                tuples=UnionMap.from_map(absent.intersect(inner.unwrap()).apply_range(tuples)),
            )
        )
    return found


def contradictions(first: Condition, ran: bool, other: Condition, other_ran: bool) -> Any | None:
    """{ [i -> j] }: instances of two statements of which no values let both be so.

    `ran` and `other_ran` say that i and j ran, or that they did not. None where there are none.
    """
    matches = []
    used: set[tuple[int, int]] = set()
    for a, mine in enumerate(first.tokens):
        for b, theirs in enumerate(other.tokens):
            single = first.is_single(a), other.is_single(b)
            repeats = {(0, a), (1, b)} & used
            if repeats and not all(single):
                continue
            common = _common(mine, ran, single[0], theirs, other_ran, single[1])
            if common is None or common.is_empty():
                continue
            used |= {(side, at) for side, at in ((0, a), (1, b)) if not single[side]}
            matches.append((a, b, Map.from_union_map(common).wrap()))
    if not matches:
        return None
    pairs = reduce(lambda x, y: x.union(y), (one for _, _, one in matches))
    relation = pairs.unwrap()
    mine = relation.domain_map().apply_range(first.runs if ran else first.fails)
    theirs = relation.range_map().apply_range(other.runs if other_ran else other.fails)
    together = mine.flat_range_product(theirs)
    size = first.bounds.dim(DimType.set)
    for a, b, common in matches:
        equal = together.equate(DimType.out, a, DimType.out, size + b)
        together = together.subtract_domain(common).union(equal.intersect_domain(common))
    return pairs.subtract(together.domain()).coalesce()


def _common(
    mine: Any, ran: bool, single: bool, theirs: Any, other_ran: bool, other_single: bool
) -> Any | None:
    """{ i -> j } whose entries share the value that counts.

    What one that ran looked at has all values right; of one that did not run it is open which
    is wrong, so all of them have to be among the other's.
    """
    both = mine.apply_range(theirs.reverse())
    if ran and other_ran:
        return both
    if not ran and not other_ran:
        return both if single and other_single else None
    if not ran:
        return both if single else _within(mine, theirs, both)
    return both if other_single else _within(theirs, mine, both.reverse()).reverse()


def _within(inner: Any, outer: Any, pairs: Any) -> Any:
    """The pairs { i -> j } with every token of inner(i) among those of outer(j)."""
    first = pairs.domain_map().apply_range(inner)
    second = pairs.range_map().apply_range(outer)
    return pairs.wrap().subtract(first.subtract(second).domain()).unwrap()
