"""Checks `source` and `proof`: plan.json states the design, and what follows is proved."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from hlsmem.check.plans.proof_check import check_proof
from hlsmem.check.rebuilt.source_check import check_source
from hlsmem.core.verdict import Status
from hlsmem.plan import to_json
from hlsmem.program.model import Program
from hlsmem.timing.planned_program import arranged
from hlsmem_verify.claims import needed_cells
from tests.conftest import EXAMPLES
from tests.plans import planning_of
from tests.steps import load

Document = dict[str, Any]
STATEMENT = ("program", "statements", "P")


@cache
def text_of(name: str) -> str:
    return to_json(planning_of(EXAMPLES / name).plan)


def source(name: str, document: Document) -> tuple[Status, str]:
    design = load(EXAMPLES / name)
    program = arranged(design.input) if isinstance(design.input, Program) else None
    (verdict,) = check_source(design, program, document)
    return verdict.status, verdict.detail


def changed(path: tuple[Any, ...], change: Callable[[Any], Any]) -> Document:
    document: Document = json.loads(text_of("blur/design.yaml"))
    holder = document
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = change(copy.deepcopy(holder[path[-1]]))
    return document


@pytest.mark.parametrize(
    "name",
    ["blur/design.yaml", "blur/conflicts.yaml", "sobel/design.yaml", "jacobi_tiles/design.yaml"],
)
def test_a_plan_has_the_program_of_its_design(name: str) -> None:
    assert source(name, json.loads(text_of(name)))[0] is Status.PASS


FAULTS: dict[str, tuple[tuple[Any, ...], Callable[[Any], Any]]] = {
    "program.statements.P.schedule is": (
        (*STATEMENT, "schedule"),
        lambda text: text.replace("[0, y, 0, x, 0]", "[0, y, 0, 2x, 0]"),
    ),
    "program.statements.P.domain is": (
        (*STATEMENT, "domain"),
        lambda text: text.replace("x < N", "x < N - 1"),
    ),
    "program.statements.P.accesses[3].map is": (
        (*STATEMENT, "accesses", 3, "map"),
        lambda text: text.replace("blurx[y, x]", "blurx[y, x + 1]"),
    ),
    "program.statements.P.accesses are 3": (
        (*STATEMENT, "accesses"),
        lambda accesses: accesses[1:],
    ),
    "program.statements.P.latency is 2, not 1": (STATEMENT, lambda one: {**one, "latency": 2}),
    "program.statements are C": (
        ("program", "statements"),
        lambda statements: {"C": statements["C"]},
    ),
    "program.strict is True": (("program", "strict"), lambda _: True),
    "program.live_out is of": (("program", "live_out"), lambda _: {}),
    "program.live_in.in is": (
        ("program", "live_in", "in"),
        lambda text: text.replace("i0 < N", "i0 <= N"),
    ),
    "context is": (("context",), lambda _: "[N] -> { : N >= 4 }"),
    "plan.json: context ": (("context",), lambda _: "N^1000000000"),
    "params are not": (("params",), lambda _: {"N": 65}),
    "arrays.blurx.element is": (
        ("arrays", "blurx", "element"),
        lambda _: {"type": "int16", "bits": 16},
    ),
    "arrays.blurx.index is": (("arrays", "blurx", "index"), lambda _: ["a", "b"]),
    "arrays.blurx.extents are": (("arrays", "blurx", "extents"), lambda _: ["N", "N + 1"]),
    "design is": (("design",), lambda _: "blur2"),
    "target is": (("target",), lambda _: {"device": "ecp5", "block_rams": 1}),
}


@pytest.mark.parametrize("what", FAULTS)
def test_another_program_is_named(what: str) -> None:
    path, change = FAULTS[what]
    status, detail = source("blur/design.yaml", changed(path, change))
    assert status is Status.FAIL
    assert what in detail


CLASS: dict[str, Callable[[Document], Any]] = {
    "class is there on one side": lambda array: array.pop("class"),
    "class is of other orders": lambda array: array["class"].update(schedules="any"),
    "class.bands are not": lambda array: array["class"]["bands"].pop(),
    "class.bands[1].maps are not": lambda array: array["class"]["bands"][1]["maps"].update(
        Step="[N, T] -> { Step[t, i] -> [t, 2t + i] }"
    ),
}


@pytest.mark.parametrize("what", CLASS)
def test_another_class_of_orders_is_named(what: str) -> None:
    document = json.loads(text_of("jacobi_tiles/design.yaml"))
    CLASS[what](document["arrays"]["a"])
    status, detail = source("jacobi_tiles/design.yaml", document)
    assert status is Status.FAIL
    assert what in detail


def test_other_conflicts_than_the_design_gives_are_named() -> None:
    document = json.loads(text_of("blur/conflicts.yaml"))
    document["arrays"]["blurx"]["conflicts"]["differences"] = "{ [0, 0] }"
    assert source("blur/conflicts.yaml", document) == (
        Status.FAIL,
        "arrays.blurx.conflicts.differences are not the design's",
    )


def test_claims_are_proved_or_fail() -> None:
    text = text_of("blur/design.yaml")
    verdict, *_ = check_proof("blur", text)
    assert verdict.status is Status.PASS
    alone = " claims proved from plan.json alone; storage not compared: no rtl here"
    assert verdict.detail.endswith(alone)
    verdict, *_ = check_proof("blur", text.replace('"words": 129', '"words": 128'))
    assert verdict.status is Status.FAIL
    assert verdict.detail.startswith(
        "arrays.blurx.holdings.hardware.parts[0]: words is 128, not 129; "
    )
    document = json.loads(text)
    hardware = document["arrays"]["blurx"]["holdings"]["hardware"]
    hardware["bound"]["witness"] = None
    verdict, *_ = check_proof("blur", json.dumps(document))
    assert verdict.status is Status.FAIL
    assert "nothing proves arrays.blurx.holdings.hardware.bound" in verdict.detail
    assert "(it has no witness for max-live)" in verdict.detail
    hardware["bound"], hardware["standing"] = None, "no bound known"
    verdict, *_ = check_proof("blur", json.dumps(document))
    assert verdict.detail == (
        "arrays.blurx.holdings.hardware.bound: how many elements are alive at once is not stated"
    )
    document = json.loads(text)
    hardware = document["arrays"]["blurx"]["holdings"]["hardware"]
    hardware["bound"]["witness"] = {"elements": "{ [y, x] : y = x = 0 }"}
    verdict, *_ = check_proof("blur", json.dumps(document))
    assert verdict.status is Status.FAIL


def test_a_claim_that_is_too_large_to_prove_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needed_cells, "MOST_SWEPT", 100)
    verdict, *_ = check_proof("blur", text_of("blur/design.yaml"))
    assert verdict.status is Status.FAIL
    assert "(more than 100 writes: it is a live-at)" in verdict.detail
