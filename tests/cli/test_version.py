"""What the command says of its version, and of the library that reads C and C++."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.version import TOOL

KERNEL = "void f(const int a[4], int b[4]) { for (int i = 0; i < 4; i++) b[i] = a[i]; }\n"


def test_the_version_names_libclang(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert not caught.value.code
    assert capsys.readouterr().out.startswith(f"{TOOL}, libclang")


def test_the_version_says_where_libclang_is_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    with pytest.raises(SystemExit):
        main(["--version"])
    assert "no libclang: C and C++ are not read; pip install libclang" in capsys.readouterr().out


def test_a_missing_libclang_is_a_missing_tool(tmp_path: Path) -> None:
    """Where its Python is not there, exit status 3 and the command that brings it."""
    package = tmp_path / "hidden/clang"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('raise ImportError("hidden")\n')
    (tmp_path / "k.c").write_text(KERNEL)
    command = [sys.executable, "-m", "hlsmem", "plan", "k.c"]
    given = {**os.environ, "PYTHONPATH": str(package.parent)}
    done = subprocess.run(
        command, cwd=tmp_path, env=given, capture_output=True, text=True, check=False
    )
    assert done.returncode == 3
    assert "libclang 18 or newer, which is not here: hidden; pip install libclang" in done.stderr
    assert not (tmp_path / "build").exists()
