"""Copies of objects, member by member and element by element."""

from __future__ import annotations

from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang import exact_numbers
from hlsmem.read.c.clang.lowering import FunctionFrame, Refused
from hlsmem.read.c.clang.objects import (
    Node,
    Object,
    element_of,
    is_split,
    leaves_of,
    variable,
    with_leaves,
)
from hlsmem.read.c.clang.streams import declared_stream
from hlsmem.read.c.clang.types_in_c import is_wide
from hlsmem.read.c.clang.used_variables import base_name_of, names_in
from hlsmem.read.c.tree import Expression, SourceRange, Statement


def declared_object(
    frame: FunctionFrame,
    name: str,
    kind: tree.Type,
    place: SourceRange,
    initial: Node | None = None,
    storage: tuple[str, ...] = (),
    *,
    const: bool = False,
) -> tuple[list[Statement], Node]:
    """Return the declarations of an object, one a member, and the object."""
    found: list[Statement] = []
    values = iter(leaves_of(initial)) if initial is not None else None

    def made(own: str, leaf: tree.Type) -> Node:
        own = frame.new_name(own)
        if isinstance(leaf, tree.Stream):
            found.extend(declared_stream(frame, own, leaf, place))
        else:
            value = next(values, None) if values is not None else None
            if isinstance(value, tree.InitList) and not isinstance(leaf, tree.Array):
                value = value.exprs[0] if value.exprs else None
            found.append(tree.Decl(own, leaf, place, value, storage, const))
        return tree.ID(own, leaf, place)

    return found, with_leaves(kind, made, name)


def copied(frame: FunctionFrame, target: Node, source: Node, cursor: Any) -> list[Statement]:
    """Return the statements that assign an object or array to another.

    Values that are no variables may read what is assigned before: they go to variables first.
    """
    place = frame.place(cursor)
    targets, sources = list(leaves_of(target)), list(leaves_of(source))
    if len(targets) != len(sources):
        raise Refused(cursor, "objects of two classes are assigned", "assign their members")
    found: list[Statement] = []
    written: set[str] = set()
    for position, (one, other) in enumerate(zip(targets, sources, strict=True)):
        if names_in(other) & written:
            declared = tree.Decl(frame.new_name("value"), other.type, place, other)
            found.append(declared)
            sources[position] = variable(declared, place)
        base = base_name_of(one)
        if base:
            written.add(base)
    for one, other in zip(targets, sources, strict=True):
        found += _assigned(frame, one, other, place, cursor)
    return found


def _assigned(
    frame: FunctionFrame, target: Expression, source: Expression, place: SourceRange, cursor: Any
) -> list[Statement]:
    if is_wide(target.type):
        return list(exact_numbers.word_assignments(target, exact_numbers.value_of(source), place))
    if not isinstance(target.type, tree.Array):
        return [tree.Assignment("=", target, source, target.type, place)]
    if isinstance(source, tree.InitList):
        return listed(frame, target, source, cursor)
    if target.type.extent is None:
        raise Refused(cursor, "an array without extents is copied", "give it an extent")

    def element(index: Expression) -> list[Statement]:
        return copied(
            frame, element_of(target, index, place), element_of(source, index, place), cursor
        )

    return [counted(frame, target.type.extent, element, place)]


def counted(frame: FunctionFrame, extent: Expression, body: Any, place: SourceRange) -> tree.For:
    """Return a loop from 0 to an extent around what `body` makes of the counter."""
    zero = tree.Constant("0", tree.INT, place)
    index = tree.Decl(frame.new_name("i"), tree.INT, place, zero)
    counter = variable(index, place)
    return tree.For(
        tree.DeclList((index,), place),
        tree.BinaryOp("<", counter, extent, tree.BOOL, place),
        tree.UnaryOp("++", counter, tree.INT, place),
        tree.Compound(tuple(body(counter)), place),
        place,
    )


def listed(frame: FunctionFrame, target: Node, made: tree.InitList, cursor: Any) -> list[Statement]:
    """Return the assignments of the values of a list to an array, zeros where it ends."""
    kind, place = target.type, made.place
    assert isinstance(kind, tree.Array)
    if not isinstance(kind.extent, tree.Constant):
        raise Refused(cursor, "a list of values for an open number of elements", "write a loop")
    count = int(kind.extent.value.rstrip("ul"))
    zero = tree.Constant("0", tree.INT, place)
    found: list[Statement] = []
    if is_split(kind):
        raise Refused(cursor, "a list of objects is assigned", "assign them one by one")
    for position in range(count):
        index = tree.Constant(str(position), tree.INT, place)
        part = element_of(target, index, place)
        value: Expression = made.exprs[position] if position < len(made.exprs) else zero
        if isinstance(part.type, tree.Array):
            inner = (
                value if isinstance(value, tree.InitList) else tree.InitList((), part.type, place)
            )
            found += listed(frame, part, inner, cursor)
        else:
            assert not isinstance(part, Object)
            found.append(tree.Assignment("=", part, value, part.type, place))
    return found


def kept_object(frame: FunctionFrame, node: Node, wanted: str, cursor: Any) -> Node:
    """Return an object of variables in front that has the values of another."""
    place = frame.place(cursor)
    declared, target = declared_object(frame, wanted, node.type, place)
    frame.front += declared
    frame.front += copied(frame, target, node, cursor)
    return target
