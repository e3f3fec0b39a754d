"""Messages of compilers on the generated Verilog: Icarus and Verilator with -Wall, Yosys."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hlsmem.core.errors import ToolError
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.watchdog import scratch
from hlsmem.tools import synthesizers
from hlsmem.tools.run import run
from hlsmem.tools.sandbox import Sandbox
from hlsmem.tools.simulators import (
    Icarus,
    Simulator,
    Verilator,
    find_lint_verilator,
    simulator_environment,
)

_SECONDS = 120
# The first start of the Yosys of PyPI compiles it, which takes half a minute.
_YOSYS_SECONDS = 400
# What a circuit is not: claims, assumptions, messages.
_STATED = ("$assert", "$assume", "$cover", "$live", "$fair", "$check", "$print", "$initstate")
_NETLIST = "netlist.json"
_ARITHMETIC = ("$mul", "$div", "$mod", "$divfloor", "$modfloor", "$pow")


@dataclass(frozen=True, slots=True)
class Lint:
    """The complaints of one tool, in its own words; none: clean."""

    tool: str
    complaints: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Elaborated(Lint):
    """Messages of Yosys, and the flattened top as it writes it; None where it refuses the
    design."""

    module: Mapping[str, Any] | None = None


def lint(
    sources: Sequence[Path],
    top: str,
    simulator: Simulator,
    parameters: Mapping[str, int | str] | None = None,
) -> tuple[Lint, ...]:
    """Lint `sources` with the simulator in use, and with any other Verilator at hand.

    `parameters` are those of the top that differ from its defaults.
    """
    given = parameters or {}
    done = []
    if isinstance(simulator, Icarus):
        done.append(_icarus(sources, top, simulator, given))
        verilator = find_lint_verilator(os.environ.get("PATH", ""))
    else:
        verilator = simulator
    if verilator is not None:
        done.append(_verilator(sources, top, verilator, given))
    return tuple(done)


def find_yosys() -> str | None:
    """The command of Yosys, of PyPI beside this Python or on PATH; None where there is none."""
    try:
        return synthesizers.find_yosys().command[0]
    except ToolError:
        return None


def yosys_check(sources: Sequence[Path], top: str, yosys: str) -> Elaborated:
    """Yosys reads the design, `check` finds nothing, and no arithmetic beyond + and - is left."""
    with scratch("hlsmem-yosys-") as folder:
        # The Yosys of PyPI sees the folder it runs in, and no absolute path of this one.
        for source in sources:
            shutil.copy(source, folder)
        files = " ".join(source.name for source in sources)
        said = " ".join(f"t:{kind}" for kind in _STATED)
        cells = " ".join(f"t:{kind}" for kind in _ARITHMETIC)
        script = (
            f"read_verilog {files}; hierarchy -check -top {top}; proc; opt_expr; "
            f"check -assert; select -assert-none {cells}; select -assert-none {said}; "
            f"flatten; check -assert; opt_clean; write_json {_NETLIST}"
        )
        done = run(
            [yosys, "-q", "-p", script],
            folder=folder,
            seconds=_YOSYS_SECONDS,
            sandbox=Sandbox(writable=folder, unlimited=True),
        )
        netlist = folder / _NETLIST
        module = None
        if done.succeeded and netlist.is_file():
            module = json.loads(netlist.read_text(encoding="utf-8"))["modules"][top]
    lines = (done.output + done.errors).splitlines()
    found = tuple(line for line in lines if line.lower().startswith(("warning", "error")))
    if not done.succeeded and not found:
        found = (f"yosys ends with {done.ending()}",)
    return Elaborated(tool="yosys check", complaints=found, module=module)


def _icarus(
    sources: Sequence[Path], top: str, simulator: Icarus, parameters: Mapping[str, int | str]
) -> Lint:
    command = [str(simulator.folder / "iverilog"), "-g2005", "-Wall", "-t", "null", "-s", top]
    command += [f"-P{top}.{name}={value}" for name, value in parameters.items()]
    return Lint("iverilog -Wall", _complaints(command, sources, simulator))


def _verilator(
    sources: Sequence[Path], top: str, verilator: Verilator, parameters: Mapping[str, int | str]
) -> Lint:
    command = [str(verilator.folder / "verilator"), "--lint-only", "-Wall", "--top-module", top]
    command += [f"-G{name}={value}" for name, value in parameters.items()]
    found = _complaints(command, sources, verilator)
    return Lint("verilator -Wall", tuple(line for line in found if line.startswith("%")))


def _complaints(
    command: list[str], sources: Sequence[Path], simulator: Simulator
) -> tuple[str, ...]:
    """Messages of a tool on the sources, which it is given behind the command."""
    files = [source.resolve() for source in sources]
    command += map(str, files)
    readable = tuple(sorted({file.parent for file in files}))
    with scratch("hlsmem-lint-") as folder:
        done = run(
            command,
            folder=folder,
            seconds=_SECONDS,
            environment=simulator_environment(simulator, os.environ.get("PATH", "")),
            sandbox=Sandbox(writable=folder, readable=readable, unlimited=True),
        )
    lines = [line for line in (done.output + done.errors).splitlines() if line.strip()]
    if not done.succeeded and not lines:
        lines = [f"{Path(command[0]).name} ends with {done.ending()}"]
    return tuple(lines)
