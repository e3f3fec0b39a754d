"""Names that stand for one number in the user's text: macros, constants, enumerators."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from hlsmem.source_edits.linear_text import form_of
from hlsmem.source_edits.source_tokens import Token

_QUALIFIERS = ("const", "constexpr", "enum")


def named_numbers(
    files: Sequence[Sequence[Token]],
    known: Mapping[str, int],
    given: Iterable[tuple[str, str]] = (),
) -> Mapping[str, int]:
    """Return the numbers of names by the tokens of files, with those that are known or given as
    texts; names that stand for several numbers are none.

    >>> from hlsmem.source_edits.source_tokens import code, tokens
    >>> text = "#define H 8\\nconst int W = 2 * H, V = W;\\nenum { A = 3 };\\nconst int *p = q;"
    >>> sorted(named_numbers([code(tokens(text))], {}).items())
    [('A', 3), ('H', 8), ('V', 16), ('W', 16)]
    """
    texts: dict[str, set[str]] = {}
    found = [pair for one in files for pair in (*_macros(one), *_constants(one))]
    for name, text in (*found, *given):
        texts.setdefault(name, set()).add(text)
    numbers = dict(known)
    left = {name: next(iter(own)) for name, own in texts.items() if len(own) == 1}
    while left:
        more = {
            name: value
            for name, text in left.items()
            if (value := _value(text, numbers)) is not None
        }
        if not more:
            break
        numbers = more | numbers
        left = {name: text for name, text in left.items() if name not in more}
    return numbers


def _value(text: str, known: Mapping[str, int]) -> int | None:
    form = form_of(text)
    return None if form is None or form.parameters() - set(known) else form.evaluate(known)


def _macros(found: Sequence[Token]) -> Iterator[tuple[str, str]]:
    for one in found:
        if one.kind == "directive":
            own = re.fullmatch(r"\s*#\s*define\s+(\w+)[ \t]+([^\n\\]+)", one.text)
            if own is not None:
                yield own[1], re.sub(r"//.*|/\*.*?\*/", "", own[2]).strip()


def _constants(found: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """Names with their values, of declarations that begin with words of constants."""
    is_constant = False
    for at, one in enumerate(found):
        if one.text in _QUALIFIERS:
            is_constant = True
        elif one.text in (";", "(", ")"):
            is_constant = False
        elif is_constant and one.text == "=" and found[at - 1].kind == "word":
            behind = (
                k for k in range(at, len(found)) if found[k].text in (",", ";", "}", "{", "[")
            )
            yield found[at - 1].text, " ".join(own.text for own in found[at + 1 : next(behind, at)])
