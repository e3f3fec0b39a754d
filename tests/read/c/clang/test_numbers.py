"""Arithmetic of arbitrary precision as C has the values that it has by definition."""

from __future__ import annotations

import random
from pathlib import Path

from tests.families import by_default
from tests.read.c.clang.exact_arithmetic import case_of, check, random_expressions


def test_integers_have_their_values(tmp_path: Path) -> None:
    chance = random.Random(1)
    made = random_expressions(chance, by_default(200, 2000), fixed=False)
    check([case_of(chance, one, types, 8) for one, types in made], tmp_path)


def test_fixed_point_numbers_have_their_values(tmp_path: Path) -> None:
    chance = random.Random(2)
    made = random_expressions(chance, by_default(200, 2000), fixed=True)
    check([case_of(chance, one, types, 8) for one, types in made], tmp_path)
