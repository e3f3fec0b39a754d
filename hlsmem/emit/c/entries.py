"""The functions that host C offers, with their heads: the kernel's own, and further ones."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Heads:
    """The head of a function in `c` and in `cxx`, which has no arrays of run-time extents."""

    c: str
    cxx: str

    def prototype(self) -> list[str]:
        return self._chosen(f"{self.c};", f"{self.cxx};")

    def lines(self, before: str = "") -> list[str]:
        """The head of a definition, with `before` in front."""
        return self._chosen(before + self.c, before + self.cxx)

    def _chosen(self, c: str, cxx: str) -> list[str]:
        return [c] if c == cxx else ["#ifdef __cplusplus", cxx, "#else", c, "#endif"]
