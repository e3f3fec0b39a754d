"""Diagnosis of text that isl refuses, and its place: isl itself says "syntax error"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import PolyhedralError

NAME = re.compile(r"(?<![A-Za-z_])[A-Za-z_]\w*'*")

# isl_stream.c, check_keywords: in capitals too, but not in front of a tuple.
_KEYWORDS = frozenset(
    """
    and or not exists implies mod floor ceil floord ceild min max rat true false infty infinity nan
    """.split()  # noqa: SIM905 - a list of quoted words would be harder to read
)
_FOREIGN = re.compile(r"[^\w\s'\[\]{}():;,<>=!+*/%^&|.\-]")
_INNERMOST_TUPLE = re.compile(r"\[([^\[\]]*)\]")
_PRODUCT = re.compile(r"[A-Za-z_)][\w']*\s*\*\s*[A-Za-z_(]")
_EXISTS = re.compile(r"exists\s*\(?\s*([^:]*):")
_BRACKETS = {"]": "[", ")": "(", "}": "{"}


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault: what is wrong (to stand after the name of the text), what to do, and where."""

    what: str
    remedy: str
    offset: int
    length: int = 1


def is_keyword(name: str) -> bool:
    """True if isl has a meaning of its own for a name, which no parameter or dimension can have.

    >>> is_keyword("mod"), is_keyword("MAX"), is_keyword("N")
    (True, True, False)
    """
    return name.lower() in _KEYWORDS


def fault_of(text: str, parameters: Collection[str], *kinds: Any) -> Fault:
    """The most likely fault of `text`, which none of the isl classes `kinds` can read."""
    return (
        _brackets(text)
        or _foreign_character(text)
        or _free_name(text, parameters)
        or _smallest_bad_part(text, kinds)
    )


def _brackets(text: str) -> Fault | None:
    open_at: list[int] = []
    for position, character in enumerate(text):
        if character in "[({":
            open_at.append(position)
        elif character in _BRACKETS:
            if _BRACKETS[character] not in [text[one] for one in open_at]:
                return Fault(f"has a {character!r} that nothing opens", "remove it", position)
            if text[open_at[-1]] != _BRACKETS[character]:
                break
            open_at.pop()
    if open_at:
        position = open_at[-1]
        return Fault(f"has a {text[position]!r} that is never closed", "close it", position)
    if "{" not in text:
        return Fault("is no isl text", "write it as { ... }", 0, len(text))
    return None


def _foreign_character(text: str) -> Fault | None:
    found = _FOREIGN.search(text)
    if not found:
        return None
    what = f"has the character {found[0]!r}, which isl does not know"
    return Fault(what, "remove it", found.start())


def _free_name(text: str, parameters: Collection[str]) -> Fault | None:
    """A name that no tuple, no `exists` and no declaration in front introduces."""
    opening = text.index("{")
    declared = [name for name in NAME.findall(text[:opening]) if not is_keyword(name)]
    body = text[opening:]
    bound = set(declared)
    for elements in _INNERMOST_TUPLE.findall(body):
        parts = [part.split("=")[0].strip() for part in elements.split(",")]
        bound.update(part for part in parts if NAME.fullmatch(part))
    for names in _EXISTS.findall(body):
        bound.update(NAME.findall(names))
    for found in NAME.finditer(text, opening):
        name, after = found[0], text[found.end() :].lstrip()
        if name in bound or is_keyword(name) or after.startswith("["):
            continue
        if name in parameters:
            header = f"[{', '.join([*declared, name])}] -> {{ ... }}"
            return Fault(
                f"uses {name!r} without declaring it", f"write {header}", found.start(), len(name)
            )
        near = get_close_matches(name, sorted(bound), 1)
        remedy = f"did you mean {near[0]!r}?" if near else "add it to params, or to the tuple"
        what = f"uses {name!r}, which is no dimension and no parameter"
        return Fault(what, remedy, found.start(), len(name))
    return None


def _smallest_bad_part(text: str, kinds: tuple[Any, ...]) -> Fault:
    """The first alternative, tuple or condition that isl refuses on its own."""
    opening, closing = text.index("{"), text.rindex("}")
    header = text[:opening]
    if _refused(f"{header}{{ : }}", kinds):
        return Fault(
            "does not begin like isl text", "begin it like [N, M] -> { ... }", 0, max(opening, 1)
        )
    for start, end in _split(text, opening + 1, closing, r";"):
        if not _refused(f"{header}{{ {text[start:end]} }}", kinds):
            continue
        parts = list(_split(text, start, end, r":"))
        heads, formula = text[start : parts[0][1]], parts[0][1] + 1
        if len(parts) == 1 or _refused(f"{header}{{ {heads} }}", kinds):
            return _not_isl(text, *parts[0])
        for first, last in _split(text, formula, end, r"\band\b|\bor\b|&&|\|\|"):
            if _refused(f"{header}{{ {heads} : {text[first:last]} }}", kinds):
                return _not_isl(text, first, last)
        return _not_isl(text, formula, end)
    return _not_isl(text, opening, closing + 1)


def _not_isl(text: str, start: int, end: int) -> Fault:
    part = text[start:end]
    start += len(part) - len(part.lstrip())
    part = part.strip()
    remedy = "write it as in { S[i,j] -> A[i,2j+1] : 0 <= i < 8 and j mod 2 = 0 }"
    if _PRODUCT.search(part):
        remedy = "only integers multiply: isl's conditions and subscripts are affine"
    return Fault(f"has {part!r}, which isl cannot read", remedy, start, max(len(part), 1))


def _refused(text: str, kinds: tuple[Any, ...]) -> bool:
    for kind in kinds:
        try:
            kind(text)
        except PolyhedralError:
            continue
        return False
    return True


def _split(text: str, start: int, end: int, separator: str) -> Iterator[tuple[int, int]]:
    """The stretches of text[start:end] between separators that stand outside of brackets."""
    pattern = re.compile(separator)
    depth, first, position = 0, start, start
    while position < end:
        depth += (text[position] in "[({") - (text[position] in "])}")
        found = pattern.match(text, position, end) if depth == 0 else None
        if found:
            yield first, position
            first = found.end()
        position = found.end() if found else position + 1
    yield first, end
