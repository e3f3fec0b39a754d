"""Borders of arrays in cells of their own, where that takes fewer cells in all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hlsmem.lifetime.boundary_split import boundary_parts, domains_of, part_problem
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.mapping.portfolio import Choice
from hlsmem.mapping.storage_mapping import Certificate, NoMapping, StorageMapping
from hlsmem.program.model import Program
from hlsmem.program.schedule_classes import Banded, ScheduleClass
from hlsmem.timing.class_relations import loop_bands
from hlsmem.timing.events import instance_times
from hlsmem.timing.value_flow import dataflow

METHOD = "split"


def split_choice(
    program: Program,
    problem: StorageProblem,
    asked: ScheduleClass,
    whole: Choice,
    plan: Callable[[StorageProblem], Choice],
) -> Choice:
    """The choice with the array's borders in pieces of their own, if these take fewer cells.

    `plan` gives the choice of a storage problem. What the pieces would take stands among the
    candidates in any case.
    """
    parts = boundary_parts(dataflow(program, problem.array.name), _rows(program, asked))
    if len(parts) < 2:
        none = NoMapping(method=METHOD, reason="no border to split off")
        return replace(whole, candidates=(*whole.candidates, (METHOD, none)))
    found = [plan(part_problem(problem, part)).mapping for part in parts]
    pieces = tuple(
        replace(mapping.pieces[0], domain=domain)
        for mapping, domain in zip(found, domains_of(parts, problem), strict=True)
    )
    certificates = [mapping.certificate for mapping in found]
    mapping = StorageMapping(
        pieces=pieces,
        method=METHOD,
        cells=sum(one.cells for one in found),
        certificate=Certificate(scope="all-parameters", by="pieces")
        if all(one.scope == "all-parameters" for one in certificates)
        else Certificate(scope="at", by="pieces", at=tuple(problem.values.items())),
        work=sum(one.work for one in found),
    )
    fewer = mapping if mapping.cells < whole.mapping.cells else whole.mapping
    return replace(whole, mapping=fewer, candidates=(*whole.candidates, (METHOD, mapping)))


def split_remark(choice: Choice) -> str:
    """Cells of borders with mappings of their own, beside those in one piece, in one line."""
    split = dict(choice.candidates).get(METHOD)
    if not isinstance(split, StorageMapping):
        return "split: no border to split off"
    whole = min(
        answer.cells
        for name, answer in choice.candidates
        if isinstance(answer, StorageMapping) and name != METHOD
    )
    sums = " + ".join(str(piece.cells()) for piece in split.pieces)
    kept = "" if choice.mapping is split else "; kept in one"
    return (
        f"split: {split.cells} cells = {sums} in {len(split.pieces)} pieces, {whole} in one{kept}"
    )


def _rows(program: Program, asked: ScheduleClass) -> Any:
    """Space in which distances are measured: rows of the bands, else times."""
    if not isinstance(asked, Banded) or asked.name != "tiled":
        return instance_times(program)
    bands = asked.bands or loop_bands(program)
    rows = bands[0].rows
    for band in bands[1:]:
        rows = rows.flat_range_product(band.rows)
    return rows
