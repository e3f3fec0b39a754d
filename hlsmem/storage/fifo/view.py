"""View of a FIFO for the template: its two streams, its words, and its output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.dependences.circuit_streams import PlainStream
from hlsmem.storage.reuse_chain.view import ChainStream
from hlsmem.verilog.generator_view import AddressGeneratorView
from hlsmem.verilog.verilog_ports import PortGroup, padded_bits, stream_document, unaddressed
from hlsmem.verilog.verilog_text import concatenation, ram_style

if TYPE_CHECKING:
    from hlsmem.storage.fifo.circuit import FifoCircuit


@dataclass(frozen=True, slots=True, kw_only=True)
class FifoView:
    """`words` are those of its RAM; `unused` are inputs that it has no use for."""

    kind: ClassVar[str] = "fifo"

    module: str
    array: str
    bits: int
    words: int
    beats: int
    writer: ChainStream
    reader: ChainStream
    output_register: int
    style: str
    unused: str

    @property
    def streams(self) -> tuple[ChainStream, ...]:
        return (self.writer, self.reader)

    @property
    def generators(self) -> tuple[AddressGeneratorView, ...]:
        """None: the pointers of a FIFO are all that walks."""
        return ()


def fifo_view(design: str, fifo: FifoCircuit) -> FifoView:
    """The view of a FIFO's buffer module."""
    bits, padding = fifo.bits, padded_bits(fifo.bits) - fifo.bits
    lane = f"{{{padding}'d0, word}}" if padding else "word"
    unused = f"{fifo.writer.name}_tlast"
    if padding:
        unused += f", {fifo.writer.name}_tdata[{bits + padding - 1}:{bits}]"
    return FifoView(
        module=f"{design}_{fifo.array}_buffer",
        array=fifo.array,
        bits=bits,
        words=fifo.ram_words,
        beats=fifo.beats,
        writer=ChainStream(
            name=fifo.writer.name,
            comment=f"{fifo.writer.statement} writes {fifo.array}",
            is_write=True,
            ports=fifo_ports(fifo, fifo.writer),
        ),
        reader=ChainStream(
            name=fifo.reader.name,
            comment=f"{fifo.reader.statement} reads {fifo.array}",
            is_write=False,
            ports=fifo_ports(fifo, fifo.reader),
            data=concatenation([lane] * len(fifo.reader.operands)),
        ),
        output_register=int(fifo.output_register),
        style=ram_style(fifo.style),
        unused=unused,
    )


def fifo_ports(fifo: FifoCircuit, stream: PlainStream) -> PortGroup:
    """The ports of one of the two streams."""
    return PortGroup(
        name=stream.name,
        is_write=stream.is_write,
        data_bits=len(stream.operands) * padded_bits(fifo.bits),
        user_bits=0,
    )


def fifo_documents(fifo: FifoCircuit) -> list[dict[str, Any]]:
    """The two streams of a FIFO for a bench."""
    return [
        stream_document(
            fifo.array,
            stream.statement,
            fifo_ports(fifo, stream),
            beats=stream.beats,
            operands=() if stream.is_write else unaddressed(len(stream.operands)),
        )
        for stream in (fifo.writer, fifo.reader)
    ]
