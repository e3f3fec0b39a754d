"""The page beside a report: where there is none, the report says why."""

from __future__ import annotations

from pathlib import Path

from hlsmem.questions.run_page import plan_files
from tests.plans import planning_of

ROOT = Path(__file__).parents[2]
HISTOGRAM = ROOT / "tests/read/c/idioms/histogram.c"
BLUR = ROOT / "examples/blur/design.yaml"


def test_a_run_whose_data_choose_elements_has_no_page_and_the_report_says_so() -> None:
    files = plan_files(planning_of(HISTOGRAM))
    assert "report.html" not in files
    assert files["report.md"].rstrip().endswith("is accessed at several elements at once.")
    assert "hlsmem view" not in files["report.md"]


def test_a_long_run_has_its_page_from_view() -> None:
    files = plan_files(planning_of(BLUR, parameters={"N": 256}))
    assert "report.html" not in files
    assert (
        files["report.md"]
        .rstrip()
        .endswith("`hlsmem view` draws the run, cell by cell, on a page.")
    )


def test_a_short_run_has_its_page() -> None:
    files = plan_files(planning_of(BLUR, parameters={"N": 8}))
    assert "report.html" in files
    assert "page" not in files["report.md"].splitlines()[-1]
