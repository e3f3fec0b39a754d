"""What sessions that were killed left behind goes away, and what others use stays."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from hlsmem.planner.planning_sequence import plan_design, plan_hardware
from hlsmem.program.options import Design
from hlsmem.read.c.clang import reader
from hlsmem.read.c.clang.reader import Reading, read_file
from hlsmem.read.design_folder import Folder
from tests.conftest import EXAMPLES
from tests.families import by_default
from tests.plans import Answers, digest, remove_old
from tests.readings import of_files
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


def test_equal_texts_are_read_once(tmp_path: Path) -> None:
    found: list[str] = []

    def read(folder: Folder, file: str, function: str | None) -> Reading:
        found.append(f"{file} {function}")
        return read_file(folder, file, function)

    readings = of_files(read)

    def ask(name: str, text: str, header: str, function: str | None = None) -> Reading:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        (folder / "k.c").write_text(text)
        (folder / "h.h").write_text(header)
        reading: Reading = readings(Folder(folder), "k.c", function)
        return reading

    text = '#include "h.h"\nvoid f(int a[N]) { a[0] = N; }\n'
    first = ask("a", text, "#define N 3\n")
    assert ask("b", text, "#define N 3\n") is first
    assert ask("b", text, "#define N 4\n") is not first
    assert ask("a", text, "#define N 3\n") is first
    ask("a", text, "#define N 3\n", "f")
    ask("a", f"{text}\n", "#define N 3\n")
    assert found == ["k.c None", "k.c None", "k.c f", "k.c None"]


def test_a_text_whose_headers_are_missing_is_read_again(tmp_path: Path) -> None:
    readings = of_files(read_file)
    (tmp_path / "k.c").write_text('#include "h.h"\nvoid f(int a[3]) { a[0] = 1; }\n')
    first = readings(Folder(tmp_path), "k.c", None)
    assert first.parsed.remarks
    (tmp_path / "h.h").write_text("")
    assert not readings(Folder(tmp_path), "k.c", None).parsed.remarks


def test_where_the_reader_is_patched_each_text_is_read_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def counted(*asked: Any, **more: Any) -> Any:
        found.append(asked[1])
        return parsed(*asked, **more)

    blur()
    found: list[str] = []
    parsed = reader.parsed
    monkeypatch.setattr(reader, "parsed", counted)
    blur()
    assert "blur.c" in found
