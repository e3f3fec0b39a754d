"""Faults planted in the C of OUT/host: in what it computes, in what it does to its workspace and
where that comes from, and in loops for arguments that overlap."""

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
        r"\1static int beside[4096]; beside[(long)\3 & 4095] = (int)\3;\n\1\2 = \3;",
    ),
    ("malloc without room for a line", ".c", r"malloc\((\w+) \+ 63u\)", r"malloc(\1)"),
    ("a line from malloc", ".c", r"malloc\(\w+ \+ 63u\)", "malloc(64u)"),
    ("the block from malloc is kept", ".c", r"    free\(larger\);\n", ""),
    ("another place is freed", ".c", r"free\(larger\)", "free(hlsmem_first_line(larger))"),
    ("the stack where malloc gave", ".c", r"larger == NULL \? \(void", "larger != NULL ? (void"),
    ("without memory it goes on", ".c", r"        abort\(\);", "        ;"),
    ("without memory it returns", ".c", r"        abort\(\);", "        return;"),
    ("the stack takes one byte more", ".c", r"bytes\[(\w+) <= (\w+) \? ", r"bytes[\1 < \2 ? "),
    ("arguments are always apart", ".c", r"(const int hlsmem_apart =)[^;]*;", r"\1 1;"),
)
# (name, pattern, replacement), in loops for arguments that overlap.
_OTHERWISE = (
    ("a difference where arguments overlap", r" \+ (?=hlsmem_)", " - "),
    ("an operand where arguments overlap", r"_1\b(?= \+)", "_0"),
    ("a cell where arguments overlap", r"\[(\w+)\](?= = )", r"[\1 ^ 1]"),
    ("a store where arguments overlap", r"(?m)^ +\w+\[[^;=]*\]+ = \w+;\n", ""),
)


def host_faults(files: dict[str, str]) -> list[HostFault]:
    """Faults of every kind that has a place in the generated C and its header, one a kind."""
    return [*_computed(files), *_edited(files), *_otherwise(files)]


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


def _otherwise(files: dict[str, str]) -> Iterator[HostFault]:
    """Faults in the second one of loops that are there twice."""
    for file, text in files.items():
        found = re.search(r"(?ms)^( +)if \(hlsmem_apart\).*?^\1\} else \{\n(.*?)^\1\}", text)
        if found is None:
            continue
        start, end = found.span(2)
        for kind in C_FAULTS:
            for line, planted in kind.plant(text):
                if text.count("\n", 0, start) < int(line) <= text.count("\n", 0, end):
                    yield HostFault(f"{kind.name} where arguments overlap", file, line, planted)
                    break
        for name, pattern, new in _OTHERWISE:
            place = re.compile(pattern).search(text, start, end)
            if place:
                planted = text[: place.start()] + place.expand(new) + text[place.end() :]
                line = str(text.count("\n", 0, place.start()) + 1)
                yield HostFault(name, file, line, planted)
