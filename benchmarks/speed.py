"""What planning takes as images grow: CPU seconds, memory, and the ratio to 640x480.

Every plan runs in a process of its own within limits, so that one that cannot be made shows as
`limit` and costs no more than that. Seconds are those of the process and its workers, memory is
that of the largest of them.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Timer

ROOT = Path(__file__).resolve().parent.parent
DESIGNS = ROOT / "tests" / "designs"

# A process gets so many seconds of a core, and so much address space. Of one that waits for
# another that was ended the clock makes an end.
CPU_SECONDS = 30
MEMORY_BYTES = 2 * 2**30
CLOCK_SECONDS = 600

VGA, FULL_HD, ULTRA_HD = (640, 480), (1920, 1080), (3840, 2160)
WINDOW3 = ROOT / "examples" / "window3" / "design.yaml"
ROWS = (
    ("3x3 window", WINDOW3, (), (VGA, FULL_HD, ULTRA_HD)),
    ("3x3 in RAMs", WINDOW3, ("arrays.in.reads=copies",), (VGA, FULL_HD, ULTRA_HD)),
    ("7x7 window", DESIGNS / "window7.yaml", (), (VGA, FULL_HD, ULTRA_HD)),
    ("Gauss, Sobel", DESIGNS / "gauss_sobel.yaml", (), (VGA, FULL_HD)),
    ("camera pipe", DESIGNS / "camera.yaml", (), (VGA, FULL_HD)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A plan: CPU seconds and MiB that it took, and its cycles, or why there are none."""

    seconds: float
    mebibytes: float
    found: str
    whole: bool


def planned(design: Path, settings: Sequence[str], width: int, height: int) -> Planned:
    """Plan a design at a size in a process within the limits."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))

    with tempfile.TemporaryDirectory() as name:
        out = Path(name) / "out"
        sizes = [f"--param=W={width}", f"--param=H={height}"]
        sizes += [f"--set={setting}" for setting in settings]
        command = [sys.executable, "-m", "hlsmem", "plan", str(design), "-o", str(out), *sizes]
        with (Path(name) / "said").open("w+") as said:
            process = subprocess.Popen(
                command, stdout=said, stderr=said, preexec_fn=limit, start_new_session=True
            )
            clock = Timer(CLOCK_SECONDS, os.killpg, (process.pid, signal.SIGKILL))
            clock.start()
            _, status, used = os.wait4(process.pid, 0)
            clock.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            last = said.read().strip().rpartition("\n")[2]
        document = out / "plan.json"
        whole, found = False, f"exit {process.returncode}: {last}"
        if process.returncode < 0 or "MemoryError" in last:
            found = f"limit: {CPU_SECONDS} s of a core or {MEMORY_BYTES >> 30} GiB"
        elif document.is_file():
            timing = json.loads(document.read_text())["timing"]
            whole = timing["cycles"] is not None
            notes = json.loads((out / "notes.json").read_text())
            reason = (notes["timing"] or "").partition(";")[0]
            found = f"{timing['cycles']['value']} cycles" if whole else f"limit: {reason}"
    return Planned(
        seconds=used.ru_utime + used.ru_stime,
        mebibytes=used.ru_maxrss / 1024,
        found=found,
        whole=whole,
    )


def print_table() -> None:
    """A line a design and size; ratios are of whole plans, with Verilog, alone."""
    print(f"\n{'planning at a size':28} {'CPU s':>7} {'MiB':>6} {'/ 640x480':>9}  result")
    for what, design, settings, sizes in ROWS:
        base: Planned | None = None
        for width, height in sizes:
            one = planned(design, settings, width, height)
            base = base or one
            ratio = (
                f"{one.seconds / base.seconds:9.2f}" if base.whole and one.whole else f"{'-':>9}"
            )
            size = f"{what}, {width}x{height}"
            print(
                f"{size:28} {one.seconds:7.2f} {one.mebibytes:6.0f} {ratio}  {one.found}",
                flush=True,
            )
