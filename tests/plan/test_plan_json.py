"""plan.json as it is read: what a plan of another day lacks is named, with what to do."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hlsmem.core.errors import InputError
from hlsmem.plan import from_json, to_json
from hlsmem.plan.plan_json import document_of, read_text
from hlsmem.version import TOOL
from hlsmem_verify.outcomes import MOST_BYTES
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


def nested(depth: int) -> Any:
    return [nested(depth - 1)] if depth > 1 else 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": {"b": 1, "b": 2}}', "p.json: 'b' is there twice"),
        ('{"a": NaN}', "p.json: NaN is no number"),
        ('{"a": -Infinity}', "p.json: -Infinity is no number"),
        ('{"a": 1e400}', "p.json: the number 1e400 is no integer"),
        (f'{{"a": {"7" * 19}}}', f"p.json: the number {'7' * 18}.. has more than 18 digits"),
        (f'{{"a": -{"7" * 5000}}}', f"p.json: the number -{'7' * 17}.. has more than 18 digits"),
        ("[" * 100_000, "p.json: values stand more than 24 deep"),
        ("[1, ", "p.json: not JSON at line 1: Expecting value"),
        (json.dumps({"a": nested(24)}), "p.json: values stand more than 24 deep"),
    ],
)
def test_what_is_beyond_a_limit_is_named(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        document_of(text, "p.json")
    assert str(caught.value) == f"{message}; run `hlsmem plan` again"


def test_all_fields_beyond_a_limit_are_named_at_once() -> None:
    document = json.loads(to_json(planning_of(EXAMPLES / "blur/design.yaml").plan))
    document |= {"tool": "x" * 65_537, "design": "\ud800", "\ud800": 1}
    with pytest.raises(InputError) as caught:
        from_json(json.dumps(document), "p.json")
    assert [str(one.what) for one in caught.value.problems] == [
        f"p.json: tool is '{'x' * 59}",
        r"p.json: design is '\ud800'",
        r"p.json: \ud800 is no key of a plan",
    ]


def test_an_array_of_many_dimensions_is_refused() -> None:
    document = json.loads(to_json(planning_of(EXAMPLES / "blur/design.yaml").plan))
    document["arrays"]["blurx"]["index"] = list("abcdefghi")
    with pytest.raises(InputError, match=r"arrays\.blurx\.index has 9 entries, more than 8;"):
        from_json(json.dumps(document))


def test_what_is_at_the_limits_is_read() -> None:
    value = {"a": int("9" * 18), "b": nested(23), "c": "\u00fc" * 65_536}
    assert document_of(json.dumps(value), "p.json") == value


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    with file.open("wb") as stream:
        stream.truncate(MOST_BYTES + 1)
    with pytest.raises(InputError, match="has more than 16 MiB"):
        read_text(file, "")
