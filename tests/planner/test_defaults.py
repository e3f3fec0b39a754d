"""Steps and streams of C that says nothing of them, and designs that keep their text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.core.errors import InputError
from hlsmem.plan import Plan
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.program.model import Program
from hlsmem.read.design import load
from tests.planner.test_parameter_streams import TWO

MEAN = """\
#define N 12
void f(const int in[N][N], int out[N - 2][N - 2]) {
    for (int y = 0; y < N - 2; y++)
        for (int x = 0; x < N - 2; x++) {
            int sum = 0;
            for (int v = 0; v < 3; v++)
                for (int u = 0; u < 3; u++)
                    sum += in[y + v][x + u];
            out[y][x] = sum / 9;
        }
}
"""
ASKED = ("kernel.loops=pipelined", "kernel.parameters=auto")
KEPT = ("kernel.loops=written", "kernel.parameters=external")


def planned(folder: Path, text: str, *settings: str) -> Plan:
    (folder / "f.c").write_text(text)
    return plan_hardware(load(folder / "f.c", settings=settings)).plan


def test_plain_c_is_pipelined_and_its_parameters_are_streams(tmp_path: Path) -> None:
    plan = planned(tmp_path, MEAN)
    words = {name: one.hardware.words for name, one in plan.arrays.items()}
    assert words == {"in": 27, "out": 1}
    assert plan.timing is not None
    assert plan.timing.cycles == 148
    asked = planned(tmp_path, MEAN, *ASKED)
    assert asked.arrays == plan.arrays
    assert asked.timing == plan.timing


def test_as_written_it_has_a_memory_for_the_sum_alone(tmp_path: Path) -> None:
    plan = planned(tmp_path, MEAN, *KEPT)
    assert {name: one.hardware.words for name, one in plan.arrays.items()} == {"sum": 1}


def test_sizes_that_are_set_are_those_of_all_that_is_planned(tmp_path: Path) -> None:
    """Also where an order is found: it is that of a copy of the design."""
    (tmp_path / "f.c").write_text(MEAN)
    found = plan_hardware(load(tmp_path / "f.c", settings=["params.N=20"])).plan
    asked = plan_hardware(load(tmp_path / "f.c", parameters={"N": 20})).plan
    assert found.arrays == asked.arrays
    assert found.arrays["in"].hardware.words == 43
    (tmp_path / "f.c").write_text(TWO)
    assert plan_hardware(load(tmp_path / "f.c", settings=["params.N=20"])).plan.found_order


TIMES = 'schedule="{ S0[i, j] -> [i, j, 0]; S1[i, j] -> [i, j, 1] }"'
# Whatever says when instances run, what a step is, or what is right in many orders.
OWN = {
    "times": (TIMES,),
    "a level": ("pipeline.level=1",),
    "lanes": ("order=iteration", "pipeline.unroll={j: 2}"),
    "a tile": ('plan.tile="{ [i] : i = 0 }"',),
    "a class": ("plan.schedules=sequential",),
    "expansion": ("plan.expand=[t]",),
}


@pytest.mark.parametrize("name", OWN)
def test_what_a_design_says_of_its_text_keeps_it(tmp_path: Path, name: str) -> None:
    (tmp_path / "f.c").write_text(TWO)
    found = load(tmp_path / "f.c", settings=OWN[name]).input
    assert isinstance(found, Program)
    assert found.kernel is not None
    assert found.kernel.defaults == KEPT
    assert not found.kernel.undecided


def test_nests_that_run_side_by_side_by_a_pragma_keep_their_text(tmp_path: Path) -> None:
    head, first, second = TWO.split("    for (int i", 2)
    blocks = (
        f"#pragma hlsmem multifor\n{{\n#pragma hlsmem nest a\n    for (int i{first}"
        f"#pragma hlsmem nest b\n    for (int i{second.rstrip()[:-1]}}}\n}}\n"
    )
    (tmp_path / "f.c").write_text(head + blocks)
    found = load(tmp_path / "f.c").input
    assert isinstance(found, Program)
    assert found.kernel is not None
    assert found.kernel.defaults == KEPT


def test_an_order_that_is_found_keeps_the_defaults(tmp_path: Path) -> None:
    """Its times stand among the overrides, and are no times of the design's own."""
    plan = planned(tmp_path, TWO)
    assert plan.found_order is not None
    times, *others = plan.overrides
    assert times.startswith("schedule=")
    assert others == ["kernel.loops=pipelined", "kernel.parameters=[auto, x, o]"]


@pytest.mark.dear
def test_streams_that_a_design_lists_are_found_again_with_an_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All of x stays in the order of the text: no plan makes a stream of it unless that is asked.

    `generated` plans the design again as it was asked for, not as `auto`.
    """
    text = TWO.replace("t[i][j] + x[i][j]", "t[i][j] + x[N - 1 - i][j]")
    (tmp_path / "f.c").write_text(text)
    out = tmp_path / "out"
    listed = ["--set", "kernel.parameters=[x]", "--set", "accelerator.build=memories"]
    assert main(["plan", str(tmp_path / "f.c"), *listed, "-o", str(out)]) == 0
    document = json.loads((out / "plan.json").read_text())
    assert document["orders"]["hardware"] is not None
    assert {"x", "o"} < document["arrays"].keys()
    assert "kernel.parameters=[x, auto, o]" in document["overrides"]
    assert main(["check", str(out), "--only", "generated"]) == 0
    capsys.readouterr()


def test_what_never_runs_is_told(tmp_path: Path) -> None:
    """A variable of statements without an instance is of no nest."""
    text = "void f(int out[4]) { int a; for (int i = 0; i < 0; i++) a = 5;"
    text += " for (int i = 0; i < 4; i++) out[i] = i; }"
    assert planned(tmp_path, text).arrays.keys() == {"out"}


def test_what_names_statements_of_the_text_keeps_it(tmp_path: Path) -> None:
    """The sum of nine values is a statement as written, and none in a step of its own."""
    settings = ["pipeline.latency.S1=4"]
    plan = planned(tmp_path, MEAN, *settings)
    assert plan.arrays.keys() == {"sum"}
    (told,) = [one for one in plan.remarks if "as written" in one]
    assert "loops and parameters are planned as written: otherwise, " in told
    assert "'S1'" in told
    with pytest.raises(InputError, match="'S1'"):
        planned(tmp_path, MEAN, *settings, *ASKED)


def test_values_that_a_kernel_is_planned_for_are_told(tmp_path: Path) -> None:
    """With the reason and its place, also where another order is found."""
    text = """void f(const int in[64], int out[64], int rows, int step) {
    int t[64];
    for (int i = 0; i < rows; i++) t[i] = in[i];
    for (int i = 0; i < rows / step; i++) out[i] = t[i] * 2;
}
"""
    (tmp_path / "f.c").write_text(text)
    planning = plan_hardware(load(tmp_path / "f.c", parameters={"rows": 8, "step": 3}))
    assert planning.plan.found_order is not None
    why = "non-affine bound: 'rows / step' divides by a value that is no constant"
    assert [one for one in planning.plan.remarks if why in one] == [
        f"f.c:4:25: planned for step = 3 alone: otherwise, {why}; for other values C runs the"
        " function as it is, and there is no Verilog",
        f"f.c:4:25: loops and parameters are planned as written: otherwise, {why};"
        " --as-written does not try",
    ]


def test_what_looks_up_a_table_is_a_stream(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Replay reads it where the source does: in a subscript alone."""
    text = "void f(const unsigned char in[24], const int table[256], int out[24]) {"
    text += " for (int i = 0; i < 24; i++) out[i] = table[in[i]]; }"
    (tmp_path / "f.c").write_text(text)
    out = tmp_path / "out"
    assert main(["plan", str(tmp_path / "f.c"), "-o", str(out)]) == 0
    assert {"in", "out"} == json.loads((out / "plan.json").read_text())["arrays"].keys()
    assert main(["check", str(out), "--only", "replay"]) == 0
    assert "24 reads and 24 writes" in capsys.readouterr().out


def test_parameters_stay_outside_where_data_choose_elements(tmp_path: Path) -> None:
    """No Verilog holds such an array: streams alone would be half of the storage."""
    text = "void f(const unsigned char in[64], int out[256]) { int h[256];"
    text += " for (int i = 0; i < 256; i++) h[i] = 0;"
    text += " for (int i = 0; i < 64; i++) h[in[i]]++;"
    text += " for (int i = 0; i < 256; i++) out[i] = h[i]; }"
    plan = planned(tmp_path, text)
    assert plan.arrays.keys() == {"h"}
    assert {one.why for one in plan.outside.values()} == {
        "data decide which elements of 'h' are accessed, which no Verilog holds"
    }
