"""Orders found for random programs, planned and run: every check that reads the plan passes."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from hlsmem.schedule_search.order_search import Search
from hlsmem.schedule_search.order_times import times_of
from tests.families import by_default
from tests.fuzz.compare import Case, described, expected, random_case
from tests.fuzz.plans import check_plan
from tests.steps import load


def plain(seed: int) -> Case:
    """A random program in the order of its text."""
    return replace(random_case(seed), order=None, level=None, strict=False)


# Four orders each: 500 of 125 programs. That of 95 has conditions that imply a division's.
SEEDS = [seed for seed in range(by_default(10, 160)) if not expected(plain(seed)).refused]
FIRST = [SEEDS[0], 95]


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", [*FIRST, *(s for s in SEEDS if s not in FIRST)])
def test_orders_of_random_programs_pass_their_checks(seed: int, tmp_path: Path) -> None:
    case = plain(seed)
    (tmp_path / f"{case.program.name}.c").write_text(case.program.text())
    (tmp_path / "design.yaml").write_text(case.design())
    search = Search(load(tmp_path / "design.yaml").input, limit=20_000)
    for kept in (True, False):
        for found in islice(search.orders(kept=kept), 2):
            text, _ = times_of(search.program, search.given.nests, found)
            check_plan(case, tmp_path, f'schedule="{text}"')
            assert not (kept and found.turned), described(case)
