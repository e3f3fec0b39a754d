"""What explain says: functions of elements, prices of reads, changes with their figures."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.core.errors import InputError
from hlsmem.emit.explanation import DesignExplained, design_text
from hlsmem.lifetime.read_prices import Prices, ReadPrice
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.questions import method_comparison
from hlsmem.questions.access_prices import read_prices
from hlsmem.questions.method_comparison import explain_design
from hlsmem.questions.savings import figures
from hlsmem.read.design import changed
from tests.families import by_default
from tests.fuzz.compare import Case, expected, random_case
from tests.plans import plan_storage
from tests.steps import load

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def design(name: str) -> Path:
    return EXAMPLES / name / "design.yaml"


@cache
def planned(name: str) -> Planning:
    return plan_storage(load(design(name)))


@cache
def explained(name: str) -> DesignExplained:
    return explain_design(load(design(name)))


def costly(prices: Prices) -> dict[str, int]:
    return {
        f"{read.source_location.line if read.source_location else 0} {read.text}": read.cells
        for read in prices.reads
        if read.costs
    }


# By an independent prototype that left one access out of the source at a time.
@pytest.mark.few("blur", "two_consumers")
@pytest.mark.parametrize(
    ("name", "array", "cells", "reads"),
    [
        ("blur", "blurx", 129, {"12 blurx[y - 2][x]": 65}),
        ("two_consumers", "smooth", 25, {"11 smooth[i - 24]": 4}),
        ("sobel", "in", 131, {"12 in[y + 1][x + 1]": 130, "13 in[y - 1][x - 1]": 130}),
        ("durbin", "y", 197, {"18 y[k - i - 1][k - 1]": 100, "18 y[i][k - 1]": 196}),
        pytest.param(
            "heat2d",
            "a",
            272,
            {"17 a[t - 1][i - 1][j]": 257, "20 a[t - 1][i][j]": 271},
            marks=pytest.mark.long,
        ),
    ],
)
def test_what_each_read_costs(name: str, array: str, cells: int, reads: dict[str, int]) -> None:
    planning = planned(name)
    assert planning.folded.mappings[array].cells == cells
    prices = read_prices(planning, array)
    assert costly(prices) == reads
    assert [read.costs for read in prices.reads] == sorted(
        (cells - read.cells for read in prices.reads), reverse=True
    )


def test_a_read_that_only_lowers_max_live_costs_nothing() -> None:
    reads = {read.text: read for read in read_prices(planned("sobel"), "in").reads}
    one = reads["in[y - 1][x + 1]"]
    assert (one.costs, one.cells, one.max_live) == (0, 131, 130)


def test_equal_reads_of_a_statement_count_once(tmp_path: Path) -> None:
    source = tmp_path / "k.c"
    source.write_text(
        "void k(const int in[16], int out[16])\n{\n    int t[16];\n"
        "    for (int i = 0; i < 16; i++) {\n        t[i] = in[i];\n"
        "        if (i >= 2)\n            out[i] = t[i - 2] * t[i - 2] + t[i];\n    }\n}\n"
    )
    prices = read_prices(plan_storage(load(source)), "t")
    assert [(read.text, read.cells) for read in prices.reads] == [("t[i - 2]", 1), ("t[i]", 3)]


def test_first_write_and_last_read_are_functions() -> None:
    (one,) = explained("blur").arrays
    assert one.first_write == ("FW(y, x) = P(y, x)",)
    assert one.last_read == ("LR(y, x) = C(min(y + 2, N - 1), x)",)


# Words of the array that a change is for, as planned and with it.
@pytest.mark.few("bicubic")
@pytest.mark.parametrize(
    ("name", "setting", "words"),
    [
        ("bicubic", "arrays.in.storage=stream", (1024, 70)),
        pytest.param("stencil5", "arrays.in.storage=stream", (4160, 130), marks=pytest.mark.long),
    ],
)
def test_what_would_save_and_that_it_does(name: str, setting: str, words: tuple[int, int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(method_comparison, "explain_arrays", lambda *_: ())  # prices take long
        found = explain_design(load(design(name))).changes
    assert found is not None
    rows = {one.change.settings: one for one in found.changes}
    one = rows[(setting,)]
    assert (found.now.words, one.figures.words) == words
    # Each candidate printed gives the figure that is printed.
    for row in by_default((one,), found.changes):
        after = plan_hardware(changed(load(design(name)), row.change.settings))
        assert figures(after.plan) == row.figures


# Cheap ones first: those with changes, and one that none would make smaller.
FIRST = [1, 3, 5]
SEEDS = (
    FIRST
    + [
        seed
        for seed in range(by_default(10, 140))
        if seed not in FIRST and not expected(random_case(seed)).refused
    ][:95]
)


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", SEEDS)
def test_advice_on_random_programs_is_true(seed: int, tmp_path: Path) -> None:
    """Each change gives its figures, and a program whose text lacks a read has its price."""
    case = replace(random_case(seed), order=None)
    given = load(written(case, case.program.text(), tmp_path))
    try:
        found = explain_design(given)
    except InputError:
        if case.level is None:
            raise
        return  # a step that no circuit could make
    if found.changes is not None:
        for row in found.changes.changes:
            after = plan_hardware(changed(given, row.change.settings))
            assert figures(after.plan) == row.figures
            assert row.figures.bits < found.changes.now.bits
    planning = plan_storage(given)
    for one in found.arrays:
        for read in one.prices.reads:
            text = without(planning, case, read, one.plan.name)
            if text is None:
                continue
            found = plan_storage(load(written(case, text, tmp_path)))
            cells = found.folded.mappings[one.plan.name].cells
            assert read.cells == min(one.cells, cells), read
            if one.cells > 1:
                bound = found.plan.arrays[one.plan.name].hardware.bound
                assert read.max_live == (None if bound is None else bound.cells), read


def written(case: Case, text: str, folder: Path) -> Path:
    (folder / f"{case.program.name}.c").write_text(text)
    (folder / "design.yaml").write_text(case.design())
    return folder / "design.yaml"


def without(planning: Planning, case: Case, read: ReadPrice, array: str) -> str | None:
    """The source with 0 for a read.

    None for a target (`+=`), where another read of the statement is equal, and where it is the
    only access to the array.
    """
    assert planning.program is not None
    assert read.source_location is not None
    place = read.source_location
    (statement,) = (s for s in planning.program.statements if s.name == read.statement)
    reads = [one for one in statement.reads if one.array == array]
    (own,) = (one for one in reads if one.source_location == place)
    lines = case.program.text().splitlines()
    line, start = lines[place.line - 1], place.column - 1
    behind = line[start + place.length :]
    is_target = re.match(r"\s*(\+\+|--|[-+*/%]?=[^=])", behind)
    is_last = len(re.findall(rf"\b{array}\[", case.program.text())) == 2  # and the declaration
    if is_target or is_last or sum(own.relation.is_equal(one.relation) for one in reads) > 1:
        return None
    lines[place.line - 1] = line[:start] + "0" + behind
    return "\n".join(lines) + "\n"


@pytest.mark.few("triangle")
@pytest.mark.parametrize("name", ["jacobi1d", "heat2d", "triangle"])
def test_what_saves_nothing_is_not_printed(name: str) -> None:
    found = explained(name)
    assert found.changes is not None
    assert ("order=iteration",) not in {one.change.settings for one in found.changes.changes}
    if not found.changes.changes:
        assert f"none of {found.changes.tried} change" in design_text(found)


@pytest.mark.long
def test_strict_and_live_out_are_changes(tmp_path: Path) -> None:
    source = tmp_path / "k.c"
    source.write_text(
        "void k(const int in[16], int t[16], int out[16])\n{\n"
        "    for (int i = 0; i < 16; i++) {\n        if (i < 2)\n            t[i] = in[i];\n"
        "        else\n            t[i] = t[i - 2] + in[i];\n        out[i] = t[i];\n    }\n}\n"
    )
    given = load(source, settings=["arrays.t.storage=memory", "plan.strict=true"])
    found = explain_design(given).changes
    assert found is not None
    (one,) = (one for one in found.changes if one.change.kind == "live_out")
    assert one.figures.arrays["t"].words == 3
    assert one.change.needs == "nobody reads t after the end"
    only = load(
        source,
        settings=["arrays.t.storage=memory", "plan.strict=true", *one.change.settings],
    )
    found = explain_design(only).changes
    assert found is not None
    assert {one.change.kind: one.figures.words for one in found.changes}["strict"] == 2


def test_budgets_stand_beside_the_same_changes() -> None:
    text = design_text(
        explain_design(
            load(design("blur"), settings=["params.N=16", "limits.cells=31", "limits.words=20"])
        )
    )
    assert "cells: 32, 31 allowed\n  changes are not tried for the C" in text
    assert "words: 33, 20 allowed\n  no change that was tried makes it less" in text


def test_a_folder_is_explained_as_its_design(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["plan", str(design("blur")), "--param", "N=8", "-o", str(out)]) == 0
    capsys.readouterr()
    assert main(["explain", str(out), "blurx", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["format"] == "hlsmem-explain/1"
    one = document["arrays"]["blurx"]
    assert (one["cells"], one["words"], one["standing"]) == (17, 17, "optimal")
    assert one["bound"]["expr"] == "2*N + 1"
    first = one["reads"][0]
    assert (first["text"], first["costs"]) == ("blurx[y - 2][x]", 8)


def test_reads_of_a_class_of_orders_have_no_price() -> None:
    text = design_text(explained("e1"))
    assert "\n  no read has a price: without one the class has other orders\n" in text


def test_a_conflict_set_has_neither_reads_nor_changes() -> None:
    bare = next(
        file
        for file in sorted(EXAMPLES.rglob("*.yaml"))
        if "conflicts:" in file.read_text(encoding="utf-8") and "papers" not in file.parts
    )
    found = explain_design(load(bare))
    assert found.changes is None
    assert all(one.prices == Prices() for one in found.arrays)
