"""The cell of an element as text of C, without signed %: what a frame says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hlsmem.core.expression import Expression, Name, Operation, Operator
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.emit.c.c_syntax import C
from hlsmem.emit.expression_text import Binding, print_atom
from hlsmem.host_loops.cell_frame import CellFrame, Row, frame_of
from hlsmem.host_loops.symbolic_sizes import Scale, expression_of
from hlsmem.mapping.storage_mapping import Piece
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.enclosing_instances import bind
from hlsmem.polyhedra.generated_loops import condition


def cell_of_pieces(
    pieces: Sequence[Piece], index: Sequence[str], elements: Any, scale: Scale
) -> str:
    """As `cell_expression`, of pieces one behind the other; the last has what no other has."""
    text, first = "", QuasiPolynomial.constant(0)
    for piece in pieces:
        inside = elements
        if piece.domain is not None:
            inside = elements.intersect(scale.restrict(Set(piece.domain))).coalesce()
        cell = cell_expression(frame_of("", piece, inside, scale), index)
        if first.terms:
            cell = size_text(first) if cell == "0" else f"{size_text(first)} + {cell}"
        first += scale.of(piece.cells())
        if piece is pieces[-1]:
            return f"{text}{cell}"
        holds = condition(bind(inside.gist(elements), index), scale.restrict(Set("{ : }")))
        text += f"{print_atom(holds, C)} ? {cell} : "
    raise ValueError("a mapping without pieces")


def cell_expression(frame: CellFrame, index: Sequence[str]) -> str:
    """C for the cell, a size_t, of the element with the int64_t coordinates `index`.

    Macros among the parameters may be int: products of them are widened.
    """
    text, binding = "0", Binding.ATOM
    for row in frame.rows:
        component, inner = _component(row, index)
        if text == "0":
            text, binding = component, inner
            continue
        outer = text if binding > Binding.PRODUCT else f"({text})"
        text = f"{outer} * {size_text(row.modulus)} + {component}"
        binding = Binding.SUM
    return text


def size_text(quantity: QuasiPolynomial) -> str:
    """C for a size as a size_t that binds like a cast: a literal or a cast expression."""
    value = quantity.constant_value()
    if value is not None:
        return f"{value}u"
    return f"(size_t){print_atom(expression_of(quantity), C, _wide_names(quantity))}"


def _wide_names(quantity: QuasiPolynomial) -> dict[str, str]:
    """Products of parameters are computed in 64 bits."""
    products = any(sum(power for _, power in monomial) > 1 for monomial, _ in quantity.terms)
    return {n: f"(int64_t){n}" for n in quantity.parameters()} if products else {}


def _component(row: Row, index: Sequence[str]) -> tuple[str, Binding]:
    names = {n: f"(int64_t){n}" for entry in row.coefficients for n in _wide_names(entry)}
    if not row.wraps:
        return f"(size_t){print_atom(_form(row, index), C, names)}", Binding.UNARY
    if row.lift is None:
        wrapped = Operation(Operator.MODULO, (_form(row, index), expression_of(row.modulus)))
        names |= _wide_names(row.modulus)
        return f"(size_t){print_atom(wrapped, C, names)}", Binding.UNARY
    names |= _wide_names(row.lift)
    lifted = _sum(_form(row, index), row.lift)
    return f"(size_t){print_atom(lifted, C, names)} % {size_text(row.modulus)}", Binding.PRODUCT


def _form(row: Row, index: Sequence[str]) -> Expression:
    """M x + offset as a tree, with the user's order of indices."""
    terms: list[Expression] = []
    for name, factor in zip(index, row.coefficients, strict=True):
        value = factor.constant_value()
        if value == 1:
            terms.append(Name(name))
        elif value != 0:
            terms.append(Operation(Operator.MULTIPLY, (expression_of(factor), Name(name))))
    if row.offset.terms or not terms:
        terms.append(expression_of(row.offset))
    return terms[0] if len(terms) == 1 else Operation(Operator.ADD, tuple(terms))


def _sum(form: Expression, added: QuasiPolynomial) -> Expression:
    return Operation(Operator.ADD, (form, expression_of(added))) if added.terms else form
