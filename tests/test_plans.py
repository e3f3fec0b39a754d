"""What sessions that were killed left behind goes away, and what others use stays."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hlsmem.planner.planning_sequence import plan_design, plan_hardware
from hlsmem.program.options import Design
from tests.conftest import EXAMPLES
from tests.families import by_default
from tests.plans import Answers, digest, remove_old
from tests.steps import load


def test_folders_of_killed_sessions_are_removed_after_a_day(tmp_path: Path) -> None:
    ages = {"hlsmem-plans-killed": 25, "hlsmem-plans-running": 23, "of-somebody-else": 25}
    now = 1_800_000_000.0
    for name, hours in ages.items():
        folder = tmp_path / name
        folder.mkdir()
        (folder / "plan").write_text("")
        os.utime(folder, (now - 3600 * hours,) * 2)
    remove_old(tmp_path, now)
    assert sorted(one.name for one in tmp_path.iterdir()) == [
        "hlsmem-plans-running",
        "of-somebody-else",
    ]


def blur(*settings: str) -> Design:
    return load(EXAMPLES / "blur/design.yaml", parameters={"N": 8}, settings=settings)


def test_equal_designs_are_planned_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found: list[Design] = []
    answers = Answers(found.append, digest, patch=monkeypatch)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("hlsmem.verbs.plan.plan", None)
    for one in (blur(), blur(), blur("plan.slack=1"), blur()):
        answers(one)
    assert [one.plan.slack for one in found] == [0, 1]


def test_hardware_is_planned_once_for_plans_with_and_without_c() -> None:
    first, second = plan_hardware(blur()), plan_design(blur())
    assert (first.placement is second.placement) is by_default(True, False)


@pytest.mark.parametrize("what", ["hlsmem.storage.chooser.MOST_TRIED", ""])
def test_where_the_planner_is_patched_each_plan_is_made_anew(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(what, 1) if what else monkeypatch.setenv("ANY", "1")
    first, second = plan_hardware(blur()), plan_design(blur())
    assert first.placement is not second.placement
