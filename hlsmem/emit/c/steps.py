"""Fragments of a program: one a statement in sequential order, or reads, values and writes apart
where all instances of one time are an atomic step.

In a step, what earlier steps left in folded arrays is loaded first, values made in the step are
passed on in locals, and values that later steps need are stored last, in textual order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hlsmem.emit.c.fragments import Fragment, Local
from hlsmem.emit.c.statements import Coordinates, Writer
from hlsmem.emit.c.syntax import RESERVED
from hlsmem.errors import InputError, Problem
from hlsmem.order.dataflow import dataflow
from hlsmem.order.events import instance_times
from hlsmem.polyhedra import DimType, Map, UnionMap
from hlsmem.polyhedra.relations import maps_of, rearrangement, union_map
from hlsmem.program import Access, KernelBody, Order, Program, Statement

_LOAD, _COMPUTE, _STORE = 0, 1, 2


def fragments_of(program: Program, writer: Writer) -> tuple[Fragment, ...]:
    """The fragments that run `program` over the folded arrays of `writer`.

    Raises InputError where a step has loops of its own.
    """
    if program.order is Order.ITERATION:
        return _Steps.of(program, writer, program.step_dimensions).fragments()
    if _has_ties(program):
        return _Steps.of(program, writer, program.time_dimensions).fragments()
    return tuple(_whole(statement, writer) for statement in program.statements)


def time_names(program: Program, taken: set[str]) -> list[str]:
    """Names for the dimensions of the fragments' times that clash with nothing in `taken`."""
    steps = program.order is Order.ITERATION or _has_ties(program)
    given = list(program.iterator_names[: program.time_dimensions])
    given += [f"t{position}" for position in range(len(given), program.time_dimensions)]
    given += ["p", "q"] if steps else []
    names: list[str] = []
    for name in given:
        while name in taken or name in names:
            name = f"{RESERVED}{name}" if not name.startswith(RESERVED) else f"{name}_"
        names.append(name)
    if steps:
        leading = _leading(program)
        names = [*names[:leading], names[-2], *names[leading:-2], names[-1]]
    return names


def _leading(program: Program) -> int:
    ordered = program.order is Order.ITERATION
    return program.step_dimensions if ordered else program.time_dimensions


def _has_ties(program: Program) -> bool:
    """Whether two instances ever have the same time."""
    return not instance_times(program).is_injective()


def _whole(statement: Statement, writer: Writer) -> Fragment:
    def text(at: Coordinates) -> list[str]:
        def place(access: Access, coordinates: Coordinates) -> str:
            return writer.element(access, statement, coordinates)

        return writer.statement(statement, at, place, place)

    schedule = statement.schedule.intersect_domain(statement.domain)
    return Fragment(
        name=statement.name, iterators=statement.iterators, schedule=schedule, text=text
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Operand:
    """A read of a folded array: the instances that load it, and those that are passed it."""

    local: Local
    loaded: Any = field(compare=False)
    passed: Mapping[str, Any] = field(compare=False)  # writer's name -> map writer -> reader


@dataclass(frozen=True, slots=True, kw_only=True)
class _Steps:
    """Atomic steps: the first `leading` entries of the time, equal for a whole step."""

    program: Program
    writer: Writer
    leading: int
    operands: Mapping[tuple[str, int], _Operand]
    stored: Mapping[tuple[str, int], Any] = field(compare=False)
    live: Mapping[str, Any] = field(compare=False)

    @staticmethod
    def of(program: Program, writer: Writer, leading: int) -> _Steps:
        _check_no_loops_inside(program, leading)
        together = _same_step(program, leading)
        uses = {name: dataflow(program, name).uses for name in writer.folds}
        operands = {
            (statement.name, position): _operand(
                writer, statement, position, access, uses[access.array], together
            )
            for statement in program.statements
            for position, access in enumerate(statement.reads)
            if access.array in writer.folds
        }
        stored = {
            (statement.name, position): _stored(statement, access, uses[access.array], together)
            for statement in program.statements
            for position, access in enumerate(statement.writes)
            if access.array in writer.folds
        }
        live = _live_instances(program, writer, operands, stored)
        return _Steps(
            program=program,
            writer=writer,
            leading=leading,
            operands=operands,
            stored=stored,
            live=live,
        )

    def fragments(self) -> tuple[Fragment, ...]:
        found: list[Fragment] = []
        for statement in self.program.statements:
            loads = [self._load(statement, p) for p in range(len(statement.reads))]
            stores = [self._store(statement, p) for p in range(len(statement.writes))]
            for fragment in (*loads, *self._computes(statement), *stores):
                if fragment is not None and not fragment.schedule.is_empty():
                    found.append(fragment)
        return tuple(found)

    def _fragment(
        self, statement: Statement, kind: str, domain: Any, phase: int, rank: int, **rest: Any
    ) -> Fragment:
        """A fragment at [step, phase, rest of the time, rank] of the instances in `domain`."""
        size = self.program.time_dimensions
        entries = [*range(self.leading), str(phase), *range(self.leading, size), str(rank)]
        domain = domain.intersect(self.live[statement.name])
        schedule = statement.schedule.intersect_domain(domain.coalesce())
        schedule = schedule.apply_range(rearrangement(size, entries))
        name = f"{statement.name}'{kind}"
        schedule = schedule.set_tuple_name(DimType.in_, name)
        return Fragment(name=name, iterators=statement.iterators, schedule=schedule, **rest)

    def _load(self, statement: Statement, position: int) -> Fragment | None:
        operand = self.operands.get((statement.name, position))
        if operand is None:
            return None
        access = statement.reads[position]
        return self._fragment(
            statement,
            f"load{position}",
            operand.loaded,
            _LOAD,
            self._rank(statement, position),
            defines=operand.local,
            text=lambda at: [self.writer.folded_element(access, statement, at)],
        )

    def _rank(self, statement: Statement, position: int) -> int:
        """A number that grows in textual order."""
        before = 0
        for other in self.program.statements:
            if other.name == statement.name:
                return before + position
            before += len(other.reads) + len(other.writes) + 2
        raise AssertionError(f"{statement.name} is no statement of the program")

    def _computes(self, statement: Statement) -> list[Fragment]:
        """Operands that are passed on, then the statement (as a local where its array folds)."""
        found: list[Fragment] = []
        rank = self._rank(statement, 0)
        for number, _ in enumerate(statement.reads):
            operand = self.operands.get((statement.name, number))
            if operand is None or self._alias(statement, number) is not None:
                continue
            for source, relation in operand.passed.items():
                value = self._value_local(source, statement.reads[number].array)
                found.append(
                    self._fragment(
                        statement,
                        f"pass{number}{source}",
                        relation.range(),
                        _COMPUTE,
                        rank + number,
                        defines=operand.local,
                        uses=(value,),
                        text=_named(value),
                    )
                )
        found.append(self._compute(statement, rank + len(statement.reads)))
        return found

    def _compute(self, statement: Statement, rank: int) -> Fragment:
        def read(access: Access, at: Coordinates) -> str:
            if access.array not in self.writer.folds:
                return self.writer.element(access, statement, at)
            number = next(i for i, other in enumerate(statement.reads) if other is access)
            return self._operand_local(statement, number).name

        def write(access: Access, at: Coordinates) -> str:
            if access.array not in self.writer.folds:
                return self.writer.element(access, statement, at)
            return self._value_local(statement.name, access.array).name

        uses = tuple(
            dict.fromkeys(
                self._operand_local(statement, number)
                for number, access in enumerate(statement.reads)
                if access.array in self.writer.folds
            )
        )
        folded = [a for a in statement.writes if a.array in self.writer.folds]
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
                text=lambda at: [self.writer.value(statement, access, at, read)],
            )
        if folded:
            names = ", ".join(repr(write.array) for write in statement.writes)
            raise InputError(
                Problem(
                    f"host C for '{statement.name}', which writes {names} in one step, is not"
                    " available yet",
                    "split the statement",
                    statement.place,
                )
            )
        return self._fragment(
            statement,
            "all",
            statement.domain,
            _COMPUTE,
            rank,
            uses=uses,
            text=lambda at: self.writer.statement(statement, at, read, write),
        )

    def _store(self, statement: Statement, position: int) -> Fragment | None:
        access = statement.writes[position]
        if (statement.name, position) not in self.stored:
            return None
        value = self._value_local(statement.name, access.array)
        return self._fragment(
            statement,
            f"store{position}",
            self.stored[statement.name, position],
            _STORE,
            self._rank(statement, position),
            uses=(value,),
            text=lambda at: [
                f"{self.writer.folded_element(access, statement, at)} = {value.name};"
            ],
        )

    def _alias(self, statement: Statement, number: int) -> Local | None:
        """The local of the value itself where one writer always passes it."""
        operand = self.operands[statement.name, number]
        if len(operand.passed) != 1 or not operand.loaded.is_empty():
            return None
        (source,) = operand.passed
        return self._value_local(source, statement.reads[number].array)

    def _operand_local(self, statement: Statement, number: int) -> Local:
        return self._alias(statement, number) or self.operands[statement.name, number].local

    def _value_local(self, statement: str, array: str) -> Local:
        return Local(name=f"{RESERVED}{statement}_value", type=self.writer.folds[array].type)


def _check_no_loops_inside(program: Program, leading: int) -> None:
    """Every statement must have at most one instance in a step."""
    step = rearrangement(program.time_dimensions, range(leading))
    for statement in program.statements:
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
                statement.place,
            )
        )


def _same_step(program: Program, leading: int) -> Any:
    step = UnionMap.from_map(rearrangement(program.time_dimensions, range(leading)))
    steps = instance_times(program).apply_range(step)
    return steps.apply_range(steps.reverse())


def _operand(
    writer: Writer,
    statement: Statement,
    position: int,
    access: Access,
    uses: Any,
    together: Any,
) -> _Operand:
    relation = access.relation.intersect_domain(statement.domain)
    relation = relation.intersect_params(writer.program.context)
    passed: dict[str, Any] = {}
    loaded = relation.domain()
    for one in maps_of(uses):  # [A[x] -> W[i]] -> R[j]
        if one.get_tuple_name(DimType.out) != statement.name:
            continue
        pair = one.domain().unwrap()
        reading = pair.domain_map().apply_range(relation.reverse())
        flow = one.intersect(reading).curry().range().unwrap()  # W[i] -> R[j]
        flow = UnionMap.from_map(flow).intersect(together)
        if flow.is_empty():
            continue
        source = Map.from_union_map(flow)
        passed[pair.get_tuple_name(DimType.out)] = source
        loaded = loaded.subtract(source.range())
    local = Local(
        name=f"{RESERVED}{statement.name}_{position}", type=writer.folds[access.array].type
    )
    return _Operand(local=local, loaded=loaded.coalesce(), passed=passed)


def _stored(statement: Statement, access: Access, uses: Any, together: Any) -> Any:
    """The instances whose value is needed after their step."""
    relation = access.relation.intersect_domain(statement.domain)
    found = relation.domain().subtract(relation.domain())
    later = uses.curry().subtract_range(together.wrap()).uncurry()
    for one in maps_of(later):
        pair = one.domain().unwrap()
        if pair.get_tuple_name(DimType.out) == statement.name:
            found = found.union(pair.reverse().intersect(relation).domain())
    return found.coalesce()


def _live_instances(
    program: Program,
    writer: Writer,
    operands: Mapping[tuple[str, int], _Operand],
    stored: Mapping[tuple[str, int], Any],
) -> dict[str, Any]:
    """The instances that anybody needs: they write out, store, or pass on to one that does."""
    live: dict[str, Any] = {}
    for statement in program.statements:
        needed = statement.domain
        if statement.writes and all(a.array in writer.folds for a in statement.writes):
            needed = needed.subtract(needed)
            for position, _ in enumerate(statement.writes):
                needed = needed.union(stored[statement.name, position])
        live[statement.name] = needed
    changed = True
    while changed:
        changed = False
        for (reader, _), operand in operands.items():
            for source, relation in operand.passed.items():
                more = relation.intersect_range(live[reader]).domain()
                if not more.is_subset(live[source]):
                    live[source] = live[source].union(more).coalesce()
                    changed = True
    return live


def _named(local: Local) -> Callable[[Coordinates], list[str]]:
    return lambda _: [local.name]


def schedule_of(fragments: tuple[Fragment, ...]) -> Any:
    """The joint schedule of fragments, a UnionMap."""
    return union_map(fragment.schedule for fragment in fragments)
