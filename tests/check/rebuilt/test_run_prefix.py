"""Runs that stop early: what is kept of them, and what is played besides."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from hlsmem.check.rebuilt.run_prefix import nth_point, prefix_of, stream_totals
from hlsmem.check.replayed.replay_check import replayable, run_of
from hlsmem.check.rtl.expected_beats import traffic
from hlsmem.cli.main import main
from hlsmem.core.errors import LimitError
from hlsmem.core.verdict import Status, Verdict
from hlsmem.emit.output_folder import write_folder
from hlsmem.planner.output_files import simulated_files
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.program.model import Program
from hlsmem.questions.planned_checks import run_checks
from hlsmem.timing.planned_program import arranged
from tests.check.test_rtl import check_window, window_program
from tests.families import by_default
from tests.plans import files_of, simulated_of
from tests.steps import load

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
TILED = (
    'schedule="{ P[y,x] -> [floor(y/4), floor(x/4), 0, y, x];'
    ' C[y,x] -> [floor(y/4), floor(x/4), 1, y, x] }"'
)

DESIGNS: tuple[tuple[str, dict[str, int], tuple[str, ...]], ...] = (
    ("blur/design.yaml", {"N": 9}, ()),
    ("blur/network.yaml", {"N": 9}, ()),
    ("blur/design.yaml", {"N": 8}, (TILED,)),
    ("blur/design.yaml", {"N": 8}, ("order=iteration", "pipeline.unroll.x=4")),
    ("jacobi1d/design.yaml", {"N": 9, "T": 3}, ("order=iteration",)),
    ("durbin/design.yaml", {"N": 6}, ()),
    ("sobel/design.yaml", {"N": 7}, ("arrays.in.storage=memory", "arrays.out.storage=memory")),
)


def program_at(name: str, params: dict[str, int], settings: tuple[str, ...]) -> Program:
    given = load(EXAMPLES / name, parameters=params, settings=settings).input
    assert isinstance(given, Program)
    return arranged(given)


@pytest.mark.parametrize(
    "text",
    [
        "{ [y, x] : 0 <= y < 4 and y <= x < 6 }",
        "{ [a, b, c] : 0 <= a < 3 and -2 <= b < 2 and (a + b + c) mod 3 = 0 and 0 <= c < 5 }",
        "{ [x] : 0 <= x < 9 and x mod 2 = 1 }",
        "{ [x, y] : x = 3 and (y = 1 or y = 70) }",
    ],
)
def test_a_point_is_found_by_its_number(text: str) -> None:
    points = Set(text)
    listed = [tuple(row) for row in distinct_points(points).tolist()]
    assert [nth_point(points, number + 1) for number in range(len(listed))] == listed


@pytest.mark.few("-7")
@pytest.mark.parametrize("beats", [1, 7, 20])
@pytest.mark.parametrize(("name", "params", "settings"), DESIGNS)
def test_the_beginning_of_a_run_is_that_of_the_whole_run(
    name: str, params: dict[str, int], settings: tuple[str, ...], beats: int
) -> None:
    program = program_at(name, params, settings)
    prefix = prefix_of(program, beats)
    if prefix is None:
        assert max(total for *_, total in stream_totals(program).values()) <= beats
        return
    planned = program.planned_arrays()
    recorded = program.kernel is not None
    run = run_of(program, planned, prefix)[0] if recorded else None
    found = traffic(program, run, prefix)
    whole = traffic(program, run_of(program, planned)[0] if recorded else None)
    assert found.disagreement is None
    assert found.streams.keys() == whole.streams.keys()
    played = 0
    for key, stream in found.streams.items():
        other = whole.streams[key]
        assert stream.total == len(other)
        if not len(stream):
            continue
        assert (stream.point == other.point[: len(stream)]).all()
        if recorded and stream.statement is not None:
            assert _bits(stream) == _bits(other)[: len(stream)], key
        if stream.statement is None:
            assert len(stream) == (len(other) if stream.direction == "write" else 0)
        else:
            played = max(played, len(stream))
    # Whole steps: one may have several beats of a stream.
    assert beats <= played <= beats + 8
    assert len(found.streams[prefix.stream]) >= beats
    last = max(stream.rank.max(initial=-1) for stream in found.streams.values())
    assert last + 1 == sum(len(stream) for stream in found.streams.values())


def _bits(stream: object) -> list[list[int]]:
    values = stream.values.bits  # type: ignore[attr-defined]
    value = stream.value  # type: ignore[attr-defined]
    found: list[list[int]] = np.where(value >= 0, values[value], 0).tolist()
    return found


def test_other_instances_are_not_recorded() -> None:
    program = program_at("blur/design.yaml", {"N": 12}, ())
    prefix = prefix_of(program, 30)
    assert prefix is not None
    run, times = run_of(program, program.planned_arrays(), prefix)
    assert len(run.statement) == len(times) == 30 + 5  # the last C is in the step behind
    assert int(run.accesses["blurx"].write.sum()) == 30


def planned(name: str, settings: tuple[str, ...]) -> dict[str, str]:
    return simulated_of(EXAMPLES / name, settings=settings)


def checked(
    out: Path,
    name: str,
    settings: tuple[str, ...],
    beats: int | None,
    *,
    old: str = "",
    new: str = "",
    file: str = "",
) -> dict[tuple[str, str], Verdict]:
    """The verdicts of replay and rtl, with a text replaced in a file below rtl/."""
    shutil.rmtree(out, ignore_errors=True)
    write_folder(out, planned(name, settings))
    if file:
        (path,) = (out / "rtl").glob(file)
        text = path.read_text()
        assert text.count(old) == 1
        path.write_text(text.replace(old, new))
    verdicts = run_checks(out, ("replay", "rtl"), beats=beats).verdicts
    return {(one.check, one.subject): one for one in verdicts}


COPIES = ("params.N=10", "arrays.blurx.reads=copies")


# By default test_a_run_that_is_short_enough_is_played_to_its_end passes.
@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "settings", "sizes"),
    [
        ("blur/design.yaml", ("params.N=12",), {"N": 5}),
        ("blur/design.yaml", COPIES, None),
        ("fifo/design.yaml", (), None),
    ],
)
def test_a_beginning_and_a_whole_frame_pass(
    name: str, settings: tuple[str, ...], sizes: dict[str, int] | None, tmp_path: Path
) -> None:
    found = checked(tmp_path / "out", name, settings, 33)
    assert {one.status for one in found.values()} == {Status.PASS}
    for one in found.values():
        assert one.extent is not None
        assert one.extent.beats == 33
        assert one.extent.sizes is not None, one.extent.reason
        assert sizes in (None, one.extent.sizes)
        assert min(one.extent.sizes.values()) >= 1
        assert one.said.startswith(f"pass (first 33 of {one.extent.total} beats; whole at ")


@pytest.mark.long
def test_a_run_that_is_short_enough_is_played_to_its_end(tmp_path: Path) -> None:
    for beats in by_default((100,), (100, None)):
        found = checked(tmp_path / "out", "blur/design.yaml", COPIES, beats)
        assert {one.said for one in found.values()} == {"pass"}


LATE = ("A_1_w_en = s_A_P_fire;", "A_1_w_en = s_A_P_fire & w_left != 5'd7;")


@pytest.mark.parametrize(("beats", "status"), [(8, Status.PASS), (16, Status.FAIL)])
def test_a_fault_behind_the_beginning_is_not_seen(
    beats: int, status: Status, tmp_path: Path
) -> None:
    """Write 13 of 20 is dropped."""
    prefix = prefix_of(window_program(), beats)
    verdicts = check_window(tmp_path, *LATE, static=False, prefix=prefix)
    assert {one.status for one in verdicts} == {status}


@pytest.mark.dear
def test_a_start_that_loads_nothing_shows_in_whole_frames(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first start after a reset is right; the runs that stop early are all such."""
    # The fault is in the library, whose text is compared before anything runs.
    monkeypatch.setattr("hlsmem.check.rtl.rtl_verdicts.foreign", lambda *_: ())
    fault = {
        "file": "hlsmem_gate_count_v*.v",
        "old": "if (rst | load) ahead",
        "new": "if (rst | (load & up)) ahead",
    }
    found = checked(tmp_path / "out", "blur/design.yaml", COPIES, 33, **fault)
    top = found["rtl", "blur_mem"]
    assert top.status is Status.FAIL
    assert top.detail.startswith("whole at N=")
    assert found["replay", "blurx"].status is Status.PASS


@pytest.mark.dear
def test_text_that_the_design_does_not_give_is_not_vouched_for(tmp_path: Path) -> None:
    """A wrong tlast is far behind the beginning, and smaller frames have a text of their own."""
    fault = {
        "file": "blur_m_blurx_C_walk.v",
        "old": "((y == 4'd9) && (x == 4'd9))",
        "new": "((y == 4'd9) && (x == 4'd8))",
    }
    out = tmp_path / "out"
    top = checked(out, "blur/design.yaml", COPIES, 33, **fault)["rtl", "blur_mem"]
    assert top.status is Status.FAIL
    assert top.detail.startswith("rtl/blur_m_blurx_C_walk.v:")
    assert top.detail.endswith(
        ", which is the text that the design gives; a run that stops early does not see its end: "
        "`--beats all`"
    )
    top = checked(out, "blur/design.yaml", COPIES, None, **fault)["rtl", "blur_mem"]
    assert top.status is Status.FAIL
    assert "tlast" in top.detail or "falls too early" in top.detail


def test_a_beginning_with_many_accesses_is_replayed_in_part(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = program_at("blur/design.yaml", {"N": 12}, ())
    prefix = prefix_of(program, 100)
    assert prefix is not None
    assert replayable(program, prefix) is prefix
    monkeypatch.setattr("hlsmem.check.replayed.replay_check.RECORDED", 150)
    found = replayable(program, prefix)
    run, _ = run_of(program, program.planned_arrays(), found)
    assert len(run.accesses["blurx"]) <= 150
    assert 30 < found.beats < 100


@pytest.mark.dear
def test_without_parameters_there_is_no_smaller_frame(tmp_path: Path) -> None:
    kernel = tmp_path / "line.c"
    kernel.write_text(
        """void line(const int in[40], int out[40])
{
    int a[40];
#pragma scop
    for (int i = 0; i < 40; i++) {
        a[i] = in[i];
        if (i >= 2)
            out[i] = a[i] + a[i - 2];
    }
#pragma endscop
}
"""
    )
    write_folder(tmp_path / "out", simulated_files(plan_hardware(load(kernel))))
    verdicts = run_checks(tmp_path / "out", ("replay", "rtl"), beats=10).verdicts
    assert {one.said for one in verdicts} == {
        "pass (first 10 of 40 beats; no whole frame:"
        " the design has no parameters (`params` names macros))"
    }
    assert all(one.fine for one in verdicts)


@pytest.mark.dear
def test_a_run_may_stop_before_the_first_beat_of_a_stream(tmp_path: Path) -> None:
    kernel = tmp_path / "nests.c"
    kernel.write_text(
        """#define N 40
void nests(const int in[N], int out[N])
{
    static int a[N];
    for (int i = 0; i < N; i++)
        a[i] = in[i];
    for (int i = 1; i < N - 1; i++)
        out[i] = a[i - 1] + a[N - i];
}
"""
    )
    write_folder(tmp_path / "out", simulated_files(plan_hardware(load(kernel))))
    verdicts = run_checks(tmp_path / "out", ("replay", "rtl"), beats=10).verdicts
    assert {one.status for one in verdicts} == {Status.PASS}
    assert any(one.said.startswith("pass (first 10 of 40 beats") for one in verdicts)


def test_a_limit_of_one_check_leaves_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hlsmem.check.replayed.replay_check.RECORDED", 50)
    write_folder(tmp_path / "out", files_of(EXAMPLES / "blur/design.yaml", settings=COPIES))
    verdicts = run_checks(tmp_path / "out", ("proof", "replay")).verdicts
    assert [(one.check, one.subject, one.status) for one in verdicts] == [
        ("proof", "blur", Status.PASS),
        ("proof", "blurx", Status.PASS),
        ("proof", "blurx in C", Status.PASS),
        ("proof", "blurx in the source", Status.PASS),
        ("proof", "streams", Status.PASS),
        ("replay", "blur", Status.NOT_JUDGED),
    ]
    assert verdicts[-1].detail.endswith("`--beats N` stops it after N beats of the longest stream")
    assert not verdicts[-1].fine
    with pytest.raises(LimitError, match="would record"):
        run_checks(tmp_path / "out", ("replay",))


def test_a_beginning_has_whole_iterations_of_joined_statements(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the datapath keeps between them joins them: they run equally often."""
    file = tmp_path / "k.c"
    file.write_text(
        "void k(const unsigned char a[40], unsigned char out[40]) {\n"
        "  for (int i = 2; i < 40; i++) {\n"
        "    int d = a[i] - a[i - 2];\n    int e = a[i - 1] - d;\n"
        "    out[i] = d < e ? d : e;\n  }\n}\n"
    )
    out = str(tmp_path / "out")
    assert main(["plan", str(file), "-o", out]) == 0
    assert main(["check", out, "--only", "replay", "--beats", "10"]) == 0
    assert "pass (first 10 of 40 beats" in capsys.readouterr().out
