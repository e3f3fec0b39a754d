"""Variables whose address is taken as arrays of one element: what they hold lies in memory."""

from __future__ import annotations

from collections import Counter
from typing import Any

from pycparser import c_ast

from hlsmem.read.c.normal.unit import Unit
from hlsmem.read.c.trees import changed, integer, name, nodes_of_body, rewrite


def place_addressed(unit: Unit) -> Unit:
    """The unit in which only elements of arrays have their address taken."""
    nodes = nodes_of_body(unit.function)
    taken = {
        node.expr.name
        for node in nodes
        if isinstance(node, c_ast.UnaryOp) and node.op == "&" and isinstance(node.expr, c_ast.ID)
    }
    declared = [node for node in nodes if isinstance(node, c_ast.Decl) and node.name in taken]
    count = Counter(node.name for node in declared)
    chosen = {
        node.name
        for node in declared
        if count[node.name] == 1
        and isinstance(node.type, c_ast.TypeDecl)
        and isinstance(node.type.type, c_ast.IdentifierType)
    }
    if not chosen:
        return unit

    def element(own: str, coord: Any) -> Any:
        return c_ast.ArrayRef(name(own, coord), integer(0, coord), coord)

    def replaced(node: Any) -> Any | None:
        match node:
            case c_ast.Decl() if node.name in chosen:
                kind = c_ast.ArrayDecl(node.type, integer(1, node.coord), [], node.coord)
                plain = changed(node, type=kind, init=None)
                if node.init is None:
                    return plain
                if "static" in node.storage:
                    return changed(plain, init=c_ast.InitList([node.init], node.coord))
                value = rewrite(node.init, replaced)
                first = c_ast.Assignment("=", element(node.name, node.coord), value, node.coord)
                return [plain, first]
            case c_ast.ID() if node.name in chosen:
                return element(node.name, node.coord)
            case c_ast.StructRef():
                return changed(node, name=rewrite(node.name, replaced))
        return None

    body = rewrite(unit.function.body, replaced)
    return unit.with_function(changed(unit.function, body=body))
