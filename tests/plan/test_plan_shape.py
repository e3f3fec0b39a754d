"""Documents with something wrong in them: refused, or judged, never a crash."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from hlsmem.core.errors import InputError
from hlsmem.plan import from_json
from hlsmem.plan.plan_shape import misfits
from tests.check.subjects import proof
from tests.check.test_faults import subject
from tests.families import by_default
from tests.holdings import part_in

HELD = ("arrays", "A", "holdings", "hardware")
PART = (*HELD, "parts", 0)
MAPPING = (*PART, "mapping")
WHERE = "arrays.A.holdings.hardware.parts[0]"
NO_MEMORY = f"{WHERE}.memory is 'n', which memories does not have"
TIMING = {"cycles": {"kind": "exact"}, "interval": None, "asked": None, "output_register": False}
BANKS = {"bank_basis": [[1, 2], [0, 5]], "bank_block": 1, "storage_basis": [[5, 0], [0, 5]]}
BAD: list[Any] = [None, -1, True, "x", "N^2", "[N] -> { [i] : }", [], {}, 1.5, 10**30]


def misshapen(document: Any) -> tuple[str, ...]:
    return tuple(misfits(document))


def test_a_plan_has_the_shape() -> None:
    assert misshapen(subject("two arrays")[1]) == ()


@pytest.mark.parametrize(
    ("path", "value", "found"),
    [
        (("params", "N"), "5", "params.N is '5'"),
        (("params",), [], "params is no object"),
        (("memories", "m", "copies"), 0, "memories.m.copies is 0"),
        ((*HELD, "parts"), None, "arrays.A.holdings.hardware.parts is no list"),
        (
            (*MAPPING, "pieces", 0, "modulus_value", 1),
            2.0,
            f"{WHERE}.mapping.pieces[0].modulus_value[1] is 2.0",
        ),
        (("program",), [], "program is no object"),
        (("design",), "x" * 90, None),
        (("timing",), TIMING, "timing.cycles.value is missing"),
        ((*PART, "memory"), "n", NO_MEMORY),
        (("memories", "m", "kind"), "junk", "memories.m.kind is 'junk'"),
        ((*MAPPING, "cells"), 0, f"{WHERE}.mapping.cells is 0"),
        (("streams",), "x", "streams is no list"),
        (("target",), {"device": 7, "block_rams": None}, "target.device is 7"),
        (
            (*MAPPING, "pieces", 0, "matrix_value", 1),
            [0, 1, 2],
            f"{WHERE}.mapping.pieces[0].matrix_value[1] has 3 entries, not 2",
        ),
        (
            (*MAPPING, "pieces", 0, "offset"),
            [],
            f"{WHERE}.mapping.pieces[0].offset has 0 entries, not 2",
        ),
        ((*HELD, "bound", "expr"), ["N"], "arrays.A.holdings.hardware.bound.expr[0] is no object"),
    ],
)
def test_a_misfit_is_named(path: tuple[Any, ...], value: Any, found: str | None) -> None:
    document = changed(subject("two arrays")[1], path, value)
    assert misshapen(document)[:1] == (() if found is None else (found,))


def test_a_missing_key_is_named() -> None:
    document = copy.deepcopy(subject("two arrays")[1])
    del part_in(document["arrays"]["A"])["base"], document["context"]
    assert misshapen(document) == ("context is missing", f"{WHERE}.base is missing")
    assert misshapen([]) == ("the plan is no object",)


@pytest.mark.parametrize(
    ("banks", "found"),
    [
        ({}, None),
        ({"bank_basis": [[1, 0], [0, 0]]}, "bank_basis has no positive pivot in each row"),
        ({"bank_basis": [[1, 2], [3, 5]]}, "bank_basis has no positive pivot in each row"),
        ({"bank_basis": [[1, 2], [0, -5]]}, "bank_basis has no positive pivot in each row"),
        ({"bank_basis": [[1, 2]]}, "bank_basis has 1 entry, not 2"),
        ({"storage_basis": [[1, 2], [0]]}, "storage_basis[1] has 1 entry, not 2"),
        ({"bank_block": None}, "bank_block is None, where there are banks"),
        ({"storage_basis": None}, "has no storage_basis and no boxes, or both"),
        ({"boxes": {"lower": [0], "sides": [1, 5], "counts": [5, 1]}}, "boxes.lower has 1 entry"),
    ],
)
def test_banks_are_told_apart_by_a_basis(banks: dict[str, Any], found: str | None) -> None:
    document = copy.deepcopy(subject("two arrays")[1])
    part = part_in(document["arrays"]["A"])
    part |= BANKS | banks
    wrong = misshapen(document)
    assert any(found in one for one in wrong) if found else not wrong


def changed(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    document = copy.deepcopy(document)
    target = document
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    return document


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, entry in inner:
        yield (*path, key)
        if isinstance(entry, (dict, list)):
            yield from paths(entry, (*path, key))


def test_any_value_anywhere_is_refused_or_judged() -> None:
    _, document = subject("rows")
    # By default every third, which at the next path is another value.
    tried = list(product(paths(document), BAD))[:: by_default(3, 1)]
    for path, value in tried:
        wrong = changed(document, path, value)
        try:
            from_json(json.dumps(wrong))
        except InputError:
            continue
        if not misshapen(wrong):
            proof(wrong)
