"""The functions that host C offers: the kernel's own, and others with further parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from hlsmem.core.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A function of the files, in two forms: with a workspace that is given, and with its own.

    `suffix` stands behind the function's name; `parameters` and their names `arguments` behind
    its parameters. `comment` says what it does, as does `description` in a page; both are empty
    for the function itself. `loops` are the lines that run the region, None for those of its
    program; `helpers` are functions that they call.
    """

    suffix: str = ""
    parameters: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    comment: tuple[str, ...] = ()
    description: str = ""
    loops: Callable[[], list[str]] | None = field(default=None, compare=False)
    helpers: tuple[tuple[str, ...], ...] = ()


PLAIN = Entry()
