"""The circuit of a wire: a write beat and the read beat that it brings pass in one cycle."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.dependences.circuit_streams import PlainStream
from hlsmem.dependences.row_period import Cut
from hlsmem.devices.primitives import Cost
from hlsmem.plan import Memory
from hlsmem.storage.circuit import DATA, READY, VALID, BaseCircuit, Depths, Edge, Follows, Walk
from hlsmem.storage.reuse_chain.circuit import ChainCircuit, ChainReader
from hlsmem.storage.storage_cost import taking
from hlsmem.storage.wire.simulation import wire_passage, wire_players
from hlsmem.storage.wire.view import WireView, wire_view

if TYPE_CHECKING:
    from hlsmem.cycle_model.closed_form import Passage
    from hlsmem.cycle_model.stream_models import StreamModels


@dataclass(frozen=True, slots=True, kw_only=True)
class WireCircuit(BaseCircuit):
    """One array that is never kept. `chain` is what would keep its newest beat, with one reader."""

    least_cycles: ClassVar[int] = 0
    has_exact_depths: ClassVar[bool] = True

    chain: ChainCircuit

    @property
    def array(self) -> str:  # type: ignore[override]
        return self.chain.array

    @property
    def bits(self) -> int:  # type: ignore[override]
        return self.chain.bits

    @property
    def step_entries(self) -> int:  # type: ignore[override]
        return self.chain.step_entries

    @property
    def reader(self) -> ChainReader:
        return self.chain.readers[0]

    @property
    def streams(self) -> tuple[PlainStream, ...]:
        return self.chain.streams

    def registered(self) -> WireCircuit:
        return self

    def taking(self, memory: Memory, device: str) -> Memory:  # noqa: ARG002
        return taking(memory, [], Cost())

    def players(self, depths: Depths) -> StreamModels:
        return wire_players(self, depths)

    def follows(self) -> Iterator[Follows]:
        writer, reader = self.chain.writer, self.reader.name
        yield (reader, READY), (writer, READY)
        yield (writer, VALID), (reader, VALID)
        yield (writer, DATA), (reader, DATA)

    def passage(self, depths: Depths) -> Passage | None:
        return wire_passage(self, depths)

    def row_times(self) -> list[Any]:
        return self.chain.row_times()

    def without(self, cut: Cut) -> WireCircuit:
        return replace(self, chain=self.chain.without(cut))

    def edges(self, fronts: Collection[str]) -> Iterator[Edge]:  # noqa: ARG002
        for edge in self.chain.edges(()):
            yield replace(edge, cycles=0)

    def view(self, design: str) -> WireView:
        return wire_view(design, self)

    def documents(self) -> list[dict[str, Any]]:
        return self.chain.documents()

    def walks(self) -> Iterator[Walk]:
        return self.chain.walks()
