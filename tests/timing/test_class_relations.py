"""Classes of the examples as they stand: planned, or refused in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.core.errors import HlsmemError, LimitError
from hlsmem.timing.class_relations import loop_bands
from tests.plans import plan_storage
from tests.programs import make_program
from tests.steps import load

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.mark.parametrize(
    ("name", "sizes", "asked", "cells"),
    [
        ("blur/design.yaml", {"N": 8}, "any", 64),
        ("blur/design.yaml", {"N": 8}, "affine", 64),
        ("blur/design.yaml", {"N": 8}, "tiled", 22),
        ("blur/design.yaml", {"N": 8}, "sequential", 17),
        ("half/design.yaml", {"N": 8}, "affine", 64),
        ("triangle/design.yaml", {"N": 6}, "any", 6),
        ("two_consumers/design.yaml", {}, "tiled", 25),
    ],
)
def test_an_example_is_planned_for_a_class(
    name: str, sizes: dict[str, int], asked: str, cells: int
) -> None:
    design = load(EXAMPLES / name, parameters=sizes, settings=[f"plan.schedules={asked}"])
    planned = plan_storage(design).plan.arrays
    assert sum(array.hardware.parts[0].mapping.cells for array in planned.values()) == cells
    for array in planned.values():
        assert array.orders is not None
        assert array.orders.schedules == asked


@pytest.mark.dear
def test_schedules_with_too_many_corners_are_a_limit() -> None:
    design = load(
        EXAMPLES / "heat2d/design.yaml",
        parameters={"N": 4, "T": 2},
        settings=["plan.schedules=affine"],
    )
    with pytest.raises(HlsmemError) as caught:
        plan_storage(design)
    assert isinstance(caught.value, LimitError)
    assert "corners" in str(caught.value)


def test_a_loop_that_runs_once_in_a_statement_is_a_loop_of_the_band() -> None:
    """A border such as j = 0 makes no slot of the loop that the others have there."""
    program = make_program(
        values={"N": 6},
        domains=[
            "[N] -> { S[i, j] : 0 <= i < N and 0 < j < N }",
            "[N] -> { B[i, j] : 0 <= i < N and j = 0 }",
        ],
        schedules=["{ S[i, j] -> [0, i, 0, j, 0] }", "{ B[i, j] -> [0, i, 0, j, 1] }"],
        reads=["{ S[i, j] -> A[i, j - 1] }"],
        writes=["{ S[i, j] -> A[i, j] }", "{ B[i, j] -> A[i, j] }"],
    )
    bands = loop_bands(program)
    assert [(band.is_tiled, band.texts) for band in bands] == [(False, ("t0",)), (True, ("i", "j"))]
