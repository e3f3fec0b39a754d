"""Faults planted in the C of OUT/host, in what it computes and in what it does to its workspace."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.faults.hosts import C_FAULTS


@dataclass(frozen=True, slots=True)
class HostFault:
    """A file of OUT/host with an edit in it; `where` is the line."""

    name: str
    file: str
    where: str
    text: str


# A store to a cell of the workspace.
_CELL = r"(?m)^( +)(\w+\[hlsmem_[^;=]*\]) = (\w+);"
# (name, file's ending, pattern, replacement), each at its first place.
EDITS = (
    ("a word more of workspace", ".h", r"_WS_BYTES \(", "_WS_BYTES (sizeof(int) + "),
    ("a word less of workspace", ".h", r"_WS_BYTES \(", "_WS_BYTES (0 - sizeof(int) + "),
    ("stored twice", ".c", _CELL, r"\1\2 = 0;\n\1\2 = \3;"),
    (
        "loaded in vain",
        ".c",
        _CELL,
        r"\1(void)*(volatile int *)&\2;\n\1\2 = \3;",
    ),
    (
        "stored in part before",
        ".c",
        _CELL,
        r"\1((char *)&\2)[1] = 1;\n\1\2 = \3;",
    ),
    (
        "sizes outside the context are not refused",
        ".c",
        r'(?m)^#error "\w+: the plan holds .*\n',
        "",
    ),
    (
        "a static array beside the cells",
        ".c",
        _CELL,
        r"\1static int beside[4096]; beside[\3 & 4095] = \3;\n\1\2 = \3;",
    ),
)


def host_faults(files: dict[str, str]) -> list[HostFault]:
    """Faults of every kind that has a place in the generated C and its header, one a kind."""
    return [*_computed(files), *_edited(files)]


def _computed(files: dict[str, str]) -> Iterator[HostFault]:
    """The first and the last place of each kind of wrong computation."""
    for file, text in files.items():
        if file.endswith(".c"):
            begin = text.index("_ws(")  # what stands before is cells, of which one is enough
            for kind in C_FAULTS:
                every = list(kind.plant(text))
                inside = [one for one in every if int(one[0]) > text.count("\n", 0, begin)]
                for line, planted in dict.fromkeys([*every[:1], *inside[-1:]]):
                    yield HostFault(kind.name, file, line, planted)


def _edited(files: dict[str, str]) -> Iterator[HostFault]:
    for name, ending, pattern, new in EDITS:
        for file, text in files.items():
            found = re.search(pattern, text) if file.endswith(ending) else None
            if found:
                line = text.count("\n", 0, found.start()) + 1
                planted = text[: found.start()] + found.expand(new) + text[found.end() :]
                yield HostFault(name, file, str(line), planted)
                break
