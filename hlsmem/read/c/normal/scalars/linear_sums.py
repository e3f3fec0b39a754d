"""Sums of C integer expressions: terms collected, so that what cancels goes away.

All of it is arithmetic in one type: where a sum does not overflow in the order the user wrote
it, no subscript or bound it stands for changes.
"""

from __future__ import annotations

from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.c_text import text_of
from hlsmem.read.c.constants import integer_literal
from hlsmem.read.c.operations import binary, unary
from hlsmem.read.c.trees import fresh, integer, used_names


@dataclass(frozen=True, slots=True)
class Linear:
    """constant + sum of factor * term; terms by their text, in order of first appearance."""

    terms: dict[str, tuple[int, Any]]
    constant: int = 0

    def plus(self, other: Linear, factor: int = 1) -> Linear:
        terms = dict(self.terms)
        for text, (amount, node) in other.terms.items():
            total = terms.get(text, (0, node))[0] + factor * amount
            terms[text] = (total, node)
        kept = {text: term for text, term in terms.items() if term[0]}
        return Linear(kept, self.constant + factor * other.constant)

    def times(self, factor: int) -> Linear:
        return Linear({}, 0).plus(self, factor)

    def factors(self) -> dict[str, int]:
        """The factors by the texts of their terms; two sums with the same differ by a constant."""
        return {text: factor for text, (factor, _) in self.terms.items()}

    def is_constant(self) -> bool:
        return not self.terms

    def factor(self, name: str) -> int:
        return self.terms.get(name, (0, None))[0]

    def without(self, name: str) -> Linear:
        return Linear({t: v for t, v in self.terms.items() if t != name}, self.constant)

    def names(self) -> frozenset[str]:
        return frozenset().union(*(used_names(node) for _, node in self.terms.values()))

    def node(self, place: Any = None) -> Any:
        """The sum as C, positive terms first."""
        result: Any = None
        ordered = sorted(self.terms.values(), key=lambda term: term[0] < 0)
        for factor, term in ordered:
            size = fresh(term)
            if abs(factor) != 1:
                size = binary("*", integer(abs(factor), place), size, place)
            if result is None:
                result = size if factor > 0 else unary("-", size, place)
            else:
                result = binary("+" if factor > 0 else "-", result, size, place)
        if result is None:
            return integer(self.constant, place)
        if self.constant:
            sign = "+" if self.constant > 0 else "-"
            result = binary(sign, result, integer(abs(self.constant), place), place)
        return result


def linear(node: Any) -> Linear:
    """The sum that an expression is; what is none of a sum's parts is a term of its own."""
    match node:
        case tree.Constant():
            found = integer_literal(node)
            if found is not None and found[1].bits == 32 and found[1].signed:
                return Linear({}, found[0])
        case tree.BinaryOp(op="+"):
            return linear(node.left).plus(linear(node.right))
        case tree.BinaryOp(op="-"):
            return linear(node.left).plus(linear(node.right), -1)
        case tree.BinaryOp(op="*"):
            left, right = linear(node.left), linear(node.right)
            if left.is_constant():
                return right.times(left.constant)
            if right.is_constant():
                return left.times(right.constant)
        case tree.UnaryOp(op="-"):
            return linear(node.expr).times(-1)
        case tree.UnaryOp(op="+"):
            return linear(node.expr)
    return Linear({text_of(node): (1, node)})


def simplified(node: Any) -> Any:
    """The expression with its sums collected where that makes it shorter."""
    if not isinstance(node, tree.BinaryOp) or node.op not in ("+", "-", "*"):
        return node
    short = linear(node).node(node.place)
    return short if len(text_of(short)) < len(text_of(node)) else node
