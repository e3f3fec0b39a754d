"""Whether a plan.json is of a design, by its parameters and its arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from hlsmem.program.model import ConflictInput, Program

Document = Mapping[str, Any]


def parameter_disagreements(params: Mapping[str, int], values: Mapping[str, int]) -> Iterator[str]:
    """The parameters of plan.json against the values of its design, overrides included."""
    if dict(params) != dict(values):
        yield f"params: the plan was made for {_at(params)}, the design says {_at(values)}"


def other_plan(document: Document, source: Program | ConflictInput) -> str:
    """Why this is the plan of another design, by its parameters or its arrays; empty where not."""
    for objection in parameter_disagreements(document["params"], source.values):
        return objection
    if isinstance(source, Program):
        wanted = {array.name for array in source.planned_arrays()}
    else:
        wanted = set(source.conflicts)
    planned = set(document["arrays"])
    if planned != wanted:
        return f"arrays: the plan has {_names(planned)}, the design {_names(wanted)}"
    return ""


def _names(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"


def _at(values: Mapping[str, int]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items()) or "no parameters"
