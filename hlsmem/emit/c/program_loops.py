"""The loops of a program: over its statements or, where times have several, over atomic steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from typing import Any

from hlsmem.core.expression import Expression, Integer
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.emit.c.cell_names import ByFunction
from hlsmem.emit.c.fragments import Cells, Fragment
from hlsmem.emit.c.loop_names import (
    has_guard,
    has_guard_in_loop,
    loop_variables,
    visits,
    with_user_names,
    with_values,
)
from hlsmem.emit.c.loop_printer import RegionPrinter, flattened, touches_of
from hlsmem.emit.c.statement_text import Coordinates
from hlsmem.emit.c.step_fragments import fragments_of, leading_times, time_names
from hlsmem.host_loops.vector_independence import Touch
from hlsmem.polyhedra import DimType, Val
from hlsmem.polyhedra.enclosing_instances import bind, in_one_piece, leading, plain_parts, within
from hlsmem.polyhedra.generated_loops import Node, Visit, generate
from hlsmem.polyhedra.relations import union_map
from hlsmem.polyhedra.sets import entry_range
from hlsmem.program.model import Program
from hlsmem.read.design_names import RESERVED

_NONE: Mapping[str, Expression] = {}
_MOST_CLASSES = 8
_MOST_VISITS = 16
"""Steps of so many kinds get loops of their own, where the loops name steps so often at most."""


def statement_loops(program: Program, cells: ByFunction, taken: frozenset[str]) -> list[str]:
    """The lines of the loops that run a program; loop names avoid `taken`."""
    fragments = tuple(
        replace(one, schedule=in_one_piece(one.schedule, program.context))
        for one in fragments_of(program, cells.writer)
    )
    names = time_names(program, taken)
    count = leading_times(program)
    if count is None or not fragments:
        parts = [part for one in fragments for part in _parts(one, program)]
        return print_loops(parts, names, program.context, cells, taken)
    kinds, tree = _step_loops(program, fragments, names, count)
    if tree is None:
        return []

    def user_names(visit: Visit) -> list[tuple[str, Expression]]:
        return kinds[visit.statement].names(visit)

    named = with_user_names(tree, user_names, taken)
    around = taken | loop_variables(named)
    wholes = [
        Fragment(
            name=name,
            names=kind.names,
            schedule=_identity(kind.steps, name),
            text=partial(kind.lines, taken=around),
            is_step=True,
            touches=kind.touches,
        )
        for name, kind in kinds.items()
    ]
    return _printer(wholes, cells).lines(named)


def _parts(fragment: Fragment, program: Program) -> list[Fragment]:
    """A fragment for each value of the entries of times that are written out."""
    parts = [fragment]
    for entry in program.written_out.get(fragment.name, ()):
        parts = [part for one in parts for part in _at_each_value(one, entry)]
    return parts


def _at_each_value(fragment: Fragment, entry: int) -> Iterator[Fragment]:
    """A fragment for each value of an entry of its times, which has few."""
    least, greatest = entry_range(fragment.schedule.range(), entry)
    for value in range(least, greatest + 1):
        schedule = fragment.schedule.fix_val(DimType.out, entry, Val(value))
        name = f"{fragment.name}'{entry}'{value}"
        if not schedule.is_empty():
            own = schedule.set_tuple_name(DimType.in_, name)
            yield replace(fragment, name=name, schedule=own)


def _step_loops(
    program: Program, fragments: tuple[Fragment, ...], names: Sequence[str], count: int
) -> tuple[dict[str, _Step], Node | None]:
    """Steps by name and the loops over them: those that do the same in loops of their own.

    Where these would be too many, or have tests inside all the same, steps have tests, and those
    at other constants of the times loops of their own.
    """
    starts = [
        leading(fragment.schedule, count).intersect_params(program.context)
        for fragment in fragments
    ]

    def loops(parts: Sequence[Any], *, apart: bool) -> tuple[dict[str, _Step], Node | None]:
        kinds = {
            f"step{number}": _step(program, fragments, steps, names, count)
            for number, steps in enumerate(parts)
        }
        schedule = union_map(_identity(kind.steps, name) for name, kind in kinds.items())
        return kinds, generate(schedule, program.context, names[:count], apart=apart)

    classes = _classes(starts)
    if len(classes) > 1:
        kinds, tree = loops(classes, apart=True)
        if tree is not None and _is_plain(tree, kinds):
            return kinds, tree
    return loops(plain_parts(starts, program.values), apart=False)


def _is_plain(tree: Node, kinds: Mapping[str, _Step]) -> bool:
    """True if loops over steps are few, and run without a guard in each iteration."""
    steps = list(visits(tree))
    if len(steps) > _MOST_VISITS or has_guard_in_loop(flattened(tree)):
        return False
    bodies = (kinds[step.statement].tree(step.coordinates) for step in steps)
    return not any(body is not None and has_guard(flattened(body)) for body in bodies)


def _identity(steps: Any, name: str) -> Any:
    """{ name[t] -> [t] } for the times of some steps."""
    return steps.set_tuple_name(name).identity().reset_tuple_id(DimType.out)


def _classes(sets: Sequence[Any]) -> list[Any]:
    """The parts of a union whose points lie in the same of the sets; [] where they are too many."""
    found: list[Any] = []
    for one in sets:
        rest, parts = one, []
        for part in found:
            parts += [part.intersect(one), part.subtract(one)]
            rest = rest.subtract(part)
        found = [part.coalesce() for part in [*parts, rest] if not part.is_empty()]
        if len(found) > _MOST_CLASSES:
            return []
    return found


def print_loops(
    fragments: Sequence[Fragment],
    names: Sequence[str],
    context: Any,
    cells: Cells,
    taken: frozenset[str],
    values: Mapping[str, Expression] = _NONE,
) -> list[str]:
    """The lines of loops over fragments; `names` are for the dimensions of their times.

    `values` stand in place of parameters.
    """
    schedule = union_map(fragment.schedule for fragment in fragments)
    tree = generate(schedule, context, names)
    return [] if tree is None else _lines(with_values(tree, values), fragments, cells, taken)


def _lines(
    tree: Node, fragments: Sequence[Fragment], cells: Cells, taken: frozenset[str]
) -> list[str]:
    known = {fragment.name: fragment for fragment in fragments}
    named = with_user_names(tree, lambda visit: known[visit.statement].names(visit), taken)
    return _printer(fragments, cells).lines(named)


def _printer(fragments: Sequence[Fragment], cells: Cells) -> RegionPrinter:
    return RegionPrinter(fragments={one.name: one for one in fragments}, cells=cells)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """An atomic step as the parameters `times` say which: its fragments at the times `tail`.

    `steps` is the set of all of them. Steps are visited one by one, so that nothing comes
    between the fragments of a step.
    """

    fragments: tuple[Fragment, ...]
    times: tuple[str, ...]
    tail: tuple[str, ...]
    steps: Any = field(compare=False)
    schedule: Any = field(compare=False)
    context: Any = field(compare=False)
    known_trees: dict[Coordinates, Node | None] = field(default_factory=dict, compare=False)

    def tree(self, at: Coordinates) -> Node | None:
        """The loop tree of the step at these times."""
        if at not in self.known_trees:
            self.known_trees[at] = self._generated(at)
        return self.known_trees[at]

    def _generated(self, at: Coordinates) -> Node | None:
        known = self.context
        for name, value in zip(self.times, at, strict=True):
            if isinstance(value, Integer):
                position = known.find_dim_by_name(DimType.param, name)
                known = known.fix_val(DimType.param, position, Val(value.value))
        found = generate(self.schedule.intersect_params(known), known, self.tail)
        if found is None:
            return None
        return with_values(found, dict(zip(self.times, at, strict=True)))

    def names(self, visit: Visit) -> list[tuple[str, Expression]]:
        """The user's names of values in the step at a visit."""
        found = self.tree(visit.coordinates)
        known = {fragment.name: fragment for fragment in self.fragments}
        inside = [] if found is None else list(visits(found))
        return [pair for one in inside for pair in known[one.statement].names(one)]

    def touches(self, at: Coordinates) -> Sequence[Touch] | None:
        """Reads and stores of the step at these times, in the order of its text."""
        return touches_of(self.tree(at), {one.name: one for one in self.fragments})

    def lines(self, at: Coordinates, cells: Cells, taken: frozenset[str]) -> list[str]:
        found = self.tree(at)
        return [] if found is None else _lines(found, self.fragments, cells, taken)


def _step(
    program: Program,
    fragments: tuple[Fragment, ...],
    steps: Any,
    names: Sequence[str],
    count: int,
) -> _Step:
    times = tuple(f"{RESERVED}t{position}" for position in range(count))
    return _Step(
        fragments=fragments,
        times=times,
        tail=(f"{RESERVED}p", *names[count:], f"{RESERVED}q"),
        steps=steps,
        schedule=union_map(within(fragment.schedule, times) for fragment in fragments),
        context=bind(steps, times).intersect(program.context),
    )
