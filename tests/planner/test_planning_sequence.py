"""Which order a plan takes: what it compares, what it builds, what it says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlsmem.cli.main import main
from hlsmem.planner import planning_sequence as answers
from hlsmem.planner import searched_order as order
from hlsmem.planner.array_folding import analysed
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import Figures, is_better, plan_hardware
from hlsmem.planner.searched_order import orders_of
from hlsmem.read.as_written import AS_WRITTEN
from tests.plans import hardware_of
from tests.steps import KEPT, load

EXAMPLES = Path(__file__).parents[2] / "examples"
TWO_NESTS = """#include <stdint.h>
#define W 24
#define H 16
void edges(const uint8_t in[H][W], uint8_t out[H - 2][W - 2])
{
    int16_t mag[H - 2][W - 2];
    for (int y = 0; y < H - 2; y++)
        for (int x = 0; x < W - 2; x++)
            mag[y][x] = in[y][x + 2] - in[y][x] + 2 * (in[y + 1][x + 2] - in[y + 1][x])
                + in[y + 2][x + 2] - in[y + 2][x];
    for (int y = 0; y < H - 2; y++)
        for (int x = 0; x < W - 2; x++)
            out[y][x] = mag[y][x] > 200 ? 255 : 0;
}
"""
TURNED = """#define N 8
void turned(const int in[N][N], int out[N][N])
{
    int t[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            t[i][j] = in[i][j];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            out[i][j] = t[j][i];
}
"""

SUMS = """#define N 16
void sums(const int a[N][N], const int b[N][N], int out[N][N])
{
    int t[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int s = 0;
            for (int k = 0; k < N; k++)
                s += a[i][k] * b[k][j];
            t[i][j] = s;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int s = 0;
            for (int k = 0; k < N; k++)
                s += t[i][k] * b[k][j];
            out[i][j] = s;
        }
}
"""


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was folded, and what hardware was made of, in that order: "text" or "found"."""
    found: list[str] = []

    def noted(name: str) -> None:
        real = getattr(answers, name)

        def work(one: Any, *more: Any) -> Any:
            is_found = any("schedule=" in each for each in one.design.overrides if "->" in each)
            found.append(f"{name} {'found' if is_found else 'text'}")
            return real(one, *more)

        monkeypatch.setattr(answers, name, work)

    noted("folded")
    noted("hardware_of")
    return found


def planned(folder: Path, text: str, *settings: str) -> Planning:
    file = folder / "k.c"
    file.write_text(text)
    return plan_hardware(load(file, settings=settings))


def figures(planning: Planning) -> tuple[int, int | None]:
    timing = planning.plan.timing
    return planning.placement.bits, None if timing is None else timing.cycles


def is_found(planning: Planning) -> bool:
    return any(one.startswith('schedule="') for one in planning.plan.overrides)


def told(planning: Planning) -> list[str]:
    return [str(one) for one in planning.remarks]


def test_two_nests_run_together_and_nothing_else_is_built(tmp_path: Path, done: list[str]) -> None:
    """What no plan in the text's order undercuts tells that it is worse."""
    found = planned(tmp_path, TWO_NESTS)
    assert is_found(found)
    assert done == ["folded found", "hardware_of found"]
    bits, cycles = figures(found)
    text_bits, text_cycles = figures(planned(tmp_path, TWO_NESTS, "schedule=text"))
    assert (bits, text_bits) == (16, 14 * 22 * 16)
    assert cycles is not None
    assert text_cycles is not None
    assert cycles <= text_cycles + 16


def test_where_no_other_order_is_legal_the_texts_is_planned_with_a_remark(
    tmp_path: Path, done: list[str]
) -> None:
    found = planned(tmp_path, TURNED)
    assert not is_found(found)
    assert done == ["folded text", "hardware_of text"]
    assert told(found) == [
        "the text's order is kept: no other that is legal keeps less of 't'; `hlsmem what-if` names"
        " the dependence that forbids others"
    ]


def test_a_search_that_is_cut_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """isl's rows are looked at nevertheless."""
    monkeypatch.setattr(order, "_BY_ITSELF", (100_000_000, 0))
    found = planned(tmp_path, TWO_NESTS)
    assert is_found(found)
    (remark,) = told(found)
    assert remark.startswith("the search for orders was cut after ")
    assert remark.endswith(" choices: others may take fewer bits; plan.budget makes it longer")
    monkeypatch.setattr(order, "_BY_ITSELF", (1, 0))
    found = planned(tmp_path, TWO_NESTS)
    assert not is_found(found)
    assert len(told(found)) == 1


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        (["plan.schedules=any"], "plan.schedules: any asks for many orders"),
        (['plan.tile="{ [k, y, x] : y < 4 }"'], "plan.tile is a set of its times"),
        (["order=iteration", "pipeline.unroll.x=2"], "lanes are those of its loops"),
    ],
)
def test_what_goes_with_the_texts_order_alone_is_no_error(
    settings: list[str], why: str, tmp_path: Path
) -> None:
    (tmp_path / "k.c").write_text(TWO_NESTS)
    found = orders_of(analysed(load(tmp_path / "k.c", settings=settings)))
    assert found.others == ()
    assert str(found.remark) == f"the text's order is kept: {why}; leave that out for another"


def test_such_a_remark_is_said_of_the_plan(tmp_path: Path) -> None:
    found = planned(tmp_path, TWO_NESTS, "plan.schedules=any")
    assert "the text's order is kept: plan.schedules: any asks for many orders" in told(found)[-1]


def test_without_auto_nothing_is_looked_for(tmp_path: Path) -> None:
    found = planned(tmp_path, TWO_NESTS, "schedule=text")
    assert not is_found(found)
    assert found.plan.found_order is None
    assert told(found) == []


def test_as_written_is_the_order_of_the_text(tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text(TWO_NESTS)
    given = [str(tmp_path / "k.c"), "-o", str(tmp_path / "out")]
    for more, found in (([], True), (["--as-written"], False)):
        assert main(["plan", *given, *more]) == 0
        plan = json.loads((tmp_path / "out" / "plan.json").read_text())
        assert (plan["orders"]["hardware"] is not None) == found
    assert plan["overrides"] == list(AS_WRITTEN)


def test_a_network_is_as_written(tmp_path: Path) -> None:
    """It has no loops and no parameters of C that anything changes."""
    network = EXAMPLES / "two_readers" / "design.yaml"
    plain, asked = load(network), load(network, settings=AS_WRITTEN)
    assert asked.overrides == ("schedule=text",)
    assert str(asked.input) == str(plain.input)
    assert main(["plan", str(network), "-o", str(tmp_path / "out"), "--as-written"]) == 0


@pytest.mark.parametrize("name", ["blur/tiled.yaml", "two_readers/design.yaml"])
def test_times_of_a_design_and_networks_stay(name: str) -> None:
    assert not load(EXAMPLES / name).plan.search.wanted


numbers = st.integers(0, 200)
sizes = st.tuples(st.just(0), numbers)
runs = st.none() | numbers
objectives = st.sampled_from(["auto", "cycles", "words", "cells"])


@given(sizes, runs, sizes, numbers, st.tuples(numbers, numbers), objectives, numbers)
def test_what_is_better_than_a_lower_bound_is_better_than_all_above_it(
    held: tuple[int, int],
    cycles: int | None,
    least: tuple[int, int],
    shortest: int,
    more: tuple[int, int],
    objective: str,
    missed: int,
) -> None:
    found = Figures(held=held, cycles=cycles, missed=missed)
    above = Figures(held=(0, least[1] + more[0]), cycles=shortest + more[1], missed=more[1])
    if is_better(found, Figures(held=least, cycles=shortest), objective):
        assert is_better(found, above, objective)


@pytest.mark.parametrize(
    ("found", "text", "objectives"),
    [
        ((100, 1000), (200, 1000), {"auto", "cycles", "words"}),
        ((100, 1066), (200, 1000), {"auto", "cycles", "words"}),
        ((100, 1067), (200, 1000), {"words"}),
        ((50, 1500), (200, 1000), {"auto", "words"}),
        ((51, 1500), (200, 1000), {"words"}),
        ((50, 1501), (200, 1000), {"words"}),
        ((200, 500), (200, 1000), set()),
        ((100, None), (200, 1000), set()),
        ((100, None), (200, None), {"auto", "cycles", "words"}),
        ((100, 5000), (200, None), {"auto", "cycles", "words"}),
    ],
)
def test_bits_are_paid_with_few_cycles(
    found: tuple[int, int | None], text: tuple[int, int | None], objectives: set[str]
) -> None:
    one, other = (Figures(held=(0, bits), cycles=cycles) for bits, cycles in (found, text))
    better = {each for each in ("auto", "cycles", "words") if is_better(one, other, each)}
    assert better == objectives


def test_the_order_of_the_source_stays_where_none_is_better() -> None:
    found = plan_hardware(load(EXAMPLES / "blur" / "design.yaml", settings=["params.N=12"]))
    assert not is_found(found)
    assert found.plan.overrides == (*KEPT, "params.N=12")


@pytest.mark.parametrize("name", ["blur", "unsharp", "two_readers"])
def test_the_bits_that_orders_are_compared_by_are_those_of_the_plan(name: str) -> None:
    """Branch FIFOs and copies too."""
    found = hardware_of(EXAMPLES / name / "design.yaml")
    assert found.placement.bits == sum(one.hardware.bits for one in found.plan.arrays.values())


def test_the_cycles_of_the_text_are_told_where_they_were_worked_out(tmp_path: Path) -> None:
    """Both orders wait for their sums: what no plan undercuts does not tell which is better."""
    found = planned(tmp_path, SUMS).plan.found_order
    assert found is not None
    assert found.bits == (16 * 16 + 1 + 1) * 32
    assert found.cycles == figures(planned(tmp_path, SUMS, "schedule=text"))[1]
    other = planned(tmp_path, TWO_NESTS).plan.found_order
    assert other is not None
    assert other.cycles is None
