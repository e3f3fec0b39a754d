"""Faults planted on purpose: a check that never fails proves nothing.

Each fault changes one thing in a plan.json document and keeps the rest consistent with it, so
that it is caught for what it is. Some changes do no harm in some plans (a modulus that was
not minimal, another coefficient that separates as well); `hlsmem.check` then has to pass, and
tests compare with plain enumeration.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

from hlsmem.quantity import parse_quantity

Document = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A kind of fault: `plant` yields (where, faulty document) for each place it fits."""

    name: str
    description: str
    plant: Callable[[Document], Iterator[tuple[str, Document]]]


def modulus_minus_one(document: Document) -> Iterator[tuple[str, Document]]:
    for where, faulty, piece, row in _rows(document):
        if piece["modulus_value"][row] > 1:
            piece["modulus_value"][row] -= 1
            piece["modulus"][row] = _shifted(piece["modulus"][row], -1)
            yield where, _counted(faulty)


def modulus_value_only(document: Document) -> Iterator[tuple[str, Document]]:
    for where, faulty, piece, row in _rows(document):
        if piece["modulus_value"][row] > 1:
            piece["modulus_value"][row] -= 1
            yield where, _counted(faulty)


def modulus_formula_only(document: Document) -> Iterator[tuple[str, Document]]:
    for where, faulty, piece, row in _rows(document):
        piece["modulus"][row] = _shifted(piece["modulus"][row], -1)
        yield where, faulty


def modulus_for_these_parameters(document: Document) -> Iterator[tuple[str, Document]]:
    for where, faulty, piece, row in _rows(document):
        if parse_quantity(piece["modulus"][row]).parameters():
            piece["modulus"][row] = str(piece["modulus_value"][row])
            yield where, faulty


def coefficient_plus_one(document: Document) -> Iterator[tuple[str, Document]]:
    yield from _coefficients(document, lambda value: value + 1, lambda text: _shifted(text, 1))


def coefficient_negated(document: Document) -> Iterator[tuple[str, Document]]:
    yield from _coefficients(document, lambda value: -value, lambda t: str(-parse_quantity(t)))


def coefficient_value_only(document: Document) -> Iterator[tuple[str, Document]]:
    yield from _coefficients(document, lambda value: value + 1, lambda text: text)


def offset_value_only(document: Document) -> Iterator[tuple[str, Document]]:
    for where, faulty, piece, row in _rows(document):
        piece["offset_value"][row] += 1
        yield where, faulty


def dropped_component(document: Document) -> Iterator[tuple[str, Document]]:
    for where, faulty, piece, row in _rows(document):
        for key in ("matrix", "modulus", "offset"):
            del piece[key][row], piece[f"{key}_value"][row]
        yield where, _counted(faulty)


def memory_one_word_short(document: Document) -> Iterator[tuple[str, Document]]:
    for name in document["memories"]:
        faulty = copy.deepcopy(document)
        faulty["memories"][name]["words"] -= faulty["memories"][name]["copies"]
        yield name, faulty


def base_minus_one(document: Document) -> Iterator[tuple[str, Document]]:
    for name in document["arrays"]:
        faulty = copy.deepcopy(document)
        faulty["arrays"][name]["place"]["base"] -= 1
        yield name, faulty


def cells_minus_one(document: Document) -> Iterator[tuple[str, Document]]:
    for name in document["arrays"]:
        faulty = copy.deepcopy(document)
        faulty["arrays"][name]["mapping"]["cells"] -= 1
        yield name, faulty


def bound_plus_one(document: Document) -> Iterator[tuple[str, Document]]:
    for name, array in document["arrays"].items():
        for position, bound in enumerate(array["bounds"]):
            if bound["kind"] == "max-live":
                faulty = copy.deepcopy(document)
                wrong = faulty["arrays"][name]["bounds"][position]
                wrong["cells"] += 1
                wrong["expr"] = None if bound["expr"] is None else _shifted(bound["expr"], 1)
                yield name, faulty


def declared_plus_one(document: Document) -> Iterator[tuple[str, Document]]:
    for name, array in document["arrays"].items():
        if array["declared"] is not None:
            faulty = copy.deepcopy(document)
            faulty["arrays"][name]["declared"]["cells"] += 1
            yield name, faulty


def other_parameters(document: Document) -> Iterator[tuple[str, Document]]:
    for name in document["params"]:
        faulty = copy.deepcopy(document)
        faulty["params"][name] += 1
        yield name, faulty


PLAN_FAULTS: tuple[Fault, ...] = tuple(
    Fault(name=plant.__name__.replace("_", " "), description=description, plant=plant)
    for plant, description in (
        (modulus_minus_one, "a modulus is one too small, in number and formula"),
        (modulus_value_only, "the number of a modulus is one less than its formula"),
        (modulus_formula_only, "the formula of a modulus is one less than its number"),
        (modulus_for_these_parameters, "a modulus is right at the plan's parameters only"),
        (coefficient_plus_one, "a coefficient is one too large, in number and formula"),
        (coefficient_negated, "a coefficient has the wrong sign, in number and formula"),
        (coefficient_value_only, "the number of a coefficient is not its formula"),
        (offset_value_only, "the number of an offset is not its formula"),
        (dropped_component, "a component of the cell vector is missing"),
        (memory_one_word_short, "a memory has one word less than its cells need"),
        (base_minus_one, "an array starts one word early, in its neighbour's last cell"),
        (cells_minus_one, "the count of cells is not the product of the moduli"),
        (bound_plus_one, "the bound says that more is alive at once than is"),
        (declared_plus_one, "the declared size is not that of the design"),
        (other_parameters, "the plan was made for other parameters than the design's"),
    )
)


def _rows(document: Document) -> Iterator[tuple[str, Document, Any, int]]:
    """A fresh copy for each component of each piece: (where, copy, its piece, component)."""
    for name, array in document["arrays"].items():
        for position, piece in enumerate(array["mapping"]["pieces"]):
            for row in range(len(piece["modulus"])):
                faulty = copy.deepcopy(document)
                own = faulty["arrays"][name]["mapping"]["pieces"][position]
                yield f"{name} piece {position} component {row}", faulty, own, row


def _coefficients(
    document: Document, number: Callable[[int], int], formula: Callable[[str], str]
) -> Iterator[tuple[str, Document]]:
    for where, _, original, row in _rows(document):
        for column, value in enumerate(original["matrix_value"][row]):
            if number(value) == value:
                continue
            faulty = copy.deepcopy(document)
            name, position = where.split(" piece ")[0], int(where.split()[2])
            piece = faulty["arrays"][name]["mapping"]["pieces"][position]
            piece["matrix_value"][row][column] = number(value)
            piece["matrix"][row][column] = formula(piece["matrix"][row][column])
            yield f"{where} column {column}", faulty


def _shifted(formula: str, by: int) -> str:
    return str(parse_quantity(formula) + by)


def _counted(document: Document) -> Document:
    """The document with the cells its moduli multiply to."""
    for array in document["arrays"].values():
        pieces = array["mapping"]["pieces"]
        array["mapping"]["cells"] = sum(prod(piece["modulus_value"]) for piece in pieces)
    return document
