"""Compiling and running C programs of a check, and the statement that ran when one stopped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hlsmem.core.errors import Problem, ToolError
from hlsmem.tools.find import C_COMPILER, find
from hlsmem.tools.run import Finished, run
from hlsmem.tools.sandbox import Sandbox

_SECONDS = 60.0
# What overflows wraps around, as the numbers of a datapath do: a replay compares, it does
# not judge the user's arithmetic.
_FLAGS = ("-std=gnu99", "-O1", "-w", "-fwrapv", "-ffp-contract=off")

# What a program has to do: this at file level, then the number of a statement before its body.
NOW = "volatile int hlsmem_now = -1;"


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


def entering(number: str) -> str:
    """C that notes a statement before its body; `number` is C too."""
    return f'hlsmem_now = (int)({number}); __asm__ volatile ("" ::: "memory");'


def stops_text(statements: Sequence[str]) -> str:
    """C to link with the program: a signal that ends it first names the statement."""
    names = ", ".join(f'"{name}"' for name in statements) or '""'
    return _TEXT.format(names=names, count=len(statements))


def ending(finished: Finished) -> str:
    """Outcome of a program: "SIGFPE", or "SIGFPE in the body of D", or the failed assertion."""
    found = re.search(r"^hlsmem stops in (.+)$", finished.errors, re.MULTILINE)
    failed = re.search(r"Assertion [`']!\"(.+)\"' failed", finished.errors)
    where = f" in the body of {found[1]}" if found else ""
    return finished.ending() + where + (f", {failed[1]}" if failed else "")


_TEXT = """\
#include <signal.h>
#include <stdio.h>

extern volatile int hlsmem_now;
static const char *const names[] = {{ {names} }};

static void stop(int number)
{{
    if (hlsmem_now >= 0 && hlsmem_now < {count})
        fprintf(stderr, "\\nhlsmem stops in %s\\n", names[hlsmem_now]);
    signal(number, SIG_DFL);
    raise(number);
}}

__attribute__((constructor)) static void watch(void)
{{
    signal(SIGABRT, stop);
    signal(SIGFPE, stop);
    signal(SIGILL, stop);
    signal(SIGSEGV, stop);
}}
"""
