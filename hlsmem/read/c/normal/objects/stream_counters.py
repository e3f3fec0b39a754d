"""The counters of streams: once calls are inlined, the variables in place of pointers to them."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from hlsmem.read.c.cxx.tokens import MARK
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.trees import changed, name, nodes_of, nodes_of_body, rewrite


def name_counters(unit: Unit) -> Unit:
    """The unit without pointers to counters, which `cxx.streams` has marked."""
    if not any(
        isinstance(node, c_ast.Decl) and _is_marked(node) for node in nodes_of(unit.function)
    ):
        return unit
    stands = _stands_for(unit)
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
                return changed(node, type=changed(kind, quals=[]))
            case c_ast.UnaryOp(op="*", expr=c_ast.ID(name=own)) if own in stands:
                return name(stands[own], node.coord)
        return None

    return unit.with_function(rewrite(unit.function, replaced))


def _is_marked(node: Any) -> bool:
    kind = node.type.type if isinstance(node.type, c_ast.PtrDecl) else node.type
    return isinstance(kind, c_ast.TypeDecl) and MARK in kind.quals


def _stands_for(unit: Unit) -> dict[str, str]:
    """The counters behind pointers, by the pointers' names."""
    found: dict[str, str] = {}
    for node in nodes_of_body(unit.function):
        if not (isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.PtrDecl)):
            continue
        match node.init:
            case c_ast.UnaryOp(op="&", expr=c_ast.ID(name=variable)) if _is_marked(node):
                found[node.name] = variable
            case c_ast.ID(name=pointer) if _is_marked(node):
                found[node.name] = found[pointer]
    return found
