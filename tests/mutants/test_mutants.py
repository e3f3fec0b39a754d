"""The planted faults fit what they are planted in; `make mutants` judges all of them."""

from __future__ import annotations

import multiprocessing
import random
import secrets
import shutil
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

import hlsmem
from tests.mutants import __main__ as runner
from tests.mutants import sources
from tests.mutants.__main__ import KINDS, tasks
from tests.mutants.campaign import MISSED, SUBJECTS, Row, Task
from tests.mutants.mutants import MUTANTS, Mutant
from tests.mutants.planner import PLANNER
from tests.mutants.plans import SURVIVORS
from tests.mutants.storage import stored
from tests.plans import files_of

PACKAGE = Path(hlsmem.__file__).parent
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("mutant", [*MUTANTS, *PLANNER], ids=lambda mutant: mutant.name)
def test_a_mutant_changes_one_place_and_is_valid_python(mutant: Mutant, tmp_path: Path) -> None:
    file = tmp_path / mutant.file
    file.parent.mkdir(parents=True)
    shutil.copy(PACKAGE / mutant.file, file)
    mutant.apply(tmp_path)
    compile(file.read_text(), mutant.file, "exec")
    assert all((ROOT / test.partition("::")[0]).exists() for test in mutant.tests)


def test_a_mutant_that_does_not_fit_is_refused() -> None:
    mutant = Mutant("late", "version.py", "no such text", "")
    with pytest.raises(ValueError, match=r"late: 0 times in version.py: 'no such text'"):
        mutant.apply(PACKAGE)


def test_the_test_that_caught_a_mutant_is_asked_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "reports").mkdir()
    rows = (
        "| a.py | known (1) | caught | tests/test_a.py::test_one[1-2] |",
        "| a.py | cut | caught | tests/test_a.py::test_two[[0, |",
        "| a.py | passed | another right plan | tests/test_record.py; checks pass |",
    )
    (tmp_path / "reports" / "trust.md").write_text("\n".join(rows))
    monkeypatch.setattr(sources, "ROOT", tmp_path)
    found = {
        name: sources.caught_last(Mutant(name, "a.py", "", ""))
        for name in ("known (1)", "cut", "passed", "new")
    }
    assert found == {
        "known (1)": ("tests/test_a.py::test_one[1-2]",),
        "cut": ("tests/test_a.py::test_two",),
        "passed": (),
        "new": (),
    }


def test_there_are_enough_mutants_with_names_of_their_own() -> None:
    every = (*MUTANTS, *PLANNER)
    assert len({mutant.name for mutant in every}) == len(every)
    assert len(MUTANTS) >= 20
    assert len(PLANNER) >= KINDS["sources"]
    rooms = {mutant.file.partition("/")[0] for mutant in PLANNER}
    assert rooms == {"banks", "storage", "dependences", "addressing", "cycle_model"}
    assert len(SURVIVORS) >= 33


@pytest.mark.parametrize("name", ["durbin", "two_readers"])  # scalars; several memories
def test_each_fault_of_storage_can_be_planted(name: str) -> None:
    file, *settings = SUBJECTS[name]
    text = files_of(ROOT / "examples" / file, settings=settings)["plan.json"]
    faults = stored(name, text)
    assert len({fault.planted(text) for fault in faults}) > 20
    assert len({fault.name for fault in faults}) == len(faults)


def test_a_task_that_breaks_ends_the_run_by_its_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ending = multiprocessing.Event()

    class Pool(ProcessPoolExecutor):
        def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
            ending.set()
            super().shutdown(wait, cancel_futures=cancel_futures)

    def breaks(_: Path) -> Row:
        raise IndexError("of the campaign")

    def judges(_: Path) -> Row:
        ending.wait()
        (tmp_path / secrets.token_hex(8)).touch()
        return Row("caught", "")

    every = [Task("plan.json", "any", "broken", breaks)]
    every += [Task("plan.json", "any", f"{number}", judges) for number in range(100)]
    monkeypatch.setattr(runner, "_by_key", lambda: {one.key: one for one in every})
    monkeypatch.setattr(runner, "ProcessPoolExecutor", Pool)
    for name in ("STATE", "REPORT"):
        monkeypatch.setattr(runner, name, tmp_path / name)
    with pytest.raises(RuntimeError, match=r"plan.json \| any \| broken: nothing judged it"):
        runner.main([])
    assert len([*tmp_path.iterdir()]) < 50  # those that were on their way
    assert not (tmp_path / "REPORT").exists()


@pytest.mark.long
@pytest.mark.formal
def test_twenty_faults_of_the_campaign_are_accounted_for(tmp_path: Path) -> None:
    every = tasks()
    counts = Counter(one.kind for one in every)
    assert all(counts[kind] >= many for kind, many in KINDS.items())
    missed = [
        one.key
        for one in random.Random(20).sample(every, 20)
        if one.judge(tmp_path).verdict == MISSED
    ]
    assert missed == []
