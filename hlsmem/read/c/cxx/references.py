"""References to scalars as pointers: `x` of `int &x` is `*x`, and calls pass `&y`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pycparser import c_ast

from hlsmem.core.errors import Problems
from hlsmem.read.c.cxx.tokens import MARK
from hlsmem.read.c.source_map import SourceMap
from hlsmem.read.c.trees import changed, name, rewrite


def with_pointers(tree: Any, source: SourceMap, problems: Problems) -> Any:
    """The tree without references; those to constants are refused.

    What they are bound to is no matter of the function alone: a variable, or a copy.
    """
    for node in tree.ext:
        declaration = node.decl if isinstance(node, c_ast.FuncDef) else node
        for one in _parameters(declaration):
            if is_reference(one) and _is_to_constant(one):
                what = f"'{one.name}' is a reference to a constant"
                problems.add(what, "pass it by value", source.name_place(one))
    found = {
        node.decl.name: frozenset(
            k for k, one in enumerate(_parameters(node.decl)) if is_reference(one)
        )
        for node in tree.ext
        if isinstance(node, c_ast.FuncDef)
    }
    items = []
    for node in tree.ext:
        if isinstance(node, c_ast.FuncDef):
            items.append(_function(node, found))
        elif isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl):
            items.append(_with_parameters(node))
        else:
            items.append(node)
    same = all(a is b for a, b in zip(items, tree.ext, strict=True))
    return tree if same else changed(tree, ext=items)


def is_reference(node: Any) -> bool:
    kind = getattr(node, "type", None)
    return isinstance(kind, c_ast.PtrDecl) and MARK in (kind.quals or [])


def _is_to_constant(node: Any) -> bool:
    return isinstance(node.type.type, c_ast.TypeDecl) and "const" in node.type.type.quals


def _parameters(declaration: Any) -> list[Any]:
    kind = getattr(declaration, "type", None)
    return list(kind.args.params) if isinstance(kind, c_ast.FuncDecl) and kind.args else []


def _with_parameters(declaration: Any) -> Any:
    """A declaration of a function with pointers in place of references."""
    parameters = _parameters(declaration)
    new = [_parameter(one) for one in parameters]
    if all(a is b for a, b in zip(parameters, new, strict=True)):
        return declaration
    kind = changed(declaration.type, args=c_ast.ParamList(new))
    return changed(declaration, type=kind)


def _parameter(node: Any) -> Any:
    """A parameter without marks: a pointer for a reference, an array for one to an array.

    HLS makes a port of a reference: it reaches nothing else.
    """
    if is_reference(node):
        return changed(node, type=changed(node.type, quals=["restrict"]))
    if is_array_reference(node):
        return changed(node, type=changed(node.type, dim_quals=[]))
    return node


def is_array_reference(node: Any) -> bool:
    """True if a parameter is a reference to an array."""
    kind = getattr(node, "type", None)
    return isinstance(kind, c_ast.ArrayDecl) and MARK in (kind.dim_quals or [])


def _function(function: Any, known: Mapping[str, frozenset[int]]) -> Any:
    parameters = _parameters(function.decl)
    own = {parameters[position].name for position in known[function.decl.name]}

    def replaced(node: Any) -> Any | None:
        match node:
            case c_ast.ID() if node.name in own:
                return c_ast.UnaryOp("*", name(node.name, node.coord), node.coord)
            case c_ast.StructRef():
                return changed(node, name=rewrite(node.name, replaced))
            case c_ast.FuncCall(name=c_ast.ID(name=called)) if node.args and known.get(called):
                given = [
                    _address(one) if k in known[called] else one
                    for k, one in enumerate(rewrite(one, replaced) for one in node.args.exprs)
                ]
                return changed(node, args=changed(node.args, exprs=given))
        return None

    declaration, body = _with_parameters(function.decl), rewrite(function.body, replaced)
    if declaration is function.decl and body is function.body:
        return function
    return changed(function, decl=declaration, body=body)


def _address(node: Any) -> Any:
    if isinstance(node, c_ast.UnaryOp) and node.op == "*":
        return node.expr
    return c_ast.UnaryOp("&", node, node.coord)
