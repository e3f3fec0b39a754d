"""The `schedule` key: times of all statements in one space, instead of the order of the source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import counted
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.relations import maps_of
from hlsmem.program.model import Statement
from hlsmem.read.array_keys import unnamed_range
from hlsmem.read.design_names import nearest
from hlsmem.read.schedule_tree import is_tree, tree_times
from hlsmem.read.texts import Texts, example_of

_KEY = "schedule"
AUTO, TEXT = "auto", "text"
"""Words in place of times: those of fewest bits are to be found, or none."""


def is_searched(schedule: str | None, *, of_c: bool) -> bool:
    """True if a schedule is to be found: of C without the key, too."""
    return schedule == AUTO or (schedule is None and of_c)


def is_given(schedule: str | None) -> bool:
    """True if the key gives a schedule."""
    return schedule not in (None, AUTO, TEXT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """The schedule of every statement by name, into times of `dimensions` entries."""

    schedules: Mapping[str, Any] = field(compare=False)
    dimensions: int


def read_schedule(statements: Sequence[Statement], texts: Texts) -> Timing | None:
    """The times that the text at `schedule` gives to the instances of `statements`.

    It must name statements only, map all of them into one time space and give each instance
    exactly one time; what is wrong goes to the problems of `texts`, and None is returned.
    """
    before = len(texts.problems)
    if texts.document.get(_KEY) == "search":
        texts.problem("schedule: search: auto does that", "write auto", _KEY)
        return None
    if is_tree(texts.document.get(_KEY)):
        union = tree_times(texts, _KEY)
    else:
        union = texts.union_map(_KEY, what="the schedule")
    if union is None:
        return None
    names = [statement.name for statement in statements]
    maps: dict[str, Any] = {}
    for one in sorted(maps_of(union), key=_range_size):
        name = one.get_tuple_name(DimType.in_) if one.has_tuple_name(DimType.in_) else ""
        if name not in names:
            shown = f"there is no statement {name!r}" if name else "a statement has no name"
            remedy = nearest(name, names, f"the statements are: {', '.join(names)}")
            texts.problem(f"the schedule: {shown}", remedy, _KEY)
        elif name in maps:
            texts.problem(f"the schedule has two maps for {name!r}", "give one", _KEY)
        else:
            maps[name] = unnamed_range(one)
    _check_time_space(maps, texts)
    schedules = {one.name: _times(one, maps.get(one.name), texts) for one in statements}
    if len(texts.problems) > before:
        return None
    return Timing(schedules=schedules, dimensions=_range_size(next(iter(maps.values()))))


def _range_size(relation: Any) -> int:
    return int(relation.dim(DimType.out))


def _check_time_space(maps: Mapping[str, Any], texts: Texts) -> None:
    """All statements have times of as many entries."""
    sizes = {name: _range_size(relation) for name, relation in maps.items()}
    for name, size in sizes.items():
        first, wanted = next(iter(sizes.items()))
        if size != wanted:
            what = (
                f"the schedule gives {first!r} times of {_entries(wanted)},"
                f" but {name!r} times of {_entries(size)}"
            )
            texts.problem(what, "pad the shorter ones with zeros", _KEY)
            return
    if 0 in sizes.values():
        texts.problem("the schedule has times without entries", "give at least one", _KEY)


def _entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{count} entries"


def _times(statement: Statement, schedule: Any, texts: Texts) -> Any:
    """The schedule of one statement, on its domain."""
    name, domain = statement.name, statement.domain
    if schedule is None:
        texts.problem(f"the schedule gives {name!r} no times", "add a map for it", _KEY)
        return None
    found, wanted = schedule.dim(DimType.in_), domain.dim(DimType.set)
    if found != wanted:
        loops = ", ".join(statement.iterators)
        what = f"{name!r} has {counted(wanted, 'dimension')}, but {found} stand in the schedule"
        texts.problem(what, f"write {name}[{loops}]", _KEY)
        return None
    missing = domain.intersect_params(texts.parameters.context).subtract(schedule.domain())
    if not missing.is_empty():
        what = f"the schedule gives no time to {example_of(missing, texts.parameters)}"
        texts.problem(what, "let it cover the whole domain", _KEY)
    schedule = schedule.intersect_domain(domain)
    if not schedule.is_single_valued():
        what = f"the schedule gives several times to one instance of {name!r}"
        texts.problem(what, "give one", _KEY)
    return schedule


def time_names(size: int, taken: Iterable[str]) -> tuple[str, ...]:
    """t0, t1, .. or, where something in `taken` is called so, t_0, t_1, .."""
    known = set(taken)
    prefix = "t"
    while any(f"{prefix}{position}" in known for position in range(size)):
        prefix += "_"
    return tuple(f"{prefix}{position}" for position in range(size))
