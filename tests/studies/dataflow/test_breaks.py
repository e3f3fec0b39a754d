"""Kernels in C whose loops data end: the sources of reads, in runs that are written out here."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from hlsmem.program.model import Program
from hlsmem.studies.dataflow.legality import check_conditions, check_loops
from hlsmem.studies.dataflow.reads import flows_of
from hlsmem.studies.dataflow.sources import Control
from tests.steps import load
from tests.studies.dataflow.judging import sources_at

N = 4
Instance = tuple[str, tuple[int, ...]]

INNER = """\
void k(const int in[4][4], const int top[4], int out[4], int sums[4])
{
    int t[4] = {0};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            if (j > i)
                break;
            if (in[i][j] < 0)
                break;
            if (in[i][j] > top[j])
                break;
W:          t[j] = in[i][j];
        }
M:      sums[i] = t[i];
    }
    for (int i = 0; i < 4; i++)
L:      out[i] = t[i];
}
"""

OUTER = """\
void k(const int in[4][4], const int top[4], int out[4], int sums[4])
{
    int t[4] = {0};
    for (int i = 0; i < 4; i++) {
        int stop = 0;
        for (int j = 0; j < 4; j++) {
            if (in[i][j] < 0) {
                stop = 1;
                break;
            }
            if (in[i][j] > top[j])
                break;
W:          t[j] = in[i][j];
        }
        if (stop)
            break;
M:      sums[i] = t[i];
    }
    for (int i = 0; i < 4; i++)
L:      out[i] = t[i];
}
"""


def runs(outer: bool, chance: random.Random) -> Iterator[tuple[Instance, Instance | None]]:
    """Every read of `t` in a run, with the instance of W that wrote what it reads, if one did."""
    kind = {k: chance.choice(["fine", "fine", "fine", "low", "high"]) for k in range(N * N)}
    last: dict[int, Instance] = {}
    for i in range(N):
        stop = False
        for j in range(N):
            stop = kind[N * i + j] == "low"
            if kind[N * i + j] != "fine" or (not outer and j > i):
                break
            last[j] = ("W", (i, j))
        if outer and stop:
            break
        yield ("M", (i,)), last.get(i)
    for i in range(N):
        yield ("L", (i,)), last.get(i)


@pytest.mark.parametrize("control", [Control.LEAST, Control.STRICT])
@pytest.mark.parametrize("outer", [False, True], ids=["inner", "outer"])
def test_sources_where_data_end_loops(tmp_path: Path, outer: bool, control: Control) -> None:
    file = tmp_path / "k.c"
    file.write_text(OUTER if outer else INNER)
    program = load(file, conditional=True).input
    assert isinstance(program, Program)
    check_loops(program)
    flows = flows_of(program, control=control, operations=4_000_000)
    check_conditions(program, flows)
    of_reads = {one.read.statement: one.flow for one in flows if one.read.filter is None}
    chance = random.Random(19)
    kinds = set()
    for _ in range(40):
        for (reader, point), writer in runs(outer, chance):
            flow = of_reads[reader]
            assert flow.exact
            values = {}
            for one in flow.parameters:
                assert one.statement == "W"
                if one.dimension is None:
                    values[one.name] = int(writer is not None)
                elif writer is not None:
                    values[one.name] = writer[1][one.dimension]
            found = sources_at(flow, point, values)
            kinds.add((reader, writer is None))
            (source,) = found
            assert source is not None
            if writer is not None:
                assert source == writer
            else:  # from the list that the array begins with
                assert source[0] != "W"
    assert len(kinds) == 4
