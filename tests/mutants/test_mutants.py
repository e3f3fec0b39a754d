"""The mutants fit the code as it stands; `make mutants` runs them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import hlsmem
from tests.mutants.mutants import MUTANTS, Mutant

PACKAGE = Path(hlsmem.__file__).parent
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
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
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS) >= 20
