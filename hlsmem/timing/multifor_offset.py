"""The least offset with which a nest of a multifor block keeps all dependences."""

from __future__ import annotations

from typing import Any

from hlsmem.polyhedra import DimType, Map, Set
from hlsmem.polyhedra.relations import dimension_names, maps_of
from hlsmem.polyhedra.samples import first_point
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Nest, Program, Statement
from hlsmem.timing.class_dependences import dependences

# Offsets that are looked at: more ticks than any program that is worth a block has.
_MOST = 1 << 20


def least_offset(program: Program, nest: Nest) -> tuple[int, ...] | None:
    """The lexicographically least offset of a nest, not below 0 where the given one is not, at
    the parameters of the program, with all other nests where they are; None where there is none.
    """
    original = program.original
    assert original is not None
    statements = {one.name: one for one in program.statements}
    names = dimension_names("o", len(nest.offset))
    low = min(0, *nest.offset) if nest.offset else 0
    bounds = " and ".join(f"{low} <= {name} <= {_MOST}" for name in names) or "true"
    legal = Set(f"{{ [{', '.join(names)}] : {bounds} }}")
    for dependence in dependences(original):
        for pair in maps_of(dependence.relation):
            source, sink = (
                statements.get(pair.get_tuple_name(kind)) for kind in (DimType.in_, DimType.out)
            )
            moved = [one is not None and one.name in nest.statements for one in (source, sink)]
            if source is None or sink is None or moved[0] == moved[1]:
                continue
            pair = fix_parameters(pair, program.values)
            broken = _broken(program, nest, (source, sink), pair, moved, dependence.kind == "anti")
            legal = legal.subtract(broken).coalesce()
    if legal.is_empty():
        return None
    return tuple(first_point(legal.lexmin(), {}).coordinates)


def _broken(
    program: Program,
    nest: Nest,
    ends: tuple[Statement, Statement],
    pair: Any,
    moved: list[bool],
    reads_first: bool,
) -> Any:
    """The offsets with which some pair is out of order; a read may stand at the time of a write
    that overwrites it."""
    size = program.time_dimensions
    times = [
        fix_parameters(one.schedule.intersect_domain(one.domain), program.values) for one in ends
    ]
    # { [times of the source] -> [times of the sink] }
    between = pair.apply_domain(times[0]).apply_range(times[1])
    first, second = dimension_names("a", size), dimension_names("b", size)
    names = dimension_names("o", len(nest.offset))
    shift = {
        entry: f"{name} - {given}"
        for name, entry, given in zip(names, nest.entries, nest.offset, strict=True)
        if entry >= 0
    }
    sides = [
        [f"{one} + {shift[k]}" if is_moved and k in shift else one for k, one in enumerate(side)]
        for side, is_moved in zip((first, second), moved, strict=True)
    ]
    late = [
        " and ".join(
            [*(f"{sides[0][k]} = {sides[1][k]}" for k in range(entry)),
             f"{sides[0][entry]} > {sides[1][entry]}"]
        )
        for entry in range(size)
    ]  # fmt: skip
    if not reads_first:
        equal = [f"{a} = {b}" for a, b in zip(*sides, strict=True)]
        late.append(" and ".join(equal))
    condition = " or ".join(f"({one})" for one in late)
    both = f"[[{', '.join(first)}] -> [{', '.join(second)}]]"
    relation = Map(f"{{ {both} -> [{', '.join(names)}] : {condition} }}")
    return between.wrap().apply(relation)


def nest_of(program: Program, statement: str) -> Nest | None:
    """The nest of a block that a statement is in."""
    return next((one for one in program.nests if statement in one.statements), None)
