"""A way to hold each array, such that all fit the target together: a knapsack with a choice an
array."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.devices.primitives import Budget, Cost, excess
from hlsmem.storage.build import BuiltStorage
from hlsmem.storage.storage_candidates import Figures

MOST_SUMS = 32
"""Sums of choices that are gone on with where a resource other than block RAMs runs short, of those
with the best ranks and of those that leave most of the target each."""


def cheapest(
    ways: Mapping[str, Sequence[BuiltStorage]],
    rank: Callable[[BuiltStorage], Figures],
    budget: Budget,
) -> dict[str, BuiltStorage]:
    """The way of every array with the least sum of ranks of those that fit together.

    Where none do, those that take least of what is scarcest for them. It is exact where block RAMs
    alone run short: of sums with as many of them the cheapest is gone on with. Otherwise that is
    done again with all sums that no other betters, `MOST_SUMS` of each kind at most.
    """
    found: list[_Sum] = []
    for kept in (_cheapest_by_blocks, _undominated):
        found = [_Sum()]
        for own in ways.values():
            ranked = [(one, (*rank(one), position)) for position, one in enumerate(own)]
            found = kept([sum_of.beside(*one) for sum_of in found for one in ranked], budget)
        fitting = [one for one in found if not excess(one.cost, budget)]
        if fitting:
            best = min(fitting, key=lambda one: one.ranks)
            return dict(zip(ways, best.chosen, strict=True))
    best = min(found, key=lambda one: (_fullness(one.cost, budget), one.ranks))
    return dict(zip(ways, best.chosen, strict=True))


def added(one: Figures, other: Figures) -> Figures:
    """Ranks of several arrays added up; the other alone where the first is empty."""
    return tuple(a + b for a, b in zip(one, other, strict=True)) if one else other


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sum:
    """Cost of a choice for some arrays together, with the ranks added up."""

    cost: Cost = Cost()
    ranks: Figures = ()
    chosen: tuple[BuiltStorage, ...] = ()

    def beside(self, built: BuiltStorage, rank: Figures) -> _Sum:
        return _Sum(
            cost=self.cost + (built.cost or Cost()),
            ranks=added(self.ranks, rank),
            chosen=(*self.chosen, built),
        )


def _cheapest_by_blocks(sums: Sequence[_Sum], _: Budget) -> list[_Sum]:
    """Of those with as many block RAMs the cheapest."""
    found: dict[int, _Sum] = {}
    for one in sorted(sums, key=lambda one: one.ranks):
        found.setdefault(one.cost.blocks, one)
    return list(found.values())


def _undominated(sums: Sequence[_Sum], budget: Budget) -> list[_Sum]:
    """Those than which none is better in rank and in every resource of the budget."""
    found: list[_Sum] = []
    for one in sorted(sums, key=lambda one: one.ranks):
        taken = {each: getattr(one.cost, each) for each in budget}
        if all(excess(other.cost, taken) for other in found):
            found.append(one)
    best, others = found[:MOST_SUMS], found[MOST_SUMS:]
    return best + sorted(others, key=lambda one: _fullness(one.cost, budget))[:MOST_SUMS]


def _fullness(cost: Cost, budget: Budget) -> float:
    """The share that a cost takes of what is scarcest for it."""
    return max((getattr(cost, one) / max(1, most) for one, most in budget.items()), default=0.0)
