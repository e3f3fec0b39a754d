"""Programs that hlsmem calls: where they are, their versions, the least ones that will do."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from hlsmem.errors import HlsmemError, Problem, ToolError
from hlsmem.tools.run import run
from hlsmem.tools.simulators import (
    COCOTB_MINIMUM,
    ICARUS_MINIMUM,
    VERILATOR_MINIMUM,
    find_simulator,
    require_cocotb,
    verilator_text,
    version_text,
)

_SECONDS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """A kind of tool: names it goes by, the variable that overrides them, the least version.

    `ways` says how to get one, `purpose` what hlsmem wants it for.
    """

    name: str
    purpose: str
    commands: tuple[str, ...]
    variable: str | None
    version_arguments: tuple[str, ...]
    least: tuple[int, ...]
    ways: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool that was found: the command that starts it, and its version."""

    name: str
    command: tuple[str, ...]
    version: tuple[int, ...]

    @property
    def version_text(self) -> str:
        return version_text(self.version)


C_COMPILER = Need(
    name="C compiler",
    purpose="the checks",
    commands=("cc", "gcc", "clang"),
    variable="CC",
    version_arguments=("-dumpfullversion", "-dumpversion"),
    least=(4, 9),
    ways="install gcc or clang (Debian, Ubuntu: apt-get install gcc libc6-dev; Fedora: dnf install"
    " gcc; macOS: xcode-select --install), or name one in CC",
)


def find(need: Need, environment: Mapping[str, str] | None = None) -> Tool:
    """The first tool that serves `need`: what the variable names, else the names on PATH.

    Raises ToolError, with ways to get one, where there is none, it does not run, or all that
    are there are too old.
    """
    environment = os.environ if environment is None else environment
    named = environment.get(need.variable or "", "").strip()
    choices = [tuple(shlex.split(named))] if named else [(name,) for name in need.commands]
    found = [
        Tool(name=need.name, command=(path, *rest), version=version)
        for first, *rest in choices
        if (path := shutil.which(first, path=environment.get("PATH"))) is not None
        if (version := _version((path, *rest), need.version_arguments)) is not None
    ]
    for tool in found:
        if tool.version >= need.least:
            return tool
    raise ToolError(_missing(need, named, found))


def _missing(need: Need, named: str, found: Sequence[Tool]) -> Problem:
    least = version_text(need.least)
    if found:
        old = f"{found[0].command[0]} is version {found[0].version_text}"
        return Problem(f"{old}, but {need.purpose} need {least} or later", need.ways)
    if named:
        what = f"{need.variable} names {named!r}, which is no {need.name} that runs"
        return Problem(what, f"unset {need.variable}, or {need.ways}")
    tried = ", ".join(need.commands)
    what = f"no {need.name} for {need.purpose}: none of {tried} is on PATH and runs"
    return Problem(what, need.ways)


def _version(command: tuple[str, ...], arguments: Sequence[str]) -> tuple[int, ...] | None:
    """The version the tool prints; None where it does not run or prints none."""
    try:
        finished = run([*command, *arguments], folder=Path.cwd(), seconds=_SECONDS)
    except HlsmemError:
        return None
    numbers = re.search(r"\d+(?:\.\d+)+|\d+", finished.output + finished.errors)
    if not finished.succeeded or numbers is None:
        return None
    return tuple(int(part) for part in numbers[0].split("."))


def supports(compiler: Tool, flags: Sequence[str]) -> bool:
    """Whether programs built with `flags` compile, link and run: sanitizers need a library."""
    with tempfile.TemporaryDirectory(prefix="hlsmem-") as name:
        folder = Path(name)
        (folder / "empty.c").write_text("int main(void) { return 0; }\n")
        try:
            build = [*compiler.command, *flags, "empty.c", "-o", "empty"]
            return (
                run(build, folder=folder, seconds=_SECONDS).succeeded
                and run([str(folder / "empty")], folder=folder, seconds=_SECONDS).succeeded
            )
        except HlsmemError:
            return False


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolState:
    """A line of `hlsmem doctor`: `version` and `minimum` are texts, "" for none.

    `required` tools are needed by checks of every design; `remedy` says how to get a usable one.
    """

    name: str
    purpose: str
    version: str
    minimum: str
    usable: bool
    required: bool
    remedy: str


def survey(environment: Mapping[str, str] | None = None) -> tuple[ToolState, ...]:
    """Every tool hlsmem can use, found or not, in the order of their use."""
    environment = os.environ if environment is None else environment
    path = environment.get("PATH", os.defpath)
    return (
        _compiler_state(environment),
        _simulator_state("icarus", "Icarus Verilog", version_text(ICARUS_MINIMUM), path),
        _simulator_state("verilator", "Verilator", verilator_text(VERILATOR_MINIMUM), path),
        _cocotb_state(),
        _barvinok_state(),
    )


def _compiler_state(environment: Mapping[str, str]) -> ToolState:
    version, remedy = "", ""
    try:
        version = find(C_COMPILER, environment).version_text
    except ToolError as error:
        remedy = str(error)
    return ToolState(
        name=C_COMPILER.name,
        purpose="checks replay and host",
        version=version,
        minimum=version_text(C_COMPILER.least),
        usable=not remedy,
        required=True,
        remedy=remedy,
    )


def _simulator_state(key: str, name: str, minimum: str, path: str) -> ToolState:
    version, remedy = "", ""
    try:
        version = find_simulator(path, key).title.rpartition(" ")[2]
    except ToolError as error:
        remedy = str(error)
    return ToolState(
        name=name,
        purpose="check rtl (one simulator is enough)",
        version=version,
        minimum=minimum,
        usable=not remedy,
        required=False,
        remedy=remedy,
    )


def _cocotb_state() -> ToolState:
    version, remedy = "", ""
    try:
        version = version_text(require_cocotb())
    except ToolError as error:
        remedy = str(error)
    return ToolState(
        name="cocotb",
        purpose="check rtl",
        version=version,
        minimum=version_text(COCOTB_MINIMUM),
        usable=not remedy,
        required=False,
        remedy=remedy,
    )


def _barvinok_state() -> ToolState:
    """An islpy that counts symbolically; formulas that ours cannot prove may need it."""
    try:
        version = metadata.version("islpy-barvinok")
    except metadata.PackageNotFoundError:
        version = ""
    return ToolState(
        name="islpy-barvinok",
        purpose="proofs of some formulas",
        version=version,
        minimum="",
        usable=bool(version),
        required=False,
        remedy="" if version else "pip install islpy-barvinok (GPL)",
    )
