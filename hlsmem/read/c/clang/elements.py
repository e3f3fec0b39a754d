"""Elements of arrays, of streams and of what pointers point to."""

from __future__ import annotations

from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang.expressions import expression
from hlsmem.read.c.clang.lowering import FunctionFrame, Refused
from hlsmem.read.c.clang.objects import element_of, is_streams, steps, unwidened, variable
from hlsmem.read.c.clang.pointees import has_parts
from hlsmem.read.c.clang.steady import changes_in, with_values
from hlsmem.read.c.tree import Expression


def element(frame: FunctionFrame, cursor: Any) -> Any:
    """Return an element of an array; raises Refused."""
    base, subscript = cursor.get_children()
    node = expression(frame, base)
    index: Any = unwidened(expression(frame, subscript))
    if not isinstance(node.type, (tree.Array, tree.Pointer)):
        node, index = index, node
    if not isinstance(node.type, (tree.Array, tree.Pointer)):
        raise Refused(cursor, "this is no element of an array", "take an array")
    if is_streams(node.type):
        index = with_values(index, frame.steady)
    elif steps(index) and has_parts(node.type.element):
        index = _stepped_before(frame, index, cursor)
    return element_of(node, index, frame.place(cursor))


def _stepped_before(frame: FunctionFrame, index: Expression, cursor: Any) -> Expression:
    """An index that steps a variable, once for all parts of an element."""
    whole = () if frame.statement is None else changes_in(frame.statement)
    if any(whole.count(one) > 1 for one in changes_in(cursor)):
        what = "a variable is stepped in the subscript of an object, and elsewhere in the statement"
        raise Refused(cursor, what, "step it in a statement of its own")
    declared = tree.Decl(frame.new_name("at"), index.type, index.place, index)
    frame.front.append(declared)
    return variable(declared, index.place)
