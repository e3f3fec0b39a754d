"""Types of C variables as the replay needs them: elements, extents, and how to fill them.

Typedefs and structs are looked up in the kernel's own file, those of its system headers are
taken for numbers.
"""

from __future__ import annotations

import re
from typing import Any

from hlsmem.check.c_trees import written_c
from hlsmem.check.c_trees.written_text import text_of


class Types:
    """The typedefs and structs of a FileAST."""

    def __init__(self, tree: Any) -> None:
        self._names: dict[str, Any] = {}
        self._structs: dict[str, Any] = {}
        pending = list(tree.ext)
        while pending:
            node = pending.pop()
            if isinstance(node, written_c.Typedef):
                self._names[node.name] = node.type
            if isinstance(node, written_c.Struct) and node.name and node.decls is not None:
                self._structs[node.name] = node
            pending.extend(node)

    def unfolded(self, kind: Any) -> tuple[Any, list[str | None]]:
        """The type of the elements, and the extents as C text; None: the type does not say."""
        extents: list[str | None] = []
        while True:
            match kind:
                case written_c.ArrayDecl():
                    extents.append(None if kind.dim is None else _printed(kind.dim))
                    kind = kind.type
                case written_c.PtrDecl():
                    extents.append(None)
                    kind = kind.type
                case written_c.TypeDecl(type=written_c.IdentifierType(names=[name])) if (
                    self._is_of_elements(name)
                ):
                    kind = self._names[name]
                case _:
                    return kind, extents

    def _is_of_elements(self, name: str) -> bool:
        """True if a typedef stands for an array or a pointer."""
        kind = self._names.get(name)
        while isinstance(kind, written_c.TypeDecl) and isinstance(
            kind.type, written_c.IdentifierType
        ):
            kind = self._names.get(kind.type.names[0])
        return isinstance(kind, (written_c.ArrayDecl, written_c.PtrDecl))

    def text(self, kind: Any) -> str | None:
        """C for the type of an element, without qualifiers; None where it has no name."""
        inner = kind.type if isinstance(kind, written_c.TypeDecl) else None
        match inner:
            case written_c.IdentifierType():
                return " ".join(inner.names)
            case written_c.Struct() | written_c.Union() | written_c.Enum() if inner.name:
                return f"{type(inner).__name__.lower()} {inner.name}"
        return None

    def fill(self, target: str, kind: Any, depth: int = 0) -> list[str]:
        """Lines that give every number in a variable, or a member, a value."""
        match kind:
            case written_c.ArrayDecl() if kind.dim is not None:
                at = f"hlsmem_k{depth}"
                return [
                    f"for (unsigned long {at} = 0; {at} < ({_printed(kind.dim)}); {at}++) {{",
                    *self.fill(f"{target}[{at}]", kind.type, depth + 1),
                    "}",
                ]
            case written_c.TypeDecl(type=written_c.Struct(name=name, decls=decls)):
                own = self._structs.get(name)
                members = decls or (own.decls if own is not None else [])
                return [line for one in members for line in self._fill_member(target, one, depth)]
            case written_c.TypeDecl(type=written_c.IdentifierType(names=[name])) if (
                _mask(name) is not None
            ):
                return [f"{target} = HLSMEM_VALUE(__typeof__({target})) & {_mask(name)};"]
            case written_c.TypeDecl(type=written_c.IdentifierType(names=[name])) if (
                name in self._names
            ):
                return self.fill(target, self._names[name], depth)
            case written_c.TypeDecl(type=written_c.IdentifierType(names=names)) if names != [
                "void"
            ]:
                return [f"{target} = HLSMEM_VALUE(__typeof__({target}));"]
        return []

    def _fill_member(self, target: str, member: Any, depth: int) -> list[str]:
        if member.name is None or member.bitsize is not None:
            return []
        return self.fill(f"{target}.{member.name}", member.type, depth)


def _mask(name: str) -> int | None:
    """The bits that a number of few bits has besides its sign; None for types of C."""
    found = re.fullmatch(r"ap_(u?)int_(\d+)", name)
    return None if found is None else (1 << min(int(found[2]) - (not found[1]), 30)) - 1


def _printed(node: Any) -> str:
    return text_of(node)
