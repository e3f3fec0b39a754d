"""The folded region: workspace, content that is live before, loops, content that is live after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hlsmem.emit.c.folds import Fold, offsets, workspace
from hlsmem.emit.c.fragments import Fragment
from hlsmem.emit.c.loop_names import names_in, visits, with_user_names, with_values
from hlsmem.emit.c.region import RegionPrinter
from hlsmem.emit.c.statements import Coordinates, Writer
from hlsmem.emit.c.steps import fragments_of, leading_times, schedule_of, time_names
from hlsmem.emit.c.syntax import RESERVED, C, words
from hlsmem.emit.expression import print_expression
from hlsmem.expression import Expression, Integer
from hlsmem.polyhedra import DimType, Val
from hlsmem.polyhedra.instances import bind, leading, within
from hlsmem.polyhedra.loops import Node, Visit, generate
from hlsmem.polyhedra.relations import named, sets_of, union_map
from hlsmem.program import Program, Storage


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """What the text of a region needs besides the program.

    `given` are the folded arrays that the function is given under their own names, `kept` the
    folds whose variable stands in the user's code; `taken` are names that loops must avoid.
    """

    program: Program
    writer: Writer
    folds: Mapping[str, Fold]
    given: frozenset[str]
    kept: frozenset[str]
    taken: frozenset[str]
    workspace_name: str
    context: Any = field(compare=False)


def region_lines(region: Region) -> list[str]:
    """The whole region as lines indented by twos."""
    loops = _loops(region)
    parts = [
        *(_transfer(region, fold, into_cells=True) for fold in region.folds.values()),
        loops,
        *(_transfer(region, fold, into_cells=False) for fold in region.folds.values()),
    ]
    used = words(line for part in parts for line in part)
    lines: list[str] = []
    for part in [_workspace_lines(region, used), *parts]:
        lines += ["", *part] if lines and part else part
    return lines


def _loops(region: Region) -> list[str]:
    """The loops of the region, over statements or over whole steps."""
    fragments = fragments_of(region.program, region.writer)
    names = time_names(region.program, region.taken)
    count = leading_times(region.program)
    if count is not None and fragments:
        fragments = (_step_fragment(region, fragments, names, count),)
        names = names[:count]
    return _print(region, fragments, names, region.context, region.taken)


def _print(
    region: Region,
    fragments: Sequence[Fragment],
    names: Sequence[str],
    context: Any,
    taken: frozenset[str],
) -> list[str]:
    tree = generate(schedule_of(fragments), context, names)
    return [] if tree is None else _lines(region, tree, fragments, taken)


def _lines(
    region: Region, tree: Node, fragments: Sequence[Fragment], taken: frozenset[str]
) -> list[str]:
    known = {fragment.name: fragment for fragment in fragments}
    named = with_user_names(tree, lambda visit: known[visit.statement].names(visit), taken)
    return RegionPrinter(
        fragments=known, loop_type=region.writer.loop_type, names=region.writer.names
    ).lines(named)


def _step_fragment(
    region: Region, fragments: Sequence[Fragment], names: Sequence[str], count: int
) -> Fragment:
    """One fragment that stands for all of a step, whatever the step is.

    Steps are visited one by one, so that nothing comes between the fragments of a step.
    """
    times = [f"{RESERVED}t{position}" for position in range(count)]
    steps = leading_set(fragments, count).intersect_params(region.context).coalesce()
    inner = union_map(within(fragment.schedule, times) for fragment in fragments)
    context = bind(steps, times).intersect(region.context)
    tail = [f"{RESERVED}p", *names[count:], f"{RESERVED}q"]

    def tree(at: Coordinates) -> Node | None:
        known = context
        for name, value in zip(times, at, strict=True):
            if isinstance(value, Integer):
                position = known.find_dim_by_name(DimType.param, name)
                known = known.fix_val(DimType.param, position, Val(value.value))
        found = generate(inner.intersect_params(known), known, tail)
        if found is None:
            return None
        return with_values(found, dict(zip(times, at, strict=True)))

    def text(at: Coordinates) -> list[str]:
        found = tree(at)
        around = region.taken.union(*(names_in(value) for value in at))
        return [] if found is None else _lines(region, found, fragments, around)

    def user_names(visit: Visit) -> list[tuple[str, Expression]]:
        found = tree(visit.coordinates)
        inside = [] if found is None else list(visits(found))
        known = {fragment.name: fragment for fragment in fragments}
        return [pair for one in inside for pair in known[one.statement].names(one)]

    schedule = steps.set_tuple_name("step'").identity().reset_tuple_id(DimType.out)
    return Fragment(name="step'", names=user_names, schedule=schedule, text=text, is_step=True)


def leading_set(fragments: Sequence[Fragment], count: int) -> Any:
    """The first `count` times of all fragments."""
    found = [leading(fragment.schedule, count) for fragment in fragments]
    result = found[0]
    for other in found[1:]:
        result = result.union(other)
    return result


def _workspace_lines(region: Region, used: set[str]) -> list[str]:
    """A pointer for every fold in the workspace, a variable for every fold of one cell.

    Where all values of an array stay within their steps, nobody uses its cells.
    """
    stored = workspace(region.folds.values())
    start = offsets(stored)
    lines: list[str] = []
    for fold in stored:
        if fold.variable not in used:
            continue
        pointer = region.workspace_name
        if start[fold.array.name]:
            pointer = f"(void *)((unsigned char *){pointer} + {start[fold.array.name]})"
        lines.append(f"{fold.type} *const {fold.variable} = {pointer};")
    for name, fold in region.folds.items():
        if fold.is_variable and name not in region.kept and fold.variable in used:
            lines.append(f"{fold.type} {fold.variable} = 0;")
    if not any(fold.variable in used for fold in stored):
        lines.insert(0, f"(void){region.workspace_name};")
    return lines


def _transfer(region: Region, fold: Fold, *, into_cells: bool) -> list[str]:
    """Loops that fill a memory with its live-in content, or drain its live-out content."""
    name = fold.array.name
    if name not in region.given or fold.array.storage is not Storage.MEMORY:
        return []
    live = region.program.live_in if into_cells else region.program.live_out
    pieces = sets_of(named(live, name))
    elements = [piece.intersect_params(region.context) for piece in pieces]
    if not elements or all(piece.is_empty() for piece in elements):
        return []

    def text(at: Coordinates) -> list[str]:
        subscripts = [print_expression(value, C, region.writer.names) for value in at]
        scalar = region.program.kernel is None and not subscripts
        outer = name + "".join(f"[{text}]" for text in subscripts) + "[0]" * scalar
        target, source = fold.element(subscripts), outer
        if not into_cells:
            target, source = source, target
        return [f"{target} = {source};"]

    identity = elements[0].identity().reset_tuple_id(DimType.out)
    names = [n if n not in region.taken else f"{RESERVED}{n}" for n in fold.index]
    fragment = Fragment(
        name=name,
        names=lambda visit: list(zip(fold.index, visit.coordinates, strict=True)),
        schedule=identity,
        text=text,
    )
    return _print(region, [fragment], names, region.context, region.taken)
