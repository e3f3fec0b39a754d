"""Functions of the user's text that others call: their names, and the numbers of templates.

A function has one text for all of its calls: where there are others than those that are planned,
the sizes of these may be wrong in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.rewrites import Inlined
from hlsmem.core.source_location import SourceLocation
from hlsmem.program.model import Program
from hlsmem.source_edits.source_tokens import Token
from hlsmem.source_edits.text_structure import Compound

Files = Mapping[tuple[Token, ...], Sequence["Function"]]
"""The functions of files, by the tokens of these."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function at bytes [start, stop) of a text, its body from `body` on; the `parameters` of a
    template are names, empty those of types."""

    name: str
    start: int
    body: int
    stop: int
    is_template: bool = False
    parameters: tuple[str, ...] = ()


def named_functions(found: tuple[Token, ...], functions: Iterable[Compound]) -> Iterator[Function]:
    """The functions of a text, by its tokens and the bodies of its functions.

    >>> from hlsmem.source_edits.source_tokens import code, tokens
    >>> from hlsmem.source_edits.text_structure import functions
    >>> text = "template <class T, int N = 4> T f(const T a[N]) { return a[N - 1]; }"
    >>> [(one.name, one.parameters) for one in named_functions(code(tokens(text)), functions(text))]
    [('f', ('', 'N'))]
    """
    for body in functions:
        last = next((k for k, one in enumerate(found) if one.start == body.start), 0)
        while last and found[last].text != ")":
            last -= 1
        name = _opening(found, last) - 1
        first = name
        while first > 0 and found[first - 1].kind != "directive" and not _ends(found[first - 1]):
            first -= 1
        if name < 0:
            continue
        is_template = found[first].text == "template"
        text = " ".join(one.text for one in found[first + 1 : name]) if is_template else ""
        yield Function(
            name=found[name].text,
            start=found[first].start,
            body=body.start,
            stop=body.stop,
            is_template=is_template,
            parameters=tuple(_parameters(text)),
        )


def _ends(one: Token) -> bool:
    return one.text in (";", "}", "{")


def _opening(found: tuple[Token, ...], last: int) -> int:
    """The parenthesis that one closes; 0 for none."""
    depth = 0
    for at in range(last, -1, -1):
        depth += (found[at].text == ")") - (found[at].text == "(")
        if not depth:
            return at
    return 0


def _parameters(text: str) -> Iterator[str]:
    for one in _listed(text):
        words = re.findall(r"\w+", one.partition("=")[0])
        yield words[-1] if len(words) > 1 and words[0] not in ("class", "typename") else ""


def _listed(text: str) -> list[str]:
    """What stands between the outermost angle brackets, as commas divide it.

    >>> _listed("scale<3, ap_uint<8> > and more")
    ['3', ' ap_uint<8> ']
    """
    depth, parts = 0, [""]
    for one in text[text.find("<") :]:
        depth += (one == "<") - (one == ">")
        if not depth:
            break
        if one == "," and depth == 1:
            parts.append("")
        elif depth > 1 or one != "<":
            parts[-1] += one
    return parts


def is_planned(own: Function, files: Files, program: Program) -> bool:
    """True if a program has all calls of a function that its text has: of those in bodies, and of
    a template all instances."""
    uses = [(found, one) for found in files for one in found if one.text == own.name]
    bodies = {found: [(one.body, one.stop) for one in every] for found, every in files.items()}
    inside = [one for found, one in uses if any(a <= one.start < b for a, b in bodies[found])]
    planned = {call.at for call in _calls(program) if call.function.partition("<")[0] == own.name}
    most = len(planned)
    return len(inside) <= most and (not own.is_template or len(uses) <= max(most, 1) + 1)


def _calls(program: Program) -> list[Inlined[SourceLocation]]:
    places = [one.source_location for one in program.statements]
    every = [call for one in places if one is not None for call in one.through]
    return [one for one in every if isinstance(one, Inlined)]


def template_numbers(program: Program, files: Files) -> Iterator[tuple[str, str]]:
    """Parameters of templates with the numbers that a program calls them with, as texts.

    None of a template that may be used otherwise, nor of one whose names stand elsewhere too.
    """
    given = {call.function for call in _calls(program)}
    every = [(found, one) for found, own in files.items() for one in own if one.is_template]
    for found, own in every:
        if not is_planned(own, files, program):
            continue
        for text in given:
            arguments = [part.strip() for part in _listed(text)]
            if text.partition("<")[0] != own.name or len(arguments) != len(own.parameters):
                continue
            for name, value in zip(own.parameters, arguments, strict=True):
                if name and value.isdigit() and _is_inside(name, own, found, files):
                    yield name, value


def _is_inside(
    name: str, template: Function, own: tuple[Token, ...], files: Iterable[tuple[Token, ...]]
) -> bool:
    """True if a name stands within a template alone."""
    return not any(
        name in re.findall(r"\w+", one.text)
        and not (found is own and template.start <= one.start < template.stop)
        for found in files
        for one in found
    )
