"""The times of an order: its rows, shifted, then what of the source's time decides ties.

Orders of isl's scheduler are candidates for C, with loops fused and apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from hlsmem.polyhedra import DimType, Map, Set, UnionMap
from hlsmem.polyhedra.limits import WorkLimitError
from hlsmem.polyhedra.relations import maps_of, origin, rearrangement, union_map
from hlsmem.polyhedra.scheduler import schedule_times
from hlsmem.polyhedra.sets import involves_parameter, parameter_names, without_parameters
from hlsmem.program.model import Program
from hlsmem.schedule_search.found_schedule import Found
from hlsmem.schedule_search.order_dependences import Nest
from hlsmem.timing.events import instance_times

_PLAIN = re.compile(r"\{ (\w+\[.*?\]) -> \[(.*)\] \}")


def times_of(program: Program, nests: Sequence[Nest], found: Found) -> tuple[str, int]:
    """The text of a `schedule` key with the times of an order, and the rows they begin with.

    The program is in its source's order. A time is [rows, entries of the source's time]: ties
    keep the source's order. Entries that never decide are left out.
    """
    leading = found.leading_text()
    kept = _deciding(program, nests, leading)
    texts = []
    parameters: list[str] = []
    for nest, entries in zip(nests, leading, strict=True):
        source = _without_unused(_source_times(nest))
        parameters += [name for name in parameter_names(source) if name not in parameters]
        plain = _PLAIN.search(str(source))
        if plain and ":" not in str(source):
            times = plain[2].split(", ")
            loops = {f"l{k}": times[entry] for k, entry in enumerate(nest.entries)}
            rows = [_replaced(entry, loops) for entry in entries]
            texts.append(f"{plain[1]} -> [{', '.join([*rows, *(times[k] for k in kept)])}]")
        else:
            size = program.time_dimensions
            ties = source.apply_range(rearrangement(size, kept))
            text = str(_rows(program, nest, entries).flat_range_product(ties).coalesce())
            texts.append(text[text.index("{") + 1 : text.rindex("}")].strip())
    prefix = f"[{', '.join(parameters)}] -> " if parameters else ""
    return f"{prefix}{{ {'; '.join(texts)} }}", len(leading[0])


def _deciding(
    program: Program, nests: Sequence[Nest], leading: Sequence[Sequence[str]]
) -> list[int]:
    """The entries of the source's time that decide between instances of equal rows."""
    size = program.time_dimensions
    times = instance_times(program)
    rows = union_map(
        _rows(program, nest, entries).intersect_domain(nest.statement.domain)
        for nest, entries in zip(nests, leading, strict=True)
    )
    equal = rows.apply_range(rows.reverse())
    kept = []
    for entry in range(size):
        only = times.apply_range(UnionMap.from_map(rearrangement(size, [entry])))
        agreeing = only.apply_range(only.reverse())
        if not equal.is_subset(agreeing):
            kept.append(entry)
            equal = equal.intersect(agreeing)
    return kept


def _source_times(nest: Nest) -> Any:
    """The times of a statement in the source, without its domain where they need none."""
    schedule = nest.statement.schedule.intersect_domain(nest.statement.domain)
    domain = schedule.domain()
    if schedule.is_empty():  # a statement that never runs may have any time
        zero = origin(schedule.range().get_space())
        return Map.from_domain_and_range(Set.universe(domain.get_space()), zero)
    hull = Map.from_basic_map(schedule.affine_hull())
    plain = hull.gist_domain(Set.from_basic_set(domain.affine_hull()))
    return plain if plain.intersect_domain(domain).is_equal(schedule) else schedule


def _rows(program: Program, nest: Nest, entries: Sequence[str]) -> Any:
    """{ S[i] -> [rows] } of at least the domain."""
    loops = _source_times(nest).apply_range(rearrangement(program.time_dimensions, nest.entries))
    names = [f"l{k}" for k in range(nest.depth)]
    return loops.apply_range(Map(f"{{ [{', '.join(names)}] -> [{', '.join(entries)}] }}"))


def _replaced(entry: str, loops: Mapping[str, str]) -> str:
    """An entry with loops for their names, in brackets where they are more than a name."""

    def text(found: re.Match[str]) -> str:
        loop = loops[found[0]]
        return loop if re.fullmatch(r"\w+", loop) else f"({loop})"

    return re.sub(r"\bl\d+\b", text, entry)


def _without_unused(relation: Any) -> Any:
    """A relation rid of the parameters that it does not depend on."""
    unused = [name for name in parameter_names(relation) if not involves_parameter(relation, name)]
    return without_parameters(relation, unused)


def scheduled_times(program: Program, pairs: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """{ instance -> time } by statement, as isl orders the program where `pairs` of instances keep
    their order: at most two orders, one that fuses loops and one that does not.

    Raises WorkLimitError behind them where isl needs too much work for one.
    """
    domain = instance_times(program).domain()
    dependences = UnionMap("{ }")
    for pair in pairs:
        dependences = dependences.union(UnionMap.from_map(pair))
    cut: WorkLimitError | None = None
    for fuses in (True, False):
        try:
            found = schedule_times(domain, dependences, fuses=fuses)
        except WorkLimitError as limit:
            cut = limit
            continue
        if found is not None:
            yield _padded(program, maps_of(found))
    if cut is not None:
        raise cut


def _padded(program: Program, times: Iterable[Any]) -> dict[str, Any]:
    """Times of one length, with zeros behind."""
    found = {one.get_tuple_name(DimType.in_): one for one in times}
    size = max(one.dim(DimType.out) for one in found.values())
    zero = ["0"] * size
    padded = {}
    for one in program.statements:
        if one.name not in found:  # it never runs
            own = one.schedule.apply_range(rearrangement(program.time_dimensions, zero))
        else:
            depth = found[one.name].dim(DimType.out)
            step = rearrangement(depth, [*range(depth), *zero[depth:]])
            own = found[one.name].apply_range(step)
        padded[one.name] = own.intersect_domain(one.domain)
    return padded
