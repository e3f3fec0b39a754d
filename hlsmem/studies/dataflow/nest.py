"""Position of statements: loops and textual slots, read off their times."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.polyhedra import DimType, Map
from hlsmem.polyhedra.relations import dimension_names, fixed_entries
from hlsmem.program.model import Program, Statement

Slot = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Nest:
    """A statement in its loops: slot, loop, slot, .., loop, slot.

    An instance of the nest is the statement's name with the values of its `depth` loops, then its
    iterators where several instances have one time. `instances` is { S[x] -> S[loops, ..] };
    `loops` are names for the dimensions.
    """

    name: str
    slots: tuple[Slot, ...]
    loops: tuple[str, ...]
    domain: Any = field(compare=False)
    instances: Any = field(compare=False)
    source_location: SourceLocation | None = None

    @property
    def depth(self) -> int:
        return len(self.slots) - 1

    def common(self, other: Nest) -> int:
        """Number of loops that stand around both."""
        most = min(self.depth, other.depth)
        return next((at for at in range(most) if self.slots[at] != other.slots[at]), most)

    def is_before(self, other: Nest) -> bool:
        """True if it stands before the other in the text, behind their common loops."""
        at = self.common(other)
        return self.slots[at] < other.slots[at]


def nests_of(program: Program) -> dict[str, Nest]:
    """The statements of a program in its own order, by name."""
    statements = [one for one in program.statements if not one.domain.is_empty()]
    times = {one.name: one.schedule.intersect_domain(one.domain) for one in statements}
    ranges = {name: one.range().coalesce() for name, one in times.items()}
    fixed = {name: _fixed(one) for name, one in ranges.items()}
    entries: dict[str, list[int | None]] = {name: [] for name in times}
    _split(list(times), 0, program.time_dimensions, fixed, entries)
    return {one.name: _nest(one, times[one.name], entries[one.name]) for one in statements}


def _fixed(times: Any) -> dict[int, int]:
    return {at: times.plain_get_val_if_fixed(DimType.set, at).to_python()
            for at in fixed_entries(times)}  # fmt: skip


def _split(
    names: Sequence[str],
    at: int,
    size: int,
    fixed: dict[str, dict[int, int]],
    entries: dict[str, list[int | None]],
) -> None:
    """Note for each entry of time from `at` on the slot that it is, or None for a loop.

    An entry is a loop where it is one for any of the statements that share the entries before.
    """
    if at == size:
        return
    if all(at in fixed[name] for name in names):
        for value in sorted({fixed[name][at] for name in names}):
            group = [name for name in names if fixed[name][at] == value]
            for name in group:
                entries[name].append(value)
            _split(group, at + 1, size, fixed, entries)
        return
    for name in names:
        entries[name].append(None)
    _split(names, at + 1, size, fixed, entries)


def _nest(statement: Statement, times: Any, entries: Sequence[int | None]) -> Nest:
    slots: list[Slot] = [()]
    loops = list[int]()
    for at, entry in enumerate(entries):
        if entry is None:
            loops.append(at)
            slots.append(())
        else:
            slots[-1] += (entry,)
    size = len(entries)
    names = dimension_names("t", size)
    kept = Map(f"{{ [{', '.join(names)}] -> [{', '.join(names[at] for at in loops)}] }}")
    instances = times.apply_range(kept)
    if not instances.is_injective():
        own = statement.domain.identity().reset_tuple_id(DimType.out)
        instances = instances.flat_range_product(own)
    instances = instances.set_tuple_name(DimType.out, statement.name)
    return Nest(
        name=statement.name,
        slots=tuple(slots),
        loops=tuple(_loop_names(statement, instances, len(loops))),
        domain=instances.range().coalesce(),
        instances=instances,
        source_location=statement.source_location,
    )


def _loop_names(statement: Statement, instances: Any, depth: int) -> Iterator[str]:
    """The iterator that a loop steps through, else which one it is: "loop 0"."""
    iterators = statement.iterators
    for at in range(depth):
        for position, name in enumerate(iterators):
            if _is_equal(instances, position, at):
                yield name
                break
        else:
            yield f"loop {at}"
    if instances.dim(DimType.out) > depth:
        yield from iterators


def _is_equal(instances: Any, position: int, at: int) -> bool:
    same = instances.equate(DimType.in_, position, DimType.out, at)
    return bool(same.is_equal(instances))
