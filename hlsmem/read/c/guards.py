"""Conditions on data as filters: the values of elements with which an instance runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.polyhedra import DimType, Map, PwAff
from hlsmem.polyhedra import piecewise as pw
from hlsmem.polyhedra.quantities import affine_of
from hlsmem.read.c import tree
from hlsmem.read.c.accesses import AccessReader, Touch
from hlsmem.read.c.affine import NotAffineError
from hlsmem.read.c.c_text import text_of
from hlsmem.read.c.symbols import Iterator, Variable
from hlsmem.read.c.tree import Number
from hlsmem.read.c.trees import nodes_of, rewrite
from hlsmem.read.design_names import RESERVED

# A condition on more elements is not put into pieces by their values.
_MOST = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A variable that says whether a condition holds, for each iteration of `depth` loops.

    Where it `ends` a loop, `turns` are the iterations of that loop, all in the dimensions of loops
    up to it, and `step` is the distance of two: a value counts for all iterations that follow.
    """

    depth: int
    ends: bool
    turns: Any
    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PredicateRead:
    """An element that a filter reads, and the number of loops around that it varies in.

    Where a loop goes on in one iteration it did in all before: `follows` is { [iteration] ->
    [iteration] }.
    """

    touch: Touch
    loops: int
    follows: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenFilter:
    """A filter as it was written; `value` is { [k] -> [v, ..] } with an entry for each look.

    Inside of so many `loops` it is the same for all iterations.
    """

    predicate_reads: tuple[PredicateRead, ...]
    value: Any
    node: Any
    loops: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """The instances that a condition lets run for some data, and the filters that say when.

    `tests` are what C reads to find out.
    """

    inside: Any
    filters: tuple[WrittenFilter, ...]
    tests: tuple[Touch, ...]


class NoFilterError(Exception):
    """A condition that is no affine one on elements; `node` is the part that is not."""

    def __init__(self, node: Any) -> None:
        super().__init__(text_of(node))
        self.node = node


def read_guard(
    condition: Any,
    accesses: AccessReader,
    inside: Any,
    told: Mapping[Variable, Told],
    ranges: Mapping[str, tuple[QuasiPolynomial, QuasiPolynomial]],
) -> Guard:
    """The filters of a condition for the instances `inside`.

    `ranges` are promised values of elements by variables; others have those of their types.
    Raises NoFilterError.
    """
    before = len(accesses.touches)
    accesses.value(condition, inside)
    tests = tuple(accesses.touches[before:])
    del accesses.touches[before:]
    depth = inside.dim(DimType.set)
    atoms: list[Touch] = []
    entry_of: dict[int, int] = {}
    for touch in tests:
        kind = touch.variable.shape.scalar
        if not isinstance(kind, Number) or touch.is_at_run_time:
            raise NoFilterError(touch.node)
        at = next((k for k, one in enumerate(atoms) if _are_same(one, touch)), len(atoms))
        atoms += [touch] if at == len(atoms) else []
        entry_of[id(touch.node)] = at
    if len(atoms) > _MOST:
        raise NoFilterError(condition)
    box = _box(atoms, inside, ranges)
    holds = _holding(condition, accesses, box, atoms, entry_of)
    runs = holds.project_out(DimType.set, depth, len(atoms)).coalesce()
    asks = [_asking(holds, box, depth, at) for at in range(len(atoms))]
    filters = []
    for part, entries in _parts(runs, asks):
        if not entries:
            continue
        value = holds.intersect(part.add_dims(DimType.set, len(atoms)))
        for at in reversed(range(len(atoms))):
            if at not in entries:
                value = value.project_out(DimType.set, depth + at, 1)
        value = Map.from_range(value.coalesce()).move_dims(DimType.in_, 0, DimType.out, 0, depth)
        predicate_reads = tuple(_look(atoms[at], part, told) for at in entries)
        loops = _loops(value, inside, max(one.loops for one in predicate_reads))
        filters.append(
            WrittenFilter(predicate_reads=predicate_reads, value=value, node=condition, loops=loops)
        )
    return Guard(inside=runs, filters=tuple(filters), tests=tests)


def _are_same(one: Touch, other: Touch) -> bool:
    return one.variable is other.variable and text_of(one.node) == text_of(other.node)


def _box(
    atoms: Sequence[Touch],
    inside: Any,
    ranges: Mapping[str, tuple[QuasiPolynomial, QuasiPolynomial]],
) -> Any:
    """The instances, each with all values that the elements can have."""
    depth = inside.dim(DimType.set)
    box = inside.add_dims(DimType.set, len(atoms))
    space = box.get_space()
    for at, touch in enumerate(atoms):
        kind = touch.variable.shape.scalar
        assert isinstance(kind, Number)
        low, high = ranges.get(touch.variable.name) or (
            QuasiPolynomial.constant(kind.least),
            QuasiPolynomial.constant(kind.greatest),
        )
        value = pw.dimension(space, depth + at)
        least, greatest = (PwAff.from_aff(affine_of(bound, space)) for bound in (low, high))
        box = box.intersect(value.ge_set(least)).intersect(value.le_set(greatest))
    return box


def _holding(
    condition: Any,
    accesses: AccessReader,
    box: Any,
    atoms: Sequence[Touch],
    entry_of: Mapping[int, int],
) -> Any:
    """The instances with the values with which a condition holds."""
    depth = box.dim(DimType.set) - len(atoms)
    scope = accesses.scope.inner()
    for at, touch in enumerate(atoms):
        kind = touch.variable.shape.scalar
        assert isinstance(kind, Number)
        scope.names[_value(at)] = Iterator(depth + at, kind, _value(at))

    def replaced(node: Any) -> Any | None:
        at = entry_of.get(id(node))
        return None if at is None else tree.ID(_value(at), node.type, node.place)

    found = box
    for part in _conjuncts(condition):
        try:
            found = accesses.reader.condition(rewrite(part, replaced), scope, found)
        except NotAffineError:
            raise NoFilterError(part) from None
        plain = found.remove_divs_involving_dims(DimType.set, depth, len(atoms))
        if not plain.is_subset(found):  # remainders of values are no comparisons
            raise NoFilterError(part)
    return found


def _value(at: int) -> str:
    return f"{RESERVED}v{at}"


def _conjuncts(node: Any) -> list[Any]:
    if isinstance(node, tree.BinaryOp) and node.op == "&&":
        return [*_conjuncts(node.left), *_conjuncts(node.right)]
    return [node]


def _asking(holds: Any, box: Any, depth: int, at: int) -> Any:
    """The instances for which it matters what the entry `at` is."""
    every = holds.project_out(DimType.set, depth + at, 1).insert_dims(DimType.set, depth + at, 1)
    fails = every.intersect(box).subtract(holds)
    return fails.project_out(DimType.set, depth, fails.dim(DimType.set) - depth).coalesce()


def _parts(runs: Any, asks: Sequence[Any]) -> list[tuple[Any, list[int]]]:
    """The instances by the entries that matter for them."""
    parts: list[tuple[Any, list[int]]] = [(runs, [])]
    for at, asked in enumerate(asks):
        split = []
        for part, entries in parts:
            split.append((part.intersect(asked).coalesce(), [*entries, at]))
            split.append((part.subtract(asked).coalesce(), entries))
        parts = [one for one in split if not one[0].is_empty()]
    return parts


def _loops(value: Any, inside: Any, least: int) -> int:
    """The loops, `least` or more, inside of which a filter is the same for all instances."""
    depth = int(inside.dim(DimType.set))
    for loops in range(least, depth):
        same = Map.from_domain_and_range(inside, inside)
        for at in range(loops):
            same = same.equate(DimType.in_, at, DimType.out, at)
        if same.apply_range(value).is_subset(value):
            return loops
    return depth


def _look(touch: Touch, inside: Any, told: Mapping[Variable, Told]) -> PredicateRead:
    touch = replace(touch, inside=inside)
    known = told.get(touch.variable)
    if known is None:
        return PredicateRead(touch=touch, loops=inside.dim(DimType.set))
    if not known.ends:
        return PredicateRead(touch=touch, loops=known.depth)
    last = known.depth - 1
    same = Map.from_domain_and_range(known.turns, known.turns)
    for at in range(last):
        same = same.equate(DimType.in_, at, DimType.out, at)
    order = DimType.in_, last, DimType.out, last
    follows = same.order_ge(*order) if known.step > 0 else same.order_le(*order)
    return PredicateRead(touch=touch, loops=known.depth, follows=follows)


def culprits(condition: Any, part: Any) -> list[Any]:
    """The parts of a condition that have `part` in them, or that it has in it; types are none."""
    inside = set(map(id, nodes_of(part)))
    return [
        node
        for node in nodes_of(condition)
        if not isinstance(node, tree.Type)
        and (id(node) in inside or any(one is part for one in nodes_of(node)))
    ]
