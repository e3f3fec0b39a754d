"""Nests that run side by side, lowered to an ordinary schedule.

An iteration with trip numbers a_1 .. a_d, (index - lower bound) / step, runs at the ticks
p_l = offset_l + grain_l a_l. Its time is [block, p_1, slot_1, p_2, .., slot, p_D, nest, text]: a
slot is 0 before, 1 inside and 2 behind the inner loop, `nest` the position in the block, which is
left out where nests run in parallel, `text` the position within the nest. `block` is where the
block stands among what is around it. Entries that no statement needs are left out. No tick is
renumbered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.core.wording import counted
from hlsmem.polyhedra import Aff, DimType, Map, PwAff, Val
from hlsmem.polyhedra.relations import fixed_entries
from hlsmem.program.model import Nest, Statement
from hlsmem.read.design_names import nearest
from hlsmem.read.schedule import Timing
from hlsmem.read.texts import Texts


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """The times of a program with nests side by side, and the nests, which offsets move."""

    timing: Timing
    nests: tuple[Nest, ...]


def slot_of(statement: Statement) -> int:
    """Position in the region of a statement's outermost loop, or of the statement itself."""
    return int(_fixed(statement)[0])


def _fixed(statement: Statement) -> Mapping[int, int]:
    times = statement.schedule.intersect_domain(statement.domain).range()
    return {
        entry: times.plain_get_val_if_fixed(DimType.set, entry).to_python()
        for entry in fixed_entries(times)
    }


def side_by_side(
    blocks: Sequence[WrittenBlock],
    statements: Sequence[Statement],
    trips: Mapping[str, Any],
    texts: Texts,
) -> Side | None:
    """The schedule of blocks, and of what stands around them as it is.

    `trips` maps the instances of each statement to the trip numbers of its loops. What is wrong
    goes to the problems of `texts`; None then.
    """
    before = len(texts.problems)
    tops = _tops(blocks, statements)
    nests = dict[int, tuple[WrittenBlock, int, WrittenNest]]()
    for block in blocks:
        for position, nest in enumerate(block.nests):
            nests[nest.slot] = block, position, nest
    depths = {one.name: one.domain.dim(DimType.set) for one in statements}
    rows = dict[str, list[Any]]()
    found = list[Nest]()
    depth = max(depths.values(), default=0)
    for slot, (block, position, nest) in nests.items():
        own = [one for one in statements if slot_of(one) == slot]
        levels = max(depths[one.name] for one in own)
        completed = _completed(nest, levels, texts)
        if completed is None:
            continue
        nest = completed
        for text, one in enumerate(own):
            slots = _slots(one, own, depths, nest, texts)
            rows[one.name] = _entries(
                one, trips[one.name], nest, slots, depth, position if block.sequence else 0, text
            )
        found.append(
            Nest(
                label=nest.label,
                statements=tuple(one.name for one in own),
                entries=tuple(1 + 2 * level for level in range(levels)),
                offset=nest.offset,
                source_location=nest.source_location,
            )
        )
    if len(texts.problems) > before:
        return None
    for one in statements:
        if one.name not in rows:
            rows[one.name] = _around(one, depth)
    for one in statements:
        rows[one.name][0] = _constant(one, tops[one.name])
    return _lowered(statements, rows, found)


def _tops(blocks: Sequence[WrittenBlock], statements: Sequence[Statement]) -> dict[str, int]:
    """Position in the region of each statement's block, or of the statement itself."""
    first = {
        nest.slot: min(n.slot for n in block.nests) for block in blocks for nest in block.nests
    }
    return {one.name: first.get(slot_of(one), slot_of(one)) for one in statements}


def _completed(nest: WrittenNest, levels: int, texts: Texts) -> WrittenNest | None:
    """The nest with a grain and an offset for each of its loops."""
    problems = texts.problems
    for name, given in (("grain", nest.grain), ("offset", nest.offset)):
        if given and len(given) != levels:
            has = counted(levels, "loop")
            what = f"nest {nest.label!r} has {has}, but {name}({', '.join(map(str, given))})"
            problems.add(what, "give one for each loop, outermost first", nest.source_location)
            return None
    if any(grain < 1 for grain in nest.grain):
        what = f"nest {nest.label!r} has a grain below 1: {', '.join(map(str, nest.grain))}"
        problems.add(
            what, "use 1 or more: ticks from one iteration to the next", nest.source_location
        )
        return None
    return replace(nest, grain=nest.grain or (1,) * levels, offset=nest.offset or (0,) * levels)


def _slots(
    one: Statement,
    own: Sequence[Statement],
    depths: Mapping[str, int],
    nest: WrittenNest,
    texts: Texts,
) -> list[int]:
    """Behind each level: 0 before, 1 inside, 2 behind the loop that the nest has within it."""
    fixed, found = _fixed(one), list[int]()
    for level in range(1, depths[one.name] + 1):
        deeper = [other for other in own if depths[other.name] > level]
        inner = sorted({_fixed(other)[2 * level] for other in deeper})
        if len(inner) > 1:
            what = f"nest {nest.label!r} has two loops side by side within it"
            remedy = "make them nests of their own, or one loop"
            texts.problems.add(what, remedy, one.source_location or nest.source_location)
            return [0] * depths[one.name]
        mine = fixed[2 * level]
        found.append(0 if not inner or mine < inner[0] else 1 + (mine > inner[0]))
    return found


def _constant(one: Statement, value: int) -> Any:
    space = one.domain.get_space()
    zero = Aff.zero_on_domain_space(space)
    return PwAff.from_aff(zero.set_constant_val(Val(value)))


def _entries(
    one: Statement,
    trips: Any,
    nest: WrittenNest,
    slots: Sequence[int],
    depth: int,
    position: int,
    text: int,
) -> list[Any]:
    """[0, p_1, slot_1, .., p_D, slot_D, nest, text] as PwAffs on the instances."""
    numbers = trips.as_pw_multi_aff()
    entries = [_constant(one, 0)]
    for level in range(depth):
        if level < len(slots):
            tick = numbers.get_pw_aff(level).scale_val(Val(nest.grain[level]))
            entries.append(tick.add_constant_val(Val(nest.offset[level])))
            entries.append(_constant(one, slots[level]))
        else:
            entries += [_constant(one, 0)] * 2
    return [*entries, _constant(one, position), _constant(one, text)]


def _around(one: Statement, depth: int) -> list[Any]:
    """The times of a statement outside of all blocks: its own loops and slots."""
    own = one.schedule.intersect_domain(one.domain).as_pw_multi_aff()
    size = one.schedule.dim(DimType.out)
    entries = [own.get_pw_aff(entry) for entry in range(min(size, 1 + 2 * depth))]
    entries += [_constant(one, 0)] * (1 + 2 * depth - len(entries))
    return [*entries, _constant(one, 0), _constant(one, 0)]


def _lowered(
    statements: Sequence[Statement], rows: Mapping[str, list[Any]], nests: Sequence[Nest]
) -> Side:
    """Without the entries that are 0 for all statements, or the same number."""
    size = len(next(iter(rows.values())))
    kept = [
        entry for entry in range(size) if not _is_idle([rows[s.name][entry] for s in statements])
    ]
    kept = kept or [0]
    new = {entry: position for position, entry in enumerate(kept)}
    schedules = {}
    for one in statements:
        relation: Any = None
        for entry in kept:
            value = Map.from_pw_aff(rows[one.name][entry])
            relation = value if relation is None else relation.flat_range_product(value)
        schedules[one.name] = relation.intersect_domain(one.domain).coalesce()
    return Side(
        timing=Timing(schedules=schedules, dimensions=len(kept)),
        nests=tuple(
            Nest(
                label=nest.label,
                statements=nest.statements,
                entries=tuple(new.get(entry, -1) for entry in nest.entries),
                offset=nest.offset,
                source_location=nest.source_location,
            )
            for nest in nests
        ),
    )


def _is_idle(values: Sequence[Any]) -> bool:
    numbers = set()
    for value in values:
        low, high = value.min_val(), value.max_val()
        if not (low.is_int() and high.is_int() and low.eq(high)):
            return False
        numbers.add(low.to_python())
    return len(numbers) == 1


def block_of_keys(
    keys: Any, path: tuple[str | int, ...], statements: Sequence[Statement], texts: Texts
) -> WrittenBlock | None:
    """A block of design.yaml; a nest is found by the label of a statement in it."""
    nests, known = list[WrittenNest](), {one.name: one for one in statements}
    seen = dict[int, str]()
    for position, nest in enumerate(keys.nests):
        source_location = texts.document.key_place(*path, "nests", position, "label")
        if nest.label not in known:
            remedy = nearest(nest.label, list(known), f"the statements are: {', '.join(known)}")
            texts.problems.add(f"there is no statement {nest.label!r}", remedy, source_location)
            continue
        statement = known[nest.label]
        if not statement.domain.dim(DimType.set):
            texts.problems.add(
                f"nest {nest.label!r} is no loop", "name one in a loop", source_location
            )
            continue
        slot = slot_of(statement)
        if slot in seen:
            what = f"nests {seen[slot]!r} and {nest.label!r} are one loop"
            texts.problems.add(what, "name it once", source_location)
            continue
        seen[slot] = nest.label
        nests.append(
            WrittenNest(
                label=nest.label,
                grain=nest.grain,
                offset=nest.offset,
                slot=slot,
                source_location=source_location,
            )
        )
    if len(nests) < len(keys.nests):
        return None
    return WrittenBlock(
        sequence=keys.mode == "sequence",
        nests=tuple(nests),
        source_location=texts.document.key_place(*path),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenNest:
    """A nest as it is written; `slot` is the first entry of the times of its statements."""

    label: str
    grain: tuple[int, ...]
    offset: tuple[int, ...]
    slot: int
    source_location: SourceLocation | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenBlock:
    """Nests of a block; `sequence` gives ties to the nests in their order."""

    sequence: bool
    nests: tuple[WrittenNest, ...]
    source_location: SourceLocation | None
