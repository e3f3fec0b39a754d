"""Cost of banks on a device: RAMs, addresses, and the routes of words to operands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hlsmem.banks.bank_lattice import LatticeBanks
from hlsmem.banks.bank_layout import Banks, TableBanks
from hlsmem.banks.cycle_accesses import CycleAccesses
from hlsmem.banks.cyclic import BlockCyclicBanks
from hlsmem.devices import family_of
from hlsmem.devices.inference import Implementation, address_bits, implement
from hlsmem.devices.primitives import Cost, Style

if TYPE_CHECKING:
    from hlsmem.banks.bank_search import BankOption


def bank_cost(
    device: str, style: Style, bits: int, option: BankOption, reads: Sequence[CycleAccesses]
) -> tuple[list[Implementation], Cost]:
    """The RAMs of all streams, and what they take with addresses, choices and a table.

    A stream that reads several elements at once has all words in banks, others have one RAM.
    """
    storage = option.storage
    banks, words = storage.banks.banks, storage.words_per_bank
    rams: list[Implementation] = []
    total = Cost()
    for accesses in reads:
        if accesses.most == 1:
            rams.append(implement(device, storage.words, bits, style=style))
            continue
        rams += [implement(device, words, bits, style=style)] * banks
        if turns(storage.banks):
            total += turned_cost(device, banks, bits, words)
        else:
            total += chosen_cost(device, accesses.most, banks, bits, words)
        if isinstance(storage.banks, TableBanks):
            width = address_bits(banks) + address_bits(words)
            entries = len(storage.banks.table)
            rams += [implement(device, entries, width, collision=False)] * accesses.most
    for ram in rams:
        total += ram.cost
    return rams, total


def turns(banks: Banks) -> bool:
    """True if the banks of operands at constant distances advance together, modulo their number."""
    if isinstance(banks, LatticeBanks):
        pivots = (row[k] for row, k in zip(banks.basis, banks.order, strict=True))
        return sum(pivot > 1 for pivot in pivots) <= 1
    return isinstance(banks, BlockCyclicBanks)


def turned_cost(
    device: str, banks: int, bits: int, words: int, *, registered: bool = False
) -> Cost:
    """Words turned in registers; the address of a bank is a step from one offset, in a register.

    The step is chosen by the bank of one operand, and half as wide as an address. `registered`:
    the register behind the RAM is its own.
    """
    address = address_bits(words)
    fours = (banks + 3) // 4
    return Cost(
        luts=family_of(device).turning.luts(banks, bits) + 3 * address * banks // 2,
        flip_flops=(fours + (not registered)) * banks * bits + banks * address,
    )


def chosen_cost(device: str, operands: int, banks: int, bits: int, words: int) -> Cost:
    """An address for each operand, chosen by the banks, and words chosen by the operands."""
    address, choosing = address_bits(words), family_of(device).choosing
    luts = operands * (2 * address + choosing.luts(banks, bits))
    luts += banks * choosing.luts(operands, address)
    return Cost(luts=luts, flip_flops=operands * address)
