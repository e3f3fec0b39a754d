"""Types of clang as types of the tree; classes by what they are: numbers, streams, structs."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang.library import library
from hlsmem.read.c.headers import EXACT_TYPES
from hlsmem.read.c.tree import Number

_INTEGERS = {
    "BOOL": tree.BOOL,
    "CHAR_S": Number(8, True, spelled="char"),
    "CHAR_U": Number(8, False),
    "SCHAR": Number(8, True),
    "UCHAR": Number(8, False),
    "SHORT": Number(16, True),
    "USHORT": Number(16, False),
    "INT": tree.INT,
    "UINT": tree.UNSIGNED,
    "LONG": tree.LONG,
    "ULONG": tree.UNSIGNED_LONG,
    "LONGLONG": Number(64, True, spelled="long long"),
    "ULONGLONG": Number(64, False, spelled="unsigned long long"),
    "INT128": Number(128, True),
    "UINT128": Number(128, False),
}
LONG_DOUBLE = "LONGDOUBLE"
"""The kind of numbers that literals and sums may be on their way, and no variables."""
ARRAYS = ("CONSTANTARRAY", "INCOMPLETEARRAY", "VARIABLEARRAY")
_REFERENCES = ("LVALUEREFERENCE", "RVALUEREFERENCE")
QUEUES = "fifo depth".split()  # noqa: SIM905 - classes of C++, no kinds of storage
"""The classes of hlsmem_fifo.h: a queue, and its depth where the type states one."""
CHANNELS = ("split", "merge")
"""The classes of hlsmem_fifo.h that split a stream into several in turn, or merge several."""
# The first bracket of a type, with restrict among the qualifiers in it.
_RESTRICT_ARRAY = re.compile(r"[^\[]*\[ *(static |const |volatile )*(__)?restrict(__)?\b")
_TO_ZERO = 1
_INTRINSIC = "hlsmem"
"""The namespace of the classes whose meaning is known here: num, part, fifo, depth and channels."""


def kind_name(kind: Any) -> str:
    """Return the name of clang's kind of a type."""
    return str(kind.kind.name)


def is_reference(kind: Any) -> bool:
    """Return True for a reference of C++, whose type is that of what it refers to."""
    return kind_name(kind.get_canonical()) in _REFERENCES


def referred(kind: Any) -> Any:
    """Return the type itself, or for a reference that of what it refers to."""
    own = kind.get_canonical()
    return own.get_pointee() if kind_name(own) in _REFERENCES else kind


def is_restrict_array(parameter: Any) -> bool:
    """Return True for a parameter that is an array qualified restrict (C99 6.7.5.3)."""
    text = parameter.type.spelling
    if kind_name(parameter.type) == "INCOMPLETEARRAY":  # the spelling has no qualifiers then
        text = " ".join(one.spelling for one in parameter.get_tokens())
    return _RESTRICT_ARRAY.match(text) is not None


def qualified_name(cursor: Any) -> str:
    """Return a declaration's name with those of its namespaces and classes in front.

    Inline namespaces count.
    """
    names = []
    while cursor is not None and cursor.kind.is_declaration() and cursor.spelling:
        names.append(cursor.spelling)
        cursor = cursor.semantic_parent
        if cursor is not None and cursor.kind.is_translation_unit():
            break
    return "::".join(reversed(names))


def intrinsic_of(kind: Any) -> str:
    """Return which intrinsic class a type is, such as num; empty for all other types."""
    own = referred(kind).get_canonical()
    if kind_name(own) != "RECORD":
        return ""
    name = qualified_name(own.get_declaration())
    return name.removeprefix(f"{_INTRINSIC}::") if name.startswith(f"{_INTRINSIC}::") else ""


def is_intrinsic_number(kind: Any) -> bool:
    """Return True for a `num`, also one whose width is a parameter of a template."""
    declaration = kind.get_canonical().get_declaration()
    return qualified_name(declaration) == f"{_INTRINSIC}::num"


def number_of(kind: Any) -> Number:
    """Return the type of a `num`, or that of the bits in a `part`."""
    own = referred(kind).get_canonical().get_declaration()
    if own.spelling == "part":
        bits = own.get_template_argument_value(1)
        return Number(bits, False, rounding=_TO_ZERO, exact=True)
    bits, whole, signed, rounding, overflow = (
        own.get_template_argument_value(position) for position in range(5)
    )
    return Number(
        bits,
        bool(signed),
        point=bits - whole,
        rounding=rounding & 7,  # 8 marks the classes of Algorithmic C
        overflow=overflow,
        exact=True,
    )


def is_part(kind: Any) -> bool:
    """Return True for a slice, which refers to bits of a number."""
    return intrinsic_of(kind) == "part"


def fields_of(kind: Any) -> list[Any]:
    """Return the fields of a class, without those of its bases."""
    return list(referred(kind).get_canonical().get_fields())


def stream_of(kind: Any) -> tuple[Any, int] | None:
    """Return the type of the elements and the depth of a class that is a stream; else None."""
    own = referred(kind).get_canonical()
    if kind_name(own) != "RECORD":
        return None
    name = intrinsic_of(own)
    if name in QUEUES:
        declaration = own.get_declaration()
        depth = (
            declaration.get_template_argument_value(1)
            if declaration.get_num_template_arguments() > 1
            else 0
        )
        return declaration.get_template_argument_type(0), depth
    if name:
        return None
    fields = fields_of(own)
    found = [stream_of(one.type) for one in fields if not is_reference(one.type)]
    if not fields or len(found) < len(fields) or None in found:
        return None
    element, _ = found[0]  # type: ignore[misc]
    return element, max(one[1] for one in found if one is not None)


def is_view(kind: Any) -> bool:
    """Return True for a class that has a member that is a reference."""
    own = referred(kind).get_canonical()
    if kind_name(own) != "RECORD" or intrinsic_of(own) or stream_of(own) is not None:
        return False
    return any(is_reference(one.type) for one in own.get_fields())


def is_lambda(kind: Any) -> bool:
    """Return True for the class of a lambda expression."""
    return "(lambda at " in referred(kind).get_canonical().spelling


def c_name(text: str) -> str:
    """Return a name of C for a name of C++.

    >>> c_name("lib::Lines<3, 64, ap_int<8>>")
    'Lines_3_64_ap_int_8'
    """
    last = re.sub(r"\b\w+::", "", text)
    made = re.sub(r"\W+", "_", last.replace("-", "m")).strip("_")
    return made if made and not made[0].isdigit() else f"_{made}"


def number_kind(kind: Any) -> Number | tree.Float | None:
    """Return the number that a type is; None for all other types."""
    own = referred(kind).get_canonical()
    name = kind_name(own)
    if name in _INTEGERS:
        found = _INTEGERS[name]
        spelled = _exact_name(kind)
        return replace(found, spelled=spelled) if spelled else found
    if name == "FLOAT":
        return tree.Float(32)
    if name in ("DOUBLE", LONG_DOUBLE):
        return tree.Float(64)
    if name == "ENUM":
        return number_kind(own.get_declaration().enum_type)
    if intrinsic_of(own) == "num":
        return number_of(own)
    return None


def _exact_name(kind: Any) -> str:
    """The name in <stdint.h> that an integer has, also by a name of the user's; "" for none."""
    own = referred(kind)
    while kind_name(own) in ("TYPEDEF", "ELABORATED"):
        declaration = own.get_declaration()
        if declaration.kind.name != "TYPEDEF_DECL":
            return ""
        if declaration.spelling in EXACT_TYPES:
            return str(declaration.spelling)
        own = declaration.underlying_typedef_type
    return ""


def name_of_type(kind: Any) -> str:
    """Return a type as a user would write it."""
    return str(kind.spelling).replace("class ", "").replace("struct ", "")


def is_template_value(cursor: Any) -> bool:
    """Return True for a number that stands for a template parameter in an instance."""
    below = list(cursor.get_children())
    return not cursor.spelling and len(below) == 1


def value_of(cursor: Any) -> int | float | None:
    """Return the value of a constant expression; None where it is none."""
    return library().value(cursor)


def is_function(kind: Any) -> bool:
    """Return True for a function, and for a pointer or reference to one."""
    own = referred(kind).get_canonical()
    if kind_name(own) == "POINTER":
        own = own.get_pointee().get_canonical()
    return kind_name(own) in ("FUNCTIONPROTO", "FUNCTIONNOPROTO")


def unwrapped(cursor: Any) -> Any:
    """Return an expression without the conversions of the language and parentheses around it."""
    while cursor.kind.name in ("UNEXPOSED_EXPR", "PAREN_EXPR"):
        below = list(cursor.get_children())
        if len(below) != 1:
            break
        cursor = below[0]
    return cursor
