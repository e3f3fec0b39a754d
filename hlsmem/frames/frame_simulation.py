"""Recorded frames through the Verilog of OUT, by the bench that stands in it: no Python a cycle."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from hlsmem.core.errors import Problem, ToolError
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.tools.run import Finished, run
from hlsmem.tools.sandbox import Sandbox
from hlsmem.tools.simulators import Icarus, Simulator, Verilator, simulator_environment
from hlsmem.tools.verilator_runtime import put_objects, runtime_objects

_SECONDS = 3600.0
_LITTLE = 1_000_000
"""Cycles up to which Verilator's C++ is optimized but little: a frame of 640 x 480 takes 13.3 s to
build and 0.4 to run so, 11.9 and 3.1 s without."""

_TOLD = re.compile(
    r"(?m)^(\w+: [a-z ]+(?: is x)?, beat \d+, cycle \d+"
    r"|\w+_tready is x|error is high in \d+ cycles"
    r"|nothing moves any more in cycle \d+|no frame leaves)$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What a simulation left: by output the words that came, uint64, which of them are `known`, and
    their cycles, and what it printed. Of words that are not known some bits are x.

    `waves` is a file with the signals over time, where one was asked for, `build` the program that
    Verilator made.
    """

    words: Mapping[str, np.ndarray]
    known: Mapping[str, np.ndarray]
    cycles: Mapping[str, np.ndarray]
    printed: str
    passed: bool
    waves: Path | None = None
    build: bytes | None = None

    @property
    def period(self) -> int | None:
        """The most cycles from the end of a frame to that of the next; None of a single frame."""
        found = re.findall(r"(?m)^\w+: (\d+) cycles from frame to frame$", self.printed)
        return max(map(int, found), default=None)

    @property
    def total(self) -> int | None:
        """The cycles of the whole run; None where it did not pass."""
        found = re.search(r"(?m)^PASSED after (\d+) cycles$", self.printed)
        return None if found is None else int(found[1])

    @property
    def faults(self) -> tuple[str, ...]:
        """What the bench complains of beside words that differ."""
        return tuple(one for one in _TOLD.findall(self.printed) if one)


def played(
    simulator: Simulator,
    *,
    top: str,
    sources: Sequence[Path],
    folder: Path,
    outputs: Sequence[str],
    beats: int,
    stall: int,
    waves: bool,
    build: bytes | None = None,
) -> Played:
    """Return what the bench `top` makes of the files of words in `folder`, in a sandbox.

    Ports wait in so many per cent of the cycles. A `build` of before is run as it is. Raises
    ToolError where the simulator refuses the text, or ends without a verdict.
    """
    arguments = [f"+stall={stall}", "+results", *(["+waves"] if waves else [])]
    sandbox = Sandbox(
        writable=folder,
        readable=tuple(sorted({one.parent.resolve() for one in sources})),
        unlimited=isinstance(simulator, Verilator),
    )
    finished, program = None, folder / "build/sim"
    commands = list[list[str]]()
    if build is None:
        texts = [str(one.resolve()) for one in sources]
        commands = _commands(simulator, top, texts, beats, waves, program.parent)
    else:
        program.parent.mkdir()
        program.write_bytes(build)
        program.chmod(0o700)
    for command in commands:
        finished = _ran([*command], simulator, folder, sandbox)
        if not finished.succeeded:
            what = f"{simulator.title} refuses the Verilog:\n{finished.last_lines()}"
            raise ToolError(Problem(what, "run `hlsmem check --only rtl`, or plan again"))
    start = ["vvp", "-n", "sim"] if isinstance(simulator, Icarus) else [str(program)]
    finished = _ran([*start, *arguments], simulator, folder, sandbox)
    printed = finished.output
    if not re.search(r"(?m)^(PASSED|FAILED)", printed):
        what = f"the simulation of {top} ended without a verdict:\n{finished.last_lines()}"
        raise ToolError(Problem(what, "run `hlsmem check --only rtl`"))
    tables = {one: _table(folder / f"{one}.out") for one in outputs}
    found = [*folder.glob("*.vcd")]
    return Played(
        words={name: table[0] for name, table in tables.items()},
        known={name: table[1] for name, table in tables.items()},
        cycles={name: table[2] for name, table in tables.items()},
        printed=printed,
        passed=finished.succeeded and "\nPASSED" in f"\n{printed}",
        waves=found[0] if found else None,
        build=program.read_bytes() if isinstance(simulator, Verilator) else None,
    )


def _commands(
    simulator: Simulator,
    top: str,
    sources: Sequence[str],
    beats: int,
    waves: bool,
    build: Path,
) -> list[list[str]]:
    """The commands that build a simulation in the folder `build`."""
    if isinstance(simulator, Icarus):
        return [["iverilog", "-g2005", "-s", top, "-o", "sim", *sources]]
    level = () if beats > _LITTLE else ("OPT_FAST=-O1", "OPT_GLOBAL=-O1")
    kind = ("--main", "--exe", "--timing", *(["--trace"] if waves else []))
    kept = put_objects(runtime_objects(simulator, kind, level), build)
    translating = ["verilator", "-cc", *kind, "-Wno-fatal", "-Mdir", "build", "--prefix", "Vsim"]
    translating += ["-o", "sim", "--top-module", top, *sources]
    return [translating, ["make", "-C", "build", "-f", "Vsim.mk", *level, *kept]]


def _ran(command: list[str], simulator: Simulator, folder: Path, sandbox: Sandbox) -> Finished:
    environment = simulator_environment(simulator, os.environ.get("PATH", ""))
    return run(
        command,
        folder=folder,
        seconds=_SECONDS,
        environment=environment,
        sandbox=sandbox,
        together=True,
    )


def _table(file: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The words of a file, which of them are known, and their cycles."""
    fields = file.read_bytes().split() if file.is_file() else []
    texts = fields[::2]
    known = np.array([one.isalnum() and b"x" not in one for one in texts], bool)
    digits = [one if is_known else b"0" for one, is_known in zip(texts, known, strict=True)]
    whole = bytes.fromhex(b"".join(one.rjust(16, b"0") for one in digits).decode())
    words = np.frombuffer(whole, ">u8").astype(np.uint64)
    return words, known, np.array(fields[1::2], "S20").astype(np.int64)
