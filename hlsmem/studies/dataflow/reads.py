"""The sources of every read of a program, conditions and all.

Beyond a limit of work a read has its possible sources instead, `static` ones: what an instance
without a filter writes is the last of what came before, what others write hides nothing. So have
reads whose element, or a write of whose array, data decide without a filter.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import field, replace
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.limits import WorkLimitError, within
from hlsmem.polyhedra.relations import with_names
from hlsmem.polyhedra.sets import without_parameters
from hlsmem.program.model import Program, Statement
from hlsmem.studies.dataflow.analysis import sources_of
from hlsmem.studies.dataflow.condition_values import Conditions, Entry
from hlsmem.studies.dataflow.last_writes import (
    Reader,
    Writer,
    at_level,
    last_of,
    later,
    writes_before,
)
from hlsmem.studies.dataflow.nest import nests_of
from hlsmem.studies.dataflow.sources import Control, Flow, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A read: operand `operand` of a statement, or an entry of one of its filters."""

    statement: str
    array: str
    operand: int
    filter: int | None = None
    source_location: SourceLocation | None = None

    def __str__(self) -> str:
        """E.g. "R reads s", "S1 looks at c"."""
        verb = "reads" if self.filter is None else "looks at"
        return f"{self.statement} {verb} {self.array}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFlow:
    """A read and its sources; `loops` are names of the loops around it.

    Relations are of the statements' instances; where an instance looks at several elements, of
    [S[i] -> c[element]].
    """

    read: Read
    loops: tuple[str, ...]
    flow: Flow = field(compare=False)


def flows_of(
    program: Program, *, control: Control, operations: int, names: Collection[str] = ()
) -> tuple[ReadFlow, ...]:
    """The sources of all reads, then of what filters look at, in textual order.

    The program is taken in its own order. With `names`, of these statements alone. `operations`
    of isl are what a read may take.
    """
    program = program.source
    static = set[Entry]()
    while True:
        try:
            return within(
                operations,
                lambda report: _Reads(program, control, static, report).all(names),
                each_step=True,
            )
        except WorkLimitError as limit:
            if limit.step is None or limit.step in static:
                raise
            static.add(limit.step)


class _Reads:
    def __init__(
        self,
        program: Program,
        control: Control,
        static: Collection[Entry],
        report: Callable[[Entry], None],
    ) -> None:
        self.program, self.control, self.static, self.report = program, control, static, report
        self.nests = nests_of(program)
        self.conditions = Conditions(program, self.nests, self._analyse)

    def all(self, names: Collection[str]) -> tuple[ReadFlow, ...]:
        wanted = [
            one
            for one in self.program.statements
            if one.name in self.nests and (not names or one.name in names)
        ]
        reads = [
            self._of_operand(statement, at)
            for statement in wanted
            for at, access in enumerate(statement.reads)
            if not access.relation.is_empty()
        ]
        looked = [
            self._of_entry(statement, Entry(statement.name, number, at))
            for statement in wanted
            for number, one in enumerate(statement.filters)
            for at in range(len(one.accesses))
        ]
        return (*reads, *looked)

    def _of_operand(self, statement: Statement, operand: int) -> ReadFlow:
        access = statement.reads[operand]
        nest = self.nests[statement.name]
        read = self.conditions.lifted(statement.name, access.relation)
        reader = Reader(nest=nest, read=read, condition=self.conditions.of(statement.name))
        writers = self.conditions.writers(access.array)
        flow = self._analyse(Entry(statement.name, -1, operand), reader, writers)
        name = Read(statement=statement.name, array=access.array, operand=operand,
            source_location=access.source_location)  # fmt: skip
        return ReadFlow(
            read=name, loops=nest.loops, flow=self._unlifted(flow, nest.instances.reverse())
        )

    def _of_entry(self, statement: Statement, at: Entry) -> ReadFlow:
        self.conditions.of(statement.name)
        looked = self.conditions.looked[at]
        own = looked.sinks.reverse().apply_range(self.nests[statement.name].instances.reverse())
        if not looked.access.relation.is_single_valued():
            own = own.range_product(looked.elements)
        read = Read(statement=statement.name, array=looked.access.array, operand=at.entry,
            filter=at.filter, source_location=looked.access.source_location)  # fmt: skip
        loops = self.nests[statement.name].loops
        return ReadFlow(read=read, loops=loops, flow=self._unlifted(looked.flow, own))

    def _analyse(self, at: Entry, reader: Reader, writers: list[Writer]) -> Flow:
        self.report(at)
        if at in self.static or not self._must_read(at) or not all(one.must for one in writers):
            return possible_sources(reader, writers)
        control = Control.LEAST if self.control is Control.STATIC else self.control
        flow = sources_of(reader, writers, control=control)
        # What filters look at keeps its parameters: they tell what is known of it.
        return _projected(flow) if self.control is Control.STATIC and at.filter < 0 else flow

    def _must_read(self, at: Entry) -> bool:
        """True if an instance that runs reads just the elements of the access."""
        statement = next(one for one in self.program.statements if one.name == at.statement)
        return at.filter >= 0 or statement.reads[at.entry].must

    def _unlifted(self, flow: Flow, own: Any) -> Flow:
        """Relations of instances instead of those of nests; `own` maps back those that read."""
        return replace(
            flow,
            sources=tuple(
                replace(one, relation=self._shown(self._of_instances(one, own)))
                for one in flow.sources
            ),
            no_source=self._shown(flow.no_source.apply(own).coalesce()),
        )

    def _of_instances(self, source: Source, own: Any) -> Any:
        relation = source.relation.apply_domain(own)
        return relation.apply_range(self.nests[source.statement].instances.reverse()).coalesce()

    def _shown(self, value: Any) -> Any:
        """A set or map with the iterators of statements as names, where it has them plainly."""
        iterators = {one.name: one.iterators for one in self.program.statements}
        space = value.get_space()
        for kind in (DimType.set,) if space.is_set() else (DimType.in_, DimType.out):
            own = space.get_tuple_name(kind) if space.has_tuple_name(kind) else ""
            value = with_names(value, kind, iterators.get(own, ()))
        return value


def _projected(flow: Flow) -> Flow:
    """The flow for any values of its parameters."""
    names = [one.name for one in flow.parameters]
    return replace(
        flow,
        sources=tuple(
            replace(
                one,
                relation=without_parameters(one.relation, names).coalesce(),
                lowest_level=None,
            )
            for one in flow.sources
        ),
        no_source=without_parameters(flow.no_source, names).coalesce(),
        parameters=(),
    )


def possible_sources(reader: Reader, writers: Sequence[Writer]) -> Flow:
    """The flow of every source that some outcome of the conditions may have; not exact.

    `no_source` are the reads that may see what was there before.
    """
    named = {one.nest.name: one for one in writers}
    memory = {name: writes_before(reader, one) for name, one in named.items()}
    final: dict[str, Any] = {}
    left = reader.read.domain()
    for level in range(reader.nest.depth, -1, -1):
        found = {
            name: memory[name][level].intersect_domain(left)
            for name in at_level(reader, named, memory, level)
        }
        for name in list(found):
            if not named[name].must:
                continue
            sure = found[name].subtract_range(named[name].condition.filtered)
            if sure.is_empty():
                continue
            last = last_of(sure, named[name])
            for other in found:
                hides = later(named[name].nest, named[other].nest).reverse()
                found[other] = found[other].subtract(last.apply_range(hides))
            left = left.subtract(last.domain())
        for name, relation in found.items():
            final[name] = final[name].union(relation) if name in final else relation
    return Flow(
        sources=tuple(
            Source(statement=name, relation=one.coalesce(), lowest_level=None)
            for name, one in final.items()
            if not one.is_empty()
        ),
        no_source=left.coalesce(),
        exact=False,
    )
