"""Keys and values that the format has and the code does not have yet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.document import KeyPath, shown


@dataclass(frozen=True, slots=True)
class Only:
    """`key` (dotted, `*` for any name) takes only these values so far; the first is the default."""

    key: str
    values: tuple[Any, ...]


NOT_YET = (
    Only("arrays.*.storage", (None, "external", "memory", "stream", "state", "datapath")),
    Only("plan.share", (False,)),
    Only("plan.objective", ("auto", "cells", "words", "blocks", "cycles")),
)


def unavailable(content: Any) -> Iterator[tuple[KeyPath, str, str]]:
    """Path, what is wrong and what to do, for every value that is not available yet.

    `content` is a design with all its keys, as plain values.
    """
    for only in NOT_YET:
        for path, value in _at(content, tuple(only.key.split("."))):
            if value not in only.values:
                label = ".".join(str(step) for step in path)
                choices = [repr(choice) for choice in only.values if choice not in (None, {})]
                use = f" or use {', '.join(choices)}" if len(choices) > 1 else ""
                yield path, f"{label}: {shown(value)} is not available yet", f"leave it out{use}"


def _at(content: Any, steps: tuple[str, ...], path: KeyPath = ()) -> Iterator[tuple[KeyPath, Any]]:
    if not steps:
        yield path, content
        return
    for name in content if steps[0] == "*" else (steps[0],):
        yield from _at(content[name], steps[1:], (*path, name))
