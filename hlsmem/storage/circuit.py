"""Interface of the circuit of every kind of storage: streams, a simulation, cost, Verilog, paths
through, by the signals of streams and which of them follow others within a cycle.

The circuits are in the folders of the kinds, their union in `kinds`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

from hlsmem.addressing.generator_compiler import Recipe
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.dependences.circuit_streams import Instances, PlainStream
from hlsmem.dependences.earliest_release import Gate
from hlsmem.dependences.row_period import Cut
from hlsmem.plan import Memory

if TYPE_CHECKING:
    from hlsmem.cycle_model.closed_form import Passage
    from hlsmem.cycle_model.cycle_floor import Flow, Reuse
    from hlsmem.cycle_model.stream_models import StreamModels
    from hlsmem.storage.kinds import View

READY, VALID, DATA, LAST, USER = "tready", "tvalid", "tdata", "tlast", "tuser"
# Inside of a buffer: a beat is committed or issued; a write could go but for its rivals.
FIRE, OPEN = "fire", "open"

# A signal of a stream, and one that may change with it in the same cycle.
Signal = tuple[str, str]
Follows = tuple[Signal, Signal]

# Beats of branch FIFOs by the read streams that they stand behind.
Depths = Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """Flow from a statement's writes to another's reads: cycles in between, bits of a read beat.

    `stream` is the read stream. `inside` are beats that take part of the cycles within storage of
    no more words than have to be alive at once: those behind cannot come in for as long. With
    `is_front` it leads to a chain in place of a reader, and `stream` is the write stream. With
    `is_gate` it leads to a stream that passes over instances, which stands for a reader of what it
    looks at: until that goes the value stays in its cell, and `stream` is what is waited for.
    """

    source: str
    reader: str
    stream: str
    cycles: int
    bits: int
    inside: int = 0
    is_front: bool = False
    is_gate: bool = False


@dataclass(frozen=True, slots=True)
class Walk:
    """The address generator of a stream; `gates` with the names of the streams that they look at,
    None where streams of its kind have none."""

    stream: str
    recipe: Recipe
    instances: Instances
    gates: tuple[tuple[Gate, str], ...] | None = None


class BaseCircuit:
    """One array of `bits` in storage; `step_entries` are the time entries that make a step.

    A value is in it for `least_cycles` at least. With `has_exact_depths` branch FIFOs behind it
    need as many beats as the ways to them differ, and no fewer. `limit` says what took more work
    than it may, so that beats were listed one by one; "" where nothing did.
    """

    __slots__ = ()

    least_cycles: ClassVar[int] = 1
    has_exact_depths: ClassVar[bool] = False

    @property
    def is_state(self) -> bool:
        """True if it keeps its contents from run to run, and is set behind a reset."""
        return False

    array: str
    bits: int
    step_entries: int

    @property
    def limit(self) -> str:
        return ""

    @property
    def streams(self) -> tuple[PlainStream, ...]:
        """Its streams; where the reads leave with the writes, the writer comes first."""
        raise NotImplementedError

    def registered(self) -> Self:
        """The same with RAMs that are read through output registers."""
        raise NotImplementedError

    def taking(self, memory: Memory, device: str) -> Memory:
        """Its memory with what it takes on a device or family.

        Raises InputError for a device, or a style of memory, that there is not.
        """
        raise NotImplementedError

    def players(self, depths: Depths) -> StreamModels:
        """Its models in a simulation, with branch FIFOs of these beats behind its reads."""
        raise NotImplementedError

    def passage(self, depths: Depths) -> Passage | None:  # noqa: ARG002
        """Its passage in a network without stalls; None where it has gates, or was listed."""
        return None

    def row_times(self) -> list[Any]:
        """Sets of times, besides those of its streams, in which rows have to be alike; None where
        they were listed."""
        return []

    def row_tables(self, entry: int) -> list[Any] | None:  # noqa: ARG002
        """Sets of times with all that a simulation looks up at them, counted from their own row, a
        value of that entry; None where what is looked up is not in rows."""
        return []

    def counts_evenly(self, cut: Cut) -> bool:  # noqa: ARG002
        """True if streams with a counter between them have equally many beats in a cut."""
        return True

    def without(self, cut: Cut) -> Self:
        """The same in a run with a cut."""
        raise NotImplementedError

    def is_clear(self) -> bool:
        """True if every lookup in a run with a cut is known without its rows."""
        return True

    def flows(self, cycles: int) -> list[Flow]:  # noqa: ARG002
        """The values that pass through it where it is known which, each to be taken so many
        cycles after its beat."""
        return []

    def reuses(self) -> Iterator[Reuse]:
        """The reads that go before its cells are written again, where it is known which."""
        return iter(())

    def edges(self, fronts: Collection[str]) -> Iterator[Edge]:
        """The ways through it, from the cycle of a write beat to that of a read beat.

        `fronts` are write streams in front of which beats may wait.
        """
        raise NotImplementedError

    def view(self, design: str) -> View:
        """The view for its template; the template is named after the view's `kind`."""
        raise NotImplementedError

    def documents(self) -> list[dict[str, Any]]:
        """Its streams in sim/<design>.json."""
        raise NotImplementedError

    def memory_documents(self) -> list[dict[str, Any]]:
        """Its memories there, where a bench looks at cells."""
        return []

    def walks(self) -> Iterator[Walk]:
        """Its address generators, for provers."""
        return iter(())

    def follows(self) -> Iterator[Follows]:
        """The signals of its streams that follow others within a cycle, each with the other."""
        return iter(())
