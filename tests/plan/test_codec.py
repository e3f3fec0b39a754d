"""plan.json is written and read by the fields of a plan and the keys of the table, which agree."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass, replace
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

import pytest

import hlsmem_verify
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.plan import HostRam, Plan, from_json, notes_json, to_json
from hlsmem.plan.plan_json import CODEC
from tests.conftest import EXAMPLES
from tests.plans import planning_of

DESIGNS = sorted(str(file.relative_to(EXAMPLES)) for file in EXAMPLES.glob("*/*.yaml"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Grown(HostRam):
    more: int = 0


def unpaired(hint: Any, shape: Any) -> Iterator[str]:
    """Fields without a key, and keys without a field, of a type and of what is in it."""
    inner = [one for one in get_args(hint) if one is not NoneType]
    if isinstance(shape, hlsmem_verify.Either):
        choices = [one for one in shape.choices if getattr(one, "kind", "") != "null"]
        shape = choices[0] if len(choices) == 1 else None
    if NoneType in get_args(hint):
        yield from unpaired(inner[0], shape)
    elif is_dataclass(hint) and isinstance(shape, hlsmem_verify.Keys):
        yield from unpaired_of(hint, shape)
    elif get_origin(hint) is tuple and isinstance(shape, hlsmem_verify.Many):
        yield from unpaired(inner[0], shape.items)
    elif get_origin(hint) is Mapping and isinstance(shape, hlsmem_verify.Named):
        yield from unpaired(inner[1], shape.values)


def unpaired_of(cls: Any, shape: hlsmem_verify.Keys) -> Iterator[str]:
    names = {path: name for name, path in CODEC.paths(cls).items()}
    hints = get_type_hints(cls)
    todo = [((key,), inner) for key, inner in shape.keys.items()]
    while todo:
        path, inner = todo.pop(0)
        name = names.pop(path, None)
        if name is not None:
            yield from unpaired(hints.get(name), inner)
        elif isinstance(inner, hlsmem_verify.Keys):
            todo += [((*path, key), one) for key, one in inner.keys.items()]
        else:
            yield f"{cls.__name__} has no field for {'.'.join(path)}"
    yield from (f"{cls.__name__}.{name} has no key" for name in names.values())


def test_fields_and_keys_are_the_same() -> None:
    assert list(unpaired(Plan, hlsmem_verify.SHAPE)) == []


def test_a_key_or_a_field_more_is_noticed() -> None:
    ram = hlsmem_verify.OBJECTS["ram"]
    grown = replace(ram, keys={**ram.keys, "more": hlsmem_verify.Leaf("int", hlsmem_verify.S)})
    assert list(unpaired(HostRam, grown)) == ["HostRam has no field for more"]
    assert list(unpaired(Grown, ram)) == ["Grown.more has no key"]
    assert list(unpaired(Grown, grown)) == []


@pytest.mark.few("blur/design.yaml", "e1/design.yaml", "jacobi1d/conflicts.yaml")
@pytest.mark.parametrize("design", DESIGNS)
def test_what_is_read_is_written_again(design: str) -> None:
    plan = planning_of(EXAMPLES / design).plan
    again = from_json(to_json(plan), notes=notes_json(plan))
    assert (to_json(again), notes_json(again)) == (to_json(plan), notes_json(plan))


def test_keys_stand_in_the_order_of_the_table() -> None:
    document = json.loads(to_json(planning_of(EXAMPLES / "blur/design.yaml").plan))
    shape = hlsmem_verify.SHAPE
    assert list(document) == [
        key for key in shape.keys if key not in shape.maybe or key == "source"
    ]
    for memory in document["memories"].values():
        assert list(memory) == list(hlsmem_verify.OBJECTS["memory"].keys)


@pytest.mark.parametrize("notes", ["", "[]", '{"format": "hlsmem-notes/2"}', "[" * 9999])
def test_notes_of_another_shape_leave_a_plan_as_it_is(notes: str) -> None:
    text = to_json(planning_of(EXAMPLES / "blur/design.yaml").plan)
    assert from_json(text, notes=notes) == from_json(text)


def test_notes_with_one_wrong_value_are_none() -> None:
    plan = planning_of(EXAMPLES / "blur/design.yaml").plan
    notes = json.loads(notes_json(plan))
    notes["arrays"]["blurx"]["remarks"] = [7]
    assert from_json(to_json(plan), notes=json.dumps(notes)) == from_json(to_json(plan))
