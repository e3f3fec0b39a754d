"""The rows of the source papers: all of them have a verdict, and commands print their figures."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest

from reports.seeds import OUT, ROOT, ROWS, SOURCES, SeedRow, counts, differing, rows_of, stands_in

ROWS_OF_SEEDS = rows_of(ROWS.read_text(encoding="utf-8"))
# The first and last line of each paper in the text of its document.
LINES = {
    "000": (1, 1435),
    "001": (1, 1972),
    "002": (1, 379),
    "003": (1, 967),
    "004a": (1, 687),
    "004b": (688, 1822),
    "004c": (1823, 4150),
    "004d": (4151, 5246),
    "004e": (5247, 6270),
    "004f": (6271, 6929),
}
TEXTS = [row for row in ROWS_OF_SEEDS if row.kind == "text"]
# Their commands take less than two seconds together.
QUICK = {("002", "68-139"), ("003", "243-290"), ("004b", "1114-1144")}


def test_there_are_79_rows_and_all_have_a_verdict() -> None:
    verdicts = Counter(row.verdict for row in ROWS_OF_SEEDS)
    assert set(verdicts) == {"shown", "below", "step 20", "closed"}
    assert verdicts["shown"] + verdicts["below"] == 70
    assert (verdicts["step 20"], verdicts["closed"], len(ROWS_OF_SEEDS)) == (2, 7, 79)
    assert len({(row.document, row.what) for row in ROWS_OF_SEEDS}) == 79


def test_the_papers_stand_in_their_order() -> None:
    documents = [row.document for row in ROWS_OF_SEEDS]
    assert list(dict.fromkeys(documents)) == list(LINES) == list(SOURCES)


@pytest.mark.parametrize("row", ROWS_OF_SEEDS, ids=lambda row: f"{row.document}:{row.place}")
def test_a_row_is_whole(row: SeedRow) -> None:
    first, last = LINES[row.document]
    begin, end = map(int, row.place.split("-"))
    assert first <= begin <= end <= last
    assert row.what
    assert row.paper
    assert row.reason
    if row.verdict in ("shown", "below"):
        assert row.kind in ("text", "measured")
        assert row.ours
        files = re.findall(r"(?:examples|tests|benchmarks)/[\w./-]+", row.command)
        assert files or row.kind == "measured"
        assert [one for one in files if not (ROOT / one).is_file()] == []
    else:
        assert (row.kind, row.command, row.ours) == ("", "", "")
        assert row.reason.endswith(".")


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(
            row,
            id=f"{row.document}:{row.place}",
            marks=[] if (row.document, row.place) in QUICK else pytest.mark.long,
        )
        for row in TEXTS
    ],
)
def test_a_command_prints_the_figures_of_its_row(row: SeedRow) -> None:
    assert list(differing(row)) == []


def test_a_wrong_figure_is_found() -> None:
    row = next(row for row in TEXTS if (row.document, row.place) == ("003", "243-290"))
    for wrong in ("| ov | (1, 1)", row.ours.replace("| 4 | 4 |", "| 4 | 5 |")):
        assert list(differing(replace(row, ours=wrong))) == [wrong]


@pytest.mark.parametrize(
    ("wanted", "stands"),
    [
        ("takes 60 cells", True),
        ("takes 6 cells", False),
        ("takes 60 cells by", False),
        ("cells takes", False),
        ("takes .. by 4*B", True),
        ("takes .. by 4*B - 4", False),
        ("by 4*B - 40", True),
        ("by 4*B takes", False),
    ],
)
def test_words_stand_in_one_line_in_their_order(wanted: str, stands: bool) -> None:
    assert stands_in(wanted, "it takes  60 cells, by\nit takes 60 by 4*B -  40\n") == stands


def test_the_counts_are_those_of_the_rows() -> None:
    one = ROWS_OF_SEEDS[0]
    rows = [
        replace(one, verdict="below", paper="2 [!] 1"),
        replace(one, verdict="shown", paper="3"),
        replace(one, verdict="shown", paper="3 [!] 4"),
        replace(one, verdict="shown", kind="measured"),
        replace(one, verdict="step 20"),
        replace(one, verdict="closed"),
    ]
    assert counts(rows).startswith(
        "6 rows: 4 shown (1 below the paper's figure, 1 equal), 1 open: storage"
        " shared by arrays, 1 closed."
    )


def test_the_page_has_a_line_for_every_row() -> None:
    page = OUT.read_text(encoding="utf-8")
    assert counts(ROWS_OF_SEEDS) in page
    lines = [one.replace("\\|", "|") for one in page.splitlines() if one.startswith("| ")]
    missing = [row.what for row in ROWS_OF_SEEDS if not any(row.what in line for line in lines)]
    assert missing == []
    assert "not found" not in page
