"""Unified patches of the user's files, and the section of the report on them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import unified_diff

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import counted
from hlsmem.emit.markdown_table import Column, table

SOURCE_SECTION = "source/README.md"
"""The file of OUT that is the report's section on the user's source."""
_MOST_LINES = 60
_NO_END = "\\ No newline at end of file\n"


@dataclass(frozen=True, slots=True)
class SourceRow:
    """An array of the user's text: its form there, and its words; `why` where it keeps its text."""

    array: str
    form: str
    words: int
    declared: int
    why: str = ""


def patch_of(name: str, before: str, after: str) -> str:
    """The unified patch of a file, for `git apply` and `patch -p1` in the design's folder.

    >>> print(patch_of("k.c", "int a[9];\\nint b;\\n", "int a[2];\\nint b;\\n"), end="")
    --- a/k.c
    +++ b/k.c
    @@ -1,2 +1,2 @@
    -int a[9];
    +int a[2];
     int b;
    """
    found = unified_diff(_lines(before), _lines(after), f"a/{name}", f"b/{name}")
    return "".join(one if one.endswith("\n") else f"{one}\n{_NO_END}" for one in found)


def _lines(text: str) -> list[str]:
    """Lines as programs for patches have them: they end at line feeds alone."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def changed_lines(patch: str) -> int:
    """The lines of a file that a patch takes out.

    >>> changed_lines(patch_of("k.c", "a\\nb\\n", "a\\nc\\nd\\n"))
    1
    """
    return sum(one.startswith("-") for one in patch.splitlines()[2:])


def source_line(
    patches: Mapping[str, str], sources: Mapping[str, str], folder: str, *, has_kept: bool = False
) -> str:
    """The last line of `plan`: how much of the source changes; `patches` and `sources` by file.

    `has_kept`: the report says why arrays keep their text.

    >>> patch = patch_of("k.c", "a\\nb\\n", "a\\nc\\n")
    >>> source_line({"k.c": patch}, {"k.c": "a\\nb\\n"}, "build/k")
    'source: 1 of 2 lines changes; git apply build/k/source/k.c.patch'
    >>> patch = patch_of("k.c", "a\\nb\\n", "a\\nb\\nc\\n")
    >>> source_line({"k.c": patch}, {"k.c": "a\\nb\\n"}, "build/k")
    'source: 1 line more; git apply build/k/source/k.c.patch'
    """
    if not patches:
        return "source: nothing to change" + "; the report says why" * has_kept
    count = sum(map(changed_lines, patches.values()))
    command = "git apply " + " ".join(f"{folder}/source/{name}.patch" for name in patches)
    if not count:
        more = sum(one.count("\n+") for one in patches.values()) - len(patches)
        return f"source: {counted(more, 'line')} more; {command}"
    lines = sum(len(_lines(sources[name])) for name in patches)
    verb = "changes" if count == 1 else "change"
    return f"source: {count} of {counted(lines, 'line')} {verb}; {command}"


def source_section(
    rows: Iterable[SourceRow], patches: Mapping[str, str], remarks: Iterable[str] = ()
) -> str:
    """The section of the report on the user's source; empty where no array of it could change.

    `remarks` are sentences on what else its text could have.
    """
    found = list(rows)
    if not found:
        return ""
    columns = [Column("array"), Column("form"), Column("words", right=True)]
    columns += [Column("declared", right=True)]
    cells = [[one.array, one.form, str(one.words), str(one.declared)] for one in found]
    parts = ["## Source", table(columns, cells).rstrip("\n")]
    kept = [f"- {one.array} keeps its text: {one.why}" for one in found if one.why]
    kept += [f"- {one}" for one in remarks]
    parts += ["\n".join(kept)] if kept else []
    for name, patch in patches.items():
        lines = patch.splitlines()
        more = len(lines) - _MOST_LINES
        shown = "\n".join(lines[:_MOST_LINES])
        parts.append(f"`source/{name}.patch`, for `git apply` in the design's folder:")
        parts.append(f"```diff\n{shown}\n```")
        parts += [f"{counted(more, 'line')} more stand in the file."] if more > 0 else []
    if patches:
        parts.append("Compiled with the headers here, not synthesised by a tool of a vendor.")
    return "\n\n".join(parts) + "\n"
