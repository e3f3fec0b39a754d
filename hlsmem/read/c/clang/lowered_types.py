"""Typed trees of C++ as those of C: wide words are arrays, operators have the types of C."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.c_text import text_of
from hlsmem.read.c.clang.types_in_c import is_wide, limbs_in
from hlsmem.read.c.constants import literal_of
from hlsmem.read.c.operations import retyped
from hlsmem.read.c.tree import STORED, Node, Type, parts_of, with_parts
from hlsmem.read.c.trees import nodes_of

_NO_NAMES: Mapping[str, Type] = MappingProxyType({})


def function_in_c(node: tree.FuncDef) -> Any:
    """Return a function with the types of C; a variable has the one that it is declared with.

    It may differ from that of C++: what counts a loop is an int.
    """
    found: dict[str, set[Type]] = {}
    for one in nodes_of(node):
        if isinstance(one, tree.Decl):
            found.setdefault(one.name, set()).add(one.type)
    alone = {name: kinds.pop() for name, kinds in found.items() if len(kinds) == 1}
    return in_c(node, alone)


def in_c(node: Any, declared: Mapping[str, Type] = _NO_NAMES) -> Any:
    """Return an expression, a statement or a declaration with the types of C.

    `declared` has the types of names for which their declaration tells.
    """
    parts: dict[str, Any] = {}
    kind: Any = type(node)
    for part in parts_of(kind):
        value = getattr(node, part)
        if isinstance(value, tuple):
            parts[part] = tuple(in_c(one, declared) for one in value)
        elif isinstance(value, Node):
            is_type = isinstance(value, tree.TYPES)
            parts[part] = type_in_c(value) if is_type else in_c(value, declared)  # type: ignore[arg-type]
    match node:
        case tree.Decl():
            is_to_const = isinstance(node.type, tree.Pointer) and node.type.const
            parts["const"] = node.const or is_to_const
        case tree.Cast():
            parts["type"] = _type_of_cast(node.type)
        case tree.Constant(value, own):
            literal = literal_of(value)
            parts["type"] = own if literal is None else literal[1]
        case tree.ID(name):
            parts["type"] = type_in_c(declared.get(name, node.type))
        case tree.FuncCall() | tree.StructRef() | tree.InitList():
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
    made = function_in_c(node) if isinstance(node, tree.FuncDef) else in_c(node)
    return text_of(made, has_few=True)
