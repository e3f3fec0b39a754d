"""A loop nest by one of its statements: the loops, and all that runs in an iteration."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from hlsmem.core.errors import InputError, Note, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.relations import fixed_entries, rearrangement
from hlsmem.program.model import Copy, Mix, Program, Statement
from hlsmem.studies.ranks.instance_numbers import Ranking, ranking_of


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopNest:
    """The nest of a statement: `members` run in each iteration, in the order of the text.

    `whole` are the times of its statements as sets of whole times, `orders` map instances of each
    member to [loops], the entries of the ranking.
    """

    ranking: Ranking
    members: tuple[Statement, ...]
    orders: tuple[Any, ...] = field(compare=False, repr=False)
    whole: Any = field(compare=False, repr=False)

    @property
    def label(self) -> str:
        return self.ranking.statement.name


def nest_of(program: Program, statement: Statement) -> LoopNest:
    """The nest of a statement.

    Raises InputError where it runs once, where other statements of its outermost loop
    are not in its innermost, and where nothing says in C what an instance does.
    """
    place = statement.source_location
    ranking = ranking_of(program, statement)
    if not ranking.entries:
        what = f"{statement.name!r} stands in no loop that runs twice"
        raise InputError(Problem(what, "name a statement of a loop nest", place))
    own = _key(program, statement)
    members = [one for one in program.statements if _key(program, one) == own]
    for one in members:
        if not _is_beside(program, ranking, one):
            what = f"{one.name!r} stands in the nest of {statement.name!r}, not in its innermost"
            what += " loop beside it"
            notes = (Note(f"{one.name!r} is here", one.source_location),)
            raise InputError(Problem(what, "give it a nest of its own", place, notes))
        if isinstance(one.body, (Copy, Mix)):
            what = f"nothing says in C what {one.name!r} does"
            raise InputError(Problem(what, "give it a body", one.source_location))
    members.sort(key=lambda one: _tail(program, ranking, one))
    whole = times_of(program, members[0]).range()
    for one in members[1:]:
        whole = whole.union(times_of(program, one).range())
    return LoopNest(
        ranking=ranking,
        members=tuple(members),
        orders=tuple(_order(program, ranking, one) for one in members),
        whole=whole.coalesce(),
    )


def times_of(program: Program, statement: Statement) -> Any:
    """{ instance -> time } for all parameters of the context."""
    order = statement.schedule.intersect_domain(statement.domain)
    return order.intersect_params(program.context)


def _order(program: Program, ranking: Ranking, statement: Statement) -> Any:
    entries = rearrangement(program.time_dimensions, ranking.entries)
    return times_of(program, statement).apply_range(entries).coalesce()


def _key(program: Program, statement: Statement) -> tuple[str, int | None]:
    """The key that statements of one outermost loop share: the first textual position."""
    times = times_of(program, statement).range().coalesce()
    first = times.plain_get_val_if_fixed(DimType.set, 0)
    return statement.process, int(first.to_python()) if first.is_int() else None


def _is_beside(program: Program, ranking: Ranking, other: Statement) -> bool:
    """True if a statement runs in each iteration of a nest, at the same iterators."""
    own, times = times_of(program, ranking.statement).range(), times_of(program, other).range()
    entries, fixed = ranking.entries, set(fixed_entries(times.coalesce()))
    if any(entry not in fixed for entry in range(times.dim(DimType.set)) if entry not in entries):
        return False
    for entry in range(entries[-1]):
        if entry not in entries and not times.plain_get_val_if_fixed(DimType.set, entry).eq(
            own.coalesce().plain_get_val_if_fixed(DimType.set, entry)
        ):
            return False
    back = _order(program, ranking, other).reverse()
    same = back.dim(DimType.out) == ranking.inverse.dim(DimType.out)
    return same and bool(
        back.set_tuple_name(DimType.out, ranking.statement.name).is_equal(ranking.inverse)
    )


def _tail(program: Program, ranking: Ranking, statement: Statement) -> tuple[int, ...]:
    """The textual positions behind the innermost loop."""
    times = times_of(program, statement).range().coalesce()
    behind = range(ranking.entries[-1] + 1, times.dim(DimType.set))
    return tuple(int(times.plain_get_val_if_fixed(DimType.set, k).to_python()) for k in behind)
