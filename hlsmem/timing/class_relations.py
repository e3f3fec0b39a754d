"""From a schedule class to what all its orders have in common, or why it is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any, assert_never

from hlsmem.core.errors import Note, Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, UnionMap
from hlsmem.polyhedra.relations import (
    fixed_entries,
    maps_of,
    rearrangement,
    union_map,
)
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Program, Statement, values_name
from hlsmem.program.schedule_classes import (
    AffineSchedules,
    AnyOrder,
    Band,
    Banded,
    Before,
    Given,
    ScheduleClass,
)
from hlsmem.timing.affine_schedules import affine_precedence
from hlsmem.timing.class_dependences import Dependence, dependences, union_of_dependences
from hlsmem.timing.closure import closure
from hlsmem.timing.events import instance_times
from hlsmem.timing.instance_text import first_pair, instance_text
from hlsmem.timing.precedence import Entries, Precedence, band_order, from_pairs, from_times

# Multiples of an earlier row that are tried to make a band row legal.
_MOST_SKEW = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassOfOrders:
    """A schedule class of a program: `precedence`, and the `bands` that it was made of.

    `in_place` are arrays whose elements are overwritten, which every order of the class keeps.
    """

    asked: ScheduleClass
    precedence: Precedence = field(compare=False)
    bands: tuple[Band, ...] = ()
    in_place: tuple[str, ...] = ()


def orders_of(program: Program, asked: ScheduleClass) -> ClassOfOrders:
    """The class of orders of a program with all its dependences.

    Raises InputError where the class is no class of legal orders: a band row that a dependence
    runs against, a relation that is no order or misses a dependence; LimitError where its
    relation is not found.
    """
    found = dependences(program)
    bands: tuple[Band, ...] = ()
    match asked:
        case Given():
            precedence = _banded(program, ())
        case Banded():
            bands = asked.bands
            if asked.name == "tiled" and not bands:
                bands = loop_bands(program)
            _check_bands(program, bands, found)
            precedence = _banded(program, bands)
        case AnyOrder():
            precedence = _any_order(program, found)
        case Before():
            precedence = _before(program, asked, found)
        case AffineSchedules():
            precedence = affine_precedence(program, found, is_symbolic=asked.is_symbolic)
        case _:
            assert_never(asked)
    overwritten = dict.fromkeys(one.array for one in found if one.kind != "flow")
    in_place = tuple(name for name in overwritten if values_name(name) not in program.arrays)
    return ClassOfOrders(asked=asked, precedence=precedence, bands=bands, in_place=in_place)


def instances(program: Program) -> Any:
    """All statement instances within the context, a UnionSet."""
    return instance_times(program).domain()


# Bands.


def _banded(program: Program, bands: Sequence[Band]) -> Precedence:
    times = instance_times(program)
    coordinates = times
    for band in reversed(bands):
        rows = band.rows.intersect_domain(times.domain())
        coordinates = rows.flat_range_product(coordinates)
    entries = [Entries(_rows(band), is_tiled=band.is_tiled) for band in bands]
    orders = [band_order(entries, program.time_dimensions, strict=s) for s in (True, False)]
    return from_times(coordinates, *orders)


def _rows(band: Band) -> int:
    return int(maps_of(band.rows)[0].dim(DimType.out))


def loop_bands(program: Program) -> tuple[Band, ...]:
    """The slots in front, and one band of the loops that all statements of a nest share.

    A slot is an entry of times that is one number for each statement; statements whose slots in
    front agree make a nest.
    """
    times = {one.name: _times(one) for one in program.statements}
    fixed = {name: dict.fromkeys(fixed_entries(one)) for name, one in times.items()}
    slots, loops = dict[str, list[int]](), dict[str, list[int]]()
    _split(program, list(times), times, fixed, 0, slots, loops)
    bands = []
    for chosen, is_tiled in ((slots, False), (loops, True)):
        size = max((len(entries) for entries in chosen.values()), default=0)
        if not size:
            continue
        rows = [
            one.schedule.intersect_domain(one.domain).apply_range(
                rearrangement(
                    program.time_dimensions,
                    [*chosen[one.name], *["0"] * (size - len(chosen[one.name]))],
                )
            )
            for one in program.statements
        ]
        union = union_map(rows).intersect_params(program.context)
        texts = _row_texts(program, chosen, size)
        bands.append(Band(is_tiled=is_tiled, rows=union, texts=texts))
    return tuple(bands)


def _times(statement: Statement) -> Any:
    return statement.schedule.intersect_domain(statement.domain).range().coalesce()


def _split(
    program: Program,
    names: list[str],
    times: dict[str, Any],
    fixed: dict[str, dict[int, None]],
    entry: int,
    slots: dict[str, list[int]],
    loops: dict[str, list[int]],
) -> None:
    """Walk the entries of times of some statements: slots until the first loop, then loops."""
    for name in names:
        slots.setdefault(name, [])
        loops.setdefault(name, [])
    if entry == program.time_dimensions:
        return
    constant = [entry in fixed[name] for name in names]
    if any(constant) and not all(constant):
        # A loop of the others that runs once in a statement, such as one for a border, is one.
        of_name = {one.name: one for one in program.statements}
        constant = [
            is_one and _loop_name(of_name[name], entry) is None
            for name, is_one in zip(names, constant, strict=True)
        ]
    if not any(constant):
        for name in names:
            loops[name].append(entry)
        _split(program, names, times, fixed, entry + 1, slots, loops)
        return
    if not all(constant):
        return
    groups = dict[str, list[str]]()
    for name in names:
        value = str(times[name].plain_get_val_if_fixed(DimType.set, entry))
        groups.setdefault(value, []).append(name)
    if len(groups) > 1 and any(loops[name] for name in names):
        return
    for group in groups.values():
        for name in group:
            if not loops[name]:
                slots[name].append(entry)
        _split(program, group, times, fixed, entry + 1, slots, loops)


def _row_texts(program: Program, chosen: dict[str, list[int]], size: int) -> tuple[str, ...]:
    """The loop that is a row in all statements, by name; else the entry of time that it is."""
    texts = []
    for k in range(size):
        entries = [
            (one, chosen[one.name][k]) for one in program.statements if k < len(chosen[one.name])
        ]
        loops = {_loop_name(one, entry) for one, entry in entries}
        names = loops if None not in loops else {f"t{entry}" for _, entry in entries}
        texts.append(" or ".join(sorted(filter(None, names))))
    return tuple(texts)


def _loop_name(statement: Statement, entry: int) -> str | None:
    """The loop that an entry of times is."""
    times = statement.schedule.intersect_domain(statement.domain)
    own = times.apply_range(rearrangement(times.dim(DimType.out), [entry]))
    loops = statement.domain.identity().reset_tuple_id(DimType.out)
    for position, name in enumerate(statement.iterators):
        if own.is_equal(loops.apply_range(rearrangement(len(statement.iterators), [position]))):
            return name
    return None


def _check_bands(program: Program, bands: Sequence[Band], found: Sequence[Dependence]) -> None:
    """Refuse rows that a dependence runs against, naming it and the least skew that helps."""
    problems = Problems()
    equal = None
    for band in bands:
        rows = band.rows
        size = _rows(band)
        for k in range(size):
            row = rows.apply_range(UnionMap.from_map(rearrangement(size, [k])))
            for one in found:
                kept = one.relation if equal is None else one.relation.intersect(equal)
                if not band.is_tiled and k:
                    kept = kept.intersect(_same(rows, size, k))
                against = kept.intersect(_going_down(row))
                if not against.is_empty():
                    relation = union_of_dependences(found)
                    if equal is not None:
                        relation = relation.intersect(equal)
                    _report_row(program, band, k, one, against, relation, problems)
                    break
        same = _same(rows, size, size)
        equal = same if equal is None else equal.intersect(same)
    problems.raise_if_any()


def _same(rows: Any, size: int, entries: int) -> Any:
    """{ x -> y : the first entries of their rows are equal }."""
    leading = rows.apply_range(UnionMap.from_map(rearrangement(size, range(entries))))
    return leading.apply_range(leading.reverse())


_DOWN = "{ [a] -> [b] : b < a }"


def _going_down(row: Any) -> Any:
    """{ x -> y : the row of y is less than that of x }."""
    return row.apply_range(UnionMap(_DOWN)).apply_range(row.reverse())


def _report_row(
    program: Program,
    band: Band,
    k: int,
    dependence: Dependence,
    against: Any,
    relation: Any,
    problems: Problems,
) -> None:
    pair = first_pair(program, against)
    apart = ""
    if pair.source is pair.sink:
        vector = ", ".join(str(b - a) for a, b in zip(pair.first, pair.second, strict=True))
        apart = f", {dependence.kind} vector ({vector}),"
    kind = "tiled band" if band.is_tiled else "sequential band"
    skew = _skew(band, k, relation)
    remedy = f"skew it: use {skew}" if skew else "leave the row out, or use plan.schedules: any"
    earlier, later = pair.places(dependence.array, dependence.kind)
    problems.add(
        f"row {band.texts[k]!r} of the {kind} goes down along a {dependence.kind} dependence of "
        f"{dependence.array!r}: {instance_text(pair.sink, pair.second)} needs "
        f"{instance_text(pair.source, pair.first)}{apart or ','} but comes first in some order"
        f"{pair.where}",
        remedy,
        later,
        [Note("the other instance", earlier)],
    )


def _skew(band: Band, k: int, relation: Any) -> str:
    """The rows with the least multiple of another one added that makes row k legal.

    `relation` are the dependences within one value of all bands around it.
    """
    for factor in range(1, _MOST_SKEW + 1):
        for other in range(_rows(band)):
            if other == k or not _is_legal(band, f"t{k} + {factor}*t{other}", relation):
                continue
            texts = list(band.texts)
            times = "" if factor == 1 else f"{factor}*"
            if any(" or " in text for text in texts):  # other loops in other statements
                return f"plan.bands with row {k + 1} + {times}row {other + 1} as row {k + 1}"
            texts[k] = f"{texts[k]} + {times}{texts[other]}"
            return f"rows: [{', '.join(texts)}]"
    return ""


def _is_legal(band: Band, entry: str, relation: Any) -> bool:
    """True if a form of the rows of a band, over t0, t1, .., goes down along no dependence."""
    form = band.rows.apply_range(UnionMap.from_map(rearrangement(_rows(band), [entry])))
    return bool(relation.is_disjoint(_going_down(form)))


def skewed_bands(program: Program, asked: Banded) -> tuple[tuple[Band, ...], tuple[Band, ...]]:
    """The bands of a tiled class, and the same with the least multiple of its first row in each
    row of a tiled band that a dependence runs against.

    Raises InputError where no such rows are legal.
    """
    bands = asked.bands or loop_bands(program)
    found = dependences(program)
    relation = union_of_dependences(found)
    legal = []
    for band in bands:
        size = _rows(band)
        entries = ["t0"] if band.is_tiled else [f"t{k}" for k in range(size)]
        texts = list(band.texts)
        for k in range(len(entries), size):
            forms = [f"{factor}*t0 + t{k}" for factor in range(_MOST_SKEW + 1)]
            factor = next((j for j, one in enumerate(forms) if _is_legal(band, one, relation)), 0)
            entries.append(forms[factor])
            if factor:
                texts[k] = f"{'' if factor == 1 else f'{factor}*'}{texts[0]} + {texts[k]}"
        rows = band.rows.apply_range(UnionMap.from_map(rearrangement(size, entries)))
        legal.append(replace(band, rows=rows, texts=tuple(texts)))
        relation = relation.intersect(_same(band.rows, size, size))
    _check_bands(program, legal, found)
    return bands, tuple(legal)


# Any order.


def _any_order(program: Program, found: Sequence[Dependence]) -> Precedence:
    relation = union_of_dependences(found)
    domain = instances(program)
    answer = closure(relation, domain, program.values)
    if answer is None:
        # Any bounded power of the dependences is kept by every order: sound, if not all.
        twice = relation.union(relation.apply_range(relation)).coalesce()
        return from_pairs(
            twice,
            domain,
            is_exact=False,
            remark="paths of at most two dependences are followed: no closure was proved",
        )
    if answer.is_fixed:
        domain = fix_parameters(domain, program.values)
    remark = f"transitive closure, by {answer.by}"
    return from_pairs(answer.relation, domain, is_fixed=answer.is_fixed, remark=remark)


# A relation of the user's own.


def _before(program: Program, asked: Before, found: Sequence[Dependence]) -> Precedence:
    domain = instances(program)
    given = asked.relation.intersect_domain(domain).intersect_range(domain)
    before = given.subtract(domain.identity()).coalesce()
    problems = Problems()
    both = before.intersect(before.reverse())
    if not both.is_empty():
        text = first_pair(program, both)
        problems.add(
            f"plan.before is no order: {text} are each before the other",
            "leave one of the two pairs out",
            asked.source_location,
        )
    skipped = before.apply_range(before).subtract(given)
    if both.is_empty() and not skipped.is_empty():
        text = first_pair(program, skipped)
        problems.add(
            f"plan.before is no order: {text} are not in it, but are by way of a third instance",
            "add what follows, or use plan.schedules: any, which does",
            asked.source_location,
        )
    for one in found:
        missed = one.relation.subtract(given)
        if not missed.is_empty():
            text = first_pair(program, missed)
            problems.add(
                f"plan.before misses a {one.kind} dependence of {one.array!r}: {text}",
                "add it: x -> y says that x runs at or before y",
                asked.source_location,
            )
    problems.raise_if_any()
    return from_pairs(before, domain)
