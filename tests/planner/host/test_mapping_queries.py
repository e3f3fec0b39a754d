"""What methods are known to answer for C is what they answer when they are asked again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hlsmem.planner.host.mapping_queries import as_planned, methods_for_c, new_queries
from hlsmem.planner.plan_assembly import Planning
from hlsmem.program.options import PlanOptions
from hlsmem.program.schedule_classes import AnyOrder
from tests.plans import plan_storage
from tests.steps import load

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
BUDGET = PlanOptions().budget


def planning_of(name: str, **changed: Any) -> Planning:
    design = load(EXAMPLES / name / "design.yaml", settings=["schedule=text"])
    return plan_storage(replace(design, plan=replace(design.plan, **changed)))


@pytest.fixture(scope="module", params=["unsharp", "heat2d", "triangle"])
def planning(request: pytest.FixtureRequest) -> Planning:
    return planning_of(request.param)


def test_known_answers_are_those_that_methods_give_again(planning: Planning) -> None:
    known = as_planned(planning.folded)
    assert planning.program is not None
    assert known.keys() == planning.folded.choices.keys()
    for name, one in known.items():
        again = new_queries(planning.program, planning.program.arrays[name])
        assert one.mappings
        assert one.answers(None, BUDGET) == again.answers(None, BUDGET)
        for relation in ("context", "differences", "elements"):
            assert getattr(one.problem, relation).is_equal(getattr(again.problem, relation))
        assert one.problem.conflicts.is_equal(again.problem.conflicts)


def test_what_is_known_is_not_asked_for_and_the_rest_is() -> None:
    """A mapping under a method's name stands for its answer; a method without one is asked."""
    one = as_planned(planning_of("unsharp").folded)["in"]
    names = {method.name for method in methods_for_c()}
    assert one.mappings.keys() < names  # the others were not needed
    planted = replace(one.mappings["linear"], work=-1)
    given = replace(one, mappings={"linear": planted}).answers(None, BUDGET)
    assert any(one is planted for one in given)
    assert {mapping.method for mapping in given} == names


@pytest.mark.few("changed0", "changed1", "changed3")
@pytest.mark.parametrize(
    "changed", [{"slack": 1}, {"strict": True}, {"round": "pow2"}, {"schedules": AnyOrder()}]
)
def test_other_conflicts_and_forms_are_not_those_of_c(changed: dict[str, Any]) -> None:
    assert not as_planned(planning_of("unsharp", **changed).folded)
