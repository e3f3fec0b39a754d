"""Calls as clang has them: bodies, objects, arguments, names of what is called."""

from __future__ import annotations

from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.library import library, walked
from hlsmem.read.c.clang.objects import element_type

_OPERATORS = {
    "()": "call", "[]": "at", "+": "plus", "-": "minus", "*": "times", "/": "over",
    "%": "modulo", "<": "less", ">": "greater", "<=": "at_most", ">=": "at_least",
    "==": "equals", "!=": "differs", "=": "assign", "<<": "left", ">>": "right", "&": "and",
    "|": "or", "^": "xor", "!": "not", "~": "complement", "++": "next", "--": "previous",
    "+=": "add", "-=": "subtract", "*=": "multiply", "->": "arrow", "&&": "both", "||": "either",
}  # fmt: skip


def is_of_language(known: Any) -> bool:
    """Return True for a constructor or assignment that the class does not write itself."""
    return bool(known.is_default_method()) or known.location == known.semantic_parent.location


def body_of(definition: Any) -> Any | None:
    """Return the block of a function; None where there is none."""
    for one in definition.get_children():
        if one.kind.name == "COMPOUND_STMT":
            return one
    return None


def single_expression(body: Any) -> Any | None:
    """Return the expression that is all that a body returns or computes; else None."""
    items = [one for one in body.get_children() if one.kind.name != "NULL_STMT"]
    if len(items) != 1:
        return None
    if items[0].kind.name == "RETURN_STMT":
        return next(iter(items[0].get_children()), None)
    return items[0] if items[0].kind.is_expression() else None


def object_of(cursor: Any) -> Any | None:
    """Return the expression of the object whose method is called; None for that of `this`."""
    for one in cursor.get_children():
        if _names_method(one):
            return next((c for c in one.get_children() if c.kind.is_expression()), None)
        break
    return None


def _names_method(cursor: Any) -> bool:
    """True for the method behind an object, not for a member that is an operand."""
    known = cursor.referenced if cursor.kind.name == "MEMBER_REF_EXPR" else None
    return known is not None and known.kind.name in ("CXX_METHOD", "CONVERSION_FUNCTION")


def arguments_of(cursor: Any, known: Any) -> tuple[Any | None, list[Any]]:
    """Return the object, for a method that is called as an operator, and the other arguments."""
    given = list(cursor.get_arguments())
    is_method = known.kind.name in ("CXX_METHOD", "CONVERSION_FUNCTION")
    first = next(iter(cursor.get_children()), None)
    named = first is not None and _names_method(first)
    if is_method and not named and not known.is_static_method() and given:
        return given[0], given[1:]
    return (object_of(cursor) if is_method else None), given


def called_name(definition: Any) -> str:
    """Return the name of an instance as a user would write it.

    Template arguments that are numbers stand in angle brackets.
    """
    count = max(definition.get_num_template_arguments(), 0)
    shown = []
    for position in range(count):
        kind = library().template_argument_kind(definition, position)
        if kind == "INTEGRAL":
            shown.append(str(definition.get_template_argument_value(position)))
        elif kind == "TYPE":
            shown.append(clang_types.name_of_type(definition.get_template_argument_type(position)))
    name = str(definition.spelling)
    return f"{name}<{', '.join(shown)}>" if shown else name


def function_name(definition: Any, receiver: tree.Type | None) -> str:
    """Return the wanted name of a function in C."""
    name = str(definition.spelling)
    if name.startswith("operator"):
        sign = name.removeprefix("operator").strip()
        name = _OPERATORS.get(sign, "convert")
    else:
        name = clang_types.c_name(called_name(definition))
    struct = None if receiver is None else element_type(receiver)
    if isinstance(struct, tree.Struct):
        name = f"{struct.name}_{name}"
    return name


def is_certain(cursor: Any) -> bool:
    """Return True where the class of an object is that of a variable."""
    one = object_of(cursor)
    while one is not None and one.kind.name in ("UNEXPOSED_EXPR", "PAREN_EXPR"):
        one = next(iter(one.get_children()), None)
    if one is None or one.kind.name != "DECL_REF_EXPR":
        return False
    return not clang_types.is_reference(one.referenced.type)


def returns_receiver(body: Any) -> bool:
    """True for a method that returns *this, and nowhere anything else."""
    found = [one for one in walked(body) if one.kind.name == "RETURN_STMT"]
    return all(
        any(below.kind.name == "CXX_THIS_EXPR" for below in walked(one))
        and not any(below.kind.name == "MEMBER_REF_EXPR" for below in walked(one))
        for one in found
    )


def uses(cursor: Any, variable_cursor: Any) -> int:
    """Return how often a variable is named in a text."""
    count = 0
    for one in walked(cursor):
        if one.kind.name == "DECL_REF_EXPR" and one.referenced is not None:
            count += one.referenced.hash == variable_cursor.hash
    return count


def is_to_constant(parameter: Any) -> bool:
    """Return True for a parameter through which nothing is written: its elements are const."""
    kind = clang_types.referred(parameter.type)
    while True:
        # The canonical type of an array may have lost the const of its elements.
        own = kind if clang_types.kind_name(kind) in clang_types.ARRAYS else kind.get_canonical()
        name = clang_types.kind_name(own)
        if name == "POINTER":
            kind = own.get_pointee()
        elif own.is_const_qualified() or kind.is_const_qualified():
            return True
        elif name in clang_types.ARRAYS:
            kind = own.get_array_element_type()
        else:
            return False
