"""Names that the user's own make equal in generated Verilog: refused, never merged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from hlsmem.errors import InputError, Problem

_DECLARED = re.compile(
    r"^    (?:(?:input|output) +)?(?:wire|reg) +(?:signed )?(?:\[[^]]*\] )?(\w+)", re.MULTILINE
)
_INSTANCE = re.compile(r"^    (?:\w+|\)) (u_\w+) \($", re.MULTILINE)


def refuse_equal_names(modules: Iterable[tuple[str, str]]) -> None:
    """Raise InputError where two of the modules (name, text), or two names in one, are equal.

    Modules that differ in case alone have one file on systems that tell no case apart.
    """
    pairs = list(modules)
    remedy = "rename the design, an array or a statement"
    problems = [
        Problem(f"two generated modules would be called {name}", remedy)
        for name in _repeated(name for name, _ in pairs)
    ]
    for one, other in _alike(name for name, _ in pairs):
        what = f"the files of the generated modules {one} and {other} differ in case alone"
        problems.append(Problem(f"{what}: on Windows and macOS they are one file", remedy))
    for module, text in pairs:
        names = [*_DECLARED.findall(text), *_INSTANCE.findall(text)]
        problems += [
            Problem(f"two signals of the generated module {module} would be called {name}", remedy)
            for name in _repeated(names)
        ]
    if problems:
        raise InputError(*problems)


def _alike(names: Iterable[str]) -> list[tuple[str, str]]:
    """Different names that are equal without case, each with the first such."""
    first: dict[str, str] = {}
    pairs = [(first.setdefault(name.casefold(), name), name) for name in names]
    return [(one, other) for one, other in pairs if one != other]


def _repeated(names: Iterable[str]) -> list[str]:
    return [name for name, times in Counter(names).items() if times > 1]
