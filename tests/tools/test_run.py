"""Running programs: status, output, time limit, and what cannot be started."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from hlsmem.core.errors import LimitError, ToolError
from hlsmem.tools.run import run


def test_gives_status_output_and_errors(tmp_path: Path) -> None:
    finished = run(
        [sys.executable, "-c", "import sys; print('a'); print('b', file=sys.stderr); sys.exit(7)"],
        folder=tmp_path,
        seconds=20,
    )
    assert (finished.status, finished.output, finished.errors) == (7, "a\n", "b\n")
    assert not finished.succeeded
    assert finished.ending() == "exit status 7"
    assert finished.last_lines() == "b\n\na"


def test_arguments_are_not_read_by_a_shell(tmp_path: Path) -> None:
    finished = run(["echo", "$HOME; ls *"], folder=tmp_path, seconds=20)
    assert finished.output == "$HOME; ls *\n"


def test_standard_input_is_empty(tmp_path: Path) -> None:
    assert run(["cat"], folder=tmp_path, seconds=20).output == ""


def test_a_signal_has_a_name(tmp_path: Path) -> None:
    finished = run([sys.executable, "-c", "import os; os.abort()"], folder=tmp_path, seconds=20)
    assert finished.ending() == "SIGABRT"


def test_a_missing_program_is_a_tool_error(tmp_path: Path) -> None:
    with pytest.raises(ToolError) as caught:
        run(["no-such-program"], folder=tmp_path, seconds=20)
    assert str(caught.value) == (
        "cannot run 'no-such-program': No such file or directory; install it"
    )


def test_children_end_with_the_time_limit(tmp_path: Path) -> None:
    script = tmp_path / "nest.sh"
    script.write_text("(sleep 1; touch late) &\nsleep 30\n")
    with pytest.raises(LimitError) as caught:
        run(["sh", "nest.sh"], folder=tmp_path, seconds=0.3)
    assert str(caught.value) == "'sh' took longer than 0.3 s; try a smaller design"
    time.sleep(1.0)
    assert not (tmp_path / "late").exists()


def test_an_interrupt_when_the_program_has_just_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = subprocess.Popen.communicate
    told: list[float | None] = []

    def communicate(
        self: subprocess.Popen[str], input: str | None = None, timeout: float | None = None
    ) -> tuple[str, str]:
        told.append(timeout)
        found = real(self, input, timeout)
        if len(told) == 1:
            raise KeyboardInterrupt
        return found

    monkeypatch.setattr(subprocess.Popen, "communicate", communicate)
    with pytest.raises(KeyboardInterrupt):
        run(["true"], folder=tmp_path, seconds=20)
    assert told == [20, None]


def test_environment_is_added_to(tmp_path: Path) -> None:
    finished = run(
        ["sh", "-c", "echo $X; command -v ls"],
        folder=tmp_path,
        seconds=20,
        environment={"X": "here"},
    )
    assert finished.output.startswith("here\n/")


def test_a_large_stack_is_as_large_as_the_system_lets_it(tmp_path: Path) -> None:
    command = ["sh", "-c", 'ulimit -S -s; ulimit -H -s; echo "$0 $*"', "a b", "$HOME"]
    finished = run(command, folder=tmp_path, seconds=20, large_stack=True)
    soft, hard, told = finished.output.splitlines()
    assert soft == hard
    assert told == "a b $HOME"
