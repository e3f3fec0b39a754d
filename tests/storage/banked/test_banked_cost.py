"""What banks take: RAMs, addresses, and the way from banks to operands."""

from __future__ import annotations

import pytest

from hlsmem.banks.bank_lattice import LatticeBanks
from hlsmem.banks.bank_search import BankRequest, find_banks
from hlsmem.banks.cycle_accesses import CycleAccesses
from hlsmem.banks.cyclic import BlockCyclicBanks
from hlsmem.banks.pattern import Pattern
from hlsmem.devices import family_of
from hlsmem.devices.primitives import Style
from hlsmem.storage.banked.banked_cost import bank_cost, chosen_cost, turned_cost, turns

CROSS = ((0, 0), (0, 1), (0, -1), (1, 0), (-1, 0))


def test_linear_and_block_cyclic_banks_turn_others_do_not() -> None:
    assert turns(LatticeBanks.linear((1, 2), 5))
    assert turns(LatticeBanks.of([(1, 0), (0, 4)]))
    assert turns(BlockCyclicBanks(vector=(1, 2), banks=4, block=2))
    assert not turns(LatticeBanks.of([(3, 0), (0, 3)]))


@pytest.mark.parametrize("family", ["ecp5", "ice40"])  # with LUTs of four inputs
def test_turning_words_in_registers_takes_less_than_choosing_them(family: str) -> None:
    for banks in (3, 4, 5, 8, 9):
        turned = turned_cost(family, banks, 32, 512)
        chosen = chosen_cost(family, banks, banks, 32, 512)
        assert turned.luts < chosen.luts
        assert turned_cost(family, banks, 32, 512, registered=True).flip_flops == (
            turned.flip_flops - banks * 32
        )


def test_banks_of_a_stencil_are_rams_a_turn_and_an_address_each() -> None:
    asked = BankRequest(
        array="in", patterns=(Pattern.everywhere(CROSS),), lower=(0, 0), upper=(63, 63)
    )
    option = next(o for o in find_banks(asked).options if o.storage.banks.banks == 5)
    reads = [
        CycleAccesses(array="in", writes=False, statements=("S",), patterns=asked.patterns),
        CycleAccesses(
            array="in", writes=False, statements=("T",), patterns=(Pattern.everywhere([(0, 0)]),)
        ),
    ]
    rams, cost = bank_cost("ecp5", Style.BLOCK, 32, option, reads)
    words = option.storage.words_per_bank
    assert [ram.count for ram in rams[:5]] == [2] * 5  # 36 bits out of two of 18
    assert len(rams) == 6  # and one of all words for who reads one element
    turned = turned_cost("ecp5", 5, 32, words)
    assert turned.luts == family_of("ecp5").turning.luts(5, 32) + 3 * 10 * 5 // 2
    assert cost.blocks == sum(ram.cost.blocks for ram in rams)
    assert cost.luts == turned.luts + sum(ram.cost.luts for ram in rams)
