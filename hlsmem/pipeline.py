"""The arrows in order: design -> storage problems -> mappings -> placement -> plan -> files.

The only module that knows every step. All functions are pure; `cli` writes what they return.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from hlsmem.lifetime.problem import StorageProblem
from hlsmem.mapping.model import Mapping, NoMapping
from hlsmem.mapping.portfolio import plan_array
from hlsmem.options import Design
from hlsmem.place import place_array, place_of, streams_of
from hlsmem.plan import ArrayPlan, Candidate, Plan
from hlsmem.program import Array, ConflictInput, Program
from hlsmem.quantity import Quantity
from hlsmem.version import TOOL


@dataclass(frozen=True, slots=True, kw_only=True)
class Planning:
    """A design with everything worked out on the way to its plan.

    `program` has the arrival and departure statements of streams; it is None for a bare
    conflict set.
    """

    design: Design
    program: Program | None
    problems: tuple[StorageProblem, ...]
    plan: Plan


def plan_design(design: Design) -> Planning:
    """Plan every array of a design.

    Raises InputError where the program reads what nothing writes, or a method that was asked
    for by name has no mapping.
    """
    program, problems = analyse(design)
    choices = {
        problem.array.name: plan_array(
            problem, method=design.plan.method, budget=design.plan.budget
        )
        for problem in problems
    }
    memories = {
        problem.array.name: place_array(program, problem.array, choices[problem.array.name].mapping)
        for problem in problems
    }
    arrays = {
        problem.array.name: _array_plan(
            problem,
            choices[problem.array.name].mapping,
            choices[problem.array.name].candidates,
        )
        for problem in problems
    }
    plan = Plan(
        tool=TOOL,
        design=design.input.name,
        inputs={source.name: _hash(source.text) for source in design.sources},
        overrides=design.overrides,
        params=dict(design.input.values),
        order=program.order.value if program else "none",
        strict=design.plan.strict,
        slack=design.plan.slack,
        memories=memories,
        arrays=arrays,
        streams=streams_of(program) if program else (),
    )
    return Planning(design=design, program=program, problems=problems, plan=plan)


def analyse(design: Design) -> tuple[Program | None, tuple[StorageProblem, ...]]:
    """The program with its streams, and one storage problem per planned array."""
    if isinstance(design.input, ConflictInput):
        return None, _given_problems(design.input)
    from hlsmem.lifetime import storage_problems
    from hlsmem.order import with_streams

    program = with_streams(design.input)
    return program, storage_problems(program, strict=design.plan.strict)


def output_files(planning: Planning) -> dict[str, str]:
    """The files of OUT, by name relative to it: plan.json, design/, host/."""
    from hlsmem.emit.c import emit_host
    from hlsmem.plan import to_json

    design = planning.design
    files = {"plan.json": to_json(planning.plan)}
    files |= {f"design/{source.name}": source.text for source in design.sources}
    for source in emit_host(design, planning.program, planning.plan):
        files[source.name] = source.text
    return files


def _given_problems(given: ConflictInput) -> tuple[StorageProblem, ...]:
    return tuple(
        StorageProblem(
            array=conflict.array,
            parameters=given.parameters,
            values=given.values,
            context=given.context,
            differences=conflict.differences,
            conflicts=conflict.pairs,
            elements=conflict.elements,
        )
        for conflict in given.conflicts.values()
    )


def _array_plan(
    problem: StorageProblem,
    mapping: Mapping,
    candidates: tuple[tuple[str, Mapping | NoMapping], ...],
) -> ArrayPlan:
    array = problem.array
    declared = _declared(array)
    return ArrayPlan(
        name=array.name,
        element=array.element.name,
        bits=array.element.bits,
        index=array.index,
        declared=declared,
        declared_cells=None if declared is None else declared.evaluate(problem.values),
        bounds=problem.bounds,
        mapping=mapping,
        place=place_of(array),
        candidates=tuple(_candidate(method, answer) for method, answer in candidates),
    )


def _declared(array: Array) -> Quantity | None:
    return None if array.extents is None else Quantity.product(array.extents)


def _candidate(method: str, answer: Mapping | NoMapping) -> Candidate:
    if isinstance(answer, NoMapping):
        return Candidate(method=method, cells=None, reason=answer.reason)
    return Candidate(method=method, cells=answer.cells)


def _hash(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()
