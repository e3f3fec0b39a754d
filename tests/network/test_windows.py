"""Windows: numbers of writes, and random orders of reading planned, run and played."""

from __future__ import annotations

import json
import random
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from hlsmem.check.replayed.replay_check import check_replay
from hlsmem.core.verdict import Status
from hlsmem.network.firing import Net, Part, least_capacity, run
from hlsmem.plan import to_json
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.storage.window.kind import Numbering, affine_numbers
from tests.check.subjects import proof
from tests.steps import load

SETTINGS = ("plan.channels=dedicated", "plan.capacity=selftimed")

DESIGN = """
hlsmem: 1
name: reordered
params: {{N: {rows}, M: {columns}}}
context: "[N, M] -> {{ : N = {rows} and M = {columns} }}"
arrays:
  inp: {{type: int16, extents: [N, M], storage: external}}
  a: {{type: int16, extents: [N, M]}}
  o: {{type: int16, extents: [N, M], storage: external}}
network:
  first:
    statements:
      W:
        domain: "[N, M] -> {{ W[y,x] : 0 <= y < N and 0 <= x < M }}"
        schedule: "[N, M] -> {{ W[y,x] -> [0,{written},0] }}"
        reads: ["[N, M] -> {{ W[y,x] -> inp[y,x] }}"]
        writes: ["[N, M] -> {{ W[y,x] -> a[y,x] }}"]
        body: "a = a0 + 1"
  second:
    statements:
      R:
        domain: "[N, M] -> {{ R[y,x] : 0 <= y < N and 0 <= x < M }}"
        schedule: "[N, M] -> {{ R[y,x] -> [1,{read}] }}"
        reads: ["[N, M] -> {{ R[y,x] -> a[y,x] }}"]
        writes: ["[N, M] -> {{ R[y,x] -> o[y,x] }}"]
        body: "o = a0 + 2"
live_in: ["[N, M] -> {{ inp[y,x] : 0 <= y < N and 0 <= x < M }}"]
live_out: ["[N, M] -> {{ o[y,x] : 0 <= y < N and 0 <= x < M }}"]
"""
WRITTEN = ("y,x", "x,y", "y,-x", "-y,x")
READ = ("x,y,0", "y,x,0", "-x,y,0", "y,-x,0", "floor(x/2),y,x", "floor(y/3),x,y")


def least_window(written: list[tuple[int, ...]], read: list[tuple[int, ...]]) -> int:
    """Of all windows the least with which a writer and a reader come to their end, tried."""
    numbers = {element: number for number, element in enumerate(written)}
    order = [numbers[element] for element in read]
    for words in range(1, len(written) + 1):
        pushed = popped = 0
        gone = set[int]()
        while popped < len(order):
            oldest = next(k for k in range(len(written) + 1) if k not in gone)
            if pushed < len(written) and pushed - oldest < words:
                pushed += 1
            elif order[popped] < pushed:
                gone.add(order[popped])
                popped += 1
            else:
                break
        else:
            return words
    raise AssertionError


def times(order: str, rows: int, columns: int) -> list[tuple[int, ...]]:
    """The elements in the order of a schedule's text."""
    code = compile(f"({order.replace('floor', 'int')},)", "", "eval")
    points = product(range(rows), range(columns))
    return sorted(points, key=lambda one: tuple(eval(code, {"y": one[0], "x": one[1], "int": int})))


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", range(40))
def test_random_orders_of_reading(tmp_path: Path, seed: int) -> None:
    """No fewer words than any window needs, right in every check that plays values."""
    rng = random.Random(seed)
    rows, columns = rng.randint(3, 7), rng.randint(3, 7)
    written, read = rng.choice(WRITTEN), rng.choice(READ)
    text = DESIGN.format(rows=rows, columns=columns, written=written, read=read)
    (tmp_path / "design.yaml").write_text(text, encoding="utf-8")
    planning = plan_hardware(load(tmp_path / "design.yaml", settings=SETTINGS))
    (memory,) = planning.plan.memories.values()
    least = least_window(times(written, rows, columns), times(read, rows, columns))
    if memory.kind == "window":
        assert least <= memory.words < rows * columns
    else:
        assert memory.kind != "ram" or memory.words <= rows * columns
    document = json.loads(to_json(planning.plan))
    assert planning.program is not None
    replayed = check_replay(planning.design, planning.program, planning.plan, document)
    for verdicts in (replayed, proof(document).values()):
        assert {one.status for one in verdicts} == {Status.PASS}


@pytest.mark.parametrize("seed", range(12))
def test_the_least_window_is_that_of_all_tried(seed: int) -> None:
    """Of random permutations; and the run with it ends, with one cell less it does not."""
    rng = random.Random(seed)
    size = rng.randint(2, 9)
    order = rng.sample(range(size), size)
    freed = tuple(order.index(token) for token in range(size))
    part = Part(
        source=0,
        sink=1,
        pushed_at=tuple(range(size)),
        read_at=tuple(range(size)),
        token=tuple(order),
        freed_at=freed,
        by_number=True,
    )
    net = Net(steps=(size, size), parts=(part,))
    found = least_capacity(net, [None], 0).windows[0]
    elements = [(token,) for token in range(size)]
    assert found == least_window(elements, [(token,) for token in order])
    assert run(net, [found]).deadlock is None
    if found > 1:
        assert run(net, [found - 1]).deadlock is not None


def test_numbers_of_writes() -> None:
    boxes = np.array([*product(range(3), range(2, 6))])
    assert affine_numbers(boxes) == Numbering((4, 1), -2)
    assert affine_numbers(boxes[::-1]) == Numbering((-4, -1), 13)
    assert affine_numbers(boxes[:, ::-1]) == Numbering((1, 4), -2)
    triangle = np.array([(i, j) for i in range(5) for j in range(i + 1)])
    assert affine_numbers(triangle) is None
    assert affine_numbers(boxes[::2]) is None  # halves
