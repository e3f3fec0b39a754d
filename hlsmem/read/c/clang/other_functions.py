"""Functions of a file of C that the planned one does not call: what they use of the file."""

from __future__ import annotations

from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang.library import walked
from hlsmem.read.c.clang.lowering import Lowering
from hlsmem.read.c.clang.objects import leaves_of
from hlsmem.read.c.clang.planned_function import functions_of


def other_functions(lowering: Lowering) -> list[tree.FuncDef]:
    """Return the functions that are not lowered, each with what it uses in place of its body.

    Variables of the file that it sees belong to it, too, and what it calls is called by others.
    """
    known = {key[1] for key in lowering.names if key[0] == "top"}
    known |= {key[0] for key in lowering.functions}
    found = []
    for one in functions_of(lowering.source):
        if one.get_usr() in known or one.spelling in lowering.taken:
            continue
        used = map(tree.ID, sorted(_used(lowering, one)))
        place = lowering.place(one)
        storage = ("static",) if one.linkage.name == "INTERNAL" else ()
        body = tree.Compound(tuple(used), place)
        found.append(tree.FuncDef(one.spelling, tree.Void(), (), body, place, storage))
    return found


def _used(lowering: Lowering, function: Any) -> set[str]:
    """The names in C of the variables and functions of the file that a function uses."""
    found = set()
    for one in walked(function):
        known = one.referenced if one.kind.name == "DECL_REF_EXPR" else None
        if known is None or known.kind.name not in ("VAR_DECL", "FUNCTION_DECL"):
            continue
        usr = known.get_usr()
        if known.kind.name == "FUNCTION_DECL":
            own = [made.name for key, made in lowering.functions.items() if key[0] == usr]
            found |= {*own, known.spelling}
        elif usr in lowering.variables:
            found.add(lowering.variables[usr].name)
        elif usr in lowering.objects:
            leaves = leaves_of(lowering.objects[usr])
            found |= {leaf.name for leaf in leaves if isinstance(leaf, tree.ID)}
    return found
