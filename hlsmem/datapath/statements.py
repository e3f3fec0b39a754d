"""Statements of a program as values: what they compute of the elements that they read.

Statements that hand values on without a memory (`Storage.DATAPATH`) are evaluated together, in
textual order, for one instance of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from math import prod
from typing import Any

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.datapath import arithmetic
from hlsmem.datapath.evaluate import Evaluator, NoCircuitError
from hlsmem.datapath.kernel_sources import KernelSources, stored_type
from hlsmem.datapath.network_sources import NetworkSources
from hlsmem.datapath.semantics import (
    NONE,
    Modules,
    Typed,
    converted,
    whole_range,
)
from hlsmem.datapath.states import State, summed
from hlsmem.datapath.values import (
    BIT,
    Graph,
    Interval,
    Operand,
    Value,
    of_bits,
)
from hlsmem.datapath.widths import in_order
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.joined_statements import is_same_element, parts_of
from hlsmem.program.model import (
    Access,
    Array,
    ElementType,
    KernelBody,
    NetworkBody,
    Program,
    Statement,
    Storage,
)
from hlsmem.program.packed_words import lane_bits, lane_of, word_of
from hlsmem.read.c import tree
from hlsmem.read.c.tree import Number
from hlsmem.read.c.types import ScalarType


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """An operand of a datapath: the port's name, what it may be, and the access that reads it, of
    which statement.

    That of an iterator has no access; it is called as in the user's text.
    """

    name: str
    interval: Interval
    statement: str = ""
    access: Access | None = None
    iterator: str = ""


class Beat(Enum):
    """The beats of the innermost loops that a statement belongs to."""

    EACH = "each"
    FIRST = "first"
    LAST = "last"


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """A value that is written to an array with streams, on some of the beats: an `element` in this
    `lane` of its word."""

    access: Access
    statement: str
    value: Value
    beat: Beat
    element: ElementType
    lane: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Computed:
    """What statements compute: operands, a value for each write to an array with streams, and the
    variables that they keep from beat to beat. `first` is the operand that is 1 on the first beat
    of the innermost loops, None where nothing asks."""

    graph: Graph
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    states: tuple[State, ...] = ()
    first: Value | None = None


def computed(
    program: Program, statements: Sequence[Statement], modules: Modules = NONE
) -> Computed:
    """Return what statements that make one beat together compute of what they read.

    The deepest of them have one domain and run on each beat; those in front of their innermost
    loops run on the first beat of these, those behind on the last. `modules` are the user's. Raises
    InputError, with a place and a reason, where one of them has no circuit.
    """
    of_kernel = program.kernel is not None
    own = KernelSources if of_kernel else NetworkSources
    sources = own(program.apart, modules)
    states = _states(program, statements)
    arrays = program.arrays
    found = _Statements(sources, arrays, statements, states, {}).computed()
    if not states:
        return found
    trips = _trips(program, statements)
    sums = {one.name: summed(one, found.states, trips) for one in found.states}
    intervals = {one.name: sums[one.name] or one.begun for one in found.states}
    for _ in range(min(trips, _LIMIT)):
        found = _Statements(sources, arrays, statements, states, intervals).computed()
        grown = {
            one.name: sums[one.name] or one.begun.hull(one.following.interval)
            for one in found.states
        }
        if grown == intervals:
            return found
        intervals = grown
    if trips <= _LIMIT:
        return found
    return _Statements(sources, arrays, statements, states, {}, are_whole=True).computed()


_LIMIT = 64
"""Iterations of a loop whose effect on the interval of a variable is followed one by one."""


def _depth(statements: Sequence[Statement]) -> int:
    return max(len(one.iterators) for one in statements)


def _states(program: Program, statements: Sequence[Statement]) -> tuple[str, ...]:
    """The variables that deepest statements read before one of them has set them."""
    found: dict[str, None] = {}
    written: set[str] = set()
    for one in statements:
        if len(one.iterators) < _depth(statements):
            continue
        for access in one.reads:
            is_kept = program.arrays[access.array].storage is Storage.DATAPATH
            if is_kept and access.array not in written:
                found[access.array] = None
        written |= {access.array for access in one.writes}
    set_in_front = {
        access.array for one in statements[: _first_deepest(statements)] for access in one.writes
    }
    return tuple(one for one in found if one in written or one not in set_in_front)


def _first_deepest(statements: Sequence[Statement]) -> int:
    depth = _depth(statements)
    return next(k for k, one in enumerate(statements) if len(one.iterators) == depth)


def beat_of(statements: Sequence[Statement], statement: Statement) -> Beat:
    """Return the beats on which one of the statements that make them runs."""
    if len(statement.iterators) == _depth(statements):
        return Beat.EACH
    is_in_front = statements.index(statement) < _first_deepest(statements)
    return Beat.FIRST if is_in_front else Beat.LAST


def _trips(program: Program, statements: Sequence[Statement]) -> int:
    """A bound on the beats of the innermost loops for each instance of what stands around them."""
    depth = _depth(statements)
    outer = min(len(one.iterators) for one in statements)
    inner = next(one for one in statements if len(one.iterators) == depth)
    domain = fix_parameters(inner.domain, program.values)
    sizes = [
        domain.dim_max_val(k).to_python() - domain.dim_min_val(k).to_python() + 1
        for k in range(outer, depth)
    ]
    return int(prod(sizes))


class _Statements:
    """The statements of a program that are evaluated into one graph; `arrays` are as it packs them.

    `intervals` are those known of states; of others it is that of what is set in front, or, where
    `are_whole`, of their type.
    """

    def __init__(
        self,
        sources: KernelSources | NetworkSources,
        arrays: Mapping[str, Array],
        statements: Sequence[Statement],
        states: Sequence[str],
        intervals: Mapping[str, Interval],
        *,
        are_whole: bool = False,
    ) -> None:
        self.sources, self.program, self.statements = sources, sources.program, statements
        self.words = arrays
        self.states, self.intervals, self.are_whole = states, intervals, are_whole
        self.graph = Graph()
        self.inputs: list[Input] = []
        self.kept: dict[str, Typed] = {}
        self.operands: dict[str, tuple[Interval, Interval, Value, Value]] = {}
        self.first: Value | None = None
        self.statement = statements[0]

    def computed(self) -> Computed:
        outputs: list[Output] = []
        begin = _first_deepest(self.statements)
        for k, one in enumerate(self.statements):
            if k == begin:
                self._enter()
            self.statement = one
            for part in self._apart(one):
                outputs += self._outputs(part, beat_of(self.statements, one))
        states = tuple(
            State(
                name=name,
                begun=begun,
                whole=whole,
                operand=own,
                entered=entered,
                following=self.kept[name].value,
            )
            for name, (begun, whole, own, entered) in self.operands.items()
        )
        roots = [*(one.value for one in outputs), *(one.following for one in states)]
        used = {one.operation.name for one in in_order(roots) if isinstance(one.operation, Operand)}
        return Computed(
            graph=self.graph,
            inputs=tuple(one for one in self.inputs if one.name in used),
            outputs=tuple(outputs),
            states=states,
            first=self.first,
        )

    def _apart(self, statement: Statement) -> Iterator[Statement]:
        """The statements that one stands for, with accesses to elements, and not to words."""
        by_name = {one.name: one for one in self.program.statements}
        for part in parts_of(statement):
            yield by_name.get(part.name, part)

    def _outputs(self, part: Statement, beat: Beat) -> Iterator[Output]:
        """What a statement, or one of those that are one, writes to arrays with streams."""
        if part.filters or not isinstance(part.body, KernelBody | NetworkBody):
            written = ", ".join(repr(one.array) for one in part.writes)
            what = f"{part.name} has no circuit: data decide whether it writes {written}"
            remedy = "write the element once, in any case: x = condition ? a : b"
            raise InputError(Problem(what, remedy, part.source_location))
        for access in part.writes:
            own = self.program.arrays[access.array]
            found = self._value(part, access, self.sources.type_of(own))
            if own.storage is Storage.DATAPATH:
                self.kept[own.name] = found
            else:
                lanes = self.words[own.name].lanes
                yield Output(
                    access=access,
                    statement=self.statement.name,
                    value=found.value,
                    beat=beat,
                    element=own.element,
                    lane=lane_of(access, lanes) or 0 if lanes > 1 else 0,
                )

    def _enter(self) -> None:
        """Give variables the values that they have on a beat of the innermost loops."""
        for name in self.states:
            kind = self.sources.type_of(self.program.arrays[name])
            before = self.kept.get(name)
            whole = whole_range(kind)
            begun = whole if before is None else before.value.interval
            # A number alone would be a constant, and what is added to it could not be told.
            entry = Interval(begun.least, max(begun.greatest, begun.least + 1))
            interval = self.intervals.get(name, whole if self.are_whole else entry)
            operand = arithmetic.operand(self.graph, f"s{len(self.operands)}", interval)
            now = operand
            if before is not None:
                if self.first is None:
                    self.first = arithmetic.operand(self.graph, "first", BIT)
                now = arithmetic.choose(self.graph, self.first, before.value, operand)
            self.operands[name] = begun, whole, operand, now
            self.kept[name] = Typed(now, kind)

    def _refused(self, statement: Statement, error: NoCircuitError) -> InputError:
        what = f"{statement.name} has no circuit: {error.why}"
        return InputError(Problem(what, error.remedy, statement.source_location))

    def _value(self, statement: Statement, written: Access, kind: ScalarType) -> Typed:
        """The value that a statement writes into an element of a type."""
        reads = self.sources.accesses(statement)
        names = dict(self._iterators(statement))
        evaluator: Evaluator

        def element(node: Any) -> Typed | None:
            access = reads.get(id(node))
            return None if access is None else self._element(access, node, evaluator, names)

        evaluator = Evaluator(self.graph, self.sources.sight(element))
        try:
            return evaluator.stored(self.sources.value(statement, written), names, kind)
        except NoCircuitError as error:
            raise self._refused(statement, error) from error

    def _iterators(self, statement: Statement) -> Iterator[tuple[str, Typed]]:
        """The loop variables and the parameters as values."""
        for name, number in self.program.values.items():
            yield name, Typed(arithmetic.constant(self.graph, number), _fitting(number))
        domain = fix_parameters(statement.domain, self.program.values)
        for k, name in enumerate(statement.iterators):
            ends = (domain.dim_min_val(k), domain.dim_max_val(k))
            least, greatest = (one.to_python() for one in ends)
            kind = self.sources.iterator_type(statement, k)
            interval = Interval(least, greatest)
            yield name, Typed(self._input(interval, iterator=name), kind)

    def _input(
        self, interval: Interval, *, access: Access | None = None, iterator: str = ""
    ) -> Value:
        """The operand of an element or of an iterator, the same for equal ones."""
        for one in self.inputs:
            if access is None or one.access is None:
                is_same = access is one.access and iterator == one.iterator
            else:
                is_same = is_same_element(access, one.access)
            if is_same:
                return arithmetic.operand(self.graph, one.name, one.interval)
        letter = "i" if access is None else "a"
        count = sum(own.name.startswith(letter) for own in self.inputs)
        made = Input(
            name=f"{letter}{count}",
            interval=interval,
            statement=self.statement.name,
            access=access,
            iterator=iterator,
        )
        self.inputs.append(made)
        return arithmetic.operand(self.graph, made.name, interval)

    def _element(
        self, access: Access, node: Any, evaluator: Evaluator, names: Mapping[str, Typed]
    ) -> Typed:
        array = self.program.arrays[access.array]
        kind = self.sources.type_of(array)
        if array.storage is Storage.DATAPATH:
            if array.name not in self.kept:
                raise NoCircuitError(f"'{array.name}' is read before it is set", node)
            return self.kept[array.name]
        if array.storage is Storage.ROM:
            return Typed(self._looked_up(array, node, evaluator, names), kind)
        word, packed = stored_type(array), self.words[access.array]
        lanes = packed.lanes
        wanted = access if lanes == 1 else word_of(packed, access)
        read = next(one for one in self.statement.reads if is_same_element(one, wanted))
        if lanes > 1:
            whole = self._input(of_bits(packed.element.bits, signed=False), access=read)
            first = (lane_of(access, lanes) or 0) * lane_bits(array)
            element = arithmetic.shift_right(self.graph, whole, first)
            signed = isinstance(word, Number) and word.signed
            value = arithmetic.wrap(self.graph, element, word.bits, signed=signed)
            return converted(self.graph, Typed(value, word), kind)
        value = self._input(whole_range(word), access=read)
        return converted(self.graph, Typed(value, word), kind)

    def _looked_up(
        self, array: Array, node: Any, evaluator: Evaluator, names: Mapping[str, Typed]
    ) -> Value:
        """The word of a constant table; refused where a subscript may leave it."""
        subscripts = []
        while isinstance(node, tree.ArrayRef):
            subscripts.append(evaluator.expression(node.subscript, names).value)
            node = node.name
        extents = [int(one.evaluate(self.program.values)) for one in array.extents or ()]
        index = arithmetic.constant(self.graph, 0)
        for own, extent in zip(reversed(subscripts), extents, strict=True):
            if not own.interval.is_within(Interval(0, extent - 1)):
                ends = f"{own.interval.least} to {own.interval.greatest}"
                why = f"a subscript of '{array.name}' may be {ends}, outside of its {extent} words"
                raise NoCircuitError(why, node, f"cut it, as by & {extent - 1}, or give more words")
            row = arithmetic.multiply(self.graph, index, arithmetic.constant(self.graph, extent))
            index = arithmetic.add(self.graph, row, own)
        return arithmetic.look_up(self.graph, array.name, self.sources.words(array, node), index)


def _fitting(number: int) -> Number:
    """The type of a parameter: int where that holds its value."""
    return Number(32 if -(1 << 31) <= number < 1 << 31 else 64, True)
