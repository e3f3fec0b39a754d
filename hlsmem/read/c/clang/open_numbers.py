"""Numbers without a first value of which parts are assigned: they begin with 0.

A part is assigned by reading the whole and keeping its other bits, which C++ leaves open until they
are assigned too.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

from hlsmem.read.c import tree
from hlsmem.read.c.clang import exact_numbers
from hlsmem.read.c.clang.used_variables import names_in, names_of
from hlsmem.read.c.tree import Statement


def _with_first_values(node: Statement, names: Set[str]) -> Statement:
    match node:
        case tree.Compound(items):
            return replace(node, block_items=tuple(in_block(items, names)))
        case tree.If(_, then, otherwise):
            other = None if otherwise is None else _with_first_values(otherwise, names)
            return replace(node, iftrue=_with_first_values(then, names), iffalse=other)
        case tree.For() | tree.While() | tree.DoWhile() | tree.Switch() | tree.Label():
            return replace(node, stmt=_with_first_values(node.stmt, names))
        case tree.Case(stmts=stmts) | tree.Default(stmts=stmts):
            return replace(node, stmts=tuple(in_block(stmts, names)))
        case _:
            return node


def in_block(items: Sequence[Statement], names: Set[str]) -> list[Statement]:
    """Return the statements of a block in which the numbers of these names begin with 0."""
    found: list[Statement] = []
    for position, one in enumerate(items):
        match one:
            case tree.Decl(name, tree.Number(exact=True), init=None, storage=()) if (
                name in names and not _is_assigned(name, items[position + 1 :])
            ):
                found += _begun(one)
            case _:
                found.append(_with_first_values(one, names))
    return found


def _is_assigned(name: str, behind: Sequence[Statement]) -> bool:
    """True if the first statement that names a number assigns all of it."""
    first = next((one for one in behind if name in names_of(one)), None)
    match first:
        case tree.Assignment("=", tree.ID(own), value):
            return own == name and name not in names_in(value)
        case _:
            return False


def _begun(node: tree.Decl) -> list[Statement]:
    zero = tree.Constant("0", tree.INT, node.place)
    if not exact_numbers.is_wide(node.type):
        return [replace(node, init=zero)]
    target = tree.ID(node.name, node.type, node.place)
    value = exact_numbers.value_of(zero)
    return [node, *exact_numbers.word_assignments(target, value, node.place)]
