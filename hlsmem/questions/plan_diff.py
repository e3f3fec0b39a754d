"""Two plans side by side: their figures, and what of the program makes the difference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.emit.difference_text import compared
from hlsmem.lifetime.read_prices import read_text
from hlsmem.plan import Plan, read_plan, read_plan_file
from hlsmem.plan.plan_difference import Cause, Difference, Rule
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_design, plan_hardware
from hlsmem.polyhedra import DimType
from hlsmem.program.model import Access, Program, Statement
from hlsmem.questions.access_prices import read_prices
from hlsmem.questions.opened_design import design_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A plan, and the design that it is of; None for a plan.json alone.

    `worked` is the planning where it is at hand.
    """

    plan: Plan
    folder: Path | None = None
    worked: Planning | None = None

    @property
    def has_program(self) -> bool:
        return self.folder is not None or self.worked is not None

    def planning(self) -> Planning:
        """The planning; that of a folder is made once more."""
        if self.worked is not None:
            return self.worked
        assert self.folder is not None
        return plan_hardware(design_of(self.folder, {}, ()))


def side_of(path: Path) -> Side:
    """An OUT, a plan.json, or a design, which is planned in memory.

    Raises InputError with all problems found.
    """
    if path.is_dir():
        return Side(plan=read_plan(path), folder=path)
    if path.suffix == ".json":
        return Side(plan=read_plan_file(path))
    worked = plan_design(design_of(path, {}, ()))
    return Side(plan=worked.plan, worked=worked)


def diff(old: Side, new: Side, rules: Sequence[Rule] = ()) -> Difference:
    """Differences between two plans, and the rules that the new one breaks.

    Raises InputError where the plans share no array, and for rules on figures that one lacks.
    """
    found = compared(old.plan, new.plan, rules)
    if not (old.has_program and new.has_program):
        return found
    if found.is_empty and old.plan.inputs == new.plan.inputs:
        return replace(found, causes=())
    return replace(found, causes=tuple(_causes(old.planning(), new.planning())))


def _causes(old: Planning, new: Planning) -> Iterator[Cause]:
    """Statements and accesses that came, went or moved."""
    before, after = old.program, new.program
    if before is None or after is None:
        return
    mine = {one.name: one for one in after.statements}
    olds = {one.name: one for one in before.statements}
    for name, statement in olds.items():
        if name not in mine:
            yield Cause(what=f"statement {name} went", place=_place(statement))
    for name, statement in mine.items():
        if name not in olds:
            yield Cause(what=f"statement {name} came", place=_place(statement))
        elif not _agree(statement.schedule, olds[name].schedule):
            yield Cause(what=f"statement {name} runs at other times", place=_place(statement))
        elif not _same_domain(statement, olds[name], after, before):
            yield Cause(what=f"statement {name} runs for other iterations", place=_place(statement))
        was = olds.get(name)
        yield from _accesses(new, statement, was)


def _accesses(new: Planning, statement: Statement, was: Statement | None) -> Iterator[Cause]:
    for kind in ("reads", "writes"):
        own: Sequence[Access] = getattr(statement, kind)
        theirs: Sequence[Access] = () if was is None else getattr(was, kind)
        for access in own:
            if any(_is_same(access, other) for other in theirs):
                continue
            verb = "read" if kind == "reads" else "write"
            planned = access.array in new.plan.arrays
            if was is None and not planned:
                continue
            place = "" if access.source_location is None else str(access.source_location)
            costs = _price(new, statement, access) if planned and kind == "reads" else None
            cells = new.folded.choices[access.array].mapping.cells if planned else None
            yield Cause(
                what=f"{verb} of {read_text(access)} came",
                place=place,
                array=access.array,
                costs=costs,
                cells=cells if costs is not None else None,
            )
        for other in theirs:
            if not any(_is_same(access, other) for access in own):
                verb = "read" if kind == "reads" else "write"
                yield Cause(what=f"{verb} of {read_text(other)} went", array=other.array)


def _price(planning: Planning, statement: Statement, access: Access) -> int | None:
    """Price of a read, planned without it; 0 where it is as another one of its statement."""
    prices = read_prices(planning, access.array).reads
    of_statement = [one for one in prices if one.statement == statement.name]
    return next(
        (one.costs for one in of_statement if one.source_location == access.source_location), None
    )


def _is_same(one: Access, other: Access) -> bool:
    return one.array == other.array and _agree(one.relation, other.relation)


def _agree(one: Any, other: Any) -> bool:
    """True if two functions are the same wherever both are defined."""
    if one.domain().get_space().dim(DimType.set) != other.domain().get_space().dim(DimType.set):
        return False
    if one.dim(DimType.out) != other.dim(DimType.out):
        return False
    common = one.domain().intersect(other.domain())
    if common.is_empty():
        return bool(one.is_equal(other))
    return bool(one.intersect_domain(common).is_equal(other.intersect_domain(common)))


def _same_domain(one: Statement, other: Statement, after: Program, before: Program) -> bool:
    """True if two statements have the same instances, where both contexts hold."""
    context = after.context.intersect(before.context)
    return bool(
        one.domain.intersect_params(context).is_equal(other.domain.intersect_params(context))
    )


def _place(statement: Statement) -> str:
    return "" if statement.source_location is None else str(statement.source_location)
