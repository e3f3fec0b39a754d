"""Of all ways to hold arrays the cheapest that fit the target together."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from itertools import product

import pytest

from hlsmem.devices.primitives import Budget, Cost, Resource, excess
from hlsmem.plan import Memory
from hlsmem.storage.build import NO_ADDRESS, BuiltStorage
from hlsmem.storage.knapsack import cheapest
from hlsmem.storage.ram.kind import Ram
from hlsmem.storage.storage_candidates import Candidate, Figures, Ranking

RANKING = Ranking("auto", "ecp5-25k")


def way(number: int, luts: int, blocks: int) -> BuiltStorage:
    """A way to hold an array of which only the cost is looked at."""
    memory = Memory(bits=8, words=number, resources=Cost(luts=luts, blocks=blocks))
    none = Ram(mapping=replace(NO_ADDRESS, cells=number))
    return BuiltStorage(
        candidate=Candidate(array="a", shares=(((("m", number),), none),)),
        program=None,  # type: ignore[arg-type]
        parts=(),
        circuits=(),
        memories={"a": memory},
        device="ecp5-25k",
    )


@pytest.mark.parametrize(
    ("more", "fewer", "taken"), [(2000, 8, False), (500, 30, True), (3001, 30, False)]
)
def test_blocks_are_saved_where_they_are_worth_their_luts(
    more: int, fewer: int, taken: bool
) -> None:
    """Of ECP5's 56 blocks: each is worth 100 LUTs, as the family's file says."""
    ranking = Ranking("auto", "ecp5-25k")
    blocks, logic = way(1, 100, 56), way(2, 100 + more, 56 - fewer)
    assert (
        ranking.of(logic.candidate, logic.cost) < ranking.of(blocks.candidate, blocks.cost)
    ) == taken


def rank(built: BuiltStorage) -> Figures:
    return RANKING.of(built.candidate, built.cost)


def ways(seed: int) -> dict[str, list[BuiltStorage]]:
    """Four ways to hold each of one to four arrays, at random costs."""
    chance = random.Random(seed)
    found = {}
    for name in "abcd"[: chance.randrange(1, 5)]:
        own = [way(k, chance.randrange(3000), chance.randrange(16)) for k in range(1, 5)]
        found[name] = sorted(own, key=rank)
    return found


def figures(combination: Iterable[BuiltStorage]) -> tuple[float, ...]:
    return tuple(map(sum, zip(*map(rank, combination), strict=True)))


def taken(combination: Iterable[BuiltStorage]) -> Cost:
    return sum((built.cost or Cost() for built in combination), Cost())


def budgets(seed: int) -> Iterable[Budget]:
    chance = random.Random(seed)
    blocks, luts = chance.randrange(40), chance.randrange(6000)
    return {Resource.BLOCKS: blocks}, {Resource.BLOCKS: blocks, Resource.LUTS: luts}


@pytest.mark.parametrize("seed", range(30))
def test_the_cheapest_that_fit_together(seed: int) -> None:
    """As trying out all combinations finds them."""
    found = ways(seed)
    tried = list(product(*found.values()))
    for budget in budgets(seed):
        chosen = cheapest(found, rank, budget).values()
        fitting = [each for each in tried if not excess(taken(each), budget)]
        if fitting:
            assert not excess(taken(chosen), budget)
            assert figures(chosen) == min(map(figures, fitting))
        else:

            def fullness(each: Iterable[BuiltStorage], budget: Budget = budget) -> float:
                cost = taken(each)
                return max(getattr(cost, one) / max(1, most) for one, most in budget.items())

            assert fullness(chosen) == min(map(fullness, tried))
