"""Banks as plan.json has them."""

from __future__ import annotations

from hlsmem.banks.bank_lattice import LatticeBanks
from hlsmem.banks.bank_layout import BankedStorage, Boxes
from hlsmem.banks.cyclic import BlockCyclicBanks
from hlsmem.plan import BankBoxes, BankPlace


def bank_place(storage: BankedStorage) -> BankPlace | None:
    """Banks as plan.json has them; None for a table, and for blocks along a vector without a 1.

    Where a vector a has a 1 in dimension k, the remainder by the lattice { x : a.x = 0 } whose
    last pivot is in k is a.x modulo its index itself.
    """
    boxes, folded = None, None
    if isinstance(storage.offsets, Boxes):
        own = storage.offsets
        boxes = BankBoxes(own.lower, own.sides, own.counts)
    else:
        folded = storage.offsets.storage
    banks, block = storage.banks, 1
    if isinstance(banks, BlockCyclicBanks):
        if 1 not in banks.vector:
            return None
        size, last = len(banks.vector), banks.vector.index(1)
        order = (*(k for k in range(size) if k != last), last)
        block = banks.block
        banks = LatticeBanks.linear(banks.vector, banks.banks * block, order)
    if not isinstance(banks, LatticeBanks):
        return None
    return BankPlace(basis=banks.basis, block=block, storage=folded, boxes=boxes)
