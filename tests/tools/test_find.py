"""Finding compilers: fake ones on PATH, too old ones, named ones, none."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.errors import ToolError
from hlsmem.tools.find import C_COMPILER, find, supports, survey


def fake(folder: Path, name: str, output: str, status: int = 0) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{output}'\nexit {status}\n")
    path.chmod(0o755)
    return path


def path_of(*folders: Path) -> dict[str, str]:
    return {"PATH": ":".join(map(str, folders))}


def test_takes_the_first_name_on_path(tmp_path: Path) -> None:
    fake(tmp_path, "gcc", "12.2.0")
    fake(tmp_path, "clang", "14.0")
    tool = find(C_COMPILER, path_of(tmp_path))
    assert tool.command == (str(tmp_path / "gcc"),)
    assert tool.version == (12, 2, 0)
    assert tool.version_text == "12.2.0"


def test_skips_what_is_too_old_or_broken(tmp_path: Path) -> None:
    fake(tmp_path, "cc", "4.8.5")
    fake(tmp_path, "gcc", "13.1.0", status=1)
    fake(tmp_path, "clang", "Debian clang version 14.0.6")
    assert find(C_COMPILER, path_of(tmp_path)).command == (str(tmp_path / "clang"),)


def test_the_variable_goes_first_and_may_have_arguments(tmp_path: Path) -> None:
    fake(tmp_path, "gcc", "12.2.0")
    mine = fake(tmp_path, "mine", "9.1")
    tool = find(C_COMPILER, {**path_of(tmp_path), "CC": f"{mine} -m32"})
    assert tool.command == (str(mine), "-m32")
    assert tool.version == (9, 1)


def test_none_on_path_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(ToolError) as caught:
        find(C_COMPILER, path_of(tmp_path))
    assert str(caught.value) == (
        "no C compiler for the checks: none of cc, gcc, clang is on PATH and runs; "
        "install gcc or clang (Debian, Ubuntu: apt-get install gcc libc6-dev; Fedora: dnf "
        "install gcc; macOS: xcode-select --install), or name one in CC"
    )
    assert caught.value.exit_code == 3


def test_only_old_ones_are_named(tmp_path: Path) -> None:
    old = fake(tmp_path, "cc", "4.8.5")
    with pytest.raises(ToolError) as caught:
        find(C_COMPILER, path_of(tmp_path))
    message = f"{old} is version 4.8.5, but the checks need 4.9 or later; "
    assert str(caught.value).startswith(message)


def test_a_variable_that_names_nothing(tmp_path: Path) -> None:
    fake(tmp_path, "gcc", "12.2.0")
    with pytest.raises(ToolError) as caught:
        find(C_COMPILER, {**path_of(tmp_path), "CC": "nowhere"})
    assert str(caught.value).startswith(
        "CC names 'nowhere', which is no C compiler that runs; unset CC, or install gcc"
    )


def test_flags_that_a_compiler_does_not_know() -> None:
    compiler = find(C_COMPILER)
    assert supports(compiler, ["-O1"])
    assert not supports(compiler, ["-fno-such-flag"])


def test_the_survey_lists_what_is_missing(tmp_path: Path) -> None:
    states = {state.name: state for state in survey(path_of(tmp_path))}
    compiler = states["C compiler"]
    assert compiler.required
    assert not compiler.usable
    assert "apt-get install gcc" in compiler.remedy
    assert not states["Icarus Verilog"].usable
    assert not states["Icarus Verilog"].required


def test_verilator_versions_are_told_as_it_tells_them(tmp_path: Path) -> None:
    fake(tmp_path, "verilator", "Verilator 5.040 2025-08-30 rev v5.040")
    for tool in ("perl", "make", "g++"):
        fake(tmp_path, tool, "")
    states = {state.name: state for state in survey(path_of(tmp_path))}
    verilator = states["Verilator"]
    assert (verilator.version, verilator.minimum, verilator.usable) == ("5.040", "5.036", True)
