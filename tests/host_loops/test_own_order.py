"""C in an order of its own leaves the bits of the original, whatever legal order that is."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from itertools import count, product
from pathlib import Path
from typing import Any

import pytest

from hlsmem.core.verdict import Status
from hlsmem.plan import Plan, from_json, to_json
from hlsmem.planner import output_files
from hlsmem.planner.plan_assembly import Planning
from hlsmem.program.model import Program
from hlsmem.program.options import Design
from hlsmem.schedule_search.distribution import changed_at
from hlsmem.schedule_search.loop_times import Times
from hlsmem_verify import Refused, verify
from tests.check.subjects import proof
from tests.emit.c.plans import program_of, read_design
from tests.holdings import cells_in, part_in
from tests.host_loops.programs import SIZES, kernel, outcome
from tests.plans import plan_storage, with_host

SETTINGS = (
    'params: {N: 11, M: 9}\nschedule: text\ncontext: "[N, M] -> { : N >= 7 and M >= 6 }"\n'
    "host: {extra_cells: 1000, sizes: [{N: 30, M: 30}]}"
)
FUSED = """
#define N 16
void f(const float in[N][N], float out[N][N])
{
    float t[N][N];
#pragma scop
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            t[y][x] = in[y][x] + 1;
            if (y >= 1 && x >= 2)
                out[y][x] = t[y - 1][x] + t[y][x - 2];
        }
#pragma endscop
}
"""


def test_a_search_that_takes_too_much_is_told_and_leaves_the_order_of_the_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hlsmem.planner.host.host_schedule.OPERATIONS", 10)
    plan = with_host(plan_storage(read_design(tmp_path, FUSED, "schedule: text"))).plan
    assert not plan.has_host_schedule
    assert plan.remarks[-1] == (
        "C has the best order found within the budget, else the source's: loops that are vectors,"
        " nests that run as one and blocks of loops took more; host.order: given leaves the search"
        " out"
    )


def drawn(number: random.Random) -> Callable[[Program, int], dict[str, str] | None]:
    """Some legal order of a program in place of the best."""

    def order(program: Program, _: int) -> dict[str, str] | None:
        given = times = Times.of(program)
        for _ in range(2):
            changes = [changed_at(times, *one) for one in product(times.loops(), (None, 4))]
            legal = [one for one in changes if one is not None and one.is_legal()]
            times = number.choice(legal) if legal else times
        texts = {name: str(one) for name, one in times.schedules.items()}
        return None if times is given else texts

    return order


def planned(folder: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> tuple[Design, Plan]:
    """The first kernel from a seed on that C can have in another order."""
    monkeypatch.setattr("hlsmem.planner.host.host_schedule.distributed", drawn(random.Random(seed)))
    for number in count(1000 * seed):
        design = read_design(folder, kernel(number), SETTINGS)
        plan = with_host(plan_storage(design)).plan
        if plan.has_host_schedule:
            return design, plan
    raise AssertionError("count() does not end")


# To find a kernel with an order of its own takes longer than to run it; of seed 5 it is the first.
@pytest.mark.few("5")
@pytest.mark.parametrize("seed", range(300))
def test_bits_of_the_original(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    design, plan = planned(tmp_path, seed, monkeypatch)
    for values in SIZES:
        assert outcome(tmp_path / "out", design, plan, values) == "equal", values


@pytest.fixture(scope="module")
def fused(tmp_path_factory: pytest.TempPathFactory) -> Planning:
    settings = 'params: {N: 16}\nschedule: text\ncontext: "[N] -> { : N >= 4 }"'
    design = read_design(tmp_path_factory.mktemp("fused"), FUSED, settings)
    return with_host(plan_storage(design))


def document_of(planning: Planning) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(to_json(planning.plan))
    return found


def test_a_row_runs_apart(fused: Planning) -> None:
    body = output_files.host_files(fused)["host/kernel.c"].split("void f_ws(", 1)[1]
    assert body.count("HLSMEM_IVDEP") == 2
    assert "if (!f_apart(in, out)) {\n        f_text(in, out, ws);\n        return;" in body
    own = fused.plan.arrays["t"]
    assert own.host is not None
    # Two rows: one and a bit.
    assert (fused.folded.mappings["t"].cells, own.host.words) == (17, 32)


def test_plan_json_has_the_times(fused: Planning) -> None:
    document = document_of(fused)
    assert set(document["orders"]["host"]["times"]) == {"S0", "S1"}
    assert from_json(to_json(fused.plan)).host_order == fused.plan.host_order


@pytest.mark.parametrize("more", ["order: given", "objective: plan", "choice: {t: {shape: rows}}"])
def test_the_given_order_where_it_is_asked_for(tmp_path: Path, more: str) -> None:
    settings = (
        f'params: {{N: 16}}\nschedule: text\ncontext: "[N] -> {{ : N >= 4 }}"\nhost: {{{more}}}'
    )
    planning = plan_storage(read_design(tmp_path, FUSED, settings))
    assert not with_host(planning).plan.has_host_schedule


def test_arrays_that_would_grow_too_much_keep_the_order(tmp_path: Path) -> None:
    """A line of three cells: a loop of its own would need all of it, or two strips of 256."""
    settings = 'params: {N: 16}\nschedule: text\ncontext: "[N] -> { : N >= 4 }"'
    line = """
#define N 16
void f(const float in[N], float out[N])
{
    float t[N][3];
#pragma scop
    for (int x = 0; x < N; x++) {
        t[x][0] = in[x] + 1;
        if (x >= 1)
            out[x] = t[x][0] + t[x - 1][0];
    }
#pragma endscop
}
"""
    planning = plan_storage(read_design(tmp_path, line, settings))
    assert not with_host(planning).plan.has_host_schedule


def test_proof_judges_the_order(fused: Planning) -> None:
    found = proof(document_of(fused))
    assert found["the order of C"].status is found["t in C"].status is Status.PASS


FAULTS = {
    "the second statement first": ("S1", "[0, y, 0, 1, x, 1]", "[0, y, 0, -1, x, 1]"),
    "a reader a row early": ("S1", "[0, y, 0, 1, x, 1]", "[0, y - 1, 0, 1, x, 1]"),
    "an entry missing": ("S1", "[0, y, 0, 1, x, 1]", "[0, y, 0, 1, x]"),
    "a writer a row late": ("S0", "[0, y, 0, 0, x, 0]", "[0, y + 1, 0, 0, x, 0]"),
    "no map": ("S0", "[0, y, 0, 0, x, 0]", "[0, y, 0, 0, x, 0"),
    "half of the rows": ("S0", "0 <= y < N", "0 <= 2y < N"),
}


def test_the_order_is_proved_from_plan_json_alone(fused: Planning) -> None:
    """The same faults; a time more or less is refused or false, never proved."""
    found = verify(document_of(fused))
    assert not found["false"]
    assert not [path for path in found["open"] if "orders.host" in path]
    for name, old, new in FAULTS.values():
        document = document_of(fused)
        times = document["orders"]["host"]["times"]
        times[name] = times[name].replace(old, new)
        try:
            assert [text for text in verify(document)["false"] if text.startswith("orders.host")]
        except Refused:
            assert new == "[0, y, 0, 0, x, 0"


def test_cells_are_judged_in_the_order_of_c(fused: Planning) -> None:
    """The plan's cells are right for its own order alone."""
    document = document_of(fused)
    own = document["arrays"]["t"]
    cells_in(own)["mapping"] = part_in(own)["mapping"]
    assert proof(document)["t in C"].status is Status.FAIL


def test_lanes_and_streams_have_no_other_order(fused: Planning) -> None:
    program = program_of(fused.design)
    stepped = replace(program, lanes=(2,))
    assert drawn(random.Random(1))(stepped, 0) is not None  # orders there would be
    from hlsmem.schedule_search.distribution import distributed

    assert distributed(stepped, 10**7) is None
