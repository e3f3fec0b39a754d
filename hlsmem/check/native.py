"""Compiling and running C for the checks, in a folder of their own."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from hlsmem.errors import Problem, ToolError

_COMPILERS = ("gcc", "cc", "clang")
_OUTPUT_LINES = 20


def compile_c(
    source: Path, target: Path, *, flags: Sequence[str] = (), search: Sequence[Path] = ()
) -> None:
    """Compile one C file; raises ToolError without a compiler or where it refuses the file."""
    compiler = next((found for name in _COMPILERS if (found := shutil.which(name))), None)
    if compiler is None:
        raise ToolError(
            Problem(
                "no C compiler found: the checks compile the original program",
                "install gcc (apt install gcc) or clang",
            )
        )
    command = [compiler, "-std=gnu99", "-O1", "-w", "-fwrapv", "-ffp-contract=off"]
    command += [f"-I{folder}" for folder in search]
    command += [*flags, "-o", str(target), str(source), "-lm", "-lpthread"]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace"
    )
    if done.returncode:
        lines = "\n".join(done.stderr.splitlines()[:_OUTPUT_LINES])
        raise ToolError(
            Problem(f"{Path(compiler).name} refuses {source.name}:\n{lines}", "correct the C text")
        )


def run_program(program: Path, arguments: Sequence[str], *, seconds: float) -> str:
    """Run a compiled program; what went wrong in one line, empty where nothing did."""
    try:
        done = subprocess.run(
            [str(program), *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        return f"it did not end within {seconds:.0f} s"
    if done.returncode < 0:
        return f"it was stopped by signal {-done.returncode}"
    return f"it ended with code {done.returncode}" if done.returncode else ""
