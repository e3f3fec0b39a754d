"""The functions that exact arithmetic calls, as far as a program does: by their names."""

from __future__ import annotations

from collections.abc import Iterable

from hlsmem.read.c import tree
from hlsmem.read.c.clang import float_numbers, rounding, shifts
from hlsmem.read.c.clang.exact_values import Function
from hlsmem.read.c.clang.types_in_c import PREFIX
from hlsmem.read.c.tree import SourceRange


def helpers(names: Iterable[str], place: SourceRange) -> tuple[tree.FuncDef, ...]:
    """Return the functions of exact arithmetic among some names, each once, by name.

    >>> [one.name for one in helpers(["main", "hlsmem_saturate_8"], SourceRange("k.cpp", 1, 1))]
    ['hlsmem_saturate_8']
    """
    made = ((name, _function(name, place)) for name in sorted(set(names)))
    return tuple(_definition(name, found, place) for name, found in made if found is not None)


def _function(name: str, place: SourceRange) -> Function | None:
    if not name.startswith(PREFIX):
        return None
    rooms = (rounding, shifts, float_numbers)
    return next((found for one in rooms if (found := one.function_of(name, place))), None)


def _definition(name: str, found: Function, place: SourceRange) -> tree.FuncDef:
    parameters = tuple(tree.Decl(one.name, one.type, place) for one in found.parameters)
    body = tree.Compound((tree.Return(found.value, place),), place)
    return tree.FuncDef(name, found.returns, parameters, body, place, ("static",))
