"""Arguments that an order needs to lie apart: accesses to them change places.

Two arrays that a caller passes may be one memory. Where every two accesses, one to each and one of
them a write, come in the order of the text, a call leaves what it leaves in that order, however the
arrays overlap; where they do so at each element, it does if the arrays are one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial, reduce
from itertools import combinations
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Map, UnionMap
from hlsmem.polyhedra.limits import Report, WorkLimitError, within
from hlsmem.polyhedra.relations import maps_of, union_map
from hlsmem.program.model import Array, Kernel, Program, Storage
from hlsmem.read.c.symbols import Shape, shape_of
from hlsmem.timing.events import Events, events, full_events

_OPERATIONS = 3_000_000
"""Operations of isl that two variables may take; of what takes more the worst is assumed."""
_ELEMENT = "x"

Kinds = tuple[bool, bool]
"""Of two accesses, whether each is a write."""


def with_test(program: Program, text: Program) -> Program:
    """The program of a kernel with the pairs of variables that C has to test at its entry.

    `text` has its instances in the order of the source. A pointer qualified restrict reaches what
    no other reaches, and arrays declared as arrays are objects of their own until C moves accesses.
    """
    kernel = program.kernel
    if kernel is None:
        return program
    found = [one for one in _variables(program, kernel) if not one.shape.restrict]
    orders = cache(lambda: _orders(program, text))
    meeting = [pair for pair in combinations(found, 2) if _may_meet(*pair)]
    if program.tile is not None:
        # What runs outside of a tile is not known, and arrays are taken for disjoint.
        meeting = [pair for pair in meeting if any(one.is_plain for one in pair)]
    as_written = [pair for pair in meeting if not _is_moved(kernel, *pair)]
    kept = {*as_written} - _changed(orders, as_written)
    pairs = [pair for pair in meeting if pair not in kept]
    alike = [pair for pair in as_written if pair not in kept and pair[0].is_alike(pair[1])]
    turned = _changed(orders, alike, in_place=True)
    at_one_place = [pair for pair in alike if pair not in turned]
    apart, in_place = (
        tuple((one.name, other.name) for one, other in some) for some in (pairs, at_one_place)
    )
    own = replace(kernel, apart=apart, in_place=in_place)
    return replace(program, kernel=own)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Reached:
    """A variable that a caller can name, with the arrays of the program that it holds."""

    name: str
    shape: Shape
    arrays: tuple[Array, ...]
    is_parameter: bool
    is_written: bool
    is_copied: bool

    @property
    def is_plain(self) -> bool:
        return self.shape.pointer

    @property
    def is_own_object(self) -> bool:
        """True of an argument that is passed by value: nothing else reaches the copy."""
        return self.is_parameter and not self.shape.pointer and not self.shape.extents

    def is_alike(self, other: _Reached) -> bool:
        """True if the two have elements of one type at the same places."""
        if len(self.arrays) != 1 or len(other.arrays) != 1:
            return False
        (one,), (two,) = self.arrays, other.arrays
        if one.element != two.element or len(one.index) != len(two.index):
            return False
        if len(one.index) < 2:
            return True
        known = one.extents is not None and two.extents is not None
        return known and (one.extents or ())[1:] == (two.extents or ())[1:]


_Pair = tuple[_Reached, _Reached]


def _variables(program: Program, kernel: Kernel) -> Iterator[_Reached]:
    """Variables of the caller that statements touch."""
    written = {access.array for one in program.statements for access in one.writes}
    groups: dict[str, list[Array]] = {}
    nodes: dict[str, Any] = {}
    of_file = {getattr(node, "name", None) for node in kernel.declarations}
    for name, array in program.arrays.items():
        variable = kernel.variables.get(name)
        if variable is None or array.storage is Storage.ROM:
            continue
        own = str(variable.declaration.name)
        if not array.is_parameter and own not in of_file:
            continue
        groups.setdefault(own, []).append(array)
        nodes[own] = variable.declaration
    planned = {one.name for one in program.planned_arrays()}
    for own, arrays in groups.items():
        names = {one.name for one in arrays}
        yield _Reached(
            name=own,
            shape=shape_of(nodes[own].type),
            arrays=tuple(arrays),
            is_parameter=arrays[0].is_parameter,
            is_written=bool(names & written),
            is_copied=bool(names & planned),
        )


def _may_meet(one: _Reached, other: _Reached) -> bool:
    """True if the two may be one memory, one of them written: arrays of the file are where a
    pointer may point to, and nowhere else."""
    if one.is_own_object or other.is_own_object:
        return False
    if not (one.is_written or other.is_written):
        return False
    return (one.is_parameter and other.is_parameter) or one.is_plain or other.is_plain


def _is_moved(kernel: Kernel, one: _Reached, other: _Reached) -> bool:
    """True if accesses to the two are not where the user's text has them: sums are stored once,
    propagated values are read at their source, and elements behind plain pointers are copied into
    cells, or read by statements that are rewritten."""
    collected = {array.name for array in (*one.arrays, *other.arrays)} & set(kernel.collected)
    if collected or kernel.propagated:
        return True
    is_rewritten = bool(kernel.stages.keys() - {"region"} or kernel.copies)
    is_plain = one.is_plain or other.is_plain
    return is_plain and (one.is_copied or other.is_copied or is_rewritten)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Orders:
    """The events of the text and those of the program, and what its instances access.

    `before` is { t -> t' } of events of the text, `not_before` of those of the program. `accesses`
    are { S[i] -> x[e] } by array, and by whether they are writes; elements have one name.
    """

    text: Events
    own: Events
    before: Any
    not_before: Any
    accesses: Mapping[tuple[str, bool], Any]


def _orders(program: Program, text: Program) -> _Orders:
    given, own = full_events(text), events(program)
    before, not_before = (
        UnionMap.from_map(order(next(iter(maps_of(times.writes))).range().get_space()))
        for order, times in ((Map.lex_lt, given), (Map.lex_ge, own))
    )
    relations: defaultdict[tuple[str, bool], list[Any]] = defaultdict(list)
    for statement in program.statements:
        for writes, accesses in ((True, statement.writes), (False, statement.sees)):
            for access in accesses:
                relation = access.relation.intersect_domain(statement.domain)
                relation = relation.intersect_params(program.context)
                named = relation.set_tuple_name(DimType.out, _ELEMENT)
                relations[access.array, writes].append(named)
    return _Orders(
        text=given,
        own=own,
        before=before,
        not_before=not_before,
        accesses={key: union_map(found) for key, found in relations.items()},
    )


def _changed(
    orders: Callable[[], _Orders], asked: Sequence[_Pair], *, in_place: bool = False
) -> set[_Pair]:
    """The pairs to which accesses, one of them a write, come in another order than in the text;
    `in_place`: those to one element, of one variable too. What is too complicated is among them."""
    found: set[_Pair] = set()
    left = [*asked]
    while left:
        try:
            answers = within(
                _OPERATIONS, partial(_answers, orders(), left, in_place), each_step=True
            )
        except WorkLimitError as error:
            answers = [*error.steps, True]
        found |= {pair for pair, changes in zip(left, answers, strict=False) if changes}
        left = left[len(answers) :]
    return found


def _answers(orders: _Orders, asked: Sequence[_Pair], in_place: bool, report: Report) -> list[bool]:
    """For each pair whether it changes, which is reported as it is known."""
    found = []
    for one, other in asked:
        first, second = ([array.name for array in own.arrays] for own in (one, other))
        pairs = [(first, second), (second, first)]
        if in_place:
            pairs += [(first, first), (second, second)]
        found.append(any(_turned(orders, *pair, at_one_element=in_place) for pair in pairs))
        report(found[-1])
    return found


def _turned(
    orders: _Orders, first: Sequence[str], second: Sequence[str], *, at_one_element: bool
) -> bool:
    """True if an access to `first` comes before one to `second` in the text alone."""
    for kinds in ((False, True), (True, False), (True, True)):
        early, late = (
            [orders.accesses[name, writes] for name in names if (name, writes) in orders.accesses]
            for names, writes in zip((first, second), kinds, strict=True)
        )
        if not early or not late:
            continue
        early, late = (reduce(UnionMap.union, found) for found in (early, late))
        pairs = _ordered(orders.text, kinds, early, late, orders.before)
        pairs = pairs.intersect(_ordered(orders.own, kinds, early, late, orders.not_before))
        if at_one_element:
            pairs = pairs.intersect(early.apply_range(late.reverse()))
        if not pairs.is_empty():
            return True
    return False


def _ordered(times: Events, kinds: Kinds, early: Any, late: Any, order: Any) -> Any:
    """{ S[i] -> T[j] } of instances that make these accesses, in an order of their events."""
    first, second = (times.writes if is_write else times.reads for is_write in kinds)
    first = first.intersect_domain(early.domain())
    second = second.intersect_domain(late.domain())
    return first.apply_range(order).apply_range(second.reverse())
