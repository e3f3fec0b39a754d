"""C++ as people write it for HLS, read as C.

`tokens` rewrites what C's grammar lacks; `references`, `streams` and `widths` the rest, here.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from pycparser import c_ast

from hlsmem.core.errors import Note, Problems
from hlsmem.read.c.cxx.constants import with_constants
from hlsmem.read.c.cxx.references import with_pointers
from hlsmem.read.c.cxx.streams import with_counters
from hlsmem.read.c.cxx.widths import with_plain_names, with_widths
from hlsmem.read.c.normal.rewrite_unit import Rewrite
from hlsmem.read.c.source_map import SourceMap

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
