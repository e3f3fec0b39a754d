"""Mappings as a person would write them: cell(y, x) = (y - 2*x) mod (2*N + 1)."""

from __future__ import annotations

from collections.abc import Sequence

from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.mapping.storage_mapping import Piece, StorageMapping


def mapping_lines(name: str, index: Sequence[str], mapping: StorageMapping) -> tuple[str, ...]:
    """One line per piece of a mapping, with the user's index names.

    Scalars, and arrays whose elements all share one cell, say so instead.
    """
    left = element_text(name, index)
    return tuple(_line(left, index, piece) for piece in mapping.pieces)


def element_text(name: str, index: Sequence[str]) -> str:
    """An element of an array with the user's index names.

    >>> element_text("blurx", ("y", "x")), element_text("sum", ())
    ('blurx(y, x)', 'sum')
    """
    return f"{name}({', '.join(index)})" if index else name


def _line(left: str, index: Sequence[str], piece: Piece) -> str:
    parts = [
        _component(index, row, modulus, offset)
        for row, modulus, offset in zip(piece.matrix, piece.modulus, piece.offset, strict=True)
        if modulus.constant_value() != 1
    ]
    right = ", ".join(parts) if parts else "the one cell"
    text = f"{left} = ({right})" if len(parts) > 1 else f"{left} = {right}"
    return f"{text}  on {piece.domain.rpartition('-> ')[2]}" if piece.domain else text


def _component(
    index: Sequence[str],
    row: Sequence[QuasiPolynomial],
    modulus: QuasiPolynomial,
    offset: QuasiPolynomial,
) -> str:
    form = linear_form(index, row, offset)
    simple = " " not in form and "*" not in form
    left = form if simple else f"({form})"
    right = str(modulus)
    return f"{left} mod {right}" if right.isalnum() else f"{left} mod ({right})"


def linear_form(
    index: Sequence[str], row: Sequence[QuasiPolynomial], offset: QuasiPolynomial
) -> str:
    """The sum of coefficient times index, plus the offset.

    >>> one, n = QuasiPolynomial.constant(1), QuasiPolynomial.parameter("N")
    >>> linear_form(("y", "x"), (one, -2 * n), QuasiPolynomial.constant(0))
    'y - 2*N*x'
    """
    text = ""
    for name, factor in [*zip(index, row, strict=True), ("", offset)]:
        if factor.constant_value() == 0:
            continue
        sign, body = _term(factor, name)
        text += f" {sign} {body}" if text else (f"-{body}" if sign == "-" else body)
    return text or "0"


def _term(factor: QuasiPolynomial, name: str) -> tuple[str, str]:
    sign, size = ("-", -factor) if str(factor).startswith("-") else ("+", factor)
    if not name:
        return sign, str(size) if len(size.terms) < 2 else f"({size})"
    if size.constant_value() == 1:
        return sign, name
    return sign, f"({size})*{name}" if len(size.terms) > 1 else f"{size}*{name}"
