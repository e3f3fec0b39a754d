"""Programs that hlsmem calls: where they are, their versions, the least ones that will do."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from hlsmem.core.errors import HlsmemError, MissingToolError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.watchdog import scratch
from hlsmem.tools.run import run
from hlsmem.tools.simulators import version_text

_SECONDS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """A kind of tool: names it goes by, the variable that overrides them, the least version.

    `install` are commands that bring one, by packages of several systems, `purpose` what hlsmem
    wants it for, `seconds` how long it may take to tell its version.
    """

    name: str
    purpose: str
    commands: tuple[str, ...]
    variable: str | None
    version_arguments: tuple[str, ...]
    least: tuple[int, ...]
    install: tuple[str, ...]
    seconds: float = _SECONDS

    @property
    def ways(self) -> str:
        """Ways to get one, in words."""
        named = f", or name one in {self.variable}" if self.variable else ""
        return f"install it ({'; '.join(self.install)}){named}"


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
    install=("apt-get install gcc libc6-dev", "dnf install gcc", "xcode-select --install"),
)


CLANG = Need(
    name="clang",
    purpose="the check reading",
    commands=("clang",),
    variable="CLANG",
    version_arguments=("-dumpversion",),
    least=(11,),
    install=("apt-get install clang", "dnf install clang", "xcode-select --install"),
)

SIZE = Need(
    name="size",
    purpose="the bytes of a compiled file",
    commands=("size", "llvm-size"),
    variable=None,
    version_arguments=("--version",),
    least=(2, 0),
    install=("apt-get install binutils", "dnf install binutils", "xcode-select --install"),
)


def find(need: Need, environment: Mapping[str, str] | None = None) -> Tool:
    """The first tool that serves `need`: what the variable names, else the names on PATH.

    Raises MissingToolError, with ways to get one, where there is none, it does not run, or all
    that are there are too old.
    """
    environment = os.environ if environment is None else environment
    named = environment.get(need.variable or "", "").strip()
    choices = [tuple(shlex.split(named))] if named else [(name,) for name in need.commands]
    too_old = []
    for first, *rest in choices:
        path = shutil.which(first, path=environment.get("PATH"))
        version = None if path is None else _version((path, *rest), need)
        if path is None or version is None:
            continue
        tool = Tool(name=need.name, command=(path, *rest), version=version)
        if tool.version >= need.least:
            return tool
        too_old.append(tool)
    raise MissingToolError(_missing(need, named, too_old), install=need.install)


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


def _version(command: tuple[str, ...], need: Need) -> tuple[int, ...] | None:
    """The version the tool prints; None where it does not run or prints none."""
    return _version_told(command, need, os.stat(command[0]).st_mtime_ns)


@cache
def _version_told(
    command: tuple[str, ...],
    need: Need,
    changed: int,  # noqa: ARG001 - when its file was: one that was replaced is asked again
) -> tuple[int, ...] | None:
    words = [*command, *need.version_arguments]
    try:
        finished = run(words, folder=Path.cwd(), seconds=need.seconds)
    except HlsmemError:
        return None
    told = finished.output + finished.errors
    # With a dot first: names of tools have numbers, too.
    numbers = re.search(r"\d+(?:\.\d+)+", told) or re.search(r"\d+", told)
    if not finished.succeeded or numbers is None:
        return None
    return tuple(int(part) for part in numbers[0].split("."))


def supports(compiler: Tool, flags: Sequence[str]) -> bool:
    """True if programs built with `flags` compile, link and run: sanitizers need a library."""
    with scratch("hlsmem-") as folder:
        (folder / "empty.c").write_text("int main(void) { return 0; }\n")
        try:
            build = [*compiler.command, *flags, "empty.c", "-o", "empty"]
            return (
                run(build, folder=folder, seconds=_SECONDS).succeeded
                and run([str(folder / "empty")], folder=folder, seconds=_SECONDS).succeeded
            )
        except HlsmemError:
            return False
