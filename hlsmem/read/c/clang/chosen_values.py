"""Choices `condition ? a : b`, of numbers and of objects."""

from __future__ import annotations

from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang import clang_types, exact_numbers
from hlsmem.read.c.clang.copies import copied, declared_object
from hlsmem.read.c.clang.expressions import as_type, expression, operand
from hlsmem.read.c.clang.lowering import FunctionFrame, Refused
from hlsmem.read.c.clang.objects import Object, children_of, parts_of, steps, variable
from hlsmem.read.c.tree import Statement


def conditional(frame: FunctionFrame, cursor: Any) -> Any:
    """Return the value that a condition chooses, of objects member by member; raises Refused."""
    below = list(cursor.get_children())
    if len(below) != 3:
        raise Refused(cursor, "a choice of two parts is not read", "write condition ? a : b")
    known = clang_types.value_of(below[0])
    if known is not None:
        return expression(frame, below[1] if known else below[2])
    condition = expression(frame, below[0])
    first, then = _aside(frame, below[1])
    second, otherwise = _aside(frame, below[2])
    kind = frame.type_of(cursor.type, cursor)
    if first or second or _needs_statement(then) or _needs_statement(otherwise):
        if isinstance(kind, (tree.Pointer, tree.Array, tree.Void)):
            what = "a choice between calls that give no number is not read"
            raise Refused(cursor, what, "use if")
        place = frame.place(cursor)
        declared, target = declared_object(frame, "chosen", kind, place)
        branch, other = (
            tree.Compound((*front, *_assigned(frame, target, node, below[1])), place)
            for front, node in ((first, then), (second, otherwise))
        )
        frame.front += [*declared, tree.If(condition, branch, other, place)]
        return target
    if isinstance(then, Object) or isinstance(then.type, tree.Struct):
        return _chosen_object(frame, condition, then, otherwise, cursor)
    if isinstance(kind, tree.Number) and kind.exact:
        a, b = exact_numbers.value_of(then), exact_numbers.value_of(otherwise)
        return exact_numbers.conditional(condition, a, b, kind).node
    return tree.TernaryOp(condition, then, otherwise, kind, frame.place(cursor))


def joined_values(frame: FunctionFrame, operator: str, left: Any, cursor: Any) -> Any:
    """Return `left && right` or `left || right`; raises Refused.

    Statements that the right one needs run where it does.
    """
    right = list(cursor.get_children())[1]
    front, node = _aside(frame, right)
    node, place = operand(node, right), frame.place(cursor)
    if not front and not _needs_statement(node):
        kind = frame.type_of(cursor.type, cursor)
        return tree.BinaryOp(operator, left, node, kind, place)
    declared = tree.Decl(frame.new_name("both"), tree.BOOL, place, left)
    test = variable(declared, place)
    then = tree.Compound((*front, *_assigned(frame, test, node, right)), place)
    unless = tree.UnaryOp("!", test, tree.BOOL, place)
    frame.front += [declared, tree.If(test if operator == "&&" else unless, then, None, place)]
    return test


def _aside(frame: FunctionFrame, cursor: Any) -> tuple[list[Statement], Any]:
    """The statements that have to run before an expression, and the expression."""
    before, frame.front = frame.front, []
    try:
        node = expression(frame, cursor)
        return frame.front, node
    finally:
        frame.front = before


def _needs_statement(node: Any) -> bool:
    """True for what has no place in a choice: reads of streams, which step their counters, and
    calls with arrays or references, whose bodies stand in the place of statements."""
    if steps(node):
        return True
    if isinstance(node, tree.FuncCall) and any(
        isinstance(one.type, (tree.Array, tree.Pointer)) for one in node.args
    ):
        return True
    return any(map(_needs_statement, children_of(node)))


def _assigned(frame: FunctionFrame, target: Any, node: Any, cursor: Any) -> list[Statement]:
    if isinstance(target, Object):
        return copied(frame, target, node, cursor)
    value = as_type(node, target.type, cursor)
    return [tree.Assignment("=", target, value, target.type, frame.place(cursor))]


def _chosen_object(
    frame: FunctionFrame, condition: Any, then: Any, otherwise: Any, cursor: Any
) -> Any:
    """A choice between two objects, member by member."""
    place = frame.place(cursor)
    declared = tree.Decl(frame.new_name("chosen"), tree.INT, place, condition)
    frame.front.append(declared)
    test = variable(declared, place)

    def part(a: Any, b: Any) -> Any:
        if isinstance(a, Object) or isinstance(a.type, tree.Struct):
            pairs = zip(parts_of(a), parts_of(b), strict=True)
            return Object(a.type, tuple(part(x, y) for x, y in pairs), place)
        return tree.TernaryOp(test, a, b, a.type, place)

    return part(then, otherwise)
