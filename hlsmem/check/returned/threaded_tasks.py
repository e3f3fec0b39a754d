"""A copy of a text whose DATAFLOW regions run as threads, over queues of the depths in the text.

What stops in it for want of room stops in hardware too: all wait for each other. What an iteration
reads leaves its queue as the next one begins: hardware takes all operands at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from hlsmem.check.returned.counted_accesses import closing
from hlsmem.core.lazy_dataclass import dataclass

STUCK = 3
"""The status of a run in which all tasks wait."""
_DEFAULT = "2"
"""The depth of a stream of Vitis without another (AMD UG1399, "Dataflow")."""
_REGION = r"(?im)^[ \t]*#[ \t]*pragma[^\n]*\bdataflow\b[^\n]*$"
_NOT_BLOCKING = r"\.\s*(?:read_nb|write_nb|empty|full|size)\s*\("


@dataclass(frozen=True, slots=True)
class Region:
    """Bytes of the block of a DATAFLOW region, and its streams by name: depths as texts, and the
    bytes behind their declarations."""

    start: int
    stop: int
    streams: Mapping[str, tuple[str, int]]


def has_tasks(text: str) -> bool:
    """True if tasks of a text can run as threads: they have regions, and wait for what they read.

    >>> has_tasks("#pragma HLS DATAFLOW"), has_tasks("#pragma HLS DATAFLOW\\nif (f.empty())")
    (True, False)
    """
    return bool(re.search(_REGION, text)) and not re.search(_NOT_BLOCKING, text)


def regions_of(text: str) -> Iterator[Region]:
    """The regions of a text."""
    for one in re.finditer(_REGION, text):
        start = _opening(text, one.start())
        if start is None:
            continue
        stop = closing(text, start)
        yield Region(start + 1, stop, dict(_streams(text, start + 1, stop)))


def depths_of(text: str) -> dict[str, str]:
    """The depths of streams between tasks, as texts, by name."""
    return {name: words for own in regions_of(text) for name, (words, _) in own.streams.items()}


def threaded(text: str, less: str = "") -> str:
    """The text with threads in place of calls in its regions; the stream `less` has a word less."""
    edits = list[tuple[int, int, str]]()
    for own in regions_of(text):
        edits.append((own.start, own.start, " hlsmem::region hlsmem_region;"))
        for name, (words, at) in own.streams.items():
            fewer = f"({words}) - 1" if name == less else words
            edits.append((at, at, f" {name}.hlsmem_room({fewer});"))
        for start, stop in _calls(text, own):
            edits.append((start, start, "hlsmem_region.task([&] { "))
            edits.append((stop, stop, " });"))
        edits.append((own.stop, own.stop, " hlsmem_region.join(); "))
    edits += [(at, at, more) for at, more in _conditions(text)]
    made, at = list[str](), 0
    for start, stop, more in sorted(edits):
        made += [text[at:start], more]
        at = stop
    return "".join([*made, text[at:]])


def _streams(text: str, start: int, stop: int) -> Iterator[tuple[str, tuple[str, int]]]:
    """The streams that a region declares."""
    for one in re.finditer(r"\bhls\s*::\s*stream\s*<", text[start:stop]):
        at = start + one.end()
        close = _angle(text, at)
        semicolon = text.find(";", close)
        if not 0 <= semicolon < stop:
            continue
        comma = _last_comma(text[at:close])
        own = _DEFAULT if comma is None else text[at + comma + 1 : close].strip()
        names = re.sub(r"\([^()]*\)|\{[^{}]*\}", "", text[close + 1 : semicolon])
        if "[" in names or "(" in names:
            continue
        for name in re.findall(r"\w+", names):
            asked = re.search(
                rf"(?i)#[ \t]*pragma[^\n]*\bstream\b[^\n]*\bvariable\s*=\s*{name}\b[^\n]*", text
            )
            words = asked and re.search(r"(?i)\bdepth\s*=\s*(\w+)", asked[0])
            yield name, (words[1] if words else own, semicolon + 1)


def _calls(text: str, own: Region) -> Iterator[tuple[int, int]]:
    """The statements of a region that are calls and no more."""
    at = own.start
    while at < own.stop:
        line = re.match(r"\s*(?:#[^\n]*\n|//[^\n]*\n|/\*.*?\*/)", text[at : own.stop], re.DOTALL)
        if line is not None:
            at += line.end()
            continue
        stop = at
        while stop < own.stop and text[stop] not in ";{":
            stop = closing(text, stop) + 1 if text[stop] in "([" else stop + 1
        if stop < own.stop and text[stop] == "{":
            at = closing(text, stop) + 1
            continue
        start = at + len(text[at:stop]) - len(text[at:stop].lstrip())
        if re.fullmatch(
            r"[A-Za-z_][\w:]*\s*(?:<[^;()]*>)?\s*\(.*\)\s*", text[start:stop], re.DOTALL
        ):
            yield start, stop + 1
        at = stop + 1


def _conditions(text: str) -> Iterator[tuple[int, str]]:
    """Where iterations begin: in front of the conditions of loops."""
    for one in re.finditer(r"\b(for|while)\s*\(", text):
        at, close = one.end(), closing(text, one.end() - 1)
        if one[1] == "for":
            at = text.find(";", at, close) + 1
            if not at:
                continue
        is_empty = one[1] == "for" and not text[at : text.find(";", at)].strip()
        yield at, f" hlsmem::next(), {'true' * is_empty}"


def _opening(text: str, at: int) -> int | None:
    """The brace around a place."""
    depth = 0
    for k in range(at - 1, -1, -1):
        depth += (text[k] == "}") - (text[k] == "{")
        if depth < 0:
            return k
    return None


def _angle(text: str, at: int) -> int:
    """The bracket that closes the arguments of a template."""
    depth = 1
    while depth and at < len(text):
        depth += (text[at] == "<") - (text[at] == ">")
        at += 1
    return at - 1


def _last_comma(arguments: str) -> int | None:
    depth, found = 0, None
    for at, one in enumerate(arguments):
        depth += (one in "<([") - (one in ">)]")
        if one == "," and not depth:
            found = at
    return found
