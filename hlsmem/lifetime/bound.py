"""Max-live as a bound: counted at the plan's parameters, with a formula where one fits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hlsmem.lifetime.fitting import fitted
from hlsmem.lifetime.max_live import max_live, max_live_within
from hlsmem.lifetime.problem import Bound
from hlsmem.lifetime.residence import Residences
from hlsmem.polyhedra import DimType
from hlsmem.program import Program
from hlsmem.quantity import Quantity

# Widths of the box of small parameter values a formula is fitted on, by number of parameters:
# enough for a cubic (one parameter) or a quadratic, with some left over to verify it.
_WIDTHS = {1: 10, 2: 4, 3: 3}
# Borders of a window meet at the smallest sizes: so many of them may be exceptions.
_EXCEPTIONS = 3


def max_live_bound(lives: Residences, oriented: Any, program: Program) -> Bound | None:
    """Max-live of one array at the plan's values; `oriented` are its conflicts.

    None where there is too much to count, and no formula found at small sizes either.

    A fitted formula has been verified at further small sizes and at the plan's own; status
    "fitted for N >= 4" says that smaller ones differ. It is proved where no two elements are
    ever alive together.
    """
    used = lives.starts.domain().params()
    if oriented.is_empty() and program.context.is_subset(used):
        return Bound(kind="max-live", cells=1, expr="1", status="proved")
    names = [name for name in program.parameters if _involved(lives, name)]
    values = {name: program.values[name] for name in names}
    cells = max_live(lives, values)
    if cells is None:
        return _uncounted(lives, values, program.context)
    if not names:
        return Bound(kind="max-live", cells=cells, expr=str(cells), status="proved")
    found = _formula(lives, values, cells, program.context)
    if found is None:
        at = ", ".join(f"{name}={value}" for name, value in values.items())
        return Bound(kind="max-live", cells=cells, expr=None, status=f"counted at {at}")
    return Bound(kind="max-live", cells=cells, expr=str(found[0]), status=found[1])


def _involved(lives: Residences, name: str) -> bool:
    return any(_involves(relation, name) for relation in (lives.starts, lives.stays))


def _involves(relation: Any, name: str) -> bool:
    position = relation.find_dim_by_name(DimType.param, name)
    return position >= 0 and bool(relation.involves_dims(DimType.param, position, 1))


def _uncounted(lives: Residences, values: Mapping[str, int], context: Any) -> Bound | None:
    found = _formula(lives, values, None, context)
    if found is None:
        return None
    expr, status = found
    return Bound(kind="max-live", cells=expr.evaluate(values), expr=str(expr), status=status)


def _formula(
    lives: Residences, values: Mapping[str, int], cells: int | None, context: Any
) -> tuple[Quantity, str] | None:
    """A formula and its status, or None; `cells` is the count at `values` where known."""
    width = _WIDTHS.get(len(values))
    if width is None:
        return None
    least = {name: _least(context, name) for name in values}
    box = {name: (low, low + width - 1) for name, low in least.items() if low is not None}
    samples = max_live_within(lives, box) if len(box) == len(values) else None
    if samples is None:
        return None
    if cells is not None:
        samples[tuple(values.values())] = cells
    names = list(values)
    found = fitted(names, samples)
    if found is not None:
        return found, "fitted"
    if len(names) > 1:
        return None
    first, _ = box[names[0]]
    for low in range(first + 1, min(first + _EXCEPTIONS, values[names[0]]) + 1):
        found = fitted(names, {point: n for point, n in samples.items() if point[0] >= low})
        if found is not None:
            return found, f"fitted for {names[0]} >= {low}"
    return None


def _least(context: Any, name: str) -> int | None:
    """The least value of a parameter in the context, or None where it has none."""
    position = context.find_dim_by_name(DimType.param, name)
    if position < 0:
        return None
    line = context.move_dims(DimType.set, 0, DimType.param, position, 1)
    line = line.project_out(DimType.param, 0, line.dim(DimType.param))
    least = line.dim_min_val(0)
    return int(least.to_python()) if least.is_int() else None
