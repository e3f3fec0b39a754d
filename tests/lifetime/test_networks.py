"""Networks of several processes and writers, with strides and guards, against runs by hand.

The runs are written down a second time in Python: instances with times, reads and writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.lifetime.storage_problems import storage_problems
from hlsmem.polyhedra.sets import fix_parameters, points
from tests.fuzz.language import Instance, Time
from tests.fuzz.meaning import flow, lives
from tests.steps import load

Row = tuple[Time, tuple[tuple[str, tuple[int, ...]], ...], tuple[str, tuple[int, ...]]]

PYRAMID = """\
hlsmem: 1
name: pyramid
params: {N: 12}
context: "[N] -> { : N >= 6 and N mod 2 = 0 }"
arrays: {a: {extents: [N]}, b: {extents: ["N/2"]}, o: {extents: [N], storage: external}}
network:
  even: {statements: {E: {
    domain: "[N] -> { E[i] : 0 <= i < N and i mod 2 = 0 }",
    schedule: "{ E[i] -> [i, 0] }", writes: ["{ E[i] -> a[i] }"]}}}
  odd: {statements: {O: {
    domain: "[N] -> { O[i] : 0 <= i < N and i mod 2 = 1 }",
    schedule: "{ O[i] -> [i, 0] }", reads: ["{ O[i] -> a[i - 1] }"], writes: ["{ O[i] -> a[i] }"]}}}
  down: {statements: {D: {
    domain: "[N] -> { D[i] : 0 <= 2i < N }",
    schedule: "{ D[i] -> [2i + 1, 1] }",
    reads: ["{ D[i] -> a[2i] }", "{ D[i] -> a[2i + 1] }"], writes: ["{ D[i] -> b[i] }"]}}}
  up: {statements: {U: {
    domain: "[N] -> { U[i] : 0 <= i < N }",
    schedule: "{ U[i] -> [i + 5, 2] }",
    reads: ["{ U[i] -> a[i - 1] : i >= 1 }", "[N] -> { U[i] -> b[j] : 2j <= i <= 2j + 1 }"],
    writes: ["{ U[i] -> o[i] }"]}}}
"""


def pyramid(n: int) -> Iterator[Row]:
    for i in range(0, n, 2):
        yield (i, 0), (), ("a", (i,))
    for i in range(1, n, 2):
        yield (i, 0), (("a", (i - 1,)),), ("a", (i,))
    for i in range(n // 2):
        yield (2 * i + 1, 1), (("a", (2 * i,)), ("a", (2 * i + 1,))), ("b", (i,))
    for i in range(n):
        guarded = (("a", (i - 1,)),) if i >= 1 else ()
        yield (i + 5, 2), (*guarded, ("b", (i // 2,))), ("o", (i,))


# A row of cells that two processes update in turn, each at its own stride; a third looks at it.
TURNS = """\
hlsmem: 1
name: turns
params: {N: 9}
context: "[N] -> { : N >= 4 }"
arrays: {s: {extents: [N, 2]}, o: {extents: [N, N], storage: external}}
network:
  first: {statements: {F: {
    domain: "[N] -> { F[t, x] : 0 <= t < N and 0 <= x <= t }",
    schedule: "{ F[t, x] -> [3t, x, 0] }", writes: ["{ F[t, x] -> s[x, 0] }"]}}}
  second: {statements: {G: {
    domain: "[N] -> { G[t, x] : 0 <= t < N and 0 <= x <= t and (t + x) mod 3 = 0 }",
    schedule: "{ G[t, x] -> [3t + 1, -x, 0] }",
    reads: ["{ G[t, x] -> s[x, 0] }"], writes: ["{ G[t, x] -> s[x, 0] }"]}}}
  copy: {statements: {C: {
    domain: "[N] -> { C[t, x] : 0 <= t < N and 0 <= x <= t and x mod 2 = 0 }",
    schedule: "{ C[t, x] -> [3t + 1, x, 1] }",
    reads: ["{ C[t, x] -> s[x, 0] }"], writes: ["{ C[t, x] -> s[x, 1] }"]}}}
  look: {statements: {L: {
    domain: "[N] -> { L[t, x] : 0 <= x <= t < N }",
    schedule: "{ L[t, x] -> [3t + 2, x, 0] }",
    reads: ["{ L[t, x] -> s[x, 0] : x < 3 }", "{ L[t, x] -> s[x, 1] : x mod 4 = 0 }"],
    writes: ["{ L[t, x] -> o[t, x] }"]}}}
"""


def turns(n: int) -> Iterator[Row]:
    for t in range(n):
        for x in range(t + 1):
            cell, copy = ("s", (x, 0)), ("s", (x, 1))
            yield (3 * t, x, 0), (), cell
            if (t + x) % 3 == 0:
                yield (3 * t + 1, -x, 0), (cell,), cell
            if x % 2 == 0:
                yield (3 * t + 1, x, 1), (cell,), copy
            near = (cell,) if x < 3 else ()
            yield (3 * t + 2, x, 0), (*near, *((copy,) if x % 4 == 0 else ())), ("o", (t, x))


@dataclass(frozen=True, slots=True)
class Network:
    text: str
    run: Callable[[int], Iterator[Row]]
    sizes: tuple[int, ...]


NETWORKS = {
    "pyramid": Network(PYRAMID, pyramid, (6, 12, 14)),
    "turns": Network(TURNS, turns, (9,)),
}
CASES = [(name, size) for name, network in NETWORKS.items() for size in network.sizes]


@pytest.mark.few("pyramid", "False-turns")
@pytest.mark.parametrize(("name", "size"), CASES)
@pytest.mark.parametrize("strict", [False, True])
def test_a_network_lives_as_its_run_by_hand(
    name: str, size: int, strict: bool, tmp_path: Path
) -> None:
    network = NETWORKS[name]
    rows = sorted(network.run(size))
    times = [time for time, _, _ in rows]
    instances = [Instance(0, (), time, reads, write) for time, reads, write in rows]
    by_hand = flow(instances, times, {}, {})
    assert not by_hand.unprovided
    assert not by_hand.clash
    (tmp_path / "design.yaml").write_text(network.text)
    program = load(tmp_path / "design.yaml", parameters={"N": size}).input
    for problem in storage_problems(program, strict=strict):
        wanted = lives(by_hand.values[problem.array.name], step=None, strict=strict)
        rank = len(problem.array.index)
        pairs = points(fix_parameters(problem.conflicts, {"N": size})).tolist()
        found = {(tuple(pair[:rank]), tuple(pair[rank:])) for pair in pairs}
        assert found == wanted.conflicts
        assert [bound.cells for bound in problem.bounds] == [wanted.max_live]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "O[i] -> [i, 0]",
            "O[i] -> [i - 1, 0]",
            "O at i=1 reads a[0] at [0, 0], but E at i=0 writes it at [0, 0], at the same time",
        ),
        (
            "U[i] -> [i + 5, 2]",
            "U[i] -> [i, 0]",
            "U at i=0 reads b[0] at [0, 0], but D at i=0 writes it at [1, 1], later",
        ),
        (
            "D[i] -> [2i + 1, 1]",
            "D[i] -> [2i, 1]",
            "D at i=0 reads a[1] at [0, 1], but O at i=1 writes it at [1, 0], later",
        ),
    ],
)
def test_a_read_that_comes_too_early_is_named_with_its_write_and_both_times(
    old: str, new: str, told: str, tmp_path: Path
) -> None:
    assert PYRAMID.count(old) == 1
    (tmp_path / "design.yaml").write_text(PYRAMID.replace(old, new))
    with pytest.raises(InputError) as caught:
        storage_problems(load(tmp_path / "design.yaml").input)
    assert any(told in problem.what for problem in caught.value.problems), str(caught.value)
