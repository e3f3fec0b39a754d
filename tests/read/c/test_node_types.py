"""Types of expressions in normal forms: those of declarations, and of C's conversions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from hlsmem.read.c import tree
from hlsmem.read.c.c_text import text_of
from tests.families import by_default
from tests.read.c.corpus import Case, cases

KERNELS = [one for one in cases() if one.file.suffix != ".yaml"]
CASES = KERNELS[:: by_default(5, 1)]
PIPELINED = [replace(one, words=(*one.words, "--set", "kernel.loops=pipelined")) for one in CASES]
Rank = tuple[int, int, bool]
"""The subscripts up to a number, its bits, and its sign; 0 bits for what is no number."""


def rank(kind: tree.Type) -> Rank:
    subscripts = 0
    while isinstance(kind, (tree.Array, tree.Pointer)):
        subscripts, kind = subscripts + 1, kind.element
    if isinstance(kind, tree.Number):
        return subscripts, kind.bits, kind.signed
    return subscripts, 100 * kind.bits if isinstance(kind, tree.Float) else 0, True


def promoted(kind: Rank) -> Rank:
    """C99 6.3.1.1; a number of some bits is stored in the least integer that has them."""
    stored = next((bits for bits in (32, 64, 128) if bits >= kind[1]), kind[1])
    return kind if kind[0] else (0, stored, kind[2] or kind[1] <= 16)


def joined(left: Rank, right: Rank) -> Rank:
    """C99 6.3.1.8: the wider one, and of two alike the one without a sign."""
    return max(promoted(left), promoted(right), key=lambda one: (one[1], not one[2]))


def expected(node: Any, known: Mapping[str, Rank]) -> Rank | None:
    """The type of an expression; None where this knows none."""
    match node:
        case tree.ID(name):
            return known.get(name)
        case tree.Constant() | tree.Cast():
            return rank(node.type)
        case tree.ArrayRef(base):
            found = expected(base, known)
            return None if found is None else (found[0] - 1, *found[1:])
        case tree.BinaryOp("&&" | "||" | "<" | "<=" | ">" | ">=" | "==" | "!="):
            return 0, 32, True
        case tree.BinaryOp("<<" | ">>", left) | tree.UnaryOp("+" | "-" | "~", left):
            found = expected(left, known)
            return None if found is None else promoted(found)
        case tree.UnaryOp("!"):
            return 0, 32, True
        case tree.BinaryOp(_, left, right) | tree.TernaryOp(_, left, right):
            sides = expected(left, known), expected(right, known)
            return None if None in sides else joined(*sides)  # type: ignore[arg-type]
        case tree.Assignment(_, left):
            return expected(left, known)
    return None


def expressions(node: Any, known: dict[str, Rank]) -> Iterator[tuple[Any, Rank | None]]:
    """The expressions below a node, from the outside inwards, with their types."""
    if isinstance(node, (tree.Compound, tree.For)):
        known = dict(known)
    if isinstance(node, tree.Decl):
        known[node.name] = rank(node.type)
    if isinstance(node, tree.Expression):
        yield node, expected(node, known)
    for one in node:
        if not isinstance(one, tree.TYPES):
            yield from expressions(one, known)


@pytest.mark.parametrize("case", [*CASES, *PIPELINED], ids=lambda case: case.name)
def test_each_expression_has_the_type_that_c_gives_it(case: Case) -> None:
    function = case.kernel().function
    known = {one.name: rank(one.type) for one in function.parameters}
    for node, kind in expressions(function.body, known):
        assert not isinstance(node.type, tree.Untyped), text_of(node)
        assert kind is None or rank(node.type) == kind, text_of(node)
