"""Places in banks: each element its own, and no cycle over its ports, by enumeration."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.banks.bank_lattice import LatticeBanks
from hlsmem.banks.bank_layout import BankedStorage, box_sides, boxed
from hlsmem.banks.bank_search import BankRequest, find_banks
from hlsmem.banks.colouring import together
from hlsmem.banks.pattern import Pattern
from tests.families import by_default


def elements(lower: tuple[int, ...], upper: tuple[int, ...]) -> np.ndarray:
    ranges = [range(low, high + 1) for low, high in zip(lower, upper, strict=True)]
    return np.array(list(product(*ranges)), dtype=np.int64)


def collisions(storage: BankedStorage, points: np.ndarray) -> int:
    """Elements that do not have a place of their own."""
    places = set(zip(storage.bank(points).tolist(), storage.offset(points).tolist(), strict=True))
    return len(points) - len(places)


def assert_serves(storage: BankedStorage, request: BankRequest) -> None:
    points = elements(request.lower, request.upper)
    banks, offsets = storage.bank(points), storage.offset(points)
    assert banks.min() >= 0
    assert banks.max() < storage.banks.banks
    assert offsets.min() >= 0
    assert offsets.max() < storage.words_per_bank
    assert collisions(storage, points) == 0
    for cycle in together(request.patterns, request.lower, request.upper):
        assert np.bincount(storage.bank(cycle)).max() <= request.ports


def patterns(dimensions: int) -> st.SearchStrategy[Pattern]:
    offset = st.tuples(*[st.integers(-2, 2)] * dimensions)
    offsets = st.lists(offset, min_size=1, max_size=6, unique=True)
    everywhere = offsets.map(Pattern.everywhere)
    steps = st.lists(
        st.tuples(*[st.integers(0, 4)] * dimensions).filter(any), min_size=1, max_size=2
    )
    strided = st.builds(Pattern.at, offsets, st.tuples(*[st.integers(-3, 3)] * dimensions), steps)
    return st.one_of(everywhere, strided)


@st.composite
def requests(draw: st.DrawFn) -> BankRequest:
    dimensions = draw(st.integers(1, 3))
    lower = draw(st.tuples(*[st.integers(-3, 3)] * dimensions))
    sizes = draw(st.tuples(*[st.integers(1, (20, 9, 5)[dimensions - 1])] * dimensions))
    return BankRequest(
        array="a",
        patterns=tuple(draw(st.lists(patterns(dimensions), min_size=1, max_size=2))),
        lower=lower,
        upper=tuple(low + size - 1 for low, size in zip(lower, sizes, strict=True)),
        ports=draw(st.integers(1, 2)),
    )


@given(requests())
@settings(max_examples=by_default(37, 150), deadline=None)
def test_every_answer_serves_any_pattern_on_any_domain(request: BankRequest) -> None:
    found = find_banks(request)
    assert found.bound.banks <= min(o.storage.banks.banks for o in found.options)
    for option in found.options:
        assert_serves(option.storage, request)


def test_padding_only_the_last_dimension_would_put_two_elements_in_one_place() -> None:
    """a = (1,2), N = 4: cut the last dimension by 4 and (0,0) meets (0,2); the sides do not."""
    points = elements((0, 0), (7, 7))
    banks = LatticeBanks.linear((1, 2), 4)
    wrong = points[:, 0] * 2 + points[:, 1] // 4
    pair = np.array([(0, 0), (0, 2)])
    assert len(set(banks.bank(pair).tolist())) == 1
    assert len(set(zip(banks.bank(points).tolist(), wrong.tolist(), strict=True))) < len(points)
    assert box_sides((1, 2), 4, (1, 0)) == (2, 2)
    storage = boxed(banks, (0, 0), (7, 7))
    assert collisions(storage, points) == 0
    assert len(set(storage.offset(pair).tolist())) == 2


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_basis_in_any_order_of_dimensions_is_of_the_same_banks(order: tuple[int, int]) -> None:
    points = elements((-4, -4), (7, 7))
    first = LatticeBanks.linear((2, 3), 6)
    other = LatticeBanks.linear((2, 3), 6, order)
    assert first.banks == other.banks == 6
    together = set(zip(first.bank(points).tolist(), other.bank(points).tolist(), strict=True))
    assert len(together) == 6
    remainders, quotients = other.split(points)
    assert (remainders + quotients @ np.array(other.basis) == points).all()
    assert (remainders >= 0).all()
    assert (remainders < np.array(other.pivots)).all()


def test_five_banks_have_the_addresses_that_everybody_writes_by_hand() -> None:
    """bank (x + 2y) mod 5, offset 13 y + floor(x / 5) in 64 x 64, up to the banks' numbers."""
    storage = boxed(LatticeBanks.linear((2, 1), 5), (0, 0), (63, 63))
    points = elements((0, 0), (63, 63))
    y, x = points.T
    assert (storage.offset(points) == 13 * y + x // 5).all()
    pairs = set(zip(storage.bank(points).tolist(), ((x + 2 * y) % 5).tolist(), strict=True))
    assert len(pairs) == 5
    assert storage.words == 5 * 13 * 64
