"""Typed trees of C++ as those of C: wide words are arrays, operators have the types of C."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.c_text import text_of
from hlsmem.read.c.clang.types_in_c import is_wide, limbs_in
from hlsmem.read.c.constants import literal_of
from hlsmem.read.c.operations import STORED, retyped
from hlsmem.read.c.tree import Node, Type, parts_of, with_parts


def in_c(node: Any) -> Any:
    """Return an expression, a statement, a declaration or a function with the types of C."""
    parts: dict[str, Any] = {}
    kind: Any = type(node)
    for part in parts_of(kind):
        value = getattr(node, part)
        if isinstance(value, tuple):
            parts[part] = tuple(map(in_c, value))
        elif isinstance(value, Node):
            parts[part] = type_in_c(value) if isinstance(value, tree.TYPES) else in_c(value)
    match node:
        case tree.Decl():
            is_to_const = isinstance(node.type, tree.Pointer) and node.type.const
            parts["const"] = node.const or is_to_const
        case tree.Cast():
            parts["type"] = _type_of_cast(node.type)
        case tree.Constant(value, own):
            literal = literal_of(value)
            parts["type"] = own if literal is None else literal[1]
        case tree.ID() | tree.FuncCall() | tree.StructRef() | tree.InitList():
            parts["type"] = type_in_c(node.type)
    return retyped(with_parts(node, **parts))


def struct_in_c(kind: tree.Struct) -> tree.StructDef:
    """Return the definition of a struct."""
    members = (tree.Decl(one.name, type_in_c(one.type), kind.place) for one in kind.members)
    return tree.StructDef(kind.name, tuple(members), kind.place)


def type_in_c(kind: Type) -> Type:
    """Return a type; of a wide word the limbs, which are its last dimension."""
    match kind:
        case tree.Array(element, extent, restrict):
            size = None if extent is None else in_c(extent)
            return tree.Array(type_in_c(element), size, restrict)
        case tree.Pointer(element, restrict):
            return tree.Pointer(type_in_c(element), restrict)
        case tree.Number() if is_wide(kind):
            return tree.Array(tree.UNSIGNED_LONG, tree.Constant(str(limbs_in(kind)), tree.INT))
        case tree.Struct(members=members):
            own = tuple(tree.Member(one.name, type_in_c(one.type)) for one in members)
            return replace(kind, members=own)
    return kind


def _type_of_cast(kind: Type) -> Type:
    """A type; where C stores a number in an integer of its size, that integer."""
    if isinstance(kind, tree.Number) and kind.exact and not kind.is_bool and kind.bits in STORED:
        return tree.Number(kind.bits, kind.signed)
    return type_in_c(kind)


def text_in_c(node: Any) -> str:
    """Return an expression, a statement or a function as C; equal texts are equal trees.

    >>> one = tree.Constant("1", tree.INT)
    >>> total = tree.BinaryOp("+", one, one, tree.INT)
    >>> text_in_c(tree.BinaryOp("*", total, one, tree.INT))
    '(1 + 1) * 1'
    """
    return text_of(in_c(node), has_few=True)
