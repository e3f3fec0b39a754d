"""Faults planted on purpose: a check that never fails proves nothing.

Each fault changes one thing in a plan.json document and keeps the rest consistent with it, so
that it is caught for what it is. Some changes do no harm in some plans (a modulus that was
not minimal, another coefficient that separates as well); `hlsmem.check` then has to
pass, and tests compare with plain enumeration.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from math import prod
from typing import Any

from hlsmem.check.plans.plan_holdings import parts_of
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import parse_quasi_polynomial
from hlsmem.polyhedra.isl_text import parse_set
from hlsmem.polyhedra.sets import fix_parameters

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
        if parse_quasi_polynomial(piece["modulus"][row]).parameters():
            piece["modulus"][row] = str(piece["modulus_value"][row])
            yield where, faulty


def coefficient_plus_one(document: Document) -> Iterator[tuple[str, Document]]:
    yield from _coefficients(document, lambda value: value + 1, lambda text: _shifted(text, 1))


def coefficient_negated(document: Document) -> Iterator[tuple[str, Document]]:
    yield from _coefficients(
        document, lambda value: -value, lambda t: str(-parse_quasi_polynomial(t))
    )


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
        parts_of(faulty["arrays"][name])[0]["base"] -= 1
        yield name, faulty


def cells_minus_one(document: Document) -> Iterator[tuple[str, Document]]:
    for where, faulty, part in _parts(document):
        if part["mapping"] is not None:
            part["mapping"]["cells"] -= 1
            yield where, faulty


def bound_plus_one(document: Document) -> Iterator[tuple[str, Document]]:
    for name, array in document["arrays"].items():
        bound = array["holdings"]["hardware"]["bound"]
        if bound is not None and bound["kind"] in ("max-live", "live-at"):
            faulty = copy.deepcopy(document)
            wrong = faulty["arrays"][name]["holdings"]["hardware"]["bound"]
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
    for where, _, part in _parts(document):
        for position, piece in enumerate(part["mapping"]["pieces"] if part["mapping"] else ()):
            for row in range(len(piece["modulus"])):
                faulty = copy.deepcopy(document)
                own = _part(faulty, where)["mapping"]["pieces"][position]
                yield f"{where} piece {position} component {row}", faulty, own, row


def _coefficients(
    document: Document, number: Callable[[int], int], formula: Callable[[str], str]
) -> Iterator[tuple[str, Document]]:
    for where, _, original, row in _rows(document):
        for column, value in enumerate(original["matrix_value"][row]):
            if number(value) == value:
                continue
            faulty = copy.deepcopy(document)
            name, position = where.split(" piece ")[0], int(where.split()[2])
            piece = _part(faulty, name)["mapping"]["pieces"][position]
            piece["matrix_value"][row][column] = number(value)
            piece["matrix"][row][column] = formula(piece["matrix"][row][column])
            yield f"{where} column {column}", faulty


def _shifted(formula: Any, by: int) -> Any:
    """A formula, or one for each of several cases, larger by so much."""
    if isinstance(formula, str):
        return str(parse_quasi_polynomial(formula) + by)
    return [{**one, "expr": _shifted(one["expr"], by)} for one in formula]


def _counted(document: Document) -> Document:
    """The document with the cells its moduli multiply to."""
    for array in document["arrays"].values():
        for part in parts_of(array):
            if part["mapping"] is not None:
                pieces = part["mapping"]["pieces"]
                part["mapping"]["cells"] = sum(prod(piece["modulus_value"]) for piece in pieces)
    return document


# Faults of what holds arrays in hardware: of parts, of chains.


def tap_one_short(document: Document) -> Iterator[tuple[str, Document]]:
    for where, faulty, part in _parts(document):
        for position, tap in enumerate(part["taps"] or ()):
            if tap:
                one = copy.deepcopy(faulty)
                short = _part(one, where)
                short["taps"][position] -= 1
                if short["taps_expr"] is not None:
                    formula = short["taps_expr"][position]
                    short["taps_expr"][position] = _shifted(formula, -1)
                if tap == max(part["taps"]):
                    one["memories"][short["memory"]]["words"] = max(short["taps"]) + 1
                yield f"{where} tap {position}", one


def takes_one_element_short(document: Document) -> Iterator[tuple[str, Document]]:
    for where, faulty, part in _parts(document):
        if part["takes"] is not None:
            part["takes"] = _one_short(part["takes"], faulty["params"])
            yield where, faulty


def operands_of_two_parts_swapped(document: Document) -> Iterator[tuple[str, Document]]:
    for name, array in document["arrays"].items():
        for position in range(len(parts_of(array)) - 1):
            faulty = copy.deepcopy(document)
            first, second = parts_of(faulty["arrays"][name])[position : position + 2]
            first["operands"][0], second["operands"][0] = (
                second["operands"][0],
                first["operands"][0],
            )
            yield f"{name} parts {position} and {position + 1}", faulty


PART_FAULTS: tuple[Fault, ...] = tuple(
    Fault(name=plant.__name__.replace("_", " "), description=description, plant=plant)
    for plant, description in (
        (tap_one_short, "an operand looks one element too near to the newest"),
        (takes_one_element_short, "an element that is read is not written into the part"),
        (operands_of_two_parts_swapped, "two parts serve each other's operands"),
    )
)


# Faults of branch FIFOs.


def branch_one_beat_short(document: Document) -> Iterator[tuple[str, Document]]:
    for number, one in enumerate(document["elastic"]):
        if one["beats"] > 1:
            faulty = copy.deepcopy(document)
            faulty["elastic"][number]["beats"] -= 1
            yield one["stream"], faulty


def branch_one_beat_deeper(document: Document) -> Iterator[tuple[str, Document]]:
    for number, one in enumerate(document["elastic"]):
        faulty = copy.deepcopy(document)
        faulty["elastic"][number]["beats"] += 1
        yield one["stream"], faulty


def branch_one_bit_narrow(document: Document) -> Iterator[tuple[str, Document]]:
    for number, one in enumerate(document["elastic"]):
        faulty = copy.deepcopy(document)
        faulty["elastic"][number]["bits"] -= 1
        yield one["stream"], faulty


def branch_behind_another_stream(document: Document) -> Iterator[tuple[str, Document]]:
    for number, one in enumerate(document["elastic"]):
        faulty = copy.deepcopy(document)
        faulty["elastic"][number]["stream"] = one["waits_for"]
        yield one["stream"], faulty


BRANCH_FAULTS: tuple[Fault, ...] = tuple(
    Fault(name=plant.__name__.replace("_", " "), description=description, plant=plant)
    for plant, description in (
        (branch_one_beat_short, "the last word of a branch FIFO is not counted"),
        (branch_one_beat_deeper, "a branch FIFO holds a beat more than the ways differ"),
        (branch_one_bit_narrow, "a beat has a bit more than its branch FIFO"),
        (branch_behind_another_stream, "the longer way waits for the shorter one"),
    )
)


def _parts(document: Document) -> Iterator[tuple[str, Document, Any]]:
    """A fresh copy for each part: (array.number, copy, its part)."""
    for name, array in document["arrays"].items():
        for number in range(len(parts_of(array))):
            faulty = copy.deepcopy(document)
            yield f"{name}.{number}", faulty, parts_of(faulty["arrays"][name])[number]


def _part(document: Document, where: str) -> Any:
    name, _, number = where.rpartition(".")
    return parts_of(document["arrays"][name])[int(number)]


def _one_short(takes: str, values: dict[str, int]) -> str:
    """The set without its last element at these parameters."""
    whole = parse_set(takes, parameters=tuple(values))
    last = fix_parameters(whole, values).lexmax()
    return str(whole.subtract(last.align_params(whole.get_space())))
