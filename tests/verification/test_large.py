"""Classes judged without listing: the same verdicts as by listing, and planted faults found."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hlsmem.verdict import Verdict
from hlsmem.verification import run_checks
from tests.holdings import part_in
from tests.verification.test_classes import of_class, planned


@pytest.fixture(autouse=True)
def few_instances(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every program is too large to list."""
    monkeypatch.setattr("hlsmem.verification.listing.MOST_INSTANCES", 10)


def exact(out: Path) -> Verdict:
    (found,) = [one for one in run_checks(out, ("exact",)).verdicts if ", class " in one.subject]
    return found


ANY = ("plan.schedules=any", "plan.bands=null")
AFFINE = ("plan.schedules=affine", "plan.bands=null")
SEQUENTIAL = ("plan.schedules=sequential", "plan.bands=null")


@pytest.mark.parametrize("settings", [(), ANY, AFFINE, SEQUENTIAL], ids=str)
def test_every_class_is_proved_without_listing(tmp_path: Path, settings: Any) -> None:
    found, replay = of_class(planned(tmp_path / "out", *settings))
    assert found.status.value == "pass"
    assert replay.status.value in ("skipped", "not judged")
    assert "plan it at smaller parameters" in replay.detail


def lower(own: Any) -> None:
    piece = part_in(own)["mapping"]["pieces"][0]
    piece["modulus_value"], piece["modulus"] = [7], ["7"]
    part_in(own)["mapping"]["cells"] = 7


def other_row(own: Any) -> None:
    piece = part_in(own)["mapping"]["pieces"][0]
    piece["matrix_value"], piece["matrix"] = [[2, 0]], [["2", "0"]]


def ordered_pair(own: Any) -> None:
    points = own["holdings"]["hardware"]["bound"]["witness"]["points"]
    points[0] = [8, 3] if points[0] != [8, 3] else [0, 0]


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (lower, "apart share a cell, and some order needs both"),
        (other_row, "apart share a cell, and some order needs both"),
        (ordered_pair, "which no order keeps alive together"),
    ],
)
def test_planted_faults_are_found(
    tmp_path: Path, fault: Callable[[Any], None], message: str
) -> None:
    out = planned(tmp_path / "out")
    document = json.loads((out / "plan.json").read_text())
    fault(document["arrays"]["A"])
    (out / "plan.json").write_text(json.dumps(document))
    found = exact(out)
    assert found.status.value == "fail"
    assert message in found.detail


def test_more_differences_than_are_looked_at_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hlsmem.verification.large.MOST_DIFFERENCES", 10)
    found = exact(planned(tmp_path / "out"))
    assert found.status.value == "fail"
    assert "differences are too many to look at: plan it at smaller parameters" in found.detail
