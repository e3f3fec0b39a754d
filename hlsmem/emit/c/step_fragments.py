"""Fragments of a program: one a statement in sequential order, or reads, values and writes apart
where all instances of one time are an atomic step.

In a step, what earlier steps left in folded arrays is loaded first, values made in the step are
passed on in locals, and values that later steps need are stored last, in textual order.
Elements of streams go straight from and to the arrays that the function is given, any number of
them in a step: they depart before everything else and arrive behind it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.expression import Expression
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.emit.c.c_syntax import C
from hlsmem.emit.c.condition_tests import guarded, predicate_reads
from hlsmem.emit.c.fragments import Cells, Fragment, Local
from hlsmem.emit.c.statement_text import Coordinates, Writer, reads_of_subscripts
from hlsmem.emit.c.step_values import Operand, StepFlow, has_effect, is_arrival, step_flow
from hlsmem.emit.expression_text import print_expression
from hlsmem.host_loops.vector_independence import Touch
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.generated_loops import Visit
from hlsmem.polyhedra.relations import rearrangement
from hlsmem.program.model import Access, Copy, KernelBody, Order, Program, Statement
from hlsmem.read.design_names import RESERVED
from hlsmem.timing.events import instance_times

Text = Callable[[Coordinates, Cells], list[str]]
Touches = Callable[[Coordinates], list[Touch]]

_DEPART, _LOAD, _COMPUTE, _STORE, _ARRIVE = range(5)


def fragments_of(program: Program, writer: Writer) -> tuple[Fragment, ...]:
    """The fragments that run `program` over the folded arrays of `writer`.

    Times are those of the program where `leading_times` is None; else they start with so many
    entries of them, which say what is a step. Raises InputError where a step has loops of its
    own.

    Processes of a network that write nothing have no C: nobody would see that they ran.
    """
    leading = leading_times(program)
    if leading is not None:
        return _Steps.of(program, writer, leading).fragments()
    return tuple(_whole(one, writer) for one in program.statements if has_effect(one))


def leading_times(program: Program) -> int | None:
    """Number of schedule entries that make a step; None where every instance is one by itself."""
    if program.order is Order.ITERATION:
        return program.step_dimensions
    return program.time_dimensions if _has_ties(program) else None


def time_names(program: Program, taken: frozenset[str]) -> list[str]:
    """Names for the dimensions of the program's times that clash with nothing in `taken`."""
    given = list(program.iterator_names[: program.time_dimensions])
    given += [f"t{position}" for position in range(len(given), program.time_dimensions)]
    names: list[str] = []
    for name in given:
        while name in taken or name in names:
            name = f"{RESERVED}{name}" if not name.startswith(RESERVED) else f"{name}_"
        names.append(name)
    return names


def _has_ties(program: Program) -> bool:
    """True if two instances ever have the same time."""
    return not instance_times(program).is_injective()


def _whole(statement: Statement, writer: Writer) -> Fragment:
    def text(at: Coordinates, cells: Cells) -> list[str]:
        inner = cells.under_condition() if statement.filters else cells

        def place(access: Access, coordinates: Coordinates) -> str:
            return writer.element(access, statement, coordinates, inner)

        def look(access: Access, coordinates: Coordinates) -> str:
            if access.array in writer.folds:
                return cells.cell(access.array, coordinates)
            return writer.given_element(
                access.array, [print_expression(one, C, writer.names) for one in coordinates]
            )

        lines = writer.statement(statement, at, place, place)
        return guarded(writer, statement, at, look, lines)

    schedule = statement.schedule.intersect_domain(statement.domain)
    return Fragment(
        name=statement.name,
        names=_names(statement),
        schedule=schedule,
        text=text,
        touches=lambda at: [
            *predicate_reads(writer, statement, at),
            *writer.touches(statement, at),
        ],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Steps:
    """Atomic steps: the first `leading` entries of the time, equal for a whole step."""

    program: Program
    writer: Writer
    leading: int
    flow: StepFlow
    arrivals: frozenset[str]

    @staticmethod
    def of(program: Program, writer: Writer, leading: int) -> _Steps:
        _check_no_loops_inside(program, leading)
        return _Steps(
            program=program,
            writer=writer,
            leading=leading,
            flow=step_flow(program, writer.folds, leading),
            arrivals=frozenset(s.name for s in program.statements if is_arrival(s)),
        )

    def fragments(self) -> tuple[Fragment, ...]:
        found: list[Fragment] = []
        for statement in self.program.statements:
            if not has_effect(statement):
                made: list[Fragment | None] = []
            elif is_arrival(statement):
                made = [self._arrival(statement)]
            elif isinstance(statement.body, Copy):
                made = self._departures(statement)
            else:
                made = [self._load(statement, p) for p in range(len(statement.reads))]
                made += self._passes(statement)
                made += [self._compute(statement)]
                made += [self._store(statement, p) for p in range(len(statement.writes))]
            found += [f for f in made if f is not None and not f.schedule.is_empty()]
        return tuple(found)

    def _arrival(self, statement: Statement) -> Fragment:
        access = statement.writes[0]

        def text(at: Coordinates, cells: Cells) -> list[str]:
            source = self.writer.outer_element(access, statement, at)
            return [f"{cells.element(access, statement, at)} = {source};"]

        domain = self.flow.stored[statement.name, 0]
        touches = partial(self.writer.touches, statement)
        return self._fragment(statement, "arrive", domain, _ARRIVE, 0, text=text, touches=touches)

    def _departures(self, statement: Statement) -> list[Fragment | None]:
        """Elements that leave their cells, and values of the step that leave at once."""
        access = statement.reads[0]
        operand = self.flow.operands[statement.name, 0]

        def text(value: str | None) -> Text:
            def lines(at: Coordinates, cells: Cells) -> list[str]:
                source = value or cells.element(access, statement, at)
                return [f"{self.writer.outer_element(access, statement, at)} = {source};"]

            return lines

        leaves = self._touching(statement, access, cell=False, stores=True)
        found: list[Fragment | None] = [
            self._fragment(
                statement,
                "depart",
                operand.loaded,
                _DEPART,
                0,
                text=text(None),
                touches=partial(self.writer.touches, statement),
            )
        ]
        for source, relation in operand.passed.items():
            if source in self.arrivals:
                continue  # it leaves as it came
            value = self._value_local(source, access.array)
            found.append(
                self._fragment(
                    statement,
                    f"pass{source}",
                    relation.range(),
                    _COMPUTE,
                    self._rank(statement, 0),
                    uses=(value,),
                    text=text(value.name),
                    touches=leaves,
                )
            )
        return found

    def _fragment(
        self, statement: Statement, kind: str, domain: Any, phase: int, rank: int, **rest: Any
    ) -> Fragment:
        """A fragment at [step, phase, rest of the time, rank] of the instances in `domain`."""
        size = self.program.time_dimensions
        entries = [*range(self.leading), str(phase), *range(self.leading, size), str(rank)]
        domain = domain.intersect(self.flow.live[statement.name])
        schedule = statement.schedule.intersect_domain(domain.coalesce())
        schedule = schedule.apply_range(rearrangement(size, entries))
        name = f"{statement.name}'{kind}"
        schedule = schedule.set_tuple_name(DimType.in_, name)
        return Fragment(name=name, names=_names(statement), schedule=schedule, **rest)

    def _load(self, statement: Statement, position: int) -> Fragment | None:
        operand = self.flow.operands.get((statement.name, position))
        if operand is None or operand.number != position:
            return None
        if operand not in (self._held(statement, n) for n in range(len(statement.reads))):
            return None
        access = statement.reads[position]
        return self._fragment(
            statement,
            f"load{position}",
            operand.loaded,
            _LOAD,
            self._rank(statement, position),
            defines=operand.local,
            text=lambda at, cells: [cells.element(access, statement, at)],
            touches=self._touching(statement, access),
        )

    def _held(self, statement: Statement, number: int) -> Operand | None:
        """The operand that a read has in a local of the step; None where it needs none."""
        read = statement.reads[number]
        if any(one is read for one in reads_of_subscripts(statement)):
            return None
        return self.flow.operands.get((statement.name, number))

    def _touching(
        self,
        statement: Statement,
        *accesses: Access,
        cell: bool | None = None,
        stores: bool = False,
    ) -> Touches:
        """The touches of a fragment that makes these accesses, and no other."""
        writer = self.writer
        return lambda at: [
            writer.touch(one, statement, at, cell=cell, stores=stores) for one in accesses
        ]

    def _rank(self, statement: Statement, position: int) -> int:
        """A number that grows in textual order."""
        before = 0
        for other in self.program.statements:
            if other.name == statement.name:
                return before + position
            before += len(other.reads) + len(other.writes) + 2
        raise AssertionError(f"{statement.name} is no statement of the program")

    def _passes(self, statement: Statement) -> list[Fragment | None]:
        """Operands that some instances are passed, into the local that the others load."""
        found: list[Fragment | None] = []
        for number, access in enumerate(statement.reads):
            operand = self.flow.operands.get((statement.name, number))
            if operand is None or operand.number != number:
                continue
            if self._only_source(statement, number) is not None:
                continue
            for source, relation in operand.passed.items():
                arrives = source in self.arrivals
                value = self._value_local(source, access.array)
                found.append(
                    self._fragment(
                        statement,
                        f"pass{number}{source}",
                        relation.range(),
                        _COMPUTE,
                        self._rank(statement, number),
                        defines=operand.local,
                        uses=() if arrives else (value,),
                        text=self._outer(statement, access) if arrives else _named(value),
                        touches=self._touching(statement, *[access] * arrives, cell=False),
                    )
                )
        return found

    def _outer(self, statement: Statement, access: Access) -> Text:
        return lambda at, _: [self.writer.outer_element(access, statement, at)]

    def _compute(self, statement: Statement) -> Fragment:
        rank = self._rank(statement, len(statement.reads))

        def read(access: Access, at: Coordinates) -> str:
            if access.array not in self.writer.folds:
                return self.writer.outside(access, statement, at)
            number = next(i for i, other in enumerate(statement.reads) if other is access)
            local = self._operand_local(statement, number)
            return local.name if local else self.writer.outer_element(access, statement, at)

        def write(access: Access, at: Coordinates) -> str:
            if access.array not in self.writer.folds:
                return self.writer.outside(access, statement, at)
            return self._value_local(statement.name, access.array).name

        locals_read = (
            self._operand_local(statement, number)
            for number in range(len(statement.reads))
            if self._held(statement, number) is not None
        )
        uses = tuple(dict.fromkeys(local for local in locals_read if local is not None))
        folded = [a for a in statement.writes if a.array in self.writer.folds]

        def touches(at: Coordinates) -> list[Touch]:
            reads = [
                one
                for number, one in enumerate(statement.reads)
                if one.array not in self.writer.folds
                or self._operand_local(statement, number) is None
            ]
            writes = [one for one in statement.writes if one not in folded]
            return [
                *self._touching(statement, *reads, cell=False)(at),
                *self._touching(statement, *writes, stores=True)(at),
            ]

        if len(statement.writes) == 1 and folded:
            access = folded[0]
            return self._fragment(
                statement,
                "value",
                statement.domain,
                _COMPUTE,
                rank,
                defines=self._value_local(statement.name, access.array),
                uses=uses,
                text=lambda at, _: [self.writer.value(statement, access, at, read)],
                touches=touches,
            )
        if folded:
            names = ", ".join(repr(write.array) for write in statement.writes)
            raise InputError(
                Problem(
                    f"host C for '{statement.name}', which writes {names} in one step, is not"
                    " available yet",
                    "split the statement",
                    statement.source_location,
                )
            )
        return self._fragment(
            statement,
            "all",
            statement.domain,
            _COMPUTE,
            rank,
            uses=uses,
            text=lambda at, _: self.writer.statement(statement, at, read, write),
            touches=touches,
        )

    def _store(self, statement: Statement, position: int) -> Fragment | None:
        access = statement.writes[position]
        if (statement.name, position) not in self.flow.stored:
            return None
        value = self._value_local(statement.name, access.array)
        return self._fragment(
            statement,
            f"store{position}",
            self.flow.stored[statement.name, position],
            _STORE,
            self._rank(statement, position),
            uses=(value,),
            text=lambda at, cells: [f"{cells.element(access, statement, at)} = {value.name};"],
            touches=self._touching(statement, access, stores=True),
        )

    def _only_source(self, statement: Statement, number: int) -> str | None:
        """The one statement that always passes the operand, if there is one."""
        operand = self.flow.operands[statement.name, number]
        if len(operand.passed) != 1 or not operand.loaded.is_empty():
            return None
        return next(iter(operand.passed))

    def _operand_local(self, statement: Statement, number: int) -> Local | None:
        """The local that holds an operand; None where it is read as it arrives."""
        source = self._only_source(statement, number)
        if source is None:
            return self.flow.operands[statement.name, number].local
        if source in self.arrivals:
            return None
        return self._value_local(source, statement.reads[number].array)

    def _value_local(self, statement: str, array: str) -> Local:
        return Local(name=f"{RESERVED}{statement}_value", type=self.writer.folds[array].type)


def _check_no_loops_inside(program: Program, leading: int) -> None:
    """Every statement must have at most one instance in a step."""
    step = rearrangement(program.time_dimensions, range(leading))
    for statement in program.statements:
        if isinstance(statement.body, Copy):
            continue
        times = statement.schedule.intersect_domain(statement.domain).apply_range(step)
        if times.is_injective():
            continue
        remedy = "use the default pipeline.level, or order: sequential"
        if program.order is not Order.ITERATION:
            remedy = "give its instances different times"
        elif not isinstance(statement.body, KernelBody):
            remedy = "keep more dimensions with pipeline.level, or use order: sequential"
        raise InputError(
            Problem(
                f"host C for several instances of '{statement.name}' in one step is not"
                " available yet",
                remedy,
                statement.source_location,
            )
        )


def _names(statement: Statement) -> Callable[[Visit], list[tuple[str, Expression]]]:
    return lambda visit: list(zip(statement.iterators, visit.coordinates, strict=True))


def _named(local: Local) -> Text:
    return lambda _at, _cells: [local.name]
