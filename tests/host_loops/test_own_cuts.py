"""C whose loops are in blocks leaves the bits of the original, and faults in it show."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.core.verdict import Status
from hlsmem.plan import Plan, from_json, to_json
from hlsmem.polyhedra import Map
from hlsmem.program.options import Design
from hlsmem.schedule_search.loop_blocks import Cuts
from tests.check.subjects import proof
from tests.emit.c.plans import host_files, read_design
from tests.host_loops.programs import outcome
from tests.plans import plan_storage, with_host

KERNEL = """
#define N 11
#define M 9
void f(const short in[N][M], int out[N][M])
{
    float t[N][M];
#pragma scop
    for (int y = 0; y < N; y++)
        for (int x = 0; x < M; x++) {
            t[y][x] = in[y][x] / 3.0f;
            out[y][x] = y + x;
        }
    for (int y = 0; y < N; y++)
        for (int k = 0; k < N; k++)
            for (int x = 0; x < M; x++)
                out[y][x] += in[y][0] * t[k][x];
#pragma endscop
}
"""
GIVEN = KERNEL.replace("float t[N][M];", "").replace("t[y][x] = in[y][x] / 3.0f;", "")
SIZES = ((7, 6), (71, 70))


def planned(folder: Path, more: str, kernel: str = KERNEL) -> tuple[Design, Plan]:
    settings = (
        'params: {N: 11, M: 9}\ncontext: "[N, M] -> { : N >= 7 and M >= 6 }"\n'
        f"host: {{sizes: [{{N: 300, M: 300}}], l2_kib: 64, {more}}}"
    )
    design = read_design(folder, kernel, settings)
    return design, with_host(plan_storage(design)).plan


CUTS = {
    "tile: auto": Cuts(rows=64, jam=4),
    "tile: none": Cuts(jam=4),
    "tile: {S2: [8, 4]}": Cuts(vector=8, outer=4),
}


@pytest.mark.few("auto")
@pytest.mark.parametrize("more", CUTS)
def test_bits_of_the_original(tmp_path: Path, more: str) -> None:
    design, plan = planned(tmp_path, more)
    assert plan.host_order is not None
    assert plan.host_order.cuts == {"S2": CUTS[more]}
    for values in SIZES:
        assert outcome(tmp_path / "out", design, plan, values) == "equal", values


def test_tiles_of_the_caches_leave_the_bits(tmp_path: Path) -> None:
    """The product of what is given alone; its rows begin in loops of two statements."""
    kernel = GIVEN.replace("t[k][x]", "in[k][x]")
    design, plan = planned(tmp_path, "tile: sica, l1_kib: 1, simd_bits: 128", kernel)
    assert plan.host_order is not None
    assert plan.host_order.cuts["S1"] == Cuts(vector=112, outer=64)
    assert outcome(tmp_path / "out", design, plan, (67, 230)) == "equal"


WORDS = {"sica": (76, 228, 112), "sica-min": (76, 76, 76), "sica-max": (228, 228, 228)}


@pytest.mark.dear
@pytest.mark.parametrize("word", WORDS)
def test_correlation_in_blocks_leaves_the_bits(tmp_path: Path, word: str) -> None:
    """Figure 21 of the SICA paper: loops apart, and the store into the other triangle a block."""
    text = (Path(__file__).parents[1] / "seeds" / "004e-figure-21.c").read_text(encoding="utf-8")
    settings = (
        'params: {M: 300, N: 6}\ncontext: "[M, N] -> { : M >= 2 and N >= 1 }"\n'
        f"host: {{tile: {word}, l1_kib: 1, l2_kib: 8, simd_bits: 128}}"
    )
    design = read_design(tmp_path, text, settings)
    plan = with_host(plan_storage(design)).plan
    assert plan.host_order is not None
    three, one, two = WORDS[word]
    sizes = {"S0": three, "S1": three, "S3": one, "S4": two, "S5": two}
    cuts = {name: (own.vector, own.outer) for name, own in plan.host_order.cuts.items()}
    assert cuts == {name: (size, 8) for name, size in sizes.items()}
    files = {Path(name).name: one for name, one in host_files(design, plan).items()}
    for name, one in files.items():
        (tmp_path / name).write_text(one, encoding="utf-8")
    (tmp_path / "judge.c").write_text(f"#define correlation source\n{text}{JUDGE}")
    flags = ["-std=c99", "-O2", "-ffp-contract=off", "-fsanitize=address,undefined"]
    command = ["cc", *flags, "judge.c", "kernel.c", "-o", "judge", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True)
    subprocess.run([tmp_path / "judge"], check=True)


JUDGE = """
#undef correlation
#include <string.h>
enum { M = 250, N = 19 };
void correlation(int, int, float[N + 1][M + 1], float[M + 1][M + 1], const float *, const float *);
int main(void)
{
    static float data[2][N + 1][M + 1], symmat[2][M + 1][M + 1], mean[M + 1], stddev[M + 1];
    for (int j = 0; j <= M; j++) {
        mean[j] = j % 7 / 3.0f, stddev[j] = 1 + j % 5 / 7.0f;
        for (int i = 0; i <= N; i++)
            data[0][i][j] = data[1][i][j] = (31 * i + 17 * j) % 101 / 9.0f;
        for (int k = 0; k <= M; k++)
            symmat[0][j][k] = symmat[1][j][k] = j - k;
    }
    source(M, N, data[0], symmat[0], mean, stddev);
    correlation(M, N, data[1], symmat[1], mean, stddev);
    if (memcmp(data[0], data[1], sizeof data[0]))
        return 1;
    return memcmp(symmat[0], symmat[1], sizeof symmat[0]) ? 2 : 0;
}
"""


@pytest.fixture(scope="module")
def blocked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Design, Plan, str]:
    design, plan = planned(tmp_path_factory.mktemp("blocked"), "tile: auto")
    return design, plan, host_files(design, plan)["host/kernel.c"]


def test_the_sum_stands_in_a_local(blocked: tuple[Design, Plan, str]) -> None:
    *_, text = blocked
    first = text[text.index("for (int t6 = 0; t6 <= 15; t6++)") :]
    assert re.search(
        r"HLSMEM_IVDEP\s+for \(int x = 0; x < F_M; x\+\+\) \{"
        r"\s+int32_t hlsmem_held = out\[y\]\[x\];"
        r"(\s+hlsmem_held \+= [^;]+;){4}\s+out\[y\]\[x\] = hlsmem_held;\s+\}",
        first,
    )


FAULTS = {
    "the last row of a tile dropped": ("t6 <= 15", "t6 < 15"),
    "the last tile dropped": ("t2 < F_N / 64", "t2 < F_N / 64 - 1"),
    "the last row of the rest dropped": ("k = F_N - F_N % 4", "k = F_N - F_N % 4 + 1"),
    "a lane twice": ("64 * t2 + 4 * t6 + 1", "64 * t2 + 4 * t6"),
    "the sum not stored": ("out[y][x] = hlsmem_held;", ""),
}


@pytest.mark.few("last row of a tile", "rest")
@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_show(tmp_path: Path, blocked: tuple[Design, Plan, str], fault: str) -> None:
    design, plan, text = blocked
    old, new = FAULTS[fault]
    assert old in text
    assert outcome(tmp_path, design, plan, SIZES[1], text=text.replace(old, new)) == "different"


def test_plan_json_says_how_loops_are_cut(blocked: tuple[Design, Plan, str]) -> None:
    _, plan, _ = blocked
    document = json.loads(to_json(plan))
    cuts = {"vector": None, "outer": None, "rows": 64, "jam": 4}
    assert document["orders"]["host"]["cuts"] == {"S2": cuts}
    again = from_json(to_json(plan))
    assert again.host_order == plan.host_order
    found = proof(document)
    assert found["the order of C"].status is found["t in C"].status is Status.PASS


def test_proof_finds_blocks_that_run_backwards(blocked: tuple[Design, Plan, str]) -> None:
    _, plan, _ = blocked
    document = json.loads(to_json(plan))
    times = document["orders"]["host"]["times"]
    turned = Map("{ [a,b,c,d,e,f,g,h,i] -> [a,b,-c,d,e,f,g,h,i] }")
    times["S2"] = str(Map(times["S2"]).apply_range(turned))
    assert proof(document)["the order of C"].status is Status.FAIL


@pytest.mark.parametrize("more", ["order: given", "objective: plan", "choice: {t: {shape: rows}}"])
def test_tiles_are_refused_where_loops_may_not_move(tmp_path: Path, more: str) -> None:
    with pytest.raises(InputError, match=r"host\.tile\.S2: C keeps the given order here"):
        planned(tmp_path, f"tile: {{S2: [8, 4]}}, {more}")


def test_a_machine_is_read_and_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hlsmem.planner.host.host_schedule.cache_kib", lambda level: 16 * level)
    _, plan = planned(tmp_path / "here", "tile: sica, l1_kib: machine")
    assert plan.host_order is not None
    assert plan.host_order.machine == {"l1_kib": 16}
    assert plan.host_order.cuts == {"S2": Cuts(vector=None, outer=4)}
    monkeypatch.setattr("hlsmem.planner.host.host_schedule.cache_kib", lambda _: None)
    with pytest.raises(
        InputError, match=r"host\.l1_kib: this machine does not say; write a number"
    ):
        planned(tmp_path / "there", "l1_kib: machine")
