"""Values that the datapath keeps: steps that wait for their own results, predicted and
simulated."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.cycle_model import Datapaths, datapaths_of
from hlsmem.cycle_model.datapaths import Carried
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.storage.predicted_run import network_of, simulated
from tests.cycle_model.by_rows import way_of
from tests.cycle_model.test_steady_state import skipped_and_plain
from tests.families import by_default
from tests.steps import load

SUM = """
#define N 64
void k(const float x[N], float y[1])
{
    float s = 0;
    for (int i = 0; i < N; i++)
        s += x[i];
    y[0] = s;
}
"""
# A value is back two turns later, by two moves of a cycle each: 2 cycles more on the way.
SECOND = """
#define N 64
void k(const int x[N], int y[N])
{
    int a = 1, b = 2, t;
    for (int i = 0; i < N; i++) {
S:      t = a + x[i];
        a = b;
        b = t;
        y[i] = t;
    }
}
"""
# What each row begins with, a factor that statements without streams compute, and a shift register.
ROWS = """
#define N 40
#define M 10
void k(const int x[N][M], int y[N][M], int z[N])
{
    int r[3];
    for (int i = 0; i < N; i++) {
        int s = 0, f = 1;
        r[0] = i;
        r[1] = 0;
        for (int j = 0; j < M; j++) {
            r[2] = r[1];
            r[1] = r[0];
            r[0] = x[i][j] + f;
            s = r[0] + r[2] * f;
            f = s & 3;
            y[i][j] = s;
        }
        z[i] = s + f;
    }
}
"""
# Which of two statements sets what a row ends with, and when, the data decide.
FOUND = """
#define N 12
#define M 6
void k(const int x[N][M], int y[N])
{
    int b;
    for (int i = 0; i < N; i++) {
        b = 0;
        for (int j = 0; j < M; j++) {
            if (x[i][j] > 4) {
                b = x[i][j];
                break;
            }
            b += j;
        }
        y[i] = b;
    }
}
"""


def settings(arrays: str, kept: str) -> list[str]:
    found = [f"arrays.{name}.storage=stream" for name in arrays]
    return found + [f"arrays.{name}.storage=datapath" for name in kept]


@cache
def planned(folder: Path, text: str, arrays: str, kept: str, *more: str) -> Planning:
    file = folder / "k.c"
    file.write_text(text)
    return plan_hardware(load(file, settings=[*settings(arrays, kept), *more]))


@pytest.mark.parametrize("latency", [0, 1, 2, 4])
def test_a_sum_takes_a_step_in_as_many_cycles_as_its_adder(tmp_path: Path, latency: int) -> None:
    found = planned(tmp_path, SUM, "xy", "s", f"pipeline.latency.S1={latency}")
    assert found.plan.arrays.keys() == {"x", "y"}
    prediction = found.prediction
    assert prediction is not None
    assert prediction.interval == max(1, latency)
    reason = f"m_x_S1 waits for the s of S1, which the datapath has after {latency} cycles"
    assert prediction.reason == (reason if latency > 1 else None)


@pytest.mark.parametrize(("latency", "interval"), [(1, 1.5), (2, 2), (4, 3), (6, 4)])
def test_latencies_are_summed_along_a_cycle(tmp_path: Path, latency: int, interval: float) -> None:
    found = planned(tmp_path, SECOND, "xy", "abt", f"pipeline.latency.S={latency}")
    assert found.prediction is not None
    assert found.prediction.interval == pytest.approx(interval, abs=0.05)


def rows_of(folder: Path, periods: int, latency: int) -> Planning:
    text = ROWS.replace("define N 40", f"define N {periods}")
    return planned(folder, text, "xyz", "rsf", f"pipeline.latency.S6={latency}")


@pytest.mark.parametrize("latency", [1, 3])
def test_rows_and_whole_runs_take_the_same_cycles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, latency: int
) -> None:
    found = rows_of(tmp_path, 60, latency)
    datapaths = datapaths_of(found.program)
    assert {one.array for one in datapaths.carried} == {"r", "s", "f"}
    assert way_of(network_of(found.circuits), datapaths, monkeypatch) == "rows"


def test_cycles_that_repeat_are_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = rows_of(tmp_path, 40, 3)
    assert skipped_and_plain(found.circuits, datapaths_of(found.program), monkeypatch) > 200


def test_what_is_not_awaited_costs_no_cycles(tmp_path: Path) -> None:
    """Without the values that the datapath keeps, its steps start in every cycle."""
    found = rows_of(tmp_path, 40, 3)
    datapaths = datapaths_of(found.program)
    free = Datapaths(latency=datapaths.latency)
    network = network_of(found.circuits)
    assert simulated(network, free).interval == 1
    assert simulated(network, datapaths).interval == pytest.approx(5, abs=0.5)


def test_numbers_alone_are_always_there(tmp_path: Path) -> None:
    """What no stream brings is not waited for, and what is computed from that."""
    found = planned(tmp_path, SUM, "xy", "s")
    names, carried = datapaths_of(found.program).waiting(["S1", "y_out"])
    assert names == ["S1", "y_out", "S2"]
    assert {(one.writer, one.reader) for one in carried} == {("S1", "S1"), ("S1", "S2")}
    assert all(isinstance(one, Carried) for one in carried)


CASES = {
    "sum": (SUM, "xy", "s", ("pipeline.latency.S1=4",)),
    "second": (SECOND, "xy", "abt", ("pipeline.latency.S=2",)),
    "rows": (ROWS.replace("N 40", "N 12"), "xyz", "rsf", ("pipeline.latency.S6=2",)),
    "found": (FOUND, "xy", "b", ("plan.control=predicate",)),
}


@pytest.mark.needs("iverilog")
@pytest.mark.few("sum")
@pytest.mark.parametrize("name", CASES)
def test_the_played_datapath_takes_the_predicted_cycles(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bit-equal C, too, by default of one: what the datapath keeps are variables there."""
    text, arrays, kept, more = CASES[name]
    (tmp_path / "k.c").write_text(text)
    asked = [word for one in (*settings(arrays, kept), *more) for word in ("--set", one)]
    assert main(["plan", str(tmp_path / "k.c"), *asked, "-o", str(tmp_path / "out")]) == 0
    with_c = name == "rows" or by_default(False, True)
    checks = ["--only", "rtl", *(["--only", "host"] if with_c else [])]
    assert main(["check", str(tmp_path / "out"), *checks]) == 0
    told = capsys.readouterr()
    assert "predicted = measured = " in told.out
    report = (tmp_path / "out/report.md").read_text()
    assert "the datapath keeps, without a memory or a stream: " in report
    if name == "sum":
        assert "a step starts every 4.00 cycles" in report
        assert "assumed" not in report


def test_a_sum_of_floats_says_what_it_assumes(tmp_path: Path) -> None:
    found = planned(tmp_path, SUM, "xy", "s")
    (remark,) = [one for one in found.plan.remarks if "assumed" in one]
    assert remark.endswith(
        "S1 waits for its own 's': one cycle is assumed; say how long it takes, as"
        " --set pipeline.latency.S1=4"
    )
