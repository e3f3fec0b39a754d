"""Calls of functions that have no body in the file: of C's headers, and of other files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath
from typing import Any

from hlsmem.read.c import headers, tree
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.expressions import as_type, expression
from hlsmem.read.c.clang.lowering import FunctionFrame, Refused
from hlsmem.read.c.clang.objects import Object
from hlsmem.read.c.clang.parameters import argument, given_to, parameters_of
from hlsmem.read.c.tree import Expression


def header_of(known: Any) -> set[str]:
    """Return the header of C that declares a function or variable, of those in hls/read."""
    file = known.location.file
    name = "" if file is None else PurePath(file.name).name
    return {name} if name.endswith(".h") and not name.startswith("hlsmem_") else set()


def _text(frame: FunctionFrame, cursor: Any) -> Expression | None:
    """A text in quotes, which functions that print are given; None for other arguments."""
    own = clang_types.unwrapped(cursor)
    if own.kind.name != "STRING_LITERAL":
        return None
    return tree.Constant(own.spelling, tree.TEXT, frame.place(cursor))


def _is_object(node: Any) -> bool:
    """True for an object, and for its address: it is no variable of C."""
    while isinstance(node, (tree.UnaryOp, tree.Cast)):
        node = node.expr
    return isinstance(node, Object)


def call_without_body(frame: FunctionFrame, cursor: Any, known: Any) -> Any:
    """Return the call of a function of C's headers, or of another file; raises Refused."""
    name = known.spelling
    arguments = list(cursor.get_arguments())
    kind = frame.type_of(cursor.type, cursor)
    if name == "assert":
        frame.lowering.headers.add("assert.h")
        args = tuple(expression(frame, one) for one in arguments)
        return tree.FuncCall("assert", args, tree.Void(), frame.place(cursor))
    if name in headers.PURE_FUNCTIONS:
        frame.lowering.headers.add("stdlib.h" if name in ("abs", "labs", "llabs") else "math.h")
        made = [
            as_type(expression(frame, one), frame.type_of(one.type, one), one) for one in arguments
        ]
        return tree.FuncCall(name, tuple(made), kind, frame.place(cursor))
    if headers.is_of_a_header(name):
        frame.lowering.headers |= header_of(known)
        args = tuple(_text(frame, one) or expression(frame, one) for one in arguments)
        for own, one in zip(args, arguments, strict=True):
            if _is_object(own):
                what = f"'{name}' is given an object, whose bytes are not read"
                raise Refused(one, what, "assign the object, or its members one by one")
        return tree.FuncCall(name, args, kind, frame.place(cursor))
    if frame.lowering.source.file_of(known) and known.kind.name == "FUNCTION_DECL":
        parameters = parameters_of(frame, known)
        passed: list[Expression] = []
        for one, parameter in given_to(cursor, arguments, parameters):
            passed += argument(frame, expression(frame, one), parameter, one)
        place = frame.place(cursor)
        frame.lowering.outside.setdefault(name, replace(frame.place(known), through=()))
        return tree.FuncCall(name, tuple(passed), kind, place)
    what = f"'{known.spelling}' has no body here"
    raise Refused(cursor, what, "write a function, or name its file with kernel.sources")
