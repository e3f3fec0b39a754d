"""Nests that run as one: each is shifted by constants, and their bodies follow one another.

The order of the plan says by how much. The merged order is a program of its own, whose times are
those of the merged text: that it gives the values of the text, and what it has alive, is worked
out for it, and not taken from the plan.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.polyhedra import DimType, Map
from hlsmem.polyhedra.extremes import first_point
from hlsmem.program.model import Array, Order, Program, Statement
from hlsmem.source_edits.nests import Nest
from hlsmem.source_edits.source_tokens import code, tokens
from hlsmem.source_edits.text_structure import Plain, statements_of
from hlsmem.source_edits.user_arrays import Use


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A parameter whose elements between `limits` a group reads once each, in their order:
    element e in the iteration e + `shift`. `uses` are the accesses that take them from there, of
    values of type `kind`, each as many iterations after the arrival as one of its `gaps`; loops of
    the body run over a `window` of rows and columns, or over none.
    """

    array: Array
    kind: str
    limits: tuple[tuple[QuasiPolynomial, QuasiPolynomial], ...]
    shift: tuple[int, ...]
    uses: tuple[Use, ...]
    gaps: tuple[frozenset[tuple[int, ...]], ...]
    window: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Group:
    """Nests whose `depth` outermost loops are one: nest k runs `shifts[k]` iterations later.

    One nest alone is a group of all its loops, shifted where elements arrive before it begins.
    """

    nests: tuple[Nest, ...]
    shifts: tuple[tuple[int, ...], ...]
    arrivals: tuple[Arrival, ...] = ()

    @property
    def depth(self) -> int:
        return len(self.shifts[0])

    @property
    def is_merged(self) -> bool:
        return len(self.nests) > 1

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of its loops' variables: each nest has them, or has no other use for them."""
        found = list[str]()
        for loop in range(self.depth):
            names = dict.fromkeys(one.variables[loop] for one in self.nests)
            free = (
                name
                for name in names
                if not any(_means_other(name, one, loop, found) for one in self.nests)
            )
            found.append(next(free, ""))
        return tuple(found)

    def has_scope(self, number: int) -> bool:
        """True if the body of a nest declares names that those of others have too."""
        names = _declared(self.nests[number], self.depth)
        others = [one for k, one in enumerate(self.nests) if k != number]
        return any(_words(one, self.depth) & names for one in others)

    def renamed(self, number: int) -> dict[str, QuasiPolynomial]:
        """The variables of a nest that have another name or value in the group's loops."""
        values = zip(
            self.nests[number].variables, self.variables, self.shifts[number], strict=False
        )
        forms = {own: QuasiPolynomial.parameter(one) - shift for own, one, shift in values}
        return {own: form for own, form in forms.items() if form != QuasiPolynomial.parameter(own)}

    def limits(self, loop: int) -> list[tuple[QuasiPolynomial, QuasiPolynomial]] | None:
        """The first value of a loop's variable and the one behind its last, of each nest and then
        of each arrival."""
        own = [one.limits(loop) for one in self.nests] + [one.limits[loop] for one in self.arrivals]
        shifts = [one[loop] for one in (*self.shifts, *(one.shift for one in self.arrivals))]
        found = [
            (limits[0] + shift, limits[1] + shift)
            for limits, shift in zip(own, shifts, strict=True)
            if limits is not None
        ]
        return found if len(found) == len(own) else None


def _words(nest: Nest, depth: int) -> set[str]:
    """The names in the body that `depth` loops of a nest have."""
    body = nest.loops[depth - 1].body
    return {one.text for one in nest.file.tokens if body.start <= one.start < body.stop}


def _declared(nest: Nest, depth: int) -> set[str]:
    """The names that such a body declares, and maybe others in these declarations."""
    found = set()
    for node in statements_of(nest.loops[depth - 1].body):
        own = [one for one in nest.file.tokens if node.start <= one.start < node.stop]
        if isinstance(node, Plain) and len(own) > 1 and own[0].kind == own[1].kind == "word":
            found |= {
                one.text
                for one, behind in pairwise(own)
                if one.kind == "word" and behind.text in ("=", ";", ",", "[")
            }
    return found


def _means_other(name: str, nest: Nest, loop: int, taken: Sequence[str]) -> bool:
    """True if a name is not free for the variable of a nest's loop."""
    if name in taken:
        return True
    if nest.variables[loop] == name:
        return False
    own = nest.file.tokens
    return any(one.text == name and nest.start <= one.start < nest.stop for one in own)


def groups(found: Sequence[Nest], order: Program | None) -> tuple[Group, ...]:
    """Nests in groups: neighbours that the order of a plan merges; others alone."""
    made: list[Group] = []
    for nest in found:
        shift = None if order is None else _shift(nest, order)
        near = [k for k, one in enumerate(made) if one.nests[-1].siblings is nest.siblings]
        if near and shift and (joined := _joined(made[near[-1]], nest, shift, order)):
            made[near[-1]] = joined
        else:
            own = shift if shift is not None else (0,) * len(nest.loops)
            made.append(Group(nests=(nest,), shifts=(own,)))
    return tuple(_apart(made))


def _apart(made: Sequence[Group]) -> list[Group]:
    """The groups, of which none is inside of another: nests around merged ones stay alone."""
    found, inside = list[Group](), set[str]()
    for group in reversed(made):
        names = {one.name for nest in group.nests for one in nest.statements}
        if group.is_merged and not names & inside:
            inside |= names
            found.append(group)
        else:
            found += map(_alone, reversed(group.nests))
    return found[::-1]


def _alone(nest: Nest) -> Group:
    return Group(nests=(nest,), shifts=((0,) * len(nest.loops),))


def _shift(nest: Nest, order: Program) -> tuple[int, ...] | None:
    """By how many iterations the loops of a nest run later in an order; None where they do not
    run so."""
    found = set()
    for moved in order.statements:
        if any(_is_copy(moved, one) for one in nest.statements):
            found.add(_shift_of(moved, order, nest.depth, len(nest.loops)))
    return found.pop() if len(found) == 1 else None


def _is_copy(moved: Statement, one: Statement) -> bool:
    """True if a statement has the text of another, which may be unrolled in it."""
    here, there = moved.source_location, one.source_location
    if here is None or there is None or not here.stop:
        return moved.name == one.name
    return (here.file, here.start, here.stop) == (there.file, there.start, there.stop)


def _shift_of(moved: Statement, order: Program, depth: int, loops: int) -> tuple[int, ...] | None:
    schedule = moved.schedule.intersect_domain(moved.domain)
    if schedule.is_empty():
        return None
    size = schedule.dim(DimType.in_)
    point = first_point(schedule.wrap(), order.values).coordinates
    shifts = [point[size + k] - point[k] for k in range(min(depth + loops, order.time_dimensions))]
    names = ", ".join(f"i{k}" for k in range(size))
    for k, shift in enumerate(shifts):
        times = ", ".join(f"t{t}" for t in range(order.time_dimensions))
        whole = Map(f"{{ {moved.name}[{names}] -> [{times}] : t{k} = i{k} + {shift} }}")
        if not schedule.is_subset(whole.align_params(schedule.get_space())):
            shifts = shifts[:k]
            break
    if len(shifts) <= depth or any(shifts[:depth]):
        return None
    return tuple(shifts[depth:])


def _joined(last: Group, nest: Nest, shift: tuple[int, ...], order: Program | None) -> Group | None:
    """A group with one nest more, where that follows it in the text."""
    before = last.nests[-1]
    assert order is not None
    if before.siblings is not nest.siblings or before.file is not nest.file:
        return None
    own = _shift(before, order)
    depth = min(len(shift), last.depth, 0 if own is None else len(own))
    if not depth or not _are_neighbours(before, nest):
        return None
    every = (*(one[:depth] for one in last.shifts), shift[:depth])
    found = Group(nests=(*last.nests, nest), shifts=every)
    return found if all(found.variables) else None


def _are_neighbours(one: Nest, other: Nest) -> bool:
    """True if nothing runs between two nests: directives and declarations may stand there."""
    between = [node for node in one.siblings if one.stop <= node.start < other.start]
    return all(
        isinstance(node, Plain) and (node.is_directive or is_declaration(one.file.text, node))
        for node in between
    )


def is_declaration(text: str, node: Plain) -> bool:
    """True for a declaration without values, of a type that may have arguments."""
    own, count = text[node.start : node.stop], 1
    while count:
        own, count = re.subn(r"<[^<>]*>|\w+\s*::", " ", own)
    found = code(tokens(own))
    words = [one.kind == "word" for one in found[:2]]
    return words == [True, True] and not any(one.text in ("=", "(") for one in found)


def merged_program(text: Program, found: Sequence[Group]) -> Program:
    """The program in the order of the merged text; itself where no nests are merged.

    Times of the text are [s, i, s, j, ..]: what stands at a place, the iteration of a loop, what
    stands in its body. Where nests are merged, their iterations come first, then the nest.
    """
    merged = {
        statement.name: (group, number)
        for group in found
        if group.is_merged
        for number, nest in enumerate(group.nests)
        for statement in nest.statements
    }
    text = replace(text, order=Order.SEQUENTIAL)
    if not merged:
        return text
    size = text.time_dimensions
    longest = max(group.depth for group, _ in merged.values()) + 1
    firsts = _first_places(text, merged)
    statements = []
    for one in text.statements:
        entries = [f"t{k}" for k in range(size)]
        if one.name in merged:
            group, number = merged[one.name]
            at = 2 * group.nests[number].depth
            shifts = enumerate(group.shifts[number])
            own = [f"t{at + 1 + 2 * k} + {shift}" for k, shift in shifts]
            place = str(firsts[id(group)])
            entries = [*entries[:at], place, *own, str(number), *entries[at + 1 :]]
        entries += ["0"] * (size + longest - len(entries))
        times = Map(f"{{ [{', '.join(f't{k}' for k in range(size))}] -> [{', '.join(entries)}] }}")
        schedule = one.schedule.apply_range(times.align_params(one.schedule.get_space()))
        statements.append(replace(one, schedule=schedule))
    return replace(
        text,
        statements=tuple(statements),
        time_dimensions=size + longest,
        step_dimensions=size + longest,
        iterator_names=(),
    )


def _first_places(text: Program, merged: Mapping[str, tuple[Group, int]]) -> Mapping[int, int]:
    """Where the first nest of each group stands in its block, as an entry of times."""
    found = {}
    for one in text.statements:
        if one.name in merged:
            group, number = merged[one.name]
            if number == 0 and id(group) not in found:
                point = first_point(one.schedule.range(), text.values).coordinates
                found[id(group)] = point[2 * group.nests[0].depth]
    return found
