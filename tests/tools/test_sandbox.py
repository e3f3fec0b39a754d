"""The sandbox: what a hostile program can do in it, and what happens where there is none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.emit.folder import write_folder
from hlsmem.errors import LimitError, ToolError
from hlsmem.tools.run import Finished, run
from hlsmem.tools.sandbox import NoSandboxError, Sandbox, contained, obstacle, script
from tests.plans import files_of

BLUR = Path(__file__).resolve().parents[2] / "examples" / "blur" / "design.yaml"
DENIED = 'echo "unshare: unshare failed: Operation not permitted" >&2; exit 1'

needs_namespaces = pytest.mark.skipif(
    obstacle() is not None, reason=f"no sandbox here: {obstacle()}"
)

HOSTILE = """\
import os, pathlib, socket, subprocess
def tried(name, work):
    try:
        print(name, work(), sep="=")
    except OSError as error:
        print(name, error.strerror, sep="=")
def write(place):
    pathlib.Path(place, "hlsmem-was-here").write_text("x")
    return "written"
for place in {places}:
    tried(f"write {{place}}", lambda: write(place))
tried("tmp", lambda: sorted(os.listdir("/tmp")) == sorted({seen}))
tried("home", lambda: os.path.exists({secret!r}))
tried("other", lambda: os.path.exists("/proc/{pid}/cmdline"))
tried("connect", lambda: socket.create_connection(("127.0.0.1", 9), timeout=1))
remount = subprocess.run(["mount", "-n", "-o", "remount,bind,rw", "/"], capture_output=True)
tried("remount", lambda: remount.returncode != 0)
tried("capabilities", lambda: pathlib.Path("/proc/self/status").read_text().split(
    "CapEff:")[1].split()[0].strip("0"))
"""


@pytest.fixture
def distrusting(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("HLSMEM_TRUST")
    obstacle.cache_clear()
    yield
    obstacle.cache_clear()


@pytest.fixture
def denied(
    distrusting: None,  # noqa: ARG001
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An `unshare` that says what it says where the kernel forbids namespaces."""
    programs = tmp_path / "denying"
    programs.mkdir()
    (programs / "unshare").write_text(f"#!/bin/sh\n{DENIED}\n")
    (programs / "unshare").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")


def in_sandbox(tmp_path: Path, *arguments: str, seconds: float = 60) -> Finished:
    work = tmp_path / "work"
    work.mkdir(exist_ok=True)
    sandbox = Sandbox(writable=work)
    return run(list(arguments), folder=work, seconds=seconds, sandbox=sandbox)


@needs_namespaces
@pytest.mark.usefixtures("distrusting")
def test_a_hostile_program_changes_nothing_and_sees_little(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, beside = tmp_path / "home", tmp_path / "beside"
    for folder in (home, beside):
        folder.mkdir()
    (home / "secret").write_text("key")
    monkeypatch.setenv("HOME", str(home))
    text = HOSTILE.format(
        places=[str(beside), "/usr", "/etc", "/dev", "."],
        # What the program writes to, and the interpreter that runs it, may lie in /tmp.
        seen=sorted(
            {
                folder.relative_to("/tmp").parts[0]
                for folder in (tmp_path, Path(sys.prefix))
                if folder.is_relative_to("/tmp")
            }
        ),
        secret=str(home / "secret"),
        pid=os.getpid(),
    )
    printed = in_sandbox(tmp_path, sys.executable, "-c", text).output
    found = dict(line.split("=", 1) for line in printed.splitlines())
    assert found == {
        "write .": "written",
        f"write {beside}": "No such file or directory",
        "write /usr": "Read-only file system",
        "write /etc": "Read-only file system",
        "write /dev": "Read-only file system",
        "tmp": "True",
        "home": "False",
        "other": "False",
        "connect": "Network is unreachable",
        "remount": "True",
        "capabilities": "",
    }
    assert (tmp_path / "work" / "hlsmem-was-here").is_file()
    assert not list(beside.iterdir())


@needs_namespaces
@pytest.mark.usefixtures("distrusting")
def test_a_program_in_a_sandbox_ends_as_it_does_outside(tmp_path: Path) -> None:
    crashed = in_sandbox(tmp_path, "sh", "-c", "echo out; echo err >&2; kill -SEGV $$")
    assert (crashed.ending(), crashed.output) == ("SIGSEGV", "out\n")
    assert crashed.errors.startswith("err\n")
    with pytest.raises(LimitError):
        in_sandbox(tmp_path, "sh", "-c", "(sleep 1; touch late) & sleep 30", seconds=0.4)
    assert not (tmp_path / "work" / "late").exists()


_DRIVER = """\
import tempfile
from pathlib import Path
from hlsmem.tools.run import run
from hlsmem.tools.sandbox import Sandbox

work = Path(tempfile.mkdtemp())
command = ["sh", "-c", 'ls "$TMPDIR"; echo text > "$TMPDIR/own" && cat "$TMPDIR/own"']
done = run(command, folder=work, seconds=10, sandbox=Sandbox(writable=work))
print(done.status, done.output.split() == [work.name, "text"])
"""


@needs_namespaces
@pytest.mark.usefixtures("distrusting")
def test_a_script_among_temporary_files_shows_none_of_them(tmp_path: Path) -> None:
    """Its folder is on the path of Python, as those of tools are, which a sandbox shows."""
    (tmp_path / "driver.py").write_text(_DRIVER)
    surroundings = {**os.environ, "TMPDIR": str(tmp_path)}
    command = [sys.executable, tmp_path / "driver.py"]
    done = subprocess.run(command, env=surroundings, capture_output=True, text=True, check=True)
    assert done.stdout == "0 True\n"


@needs_namespaces
@pytest.mark.usefixtures("distrusting")
def test_limits_of_hlsmem_itself_hold_in_a_sandbox(tmp_path: Path) -> None:
    """`ulimit -t 30; hlsmem check`: a hard limit is passed by nobody without privileges."""
    text = (
        "import sys; from pathlib import Path; from tests.tools.test_sandbox import in_sandbox;"
        "done = in_sandbox(Path(sys.argv[1]), 'sh', '-c', 'ulimit -Ht', seconds=60);"
        "print(done.output, done.errors)"
    )
    words = ["prlimit", "--cpu=20:30", sys.executable, "-c", text, str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "30"


@needs_namespaces
@pytest.mark.usefixtures("distrusting")
def test_what_cannot_be_made_is_no_verdict_on_the_program(tmp_path: Path) -> None:
    sandbox = Sandbox(writable=tmp_path / "absent")
    with pytest.raises(ToolError, match="the sandbox could not be made: mount"):
        run(["true"], folder=tmp_path, seconds=20, sandbox=sandbox)


@pytest.mark.usefixtures("denied")
def test_without_namespaces_nothing_of_a_design_runs(tmp_path: Path) -> None:
    with pytest.raises(NoSandboxError) as caught:
        in_sandbox(tmp_path, "touch", "ran")
    assert "does not let unshare make namespaces (unshare: unshare failed" in str(caught.value)
    assert not (tmp_path / "work" / "ran").exists()


@pytest.mark.usefixtures("denied")
def test_a_word_of_the_user_runs_it_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HLSMEM_TRUST", "1")
    sandbox = Sandbox(writable=tmp_path)
    assert contained(["touch", "ran"], sandbox, folder=tmp_path, seconds=1) == ["touch", "ran"]


@pytest.mark.usefixtures("denied")
def test_check_without_namespaces_runs_the_rest_and_is_exit_3(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    write_folder(out, files_of(BLUR, {"N": 8}))
    assert main(["check", str(out), "--only", "exact", "--only", "replay"]) == 3
    printed = capsys.readouterr()
    assert "Passed: exact; not judged: replay; not run: " in printed.out
    assert "\nNot judged: replay of blur.\n" in printed.out
    assert "| not judged | no sandbox for the programs" in printed.out
    assert "bubblewrap" in printed.out
    assert "--trust" in printed.out
    written = json.loads((out / "checks.json").read_text())
    assert [one["verdict"] for one in written["checks"]] == ["pass", "pass", "not judged"]
    assert written["isolated"] is False


def test_what_lies_below_a_hidden_folder_is_seen_where_it_was() -> None:
    text = script(
        Path("/tmp/work"),
        kept=[Path("/tmp/out"), Path("/home/me/tool's"), Path("/usr")],
        hidden=[Path("/tmp"), Path("/home/me"), Path("/usr")],
        writable_mounts=[("/", "ro,relatime"), ("/tmp/disk", "ro")],
        folder=Path("/tmp/out"),
        limits=["--core=0"],
    )
    lines = [line.removesuffix(" &&") for line in text.splitlines()]
    # What is kept as a whole is not hidden; what is hidden need not become read-only.
    assert not [line for line in lines if "/usr" in line or "/tmp/disk" in line]
    moved = [line for line in lines if "--move" in line]
    assert [line.split(" ", 4)[4] for line in moved] == [
        "/tmp/out",
        "'/home/me/tool'\"'\"'s'",
        "/tmp/work",
    ]
    # The working folder is bound before all becomes read-only, and so it stays writable.
    order = [
        next(k for k, line in enumerate(lines) if part in line)
        for part in ("--bind /tmp/work", "ro,relatime", "--bind /tmp/out", "tmpfs /tmp", "cd ")
    ]
    assert order == sorted(order)
