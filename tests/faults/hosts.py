"""Faults planted in the text of generated C, each one edit of one place.

Made from what C looks like, not from how it is emitted: a modulus is what follows `%`, a loop
what `for` says, a store an assignment to something with an index.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from hlsmem.core.lazy_dataclass import dataclass

Planted = tuple[str, str]

_LOOP = re.compile(r"for \((?P<first>[^;]*); *(?P<test>[^;]*); *(?P<step>[^)]*)\)")
_STORE = re.compile(r"^ *[A-Za-z_]\w*\[(?:[^;=]|==)*\] [-+*/]?= [^;]*;", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFault:
    """A kind of fault: `plant` yields (line number, faulty text) for each place it fits."""

    name: str
    description: str
    plant: Callable[[str], Iterator[Planted]]


def modulus_minus_one(text: str) -> Iterator[Planted]:
    for found in re.finditer(r"% ", text):
        end = _operand_end(text, found.end())
        yield _edited(text, found.end(), end, f"({text[found.end() : end]} - 1)")


def dropped_write(text: str) -> Iterator[Planted]:
    for found in _STORE.finditer(text):
        yield _edited(text, *found.span(), ";")


def loop_ends_early(text: str) -> Iterator[Planted]:
    for found in _LOOP.finditer(text):
        if "<" in found["test"]:
            yield _edited(text, found.end("test"), found.end("test"), " - 1")


def loop_starts_late(text: str) -> Iterator[Planted]:
    for found in _LOOP.finditer(text):
        if "=" in found["first"]:
            yield _edited(text, found.end("first"), found.end("first"), " + 1")


def step_too_long(text: str) -> Iterator[Planted]:
    for found in _LOOP.finditer(text):
        longer = _longer(found["step"])
        if longer != found["step"]:
            yield _edited(text, *found.span("step"), longer)


C_FAULTS: tuple[TextFault, ...] = tuple(
    TextFault(name=plant.__name__.replace("_", " "), description=description, plant=plant)
    for plant, description in (
        (modulus_minus_one, "a modulus is one too small"),
        (dropped_write, "an element is not written"),
        (loop_ends_early, "a loop leaves out its last iteration"),
        (loop_starts_late, "a loop leaves out its first iteration"),
        (step_too_long, "a loop steps over every second iteration"),
    )
)


def _longer(step: str) -> str:
    """`i++` as `i += 2`, `i += 4` as `i += 5`; anything else as it is."""
    once = re.fullmatch(r"(\w+)\+\+|\+\+(\w+)", step)
    if once:
        return f"{once[1] or once[2]} += 2"
    return re.sub(r"\+= (\d+)$", lambda more: f"+= {int(more[1]) + 1}", step)


def _operand_end(text: str, start: int) -> int:
    """Where the operand of an operator ends: casts, then a name, a number or parentheses."""
    position = start
    while text.startswith("(", position):
        position = _closing(text, position) + 1
    found = re.compile(r"\w+").match(text, position)
    return found.end() if found else position


def _closing(text: str, opening: int) -> int:
    """Where the parenthesis at `opening` closes."""
    depth = 0
    for position in range(opening, len(text)):
        depth += (text[position] == "(") - (text[position] == ")")
        if depth == 0:
            return position
    return len(text)


def _edited(text: str, start: int, end: int, new: str) -> Planted:
    line = text.count("\n", 0, start) + 1
    return str(line), text[:start] + new + text[end:]
