"""The statement of a network that was running when its program stopped."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hlsmem.tools.run import Finished

# What a program has to do: this at file level, then the number of a statement before its body.
NOW = "volatile int hlsmem_now = -1;"


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
