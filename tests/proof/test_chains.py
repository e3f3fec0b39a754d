"""Chains of elements that are written axis by axis, up or down."""

from __future__ import annotations

import json
from functools import cache

from hlsmem.plan import to_json
from hlsmem.planner.planning_sequence import plan_hardware
from tests.proof.documents import parts_of, verdict
from tests.read.c.test_idioms import FOLDER, loaded


@cache
def counted_down() -> str:
    return to_json(plan_hardware(loaded(FOLDER / "counting_down.c")).plan)


def test_elements_that_are_written_downwards_have_a_rank() -> None:
    document = json.loads(counted_down())
    (part,) = parts_of(document, "t")
    assert (part["taps"], part["taps_expr"]) == ([0, 1], ["0", "1"])
    assert verdict(document) == "pass"
    for k, tap in enumerate(part["taps"]):
        wrong = json.loads(counted_down())
        (own,) = parts_of(wrong, "t")
        own["taps"][k], own["taps_expr"][k] = tap + 1, str(tap + 1)
        assert verdict(wrong) == "false"
