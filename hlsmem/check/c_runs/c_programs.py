"""Compiling and running the C programs of the replay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hlsmem.check.networks.stopped_statement import ending
from hlsmem.core.errors import Problem, ToolError
from hlsmem.tools.find import C_COMPILER, find
from hlsmem.tools.run import run
from hlsmem.tools.sandbox import Sandbox

_SECONDS = 60.0
# What overflows wraps around, as the numbers of a datapath do: a replay compares, it does
# not judge the user's arithmetic.
_FLAGS = ("-std=gnu99", "-O1", "-w", "-fwrapv", "-ffp-contract=off")


def compile_c(folder: Path, sources: Sequence[str], target: Path) -> None:
    """Compile the C files `sources` in `folder` into the program `target`.

    Raises ToolError without a compiler or where it refuses the text.
    """
    compiler = find(replace(C_COMPILER, purpose="the replay check"))
    command = [*compiler.command, *_FLAGS, *sources, "-o", str(target), "-lm"]
    sandbox = Sandbox(writable=target.resolve().parent, readable=(folder.resolve(),))
    finished = run(command, folder=folder, seconds=_SECONDS, sandbox=sandbox)
    if not finished.succeeded:
        what = f"{compiler.command[0]} refuses the program to replay:\n{finished.last_lines()}"
        raise ToolError(Problem(what, "correct the C text of the design"))


def run_program(program: Path, arguments: Sequence[str]) -> str:
    """Run a compiled program; how it ended where it did not end well, else empty.

    Raises LimitError where it takes too long.
    """
    command = [str(program), *arguments]
    folder = program.resolve().parent
    finished = run(
        command,
        folder=folder,
        seconds=_SECONDS,
        large_stack=True,
        sandbox=Sandbox(writable=folder),
    )
    return "" if finished.succeeded else ending(finished)
