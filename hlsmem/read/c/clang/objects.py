"""Small expressions of the tree: members, elements, addresses, names."""

from __future__ import annotations

from hlsmem.read.c import tree
from hlsmem.read.c.tree import Expression, Place


def member_of(base: Expression, name: str, kind: tree.Type, place: Place) -> Expression:
    """Return a member of an object; of one behind a pointer by an arrow."""
    if isinstance(base, tree.UnaryOp) and base.op == "*":
        return tree.StructRef(base.expr, name, True, kind, place)
    if isinstance(base.type, tree.Pointer):
        return tree.StructRef(base, name, True, kind, place)
    return tree.StructRef(base, name, False, kind, place)


def element_of(base: Expression, subscript: Expression, place: Place) -> Expression:
    """Return an element of an array, or of what a pointer points to."""
    assert isinstance(base.type, (tree.Array, tree.Pointer))
    return tree.ArrayRef(base, subscript, base.type.element, place)


def address_of(node: Expression, place: Place) -> Expression:
    """Return the address of an object; that of what a pointer points to is the pointer."""
    if isinstance(node, tree.UnaryOp) and node.op == "*":
        return node.expr
    return tree.UnaryOp("&", node, tree.Pointer(node.type), place)


def dereferenced(node: Expression, place: Place) -> Expression:
    """Return what a pointer points to; of the address of an object that object."""
    if isinstance(node, tree.UnaryOp) and node.op == "&":
        return node.expr
    assert isinstance(node.type, (tree.Pointer, tree.Array))
    return tree.UnaryOp("*", node, node.type.element, place)


def variable(declared: tree.Decl, place: Place) -> tree.ID:
    """Return the name of a declared variable."""
    return tree.ID(declared.name, declared.type, place)


def is_target(node: Expression) -> bool:
    """Return True for what can be assigned: a variable, an element, a member."""
    match node:
        case tree.ID() | tree.ArrayRef() | tree.StructRef() | tree.UnaryOp(op="*"):
            return True
        case _:
            return False


def has_effect(node: Expression) -> bool:
    """Return True for an expression that assigns, or that calls a function."""
    match node:
        case tree.Assignment() | tree.FuncCall():
            return True
        case tree.UnaryOp(op, expr):
            return op in ("++", "--", "p++", "p--") or has_effect(expr)
        case tree.BinaryOp(_, left, right):
            return has_effect(left) or has_effect(right)
        case tree.TernaryOp(cond, iftrue, iffalse):
            return any(map(has_effect, (cond, iftrue, iffalse)))
        case tree.ArrayRef(base, subscript):
            return has_effect(base) or has_effect(subscript)
        case tree.StructRef(base) | tree.Cast(base):
            return has_effect(base)
        case tree.InitList(exprs):
            return any(map(has_effect, exprs))
        case _:
            return False


def is_plain(node: Expression) -> bool:
    """Return True for what may stand several times: a name, a number, an element of such."""
    match node:
        case tree.ID() | tree.Constant():
            return True
        case tree.UnaryOp(op, expr):
            return op in ("*", "&", "-") and is_plain(expr)
        case tree.StructRef(base):
            return is_plain(base)
        case tree.ArrayRef(base, subscript):
            return is_plain(base) and is_plain(subscript)
        case _:
            return False
