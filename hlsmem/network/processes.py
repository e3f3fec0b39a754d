"""Processes of statements: each on its own, those of one nest, or as given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType
from hlsmem.program.model import Program, Statement, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """Statements that run one instance at a time, in the order of their times.

    `tasks` are those of DATAFLOW regions that it is in, as of statements: it runs beside the other
    tasks of the last region that both are in.
    """

    name: str
    statements: tuple[str, ...]
    tasks: tuple[Task, ...] = ()

    def beside(self, other: Process) -> Task | None:
        """The task of this process in the region where it runs beside the other; None where the
        text of a task has both, and says which comes first."""
        for own, others in zip(self.tasks, other.tasks, strict=False):
            if own != others:
                return own if own.region == others.region else None
        return None


def processes_of(program: Program, grain: str) -> tuple[Process, ...]:
    """The processes of a program in textual order.

    `grain` is one of three: `statement` makes each statement a process of its own,
    `nest` joins those with one number in front of their times, the slot of their outermost loops;
    `given` are the processes as the design has them, of a kernel the tasks of its DATAFLOW regions.
    """
    is_given = grain == "given"
    found = _grouped(program, lambda one: _group(one, grain), is_named=is_given)
    tasks = {one.name: one.tasks if is_given else () for one in program.statements}
    return tuple(replace(one, tasks=tasks[one.statements[0]]) for one in found)


def selftimed_processes(program: Program) -> tuple[Process, ...]:
    """The processes that run by themselves under plan.capacity, `Program.selftimed_process`."""
    return _grouped(program, program.selftimed_process, is_named=True)


def _grouped(
    program: Program, group: Callable[[Statement], str], *, is_named: bool
) -> tuple[Process, ...]:
    groups = dict[str, list[Statement]]()
    for one in program.statements:
        groups.setdefault(group(one), []).append(one)
    return tuple(
        Process(
            name=key if is_named else "_".join(one.name for one in found),
            statements=tuple(one.name for one in found),
        )
        for key, found in groups.items()
    )


def _group(statement: Statement, grain: str) -> str:
    if grain == "given":
        return statement.tasks[-1].name if statement.tasks else statement.process
    slot = _slot(statement) if grain == "nest" else None
    return statement.name if slot is None else f"nest {slot}"


def _slot(statement: Statement) -> Any:
    """The first entry of a statement's times where that is one number, else None."""
    times = statement.schedule.intersect_domain(statement.domain).range()
    value = times.plain_get_val_if_fixed(DimType.set, 0)
    return value.to_python() if value.is_int() else None
