"""Loops called as the user called them, where the statements inside agree with the schedule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hlsmem.expression import Expression, Name, Operation
from hlsmem.polyhedra.loops import Block, Guard, Loop, Node, Visit


def with_user_names(
    node: Node, iterators: Mapping[str, tuple[str, ...]], taken: frozenset[str]
) -> Node:
    """The same loops with every loop variable named after the iterator that it is.

    `iterators` gives the iterators of each visited family. A loop keeps its name where no
    statement inside has it as an iterator, or where the name is `taken` or a loop around it
    has it already.
    """
    return _renamed(node, iterators, taken, {})


def _renamed(
    node: Node,
    iterators: Mapping[str, tuple[str, ...]],
    taken: frozenset[str],
    names: Mapping[str, str],
) -> Node:
    """`names` are the new names of the loops around."""
    match node:
        case Visit(statement, coordinates):
            return Visit(statement, tuple(_substituted(c, names) for c in coordinates))
        case Guard(condition, then, otherwise):
            other = None
            if otherwise is not None:
                other = _renamed(otherwise, iterators, taken, names)
            inner = _renamed(then, iterators, taken, names)
            return Guard(_substituted(condition, names), inner, other)
        case Block(nodes):
            return Block(tuple(_renamed(inner, iterators, taken, names) for inner in nodes))
        case Loop():
            forbidden = taken.union(names.values())
            name = _name(node, iterators, forbidden)
            inside = {**names, node.iterator: name}
            return replace(
                node,
                iterator=name,
                first=_substituted(node.first, names),
                condition=_substituted(node.condition, inside),
                last=None if node.last is None else _substituted(node.last, inside),
                body=_renamed(node.body, iterators, taken, inside),
            )


def _name(loop: Loop, iterators: Mapping[str, tuple[str, ...]], forbidden: frozenset[str]) -> str:
    wanted = [*_candidates(loop.body, loop.iterator, iterators), loop.iterator]
    free = next((name for name in wanted if name not in forbidden), None)
    if free is not None:
        return free
    number = 2
    while f"{wanted[0]}_{number}" in forbidden:
        number += 1
    return f"{wanted[0]}_{number}"


def _candidates(node: Node, iterator: str, iterators: Mapping[str, tuple[str, ...]]) -> list[str]:
    """The iterators that `iterator` is in the visits below, in textual order."""
    match node:
        case Visit(statement, coordinates):
            return [
                name
                for name, value in zip(iterators[statement], coordinates, strict=True)
                if value == Name(iterator)
            ]
        case Guard(_, then, otherwise):
            found = _candidates(then, iterator, iterators)
            return found + (
                [] if otherwise is None else _candidates(otherwise, iterator, iterators)
            )
        case Block(nodes):
            return [n for inner in nodes for n in _candidates(inner, iterator, iterators)]
        case Loop(_, _, _, _, _, body):
            return _candidates(body, iterator, iterators)


def _substituted(expression: Expression, names: Mapping[str, str]) -> Expression:
    match expression:
        case Name(name):
            return Name(names.get(name, name))
        case Operation(operator, arguments):
            return Operation(operator, tuple(_substituted(a, names) for a in arguments))
    return expression
