"""isl's scheduler has a budget of its own."""

import pytest

from hlsmem.polyhedra import Set, UnionMap, UnionSet, scheduler
from hlsmem.polyhedra.limits import WorkLimitError
from hlsmem.polyhedra.scheduler import MOST_STATEMENTS, schedule_times, scheduled

LOOPS = UnionSet("{ S[i, j] : 0 <= i, j < 9 }")
DOWN = UnionMap("{ S[i, j] -> S[i, j + 1] : 0 <= i < 9 and 0 <= j < 8 }")


def test_a_schedule_ends_at_its_budget_and_isl_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    found = schedule_times(LOOPS, DOWN, fuses=True)
    with monkeypatch.context() as patch:
        patch.setattr(scheduler, "OPERATIONS", 10)
        with pytest.raises(WorkLimitError):
            schedule_times(LOOPS, DOWN, fuses=True)
    assert schedule_times(LOOPS, DOWN, fuses=True).is_equal(found)


def test_great_factors_have_less() -> None:
    """By isl's own count of operations this one goes on for minutes."""
    loops = "0 <= j, k < 1000"
    domain = UnionSet(f"{{ W[k, j] : {loops}; R[i] : 0 <= i < 1000000 }}")
    permuted = UnionMap(f"{{ W[k, j] -> R[1000j + k] : {loops} }}")
    with pytest.raises(WorkLimitError):
        schedule_times(domain, permuted, fuses=True)
    assert schedule_times(domain, permuted, fuses=False) is not None


def test_many_statements_are_not_scheduled() -> None:
    """Linear programs of so many are not counted, and take minutes."""
    loops = [Set("{ [i] : 0 <= i < 9 }")] * (MOST_STATEMENTS + 1)
    assert scheduled(loops[1:], [], []) is not None
    with pytest.raises(WorkLimitError):
        scheduled(loops, [], [])
