"""What the report claims of a size."""

from dataclasses import replace
from pathlib import Path

import pytest

from hlsmem.emit.report import report
from hlsmem.lifetime.storage_problem import Bound
from hlsmem.plan import Timing
from hlsmem.plan.plan_model import standing_of
from tests.plans import plan_storage, planning_of
from tests.steps import load

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.mark.parametrize(
    ("name", "settings", "claims"),
    [
        (
            "blur/design.yaml",
            (),
            ["taps 2*N, N, 0 (optimal)", "C: 128 cells = 2*N, 512 bytes, blurx(y, x) ="],
        ),
        (
            "durbin/design.yaml",
            (),
            ["493 words in 4 parts (345 above max-live)", "C: 197 cells = 2*N - 3, 1576 bytes"],
        ),
        ("blur/tiled.yaml", (), ["(optimal)"]),
        (
            "blur/design.yaml",
            ("plan.method=width", "arrays.blurx.reads=copies"),
            ["192 cells = 3*N, by width", "576 words of 32 bits", "(447 above max-live)"],
        ),
    ],
)
def test_a_size_stands_beside_its_bound(
    name: str, settings: tuple[str, ...], claims: list[str]
) -> None:
    text = report(planning_of(EXAMPLES / name, settings=settings).plan)
    for claim in claims:
        assert claim in text


def test_pictures_stand_behind_the_array_they_show() -> None:
    plan = plan_storage(load(EXAMPLES / "blur" / "design.yaml")).plan
    files = ["pictures/blurx-conflicts.svg", "pictures/other-life.svg"]
    text = report(plan, pictures=files)
    assert (
        "![blurx: conflicts and the lattice of the mapping](pictures/blurx-conflicts.svg)" in text
    )
    assert text.count("![") == 1
    assert text.index("## blurx") < text.index("![blurx") < text.index("## Checks")
    assert "![" not in report(plan)


def test_values_from_before_the_start_are_not_in_its_cycles() -> None:
    planning = planning_of(EXAMPLES / "stencil5" / "design.yaml", {"N": 8, "M": 9})
    reads, fill = planning.plan.streams
    text = report(planning.plan)
    assert f"the longest stream, m_in_S, has {reads.beats} beats; {fill.beats} beats of" in text
    assert "s_in_fill come before the start.\n" in text


def test_one_cell_is_optimal_whatever_bounds_say() -> None:
    nothing = Bound(kind="max-live", cells=0, expr=None, status="counted at N=3")
    assert standing_of(1, [nothing]) == standing_of(1, []) == "optimal"
    assert standing_of(2, [nothing]) == "2 above max-live"
    assert standing_of(2, []) == "no bound known"


@pytest.mark.parametrize(
    ("reason", "asked", "told"),
    [
        (None, 1, "in every cycle, or more often: reached where all instances run."),
        ("m_s_S1 waits for s_s_S1", 1, "more often: not reached where all instances run."),
        ("m_s_S1 waits for s_s_S1", 4, "every 4 cycles, or more often: not checked."),
    ],
)
def test_an_interval_of_runs_that_data_decide(reason: str | None, asked: int, told: str) -> None:
    plan = planning_of(EXAMPLES / "blur" / "design.yaml").plan
    timing = Timing(cycles=9, interval=None, reason=reason, asked=asked, runs=((1, 7),))
    assert told in report(replace(plan, timing=timing))
