"""Streams of a circuit apart from its hardware: beats, operands and gates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import Any, Self

import numpy as np

from hlsmem.addressing.nest_points import Region
from hlsmem.core.budgets import ACCESSES
from hlsmem.core.errors import LimitError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.dependences.beat_relations import varying_entries
from hlsmem.dependences.earliest_release import Gate
from hlsmem.dependences.row_period import Cut
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.sets import count, points


@dataclass(frozen=True, slots=True, kw_only=True)
class OperandCircuit:
    """Source of an operand of a beat.

    `copy`: the memory copy it is read from at address generator output `cell`, or None where it
    always comes by wire. `taken` and `wired` are address generator conditions, None where always
    (taken) or never (wired). `wire` is the position in `wires` of the memory. `place` is where the
    access stands.
    """

    copy: int | None
    cell: str | None
    taken: str | None
    wire: int | None = None
    wired: str | None = None
    source_location: SourceLocation | None = None


class Instances:
    """The instances of a stream's beats, a row of time and coordinates each, listed when asked for.

    `times` is the isl set of times that the rows begin with; `listing` lists the rows where
    something else has them.
    """

    __slots__ = ("_columns", "_count", "_listing", "_rows", "times")

    def __init__(self, times: Any, columns: int, listing: Callable[[], Any] | None = None) -> None:
        self.times, self._columns, self._listing = times, columns, listing
        self._rows: Any = None
        self._count: int | None = None

    def __len__(self) -> int:
        if self._count is None:
            self._count = count(self.times)
        return self._count

    def first(self) -> tuple[int, ...]:
        """The first row."""
        found = Region(self.times).first()
        return found + (0,) * (self._columns - len(found))

    def varying(self) -> list[int]:
        """The columns with several values."""
        return varying_entries(self.times)

    def without(self, cut: Cut) -> Instances:
        """Those that are left with a cut."""
        return Instances(cut.times(self.times), self._columns)

    def at(self, times: Any) -> Instances:
        """The same at other times, { [time] -> [other time] } in the same order."""
        return Instances(self.times.apply(times), self._columns)

    def none(self) -> Instances:
        """None of them."""
        return Instances(Set.empty(self.times.get_space()), self._columns)

    @property
    def rows(self) -> Any:
        """All rows in order; LimitError where they are too many."""
        if self._rows is None:
            if len(self) > ACCESSES:
                what = f"{len(self)} beats of a stream are to be listed, and {ACCESSES} can be"
                raise LimitError(Problem(what, "plan smaller parameters, see --param"))
            if self._listing is not None:
                self._rows = self._listing()
                return self._rows
            times = points(self.times)
            self._rows = np.zeros((len(times), self._columns), dtype=np.int64)
            self._rows[:, : times.shape[1]] = times
        return self._rows


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainStream:
    """A stream: the beats of a statement, of the fill or of the drain, and what they wait for."""

    name: str
    statement: str
    is_write: bool
    is_fill: bool = False
    is_drain: bool = False
    latency: int
    operands: tuple[OperandCircuit, ...]
    gates: tuple[Gate, ...] = ()
    instances: Instances = field(compare=False, repr=False)
    places: Any = field(compare=False, repr=False, default=None)  # None, or whether each is a beat

    @property
    def beats(self) -> int:
        return len(self.instances)

    def without(self, cut: Cut) -> Self:
        """The stream in a run with a cut."""
        return replace(self, instances=self.instances.without(cut))

    @property
    def sees(self) -> tuple[str, ...]:
        """The streams of what its instances look at, which end at its address generator."""
        return ()

    def predicate_reads(self) -> Mapping[str, Any]:
        """The read streams that end at its address generator, with whether a beat takes one of
        theirs."""
        return {}

    @property
    def idle(self) -> int:
        """Places of the walk without a beat."""
        return 0 if self.places is None else len(self.places) - self.beats


def plain_operands(places: Any) -> tuple[OperandCircuit, ...]:
    """Operands that come from no copy of a memory, which stand at these places."""
    return tuple(
        OperandCircuit(copy=None, cell=None, taken=None, source_location=place) for place in places
    )
