"""View of a wire for the template: its two streams, and when a beat brings another."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.storage.reuse_chain.view import ChainStream
from hlsmem.verilog.generator_view import AddressGeneratorView

if TYPE_CHECKING:
    from hlsmem.storage.wire.circuit import WireCircuit


@dataclass(frozen=True, slots=True, kw_only=True)
class WireView:
    """`element` is what a write beat brings, `unused` are signals that it has no use for."""

    kind: ClassVar[str] = "wire"

    module: str
    array: str
    bits: int
    writer: ChainStream
    reader: ChainStream
    generators: tuple[AddressGeneratorView, ...]
    conditions: tuple[str, ...]
    element: str
    unused: tuple[str, ...]

    @property
    def streams(self) -> tuple[ChainStream, ...]:
        return (self.writer, self.reader)


def wire_view(design: str, wire: WireCircuit) -> WireView:
    """The view of a wire's buffer module and of its address generator: of the chain that it stands
    for."""
    chain = wire.chain.view(design)
    (reader,), (run,) = chain.readers, chain.runs
    return WireView(
        module=chain.module,
        array=chain.array,
        bits=chain.bits,
        writer=chain.writer,
        reader=reader,
        generators=chain.generators,
        conditions=chain.conditions,
        element=run.source,
        unused=chain.unused,
    )
