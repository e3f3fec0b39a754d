"""Kernels and files at the ends of what there can be: every command ends as people expect."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from tests.fuzz.extremes import empty, large
from tests.fuzz.files import cases, files, long
from tests.fuzz.texts import Attempt, outcomes

SEEDS = 3


@pytest.mark.few("empty-0", "files-0", "cases-0")
@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("prepared", [empty, large, files, long, cases])
def test_every_command_ends_with_an_answer(
    prepared: Callable[[int, Path], Iterable[Attempt]], seed: int, tmp_path: Path
) -> None:
    assert outcomes(prepared(seed, tmp_path), seconds=60).trouble == ""
