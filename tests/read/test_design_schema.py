from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from hlsmem.program.model import ElementType
from hlsmem.read.design_schema import json_schema


def objects_of(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "DesignKeys", schema
    yield from schema["$defs"].items()


def test_every_key_has_a_description() -> None:
    keys = [
        (f"{name}.{key}", value)
        for name, entry in objects_of(json_schema())
        for key, value in entry["properties"].items()
    ]
    assert len(keys) > 50
    assert [name for name, value in keys if not value.get("description")] == []


def test_no_object_takes_other_keys() -> None:
    assert all(entry["additionalProperties"] is False for _, entry in objects_of(json_schema()))


def test_the_keys_of_the_format() -> None:
    schema = json_schema()
    assert set(schema["properties"]) == {
        "hlsmem", "name", "params", "context", "kernel", "network", "conflicts", "code",
        "arrays", "schedule", "multifor", "order", "live_in", "live_out", "pipeline", "plan",
        "target", "accelerator", "source", "host", "limits",
    }  # fmt: skip
    assert schema["required"] == ["hlsmem", "name"]
    assert [one["required"] for one in schema["oneOf"]] == [["kernel"], ["network"], ["conflicts"]]


def test_the_pattern_of_types_agrees_with_element_types() -> None:
    import re

    pattern = json_schema()["$defs"]["ArrayKeys"]["properties"]["type"]["anyOf"][0]["pattern"]
    names = [f"{sign}int{bits}" for sign in ("", "u") for bits in range(70)]
    for name in [*names, "float", "double", "int", "uint08", "long"]:
        try:
            known = bool(ElementType(name))
        except ValueError:
            known = False
        assert bool(re.search(pattern, name)) == known, name


def test_the_schema_is_json_and_the_same_every_time() -> None:
    assert json.dumps(json_schema()) == json.dumps(json_schema())
