"""Calls without side effects: the mathematical functions, and small functions of the file itself.

A function of the file is pure if it is static, takes and returns numbers by value, and touches
nothing but its own variables and constants.
"""

from __future__ import annotations

from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.headers import PURE_FUNCTIONS
from hlsmem.read.c.operations import conditional
from hlsmem.read.c.symbols import Function, Scope, Variable
from hlsmem.read.c.tree import Struct
from hlsmem.read.c.trees import nodes_of
from hlsmem.read.c.types import scalar_type


def is_pure_call(node: Any, scope: Scope, calling: frozenset[str] = frozenset()) -> bool:
    """True if a call has no side effect; `calling` names the functions it is made from."""
    name = node.name
    if name in calling:
        return False
    symbol = scope.find(name)
    if isinstance(symbol, Function) and symbol.definition is not None:
        return _is_pure(symbol.definition, scope, calling | {name})
    return name in PURE_FUNCTIONS and (symbol is None or isinstance(symbol, Function))


def returned_expression(function: Any) -> Any:
    """The expression of a function that does nothing but return it, or None.

    Returns under conditions are a choice: `if (x < 0) return 0; return x;` is x < 0 ? 0 : x.
    """
    return _returned(list(function.body.block_items))


def _returned(items: list[Any]) -> Any:
    match items:
        case [tree.Compound() as inner, *rest]:
            return _returned([*inner.block_items, *rest])
        case [tree.Return(expr=expression), *_]:
            return expression
        case [tree.If() as node, *rest]:
            then = _returned([node.iftrue, *rest])
            otherwise = _returned([*([node.iffalse] if node.iffalse else []), *rest])
            if then is None or otherwise is None:
                return None
            return conditional(node.cond, then, otherwise, node.place)
    return None


def named_values(function: Any) -> tuple[list[Any], Any]:
    """Return the variables that a function begins with, and what it then does nothing but return.

    The variables have a value that nothing changes. The expression is None where there is none.
    """
    items = list(function.body.block_items)
    changed = {
        node.name
        for change in nodes_of(function.body)
        if isinstance(change, tree.Assignment)
        or (isinstance(change, tree.UnaryOp) and change.op in ("++", "--", "p++", "p--"))
        for node in nodes_of(change.lvalue if isinstance(change, tree.Assignment) else change.expr)
        if isinstance(node, tree.ID)
    }
    values = []
    for item in items:
        if not isinstance(item, tree.Decl) or item.init is None or item.name in changed:
            break
        values.append(item)
    return values, _returned(items[len(values) :])


def passes_structs(function: Any) -> bool:
    """True if whole structs go in or out, which compilers copy to places of their own."""
    kinds = (*(one.type for one in function.parameters), function.returns)
    return any(isinstance(kind, Struct) for kind in kinds)


def _is_pure(function: Any, scope: Scope, calling: frozenset[str]) -> bool:
    if "static" not in function.storage or scalar_type(function.returns) is None:
        return False
    own = set[str]()
    for node in nodes_of(function):
        match node:
            case tree.Decl():
                if node.storage or scalar_type(node.type) is None:
                    return False
                own.add(node.name)
            case tree.FuncCall() if not is_pure_call(node, scope, calling):
                return False
            case tree.UnaryOp(op="&" | "*") | tree.ArrayRef() | tree.StructRef():
                return False
    return all(_is_harmless(name, own, scope) for name in _used_names(function))


def _used_names(function: Any) -> set[str]:
    return {one.name for one in nodes_of(function.body) if isinstance(one, tree.ID)}


def _is_harmless(name: str, own: set[str], scope: Scope) -> bool:
    symbol = scope.find(name)
    if name in own:
        return True
    return symbol is not None and (not isinstance(symbol, Variable) or symbol.is_read_only)
