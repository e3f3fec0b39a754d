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
    """Raise InputError where two of the modules (name, text), or two names in one, are equal."""
    pairs = list(modules)
    remedy = "rename the design, an array or a statement"
    problems = [
        Problem(f"two generated modules would be called {name}", remedy)
        for name in _repeated(name for name, _ in pairs)
    ]
    for module, text in pairs:
        names = [*_DECLARED.findall(text), *_INSTANCE.findall(text)]
        problems += [
            Problem(f"two signals of the generated module {module} would be called {name}", remedy)
            for name in _repeated(names)
        ]
    if problems:
        raise InputError(*problems)


def _repeated(names: Iterable[str]) -> list[str]:
    return [name for name, times in Counter(names).items() if times > 1]
