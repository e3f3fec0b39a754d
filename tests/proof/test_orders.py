"""hlsmem_verify on classes of orders: proved by its own lemmas, planted faults are not."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.proof.documents import Document, plan_of, set_to, verdict

E1 = "e1/design.yaml"
NO_BANDS = "plan.bands=null"


@pytest.mark.parametrize("orders", ["sequential", "any", "affine"])
def test_a_class_of_orders_is_proved(orders: str) -> None:
    document = plan_of(E1, (f"plan.schedules={orders}", NO_BANDS))
    assert document["arrays"]["A"]["class"]["schedules"] == orders
    assert verdict(document) == "pass"
    # What is right for the order of the loops is not for others.
    wrong = copy.deepcopy(document)
    wrong["arrays"]["A"]["conflicts"] = plan_of(E1, ("plan.schedules=given", NO_BANDS))["arrays"][
        "A"
    ]["conflicts"]
    assert verdict(wrong) == ("pass" if orders == "sequential" else "false")


def _class_fault(*keys: Any) -> Callable[[Document], None]:
    return set_to("arrays", "A", *keys)


BOUND = ("holdings", "hardware", "bound")
ROWS = "[m, n] -> {{ S[i, j] -> [{}] }}"
CLASS_FAULTS = {
    "another class": _class_fault("class", "schedules", "any"),
    "rows that a dependence runs against": _class_fault(
        "class", "bands", 0, "maps", "S", ROWS.format("i, j")
    ),
    "other rows": _class_fault("class", "bands", 0, "maps", "S", ROWS.format("i, 2i + j")),
    "fewer rows": _class_fault("class", "bands", 0, "maps", "S", ROWS.format("i")),
    "a band one after the other": _class_fault("class", "bands", 0, "kind", "sequential"),
    "the program's own conflicts": _class_fault(
        "conflicts", "differences", "[m, n] -> { [i0, i1] : i0 = 0 and -n < i1 < n }"
    ),
    "outside": _class_fault("class", "outside", True),
    "a point elsewhere": _class_fault(*BOUND, "witness", "points", 0, [0, 0]),
    "a point twice": _class_fault(*BOUND, "witness", "points", 0, [5, 3]),
    "a wider bound": _class_fault(*BOUND, "cells", 9),
}


@pytest.mark.parametrize("fault", CLASS_FAULTS)
def test_a_fault_in_a_class_is_found(fault: str) -> None:
    document = plan_of(E1)
    CLASS_FAULTS[fault](document)
    assert verdict(document) == "false"
