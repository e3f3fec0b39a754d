"""The kinds of storage: the unions of them, of their circuits and of what their templates print."""

from __future__ import annotations

from hlsmem.storage.banked.kind import Banked
from hlsmem.storage.fifo.circuit import FifoCircuit
from hlsmem.storage.fifo.kind import Fifo
from hlsmem.storage.fifo.view import FifoView
from hlsmem.storage.ram.circuit import MemoryCircuit
from hlsmem.storage.ram.kind import Ram
from hlsmem.storage.ram.view import BufferView
from hlsmem.storage.registers.kind import Registers
from hlsmem.storage.reuse_chain.circuit import ChainCircuit
from hlsmem.storage.reuse_chain.kind import Chain
from hlsmem.storage.reuse_chain.view import ChainView
from hlsmem.storage.window.kind import Window
from hlsmem.storage.wire.circuit import WireCircuit
from hlsmem.storage.wire.kind import Wire
from hlsmem.storage.wire.view import WireView

Allocation = Wire | Chain | Registers | Fifo | Banked | Ram | Window
Circuit = WireCircuit | ChainCircuit | FifoCircuit | MemoryCircuit
View = WireView | ChainView | FifoView | BufferView

# All kinds, those of the least logic first: of equal costs the first is taken.
KINDS: tuple[type[Allocation], ...] = (Wire, Chain, Registers, Fifo, Banked, Ram, Window)
# Those that are looked for: registers are what a chain, or a RAM, of one word is, a window what a
# RAM is where fewer cells do.
SEARCHED: tuple[type[Allocation], ...] = (Wire, Chain, Fifo, Banked, Ram)


def kind_named(name: str) -> type[Allocation]:
    """The kind of that name in a plan or a design."""
    return next(kind for kind in KINDS if kind.name == name)


def asked_for(reads: str) -> tuple[type[Allocation], ...]:
    """The kinds that `arrays.X.reads` asks for; all that are looked for where it is `auto`."""
    return tuple(kind for kind in SEARCHED if kind.reads == reads) or SEARCHED
