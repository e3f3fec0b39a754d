"""Every exit code that README lists, each from a cause of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.polyhedra import PolyhedralError
from tests.cli.planted import plant_verb
from tests.conftest import EXAMPLES
from tests.plans import files_of, put

BLUR = EXAMPLES / "blur" / "design.yaml"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    put(tmp_path / "out", files_of(BLUR, {"N": 8}))
    return tmp_path / "out"


def plant(out: Path, key: str, value: object) -> None:
    document = json.loads((out / "plan.json").read_text())
    document["memories"]["blurx"][key] = value
    (out / "plan.json").write_text(json.dumps(document))


def test_0_where_all_is_proved(out: Path) -> None:
    assert main(["check", str(out), "--only", "proof"]) == 0


def test_1_where_a_claim_is_false(out: Path) -> None:
    plant(out, "words", 18)
    assert main(["check", str(out), "--only", "proof"]) == 1


def test_2_where_the_input_is_none(out: Path) -> None:
    plant(out, "words", -1)
    assert main(["check", str(out), "--only", "proof"]) == 2


def test_3_where_a_tool_is_missing(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.delenv("CC", raising=False)
    assert main(["check", str(out), "--only", "host"]) == 3


def test_4_where_a_limit_is_hit(
    out: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("hlsmem.check.rtl.rtl_verdicts.ACCESSES", 100)
    assert main(["check", str(out), "--only", "rtl"]) == 4
    assert "a simulation would compare 112 beats, more than 100" in capsys.readouterr().err


def test_4_where_there_is_no_memory_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def greedy(**_: str) -> int:
        raise MemoryError

    plant_verb(monkeypatch, "schema", greedy)
    assert main(["schema"]) == 4
    assert capsys.readouterr().err.startswith("hlsmem: there is no memory left; take smaller")


def test_4_where_isl_has_no_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(**_: str) -> int:
        raise PolyhedralError("call to isl_map_coalesce failed")

    plant_verb(monkeypatch, "schema", fails)
    assert main(["schema"]) == 4
    told = capsys.readouterr().err
    assert told.startswith("hlsmem: isl fails at it (call to isl_map_coalesce failed); take simple")
    report = Path(told.split()[-1])
    assert "call to isl_map_coalesce failed" in report.read_text()
    report.unlink()


def test_70_where_hlsmem_has_a_bug(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(**_: str) -> int:
        raise ZeroDivisionError

    plant_verb(monkeypatch, "schema", broken)
    assert main(["schema"]) == 70
    Path(capsys.readouterr().err.split()[-1]).unlink()


_BEFORE_IT_RUNS = """
import os, resource, signal, sys
from dataclasses import replace
from hlsmem.verb import VERBS
from hlsmem.cli.main import run
signal.signal(signal.SIGINT, signal.default_int_handler)
def work(of):
    WORK
VERBS.own["schema"] = replace(VERBS.own["schema"], run=work)
run()
"""


def _ran(work: str) -> subprocess.CompletedProcess[bytes]:
    """The command as a user starts it, with other work in a verb."""
    program = _BEFORE_IT_RUNS.replace("WORK", work.replace("\n", "\n    "))
    command = [sys.executable, "-c", program, "schema"]
    return subprocess.run(command, capture_output=True, env=dict(os.environ), timeout=300)


# What isl does where it gets no memory: with none left, and in a copy of the process.
_ABORTS = """
from hlsmem.polyhedra.limits import WorkLimitError, within
try:
    within(10, lambda report: os.abort())
except WorkLimitError as error:
    assert error.signal == signal.SIGABRT
    print("the copy", flush=True)
size = int(open("/proc/self/statm").read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
resource.setrlimit(resource.RLIMIT_AS, (size, resource.getrlimit(resource.RLIMIT_AS)[1]))
held = []
try:
    while True:
        held.append(bytes(1000))
except MemoryError:
    os.abort()
"""


def test_4_where_a_library_ends_the_process() -> None:
    done = _ran(_ABORTS)
    assert (done.returncode, done.stdout) == (4, b"the copy\n")
    assert done.stderr.startswith(b"hlsmem: a library that it works with has ended it")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_130_and_143_where_somebody_ends_it(sent: signal.Signals, code: int) -> None:
    done = _ran(f"os.kill(os.getpid(), {int(sent)}) or signal.pause()")
    assert done.returncode == code, done.stderr
