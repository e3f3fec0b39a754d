"""Processes: statements that make one beat together, joined by values that the datapath keeps."""

from __future__ import annotations

from collections.abc import Sequence

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.datapath.semantics import NONE, Modules
from hlsmem.datapath.stages import Recurrence, Timing
from hlsmem.datapath.statements import Beat, Computed, Output, beat_of, computed
from hlsmem.datapath.sums import with_trees
from hlsmem.datapath.verilog import Module, Result, module
from hlsmem.program.joined_statements import parts_of
from hlsmem.program.model import Copy, Program, Statement, Storage


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """A process: its statements in textual order, what they compute, and the module of that.

    `beats` says on which beats of the innermost loops each statement runs.
    """

    name: str
    statements: tuple[Statement, ...]
    computed: Computed
    outputs: tuple[Output, ...]
    module: Module

    @property
    def deepest(self) -> Statement:
        """The first statement in the innermost loops."""
        return max(self.statements, key=lambda one: len(one.iterators))

    @property
    def parts(self) -> tuple[Statement, ...]:
        """Its statements with those that are one by themselves."""
        return tuple(part for one in self.statements for part in parts_of(one))

    def beat(self, statement: Statement) -> Beat:
        """Return the beats on which one of its statements runs."""
        return beat_of(self.statements, statement)

    def holds(self, statement: Statement) -> bool:
        """True if operands in front of the innermost loops wait in a register for the first beat of
        these: it has others of the same array, which come behind them."""
        inner = {
            access.array
            for one in self.statements
            if self.beat(one) is Beat.EACH
            for access in one.reads
        }
        is_first = self.beat(statement) is Beat.FIRST
        return is_first and any(access.array in inner for access in statement.reads)


def processes(program: Program, timing: Timing, modules: Modules = NONE) -> tuple[Process, ...]:
    """Return the processes of a program in textual order; `modules` are those of the user.

    Raises InputError where a statement has no circuit, all of them at once.
    """
    found: list[Process] = []
    problems: list[Problem] = []
    for group in _groups(program):
        try:
            found.append(_process(program, group, timing, modules))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(*problems)
    return tuple(found)


def _groups(program: Program) -> list[list[Statement]]:
    """The statements that compute, those joined by kept values together."""
    kept = {one.name for one in program.arrays.values() if one.storage is Storage.DATAPATH}
    groups: list[list[Statement]] = []
    for one in program.statements:
        if isinstance(one.body, Copy):
            continue
        touched = {access.array for access in (*one.reads, *one.writes)} & kept
        joined = [
            own for own in groups if touched & {a.array for s in own for a in (*s.reads, *s.writes)}
        ]
        whole = [*(statement for own in joined for statement in own), one]
        groups = [*(own for own in groups if own not in joined), whole]
    order = {one.name: k for k, one in enumerate(program.statements)}
    return [
        sorted(own, key=lambda one: order[one.name])
        for own in sorted(groups, key=lambda own: order[own[0].name])
    ]


def _process(
    program: Program, statements: Sequence[Statement], timing: Timing, modules: Modules
) -> Process:
    _check_domains(statements)
    found = computed(program, statements, modules)
    _check_ends(statements, found)
    values = [one.value for one in found.outputs]
    following = [one.following for one in found.states]
    late = [one.operand for one in found.states]
    roots = with_trees(found.graph, [*values, *following], timing.delays, late)
    states = [
        Recurrence(operand=one.operand, following=root)
        for one, root in zip(found.states, roots[len(values) :], strict=True)
    ]
    results = [
        Result(name=f"q{k}", bits=one.element.bits, value=root)
        for k, (one, root) in enumerate(zip(found.outputs, roots, strict=False))
    ]
    name = f"{program.name}_{statements[0].name}"
    inputs = {one.name: one.interval for one in found.inputs}
    if found.first is not None:
        inputs["first"] = found.first.interval
    made = module(name, inputs, results, timing, states)
    return Process(
        name=name,
        statements=tuple(statements),
        computed=found,
        outputs=found.outputs,
        module=made,
    )


def _check_ends(statements: Sequence[Statement], found: Computed) -> None:
    """Refuse results of the first beats of loops beside those of the last ones."""
    by_name = {one.name: one for one in statements}
    first, last = (
        next((one.statement for one in found.outputs if one.beat is beat), None)
        for beat in (Beat.FIRST, Beat.LAST)
    )
    if first is not None and last is not None:
        what = (
            f"{first} has no circuit: its result leaves in front of a loop, that of {last} behind"
        )
        remedy = "write both behind the loop"
        raise InputError(Problem(what, remedy, by_name[first].source_location))


def _check_domains(statements: Sequence[Statement]) -> None:
    """Refuse statements of one process whose innermost loops are not the same."""
    deepest = max(statements, key=lambda one: len(one.iterators))
    for one in statements:
        if len(one.iterators) < len(deepest.iterators):
            continue
        own, other = (s.domain.reset_tuple_id() for s in (one, deepest))
        if not own.is_equal(other):
            what = f"{one.name} has no circuit: it does not run whenever {deepest.name} does"
            remedy = "write the values that both use to an array"
            raise InputError(Problem(what, remedy, one.source_location))
