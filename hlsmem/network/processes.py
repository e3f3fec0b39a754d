"""Which statements run as one process: each on its own, those of one nest, or as given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hlsmem.polyhedra import DimType
from hlsmem.program import Program, Statement
from hlsmem.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """Statements that run one instance at a time, in the order of their times."""

    name: str
    statements: tuple[str, ...]


def processes_of(program: Program, grain: str) -> tuple[Process, ...]:
    """The processes of a program in textual order.

    `grain` is one of `grains.GRAINS`: `statement` makes each statement a process of its own,
    `nest` joins those with one number in front of their times, the slot of their outermost loops;
    `given` are the processes as the design has them.
    """
    groups = dict[str, list[Statement]]()
    for one in program.statements:
        groups.setdefault(_group(one, grain), []).append(one)
    return tuple(
        Process(name=_name(group, grain), statements=tuple(one.name for one in group))
        for group in groups.values()
    )


def _group(statement: Statement, grain: str) -> str:
    if grain == "given":
        return statement.process
    slot = _slot(statement) if grain == "nest" else None
    return statement.name if slot is None else f"nest {slot}"


def _slot(statement: Statement) -> Any:
    """The first entry of a statement's times where that is one number, else None."""
    times = statement.schedule.intersect_domain(statement.domain).range()
    value = times.plain_get_val_if_fixed(DimType.set, 0)
    return value.to_python() if value.is_int() else None


def _name(group: Sequence[Statement], grain: str) -> str:
    return group[0].process if grain == "given" else "_".join(one.name for one in group)
