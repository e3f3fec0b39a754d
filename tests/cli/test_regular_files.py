"""What is no regular file in the place of one that a verb reads: a message, and no waiting."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from tests.conftest import EXAMPLES
from tests.plans import files_of, put

BLUR = EXAMPLES / "blur" / "design.yaml"
READERS = ("check out --only source", "view out", "explain out", "diff out out", "synth out")
KERNEL = """\
#include "types.h"
void k(const int in[N], int out[N])
{
    int t[N];
    for (int i = 0; i < N; i++)
        t[i] = in[i];
    for (int i = 0; i < N; i++)
        out[i] = t[i];
}
"""
DESIGN = "hlsmem: 1\nname: k\nkernel: {file: k.c, cflags: [-DN=8]}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put_in_place(kind: str, file: Path) -> None:
    """Replace a file by what is none."""
    file.unlink(missing_ok=True)
    match kind:
        case "a named pipe":
            os.mkfifo(file)
        case "a folder":
            file.mkdir()
        case _:
            file.symlink_to("/dev/zero")


@pytest.mark.parametrize("reader", READERS)
def test_a_file_of_out(reader: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = files_of(BLUR, {"N": 8})
    put(folder / "kept", files)
    names = [name for name in files if not name.endswith(".core")]
    kinds = ["a named pipe", "a folder", "a symbolic link"]
    for number, name in enumerate(names):
        kind = kinds[number % 3]
        if kind == "a folder" and not Path(name).suffix:
            continue
        shutil.rmtree("out", ignore_errors=True)
        shutil.copytree("kept", "out")
        put_in_place(kind, folder / "out" / name)
        code, error = main(reader.split()), capsys.readouterr().err
        if kind == "a folder" and name.startswith(("design/", "source/")):
            # Headers may stand in folders of any name, and not all are read; 3: a tool is missing.
            assert code in (0, 2, 3)
            continue
        assert code == 2, name
        said = "is a pipe, a socket or a device" if kind == "a named pipe" else f"is {kind}"
        assert f"{name}' {said}; put the file itself there, or plan again" in error


@pytest.mark.parametrize("kind", ["a named pipe", "a folder", "a device"])
@pytest.mark.parametrize("name", ["design.yaml", "k.c", "include/types.h", "bodies.c", "seen"])
def test_a_file_of_a_design(
    name: str, kind: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "include").mkdir()
    (folder / "include" / "types.h").write_text("\n")
    (folder / "k.c").write_text(KERNEL)
    (folder / "design.yaml").write_text(DESIGN)
    (folder / "seen").write_text("N=8\n")
    command = ["plan", "design.yaml", "--include", "include"]
    assert main(["rank", *command[1:], "S0"]) == 0
    capsys.readouterr()
    if name == "bodies.c":
        design = EXAMPLES / "blur" / "network.yaml"
        text = design.read_text() + "code: {file: bodies.c}\n"
        (folder / "design.yaml").write_text(text)
    if name == "seen":
        (folder / "k.c").write_text(
            KERNEL.replace("k(", "k(int N, ").replace("int t[N]", "int t[9]")
        )
        (folder / "design.yaml").write_text(
            DESIGN.replace(", cflags: [-DN=8]", "") + "params: {N: 8}\n"
        )
        command += ["--profile", name, "--set", "host.specialise=auto"]
    put_in_place(kind, folder / name)
    assert main(command) == 2
    error = capsys.readouterr().err
    assert Path(name).name in error
    assert "; " in error


def test_a_list_and_a_plan_that_are_none(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "out").mkdir()
    os.mkfifo(folder / "out" / "plan.json")
    assert main(["plan", str(BLUR), "--param", "N=8", "-o", "out"]) == 2
    assert "it has no plan.json of hlsmem" in capsys.readouterr().err
    (folder / "out" / "plan.json").unlink()
    (folder / "out" / "plan.json").write_text(files_of(BLUR, {"N": 8})["plan.json"])
    os.mkfifo(folder / "out" / ".hlsmem")
    assert main(["plan", str(BLUR), "--param", "N=8", "-o", "out"]) == 2
    assert "it has no .hlsmem" in capsys.readouterr().err
    assert main(["diff", "out/plan.json", "out/.hlsmem"]) == 2
