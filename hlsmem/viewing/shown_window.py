"""A part of a run that is too long to be shown whole: some values of one of its loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import reduce
from typing import TYPE_CHECKING, Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Set, UnionSet, Val
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.relations import dimension_names, rearrangement, sets_of
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.program.model import Order, Program
from hlsmem.timing.events import LIVE_IN, LIVE_OUT, instance_times
from hlsmem.timing.value_flow import dataflow
from hlsmem.viewing.instance_columns import accesses_of

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The times whose entries are `outer`, then between `low` and `high`.

    `first` is the number of the first step of all `steps`, `curves` the most alive of the whole
    run by array, as [steps a point, alive, ..].
    """

    outer: tuple[int, ...]
    low: int
    high: int
    dimensions: int
    first: int
    steps: int
    curves: Mapping[str, list[int]] = field(default_factory=dict)

    @property
    def times(self) -> Any:
        """The times inside."""
        return self._at(self.low, self.high)

    def document(self) -> dict[str, int]:
        return {"first": self.first, "steps": self.steps}

    def alive(self, program: Program, array: str, *, before: bool) -> np.ndarray:
        """Elements with a value at the start of the window (`before`), or at its end."""
        import numpy as np

        flow = dataflow(program, array)
        uses = fix_parameters(flow.uses, program.values)  # [A[x] -> W[i]] -> R[j]
        times = fix_parameters(instance_times(program), program.values)
        split = self._before() if before else self._at(None, self.high).union(self._before())
        earlier = times.intersect_range(UnionSet.from_set(split)).domain()
        writers = earlier.union(UnionSet(f"{{ {LIVE_IN}[] }}"))
        readers = times.domain().subtract(earlier).union(UnionSet(f"{{ {LIVE_OUT}[] }}"))
        kept = uses.intersect_range(readers).domain().unwrap().intersect_range(writers).domain()
        found = [distinct_points(one) for one in sets_of(kept)]
        rank = len(program.arrays[array].index)
        return np.concatenate(found) if found else np.empty((0, rank), dtype=np.int64)

    def _at(self, low: int | None, high: int | None) -> Any:
        times = Set(f"{{ [{', '.join(dimension_names('t', self.dimensions))}] }}")
        for place, value in enumerate(self.outer):
            times = times.fix_val(DimType.set, place, Val(value))
        place = len(self.outer)
        if low is not None:
            times = times.lower_bound_val(DimType.set, place, Val(low))
        if high is not None:
            times = times.upper_bound_val(DimType.set, place, Val(high))
        return times

    def _before(self) -> Any:
        """The times before all that are inside."""
        names = dimension_names("t", self.dimensions)
        corner = [*self.outer, self.low]
        cases = [
            " and ".join(
                [*(f"{names[k]} = {corner[k]}" for k in range(place)), f"{names[place]} < {value}"]
            )
            for place, value in enumerate(corner)
        ]
        return Set(f"{{ [{', '.join(names)}] : {' or '.join(cases)} }}")


def window_of(
    program: Program,
    arrays: Sequence[str],
    most: int,
    *,
    around: Sequence[int] | None = None,
    curves: Mapping[str, list[int]] | None = None,
) -> Window | None:
    """A window of about `most` accesses around a time, else around the middle of the run.

    None where the whole run has no more.
    """
    total = accesses_of(program, arrays)
    if total <= most:
        return None
    times = reduce(
        lambda a, b: a.union(b),
        [
            fix_parameters(one.schedule.intersect_domain(one.domain), program.values).range()
            for one in program.statements
        ],
    )
    outer: list[int] = []
    inside = times
    while True:
        place = len(outer)
        low = inside.dim_min_val(place).to_python()
        high = inside.dim_max_val(place).to_python()
        middle = (low + high) // 2 if around is None else min(max(around[place], low), high)
        share = total // (high - low + 1)
        if (high > low and share <= most) or place == program.time_dimensions - 1:
            break
        outer.append(middle)
        inside = inside.fix_val(DimType.set, place, Val(middle))
        total = max(1, share)
    width = max(1, most // max(1, share))
    first = min(max(low, middle - width // 2), max(low, high - width + 1))
    found = Window(
        outer=tuple(outer),
        low=first,
        high=min(high, first + width - 1),
        dimensions=program.time_dimensions,
        first=0,
        steps=0,
        curves=curves or {},
    )
    depth = (
        program.time_dimensions if program.order is Order.SEQUENTIAL else program.step_dimensions
    )
    steps = rearrangement(program.time_dimensions, list(range(depth)))
    before = count(times.intersect(found._before()).apply(steps))
    return Window(
        outer=found.outer,
        low=found.low,
        high=found.high,
        dimensions=found.dimensions,
        first=before,
        steps=count(times.apply(steps)),
        curves=found.curves,
    )
