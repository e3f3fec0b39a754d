"""Loops called as the user called them, where the statements inside agree with the schedule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from hlsmem.core.expression import Expression, Name, substituted
from hlsmem.polyhedra.generated_loops import Block, Guard, Loop, Node, Visit

Namer = Callable[[Visit], Sequence[tuple[str, Expression]]]
"""Gives the user's names of values at a visit: iterators and what they are."""


def with_user_names(node: Node, namer: Namer, taken: frozenset[str]) -> Node:
    """The same loops with every loop variable named after the iterator that it is.

    A loop keeps its name where no statement inside has it as an iterator, or where the name
    is `taken` or a loop around it has it already.
    """
    return _renamed(node, namer, taken, {})


def _renamed(node: Node, namer: Namer, taken: frozenset[str], names: Mapping[str, str]) -> Node:
    """`names` are the new names of the loops around."""
    if isinstance(node, Loop):
        name = _name(node, namer, taken.union(names.values()))
        inside = {**names, node.iterator: name}
        values = {old: Name(new) for old, new in inside.items()}
        around = {old: Name(new) for old, new in names.items()}
        return replace(
            node,
            iterator=name,
            first=substituted(node.first, around),
            condition=substituted(node.condition, values),
            last=None if node.last is None else substituted(node.last, values),
            body=_renamed(node.body, namer, taken, inside),
        )
    return _mapped(
        node,
        {old: Name(new) for old, new in names.items()},
        lambda inner: _renamed(inner, namer, taken, names),
    )


def with_values(node: Node, values: Mapping[str, Expression]) -> Node:
    """The same nodes with expressions in place of names."""
    if isinstance(node, Loop):
        return replace(
            node,
            first=substituted(node.first, values),
            condition=substituted(node.condition, values),
            last=None if node.last is None else substituted(node.last, values),
            body=with_values(node.body, values),
        )
    return _mapped(node, values, lambda inner: with_values(inner, values))


def _mapped(
    node: Visit | Guard | Block, values: Mapping[str, Expression], inside: Callable[[Node], Node]
) -> Node:
    match node:
        case Visit(statement, coordinates):
            return Visit(statement, tuple(substituted(c, values) for c in coordinates))
        case Guard(condition, then, otherwise):
            other = None if otherwise is None else inside(otherwise)
            return Guard(substituted(condition, values), inside(then), other)
        case Block(nodes):
            return Block(tuple(inside(inner) for inner in nodes))


def visits(node: Node) -> Iterator[Visit]:
    """All visits in a node, in textual order."""
    match node:
        case Visit():
            yield node
        case Guard(_, then, otherwise):
            yield from visits(then)
            if otherwise is not None:
                yield from visits(otherwise)
        case Block(nodes):
            for inner in nodes:
                yield from visits(inner)
        case Loop(_, _, _, _, _, body):
            yield from visits(body)


def has_guard(node: Node) -> bool:
    """True if there is a guard anywhere in a node."""
    match node:
        case Guard():
            return True
        case Block(nodes):
            return any(has_guard(inner) for inner in nodes)
        case Loop(body=body):
            return has_guard(body)
        case Visit():
            return False


def has_guard_in_loop(node: Node) -> bool:
    """True if an innermost loop of a node has a guard in it."""
    match node:
        case Guard(_, then, otherwise):
            rest = otherwise is not None and has_guard_in_loop(otherwise)
            return rest or has_guard_in_loop(then)
        case Block(nodes):
            return any(has_guard_in_loop(inner) for inner in nodes)
        case Loop(body=body):
            return has_guard_in_loop(body) if loop_variables(body) else has_guard(body)
        case Visit():
            return False


def loop_variables(node: Node) -> frozenset[str]:
    """The variables of all loops in a node."""
    match node:
        case Loop():
            return loop_variables(node.body) | {node.iterator}
        case Guard(_, then, otherwise):
            found = loop_variables(then)
            return found if otherwise is None else found | loop_variables(otherwise)
        case Block(nodes):
            return frozenset().union(*(loop_variables(inner) for inner in nodes))
        case Visit():
            return frozenset()


def _name(loop: Loop, namer: Namer, forbidden: frozenset[str]) -> str:
    iterator = Name(loop.iterator)
    wanted = [
        name for visit in visits(loop.body) for name, value in namer(visit) if value == iterator
    ]
    wanted.append(loop.iterator)
    free = next((name for name in wanted if name not in forbidden), None)
    if free is not None:
        return free
    number = 2
    while f"{wanted[0]}_{number}" in forbidden:
        number += 1
    return f"{wanted[0]}_{number}"
