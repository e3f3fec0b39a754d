"""Texts, points and forms of isl."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import product
from math import prod
from typing import Any

import islpy as isl

from hlsmem_verify.algebra import OWN, Poly, Values
from hlsmem_verify.outcomes import DIGITS, MOST_POINTS, Refused, Unknown

DIM = isl.dim_type


def isl_text(text: str, what: str, parameters: Collection[str], kind: Any) -> Any:
    """A set or map of isl, its parameters with OWN in front; raises Refused for text behind it,
    and for other parameters."""
    body = re.fullmatch(r"\s*(?:\[([\w, \n]*)\]\s*->\s*)?\{([^{}]*)\}\s*", text)
    if body is None:
        raise Refused(f"{what} is no isl text")
    if any(len(digits) > DIGITS for digits in re.findall(r"\d+", text)):
        raise Refused(f"{what} has a number of more than {DIGITS} digits")
    named = [one.strip() for one in (body[1] or "").split(",") if one.strip()]
    if set(named) - set(parameters):
        raise Refused(f"{what} has a parameter that the plan has not")
    try:
        found = kind(text)
    except isl.Error:
        raise Refused(f"{what} is no isl text") from None
    for k in range(found.dim(DIM.param)):
        found = found.set_dim_name(DIM.param, k, OWN + found.get_dim_name(DIM.param, k))
    return found


def coalesced(relation: Any) -> Any:
    """The relation in fewer pieces; as it is where isl, as it may, fails at one of them."""
    try:
        return relation.coalesce()
    except isl.Error:
        return relation


def at_values(points: Any, values: Values) -> Any:
    """A set or map at values of its parameters, without parameters."""
    for name, value in values.items():
        position = points.find_dim_by_name(DIM.param, name)
        if position >= 0:
            points = points.fix_val(DIM.param, position, isl.Val(value))
    return points.project_out(DIM.param, 0, points.dim(DIM.param))


def count(points: Any) -> int:
    """The points of a set without parameters."""
    if not points.is_bounded():
        raise Unknown("a set without end")
    return int(points.count_val().to_python())


def listed(points: Any) -> list[tuple[int, ...]]:
    """The points of a set without parameters."""
    many = count(points)
    if many > MOST_POINTS:
        raise Unknown(f"more than {MOST_POINTS} points")
    size = points.dim(DIM.set)
    if not many or not size:
        return [()] * many
    box = [
        (points.dim_min_val(k).to_python(), points.dim_max_val(k).to_python()) for k in range(size)
    ]
    if prod(high - low + 1 for low, high in box) == many:
        return list(product(*(range(low, high + 1) for low, high in box)))

    # "{ [1, -2] }": to ask for every coordinate takes three times as long.
    texts: list[str] = []
    coalesced(points.flatten()).foreach_point(lambda point: texts.append(point.to_str()))
    return [tuple(map(int, text[text.index("[") + 1 : -3].split(", "))) for text in texts]


Point = tuple[int, ...]


def images(relation: Any) -> dict[Point, list[Point]]:
    """{ point: its images } of a map without parameters."""
    found: dict[Point, list[Point]] = {}
    pieces: list[tuple[Any, Any]] = []
    if relation.is_single_valued():
        relation.as_pw_multi_aff().foreach_piece(lambda where, to: pieces.append((where, to)))
    if not pieces or not all(
        _is_integer(to.get_at(k)) for _, to in pieces for k in range(to.dim(DIM.out))
    ):
        size = relation.dim(DIM.in_)
        for row in listed(relation.wrap().flatten()):
            found.setdefault(row[:size], []).append(row[size:])
        return found
    for where, to in pieces:
        forms = [to.get_at(k) for k in range(to.dim(DIM.out))]
        rows = [
            (
                one.get_constant_val().to_python(),
                [one.get_coefficient_val(DIM.in_, k).to_python() for k in range(one.dim(DIM.in_))],
            )
            for one in forms
        ]
        plain = [(c, [(k, f) for k, f in enumerate(row) if f]) for c, row in rows]
        for point in listed(where):
            image = tuple(c + sum(f * point[k] for k, f in row) for c, row in plain)
            found.setdefault(point, []).append(image)
    return found


def _is_integer(form: Any) -> bool:
    """True if a form has integers alone: x / 2 has not, nor what is rounded."""
    factors = [form.get_coefficient_val(DIM.in_, k) for k in range(form.dim(DIM.in_))]
    return not form.dim(DIM.div) and all(x.is_int() for x in (form.get_constant_val(), *factors))


def is_point(points: Any) -> bool:
    return bool(isl.Map.from_range(points).is_single_valued()) and not points.is_empty()


def affine_of(form: Any) -> Poly:
    """The polynomial of an affine expression of one piece over the parameters."""
    pieces: list[Any] = []
    form.coalesce().foreach_piece(lambda _, one: pieces.append(one))
    if len(pieces) != 1:
        raise Unknown("an extent of several pieces")
    return affine(pieces[0])


def affine(one: Any) -> Poly:
    """The polynomial of an affine expression over the parameters."""
    if one.dim(DIM.div):
        raise Unknown("an extent with quotients")
    found: Poly = Poly.of(0) + one.get_constant_val().to_python()
    for k in range(one.dim(DIM.param)):
        factor = one.get_coefficient_val(DIM.param, k).to_python()
        found = found + Poly.of(one.get_dim_name(DIM.param, k)) * factor
    return found
