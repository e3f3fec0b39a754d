"""Loops distributed at every level, and the blocks of figure 22 of the SICA paper."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from hlsmem.program.model import Program
from hlsmem.schedule_search.block_sizes import Wish, cut_loops
from hlsmem.schedule_search.caches import Machine
from hlsmem.schedule_search.distribution import apart, apart_at_every_level, distributed
from hlsmem.schedule_search.loop_blocks import nest_of
from hlsmem.schedule_search.loop_times import Times
from tests.emit.c.plans import program_of, read_design
from tests.host_loops.programs import kernel
from tests.schedule_search.test_distribution import listed, met

OPERATIONS = 12_000_000
FIGURE_21 = Path(__file__).parents[1] / "seeds" / "004e-figure-21.c"
PAPER = Machine(l1_kib=32, l2_kib=256, simd_bits=128, rho=Fraction(9, 10))


def correlation(folder: Path, sizes: str = "M: 9000, N: 60") -> Program:
    """Figure 21 of the paper, for all sizes."""
    settings = f'params: {{{sizes}}}\ncontext: "[M, N] -> {{ : M >= 2 and N >= 1 }}"'
    return program_of(read_design(folder, FIGURE_21.read_text(encoding="utf-8"), settings))


@pytest.mark.few(1)
@pytest.mark.parametrize("tile", ["sica", "sica-min", "sica-max"])
def test_the_blocks_of_figure_22(tmp_path: Path, tile: str) -> None:
    """Four blocks in two nests of the source; the paper prints 7368 for 7372."""
    program = correlation(tmp_path)
    order = apart(program, OPERATIONS)
    wish = Wish(tile=tile, jams=True, machine=PAPER, sizes=[dict(program.values)])
    found = cut_loops(program, order, wish, OPERATIONS)
    assert found is not None
    sizes = {"S0": 2456, "S1": 2456, "S3": 7372, "S4": 3684, "S5": 3684}
    one = {"sica-min": 2456, "sica-max": 7372}
    cuts = {name: (own.vector, own.outer, own.jam) for name, own in found.cuts.items()}
    assert cuts == {name: (one.get(tile, size), 8, 1) for name, size in sizes.items()}


@pytest.mark.dear
def test_without_loops_apart_three_blocks_share_a_nest(tmp_path: Path) -> None:
    """What distribution at the innermost level leaves: the outermost loop is not to be cut."""
    program = correlation(tmp_path)
    wish = Wish(tile="sica", jams=True, machine=PAPER, sizes=[dict(program.values)])
    found = cut_loops(program, distributed(program, OPERATIONS), wish, OPERATIONS)
    assert found is not None
    assert {own.outer for name, own in found.cuts.items() if name in ("S3", "S4", "S5")} != {8}


def test_a_strided_loop_is_a_block_by_the_caches_alone(tmp_path: Path) -> None:
    program = correlation(tmp_path, "M: 90, N: 6")
    times = Times.of(program, apart(program, OPERATIONS))
    statements = {one.name: one for one in program.statements}
    assert nest_of(times, statements["S5"]) is None
    assert nest_of(times, statements["S5"], strides=True) is not None
    assert nest_of(times, statements["S2"], strides=True) is None  # the diagonal: one loop


NEST = """
#define N 16
void f(float a[N][N], float b[N][N], float c[N][N])
{
#pragma scop
    BODY
#pragma endscop
}
"""


def groups(folder: Path, body: str) -> list[tuple[str, ...]] | None:
    """The statements of each outermost loop of the distributed order."""
    settings = 'params: {N: 16}\ncontext: "[N] -> { : N >= 9 }"'
    times = Times.of(program_of(read_design(folder, NEST.replace("BODY", body), settings)))
    found = apart_at_every_level(times)
    if found is None:
        return None
    first = min(entry for own in found.varying.values() for entry in own)
    return [loop.names for loop in found.loops() if loop.entry == first]


def test_statements_that_need_each_other_stay_in_one_loop(tmp_path: Path) -> None:
    loops = "for (int i = 1; i < N; i++) { b[i][0] = FIRST; for (int j = 1; j < N; j++) SECOND; }"

    def found(name: str, first: str, second: str) -> list[tuple[str, ...]] | None:
        body = loops.replace("FIRST", first).replace("SECOND", second)
        return groups(tmp_path / name, body)

    assert found("apart", "a[i][0]", "c[i][j] = b[i][0]") == [("S0",), ("S1",)]
    # S0 of the next i needs what S1 writes, which needs S0
    assert found("round", "c[i - 1][3]", "c[i][j] = b[i][0]") is None
    # one innermost loop that may be a vector stays whole
    body = "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) { a[i][j] = 1; b[i][j] = 2; }"
    assert groups(tmp_path / "whole", body) is None
    # S1 waits for S0 of an earlier j: each has a nest of its own, outermost loop and all
    body = "for (int i = 0; i < N; i++) for (int j = 1; j < N; j++)"
    body += " { a[i][j] = c[i][j]; b[i][j] = a[i][j - 1]; }"
    assert groups(tmp_path / "waits", body) == [("S0",), ("S1",)]


@pytest.mark.few(5)
@pytest.mark.parametrize("seed", range(60))
def test_every_pair_keeps_its_order(tmp_path: Path, seed: int) -> None:
    """Random nests: a permutation in which all listed pairs come as before."""
    settings = 'params: {N: 7, M: 6}\ncontext: "[N, M] -> { : N = 7 and M = 6 }"'
    program = program_of(read_design(tmp_path, kernel(seed), settings))
    times = Times.of(program)
    found = apart_at_every_level(times)
    if found is None:
        return
    given, own = listed(program, times), listed(program, found)
    assert own.keys() == given.keys()
    assert len(set(own.values())) == len(own)
    assert all((given[a] < given[b]) == (own[a] < own[b]) for a, b in met(program))
