"""Arguments of calls: what is passed for a parameter, and which of them a function of C has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.call_cursors import body_of, uses
from hlsmem.read.c.clang.captures import names_around
from hlsmem.read.c.clang.expressions import expression
from hlsmem.read.c.clang.lowering import FunctionFrame, Refused
from hlsmem.read.c.clang.objects import has_effect
from hlsmem.read.c.clang.parameters import Parameter, Passing
from hlsmem.read.c.clang.streams import refuse_without_end
from hlsmem.read.c.tree import Expression


def passed_node(frame: FunctionFrame, cursor: Any, parameter: Parameter) -> Any:
    """Return the expression of an argument; a lambda that names nothing around it is a name.

    So is a string or a null pointer that nothing uses, such as the name of a task.
    """
    if _is_unused_literal(cursor, parameter):
        return tree.ID(parameter.name, parameter.type, frame.place(cursor))
    if parameter.way is not Passing.LAMBDA:
        return expression(frame, cursor)
    if names_around(frame, cursor):
        what = "a lambda that names variables around it as an argument is not read"
        raise Refused(cursor, what, "call it where it is")
    return tree.ID(parameter.name, tree.Void(), frame.place(cursor))


def _is_unused_literal(cursor: Any, parameter: Parameter) -> bool:
    if clang_types.unwrapped(cursor).kind.name not in (
        "STRING_LITERAL",
        "CXX_NULL_PTR_LITERAL_EXPR",
    ):
        return False
    body = body_of(parameter.cursor.semantic_parent)
    return body is not None and not uses(body, parameter.cursor)


def used_arguments(
    frame: FunctionFrame, function: tree.FuncDef, arguments: Sequence[Expression]
) -> list[Expression]:
    """Return the arguments whose parameters the function in C has; effects of others stay."""
    positions = frame.lowering.used_parameters[function.name]
    used = set(positions)
    for position, one in enumerate(arguments):
        if position not in used and has_effect(one):
            frame.front.append(one)
    found = [arguments[position] for position in positions]
    refuse_without_end(found)
    return found
