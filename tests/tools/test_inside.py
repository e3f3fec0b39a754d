"""Nothing leads out of a sandbox: every probe of `prober` with either of its makers, and files."""

from __future__ import annotations

import json
import os
import resource
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from hlsmem.core.errors import LimitError
from hlsmem.tools import sandbox as sandboxes
from hlsmem.tools.run import Finished, run
from hlsmem.tools.sandbox import Sandbox
from tests.tools import prober

QUOTA = 16 << 20


@pytest.fixture(
    params=[pytest.param("bubblewrap", marks=pytest.mark.needs("bwrap")), "namespaces"],
    scope="module",
)
def maker(request: pytest.FixtureRequest) -> Iterator[str]:
    """One of the ways to make a sandbox, of small quotas, is the only one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("HLSMEM_TRUST")
        patch.setattr(sandboxes, "_MAKERS", {request.param: sandboxes._MAKERS[request.param]})
        patch.setattr(sandboxes, "_QUOTA", QUOTA)
        patch.setattr(sandboxes, "_TEMPORARY", QUOTA)
        sandboxes._tried.cache_clear()
        reason = sandboxes.obstacle()
        if reason is not None:
            pytest.skip(f"no {request.param} here: {reason}")
        yield request.param
    sandboxes._tried.cache_clear()


def in_sandbox(folder: Path, *arguments: str, seconds: float = 60, **others: Any) -> Finished:
    work = folder / "work"
    work.mkdir(exist_ok=True)
    sandbox = Sandbox(writable=work, unlimited=True, **others)
    return run(list(arguments), folder=work, seconds=seconds, sandbox=sandbox)


def in_shell(folder: Path, script: str) -> Finished:
    return in_sandbox(folder, "sh", "-c", script)


class Outside:
    """Places that a program in a sandbox would reach, and what reached them."""

    def __init__(self, opened: ExitStack, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.opened, self.heard = opened, []
        home, runtime, self.readable = (folder / name for name in ("home", "runtime", "readable"))
        for one in (home, runtime, self.readable):
            one.mkdir(mode=0o700)
        (home / "secret").write_text("key")
        os.mkfifo(home / "pipe")
        reader = os.open(home / "pipe", os.O_RDONLY | os.O_NONBLOCK)
        opened.callback(os.close, reader)
        # Of a process outside, the programs of this test among them, this is the number.
        waiting = subprocess.Popen(["sleep", "600"], start_new_session=True)
        opened.callback(waiting.wait)
        opened.callback(waiting.kill)
        ends = os.openpty()
        for end in ends:
            opened.callback(os.close, end)
        token, name = secrets.token_hex(8), f"hlsmem-{secrets.token_hex(4)}"
        patch.setenv("HOME", str(home))
        patch.setenv("XDG_RUNTIME_DIR", str(runtime))
        patch.setenv("AWS_SESSION_TOKEN", token)
        (folder / "secret").write_text(token)
        places = {"run": Path("/run"), "var": Path("/var/tmp"), "home": home, "runtime": runtime,
                  "temporary": Path(tempfile.gettempdir()), "readable": self.readable}  # fmt: skip
        sockets = {
            key: str(place / name) for key, place in places.items() if os.access(place, os.W_OK)
        }
        for path in sockets.values():
            self.serve(path)
            opened.callback(os.unlink, path)
        self.serve(f"\0{name}")
        datagrams = str(self.readable / "datagrams")
        self.serve(datagrams, socket.SOCK_DGRAM)
        self.facts = {
            "sockets": {**{key: f"{place}/{name}" for key, place in places.items()}, **sockets,
                        "abstract": name, "datagrams": datagrams},
            "port": self.serve(("127.0.0.1", 0), family=socket.AF_INET)[1],
            "terminal": os.ttyname(ends[1]),
            "token": token,
            "variables": [*sandboxes._VARIABLES, "LC_ALL", "YOWASP_CACHE_DIR", "PWD", "LC_CTYPE"],
            "home": str(home),
            "secret": str(folder / "secret"),
            "readable": str(self.readable),
            "quota": QUOTA,
            "namespace": os.readlink("/proc/self/ns/mnt"),
            "process": waiting.pid,
            "core": resource.getrlimit(resource.RLIMIT_CORE)[1] % (1 << 64),
        }  # fmt: skip

    def serve(
        self,
        place: Any,
        kind: int = socket.SOCK_STREAM,
        family: int = socket.AF_UNIX,
    ) -> Any:
        """Listen at a place, and keep who came; the address."""
        server = self.opened.enter_context(socket.socket(family, kind))
        server.bind(place)
        if kind == socket.SOCK_STREAM:
            server.listen()

        def hear() -> None:
            try:
                while True:
                    if kind == socket.SOCK_STREAM:
                        server.accept()
                    else:
                        server.recv(9)
                    self.heard.append(place)
            except OSError:
                pass  # it was closed

        threading.Thread(target=hear, daemon=True).start()
        self.opened.callback(server.shutdown, socket.SHUT_RDWR)
        return server.getsockname()


@pytest.fixture(scope="module")
def outside(maker: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outside]:  # noqa: ARG001
    with pytest.MonkeyPatch.context() as patch, ExitStack() as opened:
        yield Outside(opened, tmp_path_factory.mktemp("outside"), patch)


@pytest.fixture(scope="module")
def answers(outside: Outside, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What every probe says that runs in a sandbox."""
    facts = json.dumps(outside.facts)
    words = [sys.executable, prober.__file__, facts]
    folder = tmp_path_factory.mktemp("inside")
    found = in_sandbox(folder, *words, readable=(outside.readable,))
    assert found.succeeded, found.last_lines()
    read: dict[str, str] = json.loads(found.output)
    return read


@pytest.mark.parametrize("name", prober.PROBES)
def test_no_way_leads_out(answers: dict[str, str], name: str) -> None:
    assert not answers[name].startswith(prober.OUT), answers[name]


def test_nobody_outside_heard_of_it(answers: dict[str, str], outside: Outside) -> None:
    assert outside.heard == []
    assert sorted(one.name for one in outside.readable.iterdir()) == sorted(
        Path(outside.facts["sockets"][name]).name for name in ("readable", "datagrams")
    )
    # Programs still have what they talk by among themselves.
    assert (answers["pair"], answers["child"]) == ("pair", "runs\n")


def test_probes_lead_out_where_there_is_no_sandbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A probe that never does proves nothing. Those that would do damage are left out."""
    monkeypatch.setenv("HLSMEM_TRUST", "1")
    with ExitStack() as opened:
        facts = Outside(opened, tmp_path, monkeypatch).facts
        words = [sys.executable, prober.__file__, json.dumps(facts)]
        found = json.loads(in_sandbox(tmp_path, *words).output)
        absent = set() if os.path.exists(facts["sockets"]["run"]) else {"socket_in_run"}
    held = {name for name, answer in found.items() if not answer.startswith(prober.OUT)}
    assert held == {"pair", "child"} | absent


def kept(file: Path) -> tuple[int, int, int, int]:
    found = file.stat()
    return found.st_ino, found.st_mode, found.st_mtime_ns, found.st_ctime_ns


SCRIPT = """
rm gone; echo more >> changed; echo new > new; mkdir -p folder/deep; echo x > folder/deep/file
ln -s /etc/passwd link; ln -sf /etc/passwd kept; mkfifo pipe
cp /bin/sh own; chmod 6755 own; touch -d @1000000000 old
"""


@pytest.mark.usefixtures("maker")
def test_files_that_were_written_are_handed_out_and_nothing_else(tmp_path: Path) -> None:
    work = tmp_path / "work"
    (work / "folder").mkdir(parents=True)
    for name in ("gone", "changed", "kept", "same"):
        (work / name).write_text(f"{name}\n")
    (work / "same").chmod(0o750)
    before = kept(work / "same")
    assert in_shell(tmp_path, SCRIPT + "ls -l same; cat same").succeeded
    # Nothing of a program is a link that leads hlsmem elsewhere, nor runs as the user later.
    assert sorted(str(one.relative_to(work)) for one in work.rglob("*")) == [
        "changed", "folder", "folder/deep", "folder/deep/file", "new", "old", "own", "same",
    ]  # fmt: skip
    assert (work / "changed").read_text() == "changed\nmore\n"
    assert kept(work / "same") == before
    assert (work / "own").stat().st_mode & 0o7777 == 0o755
    assert (work / "old").stat().st_mtime == 1000000000


@pytest.mark.few("sparse", "bubblewrap-deep")
@pytest.mark.parametrize(
    "script",
    [
        "for k in 1 2 3; do truncate -s 8M part$k; done",
        f"{sys.executable} -c \"for k in range(100001): open(str(k), 'w').close()\"",
        f"""{sys.executable} -c "import os
for k in range(1500): os.mkdir('deep'); os.chdir('deep')" """,
    ],
    ids=["sparse", "entries", "deep"],
)
@pytest.mark.usefixtures("maker")
def test_too_much_is_not_handed_out(tmp_path: Path, script: str) -> None:
    found = in_shell(tmp_path, script)
    assert found.ending() == "SIGXFSZ", found.last_lines()
    assert list((tmp_path / "work").iterdir()) == []


@pytest.mark.usefixtures("maker")
def test_what_was_written_until_the_time_was_up_is_handed_out(tmp_path: Path) -> None:
    with pytest.raises(LimitError, match=r"'sh' took longer than 1\.5 s"):
        in_sandbox(tmp_path, "sh", "-c", "echo waves > waves; sleep 60 & wait", seconds=1.5)
    assert (tmp_path / "work" / "waves").read_text() == "waves\n"


@pytest.mark.usefixtures("maker")
def test_children_of_a_program_end_with_it(tmp_path: Path) -> None:
    found = in_shell(tmp_path, "(setsid sleep 60; touch late) & sleep 60 & exit 3")
    assert found.status == 3


@pytest.mark.usefixtures("maker")
def test_no_terminal_obeys_what_is_printed(tmp_path: Path) -> None:
    script = r"printf '\033]0;title\007\033[31mred\302\233m\n'; printf '\342\200\256x\ty' >&2"
    found = in_shell(tmp_path, script)
    assert found.output == r"\x1b]0;title\x07\x1b[31mred\x9bm" + "\n"
    assert found.errors == "\\u202ex\ty"


@pytest.mark.usefixtures("maker")
def test_programs_that_work_in_one_folder_do_not_undo_each_other(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    with ThreadPoolExecutor(4) as pool:
        for _ in pool.map(lambda k: in_shell(tmp_path, f"echo {k} > of{k}"), range(8)):
            pass
    found = {one.name: one.read_text() for one in (tmp_path / "work").iterdir()}
    assert found == {f"of{k}": f"{k}\n" for k in range(8)}
