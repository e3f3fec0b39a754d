"""Orders found for whole kernels: planned, they take the cells that are known for them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, repeat

import pytest

from hlsmem.schedule_search.found_schedule import Found
from hlsmem.schedule_search.order_in_words import sentence
from hlsmem.schedule_search.order_search import Search
from hlsmem.schedule_search.order_times import times_of
from hlsmem.schedule_search.row_candidates import Row
from tests.plans import plan_storage
from tests.schedule_search.kernels import expected_cells, kernel


def search_of(name: str) -> Search:
    program = kernel(name).input
    return Search(program, limit=20_000)


def planned_cells(name: str, search: Search, found: Found) -> int:
    """The cells of all arrays in an order; InputError where it is not legal."""
    text, _ = times_of(search.program, search.given.nests, found)
    plan = plan_storage(kernel(name, f'schedule="{text}"')).plan
    return sum(array.hardware.parts[0].mapping.cells for array in plan.arrays.values())


@pytest.mark.few("gauss", "late", "jact", "atax", "mm2")
@pytest.mark.parametrize("name", expected_cells())
def test_the_best_orders_take_the_cells_known(name: str) -> None:
    wanted = expected_cells()[name]
    search = search_of(name)
    for which in ("kept", "any"):
        # Of two estimates that are nearly the same the second may be the better plan.
        best = list(islice(search.orders(kept=which == "kept"), 1 if which == "kept" else 2))
        assert min(planned_cells(name, search, one) for one in best) == wanted[which]
        assert which == "any" or not best[0].turned
    assert search.complete


def test_a_sentence_says_what_runs_as_a_whole() -> None:
    search = search_of("gauss")
    text = {one.rows: sentence(search.program, search.given.nests, one) for one in _fused()}
    (fused, whole) = text.values()
    assert fused == "run lines 11-13 one row behind lines 8-10"
    assert whole == f"{fused}, lines 8-10 all of a row at once"


def _fused() -> Iterator[Found]:
    """Both nests a pixel at a time, and the first by rows."""
    y, x = Row.of(0), Row.of(1)
    for first in ((y, x), (y, Row())):
        yield Found(groups=(0, 0), rows=(first, (y, x)), shifts=((0, 0), (1, 0)), bits=0)


@pytest.mark.parametrize("name", ["unsharp", "three"])
def test_orders_of_different_bits_have_different_sentences(name: str) -> None:
    search = search_of(name)
    orders = {one.bits: one for one in islice(search.orders(kept=True), 12)}
    said = [sentence(search.program, search.given.nests, one) for one in orders.values()]
    assert len(set(said)) == len(said)


@pytest.mark.parametrize("width", [64, 32])
def test_strips_of_an_order_take_the_cells_known(width: int) -> None:
    search = search_of("gauss")
    found = search.in_strips(next(search.orders(kept=True)), width)
    assert found is not None
    assert found.turned == ("in", "out")
    assert planned_cells("gauss", search, found) == expected_cells()["gauss"]["strips"][width]


@pytest.mark.long
def test_a_shift_is_raised_where_a_strip_would_run_backwards() -> None:
    search = search_of("three")
    found = search.in_strips(next(search.orders(kept=True)), 64)
    assert found is not None
    text, rows = times_of(search.program, search.given.nests, found)
    assert "C[y, x] -> [floor((x + 1)/64), y + 2, x + 1, 2]" in text
    assert rows == 3
    assert planned_cells("three", search, found) < 3 * 64 + 1214


def test_an_estimate_of_strips_counts_what_the_next_strip_reads() -> None:
    """Two columns of `b` beside a strip, 960 of the 1119 cells that such a plan takes."""
    search = search_of("three")
    found = search.in_strips(next(search.orders(kept=True)), 32)
    assert found is not None
    assert 0.95 * 1119 < found.bits / 16 < 1119


@pytest.mark.long
def test_a_search_does_not_take_strips_where_columns_take_less() -> None:
    found = plan_storage(kernel("three", "schedule=auto", "plan.search.order=any"))
    cells = sum(one.cells for one in found.folded.mappings.values())
    assert cells == expected_cells()["three"]["any"]


def test_no_strips_where_time_carries_values_back() -> None:
    search = search_of("jact")
    assert search.in_strips(next(search.orders(kept=True)), 32) is None


@pytest.mark.parametrize("name", expected_cells())
def test_orders_come_by_growing_estimate(name: str) -> None:
    search = search_of(name)
    bits = [found.bits for found in islice(search.orders(kept=True), 8)]
    assert bits == sorted(bits)


def test_values_that_are_used_late_are_made_late() -> None:
    """Least shifts would hold a row of squares; those of fewest bits hold one square."""
    search = search_of("late")
    found = next(search.orders(kept=True))
    assert found.shifts == ((0, 0), (2, 0), (2, 0), (2, 0))
    assert found.bits == 20552


def test_a_cut_search_says_so() -> None:
    search = Search(kernel("mm3").input, limit=50)
    list(islice(search.orders(kept=False), 5))
    assert not search.complete


def test_ways_to_group_nests_are_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are 2 to the number of nests: the search ends at its limit."""
    search = Search(kernel("gauss").input, limit=3)
    monkeypatch.setattr(
        "hlsmem.schedule_search.order_search.groupings", lambda nests: repeat((0,) * len(nests))
    )
    assert len(list(islice(search.orders(kept=False), 5))) <= 5
    assert not search.complete
