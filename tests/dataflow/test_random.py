"""Random programs under conditions, against a simulation that shares no code with the analysis."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.dataflow.judging import wrong_in_program


# Sixty programs by default, three hundred in all; `make fuzz` goes on.
@pytest.mark.few(3)
@pytest.mark.parametrize("first", range(0, 300, 20))
def test_sources_of_random_programs(tmp_path: Path, first: int) -> None:
    for seed in range(first, first + 20):
        assert not list(wrong_in_program(tmp_path, seed)), f"program {seed}"
