"""A hostile OUT is exit 2, leaves nothing, and nothing of it is read or run."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.core.errors import InputError
from hlsmem.emit.output_folder import write_folder
from hlsmem.plan import plan_folder as folder
from hlsmem.plan.plan_folder import refuse_strange
from tests.plans import files_of

BLUR = Path(__file__).resolve().parents[2] / "examples" / "blur" / "design.yaml"
TB = 1 << 40


@pytest.fixture
def out(tmp_path: Path) -> Path:
    write_folder(tmp_path / "out", files_of(BLUR, {"N": 8}))
    return tmp_path / "out"


def linked(file: Path) -> None:
    file.unlink(missing_ok=True)
    file.symlink_to("/etc/hostname")


def piped(file: Path) -> None:
    file.unlink(missing_ok=True)
    os.mkfifo(file)


def listening(file: Path) -> None:
    file.unlink(missing_ok=True)
    here = Path.cwd()
    os.chdir(file.parent)  # names of sockets are short
    try:
        socket.socket(socket.AF_UNIX).bind(file.name)
    finally:
        os.chdir(here)


def sparse(file: Path) -> None:
    with file.open("ab") as stream:
        os.truncate(stream.fileno(), TB)


def renamed(file: Path) -> None:
    file.with_name("a\nb.v").write_text("module x; endmodule\n")


FAULTS: dict[Callable[[Path], None], str] = {
    linked: "is a symbolic link",
    piped: "is a pipe, a socket or a device",
    listening: "is a pipe, a socket or a device",
    sparse: f"has {TB} bytes, more than 64 MiB",
    renamed: "has a name that does not print",
}
NAMES = (
    "plan.json",
    ".hlsmem",
    "design/design.yaml",
    "design/normal.c",
    "rtl/more.v",
    "host/blur.c",
    "sim/blur.json",
    "checks.json",
    "report.md",
    "verify.py",
)


@pytest.mark.few("host", "hlsmem")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_what_is_no_file_is_named(out: Path, name: str, fault: Callable[[Path], None]) -> None:
    fault(out / name)
    if fault is renamed and "/" not in name:
        return  # it is the user's
    with pytest.raises(InputError) as caught:
        refuse_strange(out)
    (problem,) = caught.value.problems
    assert problem.what.endswith(f"' {FAULTS[fault]}")


@pytest.mark.parametrize(
    "command",
    [["check"], ["check", "--only", "generated"], ["explain"], ["view"], ["synth"], ["bench"]],
    ids=" ".join,
)
def test_every_verb_on_a_folder_refuses_it(
    out: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    sparse(out / "rtl" / "more.v")
    before = sorted(out.rglob("*"))
    assert main([*command, str(out)]) == 2
    assert "more.v' has " in capsys.readouterr().err
    assert sorted(out.rglob("*")) == before


def test_a_folder_is_not_walked_without_end(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "_MOST_FILES", 300)
    many = out / "mine" / "deep"
    many.mkdir(parents=True)
    for number in range(300):
        (many / str(number)).touch()
    with pytest.raises(InputError, match="has more than 300 files and folders; choose a folder"):
        refuse_strange(out)


def test_what_is_of_the_user_may_be_anything(out: Path) -> None:
    linked(out / "mine")
    sparse(out / "large")
    os.mkfifo(out / "pipe")
    (out / "sim" / "blur.fst").touch()
    sparse(out / "sim" / "blur.fst")
    refuse_strange(out)


@pytest.mark.parametrize("name", ["../../x", "/etc/x", "a/b", "a\nb", "a b", "$(touch x)"])
def test_a_design_is_no_path(out: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads((out / "plan.json").read_text())
    document["design"] = name
    (out / "plan.json").write_text(json.dumps(document))
    before = sorted(out.parent.rglob("*"))
    assert main(["check", str(out), "--only", "rtl", "--only", "host", "--waves"]) == 2
    assert "design is " in capsys.readouterr().err
    assert sorted(out.parent.rglob("*")) == before
