"""What pointers point to, and elements that C reads and assigns part by part."""

from __future__ import annotations

from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang.lowering import Refused
from hlsmem.read.c.clang.objects import dereferenced, steps
from hlsmem.read.c.clang.types_in_c import is_wide
from hlsmem.read.c.tree import Expression, SourceRange


def pointee(node: Expression, cursor: Any, place: SourceRange) -> Expression:
    """Return what a pointer points to; raises Refused where parts would step it several times."""
    found = dereferenced(node, place)
    if steps(node) and has_parts(found.type):
        what = "a pointer to an object is stepped where the object is used"
        raise Refused(cursor, what, "step it in a statement of its own")
    return found


def has_parts(kind: tree.Type) -> bool:
    """Return True for what C reads and assigns part by part: structs, and wide words."""
    return isinstance(kind, tree.Struct) or is_wide(kind)
