"""Whether flows tell the sources of a run."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hlsmem.polyhedra import DimType, Set
from hlsmem.polyhedra.sets import fix_parameters, points
from hlsmem.studies.dataflow.legality import check_conditions, check_loops
from hlsmem.studies.dataflow.reads import ReadFlow, flows_of
from hlsmem.studies.dataflow.sources import Control, Flow
from tests.studies.dataflow.programs import program_of, random_program
from tests.studies.dataflow.simulation import Instance, Meaning, run

# A tenth of what programs of users may take: beyond that, all sources that are possible.
OPERATIONS = 400_000
RUNS = 4


def wrong_in_program(seed: int) -> Iterator[str]:
    """What is wrong with the flows of a random program, by both rules and by none."""
    lines = random_program(seed)
    program = program_of(lines)
    check_loops(program)
    # What is possible follows from the least rule: a few programs show that.
    rules = list(Control) if seed % 5 == 0 else [Control.LEAST, Control.STRICT]
    flows: dict[Control, tuple[ReadFlow, ...]] = {
        control: flows_of(program, control=control, operations=OPERATIONS) for control in rules
    }
    check_conditions(program, flows[Control.LEAST])
    for number in range(RUNS):
        n = 1 + number % 3
        found = Meaning(
            lines, n, run(lines, n, random.Random(7 * seed + number), bias=(number + 1) / 5)
        )
        for control in (Control.STRICT, Control.LEAST):
            yield from (f"{control.value}: {one}" for one in wrong_reads(flows[control], found))
        for flow in flows.values():
            yield from (f"possible: {one}" for one in unnamed_sources(flow, found, inexact=True))
        if Control.STATIC in flows:
            static = unnamed_sources(flows[Control.STATIC], found)
            yield from (f"static: {one}" for one in static)


def wrong_reads(flows: Sequence[ReadFlow], meaning: Meaning) -> Iterator[str]:
    """The reads of a run whose flow names another source, several or none."""
    by_read = {
        (one.read.statement, one.read.operand): one.flow for one in flows if one.read.filter is None
    }
    for (name, point, operand), wanted in meaning.run.sources.items():
        flow = by_read[name, operand]
        if not flow.exact:
            continue
        values = values_of(flow, meaning, name, point, operand)
        found = sources_at(flow, point, {"n": meaning.n, **values})
        if found != [wanted]:
            yield f"{name}{point}.{operand}: {found}, not {wanted}, with {values}"


def unnamed_sources(
    flows: Sequence[ReadFlow], meaning: Meaning, *, inexact: bool = False
) -> Iterator[str]:
    """The reads of a run whose source is not among those that a static flow names.

    With `inexact`, of the reads alone whose flow is not exact.
    """
    by_read = {
        (one.read.statement, one.read.operand): one.flow for one in flows if one.read.filter is None
    }
    for (name, point, operand), wanted in meaning.run.sources.items():
        flow = by_read[name, operand]
        if inexact and flow.exact:
            continue
        if not _is_named(flow, point, wanted, {"n": meaning.n}):
            yield f"{name}{point}.{operand}: without {wanted}"


def _is_named(
    flow: Flow, point: Sequence[int], wanted: Instance | None, values: Mapping[str, int]
) -> bool:
    """Whether a flow, which may name infinitely many sources, names this one."""
    if wanted is None:
        return not _at(fix_parameters(flow.no_source, values), DimType.set, point).is_empty()
    pairs = [
        _at(_at(fix_parameters(one.relation, values), DimType.in_, point), DimType.out, wanted[1])
        for one in flow.sources
        if one.statement == wanted[0]
    ]
    return any(not one.is_empty() for one in pairs)


def _at(value: Any, kind: Any, point: Sequence[int]) -> Any:
    for at, number in enumerate(point):
        value = value.fix_val(kind, at, number)
    return value


def values_of(
    flow: Flow, meaning: Meaning, name: str, point: tuple[int, ...], operand: int
) -> Mapping[str, int]:
    """The parameters of a flow at a read, by their meaning."""
    values = {}
    for one in flow.parameters:
        last = meaning.last(one.statement, one.level, name, point, operand)
        if one.dimension is None:
            values[one.name] = int(last is not None)
        elif last is not None:
            values[one.name] = last[one.dimension]
    return values


def sources_at(
    flow: Flow, point: Sequence[int], values: Mapping[str, int]
) -> list[Instance | None]:
    """The sources that a flow names at an iteration, None for what was there before.

    A parameter without a value, a lambda of what did not run, may have any.
    """
    found: list[Instance | None] = []
    for source in flow.sources:
        relation = _at(fix_parameters(source.relation, values), DimType.in_, point)
        image = _without_parameters(relation.range())
        found += [(source.statement, tuple(map(int, one))) for one in points(image)]
    if _is_named(flow, point, None, values):
        found.append(None)
    return found


def _without_parameters(image: Set) -> Set:
    return image.project_out(DimType.param, 0, image.dim(DimType.param))
