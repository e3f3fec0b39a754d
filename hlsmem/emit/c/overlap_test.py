"""The test at the entry of C that what pointers reach lies apart, where one side is written.

Source: Doerfert, Hammacher, Streit, Hack, "SPolly: Speculative Optimizations in the Polyhedral
Model" (IMPACT 2013), section 3.1; ranges are half open, and an array that is not touched has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain
from typing import Any

from hlsmem.core.expression import Integer
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.emit.c.c_syntax import C
from hlsmem.emit.expression_text import print_atom
from hlsmem.host_loops.symbolic_sizes import expression_of as tree_of
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.extremes import lexmax, lexmin
from hlsmem.polyhedra.generated_loops import condition, expression_of
from hlsmem.program.model import Array, Kernel, KernelVariable, Program
from hlsmem.read.design_names import RESERVED


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """Range of a variable that a program touches: all between two elements of `size` bytes (C).

    `first` and `last` are C for the bytes from `start` to these elements; `touched` is C for
    whether there are any, "" where always.
    """

    start: str
    size: str
    first: str
    last: str
    touched: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """The pairs of variables that have to lie apart, of which those `in_place` may be one, and what
    is touched of each variable of the caller."""

    pairs: tuple[tuple[str, str], ...]
    in_place: tuple[tuple[str, str], ...]
    reaches: Mapping[str, Reach]

    def name(self, function: str) -> str:
        return f"{function}_apart"

    def comment(self, stops: bool) -> list[str]:
        """Comment on the function for its header; where its answer is no, C `stops`, or runs as it
        was."""
        pairs = "; ".join(
            f"{one} and {other}{', or are one' * ((one, other) in self.in_place)}"
            for one, other in self.pairs
        )
        else_ = "the function stops" if stops else "it runs in the order of its text"
        return [
            f"/* Whether these lie apart, for parameters that the plan is for: {pairs};",
            f" * where not, {else_}. */",
        ]

    def body(self) -> list[str]:
        """The lines of the function, with braces."""
        numbers = {name: k for k, name in enumerate(dict.fromkeys(chain(*self.pairs)))}
        ranges = [line for name, k in numbers.items() for line in _range(k, self.reaches[name])]
        tests = [
            _test(numbers[one], numbers[other], self._one_place(one, other))
            for one, other in self.pairs
        ]
        return _body(ranges, tests)

    def body_with(self, workspace: str, size: str, before: str) -> list[str]:
        """The lines of a function that also says whether a workspace of so many bytes lies apart
        from all that is touched; `before` is C for what it asks first."""
        own = Reach(start=workspace, size=size, first="0", last="0", touched="")
        ranges = [
            line for k, one in enumerate((own, *self.reaches.values())) for line in _range(k, one)
        ]
        return _body(ranges, [before, *(_test(0, 1 + k, "") for k in range(len(self.reaches)))])

    def _one_place(self, one: str, other: str) -> str:
        """C for whether two variables are one, where that is as good; "" where it is not."""
        if (one, other) not in self.in_place:
            return ""
        return " || ".join(["", _same_place(self.reaches[one], self.reaches[other])])


def _body(ranges: Sequence[str], tests: Sequence[str]) -> list[str]:
    first, *rest = tests
    lines = ["{", *ranges, "", f"    return {first}", *(f"        && {test}" for test in rest)]
    return [*lines[:-1], f"{lines[-1]};", "}"]


def _same_place(one: Reach, other: Reach) -> str:
    return f"(uintptr_t){one.start} == (uintptr_t){other.start}"


def _range(number: int, one: Reach) -> Iterator[str]:
    """Start and end of the bytes of a reach; both 0 of one that is empty."""
    for name, place in ((_from(number), one.first), (_to(number), f"{one.last} + {one.size}")):
        text = f"(uintptr_t){one.start}"
        text += f" + (uintptr_t)({place})" if place != "0" else ""
        yield (
            f"    const uintptr_t {name} = {one.touched} ? {text} : 0;"
            if one.touched
            else (f"    const uintptr_t {name} = {text};")
        )


def _test(one: int, other: int, or_else: str) -> str:
    ends = f"{_to(one)} <= {_from(other)} || {_to(other)} <= {_from(one)}{or_else}"
    return f"({ends})"


def _from(number: int) -> str:
    return f"{RESERVED}from{number}"


def _to(number: int) -> str:
    return f"{RESERVED}to{number}"


def apart_of(program: Program, kernel: Kernel) -> Apart | None:
    """The test of a kernel's arguments that have to lie apart; None where there are none."""
    if not kernel.apart:
        return None
    reaches = {}
    names = [
        str(kernel.variables[one.name].declaration.name)
        for one in program.arrays.values()
        if one.is_parameter and one.index
    ]
    for name in dict.fromkeys((*chain(*kernel.apart), *names)):
        found = _reach(program, kernel, name)
        if found is not None:
            reaches[name] = found
    pairs = tuple(pair for pair in kernel.apart if set(pair) <= set(reaches))
    if not pairs:
        return None
    return Apart(pairs=pairs, in_place=kernel.in_place, reaches=reaches)


def _reach(program: Program, kernel: Kernel, name: str) -> Reach | None:
    """Range of a variable that a program touches, its members taken together; None: nothing."""
    found, arrays = [], []
    for array in program.arrays.values():
        variable = kernel.variables.get(array.name)
        if variable is None or variable.declaration.name != name:
            continue
        rank = len(array.index) if not variable.members else variable.ranks[0]
        touched = _touched(program, array, rank)
        if touched is not None:
            found.append(touched)
            arrays.append((array, rank))
    if not found:
        return None
    elements = reduce(lambda one, other: one.union(other), found).coalesce()
    array, rank = arrays[0]
    weights = _weights(kernel.variables[array.name], name, rank)
    where = elements.params()
    is_sure = program.context.is_subset(where)
    given = program.context if is_sure else program.context.intersect(where)
    texts = {name: f"(int64_t){name}" for name in program.parameters}
    first, last = (_bytes(end(elements), weights, given, texts) for end in (lexmin, lexmax))
    return Reach(
        start=name if rank else f"&{name}",
        size=weights[-1],
        first=first,
        last=last,
        touched="" if is_sure else print_atom(condition(where, program.context), C, texts),
    )


def _touched(program: Program, array: Array, rank: int) -> Any:
    """The first `rank` subscripts of the elements that statements touch, as a set; None: none."""
    relations = [
        access.relation.intersect_domain(statement.domain).range()
        for statement in program.statements
        for access in (*statement.reads, *statement.writes)
        if access.array == array.name
    ]
    if not relations:
        return None
    elements = reduce(lambda one, other: one.union(other), relations)
    elements = elements.intersect_params(program.context).reset_tuple_id()
    return elements.project_out(DimType.set, rank, len(array.index) - rank)


def _weights(variable: KernelVariable, name: str, rank: int) -> list[str]:
    """C for the bytes between neighbours in each dimension; of a number alone its size."""
    if variable.strides:
        strides = (print_atom(tree_of(one), C) for one in variable.strides)
        return [*(f"(int64_t)sizeof {name}[0] * {one}" for one in strides), _size(name, 1)]
    return [_size(name, 1 + k) for k in range(rank)] or [_size(name, 0)]


def _size(name: str, subscripts: int) -> str:
    return f"(int64_t)sizeof {name}{'[0]' * subscripts}"


def _bytes(point: Any, weights: Sequence[str], context: Any, texts: Mapping[str, str]) -> str:
    """C for the bytes in front of an element, a set of one point for each parameter."""
    places = [expression_of(point.dim_max(k), context) for k in range(point.dim(DimType.set))]
    terms = [
        weight if place == Integer(1) else f"{weight} * {print_atom(place, C, texts)}"
        for weight, place in zip(weights, places, strict=False)
        if place != Integer(0)
    ]
    return " + ".join(terms) or "0"
