"""Schedules of the user from design.yaml to the verdicts: skewed, tiled, parallel, illegal."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from hlsmem.check import Status, run_checks
from hlsmem.check.replayed.replay_check import check_replay
from hlsmem.core.errors import InputError
from hlsmem.plan import to_json
from hlsmem.planner.array_folding import analyse
from hlsmem.planner.host.host_planning import host_of
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.polyhedra import UnionSet
from hlsmem.polyhedra.sets import fix_parameters, points
from tests.plans import plan_storage, put, whole_files
from tests.programs import golden_case
from tests.steps import load

PYRAMID = """\
void pyramid(int T, int N, const int in[N], int out[N])
{
    int A[16][32];
#pragma scop
    for (int i = 0; i < N; i++)
I:      A[0][i] = in[i];
    for (int t = 1; t < T; t++)
        for (int i = t; i < N - t; i++)
S:          A[t][i] = A[t - 1][i - 1] + A[t - 1][i] + A[t - 1][i + 1];
    for (int i = T; i < N - T; i++)
O:      out[i] = A[T - 1][i];
#pragma endscop
}
"""
DESIGN = """\
hlsmem: 1
name: pyramid
params: {T: 4, N: 14}
context: "[T, N] -> { : 2 <= T <= 16 and 2T + 2 <= N <= 32 }"
kernel: {file: pyramid.c}
schedule: SCHEDULE
"""
SKEWED = "'[T,N] -> { I[i] -> [floor(i/4),0,i]; S[t,i] -> [floor((i+t)/4),t,i]; O[i] -> [N,T,i] }'"
WAVES = "'[T,N] -> { I[i] -> [i,0]; S[t,i] -> [2t+i,1]; O[i] -> [2T+i,0] }'"
STEPS = "'[T,N] -> { I[i] -> [0,0]; S[t,i] -> [t,0]; O[i] -> [T,0] }'"
BOXES = "'[T,N] -> { I[i] -> [0,i,0,i]; S[t,i] -> [1,floor(i/4),t,i]; O[i] -> [2,i,0,0] }'"


def design_file(folder: Path, schedule: str) -> Path:
    (folder / "pyramid.c").write_text(PYRAMID)
    file = folder / "design.yaml"
    file.write_text(DESIGN.replace("SCHEDULE", schedule))
    return file


@cache
def files_of(schedule: str, settings: tuple[str, ...], in_hardware: bool) -> dict[str, str]:
    plan = plan_design if in_hardware else plan_storage
    with TemporaryDirectory() as folder:
        file = design_file(Path(folder), schedule)
        return whole_files(plan(load(file, settings=settings)))


def planned(folder: Path, schedule: str, *settings: str, in_hardware: bool = False) -> Path:
    put(folder / "out", files_of(schedule, settings, in_hardware))
    return folder / "out"


def statuses(out: Path, *only: str) -> dict[tuple[str, str], Status]:
    found = run_checks(out, only).verdicts
    return {(one.check, one.subject): one.status for one in found if not one.remedy}


@pytest.mark.long  # the tile of one does by default
def test_a_skewed_schedule_holds_in_every_check(tmp_path: Path) -> None:
    # C would have an order of its own.
    out = planned(tmp_path, SKEWED, "host.order=given", in_hardware=True)
    found = statuses(out)
    assert set(found.values()) == {Status.PASS}
    assert {check for check, _ in found} == {"source", "proof", "replay", "host", "rtl"}
    assert "/ 4" in (out / "host" / "pyramid.c").read_text()


@pytest.mark.dear
def test_host_c_runs_equal_times_in_an_order_for_which_the_plan_is_proved_as_well(
    tmp_path: Path,
) -> None:
    found = statuses(planned(tmp_path, WAVES, "plan.strict=true"), "proof", "replay", "host")
    assert set(found.values()) == {Status.PASS}
    assert ("proof", "A in C") in found


@pytest.mark.few(1)
@pytest.mark.parametrize("schedule", [WAVES, STEPS])
def test_there_is_no_host_c_where_cells_pass_on_at_one_time(tmp_path: Path, schedule: str) -> None:
    out = planned(tmp_path, schedule)
    assert not (out / "host" / "pyramid.c").exists()
    assert "A_CELL(" in (out / "host" / "pyramid.h").read_text()
    found = statuses(out, "proof", "replay", "host")
    assert found.pop(("host", "pyramid")) is Status.SKIPPED
    assert {("proof", "A"), ("replay", "A")} <= set(found)
    assert set(found.values()) == {Status.PASS}


def test_host_c_that_has_to_be_there_and_is_not_fails(tmp_path: Path) -> None:
    out = planned(tmp_path, SKEWED, "host.order=given")  # else C has an order of its own
    (out / "host" / "pyramid.c").unlink()
    assert Status.FAIL in statuses(out, "host").values()


@pytest.mark.parametrize(("schedule", "cells"), [(STEPS, 14), (WAVES, 11)])
def test_parallel_times_have_sizes_of_their_own(tmp_path: Path, schedule: str, cells: int) -> None:
    _, (problem,) = analyse(load(design_file(tmp_path, schedule)))
    assert problem.bounds[0].cells == cells


def test_an_illegal_schedule_is_refused_with_source_lines_and_times(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        plan_design(load(design_file(tmp_path, BOXES)))
    (problem,) = caught.value.problems
    assert str(problem) == (
        "pyramid.c:9:55: the schedule breaks a dependence: S at t=2, i=3 reads A[1][4] at"
        " [1, 0, 2, 3], but S at t=1, i=4 writes it at [1, 1, 1, 4], later; change the schedule"
        " so that the write comes first"
    )
    (note,) = problem.notes
    assert str(note.source_location) == "pyramid.c:9:13"


# Tiles of other kernels are looked at one check after another in test_tile.py.
@pytest.mark.long
def test_a_tile_of_a_kernel_holds_in_every_check(tmp_path: Path) -> None:
    tile = "plan.tile='[T,N] -> { [b, t, i] : b = 2 }'"
    out = planned(tmp_path, SKEWED, tile, in_hardware=True)
    found = statuses(out)
    assert set(found.values()) == {Status.PASS}
    assert {check for check, _ in found} == {"source", "proof", "replay", "host", "rtl"}
    header = (out / "host" / "pyramid.h").read_text()
    assert "void pyramid_tile(int T, int N, const int in[N], int out[N], int A[16][32]);" in header


@pytest.mark.few("live_out")
@pytest.mark.parametrize("change", ["live_out", "reads", "too many reads"])
def test_the_run_says_what_a_tile_reads_and_leaves(tmp_path: Path, change: str) -> None:
    file = design_file(tmp_path, SKEWED)
    design = load(file, settings=["plan.tile='[T,N] -> { [b, t, i] : b = 2 }'"])
    planning = plan_storage(design)
    program = planning.program
    assert program is not None
    assert program.original is not None
    document = json.loads(to_json(planning.plan))
    (verdict,) = check_replay(design, program, planning.plan, document)
    assert verdict.status is Status.PASS
    whole = {one.name: one for one in program.original.statements}
    statements = list(program.statements)
    number = next(k for k, one in enumerate(statements) if one.name == "S")
    if change == "live_out":
        program = replace(program, live_out=UnionSet("{ A[0, 8] }"))
    else:
        reads = statements[number].reads[1:] if change == "reads" else whole["S"].reads
        statements[number] = replace(statements[number], reads=reads)
        program = replace(program, statements=tuple(statements))
    (verdict,) = check_replay(design, program, planning.plan, document)
    assert verdict.status is Status.FAIL
    assert "tile" in verdict.detail


@pytest.mark.parametrize(("rows", "columns", "cells"), [(16, 16, 96), (32, 32, 128)])
def test_the_tiled_blur_needs_what_the_reference_says(
    tmp_path: Path, rows: int, columns: int, cells: int
) -> None:
    (tmp_path / "blur.c").write_text(BLUR)
    (tmp_path / "design.yaml").write_text(
        f"hlsmem: 1\nname: blur\nparams: {{H: {rows}, W: {columns}}}\n"
        'context: "[H, W] -> { : H mod 8 = 0 and W mod 8 = 0 and H >= 16 and W >= 16 }"\n'
        "kernel: {file: blur.c}\n"
        'schedule: "{ B[y,x] -> [floor(y/8),floor(x/8),0,y,x];'
        ' O[y,x] -> [floor(y/8),floor(x/8),1,y,x] }"\n'
    )
    _, (problem,) = analyse(load(tmp_path / "design.yaml"))
    assert problem.bounds[0].cells == cells
    case = golden_case("002", "tiled-blur")
    size = case["params"].index({"H": rows, "W": columns})
    differences = points(fix_parameters(problem.differences, {"H": rows, "W": columns}))
    assert (len(differences), cells) == (case["ds_points"][size], case["max_live"][size])


BLUR = """\
void blur(int H, int W, const int in[H][W], int out[H][W])
{
    int bx[64][64];
#pragma scop
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
B:          bx[y][x] = 2 * in[y][x];
            if (y >= 2)
O:              out[y][x] = bx[y - 2][x] + bx[y - 1][x] + bx[y][x];
        }
#pragma endscop
}
"""
NETWORK = """\
hlsmem: 1
name: net
params: {N: 8}
context: "[N] -> { : N >= 8 and N mod 4 = 0 }"
arrays: {a: {extents: [N, N]}, o: {extents: [N, N], storage: external}}
network:
  load: {statements: {L: {domain: "[N] -> { L[y,x] : 0 <= y,x < N }",
    schedule: "{ L[y,x] -> [0,y,x] }", writes: ["{ L[y,x] -> a[y,x] }"]}}}
  use: {statements: {H: {domain: "[N] -> { H[y,x] : 1 <= y < N and 0 <= x < N }",
    schedule: "{ H[y,x] -> [1,y,x] }", reads: ["{ H[y,x] -> a[y,x] }", "{ H[y,x] -> a[y-1,x] }"],
    writes: ["{ H[y,x] -> o[y,x] }"]}}}
schedule: "{ L[y,x] -> [floor(y/4),floor(x/4),0,y,x]; H[y,x] -> [floor(y/4),floor(x/4),1,y,x] }"
"""


@pytest.mark.long
def test_the_host_c_of_a_tiled_network_does_what_the_network_did_untiled(tmp_path: Path) -> None:
    (tmp_path / "design.yaml").write_text(NETWORK)
    files = whole_files(plan_storage(load(tmp_path / "design.yaml")))
    put(tmp_path / "out", files)
    assert set(statuses(tmp_path / "out", "proof", "replay", "host").values()) == {Status.PASS}


NEST = """\
#define N 6
void nest(const int in[N][N], int out[N])
{
    int row[N];
#pragma scop
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            row[j] = in[i][j] + j;
        for (int j = 1; j < N; j++)
            out[i] = row[j] - row[j - 1];
    }
#pragma endscop
}
"""
LEVEL = ("order=iteration", "pipeline.level=1")


def test_a_step_with_loops_of_its_own_runs_in_c_where_the_plan_allows_it(tmp_path: Path) -> None:
    (tmp_path / "nest.c").write_text(NEST)

    def planning(*settings: str) -> Planning:
        return plan_storage(load(tmp_path / "nest.c", parameters={"N": 6}, settings=settings))

    wires = planning(*LEVEL)
    assert wires.folded.mappings["row"].cells == 1  # nothing outlives its step
    assert host_of(wires.folded).program is None
    put(tmp_path / "out", whole_files(planning(*LEVEL, "plan.method=declared")))
    verdicts = run_checks(tmp_path / "out", ("proof", "host")).verdicts
    assert [one.subject for one in verdicts[:2]] == ["nest", "row"]
    # Where C puts equal times into an order, its cells are not followed one by one.
    unjudged = [one.detail for one in verdicts if not one.fine]
    assert unjudged == [
        "the workspace is not followed: C puts instances of equal times into an order"
    ]
    assert verdicts[0].status is Status.PASS
