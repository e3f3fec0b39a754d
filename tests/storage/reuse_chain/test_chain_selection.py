"""Chains that isl finds are those found by listing all beats."""

from __future__ import annotations

import random
import re
from functools import cache

import pytest

from hlsmem.core.errors import InputError
from hlsmem.program.model import Array, Order, Program
from hlsmem.storage.reuse_chain import chain_selection as find
from hlsmem.storage.reuse_chain.chain_selection import NoChain, Reuse, Unranked, find_chain
from hlsmem.storage.reuse_chain.circuit import chain_reuse
from hlsmem.storage.reuse_chain.listed_taps import listed_chain
from tests.dependences.test_random import random_program
from tests.families import by_default
from tests.programs import make_program
from tests.storage.reuse_chain.test_reuse import example

WRITTEN = (
    "0 <= y < N and 0 <= x < N + 1",
    "0 <= y < N and y <= x < y + N",
    "0 <= y < N and 0 <= x < 2N and x mod 2 = 0",
    "0 <= y < 2N and y mod 2 = 1 and 0 <= x < N",
    "0 <= x <= y < N",
    "0 <= y,x < N and (y + x) mod 2 = 0",
    "0 <= y < N and 0 <= x < 4",
)
GUARDS = ("", "x >= 2", "y >= 1", "x mod 2 = 1", "y mod 2 = 0 and x mod 2 = 0", "x < N - 1")
ORDERS = ("[y, x, {}]", "[y, x + 1, {}]", "[y + 1, x, {}]", "[x, y, {}]", "[2y, x, {}]")


def random_reader(chance: random.Random) -> Program:
    """One statement writes, one to three read behind it: strides, guards, both orders."""
    written = chance.choice(WRITTEN)
    order = chance.choice(ORDERS[-2:]) if chance.random() < 0.3 else ORDERS[0]
    domains = [f"[N] -> {{ P[y,x] : {written} }}"]
    schedules = [f"[N] -> {{ P[y,x] -> {order.format(0)} }}"]
    reads = []
    for slot, name in enumerate("CDE"[: chance.choice([1, 1, 2, 3])], start=1):
        guard = chance.choice(GUARDS)
        domains.append(f"[N] -> {{ {name}[y,x] : {written}{' and ' * bool(guard)}{guard} }}")
        late = chance.choice(ORDERS[:3]) if order == ORDERS[0] else order
        schedules.append(f"[N] -> {{ {name}[y,x] -> {late.format(slot)} }}")
        for _ in range(chance.choice([1, 2, 3])):
            dy, dx = chance.choice([0, 0, 1, 2]), chance.choice([0, 0, 1, 2])
            reads.append(f"[N] -> {{ {name}[y,x] -> A[y - {dy}, x - {dx}] }}")
    return make_program(
        values={"N": chance.choice([4, 5, 6])},
        context="[N] -> { : N >= 4 }",
        domains=domains,
        schedules=schedules,
        reads=reads,
        writes=["[N] -> { P[y,x] -> A[y,x] }"],
        drop_unprovided_reads=True,
        order=chance.choice([Order.ITERATION, Order.SEQUENTIAL]),
        step_dimensions=2,
    )


def assert_same(program: Program, array: Array) -> str:
    """Both find the same chain, or none; what was found."""
    try:
        asked = find_chain(program, array)
        if isinstance(asked, Unranked):
            return "unranked"
        if isinstance(asked, NoChain) and not re.search("^the read|read beats", asked.reason):
            return "refused"
        listed = listed_chain(program, array)
    except InputError:
        return "error"
    if isinstance(asked, NoChain):
        assert listed == asked
        return "none"
    assert isinstance(listed, Reuse)
    for one, other in zip(asked.readers, listed.readers, strict=True):
        assert one.distances == other.distances
        assert (one.emitted.rows() == other.emitted.rows()).all()
        for part, expected in zip(one.taken, other.taken, strict=True):
            assert (part is None) == (expected is None)
            if part is not None and expected is not None:
                assert (part.rows() == expected.rows()).all()
    return "chain"


@cache
def found(kind: str, seed: int) -> str:
    make = {"readers": random_reader, "any": random_program}[kind]
    program = make(random.Random(seed))
    return assert_same(program, program.arrays["A"])


@pytest.mark.parametrize("kind", ["readers", "any"])
def test_random_programs_have_the_chains_that_are_listed(kind: str) -> None:
    kinds = [found(kind, seed) for seed in range(by_default(30, 60))]
    if kind == "readers":
        assert kinds.count("chain") >= 7
        assert kinds.count("none") >= 2


@pytest.mark.long
@pytest.mark.parametrize("seed", range(60, 300))
def test_more_random_programs(seed: int) -> None:
    found("readers", seed)


@pytest.mark.parametrize("order", ["sequential", "iteration"])
@pytest.mark.parametrize(
    "name", ["sobel", "blur", "half", "two_consumers", "echo", "window3", "window5", "matmul_relu"]
)
def test_examples_have_the_chains_that_are_listed(name: str, order: str) -> None:
    sizes = {"window3": {"W": 12, "H": 8}, "window5": {"W": 12, "H": 8}}.get(name, {})
    program = example(name, f"order={order}", **sizes)
    for array in program.planned_arrays():
        assert_same(program, array)


def test_a_window_of_any_size_has_its_distances() -> None:
    program = example("window3", W=3840, H=2160)
    reuse = find_chain(program, program.arrays["in"])
    assert isinstance(reuse, Reuse)
    (reader,) = reuse.readers
    assert reader.distances[::3] == (2 * 3840 + 2, 3840 + 2, 2)
    assert reader.emitted.first() == (1, 1)  # pixels arrive a row and a column ahead
    assert len(reader.emitted) == 2158 * 3838


def test_two_reads_between_two_writes_have_no_chain() -> None:
    program = make_program(
        values={"N": 12},
        domains=["[N] -> { W[i] : 0 <= i < N; R[i,k] : 3 <= i < N and 0 <= k < 2 }"],
        schedules=["{ W[i] -> [i, 0, 0]; R[i,k] -> [i, 1, k] }"],
        reads=["[N] -> { R[i,k] -> A[i] }", "[N] -> { R[i,k] -> A[i - 3] }"],
        writes=["[N] -> { W[i] -> A[i] }"],
    )
    assert find_chain(program, program.arrays["A"]) == NoChain(
        "R has 2 read beats between two writes"
    )


@pytest.mark.dear
def test_where_isl_works_too_long_beats_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    program = example("sobel", N=10)
    array = program.arrays["in"]
    expected = find_chain(program, array)
    assert isinstance(expected, Reuse)
    monkeypatch.setattr(find, "FEW_PIECES", 0)
    within = find_chain(program, array)
    assert isinstance(within, Reuse)
    assert within.chain(8) == expected.chain(8)
    monkeypatch.setattr(find, "MOST_OPERATIONS", 1000)
    assert isinstance(find_chain(program, array), Unranked)
    listed = chain_reuse(program, array)
    assert isinstance(listed, Reuse)
    assert listed.chain(8) == expected.chain(8)
