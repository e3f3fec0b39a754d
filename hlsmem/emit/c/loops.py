"""The loops of a program: over its statements or, where times have several, over atomic steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from hlsmem.emit.c.fragments import Fragment
from hlsmem.emit.c.loop_names import loop_variables, visits, with_user_names, with_values
from hlsmem.emit.c.region import RegionPrinter
from hlsmem.emit.c.statements import Coordinates, Writer
from hlsmem.emit.c.steps import fragments_of, leading_times, time_names
from hlsmem.expression import Expression, Integer
from hlsmem.polyhedra import DimType, Val
from hlsmem.polyhedra.instances import bind, leading, plain_union, within
from hlsmem.polyhedra.loops import Node, Visit, generate
from hlsmem.polyhedra.relations import union_map
from hlsmem.program import Program
from hlsmem.read.names import RESERVED


def statement_loops(program: Program, writer: Writer, taken: frozenset[str]) -> list[str]:
    """The lines of the loops that run a program; loops are called nothing in `taken`."""
    fragments = fragments_of(program, writer)
    names = time_names(program, taken)
    count = leading_times(program)
    if count is None or not fragments:
        return print_loops(fragments, names, program.context, writer, taken)
    step = _step(program, fragments, names, count)
    schedule = step.steps.set_tuple_name("step").identity().reset_tuple_id(DimType.out)
    tree = generate(union_map([schedule]), program.context, names[:count])
    if tree is None:
        return []
    named = with_user_names(tree, step.names, taken)
    around = taken | loop_variables(named)
    whole = Fragment(
        name="step",
        names=step.names,
        schedule=schedule,
        text=lambda at: step.lines(at, writer, around),
        is_step=True,
    )
    return _printer([whole], writer).lines(named)


def print_loops(
    fragments: Sequence[Fragment],
    names: Sequence[str],
    context: Any,
    writer: Writer,
    taken: frozenset[str],
) -> list[str]:
    """The lines of loops over fragments; `names` are for the dimensions of their times."""
    schedule = union_map(fragment.schedule for fragment in fragments)
    tree = generate(schedule, context, names)
    return [] if tree is None else _lines(tree, fragments, writer, taken)


def _lines(
    tree: Node, fragments: Sequence[Fragment], writer: Writer, taken: frozenset[str]
) -> list[str]:
    known = {fragment.name: fragment for fragment in fragments}
    named = with_user_names(tree, lambda visit: known[visit.statement].names(visit), taken)
    return _printer(fragments, writer).lines(named)


def _printer(fragments: Sequence[Fragment], writer: Writer) -> RegionPrinter:
    return RegionPrinter(
        fragments={fragment.name: fragment for fragment in fragments},
        loop_type=writer.loop_type,
        names=writer.names,
    )


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
        """What happens in the step at these times."""
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

    def lines(self, at: Coordinates, writer: Writer, taken: frozenset[str]) -> list[str]:
        found = self.tree(at)
        return [] if found is None else _lines(found, self.fragments, writer, taken)


def _step(
    program: Program, fragments: tuple[Fragment, ...], names: Sequence[str], count: int
) -> _Step:
    times = tuple(f"{RESERVED}t{position}" for position in range(count))
    found = [
        leading(fragment.schedule, count).intersect_params(program.context)
        for fragment in fragments
    ]
    steps = plain_union(found, program.values)
    return _Step(
        fragments=fragments,
        times=times,
        tail=(f"{RESERVED}p", *names[count:], f"{RESERVED}q"),
        steps=steps,
        schedule=union_map(within(fragment.schedule, times) for fragment in fragments),
        context=bind(steps, times).intersect(program.context),
    )
