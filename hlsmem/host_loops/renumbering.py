"""Renumbering: the unit of a modulus that lets loops walk over neighbouring cells.

For a unit u of the modulus b, x -> u f(x) mod b gives the same elements a common cell as
x -> f(x) mod b. With u s = 1 modulo b a loop that moved by s cells moves by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import gcd

from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.host_loops.cell_frame import CellFrame, least_residue
from hlsmem.host_loops.loop_polynomials import polynomial, slope
from hlsmem.host_loops.pointer_loop import ShapedLoop
from hlsmem.host_loops.symbolic_sizes import Scale, prints

_ONE = QuasiPolynomial.constant(1)
_MOST_TURNS = 8
"""Units are looked for among (k b + 1) / s and small integers, for k and them up to this."""


def unit_of(frame: CellFrame, loops: Sequence[ShapedLoop], scale: Scale) -> QuasiPolynomial:
    """The unit for the one row of a frame by which most references move by one cell.

    It is 1 where none helps, and 1 or -1 for a row that never wraps, which then goes on so: the
    elements of vectors that go down change places at every load and store.
    """
    if len(frame.rows) != 1:
        return _ONE
    (row,) = frame.rows
    moves = Counter[QuasiPolynomial]()
    for loop in loops:
        for one in loop.references:
            if one.array == frame.array:
                forms = [polynomial(part) for part in one.subscripts]
                known = [form for form in forms if form is not None]
                move = (
                    slope(row.form(known), loop.loop.iterator) if len(known) == len(forms) else None
                )
                if move is not None and move.terms:
                    moves[move] += 1
    if not row.wraps:
        return _ONE if moves[_ONE] >= moves[-_ONE] else -_ONE
    units = [_ONE, *(unit for move in moves for unit in inverses(move, row.modulus, scale))]
    entries = (*row.coefficients, row.offset)

    def merit(unit: QuasiPolynomial) -> tuple[int, bool, int]:
        strides = {move: least_residue(unit * move, row.modulus, scale) for move in moves}
        neighbours = sum(
            count for move, count in moves.items() if strides[move].constant_value() in (1, -1)
        )
        forward = all(
            scale.is_non_negative(least_residue(unit * entry, row.modulus, scale))
            for entry in entries
        )
        return neighbours, forward, -units.index(unit)

    return max(units, key=merit)


def inverses(
    move: QuasiPolynomial, modulus: QuasiPolynomial, scale: Scale
) -> list[QuasiPolynomial]:
    """Quasi-polynomials u with u move = 1 or -1 modulo the modulus, for all parameters.

    >>> n = QuasiPolynomial.parameter("N")
    >>> from hlsmem.polyhedra import Set
    >>> every = Set("[N] -> { : }")
    >>> scale = Scale(symbolic=True, parameters=("N",), values={"N": 8}, context=every)
    >>> [str(unit) for unit in inverses(QuasiPolynomial.constant(-2), 2 * n + 1, scale)]
    ['N + 1', 'N']
    """
    step, whole = move.constant_value(), modulus.constant_value()
    if step is not None and whole is not None:
        if gcd(step, whole) != 1:
            return []
        found = pow(step, -1, whole)
        return [QuasiPolynomial.constant(found), QuasiPolynomial.constant(whole - found)]
    if step is not None:
        return _quotients(step, modulus, scale)
    units = (QuasiPolynomial.constant(k) for k in range(-_MOST_TURNS, _MOST_TURNS + 1) if k)
    return [least_residue(unit, modulus, scale) for unit in units if _is_one(unit * move, modulus)]


def _quotients(step: int, modulus: QuasiPolynomial, scale: Scale) -> list[QuasiPolynomial]:
    """(k modulus + 1) / step and (k modulus - 1) / step, where these are whole."""
    found: list[QuasiPolynomial] = []
    size = abs(step)
    for turns in range(min(size, _MOST_TURNS)):
        for sign in (1, -1):
            whole = modulus * turns + sign
            if all(factor % size == 0 for _, factor in whole.terms):
                unit = least_residue(whole.floor_divide(size), modulus, scale)
                if prints(unit, scale) and unit not in found:
                    found.append(unit)
    return found


def _is_one(value: QuasiPolynomial, modulus: QuasiPolynomial) -> bool:
    """True if a value is 1 or -1 modulo the modulus, as polynomials."""
    return any(
        (value - modulus * turns).constant_value() in (1, -1)
        for turns in range(-_MOST_TURNS, _MOST_TURNS + 1)
    )
