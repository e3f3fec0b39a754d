"""Variables in place of pointers to them that bodies of functions left behind.

A pointer to a number that never moves and is only looked through is the number. Counters of streams
have a type of their own, and become int here; one that nothing steps is gone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from pycparser import c_ast

from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.syntax import COUNTER
from hlsmem.read.c.trees import changed, name, nodes_of, nodes_of_body, rewrite


def name_pointees(unit: Unit) -> Unit:
    """Return the unit without pointers that stand for one variable."""
    declared = [node for node in nodes_of_body(unit.function) if isinstance(node, c_ast.Decl)]
    stands = _stands_for(unit, declared)
    if not stands and not any(map(_is_marked, declared)):
        return unit
    used = {
        stands.get(node.name, node.name)
        for node in nodes_of_body(unit.function)
        if isinstance(node, c_ast.UnaryOp) and node.op == "p++"
        for node in nodes_of(node.expr)
        if isinstance(node, c_ast.ID)
    }

    def replaced(node: Any) -> Any | None:
        match node:
            case c_ast.Decl(name=own) if own in stands or (_is_marked(node) and own not in used):
                return []
            case c_ast.Decl(type=c_ast.TypeDecl() as kind) if _is_marked(node):
                plain = c_ast.IdentifierType(["int"], node.coord)
                return changed(node, type=changed(kind, type=plain))
            case c_ast.UnaryOp(op="*", expr=c_ast.ID(name=own)) if own in stands:
                return name(stands[own], node.coord)
        return None

    return unit.with_function(rewrite(unit.function, replaced))


def _is_marked(node: Any) -> bool:
    """True for a counter of a stream, and for a pointer to one."""
    kind = node.type.type if isinstance(node.type, c_ast.PtrDecl) else node.type
    return isinstance(kind, c_ast.TypeDecl) and getattr(kind.type, "names", None) == [COUNTER]


def _stands_for(unit: Unit, declared: list[Any]) -> Mapping[str, str]:
    """The variables behind pointers, by the pointers' names."""
    numbers = Counter(node.name for node in declared)
    plain = {
        node.name: node.type.type.names
        for node in declared
        if _is_number(node.type) and numbers[node.name] == 1
    }
    looked = Counter(
        node.expr.name
        for node in nodes_of_body(unit.function)
        if isinstance(node, c_ast.UnaryOp) and node.op == "*" and isinstance(node.expr, c_ast.ID)
    )
    used = Counter(node.name for node in nodes_of_body(unit.function) if isinstance(node, c_ast.ID))
    found: dict[str, str] = {}
    passed: Counter[str] = Counter()
    pointers = [one for one in declared if isinstance(one.type, c_ast.PtrDecl)]
    for node in pointers:
        match node.init:
            case c_ast.UnaryOp(op="&", expr=c_ast.ID(name=variable)) if (
                _is_number(node.type.type) and plain.get(variable) == node.type.type.type.names
            ):
                found[node.name] = variable
            case c_ast.ID(name=pointer) if pointer in found:
                found[node.name] = found[pointer]
                passed[pointer] += 1
    open_ones = {own for own in found if numbers[own] > 1 or used[own] != looked[own] + passed[own]}
    lost = {found[own] for own in open_ones}
    return {own: variable for own, variable in found.items() if variable not in lost}


def _is_number(kind: Any) -> bool:
    return isinstance(kind, c_ast.TypeDecl) and isinstance(kind.type, c_ast.IdentifierType)
