"""sim/<design>.json is what this version generates for the design, or nothing is judged by it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hlsmem.pipeline.checks import run_checks
from hlsmem.verification import Status
from tests.plans import files_of

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

FAULTS: dict[str, Callable[[dict[str, Any]], object]] = {
    "another instance": lambda sim: sim["streams"][0].update(path="u_other"),
    "an idle place more": lambda sim: sim["streams"][1].update(idle=1),
    "another interval": lambda sim: sim["prediction"].update(interval=2.0),
    "a stream less": lambda sim: sim["streams"].pop(),
    "a key more": lambda sim: sim.update(more=1),
}


@pytest.fixture
def out(tmp_path: Path) -> Path:
    for name, text in files_of(EXAMPLES / "blur" / "design.yaml", {"N": 8}).items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path


def plant(out: Path, fault: Callable[[dict[str, Any]], object]) -> None:
    file = out / "sim" / "blur.json"
    document = json.loads(file.read_text())
    fault(document)
    file.write_text(json.dumps(document, indent=1) + "\n")


@pytest.mark.parametrize("fault", FAULTS)
def test_another_description_is_refused_with_its_line(
    out: Path, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hlsmem.verification.rtl.judge.run_bench", None)  # nothing is simulated
    plant(out, FAULTS[fault])
    (verdict,) = run_checks(out, ("rtl",)).verdicts
    assert verdict.status is Status.FAIL
    place, _, said = verdict.detail.partition(": ")
    assert place.startswith("sim/blur.json:")
    assert said == (
        "not what this version generates for the design; plan again, or say `--foreign` to judge"
        " it as it is"
    )


def test_what_the_design_gives_is_taken_and_waves_may_stand_beside_it(out: Path) -> None:
    (out / "sim" / "blur.fst").write_bytes(b"")
    verdicts = run_checks(out, ("rtl",)).verdicts
    assert [one.status for one in verdicts] == [Status.PASS, Status.PASS]


@pytest.mark.long
def test_a_foreign_folder_is_judged_by_its_own_description(out: Path) -> None:
    plant(out, FAULTS["another interval"])
    verdicts = run_checks(out, ("rtl",), foreign=True).verdicts
    assert [one.status for one in verdicts] == [Status.PASS, Status.PASS]


def test_a_design_without_a_plan_gives_nothing_to_compare(out: Path) -> None:
    file = out / "design" / "design.yaml"
    file.write_text(file.read_text() + "\nplan: {slack: -1}\n")
    with pytest.raises(Exception, match="slack"):
        run_checks(out, ("rtl",))
