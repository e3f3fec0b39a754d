"""Cliques of a class where its values are too many for the width: never above it, and near."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from hlsmem.check.orders.listed_orders import kept_by, meeting
from hlsmem.check.orders.listed_program import list_program
from hlsmem.lifetime import class_width as width
from hlsmem.lifetime.class_clique import class_clique
from hlsmem.lifetime.class_conflicts import class_conflicts
from hlsmem.lifetime.class_width import width_bound
from hlsmem.mapping.portfolio import plan_array
from hlsmem.plan.plan_model import standing_of
from hlsmem.program.schedule_classes import ScheduleClass
from hlsmem.timing.class_relations import orders_of
from hlsmem.timing.value_flow import dataflow
from tests.classes import (
    ANY,
    E1,
    E1_ROWS,
    FIGURE_1,
    HEAT_5,
    HEAT_ROWS,
    MSA,
    problems_of,
    tiled,
    uniform,
)

NAMES = ("m", "n", "p")


@pytest.mark.parametrize(
    ("vectors", "sizes", "asked", "found", "exact"),
    [
        (E1, (24, 10), ANY, 29, 29),
        (E1, (24, 10), tiled(E1_ROWS), 26, 26),
        (E1, (40, 40), tiled(E1_ROWS), 114, 116),
        (FIGURE_1, (24, 24), ANY, 172, 172),
        (HEAT_5, (8, 8, 8), tiled(HEAT_ROWS), 121, 125),
        (MSA, (8, 8, 8), ANY, 169, 169),
    ],
)
def test_a_clique_is_near_the_width_and_its_elements_meet(
    vectors: Any, sizes: Any, asked: ScheduleClass, found: int, exact: int
) -> None:
    program = uniform(vectors, dict(zip(NAMES, sizes, strict=False)))
    orders = orders_of(program, asked)
    conflicts = class_conflicts(dataflow(program, "A"), orders.precedence, strict=False)
    bound, least = class_clique(conflicts, program.values), width_bound(conflicts, program.values)
    assert bound is not None
    assert least is not None
    assert (bound.kind, bound.cells, least.cells) == ("clique", found, exact)
    assert len(set(bound.witness)) == found
    # By the instances listed, along the check's own path.
    listing = list_program(program)
    kept = kept_by(listing, asked)
    assert kept is not None
    meets = meeting(kept, strict=False)
    values = {one.element: one for one in listing.values["A"]}
    pairs = combinations([values[tuple(one)] for one in bound.witness], 2)
    assert all(meets(a, b) or meets(b, a) for a, b in pairs)


def test_above_the_limit_of_the_width_a_clique_is_the_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(width, "MOST_VALUES", 100)
    (problem,) = problems_of(uniform(E1, {"m": 24, "n": 10}), tiled(E1_ROWS)).values()
    assert [bound.kind for bound in problem.bounds] == ["max-live", "clique"]
    choice = plan_array(problem, budget=1_000_000)
    assert choice.mapping.cells == 26
    assert standing_of(26, problem.bounds) == "optimal for the class"


@pytest.mark.long
def test_more_than_twenty_thousand_values_have_a_clique() -> None:
    (problem,) = problems_of(uniform(E1, {"m": 150, "n": 150}), tiled(E1_ROWS)).values()
    (bound,) = [one for one in problem.bounds if one.kind == "clique"]
    assert 440 <= bound.cells <= 3 * 150 - 4
