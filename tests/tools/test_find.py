"""Finding compilers: fake ones on PATH, too old ones, named ones, none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hlsmem.core.errors import MissingToolError, ToolError
from hlsmem.tools.find import C_COMPILER, find, supports


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
        "install it (apt-get install gcc libc6-dev; dnf install gcc; xcode-select --install), "
        "or name one in CC"
    )
    assert caught.value.exit_code == 3


def test_one_command_brings_it_on_the_system_at_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(MissingToolError) as caught:
        find(C_COMPILER, path_of(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert caught.value.command == "apt-get install gcc libc6-dev"  # nothing says better
    fake(tmp_path, "dnf", "4.14")
    assert caught.value.command == "dnf install gcc"


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
        "CC names 'nowhere', which is no C compiler that runs; unset CC, or install it"
    )


def test_flags_that_a_compiler_does_not_know() -> None:
    compiler = find(C_COMPILER)
    assert supports(compiler, ["-O1"])
    assert not supports(compiler, ["-fno-such-flag"])


def test_numbers_in_names_are_no_versions(tmp_path: Path) -> None:
    fake(tmp_path, "gcc", "place-ecp5 -- a tool of its own (Version 0.11.1.0)")
    with pytest.raises(ToolError, match=r"version 0\.11\.1\.0"):
        find(C_COMPILER, path_of(tmp_path))


def test_a_tool_that_prepares_itself_first_is_waited_for(tmp_path: Path) -> None:
    (tmp_path / "gcc").write_text("#!/bin/sh\nsleep 0.4\necho 12.2.0\n")
    (tmp_path / "gcc").chmod(0o755)
    path = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    hasty = replace(C_COMPILER, commands=("gcc",), seconds=0.1)
    with pytest.raises(ToolError):
        find(hasty, {"PATH": str(tmp_path), "CC": str(tmp_path / "gcc")})
    assert find(replace(hasty, seconds=60), path).version == (12, 2, 0)
