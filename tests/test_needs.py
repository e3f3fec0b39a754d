"""What a test says it needs: it is skipped, counted by tool, and run once the tool is there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.tools.test_find import fake

ROOT = Path(__file__).resolve().parent.parent
TESTS = """
import pytest

@pytest.fixture(scope="module")
def compiled():
    import subprocess
    return subprocess.run(["clang"], check=True)

@pytest.mark.needs("clang")
def test_in_c(compiled):
    pass

@pytest.mark.needs("iverilog")
@pytest.mark.parametrize("seed", [1, 2])
def test_in_verilog(seed):
    pass

def test_of_another_system():
    pytest.skip("not here")

def test_that_needs_nothing():
    pass
"""


def run(folder: Path, *options: str) -> tuple[int, list[str]]:
    """The exit code and the lines of a run where the tools of the folder are all there are."""
    (folder / "test_tools.py").write_text(TESTS)
    environment = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    environment |= {"PATH": str(folder), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pytest", "-p", "tests.needs", "-W", "ignore", *options]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout.splitlines()


def test_what_is_skipped_is_told_by_tool_and_runs_once_the_tool_is_there(tmp_path: Path) -> None:
    code, lines = run(tmp_path, "-n", "2", "-rs")
    assert code == 0
    assert lines.count("needs clang: apt-get install clang") == 1
    assert "4 skipped: clang 1, iverilog 2, for other reasons 1" in lines
    assert any(line.startswith("SKIPPED [2]") and "needs iverilog: " in line for line in lines)
    run(tmp_path, "--collect-only")  # no run: what the last one skipped stays known
    fake(tmp_path, "clang", "14.0.6")
    code, lines = run(tmp_path, "--skipped", "--all-tools")
    assert code == 1
    assert "1 passed, 2 deselected, 2 errors" in lines[-1]
    assert any(line == "needs iverilog: apt-get install iverilog" for line in lines)
