"""Question of `hlsmem rank`: the instances of a statement by number, as C and as a counter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from itertools import pairwise

from hlsmem.core.errors import InputError, LimitError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import counted
from hlsmem.planner.array_folding import operations_of
from hlsmem.polyhedra.cardinality import cardinality
from hlsmem.program.model import ConflictInput, Program, Statement
from hlsmem.program.options import Design
from hlsmem.read.design_names import nearest
from hlsmem.studies.ranks.counter import Counter, counter
from hlsmem.studies.ranks.instance_numbers import (
    MOST_INSTANCES,
    Ranking,
    instance_at,
    ranking_of,
    starts,
    text_of,
    times_at,
    total_at,
)
from hlsmem.studies.ranks.ranks_in_c import rank_in_c
from hlsmem.timing.planned_program import arranged_within


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Instances that one engine runs: the numbers from `first`, so many, and the first one."""

    first: int
    instances: int
    start: tuple[int, ...]
    text: str
    registers: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranks:
    """The instances of a statement of a design at its parameters."""

    program: Program = field(compare=False)
    ranking: Ranking = field(compare=False)
    instances: int
    formula: str
    parts: tuple[Part, ...]
    c: str
    verilog: str


def ask_rank(design: Design, statement: str, *, parts: int = 1) -> Ranks:
    """The count of a statement's instances, their numbers, and so many even parts of them.

    Raises InputError for a statement that is none, parts that would be empty, and instances that
    have no numbers; LimitError for more instances than 64 bits can number.
    """
    program = arranged_within(operations_of(design), program_of(design))
    chosen = named_statement(program, statement)
    ranking = ranking_of(program, chosen)
    total = total_at(ranking, program.values)
    refuse_numbers(chosen, total)
    _refuse_parts(chosen, total, parts)
    ends = starts(total, parts)
    firsts = [times_at(ranking, program.values, first) for first in ends[:-1]]
    sizes = [end - first for first, end in pairwise(ends)]
    name = f"{program.name}_{statement}"
    formula = _formula(program, ranking)
    at = ", ".join(f"{one}={value}" for one, value in program.values.items())
    title = (
        f"{statement} of {program.name}: {counted(total, 'instance')}{f' at {at}' if at else ''}"
    )
    made = _counter(ranking, program, list(zip(firsts, sizes, strict=True)), name, title)
    found = tuple(
        Part(
            first=first,
            instances=size,
            start=point,
            text=text_of(ranking, point),
            registers=load.registers,
        )
        for first, size, point, load in zip(
            ends,
            sizes,
            (instance_at(ranking, program.values, first) for first in ends[:-1]),
            made.starts,
            strict=False,
        )
    )
    head = [title if formula == str(total) else f"{title}, {formula}"]
    head += [
        f"part {number}: numbers {one.first} to {one.first + one.instances - 1}, from {one.text}"
        for number, one in enumerate(found)
    ]
    return Ranks(
        program=program,
        ranking=ranking,
        instances=total,
        formula=formula,
        parts=found,
        c=rank_in_c(ranking, name, head=head),
        verilog=made.text,
    )


def program_of(design: Design) -> Program:
    """The program of a design; InputError for a conflict set."""
    given = design.input
    if isinstance(given, ConflictInput):
        what = "a conflict set has no statements"
        raise InputError(Problem(what, "give a program"))
    return given


def named_statement(program: Program, name: str) -> Statement:
    """The statement of a name; InputError where there is none."""
    known = {one.name: one for one in program.statements}
    if name not in known:
        remedy = nearest(name, list(known), f"the statements are: {', '.join(known)}")
        raise InputError(Problem(f"there is no statement {name!r}", remedy))
    return known[name]


def _counter(
    ranking: Ranking,
    program: Program,
    parts: list[tuple[tuple[int, ...], int]],
    name: str,
    title: str,
) -> Counter:
    return counter(ranking, program.values, parts, module=f"{name}_counter", title=title)


def _formula(program: Program, ranking: Ranking) -> str:
    found = cardinality(ranking.statement.domain, program.context, program.values)
    return str(total_at(ranking, program.values)) if found is None else str(found.formula)


def rank_document(found: Ranks) -> dict[str, object]:
    """The same as a JSON value (hlsmem-rank/1)."""
    return {
        "format": "hlsmem-rank/1",
        "design": found.program.name,
        "params": dict(found.program.values),
        "statement": found.ranking.statement.name,
        "iterators": list(found.ranking.statement.iterators),
        "count": {"expr": found.formula, "value": found.instances},
        "parts": [
            {
                "first": one.first,
                "instances": one.instances,
                "start": list(one.start),
                "load": dict(one.registers),
            }
            for one in found.parts
        ],
        "c": found.c,
        "verilog": found.verilog,
    }


def refuse_numbers(statement: Statement, total: int) -> None:
    """Raises LimitError for more instances than 64 bits can number."""
    if total > MOST_INSTANCES:
        what = f"{statement.name!r} has {total} instances, and 64 bits number {MOST_INSTANCES}"
        raise LimitError(
            Problem(what, "choose smaller parameters, see --param", statement.source_location)
        )


def _refuse_parts(statement: Statement, total: int, parts: int) -> None:
    """Raises InputError for parts that would be empty."""
    if parts > total:
        has = counted(total, "instance")
        what = f"{statement.name!r} has {has}, which make no {parts} parts"
        raise InputError(Problem(what, "ask for fewer: --parts", statement.source_location))
