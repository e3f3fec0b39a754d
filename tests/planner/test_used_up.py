"""Work that is used up: the plan says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.dependences import related_dependences as related
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.storage.ram import circuit
from hlsmem.storage.reuse_chain import chain_selection as find
from tests.steps import load

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def _remarks(example: str, *settings: str) -> list[str]:
    design = load(EXAMPLES / example / "design.yaml", parameters={"N": 10}, settings=settings)
    return [one for one in plan_hardware(design).plan.remarks if "one by one" in one]


@pytest.mark.dear
def test_distances_of_a_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _remarks("sobel") == []
    monkeypatch.setattr(find, "FEW_PIECES", 0)
    monkeypatch.setattr(find, "MOST_OPERATIONS", 1000)
    told = "'in' were listed one by one: isl has no distances within 1000 operations; "
    assert [told in one for one in _remarks("sobel")] == [True]


def test_what_beats_of_a_ram_wait_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(circuit, "FEW_ACCESSES", 0)
    settings = ("plan.method=declared", "arrays.blurx.reads=copies")
    assert _remarks("blur", *settings) == []
    monkeypatch.setattr(related, "LISTABLE_OPERATIONS", 10)
    told = "'blurx' were listed one by one: isl has no answer within 10 operations; "
    assert [told in one for one in _remarks("blur", *settings)] == [True]
