"""The check `proof`: a verdict on each object of a plan, and what is false told where it is."""

from __future__ import annotations

import json
from typing import Any

from hlsmem.check.plans.proof_check import check_proof
from hlsmem.core.verdict import Status
from hlsmem.plan import to_json
from tests.conftest import EXAMPLES
from tests.plans import hardware_of, planning_of

Document = dict[str, Any]


def document_of(name: str, settings: tuple[str, ...] = ()) -> Document:
    plan = planning_of(EXAMPLES / name / "design.yaml", settings=settings).plan
    found: Document = json.loads(to_json(plan))
    return found


def said(document: Document) -> dict[str, tuple[str, str]]:
    found = check_proof(document["design"], json.dumps(document))
    return {one.subject: (one.status.value, one.detail) for one in found}


def test_each_object_has_a_verdict() -> None:
    found = said(document_of("blur"))
    assert {status for status, _ in found.values()} == {"pass"}
    assert list(found) == ["blur", "blurx", "blurx in C", "blurx in the source", "streams"]
    assert found["blurx"][1] == (
        "129 words hold it; its operands lie 128, 64, 0 elements behind the newest"
    )
    assert found["blurx in C"][1] == (
        "128 cells separate all conflicting elements, for all parameters"
    )
    assert found["blurx in the source"][1] == (
        "lines: 129 words hold it, read as late as each has them"
    )
    assert found["streams"][1] == "2 streams with the accesses of the program, a beat an instance"


def test_a_branch_fifo_has_one_too() -> None:
    plan = hardware_of(EXAMPLES / "unsharp" / "design.yaml", {"W": 8, "H": 6}).plan
    document = json.loads(to_json(plan))
    assert said(document)["m_in_S"] == (
        "pass",
        "6 beats: as many as the paths to its statement differ",
    )


def test_what_is_false_is_told_of_its_object_alone() -> None:
    document = document_of("blur")
    (part,) = document["arrays"]["blurx"]["holdings"]["host"]["parts"]
    part["cell_bytes"] = 8
    found = said(document)
    assert found["blurx in C"] == (
        "fail",
        "arrays.blurx.holdings.host: cell_bytes is 8, not 4",
    )
    assert found["blurx"][0] == found["streams"][0] == Status.PASS.value
    assert "blur" not in found  # nothing holds of the whole


def test_what_rests_on_what_is_false_is_left_out() -> None:
    document = document_of("blur")
    document["arrays"]["blurx"]["conflicts"]["differences"] = "[N] -> { [0, 0] : N >= 3 }"
    found = said(document)
    failed = {subject for subject, (status, _) in found.items() if status == "fail"}
    assert failed == {"blurx"}
    assert "blurx in C" not in found
