"""The planted faults fit what they are planted in; `make mutants` judges all of them."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from pathlib import Path

import pytest

import hlsmem
from tests.mutants.__main__ import KINDS
from tests.mutants.campaign import MISSED, tasks
from tests.mutants.mutants import MUTANTS, Mutant
from tests.mutants.planner import PLANNER
from tests.mutants.plans import SURVIVORS

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


def test_there_are_enough_mutants_with_names_of_their_own() -> None:
    every = (*MUTANTS, *PLANNER)
    assert len({mutant.name for mutant in every}) == len(every)
    assert len(MUTANTS) >= 20
    assert len(PLANNER) >= KINDS["sources"]
    rooms = {mutant.file.partition("/")[0] for mutant in PLANNER}
    assert rooms == {"banks", "storage", "gates", "walk", "predict"}
    assert len(SURVIVORS) >= 33


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
