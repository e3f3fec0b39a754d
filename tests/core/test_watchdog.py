"""Nothing is left behind: programs, copies and folders of a process that is killed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hlsmem.core import watchdog

ROOT = Path(__file__).resolve().parents[2]
BUSY = """\
import os, signal, sys, pathlib
from hlsmem.polyhedra.limits import within
from hlsmem.tools.run import run
from hlsmem.core.watchdog import scratch
def busy(report):
    while True:
        pass
# Who runs the tests under nohup has it ignored, and processes inherit that.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
with scratch("hlsmem-test-", pathlib.Path({parent!r})) as folder:
    (folder / "file").write_text("x")
    if {copy}:
        within(10, busy)
    # The grandchild tells its number once it runs, and ends by itself after a while.
    run(["sh", "-c", "sleep 60 & echo $! > number; wait"], folder=folder, seconds=60)
"""


def until(holds: Callable[[], bool], seconds: float = 20) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.02)
    return holds()


def is_running(number: int) -> bool:
    try:
        state = Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def copies_of(number: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{number}/task/{number}/children").read_text().split()]


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="looks into /proc")
@pytest.mark.parametrize("copy", [False, True])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGHUP])
def test_a_killed_process_leaves_nothing(
    number: signal.Signals, copy: bool, tmp_path: Path
) -> None:
    text = BUSY.format(parent=str(tmp_path), copy=copy)
    process = subprocess.Popen([sys.executable, "-c", text], cwd=ROOT, start_new_session=True)
    if copy:
        # The watchdog is a child too, in a group of its own.
        assert until(lambda: len(copies_of(process.pid)) == 2)
        children = [c for c in copies_of(process.pid) if os.getpgid(c) == process.pid]
    else:
        assert until(lambda: any(one.read_text() for one in tmp_path.glob("*/number")))
        (file,) = tmp_path.glob("*/number")
        children = [int(file.read_text())]
    assert children
    assert all(map(is_running, children))
    process.send_signal(number)
    process.wait(timeout=20)
    assert until(lambda: not any(map(is_running, children)))
    assert until(lambda: not list(tmp_path.iterdir()))


def test_a_scratch_folder_is_gone_behind_its_block(tmp_path: Path) -> None:
    with watchdog.scratch("some-", tmp_path) as folder:
        assert folder.name.startswith("some-")
        assert folder.stat().st_mode & 0o777 == 0o700
        (folder / "file").touch()
    assert not list(tmp_path.iterdir())


def test_what_was_withdrawn_stays(tmp_path: Path) -> None:
    kept = [tmp_path / name for name in ("a", "a b", "c")]
    text = "from hlsmem.core import watchdog as w\n" + "".join(
        f"w.announce('f{file}')\n" for file in [*kept, tmp_path / "gone"]
    )
    text += "".join(f"w.withdraw('f{file}')\n" for file in kept)
    for file in [*kept, tmp_path / "gone"]:
        file.touch()
    subprocess.run([sys.executable, "-c", text], cwd=ROOT, check=True)
    assert until(lambda: not (tmp_path / "gone").exists())
    assert all(file.exists() for file in kept)


def _planning(out: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "hlsmem", "plan", "examples/blur/design.yaml"]
    return subprocess.Popen(
        [*command, "--param", "N=8", "-o", str(out)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def test_sigterm_is_exit_143_and_writes_nothing(tmp_path: Path) -> None:
    process = _planning(tmp_path / "out")
    time.sleep(0.4)
    process.terminate()
    _, said = process.communicate()
    assert (process.returncode, said) == (143, b"terminated\n")
    assert until(lambda: not list(tmp_path.iterdir()))


@pytest.mark.long
def test_plan_killed_at_any_moment_leaves_out_whole(tmp_path: Path) -> None:
    out = tmp_path / "out"
    begun = time.monotonic()
    assert _planning(out).wait() == 0
    seconds = time.monotonic() - begun
    whole = {file.name for file in out.iterdir()}
    chance = random.Random(20)
    for _ in range(20):
        process = _planning(out)
        time.sleep(chance.uniform(0.5, 1.1) * seconds)
        process.kill()
        process.communicate()
        assert until(lambda: [one.name for one in tmp_path.iterdir()] == ["out"])
        assert {file.name for file in out.iterdir()} == whole
