"""The `plan.schedules` key and its companions: the class of orders that cells are good for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hlsmem.core.errors import InputError
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.isl_text import parse_map
from hlsmem.polyhedra.relations import maps_of, union_map
from hlsmem.polyhedra.sets import with_parameters
from hlsmem.program.model import ConflictInput, Program, Statement, Storage
from hlsmem.program.schedule_classes import (
    GIVEN,
    AffineSchedules,
    AnyOrder,
    Band,
    Banded,
    Before,
    ScheduleClass,
)
from hlsmem.read.design_names import nearest
from hlsmem.read.design_schema import BandKeys, DesignKeys, PlanKeys
from hlsmem.read.texts import Texts, example_of

_SEVERAL = "for statements in different loops give an isl union map"
_WAY_OUT = "plan the cells for the class first, then this schedule with plan.reuse of that plan"


def read_class(
    keys: DesignKeys, program: Program | ConflictInput | None, texts: Texts
) -> ScheduleClass:
    """The class that a design asks for; what is wrong with it goes to the problems of `texts`."""
    plan = keys.plan
    if not _belong_together(plan, texts) or plan.schedules == "given" or program is None:
        return GIVEN
    if isinstance(program, ConflictInput):
        what = f"plan.schedules: {plan.schedules} has no meaning for a conflict set, which has"
        texts.problem(f"{what} no order", "leave it out", "plan", "schedules")
        return GIVEN
    _check_own_order(keys, program, texts)
    match plan.schedules:
        case "any":
            return AnyOrder()
        case "affine":
            return AffineSchedules(is_symbolic=plan.affine == "symbolic")
        case "before":
            source_location = texts.place("plan", "before")
            return Before(relation=_before(program, texts), source_location=source_location)
        case name:
            bands = [
                band
                for position, one in enumerate(plan.bands or ())
                if (band := _band(one, position, program, texts)) is not None
            ]
            return Banded(name=name, bands=tuple(bands))


def _belong_together(plan: PlanKeys, texts: Texts) -> bool:
    """Report keys of a class that is not asked for, and a key that is missing."""
    before = len(texts.problems)
    name = plan.schedules
    if plan.bands is not None and name not in ("sequential", "tiled"):
        what = f"plan.bands say nothing with plan.schedules: {name}"
        texts.problem(what, "use plan.schedules: tiled, or leave them out", "plan", "bands")
    if plan.bands is not None and not plan.bands:
        texts.problem("plan.bands is empty", "leave it out, or name a band", "plan", "bands")
    if name == "sequential" and any(band.kind == "tiled" for band in plan.bands or ()):
        what = "a tiled band is no sequential order"
        texts.problem(what, "use plan.schedules: tiled", "plan", "bands")
    if (plan.before is not None) != (name == "before"):
        if plan.before is None:
            what, remedy = "plan.schedules: before needs plan.before", "add the relation"
            texts.problem(what, remedy, "plan", "schedules")
        else:
            what = f"plan.before says nothing with plan.schedules: {name}"
            texts.problem(what, "use plan.schedules: before", "plan", "before")
    if plan.affine != "fixed" and name != "affine":
        what = f"plan.affine says nothing with plan.schedules: {name}"
        texts.problem(what, "use plan.schedules: affine", "plan", "affine")
    return len(texts.problems) == before


def _check_own_order(keys: DesignKeys, program: Program, texts: Texts) -> None:
    """Classes speak of orders of instances, one after the other."""
    name = keys.plan.schedules
    if keys.plan.slack:
        what = f"plan.slack counts beats of one schedule, plan.schedules: {name} has many"
        texts.problem(what, f"{_WAY_OUT}; slack is 0 there", "plan", "slack")
    if keys.order != "sequential":
        what = f"order: iteration makes steps of one schedule, plan.schedules: {name} has many"
        texts.problem(what, _WAY_OUT, "order")
    for array in program.planned_arrays():
        if array.storage is Storage.STREAM:
            what = (
                f"{array.name!r} is a stream, which arrives in one order;"
                f" plan.schedules: {name} has many"
            )
            texts.problems.add(what, f"make it a memory; or {_WAY_OUT}", array.source_location)


def _before(program: Program, texts: Texts) -> Any:
    """The user's relation { x -> y } of instances."""
    path = ("plan", "before")
    found = texts.union_map(*path, what="plan.before")
    if found is None:
        return union_map([])
    for one in maps_of(found):
        for kind in (DimType.in_, DimType.out):
            name = one.get_tuple_name(kind) if one.has_tuple_name(kind) else ""
            _known_statement(name, one.dim(kind), program, texts, path)
    return found.intersect_params(program.context)


def _known_statement(
    name: str, depth: int, program: Program, texts: Texts, path: tuple[str | int, ...]
) -> bool:
    """True if there is a statement of that name and depth; else that is reported."""
    known = {one.name: one for one in program.statements}
    if name not in known:
        shown = f"there is no statement {name!r}" if name else "a statement has no name"
        remedy = nearest(name, list(known), f"the statements are: {', '.join(known)}")
        texts.problem(f"{_label(path)}: {shown}", remedy, *path)
        return False
    loops = known[name].iterators
    if depth != known[name].domain.dim(DimType.set):
        what = f"{_label(path)}: {name!r} has {len(loops)} loops, not {depth}"
        texts.problem(what, f"write {name}[{', '.join(loops)}]", *path)
        return False
    return True


def _label(path: Sequence[str | int]) -> str:
    return ".".join(str(step) for step in path if isinstance(step, str))


def _band(keys: BandKeys, position: int, program: Program, texts: Texts) -> Band | None:
    path = ("plan", "bands", position, "rows")
    before = len(texts.problems)
    if isinstance(keys.rows, str):
        rows = _given_rows(program, texts, path)
        shown: tuple[str, ...] = (keys.rows,)
    else:
        rows = _common_rows(keys.rows, program, texts, path)
        shown = keys.rows
    if rows is None or len(texts.problems) > before:
        return None
    sizes = {one.dim(DimType.out) for one in maps_of(rows)}
    if len(sizes) != 1:
        found = " and ".join(map(str, sorted(sizes)))
        what = f"the statements of a band have different numbers of rows: {found}"
        texts.problem(what, "give all of them as many", *path)
        return None
    (size,) = sizes
    if len(shown) != size:
        shown = tuple(f"row {k}" for k in range(size))
    return Band(is_tiled=keys.kind == "tiled", rows=rows, texts=shown)


def _given_rows(program: Program, texts: Texts, path: tuple[str | int, ...]) -> Any | None:
    found = texts.union_map(*path, what="the band")
    if found is None:
        return None
    named = dict[str, Any]()
    for one in maps_of(found):
        name = one.get_tuple_name(DimType.in_) if one.has_tuple_name(DimType.in_) else ""
        if _known_statement(name, one.dim(DimType.in_), program, texts, path):
            named[name] = one
            if one.has_tuple_name(DimType.out):
                texts.problem("rows of a band have no name", "write S[t,i] -> [t, t + i]", *path)
    for statement in program.statements:
        if statement.name not in named:
            what = f"the band has no rows for {statement.name!r}"
            texts.problem(what, "add a map for it", *path)
            continue
        rows = named[statement.name]
        missing = statement.domain.subtract(rows.domain())
        if not missing.is_empty():
            what = f"the band gives no row to {example_of(missing, texts.parameters)}"
            texts.problem(what, "let it cover the whole domain", *path)
        elif not rows.intersect_domain(statement.domain).is_single_valued():
            what = f"the band gives several rows to one instance of {statement.name!r}"
            texts.problem(what, "give one", *path)
    kept = (one.intersect_domain(_domain(program, name)) for name, one in named.items())
    return union_map(kept).intersect_params(program.context)


def _domain(program: Program, name: str) -> Any:
    return next(one.domain for one in program.statements if one.name == name)


def _common_rows(
    rows: Sequence[str], program: Program, texts: Texts, path: tuple[str | int, ...]
) -> Any | None:
    """Expressions in loops that all statements have."""
    if not rows:
        texts.problem("a band needs at least one row", 'write rows: [t, "t + i"]', *path)
        return None
    maps = []
    for statement in program.statements:
        found = _rows_of(rows, statement, texts, path)
        if found is None:
            return None
        maps.append(found.intersect_domain(statement.domain))
    return union_map(maps).intersect_params(program.context)


def _rows_of(
    rows: Sequence[str], statement: Statement, texts: Texts, path: tuple[str | int, ...]
) -> Any | None:
    names = texts.parameters.names
    head = f"[{', '.join(names)}] -> " if names else ""
    source = f"{statement.name}[{', '.join(statement.iterators)}]"
    found = None
    for position, row in enumerate(rows):
        source_location = texts.place(*path, position)
        text = f"{head}{{ {source} -> [{row}] }}"
        try:
            one = parse_map(
                text, parameters=names, source_location=source_location, what=f"the row {row!r}"
            )
        except InputError as error:
            texts.problems.extend(error)
            return None
        if one.dim(DimType.out) != 1:
            texts.problems.add(f"{row!r} is not one row", "write rows: [t, i]", source_location)
            return None
        if not one.is_single_valued():
            loops = ", ".join(statement.iterators) or "none"
            what = f"the row {row!r} has a name that is no loop of {statement.name!r}"
            texts.problems.add(what, f"its loops are: {loops}; {_SEVERAL}", source_location)
            return None
        one = with_parameters(one, names)
        found = one if found is None else found.flat_range_product(one)
    return found
