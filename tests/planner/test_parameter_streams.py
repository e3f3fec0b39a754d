"""`kernel.parameters: auto`: which parameters are streams, and why others are not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.core.errors import InputError
from hlsmem.emit.report import report
from hlsmem.plan import Plan
from hlsmem.planner.planning_sequence import plan_hardware, settled
from hlsmem.program.model import Program
from hlsmem.read.design import load

AUTO = "kernel.parameters=auto"
PRODUCT = """\
#define N 6
void f(const int a[N][N], const int b[N][N], int c[N][N]) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int s = 0;
            for (int k = 0; k < N; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}
"""


def planned(folder: Path, text: str, *settings: str) -> Plan:
    (folder / "f.c").write_text(text)
    return plan_hardware(load(folder / "f.c", settings=[AUTO, *settings])).plan


def streams(plan: Plan) -> set[str]:
    return {one.array for one in plan.streams if one.statement == f"{one.array}_in"} | {
        one.array for one in plan.streams if one.statement == f"{one.array}_out"
    }


def test_the_operands_of_a_product(tmp_path: Path) -> None:
    """A row of the first is kept, all of the second would be: it stays outside, with its port."""
    plan = planned(tmp_path, PRODUCT)
    assert streams(plan) == {"a", "c"}
    assert set(plan.outside) == {"b"}
    assert plan.outside["b"].why == "36 of 36 elements would stay on chip"
    assert plan.outside["b"].reads_a_step == 1
    told = "b stays outside: 36 of 36 elements would stay on chip; a step reads 1"
    assert told in report(plan).splitlines()
    assert not streams(planned(tmp_path, PRODUCT, "kernel.parameters=external"))


CASES = {
    "half of the elements": ("for (int i = 0; i < 8; i++) o[i] = x[i] + x[i + 7];", {"x", "o"}),
    "more than half": ("for (int i = 0; i < 8; i++) o[i] = x[i] + x[i + 8];", {"o"}),
    "read and written": ("for (int i = 1; i < 8; i++) { o[i] = x[i]; o[i] = o[i] + 1; }", {"x"}),
    "two words": ("for (int i = 0; i < 8; i++) o[7 - i] = x[i];", {"x"}),
    "an index of data": ("for (int i = 0; i < 8; i++) o[i] = x[x[i] & 15];", {"o"}),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_a_stream(tmp_path: Path, name: str) -> None:
    body, wanted = CASES[name]
    plan = planned(tmp_path, f"void f(const int x[16], int o[16]) {{ {body} }}")
    assert streams(plan) == wanted
    assert set(plan.outside) == {"x", "o"} - wanted


def test_what_a_design_and_a_pragma_say_wins(tmp_path: Path) -> None:
    plan = planned(tmp_path, PRODUCT, "arrays.a.storage=external")
    assert streams(plan) == {"c"}
    assert set(plan.outside) == {"b"}
    pragma = "#pragma HLS INTERFACE m_axi port=c\n    for (int i"
    plan = planned(tmp_path, PRODUCT.replace("for (int i", f"\n{pragma}", 1))
    assert streams(plan) == {"a"}
    assert set(plan.outside) == {"b"}


def test_a_settled_design_has_its_streams_among_the_overrides(tmp_path: Path) -> None:
    """What a copy of it is read as is what was planned, and planning that decides alike."""
    (tmp_path / "f.c").write_text(PRODUCT)
    found = settled(load(tmp_path / "f.c", settings=[AUTO]))
    assert found.overrides[-1] == "kernel.parameters=[auto, a, c]"
    assert isinstance(found.input, Program)
    assert found.input.kernel is not None
    assert found.input.kernel.undecided == ("b",)
    assert settled(found).overrides == found.overrides


TWO = """\
#define N 12
void f(const int x[N][N], int o[N][N]) {
    int t[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            t[i][j] = x[i][j] * 3;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            o[i][j] = t[i][j] + x[i][j];
}
"""


def test_streams_are_decided_for_each_order(tmp_path: Path) -> None:
    """In the text's order all of x stays; where nests run side by side a value does."""
    text = planned(tmp_path, TWO, "schedule=text")
    assert "x" in text.outside
    found = planned(tmp_path, TWO, "schedule=auto")
    assert found.found_order is not None
    assert streams(found) == {"x", "o"}
    assert not found.outside


@pytest.mark.needs("iverilog")
def test_the_checks_follow_what_was_decided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The C has neither cells nor copies for streams that the plan made: the source has none."""
    (tmp_path / "f.c").write_text(PRODUCT)
    out = str(tmp_path / "out")
    settings = (AUTO, "kernel.loops=pipelined", "accelerator.build=memories")
    asked = [word for one in settings for word in ("--set", one)]
    assert main(["plan", str(tmp_path / "f.c"), *asked, "-o", out]) == 0
    first, *_ = capsys.readouterr().out.splitlines()
    assert "(hardware), 0 bytes (C) of 0, 222 cycles" in first
    document = json.loads((tmp_path / "out" / "plan.json").read_text())
    assert {one["holdings"]["host"] is None for one in document["arrays"].values()} == {True}
    host = (tmp_path / "out" / "host" / "f.c").read_text()
    assert "s += a[i][k] * b[k][j];" in host
    assert "c[i][j] = s;" in host
    assert "_cells" not in host
    checks = ["generated", "source", "proof", "host", "rtl"]
    words = [word for one in checks for word in ("--only", one)]
    assert main(["check", out, *words]) == 0
    told = capsys.readouterr().out
    assert "predicted = measured = 222 cycles" in told


# C writes t in a nest of its own, so that loops are vectors.
FUSED = """\
#define N 16
void f(const float in[N][N], float out[N][N]) {
    float t[N][N];
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            t[y][x] = in[y][x] + 1;
            if (y >= 1 && x >= 2)
                out[y][x] = t[y - 1][x] + t[y][x - 2];
        }
}
"""
DESIGN = """\
hlsmem: 1
name: f
params: {N: 16}
context: "[N] -> { : N >= 4 }"
schedule: text
kernel: {file: f.c, parameters: auto}
"""


def test_c_takes_streams_of_the_hardware_as_its_callers_in_an_order_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "f.c").write_text(FUSED)
    (tmp_path / "design.yaml").write_text(DESIGN)
    out = str(tmp_path / "out")
    assert main(["plan", str(tmp_path / "design.yaml"), "-o", out]) == 0
    document = json.loads((tmp_path / "out" / "plan.json").read_text())
    assert document["orders"]["host"]["times"].keys() == {"S0", "S1"}
    held = {name: one["holdings"]["host"] for name, one in document["arrays"].items()}
    assert {name for name, one in held.items() if one is None} == {"in", "out"}
    assert "t" in held
    checks = ["generated", "source", "proof", "host"]
    words = [word for one in checks for word in ("--only", one)]
    assert main(["check", out, *words]) == 0
    capsys.readouterr()


def test_streams_of_an_order_that_was_found_are_found_again(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(TWO)
    out = str(tmp_path / "out")
    assert main(["plan", str(tmp_path / "f.c"), "--set", AUTO, "-o", out]) == 0
    assert main(["check", out, "--only", "generated", "--only", "host"]) == 0


def test_what_is_no_parameter_left_open_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        planned(tmp_path, PRODUCT, "kernel.parameters=[a, d]", "arrays.a.storage=external")
    told = [one.what for one in error.value.problems]
    what = "is no array parameter of which nothing else says how it is stored"
    assert told == [f"'a' {what}", f"'d' {what}"]
