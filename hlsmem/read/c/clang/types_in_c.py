"""The types that C gives to expressions of numbers, and the numbers that literals are.

The type of a node is the one that it has in C++; an operator computes in another one in C, which
follows from its operands.
"""

from __future__ import annotations

from hlsmem.read.c import tree
from hlsmem.read.c.constants import literal_of
from hlsmem.read.c.tree import INT, LONG, UNSIGNED_LONG, Number

INT128 = Number(128, True)
WIDEST = 64
"""The most bits of a number that C stores in one integer."""
COMPARED = ("<", "<=", ">", ">=", "==", "!=")
LOGICAL = ("&&", "||")
PREFIX = "hlsmem_"
"""The names of the functions of exact arithmetic begin so; see `c_type` for their ends."""
UNSIGNED_END, WIDE_END = "_u", "_wide"
_FUNCTIONS = ("round_", "saturate_", "shift_")

LIMB = 64
"""The bits of the integers that a number of more than 64 bits is stored in."""


def holds(kind: Number, least: int, greatest: int) -> bool:
    """Return True if all numbers from `least` to `greatest` are some of the type."""
    return kind.least <= least and greatest <= kind.greatest


def c_type(node: tree.Expression) -> Number:
    """Return the type of an operand in C, promoted.

    >>> at = tree.SourceRange("k.cpp", 1, 1)
    >>> a = tree.ID("a", Number(20, False, exact=True), at)
    >>> c_type(a) == tree.UNSIGNED, c_type(tree.BinaryOp("<", a, a, tree.BOOL, at)) == INT
    (True, True)
    """
    match node:
        case tree.Constant(value):
            found = literal_of(value)
            return INT if found is None else found[1]
        case tree.UnaryOp(op="!") | tree.BinaryOp(op="<" | "<=" | ">" | ">=" | "==" | "!="):
            return INT
        case tree.BinaryOp(op="&&" | "||"):
            return INT
        case tree.UnaryOp(op="-" | "~" | "+", expr=operand):
            return c_type(operand)
        case tree.BinaryOp(op="<<" | ">>", left=operand):
            return c_type(operand)
        case tree.BinaryOp(left=a, right=b) | tree.TernaryOp(iftrue=a, iffalse=b):
            return c_type(a).common(c_type(b))
        case tree.FuncCall() if is_function(node.name):
            if node.name.endswith(WIDE_END):
                return INT128
            return UNSIGNED_LONG if node.name.endswith(UNSIGNED_END) else LONG
    kind = node.type
    if not isinstance(kind, Number) or kind.bits > INT128.bits:
        raise TypeError(kind)
    return kind.stored().promoted()


def is_function(name: str) -> bool:
    """Return True for the name of a function of exact arithmetic."""
    return name.startswith(PREFIX) and name.removeprefix(PREFIX).startswith(_FUNCTIONS)


def is_wide(kind: tree.Type | None) -> bool:
    """Return True for a type of numbers that C stores as an array of limbs."""
    return isinstance(kind, Number) and kind.exact and kind.bits > WIDEST


def limbs_in(kind: Number) -> int:
    """Return of how many limbs a type is.

    >>> limbs_in(Number(512, False)), limbs_in(Number(65, True))
    (8, 2)
    """
    return -(-kind.bits // LIMB)


def word_type(node: tree.Expression) -> Number | None:
    """Return the type of an array of limbs; None for integers of C."""
    match node:
        case tree.BinaryOp() | tree.TernaryOp() | tree.Cast() | tree.Constant():
            return None
        case tree.UnaryOp(op="-" | "~" | "+" | "!"):
            return None
        case tree.FuncCall(name) if is_function(name):
            return None
    return node.type if isinstance(node.type, Number) and is_wide(node.type) else None


def literal_number(node: tree.Expression) -> int | None:
    """Return the integer that a literal is, with a sign in front or without; else None."""
    match node:
        case tree.UnaryOp(op="-"):
            inner = literal_number(node.expr)
            return None if inner is None else -inner
        case tree.Constant(value) if isinstance(node.type, Number):
            digits = value.lower().rstrip("ul")
            try:
                is_octal = digits.startswith("0") and digits.isdigit()
                return int(digits, 8 if is_octal else 0)
            except ValueError:
                return None
    return None
