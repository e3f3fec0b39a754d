"""Syntax trees of C, never changed in place: copies with other parts, and small new nodes."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.read.c import tree
from hlsmem.read.c.expression_parser import NameTypes, as_int, parsed_expression
from hlsmem.read.c.operations import assigned, binary, indexed, retyped, unary

# The attributes of each class of nodes that are nodes, tuples of nodes, or None; and all of them.
_KINDS: tuple[Any, ...] = tuple(
    one for one in vars(tree).values() if isinstance(one, type) and issubclass(one, tree.Node)
)
_PARTS = {kind: tree.parts_of(kind) for kind in _KINDS}
_BACKWARDS = {kind: parts[::-1] for kind, parts in _PARTS.items()}
_LEAVES = frozenset(kind for kind, parts in _PARTS.items() if not parts)
# The attributes of statements that are statements.
_STATEMENTS: dict[type, tuple[str, ...]] = {
    tree.Compound: ("block_items",),
    tree.If: ("iftrue", "iffalse"),
    tree.For: ("stmt",),
    tree.While: ("stmt",),
    tree.DoWhile: ("stmt",),
    tree.Switch: ("stmt",),
    tree.Case: ("stmts",),
    tree.Default: ("stmts",),
    tree.Label: ("stmt",),
}

Replace = Callable[[Any], Any | None]


def rewrite(node: Any, replace: Replace) -> Any:
    """A tree in which `replace` has its say from the top: None keeps the node.

    A list of nodes in place of a statement stands for all of them. What nothing in it
    changes is the same node as before.
    """
    return _rewritten(node, replace, _PARTS)


def rewrite_statements(node: Any, replace: Replace) -> Any:
    """The same where `replace` only has its say about statements, not those in headers of loops."""
    return _rewritten(node, replace, _STATEMENTS)


def _rewritten(node: Any, replace: Replace, parts: Mapping[type, tuple[str, ...]]) -> Any:
    found = replace(node)
    if found is not None:
        return found
    changes: dict[str, Any] = {}
    for part in parts.get(type(node), ()):
        value = getattr(node, part)
        if isinstance(value, tuple):
            items: list[Any] = []
            for item in value:
                new = _rewritten(item, replace, parts)
                items += new if isinstance(new, list) else [new]
            changes[part] = items
        elif value is not None:
            changes[part] = _single(_rewritten(value, replace, parts))
    return changed(node, **changes)


def _single(node: Any) -> Any:
    """A node where only one has its place."""
    return block(node) if isinstance(node, list) else node


def changed(node: Any, **parts: Any) -> Any:
    """A node with other parts, lists as tuples; the same node where it has them already.

    The type of an operator is the one that its operands give it.
    """
    made = {key: tuple(one) if isinstance(one, list) else one for key, one in parts.items()}
    if all(is_same(getattr(node, key), one) for key, one in made.items()):
        return node
    return retyped(tree.with_parts(node, **made))


def is_same(old: Any, new: Any) -> bool:
    """True for one node twice, and for the same ones in the same order."""
    if isinstance(old, (list, tuple)) and isinstance(new, (list, tuple)):
        return len(old) == len(new) and all(map(operator.is_, old, new))
    return old is new


def fresh(node: Any, place: Any = None) -> Any:
    """A copy of a tree, all of it at `place` where that is given: text that stands there now."""
    return placed(node, lambda old: old if place is None else place)


def placed(node: Any, place: Callable[[Any], Any]) -> Any:
    """A copy of a tree whose nodes stand where `place` puts them, of where they stood."""
    parts: dict[str, Any] = {}
    if not isinstance(node, tree.TYPES):
        parts["place"] = place(node.place)
    for part in _PARTS[type(node)]:
        value = getattr(node, part)
        if isinstance(value, tuple):
            parts[part] = tuple(placed(one, place) for one in value)
        elif value is not None:
            parts[part] = placed(value, place)
    return tree.with_parts(node, **parts)


def nodes_of(node: Any) -> list[Any]:
    """The node and all nodes below it, in textual order."""
    found: list[Any] = []
    pending = [node]
    while pending:
        one = pending.pop()
        found.append(one)
        kind = type(one)
        if kind in _LEAVES:
            continue
        for part in _BACKWARDS[kind]:
            value = getattr(one, part)
            if value is None:
                continue
            if type(value) is tuple:
                pending += value[::-1]
            else:
                pending.append(value)
    return found


@lru_cache(maxsize=4)
def nodes_of_body(function: Any) -> tuple[Any, ...]:
    """The nodes of a function's body, which many rewrites ask for and few change."""
    return tuple(nodes_of(function.body))


def used_names(node: Any, *, free: bool = False) -> frozenset[str]:
    """The names of variables and functions that occur in an expression or statement.

    Those that are `free`: where no loop around declares a variable of that name for itself.
    """
    found: set[str] = set()
    pending = [(node, frozenset[str]())]
    while pending:
        one, bound = pending.pop()
        kind = type(one)
        if kind is tree.ID:
            if one.name not in bound:
                found.add(one.name)
        else:
            if kind is tree.FuncCall and one.name not in bound:
                found.add(one.name)
            if free and kind is tree.For and isinstance(one.init, tree.DeclList):
                bound = bound.union(own.name for own in one.init.decls)
            for part in _PARTS[kind]:
                value = getattr(one, part)
                if isinstance(value, tuple):
                    pending += [(each, bound) for each in value]
                elif value is not None:
                    pending.append((value, bound))
    return frozenset(found)


def array_of(node: Any) -> Any:
    """The array of an element: a variable, or a member or the like."""
    while isinstance(node, tree.ArrayRef):
        node = node.name
    return node


def base_of(node: Any) -> Any:
    """The base of an element or member: the variable, or a call or the like."""
    while isinstance(node, (tree.ArrayRef, tree.StructRef)):
        node = node.name
    return node


def children_of(node: Any) -> list[Any]:
    """The nodes directly below one, in textual order."""
    return _below(node, _PARTS)


def inner_statements(node: Any) -> list[Any]:
    """The statements directly below one, in textual order; those in headers of loops not."""
    return _below(node, _STATEMENTS)


def _below(node: Any, parts: Mapping[type, tuple[str, ...]]) -> list[Any]:
    found: list[Any] = []
    for part in parts.get(type(node), ()):
        value = getattr(node, part)
        found += value if isinstance(value, tuple) else [] if value is None else [value]
    return found


def without(node: Any, new: Mapping[int, list[Any]]) -> list[Any]:
    """A statement where others stand for some in it, by `id`: nothing where nothing is left."""
    if id(node) in new:
        return new[id(node)]
    match node:
        case tree.Compound():
            old = items_of(node)
            items = [made for one in old for made in without(one, new)]
            if is_same(old, items):
                return [node]
            return [changed(node, block_items=items)] if _does(items) else []
        case tree.For() | tree.Label():
            body = without(node.stmt, new)
            if body == [node.stmt]:
                return [node]
            return [changed(node, stmt=body[0])] if body else []
        case tree.If():
            branches = {
                key: part if part is None else next(iter(without(part, new)), None)
                for key, part in (("iftrue", node.iftrue), ("iffalse", node.iffalse))
            }
            if all(part is getattr(node, key) for key, part in branches.items()):
                return [node]
            if not any(branches.values()):
                return []
            branches["iftrue"] = branches["iftrue"] or tree.EmptyStatement(node.place)
            return [changed(node, **branches)]
    return [node]


def _does(items: Sequence[Any]) -> bool:
    return any(not isinstance(one, (tree.Pragma, tree.EmptyStatement)) for one in items)


# New nodes. They stand where the node stood that they were made of.


def name(value: str, kind: tree.Type, place: Any = None) -> Any:
    """The name of a variable of a type."""
    return tree.ID(value, kind, place)


def integer(value: int, place: Any = None) -> Any:
    """A literal of type int; negative ones are operators in C."""
    if value < 0:
        return unary("-", integer(-value, place), place)
    return tree.Constant(str(value), tree.INT, place=place)


def assigned_value(node: Any) -> Any:
    """Return the expression of the value that a statement of a kernel assigns or declares.

    Compound assignments, `++` and `--` are spelled out.
    """
    match node:
        case tree.Assignment(op="="):
            return node.rvalue
        case tree.Assignment():
            return binary(node.op[:-1], node.lvalue, node.rvalue, node.place)
        case tree.UnaryOp():
            sign = "+" if "++" in node.op else "-"
            return binary(sign, node.expr, integer(1, node.place), node.place)
        case _:
            return node.init


def formula(quantity: QuasiPolynomial, place: Any = None, types: NameTypes = as_int) -> Any:
    """The expression of an affine form in parameters without rounding."""
    return expression(str(quantity), place, types)


def expression(text: str, place: Any = None, types: NameTypes = as_int) -> Any:
    """The tree of an expression of names, whose types `types` says, numbers and operators."""
    return fresh(parsed_expression(text, types), place)


def element(base: Any, subscripts: Sequence[Any]) -> Any:
    """The element of an array with so many subscripts behind it."""
    for one in subscripts:
        base = indexed(base, one, base.place)
    return base


def negation(node: Any) -> Any:
    """The negation of a condition. Comparisons stay: turning one is wrong for NaN."""
    if isinstance(node, tree.UnaryOp) and node.op == "!":
        return node.expr
    return unary("!", node, node.place)


def both(left: Any, right: Any) -> Any:
    """The conjunction of two conditions, None where there is none."""
    if left is None or right is None:
        return right if left is None else left
    return binary("&&", left, right, left.place)


def assignment(target: str, kind: tree.Type, value: Any, place: Any) -> Any:
    """An assignment to a variable of a type."""
    return assigned("=", name(target, kind, place), value, place)


def assertion(message: str, place: Any) -> Any:
    """`assert(!"message")`: what is never reached."""
    text = tree.Constant(f'"{message}"', tree.TEXT, place=place)
    return tree.FuncCall("assert", (unary("!", text, place),), tree.Void(), place)


def is_assertion(node: Any) -> bool:
    """True if a node is as `assertion` makes them."""
    match node:
        case tree.FuncCall("assert", [tree.UnaryOp("!", tree.Constant(type=tree.Pointer()))]):
            return True
    return False


def block(items: Any, place: Any = None) -> Any:
    return tree.Compound(tuple(items), place)


def items_of(node: Any) -> list[Any]:
    """The statements of a block, or of what stands in place of one."""
    if node is None or isinstance(node, tree.EmptyStatement):
        return []
    return list(node.block_items) if isinstance(node, tree.Compound) else [node]


def is_constant(node: Any) -> bool:
    """True if the declared variable, or the elements of its array, are const."""
    return bool(node.const) and not isinstance(node.type, tree.Pointer)


def declaration(
    kind: tree.Type, value: str, initial: Any, place: Any, *, const: bool = False
) -> Any:
    """A declaration of a variable of a type."""
    return tree.Decl(value, kind, place, initial, const=const)
