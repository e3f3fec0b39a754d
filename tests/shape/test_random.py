"""The law of shapes: C of random programs leaves the bits of the original, at three sizes.

Mappings come from one method or another, so that rows wrap along loops, beside them and never.
"""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from hlsmem.mapping.portfolio import plan_array
from hlsmem.options import Design
from hlsmem.pipeline import analyse
from hlsmem.planfile import Plan
from tests.emit.c.plans import plan_by_hand, read_design
from tests.shape.programs import SIZES, kernel, outcome

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
        arrays[problem.array.name] = replace(arrays[problem.array.name], mapping=mapping)
    return design, replace(plan, arrays=arrays)


@pytest.mark.few(4)
@pytest.mark.parametrize("seed", range(300))
def test_bits_of_the_original(tmp_path: Path, seed: int) -> None:
    design, plan = planned(tmp_path, seed)
    for_all = all(
        array.mapping.certificate.scope == "all-parameters" for array in plan.arrays.values()
    )
    for values in SIZES if for_all else SIZES[1:2]:
        assert outcome(tmp_path / "out", design, plan, values) == "equal", values
