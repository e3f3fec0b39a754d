"""The JSON Schema of plan.json: closed, with a class on every leaf, and what plans are written by.

The validator here knows the keywords that the schema has, and nothing of how it was made.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from typing import Any

import pytest

import hlsmem_verify
from hlsmem.cli.main import main
from hlsmem.plan import to_json
from hlsmem.plan.plan_schema import plan_schema
from tests.conftest import EXAMPLES
from tests.plan.plan_page import plan_page
from tests.plans import planning_of

DESIGNS = sorted(str(file.relative_to(EXAMPLES)) for file in EXAMPLES.glob("*/*.yaml"))
CLAIMS = ("hypothesis", "proved", "measured", "informative")
TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}


def faults(value: Any, schema: dict[str, Any], path: str = "") -> Iterator[str]:
    """Where a value is not as the schema has it."""
    if "anyOf" in schema:
        if all(any(faults(value, one, path)) for one in schema["anyOf"]):
            yield f"{path}: none of the choices"
        return
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if value is None:
        if "null" not in kinds:
            yield f"{path}: null"
        return
    if not any(isinstance(value, TYPES[one]) for one in kinds if one != "null") or (
        isinstance(value, bool) and "boolean" not in kinds
    ):
        yield f"{path}: {value!r} is no {kinds}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{path}: {value!r}"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{path}: {value!r} does not match"
    if "minimum" in schema and value < schema["minimum"]:
        yield f"{path}: {value} is less than {schema['minimum']}"
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield f"{path}: {len(value)} items"
        own = schema.get("prefixItems") or [schema["items"]] * len(value)
        for position, (one, its) in enumerate(zip(value, own, strict=False)):
            yield from faults(one, its, f"{path}[{position}]")
    if isinstance(value, dict):
        known, more = schema.get("properties", {}), schema["additionalProperties"]
        for key in schema.get("required", ()):
            if key not in value:
                yield f"{path}.{key} is missing"
        for key, one in value.items():
            if key in known:
                yield from faults(one, known[key], f"{path}.{key}")
            elif more is False:
                yield f"{path}.{key} is too much"
            else:
                yield from faults(one, more, f"{path}.{key}")


def inner(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield schema
    more = [*schema.get("properties", {}).values()]
    more += [*schema.get("anyOf", ()), *schema.get("prefixItems", ())]
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            more.append(schema[key])
    for one in more:
        yield from inner(one)


def test_it_is_closed_and_every_leaf_has_its_class() -> None:
    for one in inner(plan_schema()):
        if "properties" in one:
            assert one["additionalProperties"] is False
            assert set(one["required"]) <= set(one["properties"])
        elif "anyOf" not in one and "items" not in one and "additionalProperties" not in one:
            assert one["x-claim"] in CLAIMS


@pytest.mark.few("blur/design.yaml", "e1/design.yaml", "jacobi1d/conflicts.yaml")
@pytest.mark.parametrize("design", DESIGNS)
def test_plans_are_written_by_it(design: str) -> None:
    document = json.loads(to_json(planning_of(EXAMPLES / design).plan))
    assert list(faults(document, plan_schema())) == []


def test_a_key_more_less_or_of_another_type_is_against_it() -> None:
    document = json.loads(to_json(planning_of(EXAMPLES / "blur/design.yaml").plan))
    assert list(faults(document | {"more": 1}, plan_schema())) == [".more is too much"]
    del document["elastic"]
    assert list(faults(document, plan_schema())) == [".elastic is missing"]
    document["elastic"] = 1.5
    assert list(faults(document, plan_schema())) == [".elastic: 1.5 is no ['array']"]


def test_the_command_prints_what_docs_have(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "plan"]) == 0
    printed = capsys.readouterr().out
    assert json.loads(printed) == plan_schema()
    assert (EXAMPLES.parent / "docs" / "plan.schema.json").read_text() == printed


def test_each_object_and_key_says_something() -> None:
    for name, one in hlsmem_verify.OBJECTS.items():
        assert one.says.endswith("."), name
        assert one.each.keys() == one.keys.keys(), name
        assert all(one.each.values()), name
    used = json.dumps(plan_schema())
    missing = [
        what
        for one in hlsmem_verify.OBJECTS.values()
        for what in one.each.values()
        if json.dumps(what) not in used
    ]
    assert missing == []  # every object is a part of a plan


def test_the_page_has_the_table() -> None:
    page = EXAMPLES.parent / "docs" / "plan.md"
    if os.environ.get("HLSMEM_REFRESH"):
        page.write_text(plan_page())
    assert page.read_text() == plan_page()
