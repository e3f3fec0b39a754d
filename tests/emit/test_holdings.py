"""The report's first line and table: one answer for each array's size and target."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from hlsmem.emit.holdings import headline, overview
from hlsmem.emit.report import report
from hlsmem.plan import FoundOrder, Plan
from tests.conftest import EXAMPLES
from tests.plans import planning_of

DESIGNS = sorted(str(file.relative_to(EXAMPLES)) for file in EXAMPLES.glob("*/*.yaml"))
GIVEN = r"(\d+) bits? (?:declared|as written(?: in \d+ cycles?)?)|no extents declared"
HARDWARE = r"(\d+) bits? \(hardware\)|no hardware"
OF_C = r"(\d+) bytes? \(C\)(?: of \d+)?(?:, stops on overlap \(check: \d+\))?|no C"
LINE = re.compile(rf"(\w+): (?:{GIVEN}) -> (?:{HARDWARE}), (?:{OF_C})(?:, (\d+) cycles?)?")


@pytest.mark.few("blur/design.yaml", "two_readers/design.yaml", "e1/design.yaml")
@pytest.mark.parametrize("design", DESIGNS)
def test_the_first_line_is_of_the_grammar_and_sums_up_what_holds_the_arrays(design: str) -> None:
    plan = planning_of(EXAMPLES / design).plan
    found = LINE.fullmatch(headline(plan))
    assert found is not None, headline(plan)
    name, _, bits, of_c, cycles = found.groups()
    assert name == plan.design
    memories = sum(one.words * one.bits for one in plan.memories.values())
    branches = sum(one.beats * one.bits for one in plan.elastic)
    assert bits is None or int(bits) == memories + branches
    if plan.ram is not None:
        assert int(of_c) == plan.ram.bytes
    else:
        cells = [array.host for array in plan.arrays.values() if array.host is not None]
        assert of_c is None or int(of_c) == sum(one.words * one.cells.cell_bytes for one in cells)
    assert cycles == (plan.timing and plan.timing.cycles and str(plan.timing.cycles))


def plan_of(folder: Path, kernel: str) -> Plan:
    (folder / "k.c").write_text(kernel)
    return planning_of(folder / "k.c").plan


def test_the_first_line_of_an_order_that_was_found() -> None:
    plan = planning_of(EXAMPLES / "blur" / "design.yaml").plan
    declared = (
        "blur: 131072 bits declared -> 4128 bits (hardware), 512 bytes (C) of 16384, 4098 cycles"
    )
    assert headline(plan) == declared
    found = FoundOrder(what="run line 12 first", bits=9000)
    written = declared.replace("131072 bits declared", "9000 bits as written")
    assert headline(replace(plan, found_order=found)) == written
    timed = replace(plan, found_order=replace(found, cycles=77))
    assert headline(timed) == written.replace("written ->", "written in 77 cycles ->")
    assert "\n\nThe order was found, for fewer bits: run line 12 first.\n\n" in report(timed)
    alone = replace(plan, paths=None, timing=None, host_order=None, ram=None)
    alone = replace(alone, arrays={k: replace(v, host=None) for k, v in alone.arrays.items()})
    assert headline(alone) == "blur: 131072 bits declared -> no hardware, no C"


SCALARS = """\
#define N 8
void k(const short in[N], short out[N])
{
    short t[N], a, b;
    for (int i = 0; i < N; i++)
        t[i] = in[i];
    for (int i = 0; i < N; i++) {
        a = t[N - 1 - i];
        b = a + 1;
        out[i] = b + a;
    }
}
"""


def test_all_scalars_stand_on_one_line(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, SCALARS)
    assert {name for name, one in plan.arrays.items() if not one.index} == {"a", "b"}
    rows = overview(plan).splitlines()
    assert len(rows) == 2 + 2
    cells = [cell.strip() for cell in rows[-1].strip("|").split("|")]
    words = sum(plan.arrays[name].hardware.words for name in "ab")
    assert cells[:4] == ["a and b", "int16", "2", str(words)]
    assert cells[5:8] == ["-", "2", "-"]


def test_nothing_of_what_is_not_held_is_in_the_report() -> None:
    text = report(planning_of(EXAMPLES / "two_readers" / "design.yaml").plan)
    for word in ("saving", "planned |", "score", "folded to", "for all there are", "tried"):
        assert word not in text
    assert "| t     | uint16 |     8192 |   130 | fifo + registers |   129 |     763 |" in text


def test_words_of_the_source_stand_where_they_are_others() -> None:
    """The window of the unsharp is one of the text, its chain one of the Verilog."""
    head, _, row, *_ = overview(planning_of(EXAMPLES / "unsharp" / "design.yaml").plan).split("\n")
    cells = dict(zip(head.split("|"), row.split("|"), strict=True))
    assert {key.strip(): one.strip() for key, one in cells.items()}["source words"] == "263"
    assert "source words" not in overview(planning_of(EXAMPLES / "blur" / "design.yaml").plan)
