"""Every figure that is printed twice is equal: report table, option lines, plan.json, totals."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

from hlsmem.devices import FAMILIES
from hlsmem.devices.primitives import Cost
from hlsmem.emit.report import report
from hlsmem.plan import Plan, to_json
from tests.plans import hardware_of

EXAMPLES = Path(__file__).parents[2] / "examples"
DESIGNS = [
    file
    for file in sorted(EXAMPLES.glob("*/design.yaml"))
    if "\nconflicts:" not in file.read_text()
]
CASES = [
    (file, family)
    for file in sorted(DESIGNS, key=lambda file: file.parent.name not in ("blur", "two_readers"))
    for family in FAMILIES
]


def several(cases: list[tuple[Path, str]]) -> list[object]:
    """Two families of the first design in `make test`, all of all in `make test-all`."""
    return [
        pytest.param(
            *case,
            marks=() if number < 2 else pytest.mark.long,
            id=f"{case[0].parent.name}-{case[1]}",
        )
        for number, case in enumerate(cases)
    ]


@cache
def plan_of(file: Path, *settings: str) -> Plan:
    return hardware_of(file, settings=settings).plan


def rows(text: str, head: str) -> list[dict[str, str]]:
    """The rows of the table of a report whose first column is called so, by column."""
    lines = text.splitlines()
    begin = next(n for n, line in enumerate(lines) if line.startswith(f"| {head}"))
    found = []
    for line in lines[begin:]:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split("|")])
    return [dict(zip(found[0], row, strict=True)) for row in found[2:]]


@pytest.mark.parametrize(("file", "family"), several(CASES))
def test_figures_that_are_printed_twice_are_equal(file: Path, family: str) -> None:
    plan = plan_of(file, f"target.device={family}")
    text, document = report(plan), json.loads(to_json(plan))
    overview = {row["array"]: row for row in rows(text, "array")}
    memories = {row["Memory"]: row for row in rows(text, "Memory")}
    total = Cost()
    for name, array in plan.arrays.items():
        own = [plan.memories[part.memory] for part in array.hardware.parts]
        words = sum(memory.words for memory in own)
        held = document["arrays"][name]["holdings"]["hardware"]["words"]
        assert int(overview[name]["words"]) == held
        branches = any(
            f"_{part.memory}_" in one.stream
            for part in array.hardware.parts
            for one in plan.elastic
        )
        assert held > words if branches else held == words
        for part, memory in zip(array.hardware.parts, own, strict=True):
            cost, row = memory.resources, memories[part.memory]
            assert cost is not None
            assert int(row["LUT"]) == cost.luts
            assert int(row["FF"]) == cost.flip_flops
            assert int(row["Words"]) * int(row["Banks"]) == memory.words
            total += cost
        # An option line for each way that was not taken, with its figures.
        lines = re.findall(
            r"^- not taken: .*?, (\d+) words, (\d+) block RAMs?, (\d+) LUTs", text, re.M
        )
        for one in array.notes.rejected:
            if one.words is not None and one.resources is not None:
                figures = (one.words, one.resources.blocks, one.resources.luts)
                assert tuple(map(str, figures)) in lines
    assert total == plan.resources
    if total.blocks:
        assert re.search(rf"^{total.blocks} (of \d+ )?\w+ on {family}", text, re.M)


def test_what_a_way_is_said_to_cost_it_costs_when_it_is_built() -> None:
    blur, target = EXAMPLES / "blur" / "design.yaml", "target.device=ecp5-25k"
    rejected = plan_of(blur, target).arrays["blurx"].notes.rejected
    (copies,) = (one for one in rejected if [request.kind for request in one.parts] == ["ram"])
    built = plan_of(blur, target, "arrays.blurx.reads=copies").memories["blurx"]
    assert copies.words == built.words
    assert copies.resources == built.resources
