"""Streams that pass over instances that do not run (`plan.control: skip`)."""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hlsmem.cli.main import main
from hlsmem.core.errors import InputError, LimitError, Problem
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.program.model import Program
from hlsmem.program.predicate_reads import with_predicate_reads
from hlsmem.storage.part_streams import streams_of
from hlsmem.tools import bench_simulation
from hlsmem.tools.run import Finished
from tests.conditions.designs import CORRECTED, WHILE, stored
from tests.conditions.test_rtl import PREDICATE, SMALL, judged, planned
from tests.read.loading import changed
from tests.steps import load
from tests.studies.dataflow.programs import random_program

SKIP = ("--set", "plan.control=skip")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corrected line, planned."""
    return planned(tmp_path_factory.mktemp("small"), SMALL, *SKIP)


def with_buffer(out: Path, folder: Path, *changes: tuple[str, str]) -> Path:
    """A copy of a folder OUT with changes in the buffer of the guarded array."""
    copied = folder / "out"
    shutil.copytree(out, copied)
    buffer = copied / "rtl" / "corrected_A_buffer.v"
    buffer.write_text(changed(buffer.read_text(), *changes))
    return copied


@pytest.mark.long
def test_beats_are_of_instances_that_run(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = judged(small, capsys)
    assert code == 0, text
    assert "predicted = measured" in text
    assert "the same in 8 outcomes of the conditions" in text
    top = (small / "rtl" / "corrected_mem.v").read_text()
    # The datapath sends each condition once; what brings it to the guarded stream is inside.
    assert "input  wire [7:0] s_c_T_tdata," in top
    assert "    wire [7:0] m_c_s_A_S_tdata;" in top
    # How many beats come is not known before: a wire says that no more do.
    assert "output wire s_A_S_tdone," in top
    assert " s_A_S_tlast" not in top
    assert " s_A_S_tuser" not in top
    assert "output wire m_A_R_tlast," in top
    cycles = json.loads((small / "plan.json").read_text())["timing"]["cycles"]
    assert cycles["kind"] == "by-run"
    assert json.loads((small / "plan.json").read_text())["timing"]["interval"] is None
    assert [one["seed"] for one in cycles["runs"]] == list(range(1, 9))
    assert {one["value"] for one in cycles["runs"]} <= set(range(cycles["bound"] + 1))


RUNS = "wire s_A_S_runs = (s_A_S_saw_0_0 == 1'd1);"
LATE = """\
reg late = 1'b0;
    always @(posedge clk) if (s_A_S_fire) late <= (s_A_S_saw_0_0 == 1'd1);
    wire s_A_S_runs = late;"""
FAULTS = {
    "a guarded write taken as certain": [(RUNS, "wire s_A_S_runs = 1'b1;")],
    "the filter inverted": [(RUNS, RUNS.replace("==", "!="))],
    "the condition one instance late": [(RUNS, LATE)],
    "a condition dropped": [
        ("assign m_c_s_A_S_tready = s_A_S_fire;", "assign m_c_s_A_S_tready = 1'b1;")
    ],
    "done too early": [("busy & s_A_S_done", "busy & s_A_S_beat")],
    "never done": [("s_A_S_done) s_A_S_tdone <= 1'b1", "s_A_S_done) s_A_S_tdone <= 1'b0")],
    "what is passed over is written": [("| s_A_S_commit;", "| s_A_S_fire;")],
    "passed over without its gates": [
        ("(s_A_S_open & ~s_A_S_runs)", "(busy & s_A_S_beat & s_A_S_known & ~s_A_S_runs)")
    ],
}


@pytest.mark.few("a guarded write taken", "done too early", "without its gates")
@pytest.mark.parametrize("name", FAULTS)
def test_planted_faults_are_caught(
    small: Path, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, text = judged(with_buffer(small, tmp_path, *FAULTS[name]), capsys)
    assert code == 1, text
    assert "outcome" in text


PROVED = [
    "nothing",
    "a guarded write taken as certain",
    "a condition dropped",
    "the filter inverted",
    "done too early",
]


@pytest.mark.formal
@pytest.mark.few("nothing", "done too early")
@pytest.mark.parametrize("name", PROVED)
def test_proofs_know_what_is_passed_over(
    small: Path, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """For every value that is seen whether the instance runs, and that it is taken once."""
    out = with_buffer(small, tmp_path, *FAULTS.get(name, ()))
    code = main(["check", str(out), "--only", "formal"])
    printed = capsys.readouterr().out
    proved = code == 0 and "Not judged: formal" not in printed
    assert proved == (name == "nothing"), printed


def test_another_count_of_cycles_is_caught(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of every run by itself: the other outcomes have other cycles."""
    out = with_buffer(small, tmp_path)
    document = json.loads((out / "plan.json").read_text())
    runs = document["timing"]["cycles"]["runs"]
    runs[1]["value"] -= 1
    (out / "plan.json").write_text(json.dumps(document))
    code, text = judged(out, capsys)
    assert code == 1
    assert "outcome 2 (none holds)" in text
    assert f"{runs[1]['value']} predicted" in text


def test_an_interval_that_no_run_has_is_caught(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = with_buffer(small, tmp_path)
    document = json.loads((out / "plan.json").read_text())
    document["timing"]["interval"] = 9
    (out / "plan.json").write_text(json.dumps(document))
    code, text = judged(out, capsys)
    assert code == 1
    assert "a step start every 9 cycles" in text


@pytest.fixture(scope="module")
def corrected(tmp_path_factory: pytest.TempPathFactory) -> Planning:
    path = tmp_path_factory.mktemp("corrected") / "design.yaml"
    path.write_text(SMALL)
    return plan_hardware(load(path, settings=["plan.control=skip"]))


def outcomes(program: Program, statement: str, times: Sequence[Sequence[int]]) -> Iterator[Any]:
    """The times of the instances that do not run, in all outcomes of a statement."""
    width = program.time_dimensions
    for runs in itertools.product((True, False), repeat=len(times)):
        idle = [time for time, run in zip(times, runs, strict=True) if not run]
        yield {statement: np.array(idle, dtype=np.int64).reshape(len(idle), width)}


def test_no_outcome_takes_more_cycles_than_all_that_run(corrected: Planning) -> None:
    program = corrected.program
    assert program is not None
    chosen = corrected.placement.chosen
    assert chosen is not None
    assert corrected.plan.timing is not None
    bound = corrected.plan.timing.cycles
    found = [
        chosen.run(program, idle).cycles
        for idle in outcomes(program, "S", [(i, 2) for i in range(2, 7)])
    ]
    assert found[0] == bound == max(one or 0 for one in found)
    assert len(found) == 32


@pytest.mark.dear
def test_a_loop_that_goes_on_while_it_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An instance looks at all elements before: at one that is new, the rest is in a register.

    The simulations of all outcomes are one build with other data."""
    started: list[str] = []
    run = bench_simulation.run

    def counted(arguments: list[str], **options: Any) -> Finished:
        started.append(Path(arguments[0]).name)
        return run(arguments, **options)

    monkeypatch.setattr(bench_simulation, "run", counted)
    out = planned(tmp_path, WHILE, *SKIP)
    buffer = (out / "rtl" / "while_w_w_buffer.v").read_text()
    assert "reg s_w_W_held_0;" in buffer
    code, text = judged(out, capsys)
    assert code == 0, text
    assert "the same in 8 outcomes of the conditions" in text
    assert started.count("iverilog") + started.count("verilator") == 1
    assert len(started) >= 8


def test_conditions_from_outside_come_as_streams(tmp_path: Path) -> None:
    path = tmp_path / "design.yaml"
    path.write_text(
        changed(
            CORRECTED,
            ("c: {type: uint1, extents: [N]}", "c: {type: uint1, extents: [N], storage: external}"),
            (CORRECTED[CORRECTED.index("      T:") : CORRECTED.index("      S:")], ""),
            ("live_in: [", 'live_in: ["[N] -> { c[i] : 0 <= i < N }", '),
        )
    )
    plan = plan_hardware(load(path, settings=["plan.control=skip"])).plan
    beats = {one.name: one.beats for one in plan.streams}
    assert beats["s_c_c_in"] == 10  # one for each element that the filter looks at
    assert beats["m_c_s_A_S"] == 10


# What each does in every outcome is shown without a simulator in test_every_outcome.py.
@pytest.mark.long
@pytest.mark.parametrize("seed", [11, 17, 9, 10, *range(12, 40)])
def test_random_programs(tmp_path: Path, seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "design.yaml"
    path.write_text(stored(random_program(seed), 2 + seed % 3, live=True))
    if main(["plan", str(path), "-o", str(tmp_path / "out"), *SKIP]) == 0:
        code, text = judged(tmp_path / "out", capsys)
        assert code == 0, text


LOOKS = 'access: ["{ S[i] -> c[i - 1] }"], value: "{ S[i] -> [1] }"'
REFUSED = {
    "a chain": ("A: {type: int16,", "A: {reads: chain, type: int16,"),
    "self-timed": ("live_in:", "plan: {capacity: selftimed}\nlive_in:"),
    "remainders": (
        LOOKS,
        'access: ["{ S[i] -> x[i] }"], value: "{ S[i] -> [v] : v mod 2 = 1 }"',
    ),
    "several": (
        LOOKS,
        'access: ["{ S[i] -> c[a] : 0 <= a < i and a mod 2 = i mod 2 ; S[i] -> c[i - 1] }"],'
        ' value: "{ S[i] -> [1] }"',
    ),
    "written outside": (
        "c: {type: uint1, extents: [N]}",
        "c: {type: uint1, extents: [N], storage: external}",
    ),
}
WANTED = {
    "a chain": "only a RAM has a cell for each element; leave out arrays.A.reads",
    "self-timed": "counts beats of instances that surely run; use plan.control: predicate",
    "remainders": "'S' runs are told by remainders; use plan.control: predicate",
    "several": "and not at those of the instance before and one more; use plan.control: predicate",
    "written outside": "set arrays.c.storage: memory, or plan.control: predicate",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_passed_over_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "design.yaml"
    path.write_text(changed(SMALL, REFUSED[name]))
    with pytest.raises(InputError) as error:
        plan_hardware(load(path, settings=["plan.control=skip"]))
    found = [str(one) for one in error.value.problems]
    assert any(WANTED[name] in one for one in found), found
    assert all("design.yaml:" in one for one in found)


@pytest.mark.parametrize("name", ["self-timed", "remainders", "several", "written outside"])
def test_who_asks_for_nothing_has_all_beats_and_is_told(tmp_path: Path, name: str) -> None:
    """Where streams cannot skip; the plan is that of the design which asks for all beats."""
    path = tmp_path / "design.yaml"
    path.write_text(changed(SMALL, REFUSED[name]))
    found = plan_hardware(load(path)).plan
    asked = plan_hardware(load(path, settings=[PREDICATE[1]])).plan
    (told,) = found.remarks
    assert told.startswith("design.yaml:")
    assert "a beat for every instance (plan.control: predicate): " in told
    assert replace(found, remarks=(), overrides=asked.overrides) == asked


def test_streams_skip_where_nothing_else_is_asked_for(corrected: Planning, tmp_path: Path) -> None:
    path = tmp_path / "design.yaml"
    path.write_text(SMALL)
    found = plan_hardware(load(path)).plan
    assert replace(found, overrides=corrected.plan.overrides) == corrected.plan
    assert found.remarks == ()


def test_what_is_wrong_either_way_is_told_of_all_beats(tmp_path: Path) -> None:
    path = tmp_path / "design.yaml"
    path.write_text(changed(SMALL, REFUSED["a chain"]))
    with pytest.raises(InputError, match=r"leave out arrays\.A\.reads"):
        plan_hardware(load(path))


ROWS = """\
#define H 6
#define W 20
void k(const unsigned char in[H][W], unsigned char out[H][W]) {{
    unsigned char t[H][W];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {{
            t[y][x] = in[y][x] / 2;
            if (y > 0 && {array}[y][x] > 40)
                out[y][x] = t[y][x] + t[y - 1][x];
        }}
}}
"""


@pytest.mark.long
def test_what_is_looked_at_waits_for_what_comes_later(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """in is there before t, which S0 makes of it: a branch FIFO has the looks until then."""
    (tmp_path / "k.c").write_text(ROWS.format(array="in"))
    assert main(["plan", str(tmp_path / "k.c"), "-o", str(tmp_path / "out")]) == 0
    found = json.loads((tmp_path / "out" / "plan.json").read_text())
    (waiting,) = found["elastic"]
    assert (waiting["stream"], waiting["beats"]) == ("m_in_m_t_S1", 2)
    assert found["timing"]["cycles"]["bound"] <= 6 * 20 + 8  # one a cycle: 195 without
    top = (tmp_path / "out" / "rtl" / "k_mem.v").read_text()
    assert ") u_m_in_m_t_S1_branch (" in top
    capsys.readouterr()
    code, text = judged(tmp_path / "out", capsys)
    assert code == 0, text


def test_all_beats_come_where_that_takes_fewer_cycles(tmp_path: Path) -> None:
    """What is looked at stands in the cells that the reader frees: each look holds them a while."""
    (tmp_path / "k.c").write_text(ROWS.format(array="t"))
    path = tmp_path / "k.c"
    left = plan_hardware(load(path)).plan
    asked = {
        control: plan_hardware(load(path, settings=[f"plan.control={control}"])).plan
        for control in ("skip", "predicate")
    }
    cycles = {control: plan.timing.cycles for control, plan in asked.items() if plan.timing}
    (told,) = left.remarks
    assert told.startswith("k.c:8:")
    figures = f"{cycles['predicate']} cycles; passing over those that do not run takes up to"
    assert f"(plan.control: predicate): {figures} {cycles['skip']}; " in told
    assert replace(left, remarks=(), overrides=asked["predicate"].overrides) == asked["predicate"]


def test_what_all_beats_would_take_is_told_where_streams_wait(tmp_path: Path) -> None:
    """Two writes of a pixel share a port, whoever decides on the second."""
    text = ROWS.format(array="in").replace("out[y][x] = t[y][x] + t[y - 1][x]", "t[y][x] = 40")
    (tmp_path / "k.c").write_text(text.replace("        }\n", "out[y][x] = t[y][x]; }\n", 1))
    plan = plan_hardware(load(tmp_path / "k.c")).plan
    all_beats = plan_hardware(load(tmp_path / "k.c", settings=["plan.control=predicate"])).plan
    assert plan.timing is not None
    assert all_beats.timing is not None
    assert plan.timing.runs is not None
    (told,) = plan.remarks
    figures = f"at most {plan.timing.cycles} cycles; with a beat for every instance (predicate) it"
    assert f"{figures} is {all_beats.timing.cycles}; " in told


class TooMany:
    """A chooser of storage for which there are too many beats."""

    def __init__(self, *_: object) -> None:
        pass

    def choose(self) -> None:
        raise LimitError(Problem("too many beats", "plan fewer"))


def test_a_plan_without_hardware_states_what_streams_look_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("hlsmem.planner.hardware.hardware_planning.Chooser", TooMany)
    path, out = tmp_path / "design.yaml", tmp_path / "out"
    path.write_text(SMALL)
    assert main(["plan", str(path), "-o", str(out)]) == 0
    capsys.readouterr()
    only = [part for one in ("proof", "replay") for part in ("--only", one)]
    code = main(["check", str(out), *only])
    text = capsys.readouterr().out
    assert code == 0, text
    assert "No Verilog: too many beats" in (out / "report.md").read_text()


MASKED = """\
#define N 6
void k(const short in[N], const unsigned char mask[N], short out[N])
{
    short t[N];
#pragma scop
    for (int i = 0; i < N; i++)
        t[i] = in[i];
    for (int i = 1; i < N; i++) {
        if (mask[i])
            t[i - 1] = in[i] * 2;
        if (in[i] > 5)
            t[i] = 7;
        out[i] = t[i - 1] + t[i];
    }
#pragma endscop
}
"""


@pytest.mark.long
def test_branches_of_c(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What C asks comes in: the mask, of which nothing else is read, and an operand."""
    (tmp_path / "k.c").write_text(MASKED)
    out = planned(tmp_path, "hlsmem: 1\nname: k\nkernel: {file: k.c}\n", *SKIP)
    code, text = judged(out, capsys)
    assert code == 0, text
    top = (out / "rtl" / "k_mem.v").read_text()
    assert "input  wire [7:0] s_mask_mask_in_tdata," in top
    assert "output wire s_t_S1_tdone," in top


def test_what_filters_of_statements_without_streams_look_at_has_no_streams(tmp_path: Path) -> None:
    """The writes of `else if` go to a parameter of the function: no buffer is asked."""
    idiom = Path(__file__).parents[1] / "read" / "c" / "idioms" / "else_if_on_data.c"
    file = tmp_path / idiom.name
    file.write_text(idiom.read_text().replace("out[i] = 3", "out[N - 1 - i] = 3"))
    program = load(file).input
    assert isinstance(program, Program)
    assert program.skips
    assert with_predicate_reads(program).without_streams() == {"u", "v"}
    assert streams_of(program) == ()
