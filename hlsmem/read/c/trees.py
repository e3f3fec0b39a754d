"""Syntax trees of C, never changed in place: copies with other parts, and small new nodes."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pycparser import c_ast, c_generator


def rewrite(node: Any, replace: Callable[[Any], Any | None]) -> Any:
    """A tree in which `replace` has its say from the top: None keeps the node.

    A list of nodes in place of a statement stands for all of them. What nothing in it
    changes is the same node as before.
    """
    found = replace(node)
    if found is not None:
        return found
    changes: dict[str, Any] = {}
    for name in node.__slots__:
        value = getattr(node, name, None)
        if isinstance(value, c_ast.Node):
            new = rewrite(value, replace)
            if new is not value:
                changes[name] = _single(new)
        elif isinstance(value, list) and any(isinstance(item, c_ast.Node) for item in value):
            items: list[Any] = []
            for item in value:
                new = rewrite(item, replace)
                items += new if isinstance(new, list) else [new]
            if len(items) != len(value) or any(a is not b for a, b in zip(items, value)):  # noqa: B905
                changes[name] = items
    return changed(node, **changes) if changes else node


def _single(node: Any) -> Any:
    """A node where only one has its place."""
    return block(node) if isinstance(node, list) else node


def changed(node: Any, **parts: Any) -> Any:
    """A copy of a node with other parts."""
    result = copy.copy(node)
    for name, value in parts.items():
        setattr(result, name, value)
    return result


def fresh(node: Any, coord: Any = None) -> Any:
    """A copy of a tree, all of it at `coord` where that is given: text that stands there now."""
    result = copy.copy(node)
    if coord is not None:
        result.coord = coord
    for name in node.__slots__:
        value = getattr(node, name, None)
        if isinstance(value, c_ast.Node):
            setattr(result, name, fresh(value, coord))
        elif isinstance(value, list):
            items = [fresh(one, coord) if isinstance(one, c_ast.Node) else one for one in value]
            setattr(result, name, items)
    return result


def nodes_of(node: Any) -> Iterator[Any]:
    """The node and all nodes below it, in textual order."""
    pending = [node]
    while pending:
        found = pending.pop()
        yield found
        pending.extend(reversed(list(found)))


def used_names(node: Any) -> frozenset[str]:
    """The names of variables and functions that occur in an expression or statement."""
    return frozenset(_uses(node))


def _uses(node: Any) -> Iterator[str]:
    if isinstance(node, c_ast.ID):
        yield node.name
    elif isinstance(node, c_ast.StructRef):
        yield from _uses(node.name)
    else:
        for child in node:
            yield from _uses(child)


def text_of(node: Any) -> str:
    """C text of a tree; equal texts are equal trees."""
    return str(c_generator.CGenerator().visit(node))


# New nodes. They stand where the node stood that they were made of.


def name(value: str, coord: Any = None) -> Any:
    return c_ast.ID(value, coord)


def integer(value: int, coord: Any = None) -> Any:
    """A literal of type int; negative ones are operators in C."""
    if value < 0:
        return c_ast.UnaryOp("-", c_ast.Constant("int", str(-value), coord), coord)
    return c_ast.Constant("int", str(value), coord)


def element(place: Any, subscripts: Sequence[Any]) -> Any:
    """The element of an array with so many subscripts behind it."""
    for one in subscripts:
        place = c_ast.ArrayRef(place, one, place.coord)
    return place


def negation(node: Any) -> Any:
    """Whether a condition does not hold. Comparisons stay: turning one is wrong for NaN."""
    if isinstance(node, c_ast.UnaryOp) and node.op == "!":
        return node.expr
    return c_ast.UnaryOp("!", node, node.coord)


def both(left: Any, right: Any) -> Any:
    """The conjunction of two conditions, None where there is none."""
    if left is None or right is None:
        return right if left is None else left
    return c_ast.BinaryOp("&&", left, right, left.coord)


def assignment(target: str, value: Any, coord: Any) -> Any:
    return c_ast.Assignment("=", name(target, coord), value, coord)


def assertion(message: str, coord: Any) -> Any:
    """`assert(!"message")`: what is never reached."""
    text = c_ast.Constant("string", f'"{message}"', coord)
    arguments = c_ast.ExprList([c_ast.UnaryOp("!", text, coord)], coord)
    return c_ast.FuncCall(name("assert", coord), arguments, coord)


def is_assertion(node: Any) -> bool:
    """Whether a node is as `assertion` makes them."""
    match node:
        case c_ast.FuncCall(
            name=c_ast.ID(name="assert"),
            args=c_ast.ExprList(exprs=[c_ast.UnaryOp(op="!", expr=c_ast.Constant(type="string"))]),
        ):
            return True
    return False


def block(items: Any, coord: Any = None) -> Any:
    return c_ast.Compound(list(items), coord)


def items_of(node: Any) -> list[Any]:
    """The statements of a block, or of what stands in place of one."""
    if node is None or isinstance(node, c_ast.EmptyStatement):
        return []
    return list(node.block_items or []) if isinstance(node, c_ast.Compound) else [node]


def is_constant(node: Any) -> bool:
    """Whether what a declaration declares, or the elements of its array, are const."""
    kind = node.type
    while isinstance(kind, c_ast.ArrayDecl):
        kind = kind.type
    return "const" in (getattr(kind, "quals", None) or [])


def declaration(kind: Any, value: str, initial: Any, coord: Any) -> Any:
    """A declaration of a variable of a declared type under another name."""
    return c_ast.Decl(
        name=value,
        quals=[],
        align=[],
        storage=[],
        funcspec=[],
        type=_named(kind, value),
        init=initial,
        bitsize=None,
        coord=coord,
    )


def _named(kind: Any, value: str) -> Any:
    if isinstance(kind, c_ast.TypeDecl):
        return changed(kind, declname=value)
    return changed(kind, type=_named(kind.type, value))
