"""Sums of products in C: texts of subscripts and bounds read, combined, written again.

A text is a polynomial in its names; what is none, such as a quotient, is a name for itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from hlsmem.core.quasi_polynomial import Atom, Monomial, QuasiPolynomial
from hlsmem.read.c import tree
from hlsmem.read.c.c_text import text_of
from hlsmem.read.c.constants import integer_literal
from hlsmem.read.c.expression_parser import NoExpressionError, parsed_expression


def form_of(text: str) -> QuasiPolynomial | None:
    """The polynomial of a text; None where it is no expression that can be taken apart.

    >>> str(form_of("2 * (i + 1) - j")), str(form_of("i / 2 + 1"))
    ('2*i - j + 2', '(i / 2) + 1')
    """
    try:
        return _form(parsed_expression(text))
    except (NoExpressionError, RecursionError):
        return None


def _form(node: tree.Node) -> QuasiPolynomial:
    match node:
        case tree.ID(name=name):
            return QuasiPolynomial.parameter(name)
        case tree.Constant():
            found = integer_literal(node)
            if found is not None:
                return QuasiPolynomial.constant(found[0])
        case tree.UnaryOp(op="-", expr=expr):
            return -_form(expr)
        case tree.UnaryOp(op="+", expr=expr):
            return _form(expr)
        case tree.BinaryOp(op="+", left=left, right=right):
            return _form(left) + _form(right)
        case tree.BinaryOp(op="-", left=left, right=right):
            return _form(left) - _form(right)
        case tree.BinaryOp(op="*", left=left, right=right):
            return _form(left) * _form(right)
    text = text_of(node, has_few=True)
    return QuasiPolynomial.parameter(text if text.isidentifier() else f"({text})")


def replaced(form: QuasiPolynomial, values: Mapping[str, QuasiPolynomial]) -> QuasiPolynomial:
    """A polynomial with others in the place of names, those in texts that it has as names too.

    >>> y = QuasiPolynomial.parameter("y")
    >>> str(replaced(form_of("2 * y + 1"), {"y": y - 1}))
    '2*y - 1'
    >>> str(replaced(form_of("y / 2 + 1"), {"y": y - 1}))
    '((y - 1) / 2) + 1'
    """
    total = QuasiPolynomial.constant(0)
    for monomial, factor in form.terms:
        product = QuasiPolynomial.constant(factor)
        for atom, power in monomial:
            own = values.get(str(atom)) or QuasiPolynomial(((((_renamed(atom, values), 1),), 1),))
            for _ in range(power):
                product = product * own
        total = total + product
    return total


def _renamed(atom: Atom, values: Mapping[str, QuasiPolynomial]) -> Atom:
    """A text that stands as a name, with others in the place of its own names."""
    if not isinstance(atom, str) or atom.isidentifier():
        return atom

    def form(found: re.Match[str]) -> str:
        name = found[0]
        return factor_text(c_text(values[name])) if name in values else name

    return re.sub(r"[A-Za-z_]\w*", form, atom)


def c_text(form: QuasiPolynomial) -> str:
    """A polynomial as C, what is added first.

    >>> c_text(form_of("-s + i")), c_text(form_of("W * 2 - 4")), c_text(form_of("0"))
    ('i - s', '2 * W - 4', '0')
    """
    terms = sorted(form.terms, key=lambda term: (not term[0], term[1] < 0))
    if terms and terms[0][1] < 0:
        terms.sort(key=lambda term: term[1] < 0)
    text = ""
    for monomial, factor in terms:
        body = _product(monomial, abs(factor))
        if text:
            text += f" {'-' if factor < 0 else '+'} {body}"
        else:
            text = f"-{body}" if factor < 0 else body
    return text or "0"


def _product(monomial: Monomial, factor: int) -> str:
    parts = [str(factor)] if factor != 1 or not monomial else []
    parts += [_atom(atom) for atom, power in monomial for _ in range(power)]
    return " * ".join(parts)


def _atom(atom: Atom) -> str:
    """A name, or a quotient of what is not negative."""
    if isinstance(atom, str):
        return atom
    return f"({factor_text(c_text(atom.numerator))} / {atom.divisor})"


def factor_text(text: str) -> str:
    """A text as it may stand in a product.

    >>> factor_text("i"), factor_text("i + 1")
    ('i', '(i + 1)')
    """
    return text if text.isidentifier() or text.isdigit() else f"({text})"
