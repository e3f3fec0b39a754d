"""Names of the user's that generated C defines, calls or includes itself, or isl has for itself.

What nobody outside of the kernel knows gets another name: local variables, parameters, static
variables and functions of the file. What others know by its name is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from hlsmem.core.errors import Problems
from hlsmem.polyhedra.diagnosis import is_keyword
from hlsmem.read.c import headers, names, tree
from hlsmem.read.c.clang.types_in_c import is_function
from hlsmem.read.c.source_map import SourceMap
from hlsmem.read.c.trees import children_of, nodes_of
from hlsmem.read.design_names import CXX_KEYWORDS, RESERVED, free_name, generated_names

_Value = TypeVar("_Value")

_INCLUDED = headers.types_of(["stdint.h", "stdbool.h", "stddef.h"]) | {"true", "false"}


def names_out_of_the_way(root: Any, function: Any, parameters: Sequence[str]) -> Mapping[str, str]:
    """Return names with `user_` in front for variables and functions of the user's in the way.

    Labels, members and types are in nobody's way.
    """
    generated = generated_names(function.name, parameters)
    known = _declared(root)
    wrong = {one for one in known if one.lower().startswith(RESERVED) and not is_function(one)}
    wrong |= known & (generated | _INCLUDED)
    wrong |= _of_file(root) & headers.LIBRARY_FUNCTIONS
    wrong |= set(filter(is_keyword, _counters(root)))
    wrong -= {function.name, *parameters, *_known_outside(root)}
    taken = {*names.identifiers(root), *generated}
    return {one: free_name(f"user_{one}", taken) for one in sorted(wrong)}


def under(renamed: Mapping[str, str], given: Mapping[str, _Value] | None) -> dict[str, _Value]:
    """Values given by the user's names, by the names that the reader has for them."""
    return {renamed.get(name, name): one for name, one in (given or {}).items()}


def names_of_user(renamed: Mapping[str, str]) -> dict[str, str]:
    """The user's words for names that are here instead."""
    return {here: own for own, here in renamed.items()}


def _declared(root: Any) -> set[str]:
    """The names of variables and functions, those of members not."""
    found = set[str]()
    pending = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, tree.LINKED):
            found.add(node.name)
        if not isinstance(node, tree.StructDef):
            pending += children_of(node)
    return found


def _counters(root: Any) -> Iterator[str]:
    """The variables that loops count, as isl knows them."""
    for node in nodes_of(root):
        match node:
            case tree.For(init=tree.DeclList(decls=declared)):
                yield from (one.name for one in declared)
            case tree.For(init=tree.Assignment(lvalue=tree.ID(name=name))):
                yield name


def _of_file(root: Any) -> set[str]:
    """The functions and variables at the level of the file."""
    return {one.name for one in root.ext if isinstance(one, tree.LINKED)}


def _known_outside(root: Any) -> set[str]:
    """The functions and variables that other files see, or are expected to have; and types."""
    found = {node.name for node in root.ext if isinstance(node, tree.Typedef)}
    known = (
        one for one in root.ext if isinstance(one, tree.LINKED) and "static" not in one.storage
    )
    return found | {one.name for one in known}


def check_reserved(
    root: Any, function: Any, parameters: Sequence[str], source: SourceMap, problems: Problems
) -> None:
    """Refuse names that generated C keeps for itself, or C for its library, each where it stands
    first."""
    own = function.name
    refused: set[str] = set()
    for kept, whose in (
        (CXX_KEYWORDS, "a keyword of C++, which the header is for as well"),
        (headers.LIBRARY_FUNCTIONS, "a function of the C library"),
    ):
        if own in kept:
            source_location = source.name_place(function)
            problems.add(f"{own!r} is {whose}", "rename the function", source_location)
            refused.add(own)
    taken = generated_names(own, parameters) | _INCLUDED
    shared = _shared_variables(root)
    for node in nodes_of(function):
        for name in names.names_at(node):
            if name in refused or isinstance(node, tree.Label):
                continue
            is_own = isinstance(node, tree.LINKED) or name in parameters or name in shared
            if name.lower().startswith(RESERVED) and not is_function(name):
                reason = f"starts with {RESERVED!r}, which generated C keeps for itself"
            elif name in taken and is_own:
                reason = "is a name that the generated C defines or calls itself"
            elif name in headers.LIBRARY_FUNCTIONS and name in shared:
                reason = "is a function of the C library"
            else:
                continue
            refused.add(name)
            problems.add(f"{name!r} {reason}", "rename it", source.name_place(node))


def _shared_variables(root: Any) -> set[str]:
    """The variables that other files see, or are expected to have."""
    return {
        node.name
        for node in root.ext
        if isinstance(node, tree.Decl) and "static" not in node.storage
    }
