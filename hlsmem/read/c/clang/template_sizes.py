"""Meanings of template parameters that are sizes with names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang.declared import mentions, text_at
from hlsmem.read.c.clang.expressions import expression
from hlsmem.read.c.clang.library import library
from hlsmem.read.c.clang.lowering import FunctionFrame
from hlsmem.read.c.clang.objects import (
    Object,
)
from hlsmem.read.c.clang.parameters import Parameter
from hlsmem.read.c.tree import Expression


def environment_of(
    frame: FunctionFrame,
    cursor: Any,
    definition: Any,
    arguments: Sequence[tuple[Parameter, Any]],
    receiver: Any,
) -> Mapping[str, Expression]:
    """Return what template parameters stand for, those that are sizes with names alone."""
    if not (frame.lowering.symbolic):
        return {}
    found: dict[str, Expression] = {}
    if isinstance(receiver, Object):
        found.update(frame.lowering.environments.get(receiver.struct.name, {}))
    template = library().template_of(definition)
    if template is None:
        return found
    wanted = [
        one.spelling
        for one in template.get_children()
        if one.kind.name in ("TEMPLATE_NON_TYPE_PARAMETER", "TEMPLATE_TYPE_PARAMETER")
    ]
    callee = next(iter(cursor.get_children()), None)
    while callee is not None and callee.kind.name == "UNEXPOSED_EXPR":
        callee = next(iter(callee.get_children()), None)
    if callee is not None:
        explicit = [
            one
            for one in callee.get_children()
            if one.kind.is_expression() and one.kind.name != "MEMBER_REF_EXPR"
        ]
        numbers = [
            one.spelling
            for one in template.get_children()
            if one.kind.name == "TEMPLATE_NON_TYPE_PARAMETER"
        ]
        for name, one in zip(numbers, explicit, strict=False):
            if mentions(frame, one):
                found[name] = expression(frame, one)
    for parameter, node in arguments:
        if isinstance(parameter.type, tree.Array):
            _unify(frame, parameter.cursor, node.type, wanted, found)
    return found


def _unify(
    frame: FunctionFrame,
    parameter: Any,
    given: tree.Type,
    wanted: Sequence[str],
    found: dict[str, Expression],
) -> None:
    """Add the parameters that are extents of an array to what they stand for."""
    after = [
        one
        for one in parameter.get_children()
        if one.kind.is_expression() and one.location.offset > parameter.location.offset
    ]
    for one in reversed(after):
        if not isinstance(given, tree.Array):
            return
        name = text_at(frame, one)
        if name in wanted and given.extent is not None and _has_name(given.extent):
            found.setdefault(name, given.extent)
        given = given.element


def _has_name(node: Expression) -> bool:
    match node:
        case tree.ID():
            return True
        case tree.BinaryOp(_, left, right):
            return _has_name(left) or _has_name(right)
        case tree.UnaryOp(_, expr) | tree.Cast(expr):
            return _has_name(expr)
        case _:
            return False
