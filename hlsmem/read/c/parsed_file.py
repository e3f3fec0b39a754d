"""A file of C or C++ as it is read: its tree, and the texts that it came from."""

from __future__ import annotations

from collections.abc import Mapping

from hlsmem.core.errors import Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.program.model import SourceFile
from hlsmem.read.c import tree
from hlsmem.read.c.c_text import text_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedFile:
    """The tree of a file, the user's `files` in it, and the system `headers` its C needs.

    `macros` are those parameters that are macros: they are names in the tree. `definitions` are
    the texts of all macros without arguments; `remarks` are on headers that are not read. Of C that
    `has_structs`, members of them are variables in the tree.
    """

    tree: tree.FileAST
    files: tuple[SourceFile, ...]
    headers: tuple[str, ...]
    macros: tuple[str, ...]
    definitions: Mapping[str, str]
    remarks: tuple[Problem, ...] = ()
    has_structs: bool = False

    @property
    def text(self) -> str:
        """The file in C."""
        return text_of(self.tree)
