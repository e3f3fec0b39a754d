"""plan.json as it is read: what a plan of another day lacks is named, with what to do."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from hlsmem.core.errors import InputError
from hlsmem.plan import from_json, to_json
from hlsmem.version import TOOL
from tests.conftest import EXAMPLES
from tests.plans import planning_of

AGAIN = "run `hlsmem plan` again"


def document() -> Any:
    return json.loads(to_json(planning_of(EXAMPLES / "blur/design.yaml").plan))


def refusal(plan: Any) -> str:
    with pytest.raises(InputError) as caught:
        from_json(json.dumps(plan), "OUT/plan.json")
    return str(caught.value)


def another_format(plan: Any) -> None:
    plan["format"] = "hlsmem-plan/3"


def without_a_key(plan: Any) -> None:
    del plan["elastic"]


def without_a_field(plan: Any) -> None:
    del plan["memories"]["blurx"]["words"]


def of_an_older_tool(plan: Any) -> None:
    plan["tool"] = "hlsmem 0.0.1"
    del plan["elastic"]


def of_another_shape(plan: Any) -> None:
    plan["arrays"] = 7


def of_half_a_formula(plan: Any) -> None:
    plan["arrays"]["blurx"]["extents"][0] = "N +"


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (another_format, "the format is 'hlsmem-plan/3', this tool reads 'hlsmem-plan/4'"),
        (without_a_key, "elastic is missing"),
        (without_a_field, "memories.blurx.words is missing"),
        (
            of_an_older_tool,
            "elastic is missing; hlsmem 0.0.1 made it, this is " + TOOL,
        ),
        (of_another_shape, "arrays is no object"),
        (of_half_a_formula, "expected an integer, a parameter or '(' at character 4 of 'N +'"),
    ],
)
def test_a_plan_that_is_not_of_this_tool_is_refused(
    fault: Callable[[Any], None], message: str
) -> None:
    plan = document()
    fault(plan)
    assert refusal(plan) == f"OUT/plan.json: {message}; {AGAIN}"
