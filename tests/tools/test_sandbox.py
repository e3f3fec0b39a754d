"""The sandbox: what a hostile program can do in it, and what happens where there is none."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hlsmem.check.host_runs import host_bench, host_sizes
from hlsmem.cli.main import main
from hlsmem.core.errors import LimitError, ToolError
from hlsmem.core.watchdog import gone_afterwards
from hlsmem.emit.output_folder import write_folder
from hlsmem.tools import sandbox as sandboxes
from hlsmem.tools.run import Finished, run
from hlsmem.tools.sandbox import NoSandboxError, Sandbox, obstacle
from tests.plans import files_of

BLUR = Path(__file__).resolve().parents[2] / "examples" / "blur" / "design.yaml"
DENIED = 'echo "unshare: Operation not permitted" >&2; exit 1'

needs_namespaces = pytest.mark.skipif(
    obstacle() is not None, reason=f"no sandbox here: {obstacle()}"
)


@pytest.fixture
def distrusting(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("HLSMEM_TRUST")
    sandboxes._tried.cache_clear()
    yield
    sandboxes._tried.cache_clear()


@pytest.fixture
def denied(
    distrusting: None,  # noqa: ARG001
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Makers that say what they say where the kernel forbids namespaces."""
    makers = {"bubblewrap": ["no-such-bwrap"], "namespaces": ["sh", "-c", DENIED]}
    monkeypatch.setattr(
        sandboxes, "_MAKERS", {name: lambda *_, it=it: it for name, it in makers.items()}
    )


def in_sandbox(tmp_path: Path, *arguments: str, seconds: float = 60) -> Finished:
    work = tmp_path / "work"
    work.mkdir(exist_ok=True)
    sandbox = Sandbox(writable=work)
    return run(list(arguments), folder=work, seconds=seconds, sandbox=sandbox)


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
command = ["sh", "-c", 'ls ..; echo text > ../own && cat ../own']
done = run(command, folder=work, seconds=60, sandbox=Sandbox(writable=work))
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
    assert not (tmp_path / "own").exists()


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
def test_what_cannot_be_made_is_no_verdict_on_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox = Sandbox(writable=tmp_path / "absent")
    with pytest.raises(ToolError, match=r"the sandbox has no folder .*/absent: No such file"):
        run(["true"], folder=tmp_path, seconds=20, sandbox=sandbox)
    work = tmp_path / "work"
    work.mkdir()
    (work / "large").write_bytes(bytes(2 << 20))
    monkeypatch.setattr(sandboxes, "_QUOTA", 1 << 20)
    with pytest.raises(ToolError, match=r"the sandbox could not be made: .*No space left"):
        run(["true"], folder=work, seconds=60, sandbox=Sandbox(writable=work))


@pytest.mark.usefixtures("denied")
def test_without_namespaces_nothing_of_a_design_runs(tmp_path: Path) -> None:
    with pytest.raises(NoSandboxError) as caught:
        in_sandbox(tmp_path, "touch", "ran")
    assert "does not let hlsmem make namespaces (unshare: Operation not permitted)" in str(
        caught.value
    )
    assert not (tmp_path / "work" / "ran").exists()


@pytest.mark.usefixtures("denied")
def test_a_word_of_the_user_runs_it_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HLSMEM_TRUST", "1")
    assert in_sandbox(tmp_path, "sh", "-c", "touch ran; echo $HOME").output.strip()
    assert (tmp_path / "work" / "ran").is_file()


@pytest.mark.usefixtures("denied")
def test_check_without_namespaces_runs_the_rest_and_is_exit_3(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    write_folder(out, files_of(BLUR, {"N": 8}))
    assert main(["check", str(out), "--only", "proof", "--only", "replay"]) == 3
    printed = capsys.readouterr()
    assert "Passed: proof; not judged: replay; not run: " in printed.out
    assert "\nNot judged: replay of blur.\n" in printed.out
    assert "| not judged | no sandbox for the programs" in printed.out
    assert "bubblewrap" in printed.out
    assert "--trust" in printed.out
    written = json.loads((out / "checks.json").read_text())
    verdicts = {one["check"]: one["verdict"] for one in written["checks"]}
    assert verdicts == {"proof": "pass", "replay": "not judged"}
    assert written["isolated"] is False


TALKING = """
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
__attribute__((constructor)) static void talk(void)
{{
    struct sockaddr_un place = {{AF_UNIX, "{path}"}};
    int pair[2], own = socket(AF_UNIX, SOCK_STREAM, 0);
    if (own < 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0)
        own = pair[0];
    (void)!connect(own, (struct sockaddr *)&place, sizeof place);
}}
"""


@needs_namespaces
@pytest.mark.usefixtures("distrusting")
def test_a_program_that_check_runs_reaches_no_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Each program has a sandbox of its own: one size and one input are enough.
    monkeypatch.setattr(host_sizes, "_small_sizes", lambda _: [])
    monkeypatch.setattr(host_bench, "SEEDS", (1,))
    out = tmp_path / "out"
    write_folder(out, files_of(BLUR, {"N": 8}))
    # In a folder that its programs see.
    path = Path(sys.prefix) / f"hlsmem-{os.getpid()}.sock"
    source = out / "host" / "blur.c"
    source.write_text(source.read_text() + TALKING.format(path=path))
    with socket.socket(socket.AF_UNIX) as server, gone_afterwards(path):
        server.bind(str(path))
        server.listen()
        server.settimeout(0.2)
        main(["check", str(out), "--only", "host"])
        with pytest.raises(TimeoutError):
            server.accept()
    found = json.loads((out / "checks.json").read_text())
    assert (found["isolated"], found["checks"][0]["verdict"]) == (True, "pass")
