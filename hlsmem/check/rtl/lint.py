"""What compilers say of the generated Verilog: Icarus -Wall, Verilator --lint-only -Wall."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hlsmem.tools.simulators import (
    Icarus,
    Simulator,
    Verilator,
    find_lint_verilator,
    simulator_environment,
)

_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Lint:
    """The complaints of one tool, in its own words; none: clean."""

    tool: str
    complaints: tuple[str, ...]


def lint(sources: Sequence[Path], top: str, simulator: Simulator) -> tuple[Lint, ...]:
    """Lint `sources` with the simulator in use, and with any other Verilator at hand."""
    done = []
    if isinstance(simulator, Icarus):
        done.append(_icarus(sources, top, simulator))
        verilator = find_lint_verilator(os.environ.get("PATH", ""))
    else:
        verilator = simulator
    if verilator is not None:
        done.append(_verilator(sources, top, verilator))
    return tuple(done)


def _icarus(sources: Sequence[Path], top: str, simulator: Icarus) -> Lint:
    command = [str(simulator.folder / "iverilog"), "-g2005", "-Wall", "-t", "null", "-s", top]
    return Lint("iverilog -Wall", _complaints([*command, *map(str, sources)], simulator))


def _verilator(sources: Sequence[Path], top: str, verilator: Verilator) -> Lint:
    command = [str(verilator.folder / "verilator"), "--lint-only", "-Wall", "--top-module", top]
    found = _complaints([*command, *map(str, sources)], verilator)
    return Lint("verilator -Wall", tuple(line for line in found if line.startswith("%")))


def _complaints(command: list[str], simulator: Simulator) -> tuple[str, ...]:
    done = subprocess.run(
        command,
        env=simulator_environment(simulator, os.environ),
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    if done.returncode and not lines:
        lines = [f"{Path(command[0]).name} ends with {done.returncode}"]
    return tuple(lines)
