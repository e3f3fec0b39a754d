"""What a stream of a circuit is apart from its hardware: its beats, operands and gates."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from hlsmem.errors import LimitError, Problem
from hlsmem.gates.openings import Gate
from hlsmem.gates.relations import MOST_ACCESSES, varying_entries
from hlsmem.places import Place
from hlsmem.polyhedra.sets import count, points, without
from hlsmem.walk.region import Region


@dataclass(frozen=True, slots=True, kw_only=True)
class OperandCircuit:
    """Where an operand of a beat comes from.

    `copy`: the memory copy it is read from at walker output `cell`, or None where it always
    comes by wire. `taken` and `wired` are walker conditions, None where always (taken) or never
    (wired). `wire` is the position in `wires` of the memory. `place` is where the access stands.
    """

    copy: int | None
    cell: str | None
    taken: str | None
    wire: int | None = None
    wired: str | None = None
    place: Place | None = None


class Instances:
    """The instances of a stream's beats, a row of time and coordinates each, listed when asked for.

    `times` is the isl set of times that the rows begin with; None where there are rows alone.
    """

    __slots__ = ("_columns", "_count", "_rows", "times")

    def __init__(self, times: Any, columns: int) -> None:
        self.times, self._columns = times, columns
        self._rows: Any = None
        self._count: int | None = None

    @staticmethod
    def listed(rows: Any) -> Instances:
        """Those of rows."""
        made = Instances(None, rows.shape[1])
        made._rows = rows
        return made

    def __len__(self) -> int:
        if self._count is None:
            self._count = count(self.times) if self._rows is None else len(self._rows)
        return self._count

    def first(self) -> tuple[int, ...]:
        """The first row."""
        if self.times is None:
            return tuple(int(value) for value in self._rows[0])
        found = Region(self.times).first()
        return found + (0,) * (self._columns - len(found))

    def varying(self) -> list[int]:
        """The columns with several values."""
        if self.times is None:
            return np.flatnonzero((self._rows != self._rows[0]).any(axis=0)).tolist()
        return varying_entries(self.times)

    def without_rows(self, entry: int, rows: tuple[int, int]) -> Instances:
        """Those whose time has an entry outside of a range, its end excluded."""
        return Instances(without(self.times, entry, rows), self._columns)

    @property
    def rows(self) -> Any:
        """All rows in order; LimitError where they are too many."""
        if self._rows is None:
            if len(self) > MOST_ACCESSES:
                what = f"{len(self)} beats of a stream are to be listed, and {MOST_ACCESSES} can be"
                raise LimitError(Problem(what, "plan smaller parameters, see --param"))
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
    points: Any = field(compare=False, repr=False, default=None)  # loops' values at each beat
    places: Any = field(compare=False, repr=False, default=None)  # None, or whether each is a beat

    @property
    def beats(self) -> int:
        return len(self.instances)

    def without_rows(self, entry: int, rows: tuple[int, int]) -> Self:
        """The stream without the beats whose time has an entry in a range, its end excluded."""
        return replace(self, instances=self.instances.without_rows(entry, rows))

    @property
    def idle(self) -> int:
        """Places of the walk without a beat."""
        return 0 if self.places is None else len(self.places) - self.beats


def plain_operands(places: Any) -> tuple[OperandCircuit, ...]:
    """Operands that come from no copy of a memory, which stand at these places."""
    return tuple(OperandCircuit(copy=None, cell=None, taken=None, place=place) for place in places)
