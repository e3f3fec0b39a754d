"""Loops in blocks: every instance once, full blocks apart, and legal as listing all pairs says."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from hlsmem.polyhedra.sets import fix_parameters, points
from hlsmem.program.model import Program
from hlsmem.schedule_search.block_sizes import Wish, cut_loops, swept_bytes
from hlsmem.schedule_search.caches import Machine
from hlsmem.schedule_search.loop_blocks import Cuts, can_jam, cut, nest_of, with_cuts
from hlsmem.schedule_search.loop_times import Times
from tests.emit.c.plans import program_of, read_design
from tests.host_loops.programs import kernel
from tests.schedule_search.test_distribution import Instance, listed, met

NEST = """
#define N 16
void f(const float a[N][N], const float b[N][N], float c[N][N])
{
#pragma scop
    BODY
#pragma endscop
}
"""
PRODUCT = (
    "for (int i = 0; i < N; i++) for (int k = 0; k < N; k++) for (int j = 0; j < N; j++)"
    " c[i][j] += a[i][k] * b[k][j];"
)
BODIES = {
    "square": PRODUCT,
    "above": PRODUCT.replace("j = 0", "j = k"),
    "below": PRODUCT.replace("j < N", "j < k + 1"),
    "later": PRODUCT.replace("k = 0", "k = i + 1"),
    "strided": PRODUCT.replace("k++", "k += 2"),
    "few": PRODUCT.replace("k < N", "k < 3"),
}


def program_in(folder: Path, body: str) -> Program:
    settings = 'params: {N: 16}\ncontext: "[N] -> { : N >= 9 }"'
    return program_of(read_design(folder, NEST.replace("BODY", body), settings))


def rows_of(times: Times, values: dict[str, int]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Instances of the only statement and their times."""
    (one,) = times.program.statements
    at = fix_parameters(times.at(one), values).wrap().flatten()
    depth = len(one.iterators)
    return [(tuple(row[:depth]), tuple(row[depth:])) for row in points(at).tolist()]


@pytest.mark.parametrize("size", [9, 13, 16])
@pytest.mark.parametrize("body", BODIES)
def test_iterations_in_lanes(tmp_path: Path, body: str, size: int) -> None:
    """Four in one where all four are there for the same j; the rest as it was."""
    times = Times.of(program_in(tmp_path, BODIES[body]))
    (one,) = times.program.statements
    entries = times.varying[one.name]
    moved = with_cuts(times, [one.name], Cuts(jam=4))
    before = rows_of(times, {"N": size})
    after = rows_of(moved, {"N": size})
    assert sorted(i for i, _ in after) == sorted(i for i, _ in before)
    new_times = dict(after)
    there = {time: instance for instance, time in before}
    least: dict[tuple[int, ...], int] = {}
    for time in there:
        head, serial = time[: entries[-2]], time[entries[-2]]
        least[head] = min(least.get(head, serial), serial)
    for time, instance in there.items():
        head, serial, tail = time[: entries[-2]], time[entries[-2]], time[entries[-2] + 1 :]
        number, lane = divmod(serial - least[head], 4)
        group = [(*head, serial - lane + k, *tail) for k in range(4)]
        is_full = body != "strided" and all(one in there for one in group)
        new = (*new_times[instance], 0)
        found = new[len(head)], new[len(head) + 1], new[entries[-1] + 2]
        assert found == ((0, number, lane) if is_full else (1, serial, 0))


@pytest.mark.parametrize("size", [9, 12, 16])
@pytest.mark.parametrize("cuts", [Cuts(rows=4), Cuts(rows=4, jam=4), Cuts(vector=5, outer=3)])
def test_full_tiles_have_constant_trip_counts(tmp_path: Path, cuts: Cuts, size: int) -> None:
    times = Times.of(program_in(tmp_path, PRODUCT))
    (one,) = times.program.statements
    moved = with_cuts(times, [one.name], cuts)
    assert moved.is_legal()
    found = rows_of(moved, {"N": size})
    assert len({time for _, time in found}) == len(found) == size**3
    wanted = cuts.rows or cuts.vector or 0
    iterator = 2 if cuts.vector is not None else 1
    tiles: dict[tuple[int, ...], set[int]] = {}
    first = moved.varying[one.name][0]
    for instance, time in found:
        entry = first + (2 if cuts.outer is not None else 0)
        tiles.setdefault(time[entry : entry + 2], set()).add(instance[iterator])
    for (part, _), inside in tiles.items():
        assert len(inside) == wanted if part == 0 else len(inside) < wanted


@pytest.mark.parametrize("body", BODIES)
def test_sums_keep_their_order(tmp_path: Path, body: str) -> None:
    """What is legal is so because each element's terms come one after the other as before."""
    times = Times.of(program_in(tmp_path, BODIES[body]))
    (one,) = times.program.statements
    for cuts in (Cuts(jam=4), Cuts(rows=4, jam=4), Cuts(vector=5, outer=3), Cuts(outer=4)):
        moved = with_cuts(times, [one.name], cuts)
        terms: dict[tuple[int, int], list[tuple[tuple[int, ...], int]]] = {}
        for (i, k, j), time in rows_of(moved, {"N": 13}):
            terms.setdefault((i, j), []).append((time, k))
        sums = ([k for _, k in sorted(own)] for own in terms.values())
        kept = all(own == sorted(own) for own in sums)
        assert kept or not moved.is_legal()
        assert moved.is_legal() == (moved.lost() is None)


@pytest.mark.few(5)
@pytest.mark.parametrize("seed", range(120))
def test_legal_by_listing_all_pairs(tmp_path: Path, seed: int) -> None:
    """Random cuts of random nests: a permutation, legal where every listed pair keeps its order."""
    number = random.Random(seed)
    settings = 'params: {N: 7, M: 6}\ncontext: "[N, M] -> { : N = 7 and M = 6 }"'
    program = program_of(read_design(tmp_path, kernel(seed), settings))
    times = Times.of(program)
    given = listed(program, times)
    for _ in range(3):
        one = number.choice([one for one in program.statements if times.varying[one.name]])
        entries = times.varying[one.name]
        entry = number.choice(entries)
        front = number.randint(0, entry)
        inside = [k for k in entries if k > entry]
        lanes = number.choice([None, inside[-1]]) if inside else None
        front = entry if lanes is not None else front
        moved = cut(times, [one.name], entry, number.choice([2, 3, 4]), front=front, lanes=lanes)
        own: dict[Instance, Any] = listed(program, moved)
        assert own.keys() == given.keys()
        kept = all((given[a] < given[b]) == (own[a] < own[b]) for a, b in met(program))
        assert moved.is_legal() == kept


def test_a_loop_that_is_jammed_is_serial_and_adds_to_one_element(tmp_path: Path) -> None:
    def jams(name: str, body: str) -> bool:
        times = Times.of(program_in(tmp_path / name, body))
        nest = nest_of(times, times.program.statements[0])
        return nest is not None and can_jam(times, nest)

    nest = "for (int k = 1; k < N; k++) for (int j = 0; j < N; j++) "
    assert jams("sum", nest + "c[0][j] += a[k][j];")
    assert not jams("rows", nest + "c[k][j] = a[k][j];")  # no element twice
    assert not jams("last", nest + "c[0][j] = a[k][j];")  # stored, never read
    assert not jams("previous", nest + "c[k][j] = c[k - 1][j] + a[k][j];")  # another element
    assert not jams("row", nest + "c[k][0] += a[k][j];")  # j itself is serial


def test_rows_are_blocked_where_they_leave_the_cache(tmp_path: Path) -> None:
    program = program_in(tmp_path, PRODUCT)

    def cuts(size: int, **more: Any) -> Cuts | None:
        machine = Machine(l2_kib=64)
        wish = {"tile": "auto", "jams": True, "machine": machine, "sizes": [{"N": size}]} | more
        found = cut_loops(program, None, Wish(**wish), 10**7)
        return None if found is None else found.cuts["S0"]

    assert cuts(128) == Cuts(jam=4)  # 128 x 128 floats: the whole cache, no more
    assert cuts(129) == Cuts(rows=64, jam=4)
    assert cuts(129, tile="none") == Cuts(jam=4)
    assert cuts(129, tile="none", jams=False) is None
    assert cuts(129, tile="sica", jams=False) == Cuts(outer=2)  # 3680 are more than the loop
    assert cuts(4000, tile="sica", jams=False) == Cuts(vector=3680, outer=2)
    assert cuts(4000, tile={"S0": (8, 4)}) == Cuts(vector=8, outer=4)
    times = Times.of(program)
    nest = nest_of(times, program.statements[0])
    assert nest is not None
    assert swept_bytes(times, nest, {"N": 128}) == 4 * 128 * 128


def test_a_loop_with_loops_inside_is_none_of_vectors(tmp_path: Path) -> None:
    """c[0][i] is set in the loop that has the sum's loop inside: no tile is for both."""
    body = (
        "for (int i = 0; i < N; i++) { c[0][i] = 0;"
        " for (int j = 0; j < N; j++) c[0][i] += a[i][j] * b[0][j];"
        " for (int j = 0; j < N; j++) c[1][j] += a[i][j] * c[0][i]; }"
    )
    times = Times.of(program_in(tmp_path, body))
    nests = [nest_of(times, one) for one in times.program.statements]
    assert [None if nest is None else len(nest.entries) for nest in nests] == [None, None, 2]
    wish = Wish(tile="sica", jams=True, machine=Machine(l1_kib=1), sizes=[{"N": 4000}])
    assert cut_loops(times.program, None, wish, 10**7) is None


def test_a_tile_that_cannot_be_is_refused(tmp_path: Path) -> None:
    seidel = (
        "for (int i = 1; i < N; i++) for (int j = 0; j < N - 1; j++) c[i][j] = c[i - 1][j + 1];"
    )
    row = "for (int i = 0; i < N; i++) for (int j = 1; j < N; j++) c[i][j] = c[i][j - 1];"
    column = "for (int i = 0; i < N; i++) c[i][0] = 0;"
    for body, why in (
        (seidel, "S0 at i=2, j=3 needs S0 at i=1, j=4, which would run later"),
        (row, "its innermost loop is no vector loop: S0 at i=0, j=2 needs S0 at i=0, j=1"),
        (column, "its innermost loop is no vector loop: it walks over c by more than an element"),
        ("c[0][0] = 0;", "it is in no loop"),
    ):
        wish = Wish(tile={"S0": (4, 4)}, jams=True, machine=Machine(), sizes=[{"N": 16}])
        found = cut_loops(program_in(tmp_path / f"{len(why)}", body), None, wish, 10**7)
        assert found is not None
        assert found.refused == {"S0": why}
