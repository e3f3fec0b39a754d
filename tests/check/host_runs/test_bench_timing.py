"""`hlsmem bench`: programs are compared before they are timed, and times are those of each."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from hlsmem.check.c_runs.c_harness import timer
from hlsmem.check.c_runs.c_interface import Argument, Interface
from hlsmem.check.host_runs.bench_timing import Timed
from hlsmem.check.host_runs.host_bench import Bench
from hlsmem.cli.main import main
from hlsmem.tools.run import Finished
from tests.conftest import EXAMPLES

KERNEL = """
#define N 8
void f(const float in[N], float out[N])
{
    float t[N];
#pragma scop
    for (int i = 0; i < N; i++) {
        t[i] = in[i] * 2.0f;
        out[i] = t[i] + 1.0f;
    }
#pragma endscop
}
"""
DESIGN = 'hlsmem: 1\nname: f\nparams: {N: 8}\ncontext: "[N] -> { : N >= 2 }"\nkernel: {file: f.c}\n'


def planned(folder: Path, kernel: str = KERNEL) -> Path:
    folder.mkdir()
    (folder / "f.c").write_text(kernel)
    (folder / "design.yaml").write_text(DESIGN)
    assert main(["plan", str(folder / "design.yaml"), "-o", str(folder / "out")]) == 0
    return folder / "out"


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return planned(tmp_path_factory.mktemp("bench") / "f")


ONCE = ["--starts", "1", "--rounds", "1"]


def test_times_of_both_at_other_sizes(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["bench", str(out), "--param", "N=64", "--json", *ONCE]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["params"] == {"N": 64}
    (own,) = found["outs"]
    assert own["seconds"] > 0
    assert found["original"] > 0
    assert own["ratio"] == pytest.approx(own["seconds"] / found["original"])
    assert own["least"] == own["greatest"] == own["ratio"]


def test_what_is_printed_is_what_is_timed(
    out: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The flags of the head are those with which both programs were compiled."""
    commands = list[list[str]]()

    def compiled(self: Bench, arguments: Sequence[str], folder: Path) -> Finished:
        commands.append(list(arguments))
        return as_it_is(self, arguments, folder)

    as_it_is = Bench.compile
    monkeypatch.setattr(Bench, "compile", compiled)
    assert main(["bench", str(out), *ONCE]) == 0
    printed = set(re.findall(r" (-\S+?)(?=[ ;])", capsys.readouterr().out.splitlines()[0]))
    assert printed == {"-O3", "-march=native", "-ffp-contract=off"}
    timed = [one for one in commands if any(word.endswith("timer.c") for word in one)]
    assert len(timed) == 2
    for one in timed:
        assert printed == {word for word in one if re.match("-[Omf]", word)}


def test_values_that_rest_on_an_overflow_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    overflow = """
#define N 8
void f(const int in[N], int out[N])
{
    int t[N];
#pragma scop
    for (int i = 0; i < N; i++) {
        t[i] = in[i] | 1;
        out[i] = t[i] * 2147483647 / 2147483647 == t[i];
    }
#pragma endscop
}
"""
    out = planned(tmp_path / "f", overflow)
    capsys.readouterr()
    assert main(["bench", str(out), *ONCE]) == 0
    head, _, named, *_ = capsys.readouterr().out.splitlines()
    assert " -fwrapv;" in head
    assert named == "Signed integers overflow: without -fwrapv the values are others."


def test_times_that_differ_from_start_to_start_are_unsteady() -> None:
    steady = Timed(name="a", seconds=1.0, ratio=1.0, least=0.96, greatest=1.05)
    assert steady.is_steady
    assert not replace(steady, greatest=1.06).is_steady


def test_c_that_is_wrong_is_not_timed(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = out / "host" / "f.c"
    text = file.read_text()
    file.write_text(text.replace("1.0f", "2.0f"))
    try:
        assert main(["bench", str(out), *ONCE]) == 1
    finally:
        file.write_text(text)
    assert "the original gives" in capsys.readouterr().err


def test_results_that_are_not_finite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = planned(tmp_path / "f", KERNEL.replace("in[i] * 2.0f", "in[i] / 0.0f"))
    assert main(["bench", str(out), *ONCE]) == 2
    assert "which proves nothing" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--param", "M=3"], "--param M: the plan has no such parameter; parameters: N"),
        (["--param", "N=1"], "the plan does not hold at N=1; keep to its context"),
    ],
)
def test_what_cannot_be_compared(
    out: Path, words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", str(out), *words]) == 2
    assert told in capsys.readouterr().err


def test_plans_of_different_kernels(
    out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = planned(tmp_path / "g", KERNEL.replace("2.0f", "3.0f"))
    assert main(["bench", str(out), "--against", str(other)]) == 2
    assert "are plans of different kernels" in capsys.readouterr().err


def test_a_conflict_set_has_no_original(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    design = EXAMPLES / "blur" / "conflicts.yaml"
    assert main(["plan", str(design), "-o", str(tmp_path / "out")]) == 0
    assert main(["bench", str(tmp_path / "out")]) == 2
    assert "was not planned from C" in capsys.readouterr().err


def test_inputs_are_as_before_in_every_round() -> None:
    """Else what a kernel adds to an argument grows until it is infinite."""
    one = Argument(name="c", type="double", extents=(4,))
    text = timer(Interface(function="f", arguments=(one,)), 0.01)
    assert text.count("memcpy(given_c, first_c, 4u * sizeof(double));") == 2


def test_the_clock_is_not_that_of_ticks() -> None:
    """A limit of processor time, which the sandbox sets, makes the clock of a process coarse."""
    text = timer(Interface(function="f", arguments=()), 0.01)
    assert "CLOCK_THREAD_CPUTIME_ID" in text
    assert "CLOCK_PROCESS_CPUTIME_ID" not in text
