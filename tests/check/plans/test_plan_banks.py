"""Banks of plan.json are judged by themselves: reading, places of elements, planted faults."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from hlsmem.banks.bank_search import BankRequest, find_banks
from hlsmem.check.plans.plan_banks import Banked, banks_and_offsets, cells, read_banked
from hlsmem.check.replayed.replay_check import check_replay
from hlsmem.core.verdict import Status
from hlsmem.plan import BankPlace, from_json, to_json
from hlsmem.storage.banked.finder import bank_place
from tests.banks.test_bank_layout import requests
from tests.check.subjects import proof
from tests.families import by_default
from tests.holdings import part_in
from tests.plans import hardware_of

EXAMPLE = Path(__file__).parents[3] / "examples/stencil5/design.yaml"

Document = dict[str, Any]


@cache
def subject() -> tuple[Any, Document]:
    planning = hardware_of(EXAMPLE, parameters={"N": 7, "M": 8})
    return planning, json.loads(to_json(planning.plan))


def part_of(document: Document) -> Document:
    """The one part of the array, in the shape of an array."""
    array: Document = document["arrays"]["in"]
    return array | part_in(array)


def placed(banks: BankPlace, rank: int) -> Document:
    """The array of plan.json in these banks."""
    plan = subject()[0].plan
    hardware = plan.arrays["in"].hardware
    parts = (replace(hardware.parts[0], banks=banks),)
    array = replace(plan.arrays["in"], hardware=replace(hardware, parts=parts))
    document = json.loads(to_json(replace(plan, arrays={"in": array})))["arrays"]["in"]
    return document | part_in(document) | {"index": ["i"] * rank}


@pytest.mark.long
@given(requests())
@settings(max_examples=by_default(10, 40), deadline=None)
def test_plan_json_says_the_places_that_were_found(request: BankRequest) -> None:
    points = np.array(
        list(product(*(range(a, b + 1) for a, b in zip(request.lower, request.upper, strict=True))))
    )
    for option in find_banks(request).options:
        place = bank_place(option.storage)
        if place is None:
            continue
        assert (place.banks, place.words) == (
            option.storage.banks.banks,
            option.storage.words_per_bank,
        )
        banked = read_banked("in", placed(place, points.shape[1]))
        assert banked is not None
        assert (banked.banks, banked.words) == (place.banks, place.words)
        bank, offset = banks_and_offsets(banked, points)
        assert len(set(cells(banked, points).tolist())) == len(points)
        assert (bank < place.banks).all()
        assert (offset < place.words).all()
        # The numbering of banks is free: elements share one in both or in neither.
        pairs = {*zip(bank.tolist(), option.storage.bank(points).tolist(), strict=True)}
        assert len(pairs) == len(set(bank.tolist()))


def test_what_an_unrolled_loop_reads_beside_it_is_of_the_beat() -> None:
    """Five banks serve one iteration; beside another one two elements meet in one of them."""
    settings = ["order=iteration", "pipeline.unroll.x=2"]
    two = hardware_of(EXAMPLE, parameters={"N": 7, "M": 8}, settings=settings)
    assert two.program is not None
    own = read_banked("in", part_of(json.loads(to_json(two.plan))))
    fewer = read_banked("in", part_of(subject()[1]))
    assert own is not None
    assert fewer is not None
    assert (own.banks, fewer.banks) == (8, 5)


def details(document: Document) -> list[str]:
    planning, _ = subject()
    plan = from_json(json.dumps(document))
    replayed = check_replay(planning.design, planning.program, plan, document)
    found = (*proof(document).values(), *replayed)
    return [one.detail for one in found if one.status is Status.FAIL]


def edited(change: Callable[[Document, Document], None]) -> Document:
    document = copy.deepcopy(subject()[1])
    change(part_in(document["arrays"]["in"]), document["memories"]["in"])
    return document


def test_banks_pass_as_they_are() -> None:
    planning, document = subject()
    parts = planning.plan.arrays["in"].hardware.parts
    assert parts[0].banks is not None
    assert parts[0].banks.banks == 5
    assert details(document) == []
    (part,) = from_json(json.dumps(document)).arrays["in"].hardware.parts
    assert replace(part, lattice=None) == replace(parts[0], lattice=None)  # notes.json has more


def wrong_entry(place: Document, _: Document) -> None:
    place["bank_basis"][0][1] += 1


def columns(place: Document, memory: Document) -> None:
    """Banks by the column alone: a place for every element, but neighbours of a column meet."""
    place["bank_basis"] = [[1, 0], [0, 5]]
    place["storage_basis"] = None
    place["boxes"] = {"lower": [0, 0], "sides": [1, 5], "counts": [7, 2]}
    memory["words"] = 5 * 14


def fewer_banks(place: Document, memory: Document) -> None:
    place["bank_basis"][1][1] = 4
    memory["banks"], memory["words"] = 4, memory["words"] // 5 * 4


def fewer_words(place: Document, memory: Document) -> None:
    if place["boxes"] is not None:
        place["boxes"]["counts"][0] -= 1
        words = place["boxes"]["counts"][0] * place["boxes"]["counts"][1]
    else:
        place["storage_basis"][0][0] -= 1
        words = place["storage_basis"][0][0] * place["storage_basis"][1][1]
    memory["words"] = 5 * words * memory["copies"]


def other_words(_: Document, memory: Document) -> None:
    memory["words"] += 1


def other_kind(_: Document, memory: Document) -> None:
    memory["kind"] = "ram"


def no_pivot(place: Document, _: Document) -> None:
    place["bank_basis"][1][1] = 0


def no_offsets(place: Document, _: Document) -> None:
    place["boxes"] = place["storage_basis"] = None


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (wrong_entry, ""),
        (columns, "a beat reads two elements of one bank"),
        (fewer_banks, "bank"),
        (fewer_words, ""),
        (other_words, "words is "),
        (other_kind, "it has banks in one RAM"),
        (no_pivot, "bank_basis has no positive pivot in each row"),
        (no_offsets, "banks need a storage_basis or boxes"),
    ],
)
def test_a_planted_fault_is_caught(change: Callable[[Document, Document], None], said: str) -> None:
    found = details(edited(change))
    assert found
    assert said in found[0]


def test_blocks_are_neighbours_in_a_bank() -> None:
    banked = Banked(
        array="a",
        basis=((6, 1), (8, 0)),
        order=(1, 0),
        block=2,
        storage=((2, 0), (0, 3)),
        boxes=None,
    )
    assert (banked.banks, banked.words) == (4, 12)
    # y + 2x: the last pivot, 8, is in y.
    bank, _ = banks_and_offsets(banked, np.array([[0, 0], [2, 0], [0, 2], [2, 2]]))
    assert bank.tolist() == [0, 1, 2, 3]
