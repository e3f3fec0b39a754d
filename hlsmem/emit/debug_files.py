"""Intermediate values as readable files, each of which can be planned again.

0-<n>-<name>.c is the C of a kernel after each rewrite of the normal form that changed it;
1-program.yaml is the program with its stream statements, as a process network (bodies are
left out: lifetimes do not depend on them); 2-conflicts.yaml the conflict sets; plan.json
the plan.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.plan import Plan, to_json
from hlsmem.program.model import Access, Array, ConflictInput, Program, Statement, Storage


def debug_files(
    given: Program | ConflictInput,
    program: Program | None,
    problems: tuple[StorageProblem, ...],
    plan: Plan,
) -> dict[str, str]:
    """The files by name. A conflict set has no program, hence no 1-program.yaml."""
    head = {
        "hlsmem": 1,
        "name": given.name,
        "params": dict(given.values),
        "context": str(given.context),
    }
    files = {"2-conflicts.yaml": _yaml(head | _conflicts(problems)), "plan.json": to_json(plan)}
    kernel = given.kernel if isinstance(given, Program) else None
    for number, (name, text) in enumerate(kernel.stages.items() if kernel else (), start=1):
        files[f"0-{number}-{name}.c"] = text
    if program is not None:
        files["1-program.yaml"] = _yaml(head | _network(program))
    return files


def _conflicts(problems: tuple[StorageProblem, ...]) -> dict[str, Any]:
    return {
        "arrays": {p.array.name: _array(p.array) for p in problems},
        "conflicts": {p.array.name: {"differences": str(p.differences)} for p in problems},
    }


def _network(program: Program) -> dict[str, Any]:
    processes: dict[str, dict[str, Any]] = {}
    for statement in program.statements:
        process = processes.setdefault(statement.process, {"statements": {}})
        process["statements"][statement.name] = _statement(statement)
    return {
        "order": program.order.value,
        "pipeline": {"level": program.step_dimensions},
        "arrays": {name: _array(array) for name, array in program.arrays.items()},
        "network": processes,
        "live_in": [str(program.live_in)],
        "live_out": [str(program.live_out)],
    }


def _statement(statement: Statement) -> dict[str, Any]:
    return {
        "domain": str(statement.domain),
        "schedule": str(statement.schedule),
        "reads": _accesses(statement.reads),
        "writes": _accesses(statement.writes),
    }


def _accesses(accesses: Iterable[Access]) -> list[str]:
    return [str(access.relation) for access in accesses]


def _array(array: Array) -> dict[str, Any]:
    document: dict[str, Any] = {"type": array.element.name, "index": list(array.index)}
    if array.extents is not None:
        document["extents"] = [str(extent) for extent in array.extents]
    if array.storage is Storage.EXTERNAL:
        document["storage"] = "external"
    return document


def _yaml(document: Any, indent: str = "") -> str:
    """Block mappings with JSON leaves, which YAML reads as they are."""
    text = ""
    for key, value in document.items():
        if isinstance(value, dict) and value:
            text += f"{indent}{key}:\n{_yaml(value, indent + '  ')}"
        else:
            text += f"{indent}{key}: {json.dumps(value, ensure_ascii=False)}\n"
    return text
