"""Outcomes of conditions: which values condition elements get in a run, and how often each held.

A design is right for every outcome. Runs are made with several: one in which every condition
holds, one in which none does, and some that are drawn. In a drawn one the program decides for
itself, from its own inputs, wherever it says how; only what nobody computes is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import counted, listed
from hlsmem.polyhedra import DimType, Val
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Mix, Program, Statement

HOLD, FAIL, DRAWN = "all hold", "none holds", "drawn"
_DRAWN = 6


class BrokenPromise(Exception):
    """A promise of the design on conditions that a run breaks: values, iterations of loops."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A seed, and what conditions do: all hold, none holds, or they are drawn."""

    seed: int
    kind: str = DRAWN

    @property
    def is_forced(self) -> bool:
        return self.kind != DRAWN


OUTCOMES = (
    Outcome(seed=1, kind=HOLD),
    Outcome(seed=2, kind=FAIL),
    *(Outcome(seed=seed) for seed in range(3, 3 + _DRAWN)),
)


OWN_OUTCOMES = tuple(Outcome(seed=seed) for seed in range(1, 9))
"""Those of a kernel, which decides for itself what its conditions come to."""
FORCED_OUTCOMES = (Outcome(seed=9, kind=HOLD), Outcome(seed=10, kind=FAIL))
"""Those in which a kernel's conditions come to what its own inputs may never give."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tested:
    """Counts of how often the filters of a statement let instances run, and squashed them."""

    statement: str
    ran: int = 0
    kept: int = 0

    def __add__(self, other: Tested) -> Tested:
        return Tested(
            statement=self.statement, ran=self.ran + other.ran, kept=self.kept + other.kept
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """Values of condition elements of one array: with some of them instances run, or do not."""

    low: int
    high: int
    runs: tuple[int, ...]
    stays: tuple[int, ...]
    promised: bool = False

    def drawn(self, kind: str, count: int, generator: np.random.Generator) -> np.ndarray:
        """`count` values for an outcome of a kind: int64."""
        pool = self.runs if kind == HOLD else self.stays if kind == FAIL else ()
        pool = pool or (*self.runs, *self.stays)
        if kind == DRAWN and len(pool) < 1 + self.high - self.low:
            some = generator.integers(self.low, min(self.high, self.low + 2**31), count)
            chosen = np.array(pool, dtype=np.int64)[generator.integers(0, len(pool), count)]
            return np.where(generator.integers(0, 4, count) == 0, some, chosen)
        return np.array(pool, dtype=np.int64)[generator.integers(0, len(pool), count)]


def choices_of(program: Program) -> dict[str, Choices]:
    """Of every array that filters look at, values that let instances run and that do not."""
    found: dict[str, Choices] = {}
    for name, array in program.arrays.items():
        sets = list(_values(program, name))
        if not sets:
            continue
        low, high = (bound.evaluate(program.values) for bound in array.value_range)
        runs = sorted({v for one in sets for v in _extremes(one, low, high)})
        others = {v for one in sets for v in _extremes(_outside(one), low, high)}
        near = {low, high, *others, *(v + d for v in runs for d in (-1, 1))}
        inside = [v for v in sorted(near) if low <= v <= high]
        stays = [v for v in inside if not any(_has(one, v) for one in sets)]
        if not stays:  # of two branches one runs: what lets the first one run is called that
            stays = [v for v in inside if not _has(sets[0], v)]
            runs = [v for v in runs if v not in stays] or runs
        found[name] = Choices(
            low=low,
            high=high,
            runs=tuple(runs),
            stays=tuple(stays),
            promised=array.values is not None,
        )
    return found


def _values(program: Program, array: str) -> Iterator[object]:
    """The values of its elements with which the instances of some statement run."""
    for statement in program.statements:
        for one in statement.filters:
            value = fix_parameters(one.value, program.values).range()
            size = value.dim(DimType.set)
            for entry, access in enumerate(one.accesses):
                if access.array == array and not value.is_empty():
                    own = value.project_out(DimType.set, entry + 1, size - entry - 1)
                    yield own.project_out(DimType.set, 0, entry)


def _extremes(values: object, low: int, high: int) -> set[int]:
    bounded = values.lower_bound_val(DimType.set, 0, Val(low))  # type: ignore[attr-defined]
    bounded = bounded.upper_bound_val(DimType.set, 0, Val(high))
    if bounded.is_empty():
        return set()
    return {bounded.dim_min_val(0).to_python(), bounded.dim_max_val(0).to_python()}


def _outside(values: object) -> object:
    return values.complement()  # type: ignore[attr-defined]


def _has(values: object, value: int) -> bool:
    return not values.fix_val(DimType.set, 0, Val(value)).is_empty()  # type: ignore[attr-defined]


def is_played(statement: Statement, outcome: Outcome) -> bool:
    """True if an outcome gives what the statement writes into arrays that filters read."""
    return outcome.is_forced or isinstance(statement.body, Mix)


def total(runs: Sequence[Mapping[str, Tested]]) -> tuple[Tested, ...]:
    """Counts of tests over several runs, by statement."""
    found: dict[str, Tested] = {}
    for run in runs:
        for name, one in run.items():
            found[name] = found[name] + one if name in found else one
    return tuple(found.values())


def tested_text(own: Sequence[Mapping[str, Tested]], count: int) -> str:
    """Report of how often each condition held in the program's own runs, and which were forced.

    `count` is the number of all runs.
    """
    found = total(own)
    often = "; ".join(
        f"{one.statement} ran {one.ran} times of {one.ran + one.kept}" for one in found
    )
    text = f"{counted(count, 'outcome')} of the conditions: {often}"
    constant = [one.statement for one in found if not one.ran or not one.kept]
    if constant:
        text += f" ({listed([repr(name) for name in constant])} never otherwise unless forced)"
    return text
