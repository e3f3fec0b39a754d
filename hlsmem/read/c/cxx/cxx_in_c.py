"""C++ as people write it for HLS, read as C.

`tokens` rewrites what C's grammar lacks; `references`, `streams` and `widths` the rest, here.
Constants become numbers where only these are constant expressions in C: extents, widths of members,
labels of `case`, enumerators, and what static variables begin with. A constant of the file belongs
to the file alone, as in C++.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from pycparser import c_ast

from hlsmem.core.errors import Note, Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c.cxx.references import with_pointers
from hlsmem.read.c.cxx.streams import with_counters
from hlsmem.read.c.cxx.widths import with_plain_names, with_widths
from hlsmem.read.c.normal.rewrite_unit import Rewrite
from hlsmem.read.c.numbers import extent, is_number, scope_of_headers, with_numbers
from hlsmem.read.c.source_map import KERNEL, SourceMap
from hlsmem.read.c.symbols import Scope, Variable, declare
from hlsmem.read.c.trees import changed, is_constant, nodes_of, rewrite

IN_C = Rewrite(name="cxx", description="C++ as C", run=lambda unit: unit)
"""The entry for this step among the rewrites that follow it."""


def in_c(
    tree: Any, function: Any, source: SourceMap, symbolic: Collection[str], problems: Problems
) -> tuple[Any, Any, Any]:
    """The tree of files of which some are C++, in C, and the function that is planned in it.

    Behind them the declaration of that function as `tokens` leaves it. Constants whose names are
    in `symbolic` stay names.
    """
    _check_overloads(tree, source, problems)
    problems.raise_if_any()
    name = function.decl.name
    tree = with_plain_names(with_constants(tree, symbolic))
    head = _function(tree, name).decl
    tree = with_counters(tree, name, source, problems)
    problems.raise_if_any()
    tree = with_pointers(tree, source, problems)
    problems.raise_if_any()
    tree = with_widths(tree, source, problems)
    return tree, _function(tree, name), head


def _function(tree: Any, name: str) -> Any:
    return next(
        node for node in tree.ext if isinstance(node, c_ast.FuncDef) and node.decl.name == name
    )


def _check_overloads(tree: Any, source: SourceMap, problems: Problems) -> None:
    """Refuse two functions of one name."""
    found: dict[str, Any] = {}
    for node in tree.ext:
        if isinstance(node, c_ast.FuncDef):
            first = found.setdefault(node.decl.name, node.decl)
            if first is not node.decl:
                what = f"'{node.decl.name}' is the name of two functions"
                note = Note("the other is here", source.name_place(first))
                place = source.name_place(node.decl)
                problems.add(what, "give each a name of its own", place, [note])


def with_constants(tree: Any, symbolic: Collection[str]) -> Any:
    """The tree of C++ whose constants are those of C; the names of `symbolic` are none."""
    scope = Scope(scope_of_headers(), is_file=True)
    found = []
    for node in tree.ext:
        own = node.coord is not None and node.coord.file == KERNEL
        made = _Place(scope, symbolic, is_static=True).written(node) if own else node
        declare(made, scope, "file")
        found.append(_of_the_file(made) if own else made)
    return changed(tree, ext=found)


def _of_the_file(node: Any) -> Any:
    """A constant of the file with the storage that C++ gives it."""
    is_variable = isinstance(node, c_ast.Decl) and not isinstance(node.type, c_ast.FuncDecl)
    if not is_variable or node.init is None:
        return node
    storage = ["static"] if is_constant(node) else node.storage
    return changed(node, storage=storage, funcspec=[])


@dataclass(frozen=True, slots=True)
class _Place:
    """A place in the tree: the names known there, and whether its variables are static."""

    scope: Scope
    symbolic: Collection[str]
    is_static: bool = False

    def written(self, node: Any) -> Any:
        return rewrite(node, self._replaced)

    def _number(self, node: Any) -> Any:
        return None if node is None else with_numbers(node, self.scope, self.symbolic)

    def _extent(self, node: Any) -> Any:
        return None if node is None else extent(node, self.scope, self.symbolic)

    def _inner(self) -> _Place:
        return _Place(self.scope.inner(), self.symbolic)

    def _replaced(self, node: Any) -> Any | None:
        match node:
            case c_ast.FuncDef():
                return self._function(node)
            case c_ast.Compound():
                inside = self._inner()
                items = [inside._declared(one) for one in node.block_items or []]
                return changed(node, block_items=_used(items))
            case c_ast.For(init=c_ast.DeclList()):
                inside = self._inner()
                counters = [inside._declared(one) for one in node.init.decls]
                parts = {k: getattr(node, k) for k in ("cond", "next", "stmt")}
                rest = {k: v and inside.written(v) for k, v in parts.items()}
                return changed(node, init=changed(node.init, decls=counters), **rest)
            case c_ast.ArrayDecl():
                return changed(node, type=self.written(node.type), dim=self._extent(node.dim))
            case c_ast.Case():
                stmts = [self.written(one) for one in node.stmts]
                return changed(node, expr=self._number(node.expr), stmts=stmts)
            case c_ast.Enumerator():
                return changed(node, value=self._number(node.value))
            case c_ast.Decl():
                kind, bits, first = self.written(node.type), self._number(node.bitsize), node.init
                if first is not None and (self.is_static or "static" in (node.storage or [])):
                    first = self._number(first)
                return changed(node, type=kind, bitsize=bits, init=first)
        return None

    def _declared(self, node: Any) -> Any:
        made = self.written(node)
        declare(made, self.scope, "local")
        return made

    def _function(self, node: Any) -> Any:
        inside = self._inner()
        declaration = inside.written(node.decl)
        for one in declaration.type.args.params if declaration.type.args else ():
            declare(one, inside.scope, "parameter")
        return changed(node, decl=declaration, body=inside.written(node.body))


def _used(items: list[Any]) -> list[Any]:
    """The statements of a block without the constants that were only named where numbers are."""
    scope = Scope()
    declared = [declare(one, scope, "local") for one in items]
    numbers = {one.name for one in declared if isinstance(one, Variable) and is_number(one)}
    if not numbers:
        return items
    named = {part.name for one in items for part in nodes_of(one) if isinstance(part, c_ast.ID)}
    used = [
        one for one in items if not (isinstance(one, c_ast.Decl) and one.name in numbers - named)
    ]
    return used if len(used) == len(items) else _used(used)
