"""Values of inputs that no access shows: with them every instance runs that ran, and no other."""

import numpy as np
import pytest

from hlsmem.polyhedra import Set
from hlsmem.polyhedra.sweep import contains
from hlsmem.verification.fitting import Decided, Part, fitted
from hlsmem.verification.outcomes import Choices

COUNT = 40
# A chain of branches: a > 200; else b > 100; else a > b; else.
CHAIN = (
    "a > 200",
    "a <= 200 and b > 100",
    "a <= 200 and b <= 100 and a > b",
    "a <= 200 and b <= 100 and a <= b",
)
CHOICES = {
    "a": Choices(low=0, high=255, runs=(201, 255), stays=(100, 101, 200)),
    "b": Choices(low=0, high=255, runs=(101, 255), stays=(0, 100)),
}


def decided(condition: str, ran: np.ndarray, number: int) -> Decided:
    return Decided(
        Set(f"{{ [i, a, b] : 0 <= i < {COUNT} and {condition} }}"),
        np.arange(COUNT)[:, None],
        ran,
        (Part("a", number), Part("b", number)),
    )


@pytest.mark.parametrize("seed", range(5))
def test_a_chain_of_branches_takes_the_branch_that_it_took(seed: int) -> None:
    draw = np.random.default_rng(seed)
    inputs = np.stack(
        [np.arange(COUNT), draw.integers(0, 256, COUNT), draw.integers(0, 256, COUNT)], axis=1
    )
    ran = [contains(Set(f"{{ [i, a, b] : {one} }}"), inputs) for one in CHAIN]
    assert np.array_equal(sum(one.astype(int) for one in ran), np.ones(COUNT))
    tests = [decided(one, did, k) for k, (one, did) in enumerate(zip(CHAIN, ran, strict=True))]
    elements = {name: [np.arange(COUNT)[:, None]] * len(CHAIN) for name in CHOICES}
    first = {name: np.zeros(COUNT * len(CHAIN), dtype=np.int64) for name in CHOICES}
    found = fitted(tests, elements, first, CHOICES)
    each = {name: found[name].reshape(len(CHAIN), COUNT) for name in CHOICES}
    for name, values in each.items():
        assert (values == values[0]).all(), f"an element of {name} has one value"
    columns = np.stack([np.arange(COUNT), each["a"][0], each["b"][0]], axis=1)
    for one, did in zip(CHAIN, ran, strict=True):
        assert np.array_equal(contains(Set(f"{{ [i, a, b] : {one} }}"), columns), did)


def test_what_nothing_fits_stays_as_it_is() -> None:
    ran = np.ones(COUNT, dtype=bool)
    tests = [decided("a > 200", ran, 0), decided("a < 100", ran, 1)]
    elements = {name: [np.arange(COUNT)[:, None]] * 2 for name in CHOICES}
    first = {name: np.full(2 * COUNT, 7, dtype=np.int64) for name in CHOICES}
    assert all((one == 7).all() for one in fitted(tests, elements, first, CHOICES).values())
