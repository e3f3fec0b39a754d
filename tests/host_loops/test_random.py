"""The law of shapes: C of random programs leaves the bits of the original, at three sizes.

Mappings come from one method or another, so that rows wrap along loops, beside them and never.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from hlsmem.emit.c import emit_host
from hlsmem.mapping.portfolio import plan_array
from hlsmem.plan import Plan
from hlsmem.planner.array_folding import analyse
from hlsmem.program.options import Design
from tests.emit.c.plans import (
    in_its_order,
    mappings_of,
    plan_by_hand,
    program_of,
    read_design,
    shaped,
    with_mapping,
)
from tests.host_loops.programs import SIZES, kernel, outcome, outcomes

SETTINGS = 'params: {N: 11, M: 9}\ncontext: "[N, M] -> { : N >= 7 and M >= 6 }"\norder: '
METHODS = ("auto", "successive", "linear", "lattice", "width")


def planned(folder: Path, seed: int) -> tuple[Design, Plan]:
    """The kernel of a seed with every array mapped by a method drawn for it."""
    number = random.Random(seed)
    order = number.choice(["sequential", "sequential", "iteration"])
    design = read_design(folder, kernel(seed), SETTINGS + order)
    _, problems = analyse(design)
    plan = plan_by_hand(design, {})
    arrays = dict(plan.arrays)
    for problem in problems:
        method = number.choice(METHODS)
        mapping = plan_array(problem, method=method, budget=design.plan.budget).mapping
        arrays[problem.array.name] = with_mapping(arrays[problem.array.name], mapping)
    return design, replace(plan, arrays=arrays)


MANY = 5
"""Programs that are compiled as one."""


def wrong(folder: Path, seeds: Iterable[int]) -> list[str]:
    """The programs whose C does not leave the bits of the original, with what it does.

    At sizes that a plan does not hold for the original runs.
    """
    cases = {seed: planned(folder / str(seed), seed) for seed in seeds}
    found = outcomes(folder, cases, SIZES).items()
    return [f"{seed} at {values}: {told}" for (seed, values), told in found if told != "equal"]


@pytest.mark.few(1)
@pytest.mark.parametrize("batch", range(60))
def test_bits_of_the_original(tmp_path: Path, batch: int) -> None:
    assert wrong(tmp_path, range(batch * MANY, (batch + 1) * MANY)) == []


def test_remainders_in_every_access(tmp_path: Path) -> None:
    """What pointers are measured against has none, and leaves the same bits."""
    design, plan = planned(tmp_path, 0)
    plan = shaped(design, plan)
    program = in_its_order(program_of(design), plan)
    texts = [
        {
            one.name: one.text
            for one in emit_host(design, program, mappings_of(plan), by_formula=own)
        }
        for own in (False, True)
    ]
    with_pointers, without = (text["host/kernel.c"] for text in texts)
    assert "hlsmem_run" in with_pointers
    assert "hlsmem_run" not in without
    assert "(size_t)(x - 1) % 8u" in without
    assert outcome(tmp_path / "out", design, plan, SIZES[1], text=without) == "equal"
