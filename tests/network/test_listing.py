"""Channels, classes and capacities of kernels, beside a run that remembers who wrote last.

The oracle knows no dataflow: it walks through all instances in the order of their times, keeps
the last write of every element, and counts by the definitions, value by value.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from hlsmem.network.channels import channels_of
from hlsmem.network.listed_channels import capacities_of, listed_lag
from hlsmem.polyhedra import Map, Set
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.polyhedra.sweep import contains, evaluate
from hlsmem.program.model import Program
from hlsmem.studies.networks.channel_classes import facts_of
from hlsmem.timing.planned_program import arranged
from tests.emit.c.plans import read_design

Time = tuple[int, ...]
Uses = list[tuple[Time, Time]]  # of each read, in their order: its time, that of the write

IN_PLACE = """
void f(int a[7][6], const int in[6])
{
    int last[6];
#pragma scop
    for (int t = 0; t < 7; t++)
        for (int i = 1; i < 5; i++)
S:          a[t][i] = (t > 0 ? 1 : 2) + in[i];
    for (int i = 0; i < 6; i++)
P:      last[i] = in[5 - i];
    for (int t = 0; t < 4; t++)
        for (int i = 1; i < 5; i++) {
Q:          last[i] = last[i - 1] + last[i] + last[i + 1] + a[2 * t][5 - i];
R:          a[t][i] = last[i] + a[t][1] + a[t + 1][i];
        }
#pragma endscop
}
"""
TRIANGLE = """
void f(const int in[9], int out[9])
{
    int t[9][9], sum, most;
#pragma scop
    most = 0;
    for (int i = 0; i < 9; i++)
        for (int j = 0; j <= i; j++)
T:          t[i][j] = in[j];
    for (int j = 0; j < 9; j++) {
Z:      sum = 0;
        for (int i = j; i < 9; i++) {
C:          sum = sum + t[i][j] * t[i][i];
M:          most = most + sum;
        }
O:      out[j] = sum + most;
    }
#pragma endscop
}
"""


def uses_of(program: Program) -> dict[tuple[str, str, str, int], Uses]:
    """By writer, array, reader and operand what a run sees."""
    events = list[tuple[Time, Any, tuple[int, ...]]]()
    for one in program.statements:
        domain = fix_parameters(one.domain, program.values)
        points = distinct_points(domain)
        times = evaluate(fix_parameters(one.schedule, program.values), points)
        events += [
            (tuple(time), one, tuple(point))
            for time, point in zip(times.tolist(), points.tolist(), strict=True)
        ]
    events.sort(key=lambda event: event[0])
    last = dict[tuple[str, Time], tuple[str, Time]]()
    found: dict[tuple[str, str, str, int], Uses] = defaultdict(list)

    def element(access: Any, point: tuple[int, ...]) -> Time | None:
        import numpy as np

        rows = np.array([point], dtype=np.int64).reshape(1, len(point))
        relation = fix_parameters(access.relation, program.values)
        if not contains(relation.domain(), rows)[0]:
            return None
        return tuple(evaluate(relation, rows)[0].tolist())

    for time, one, point in events:
        for operand, access in enumerate(one.reads):
            seen = last.get((access.array, element(access, point) or ()))
            if element(access, point) is not None and seen is not None:
                found[seen[0], access.array, one.name, operand].append((time, seen[1]))
        for access in one.writes:
            last[access.array, element(access, point) or ()] = (one.name, time)
    return dict(found)


def most_alive(uses: Uses, entries: int) -> int:
    """Values between their write and their last read, at each time that anything happens."""
    ends = dict[Time, Time]()
    for read, written in uses:
        ends[written] = max(read, ends.get(written, read))
    lives = [(written[:entries], read[:entries]) for written, read in ends.items()]
    times = {time for life in lives for time in life}
    return max(sum(low <= time < high for low, high in lives) for time in times)


def order_of(uses: Uses) -> str:
    written = [one for _, one in uses]
    kind = "fifo" if written == sorted(written) else "reorder"
    return kind if len(set(written)) == len(written) else f"{kind}-mult"


@pytest.mark.parametrize("kernel", [IN_PLACE, TRIANGLE], ids=["in place", "triangle"])
def test_channels_are_those_of_a_run(kernel: str, tmp_path: Path) -> None:
    given = read_design(tmp_path, kernel).input
    assert isinstance(given, Program)
    program = arranged(given)
    expected = uses_of(program)
    channels = channels_of(program)
    names = [(one.source.name, one.array, one.sink.name, one.operand) for one in channels]
    assert sorted(names) == sorted(expected)
    assert len(names) >= 6
    orders = set()
    for name, channel in zip(names, channels, strict=True):
        uses = expected[name]
        facts, capacities = facts_of(program, channel), capacities_of(program, channel)
        assert capacities is not None
        assert (facts.reads, facts.tokens) == (len(uses), len({one for _, one in uses})), name
        assert facts.order == order_of(uses), name
        assert capacities.text == most_alive(uses, program.time_dimensions), name
        assert capacities.cycle == most_alive(uses, program.step_dimensions), name
        orders.add(facts.order)
    assert len(orders) >= 3


@pytest.mark.parametrize(("far", "lag"), [(1 << 19, 1), (1 << 21, None)])
def test_times_that_64_bits_do_not_tell_apart_are_not_listed(far: int, lag: int | None) -> None:
    times = f"[a, b, c] : a mod {far} = 0 and b = a and c = a and 0 <= a <= {far}"
    uses = Map(f"{{ [a, b, c] -> [0, 0, 0] : a = {far} and b = a and c = a }}")
    assert listed_lag(uses, Set(f"{{ {times} }}")) == lag
