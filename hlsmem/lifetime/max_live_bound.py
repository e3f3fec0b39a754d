"""Max-live as a bound: exact at the plan's parameters, with a formula over all of them.

A formula is proved by elements that are alive together at one program point, whatever the
parameters; where no such program point is found it is fitted at small sizes and verified at others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.lifetime.formula_fitting import fitted
from hlsmem.lifetime.live_interval import LiveIntervals
from hlsmem.lifetime.max_live import Changes, Peak, changes_of, max_live, peaks_at, peaks_within
from hlsmem.lifetime.occupancy import Occupancies
from hlsmem.lifetime.program_point import (
    alive_at,
    all_begun,
    fitted_program_points,
    last_begun,
    spread_program_points,
)
from hlsmem.lifetime.storage_problem import Alive, Bound
from hlsmem.polyhedra import DimType, Set
from hlsmem.polyhedra.cardinality import cardinality
from hlsmem.polyhedra.memoized import kept
from hlsmem.polyhedra.relations import rearrangement
from hlsmem.polyhedra.sets import count, fix_parameters, involves_parameter, parameter_names
from hlsmem.program.model import Order, Program

# How far the parameters of small sizes go above the first, all together, by their number:
# enough for an affine program point; enough for a cubic (up to two parameters) or a quadratic
# formula, with some left over to verify them.
_NEAR = {1: 15, 2: 3}
_REACH = {1: 15, 2: 5}
# Of several parameters, the first sizes stand so far above the least ones, and apart from each
# other: the order of parameters that differ is that of the plan's values.
_MARGIN, _APART = 2, 3
# Further sizes at which a formula must hold stand that far above the first ones.
_FURTHER = (9, 17)
# Borders of a window meet at the smallest sizes: so many of them may be exceptions.
_EXCEPTIONS = 3


@dataclass(frozen=True, slots=True)
class _Subject:
    """An array whose occupancies are to be counted, and the parameters they depend on."""

    lives: LiveIntervals
    occupied: Occupancies
    elements: Any
    context: Any
    names: tuple[str, ...]
    values: Mapping[str, int]
    leading: int  # entries of a time in front of the rank of an event


def max_live_bound(
    lives: LiveIntervals,
    occupied: Occupancies,
    oriented: Any,
    program: Program,
    *,
    has_formula: bool = True,
) -> Bound | None:
    """Max-live of one array at the plan's values; `oriented` are its conflicts.

    `lives` and `occupied` say the same of the same values. None where no element lives, and where
    there is too much to count and no formula found at small sizes either. One that need not have a
    formula has none where the number is counted.

    Status "proved" says that at all parameters of the context as many elements as the formula
    gives are alive at once; "proved for N >= 3" restricts that. A fitted formula has been
    verified at sizes it was not fitted at, and at the plan's own.
    """
    used = lives.starts.domain().params()
    if oriented.is_empty() and program.context.is_subset(used):
        return Bound(
            kind="max-live", cells=1, expr="1", status="proved", proof=Alive(program_point=None)
        )
    subject = _subject(lives, occupied, program)
    if fix_parameters(subject.elements, subject.values).is_empty():
        return None  # no program point is a witness of 0 cells
    if not has_formula and (cells := _cells_alive(subject)) is not None:
        return _counted(subject, cells, None)
    samples = _Samples(subject)
    if samples.may_all_live():
        together = _all_together(subject)
        if together is not None:
            return together
    peak = samples.peak()
    seen = None if peak is None or not peak.event else _at_event(subject, peak.event)
    if not subject.names and peak is not None:
        return _bound(subject, QuasiPolynomial.constant(peak.cells), "proved", seen)
    found = _proved_formula(subject, peak, samples) or _fitted_formula(subject, peak, samples, seen)
    if found is not None:
        return _bound(subject, *found)
    if peak is None:
        return None
    return _counted(subject, peak.cells, seen)


def cells_alive(lives: LiveIntervals, occupied: Occupancies, program: Program) -> int | None:
    """Max-live at the plan's values alone; None where too much begins and ends to be listed."""
    return _cells_alive(_subject(lives, occupied, program))


def _cells_alive(subject: _Subject) -> int | None:
    point = tuple(subject.values.values())
    changes = changes_of(subject.occupied, subject.names)
    if not changes.width:  # an instance without coordinates has none that could be listed
        return None
    peaks = peaks_at(changes, [point])
    return None if peaks is None else peaks.get(point, Peak(0, ())).cells


def _subject(lives: LiveIntervals, occupied: Occupancies, program: Program) -> _Subject:
    names = tuple(
        name
        for name in program.parameters
        if any(involves_parameter(relation, name) for relation in (occupied.begins, occupied.ends))
    )
    return _Subject(
        lives=lives,
        occupied=occupied,
        elements=occupied.begins.domain().coalesce(),
        context=program.context,
        names=names,
        values={name: program.values[name] for name in names},
        leading=program.time_dimensions
        if program.order is Order.SEQUENTIAL
        else program.step_dimensions,
    )


def _bound(
    subject: _Subject, expr: QuasiPolynomial, status: str, program_point: Alive | None
) -> Bound:
    when = status.partition(" for ")[2] if status.startswith("proved") else ""
    return Bound(
        kind="max-live",
        cells=expr.evaluate(subject.values),
        expr=str(expr),
        status=status,
        when=f"[{', '.join(subject.names)}] -> {{ : {when} }}" if when else None,
        proof=program_point,
    )


def _counted(subject: _Subject, cells: int, program_point: Alive | None) -> Bound:
    at = ", ".join(f"{name}={value}" for name, value in subject.values.items())
    status = f"counted at {at}"
    return Bound(kind="max-live", cells=cells, expr=None, status=status, proof=program_point)


def _at_event(subject: _Subject, event: Sequence[int]) -> Alive:
    """The program point just after the writes of an event."""
    return _just_after(subject, Set(f"{{ [{', '.join(map(str, event))}] }}"))


def _just_after(subject: _Subject, program_point: Any) -> Alive:
    """The program point as [phase, time..]: an event without its rank, its phase counted from 0."""
    pattern = subject.lives.pattern
    phase, *rest = (f"t{one}" if isinstance(one, int) else one for one in pattern)
    del rest[subject.leading]
    times = program_point.apply(rearrangement(subject.lives.dimensions, [f"{phase} + 1", *rest]))
    return Alive(program_point=str(times.coalesce()))


def _all_together(subject: _Subject) -> Bound | None:
    """The bound where all elements are alive at one program point: their number is max-live."""
    program_point = all_begun(subject.occupied)
    missing = subject.elements.subtract(alive_at(subject.lives, program_point)).params()
    if not fix_parameters(missing, subject.values).is_empty():
        return None
    found = cardinality(subject.elements, subject.context, subject.values)
    if found is None:
        return None
    cells = found.formula.evaluate(subject.values)
    status = _status(found.holds.subtract(missing), subject.context)
    proof = _just_after(subject, program_point)
    if status is None:
        return _counted(subject, cells, proof)
    return _bound(subject, found.formula, status, proof)


def _proved_formula(
    subject: _Subject, peak: Peak | None, samples: _Samples
) -> tuple[QuasiPolynomial, str, Alive] | None:
    """The number of elements alive at a program point at which it is the greatest.

    Greatest at the plan's values, or at small sizes where too much lives to be counted; without
    parameters, which have no small sizes, greatest of a few program points.
    """
    for program_point in _program_points(subject, samples, peak):
        alive = alive_at(subject.lives, program_point)
        if peak is not None and _number(alive, subject.values) != peak.cells:
            continue
        found = cardinality(alive, subject.context, subject.values)
        counted = peak is not None or not subject.names
        if found is None or not (counted or samples.agree_with(found.formula)):
            continue
        status = _status(found.holds, subject.context)
        if status is not None:
            return found.formula, status, _just_after(subject, program_point)
    return None


def _number(elements: Any, values: Mapping[str, int]) -> int:
    return count(fix_parameters(elements, values))


def _program_points(subject: _Subject, samples: _Samples, peak: Peak | None) -> Iterator[Any]:
    if peak is None and not subject.names:
        tried = spread_program_points(subject.occupied)
        yield max(tried, key=lambda one: count(alive_at(subject.lives, one)))
        return
    if peak is None or peak.at_last == peak.cells:
        yield last_begun(subject.occupied)
    peaks = samples.near()
    if peaks:
        yield from fitted_program_points(subject.names, peaks)


def _fitted_formula(
    subject: _Subject, peak: Peak | None, samples: _Samples, program_point: Alive | None
) -> tuple[QuasiPolynomial, str, Alive | None] | None:
    """The simplest formula through all that was counted, and from which sizes on."""
    first, further = samples.first(), samples.further()
    if peak is not None and peak.cells:
        further[tuple(subject.values.values())] = peak
    if not first or len(further) < 2:
        return None
    levels = sorted({sum(point) for point in first})
    for least in levels[: _EXCEPTIONS + 1 if len(subject.names) == 1 else 1]:
        known = {point: found.cells for point, found in first.items() if sum(point) >= least}
        formula = fitted(subject.names, known)
        if formula is not None and all(
            formula.evaluate(dict(zip(subject.names, point, strict=True))) == found.cells
            for point, found in further.items()
        ):
            break
    else:
        return None
    if len(subject.names) > 1:
        return formula, f"fitted for {samples.sizes()}", program_point
    if least == levels[0]:
        return formula, "fitted", program_point
    return formula, f"fitted for {subject.names[0]} >= {least}", program_point


class _Samples:
    """Peaks at small sizes, counted when they are asked for; none where that is too much."""

    def __init__(self, subject: _Subject) -> None:
        self._subject = subject
        self._near: dict[tuple[int, ...], Peak] | None = None
        self._changes: Changes | None = None
        self._peak = self._counted_at_once()

    def _counted_at_once(self) -> Peak | None:
        """The peak at the plan's values, counted with those at the first few sizes.

        For several parameters, where these are few; None elsewhere.
        """
        values, names = self._subject.values, self._subject.names
        base = self._base() if len(names) > 1 else None
        if base is None:
            return None
        point, near = tuple(values.values()), _neighbours(base, _NEAR.get(len(names), 2))
        peaks = self._at([*near, point])
        if peaks is None:
            return None
        self._near = {at: peaks[at] for at in near if at in peaks}
        return peaks.get(point, Peak(0, ()))

    def may_all_live(self) -> bool:
        """True if all elements may be live at once: not where fewer were counted."""
        subject = self._subject
        return self._peak is None or self._peak.cells == _number(subject.elements, subject.values)

    def peak(self) -> Peak | None:
        """The peak at the plan's values; None where that is too much to count."""
        if self._peak is None:
            occupied, values = self._subject.occupied, self._subject.values
            point = tuple(values.values())
            peaks = self._at([point])
            self._peak = (
                max_live(occupied, values) if peaks is None else peaks.get(point, Peak(0, ()))
            )
        return self._peak

    def near(self) -> dict[tuple[int, ...], Peak]:
        """Peaks at the first few sizes."""
        if self._near is None:
            self._near = self._from_base(_NEAR.get(len(self._subject.names), 2))
        return self._near

    def first(self) -> dict[tuple[int, ...], Peak]:
        """Peaks at the first sizes, as many as a formula needs."""
        return self._from_base(_REACH.get(len(self._subject.names), 3))

    def _from_base(self, reach: int) -> dict[tuple[int, ...], Peak]:
        base = self._base()
        if base is None:
            return {}
        total = " + ".join(self._subject.names)
        where = f"{self.sizes()} and {total} <= {sum(base) + reach}"
        return self._peaks(_neighbours(base, reach), where)

    def sizes(self) -> str:
        """The condition on the parameters that neighbouring sizes are the least to meet."""
        base = self._base() or ()
        terms = (f"{name} >= {low}" for name, low in zip(self._subject.names, base, strict=True))
        return " and ".join(terms)

    def further(self) -> dict[tuple[int, ...], Peak]:
        """Peaks at some greater sizes."""
        base, names = self._base(), self._subject.names
        if base is None:
            return {}
        points = [tuple(low + step + k for k, low in enumerate(base)) for step in _FURTHER]
        conditions = (
            " and ".join(f"{name} = {value}" for name, value in zip(names, point, strict=True))
            for point in points
        )
        return self._peaks(points, " or ".join(f"({condition})" for condition in conditions))

    def agree_with(self, formula: QuasiPolynomial) -> bool:
        names = self._subject.names
        peaks = self.first() | self.further()
        return bool(peaks) and all(
            formula.evaluate(dict(zip(names, point, strict=True))) == peak.cells
            for point, peak in peaks.items()
        )

    def _base(self) -> tuple[int, ...] | None:
        """The first sizes: above the least ones, in the order of the plan's values; None without
        parameters."""
        values = self._subject.values
        if not values:
            return None
        ranks = {value: rank for rank, value in enumerate(sorted(set(values.values())))}
        least = [_least(self._subject.context, name) for name in values]
        if any(low is None for low in least):
            return None
        above = max((low for low in least if low is not None), default=0)
        above += _MARGIN if len(values) > 1 else 0
        return tuple(above + _APART * ranks[value] for value in values.values())

    def _peaks(self, points: Sequence[tuple[int, ...]], where: str) -> dict[tuple[int, ...], Peak]:
        """The peaks at some points, which are those of the condition `where`."""
        occupied, names = self._subject.occupied, self._subject.names
        found = self._at(points)
        if found is None:
            inside = Set(f"[{', '.join(names)}] -> {{ : {where} }}")
            found = peaks_within(occupied, inside, names)
        return found or {}

    def _at(self, points: Sequence[tuple[int, ...]]) -> dict[tuple[int, ...], Peak] | None:
        """The peaks at some points; None where there is too much to be listed at once."""
        if self._changes is None:
            self._changes = changes_of(self._subject.occupied, self._subject.names)
        return peaks_at(self._changes, points)


def _neighbours(base: Sequence[int], reach: int) -> list[tuple[int, ...]]:
    """The points that are no less than `base` in any entry, and `reach` more in all, in
    lexicographic order: as many as a polynomial of that degree has coefficients."""
    if not base:
        return [()]
    return [
        (base[0] + step, *rest)
        for step in range(reach + 1)
        for rest in _neighbours(base[1:], reach - step)
    ]


def _least(context: Any, name: str) -> int | None:
    """The least value of a parameter in the context, or None where it has none."""
    position = context.find_dim_by_name(DimType.param, name)
    if position < 0:
        return None
    line = context.move_dims(DimType.set, 0, DimType.param, position, 1)
    line = line.project_out(DimType.param, 0, line.dim(DimType.param))
    least = line.dim_min_val(0)
    return int(least.to_python()) if least.is_int() else None


# Shares of an array have formulas of their own that hold for the same parameters.
@kept(256)
def _status(holds: Any, context: Any) -> str | None:
    """Status of a proof for the parameters `holds`; None where these are few."""
    if context.is_subset(holds):
        return "proved"
    names = parameter_names(holds)
    line = Set.from_params(holds).move_dims(DimType.set, 0, DimType.param, 0, len(names))
    if line.is_bounded():
        return None
    condition = str(holds.coalesce().gist(context)).rpartition(":")[2].strip(" }")
    return f"proved for {condition}"
