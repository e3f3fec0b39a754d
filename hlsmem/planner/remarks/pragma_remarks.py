"""`#pragma HLS` held against the plan: banks that do, intervals, dependences."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from hlsmem.core.errors import Problem
from hlsmem.plan import Memory
from hlsmem.planner.array_folding import Folded
from hlsmem.planner.hardware.storage_placement import Placement
from hlsmem.planner.remarks.stream_depths import shallow_streams
from hlsmem.polyhedra import Map
from hlsmem.polyhedra.extremes import lexmin
from hlsmem.polyhedra.sets import fix_parameters, points
from hlsmem.program.model import Pragma, Program
from hlsmem.storage.kinds import kind_named


def pragma_remarks(found: Folded, placement: Placement) -> tuple[Problem, ...]:
    """A remark on each pragma that asks for more, or for less, than the plan takes.

    Those that are obeyed are refused in place of that (`depths.broken_depths`).
    """
    kernel, given = found.design.kernel, found.design.program
    if kernel is None or given is None:
        return ()
    obeyed = ("STREAM", "DATAFLOW") if kernel.obeys_pragmas else ()
    pragmas = tuple(one for one in kernel.pragmas if one.name not in obeyed)
    told = [*shallow_streams(found.design, (False,) if obeyed else (True, False))]
    stuck = {one.source_location for one in told}
    judged = (one for one in pragmas if one.source_location not in stuck)
    told += [one for pragma in judged for one in _judged(pragma, found, placement, given)]
    if any(one.name == "DATAFLOW" for one in pragmas):
        told += _of_dataflow(pragmas, found, placement)
    if kernel.judges_interval:
        told += _of_interval(placement, pragmas)
    return tuple(told)


def _of_interval(placement: Placement, pragmas: tuple[Pragma, ...]) -> Iterator[Problem]:
    """An interval that was asked for, and is not reached, as synthesis tools say it, too."""
    timing, missed = placement.timing, placement.missed
    if timing is None or not missed:
        return
    place = next(
        one.source_location for one in pragmas if one.name == "PIPELINE" and one.number("ii")
    )
    what = f"PIPELINE: II={timing.asked} asked, {missed:g} do"
    yield Problem(what, timing.reason or "the report says what steps wait for", place)


def _judged(
    pragma: Pragma, found: Folded, placement: Placement, given: Program
) -> Iterator[Problem]:
    name = pragma.array or ""
    if pragma.name == "DEPENDENCE":
        yield from _of_dependence(pragma, given)
    if name not in placement.parts:
        return
    cells = found.choices[name].mapping.cells
    memories = [placement.memories[part.memory] for part in placement.parts[name]]
    if pragma.name == "STREAM":
        yield from _of_depth(pragma, memories)
    if pragma.name == "ARRAY_PARTITION":
        extents = [one.evaluate(given.values) for one in given.arrays[name].extents or ()]
        reason = "" if placement.timing is None else placement.timing.reason or ""
        waits = "write port" in reason and f"s_{name}_" in reason
        yield from _of_partition(pragma, cells, extents, memories, waits=waits)


def _of_depth(pragma: Pragma, memories: list[Memory]) -> Iterator[Problem]:
    """A depth beside a FIFO of the plan, in the order taken, that has more words."""
    asked, words = pragma.number("depth"), sum(one.words for one in memories)
    if (
        asked is not None
        and asked < words
        and all(kind_named(one.kind).is_queue for one in memories)
    ):
        what = f"'{pragma.array}': depth {asked} asked, the FIFO of the plan has {words} words"
        yield Problem(what, "plan.objective: words takes the fewest bits", pragma.source_location)


def _of_partition(
    pragma: Pragma, cells: int, extents: list[int], memories: list[Memory], *, waits: bool
) -> Iterator[Problem]:
    """Remarks on a partition that asks for more than the plan has, whose write port may delay
    steps."""
    does = max((one.banks for one in memories), default=1)
    kinds = {one.kind for one in memories}
    one = kind_named(kinds.pop()).one() if len(kinds) == 1 else "one"
    kept = f"{does} do" if does > 1 else f"{one} does"
    asked = pragma.banks(extents)
    if asked is None and "factor" not in pragma.options:
        if does != cells:
            what = f"'{pragma.array}': asked for a register for each element, {kept}"
            yield Problem(what, f"the plan keeps {cells} cells", pragma.source_location)
    elif asked is not None and asked > does and waits:
        what = f"asked for {asked} banks, it has one write port, and steps wait for it"
        remedy = "make an array of each bank: each has a write port then"
        yield Problem(f"'{pragma.array}': {what}", remedy, pragma.source_location)
    elif asked is not None and asked != does:
        remedy = "leave the pragma out, or try kernel.pragmas: obey"
        yield Problem(
            f"'{pragma.array}': asked for {asked} banks, {kept}", remedy, pragma.source_location
        )


def _of_dataflow(
    pragmas: tuple[Pragma, ...], found: Folded, placement: Placement
) -> Iterator[Problem]:
    """Why stages that are to run side by side, each as soon as it can, do not overlap."""
    if found.order is not None:
        return
    why = placement.scheduled
    if found.design.plan.capacity == "schedule":
        why = "plan.capacity is schedule, or the design has an order that leaves no other"
    if why:
        cells = sum(mapping.cells for mapping in found.mappings.values())
        what = f"DATAFLOW: the words are those of the text's order, {cells} cells: {why}"
        remedy = "hlsmem what-if finds orders in which stages overlap"
        place = next(one.source_location for one in pragmas if one.name == "DATAFLOW")
        yield Problem(what, remedy, place)


def _of_dependence(pragma: Pragma, given: Program) -> Iterator[Problem]:
    """A dependence that is said to be false, and is not: two instances on one element."""
    words = {*pragma.options, *pragma.options.values()}
    is_of_all = "variable" not in pragma.options
    if not {"false", "FALSE"} & words or (pragma.array is None and not is_of_all):
        return
    touching = [
        (access, one, is_write)
        for one in given.source.statements
        for accesses, is_write in ((one.reads, False), (one.writes, True))
        for access in accesses
        if is_of_all or pragma.array == access.array
    ]
    later = _later_iterations(given.source.time_dimensions)
    for (write, first, is_write), (touch, second, _) in product(touching, repeat=2):
        if not is_write or write.array != touch.array:
            continue
        # The order of all instances would be far more pieces than that of those on one element.
        pairs = write.relation.intersect_domain(first.domain).apply_range(
            touch.relation.intersect_domain(second.domain).reverse()
        )
        earlier = first.schedule.apply_range(later).apply_range(second.schedule.reverse())
        pairs = pairs.intersect(earlier)
        if pairs.is_empty():
            continue
        pairs = fix_parameters(pairs, given.values)
        pairs = lexmin(pairs.intersect_domain(lexmin(pairs.domain())))
        pair = f"{_point(pairs.domain())} and {_point(pairs.range())}"
        what = f"DEPENDENCE false, but there is one: {pair} touch one element"
        yield Problem(what, "leave the pragma out", pragma.source_location)
        return


def _point(one: Any) -> str:
    """An instance, such as S[1, 2]."""
    values = points(one)[0].tolist()
    return f"{one.get_tuple_name()}{values}"


def _later_iterations(size: int) -> Any:
    """{ time -> time of another iteration behind it, in the same nest }.

    Entries are slots and loops by turns: the first that differs is a loop's.
    """
    first, second = ([f"{name}{k}" for k in range(size)] for name in "tu")
    pieces = []
    for loop in range(1, size, 2):
        same = [f"{first[k]} = {second[k]}" for k in range(loop)]
        pieces.append(" and ".join([*same, f"{first[loop]} < {second[loop]}"]))
    condition = " or ".join(pieces) or "1 = 0"
    return Map(f"{{ [{', '.join(first)}] -> [{', '.join(second)}] : {condition} }}")
