"""Sets and quasi-affine functions on whole arrays of integer points at once, in numpy.

isl visits one point at a time; traces and domains with 10^6 points need this instead.
All sets and maps here are free of parameters: `sets.fix_parameters` first. The points of a
set are listed by `enumeration.distinct_points`.
"""

from __future__ import annotations

from math import lcm
from typing import Any

import numpy as np

from hlsmem.polyhedra import DimType, PwMultiAff, Val


def contains(domain: Any, points: np.ndarray) -> np.ndarray:
    """Which points (int64, shape (points, dimensions)) lie in a set: bool, shape (points,)."""
    inside = np.zeros(len(points), dtype=bool)
    for basic in domain.compute_divs().get_basic_sets():
        holds = np.ones(len(points), dtype=bool)
        for constraint in basic.get_constraints():
            value = _numerators(constraint.get_aff(), points)[0]
            holds &= (value == 0) if constraint.is_equality() else (value >= 0)
        inside |= holds
    return inside


def evaluate(function: Any, points: np.ndarray) -> np.ndarray:
    """The images (int64, shape (points, outputs)) of points under a single-valued map.

    Raises ValueError that names the first point outside the map's domain.
    """
    result = np.zeros((len(points), function.dim(DimType.out)), dtype=np.int64)
    missing = np.ones(len(points), dtype=bool)
    for domain, form in _pieces(PwMultiAff.from_map(function)):
        here = missing & contains(domain, points)
        for position in range(result.shape[1]):
            result[here, position] = _floor(form.get_aff(position), points[here])
        missing &= ~here
    if missing.any():
        point = points[int(np.argmax(missing))].tolist()
        raise ValueError(f"{point} is outside {function.domain()}")
    return result


def _pieces(function: Any) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    function.foreach_piece(lambda domain, form: found.append((domain, form)))
    return found


def _floor(form: Any, points: np.ndarray) -> np.ndarray:
    value, divisor = _numerators(form, points)
    floors: np.ndarray = np.floor_divide(value, divisor)
    return floors


def _numerators(form: Any, points: np.ndarray) -> tuple[np.ndarray, int]:
    """An Aff at each point as integers over one positive divisor."""
    factors = [
        (form.get_coefficient_val(DimType.in_, position), points[:, position])
        for position in range(points.shape[1])
    ]
    factors += [
        (form.get_coefficient_val(DimType.div, position), form.get_div(position))
        for position in range(form.dim(DimType.div))
    ]
    factors = [(factor, operand) for factor, operand in factors if not factor.is_zero()]
    constant = form.get_constant_val()
    divisor = lcm(*(value.get_den_val().to_python() for value, _ in [*factors, (constant, None)]))
    total = np.full(len(points), _scaled(constant, divisor), dtype=np.int64)
    for factor, operand in factors:
        column = operand if isinstance(operand, np.ndarray) else _floor(operand, points)
        total += _scaled(factor, divisor) * column
    return total, divisor


def _scaled(value: Any, divisor: int) -> int:
    return int(value.mul(Val(divisor)).to_python())
