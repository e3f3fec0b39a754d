"""Tests in front of statements that may not run: `if (c[i] == 1) { .. }` over the cells of c.

Entries of a filter are tested one behind the other, as what one looks at may be there only where
those before it hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from hlsmem.core.expression import Expression, substituted
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.emit.c.c_syntax import C
from hlsmem.emit.c.statement_text import Coordinates, Writer
from hlsmem.emit.expression_text import print_atom, print_expression
from hlsmem.host_loops.vector_independence import Touch
from hlsmem.polyhedra import DimType, Set, UnionMap
from hlsmem.polyhedra.enclosing_instances import bind
from hlsmem.polyhedra.generated_loops import Block, Guard, Loop, Node, Visit, condition, generate
from hlsmem.polyhedra.relations import dimension_names
from hlsmem.polyhedra.sets import parameter_names
from hlsmem.program.model import Access, ElementType, Filter, KernelBody, Statement
from hlsmem.read.design_names import RESERVED

_RUNS = f"{RESERVED}runs"


def guarded(
    writer: Writer, statement: Statement, at: Coordinates, cell: Any, lines: Sequence[str]
) -> list[str]:
    """`lines` where the filters of the statement let the instance run.

    `cell` takes an access and the coordinates of an element, and gives what C calls it.
    """
    if not statement.filters or not lines or isinstance(statement.body, KernelBody):
        return list(lines)  # the C of a kernel tests for itself
    tests = [_Test(writer, statement, one, at, cell) for one in statement.filters]
    inside = [f"  {line}" for line in lines]
    if all(test.is_plain for test in tests):
        text = " && ".join(found for test in tests if (found := test.text(alone=len(tests) == 1)))
        return [f"if ({text}) {{", *inside, "}"] if text else list(lines)
    first = [line for test in tests for line in test.lines()]
    body = [f"int {_RUNS} = 1;", *first, f"if ({_RUNS}) {{", *inside, "}"]
    return ["{", *(f"  {line}" for line in body), "}"]


def predicate_reads(writer: Writer, statement: Statement, at: Coordinates) -> list[Touch]:
    """Accesses of the filters of a statement."""
    return [writer.touch(one, statement, at) for one in statement.looked]


@dataclass(frozen=True, slots=True)
class _Test:
    """One filter at the coordinates of an instance."""

    writer: Writer
    statement: Statement
    filter: Filter
    at: Coordinates
    cell: Any

    @property
    def is_plain(self) -> bool:
        """True if each entry reads one element."""
        return all(one.relation.is_single_valued() for one in self.filter.accesses)

    @property
    def names(self) -> list[str]:
        taken = parameter_names(self.statement.domain)
        return [
            name if name not in taken else f"{RESERVED}{position}"
            for position, name in enumerate(self.statement.iterators)
        ]

    @property
    def texts(self) -> dict[str, str]:
        """Texts of names in expressions: parameters, then the iterators by their values."""
        own = {
            n: print_atom(c, C, self.writer.names) for n, c in zip(self.names, self.at, strict=True)
        }
        return {**self.writer.names, **own}

    @property
    def instances(self) -> Any:
        context = self.writer.program.context
        return self.statement.domain.intersect_params(context)

    def asked(self) -> str:
        """Condition that the filter is for the instance; "" where it always is."""
        asked = self.filter.value.domain().intersect(self.instances)
        if self.instances.is_subset(asked):
            return ""
        inside = bind(asked.gist(self.instances), self.names)
        return print_expression(condition(inside, bind(self.instances, self.names)), C, self.texts)

    def text(self, *, alone: bool) -> str:
        """The filter as an expression, where it looks at one element for each entry."""
        names = [f"{RESERVED}v{entry}" for entry in range(len(self.filter.accesses))]
        values = {
            name: self._value(access, self.writer.coordinates_of(access, self.statement, self.at))
            for name, access in zip(names, self.filter.accesses, strict=True)
        }
        parts = [found for entry in range(len(names)) if (found := self._entry(entry, values))]
        several = len(parts) > 1
        text = " && ".join(f"({part})" if several or not alone else part for part in parts)
        asked = self.asked()
        if not asked or not text:
            return text
        return f"(!({asked}) || ({text}))"

    def lines(self) -> Iterator[str]:
        """Lines that clear a variable where the instance does not run."""
        asked = self.asked()
        inner: list[str] = []
        for entry in range(len(self.filter.accesses)):
            inner += [f"if ({_RUNS}) {{", *(f"  {one}" for one in self._loops(entry, 0, {})), "}"]
        if asked:
            inner = [f"if ({asked}) {{", *(f"  {one}" for one in inner), "}"]
        yield from inner

    def _loops(self, entry: int, number: int, values: dict[str, str]) -> list[str]:
        """Loops over the elements of the entries up to one, around its test."""
        if number > entry:
            test = self._entry(entry, values)
            return [f"if (!({test}))", f"  {_RUNS} = 0;"] if test else []
        access = self.filter.accesses[number]
        name = f"{RESERVED}v{number}"
        elements = bind(
            access.relation.intersect_domain(
                self.filter.value.domain().intersect(self.instances)
            ).reset_tuple_id(DimType.out),
            self.names,
        )
        rank = elements.dim(DimType.set)
        iterators = [f"{RESERVED}x{number}_{k}" for k in range(rank)]
        schedule = UnionMap.from_map(
            elements.set_tuple_name("E").identity().reset_tuple_id(DimType.out)
        )
        context = bind(self.instances, self.names)
        tree = generate(schedule, context, iterators)

        def visit(coordinates: Coordinates) -> list[str]:
            held = {**values, name: self._value(access, coordinates)}
            return self._loops(entry, number + 1, held)

        return [] if tree is None else list(self._node(tree, visit))

    def _node(self, node: Node, visit: Any) -> Iterator[str]:
        match node:
            case Visit(_, coordinates):
                known = dict(zip(self.names, self.at, strict=True))
                yield from visit(tuple(substituted(one, known) for one in coordinates))
            case Block(nodes):
                for inner in nodes:
                    yield from self._node(inner, visit)
            case Guard(test, then, otherwise):
                yield f"if ({print_expression(test, C, self.texts)}) {{"
                yield from (f"  {line}" for line in self._node(then, visit))
                yield "}"
                if otherwise is not None:
                    yield "else {"
                    yield from (f"  {line}" for line in self._node(otherwise, visit))
                    yield "}"
            case Loop():
                kind, name = self.writer.loop_type, node.iterator
                first = print_expression(node.first, C, self.texts)
                if node.degenerate:
                    yield f"{{ const {kind} {name} = {first};"
                else:
                    goes_on = print_expression(node.condition, C, self.texts)
                    yield f"for ({kind} {name} = {first}; {goes_on}; {name} += {node.step}) {{"
                yield from (f"  {line}" for line in self._node(node.body, visit))
                yield "}"

    def _value(self, access: Access, coordinates: Sequence[Expression]) -> str:
        """The value of an element, as signed as what it is compared with."""
        text: str = self.cell(access, tuple(coordinates))
        element: ElementType = self.writer.program.arrays[access.array].element
        return f"(int64_t){text}" if element.bits >= 32 and not element.is_signed else text

    def _entry(self, entry: int, values: dict[str, str]) -> str:
        """The test of an entry where those before it hold; "" where it adds nothing."""
        known = self._first(entry)
        holds = self._first(entry + 1)
        low, high = self.writer.program.arrays[self.filter.accesses[entry].array].value_range
        range_of = holds.get_space()
        dims = dimension_names("d", known.dim(DimType.set) + 1)
        box = Set(f"{{ [{', '.join(dims)}] : {low} <= {dims[-1]} <= {high} }}")
        context = (
            known.add_dims(DimType.set, 1)
            .align_params(range_of)
            .intersect(box.align_params(range_of))
        )
        names = [*self.names, *(f"{RESERVED}v{k}" for k in range(entry + 1))]
        inside = holds.gist(context)
        if context.is_subset(holds):
            return ""
        form = condition(bind(inside, names), bind(context, names))
        return print_expression(form, C, {**self.texts, **values})

    def _first(self, entries: int) -> Any:
        """{ [instance, values of the first entries] } with which those let an instance run."""
        value = self.filter.value.intersect_domain(self.instances)
        size = value.dim(DimType.out)
        value = value.project_out(DimType.out, entries, size - entries)
        return value.wrap().flatten()
