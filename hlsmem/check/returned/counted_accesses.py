"""A copy of a text that comes back which counts: the accesses of each line in an iteration, and the
iterations from each write of a cell to a read of it.

Lines are arrays of one dimension whose names the user's text does not have. Loops are found by
their parentheses and braces, as nothing of the editor is used here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from hlsmem.core.lazy_dataclass import dataclass

PORTS = 2
"""Accesses of a memory in a step."""

_DECLARED = r"(?m)^[ \t]*(?:static[ \t]+)?[A-Za-z_][\w:<>, ]*?[ \t>](\w+)\[[^\]\[]*\];"
_DISTANCES = (
    r"(?i)#[ \t]*pragma[^\n]*\bdependence\b[^\n]*\bvariable=(?P<name>\w+)"
    r"[^\n]*\bdistance=(?P<far>\d+)",
    r"#[ \t]*pragma[^\n]*\bsafelen\((?P<far>\d+)\)[^\n]*\barray\((?P<name>\w+)\)",
)
_HEAD = """\
#include <stdio.h>
#include <stdlib.h>
static long hlsmem_step;
static struct {{ const char *name; long step, most, least, many, *at, size; }} hlsmem_own[{many}];
static void hlsmem_say(void) {{
    for (int k = 0; k < {many}; k++)
        if (hlsmem_own[k].name)
            fprintf(stderr, "\\nhlsmem: %s %ld %ld\\n", hlsmem_own[k].name, hlsmem_own[k].most,
                    hlsmem_own[k].least);
}}
static long hlsmem_note(int k, const char *name, long at, int is_write) {{
    static int begun;
    if (!begun++) atexit(hlsmem_say);
    if (!hlsmem_own[k].name) {{ hlsmem_own[k].name = name; hlsmem_own[k].least = -1; }}
    if (hlsmem_own[k].step != hlsmem_step) hlsmem_own[k].many = 0;
    hlsmem_own[k].step = hlsmem_step;
    if (++hlsmem_own[k].many > hlsmem_own[k].most) hlsmem_own[k].most = hlsmem_own[k].many;
    if (at >= hlsmem_own[k].size) {{
        long size = 2 * at + 64, *more = (long *)realloc(hlsmem_own[k].at, size * sizeof(long));
        if (!more) exit(4);
        for (long i = hlsmem_own[k].size; i < size; i++) more[i] = -1;
        hlsmem_own[k].at = more;
        hlsmem_own[k].size = size;
    }}
    if (at >= 0 && is_write) hlsmem_own[k].at[at] = hlsmem_step;
    if (at >= 0 && !is_write && hlsmem_own[k].at[at] >= 0) {{
        long late = hlsmem_step - hlsmem_own[k].at[at];
        if (hlsmem_own[k].least < 0 || late < hlsmem_own[k].least) hlsmem_own[k].least = late;
    }}
    return at;
}}
"""


@dataclass(frozen=True, slots=True)
class Counted:
    """Most accesses of a line in a step, and the least steps from a write to a read of a cell; -1
    where nothing is read that was written."""

    accesses: int
    distance: int


def lines_of(before: str, after: str) -> tuple[str, ...]:
    """The names of lines of a text that comes back.

    >>> lines_of("int a[9][9];", "    int a_line0[9];\\n    int b[2];\\n    a_line0[x] = b[0];")
    ('a_line0', 'b')
    """
    known = set(re.findall(r"\w+", before))
    found = (one[1] for one in re.finditer(_DECLARED, after))
    return tuple(dict.fromkeys(one for one in found if one not in known))


def distances_of(text: str) -> dict[str, int]:
    """The iterations that pragmas say to be between a write and a read of a variable.

    >>> distances_of("#pragma HLS DEPENDENCE variable=v type=inter direction=RAW distance=9 true")
    {'v': 9}
    """
    found = (one for pattern in _DISTANCES for one in re.finditer(pattern, text))
    return {one["name"]: int(one["far"]) for one in found}


def counting(text: str, lines: Sequence[str]) -> str:
    """The text with a call at each access of lines, and at each iteration of a loop around one."""
    edits = dict[tuple[int, int], str]()
    for number, name in enumerate(lines):
        for one in re.finditer(rf"\b{name}\[", text):
            close = closing(text, one.end() - 1)
            head = text[text.rfind("\n", 0, one.start()) + 1 : one.start()]
            is_declared = re.fullmatch(r"[ \t]*(?:static[ \t]+)?[A-Za-z_][\w:<>, ]*[ \t]", head)
            if is_declared and not re.search(r"\breturn\b", head):
                continue
            is_write = bool(re.match(r"\s*=(?!=)", text[close + 1 :]))
            edits[one.end(), one.end()] = f'hlsmem_note({number}, "{name}", '
            edits[close, close] = f", {int(is_write)})"
            start = _body_around(text, one.start())
            if start is not None:
                edits[start, start] = " hlsmem_step++;"
    made, at = [], 0
    for (start, stop), more in sorted(edits.items()):
        made += [text[at:start], more]
        at = stop
    return _HEAD.format(many=max(len(lines), 1)) + "".join([*made, text[at:]])


def counted_in(said: str) -> Mapping[str, Counted]:
    """What the lines of a program that counts have said at its end."""
    found = re.findall(r"(?m)^hlsmem: (\w+) (\d+) (-?\d+)$", said)
    return {name: Counted(int(most), int(least)) for name, most, least in found}


def faults_of(counted: Mapping[str, Counted], distances: Mapping[str, int]) -> Iterator[str]:
    """More accesses than ports, and reads that come sooner than a pragma says."""
    for name, one in counted.items():
        if one.accesses > PORTS:
            yield f"{name} is accessed {one.accesses} times in an iteration"
        far = distances.get(name)
        if far is not None and 0 <= one.distance < far:
            yield (
                f"{name} is read {one.distance} iterations after a write, and its pragma says {far}"
            )


def closing(text: str, start: int) -> int:
    """The bracket that closes the one at a place; the end of the text where none does.

    >>> closing("f(a[(1)]);", 1)
    8
    """
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] in "[({") - (text[at] in "])}")
        if not depth:
            return at
    return len(text) - 1


def _body_around(text: str, at: int) -> int | None:
    """The first place in the braces of the innermost loop around a place; None outside of loops."""
    found = None
    for one in re.finditer(r"\bfor\s*\(", text[:at]):
        head = closing(text, one.end() - 1) + 1
        brace = re.match(r"\s*\{", text[head:])
        if brace is not None and head + brace.end() <= at < closing(text, head + brace.end() - 1):
            found = head + brace.end()
    return found
