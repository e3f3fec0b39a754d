"""Objects of the planned function whose members are parameters of their own in C.

A struct without methods is passed as C passes it. An object of a class that has arrays, numbers and
constructors is a parameter a member: what tells its size then may bound loops.
"""

from __future__ import annotations

from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.library import library, walked
from hlsmem.read.c.clang.parameters import Parameter
from hlsmem.read.c.clang.steady import targets_in


def is_opened(parameter: Parameter) -> bool:
    """Return True for an object of a class with constructors, arrays and numbers."""
    kind = parameter.type
    if not isinstance(kind, tree.Struct):
        return False
    own = {type(one.type) for one in kind.members}
    is_fraction = any(getattr(one.type, "point", 0) for one in kind.members)
    if own != {tree.Array, tree.Number} or is_fraction:
        return False
    canonical = clang_types.referred(parameter.cursor.type).get_canonical()
    if any(one.access_specifier.name != "PUBLIC" for one in canonical.get_fields()):
        return False
    declaration = canonical.get_declaration()
    template = library().template_of(declaration) or declaration
    return any(
        one.kind.name == "CONSTRUCTOR" and not one.is_default_method()
        for one in template.get_children()
    )


def assigned_members(top: Any) -> frozenset[str]:
    """Return the names of members that functions assign which a function reaches.

    Constructors of variables are left out: an object of the planned function is made outside.
    """
    found: set[str] = set()
    seen: set[int] = set()
    pending = [top]
    while pending:
        function = pending.pop().get_definition()
        if function is None or function.hash in seen or function.kind.name == "CONSTRUCTOR":
            continue
        seen.add(function.hash)
        for target in targets_in(function, _is_part):
            found.update(_members_of(target))
        for one in walked(function):
            if one.kind.name == "CALL_EXPR" and one.referenced is not None:
                pending.append(one.referenced)
    return frozenset(found)


def _is_part(cursor: Any) -> bool:
    return cursor.kind.name in ("MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR")


def _members_of(target: Any) -> list[str]:
    """The members that a target is, or is an element of: not those of its subscripts."""
    found: list[str] = []
    own: Any = target
    while own is not None and own.kind.is_expression():
        known = own.referenced if own.kind.name == "MEMBER_REF_EXPR" else None
        if known is not None and known.kind.name == "FIELD_DECL":
            found.append(str(own.spelling))
        own = next((one for one in own.get_children() if one.kind.is_expression()), None)
    return found
