"""What beats have to wait for: needs that are kept give every read its value, others are seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.check.formal.model.beat_order import (
    Bound,
    Tenants,
    needs,
    together,
    unmet,
    waits_for_later,
)
from hlsmem.check.formal.model.beat_tables import BeatTable
from tests.families import by_default


@st.composite
def programs(draw: st.DrawFn) -> Tenants:
    """Streams that write and read a few elements, folded onto a few cells."""
    writers = draw(st.integers(1, 2))
    readers = draw(st.integers(1, 2))
    steps = draw(st.lists(st.tuples(st.booleans(), st.integers(0, 1), st.integers(0, 4))))
    holds: dict[int, int] = {}
    rows: dict[str, list[tuple[int, int, int]]] = {}
    versions = 0
    for rank, (writes, which, element) in enumerate([(True, 0, 0), *steps]):
        if writes:
            holds[element] = versions
            rows.setdefault(f"w{which % writers}", []).append((rank, element, versions))
            versions += 1
        elif element in holds:
            rows.setdefault(f"r{which % readers}", []).append((rank, element, holds[element]))
    apart = draw(st.booleans())
    tables = {name: table(name, np.array(found)) for name, found in rows.items()}
    return Tenants(
        tables=tables,
        cells={name: [one.elements[0][:, 0] % 3] for name, one in tables.items()},
        stored={n: np.ones(len(t.ranks), bool) for n, t in tables.items() if t.is_write},
        apart={name: {0} if apart else set() for name in tables},
        behind={name: set() for name in tables},
    )


def table(name: str, rows: np.ndarray) -> BeatTable:
    ranks, elements, versions = rows.T
    everything = np.ones(len(rows), dtype=bool)
    return BeatTable(
        name=name,
        is_write=name.startswith("w"),
        times=ranks[:, None],
        elements=(elements[:, None],),
        taken=(everything,),
        fetched=(everything,),
        versions=(versions,),
        steps=ranks,
        ranks=ranks,
    )


def run(tenants: Tenants, bounds: tuple[Bound, ...], seed: int) -> tuple[bool, bool]:
    """A run that keeps the bounds: whether all reads saw their value, and whether it ended."""
    random = np.random.default_rng(seed)
    tables = tenants.tables
    gone = dict.fromkeys(tables, 0)
    cells: dict[int, int] = {}
    right = True
    for _ in range(20 * sum(len(one.ranks) for one in tables.values())):
        going: set[str] = set()
        for name in random.permutation([*tables]).tolist():  # reads may share a write's cycle
            beat = gone[name]
            kept = all(
                gone[b.other] + (b.shared and b.other in going) >= b.least[beat]
                for b in bounds
                if b.waiting == name and beat < len(b.least)
            )
            free = not (tables[name].is_write and any(tables[one].is_write for one in going))
            if beat < len(tables[name].ranks) and kept and free and random.random() < 0.7:
                going.add(name)
        for name in going:
            if not tables[name].is_write:
                cell = int(tenants.cells[name][0][gone[name]])
                right &= cells.get(cell, -1) == int(tables[name].versions[0][gone[name]])
                right &= not (tenants.apart[name] and cell in written(tenants, going, gone))
        for name in going:
            if tables[name].is_write:
                version = int(tables[name].versions[0][gone[name]])
                cells[int(tenants.cells[name][0][gone[name]])] = version
        for name in going:
            gone[name] += 1
    return right, all(gone[name] == len(one.ranks) for name, one in tables.items())


def written(tenants: Tenants, going: set[str], gone: dict[str, int]) -> set[int]:
    return {int(tenants.cells[n][0][gone[n]]) for n in going if tenants.tables[n].is_write}


def folds_well(tenants: Tenants) -> bool:
    """Whether the program's own order gives each read its value in the folded cells."""
    cells: dict[int, int] = {}
    beats = [(int(r), n, k) for n, t in tenants.tables.items() for k, r in enumerate(t.ranks)]
    for _, name, beat in sorted(beats):
        cell = int(tenants.cells[name][0][beat])
        version = int(tenants.tables[name].versions[0][beat])
        if tenants.tables[name].is_write:
            cells[cell] = version
        elif cells.get(cell) != version:
            return False
    return True


@settings(max_examples=by_default(15, 60), deadline=None)
@given(programs(), st.integers(0, 2**16))
def test_needs_that_are_kept_give_every_read_its_value_and_no_run_gets_stuck(
    tenants: Tenants, seed: int
) -> None:
    needed = needs(tenants)
    if not folds_well(tenants):
        return
    assert run(tenants, needed, seed) == (True, True)
    assert waits_for_later(needed, tenants.tables) is None
    beats = {name: len(one.ranks) for name, one in tenants.tables.items()}
    assert unmet(needed, together(needed, beats)) is None


def example() -> Tenants:
    """One cell: a value written, read twice, written again."""
    tables = {
        "w0": table("w0", np.array([[0, 0, 0], [3, 3, 1]])),
        "r0": table("r0", np.array([[1, 0, 0], [2, 0, 0], [4, 3, 1]])),
    }
    return Tenants(
        tables=tables,
        cells={name: [one.elements[0][:, 0] % 3] for name, one in tables.items()},
        stored={"w0": np.ones(2, dtype=bool)},
        apart={"w0": set(), "r0": set()},
        behind={"w0": set(), "r0": set()},
    )


def bound(waiting: str, other: str, least: list[int], *, shared: bool = False) -> Bound:
    return Bound(waiting=waiting, other=other, least=np.array(least), shared=shared)


PROMISES = (bound("r0", "w0", [1, 1, 2]), bound("w0", "r0", [0, 2], shared=True))


@pytest.mark.parametrize(
    ("promises", "found"),
    [
        (PROMISES, None),
        ((bound("r0", "w0", [1, 1, 1]), PROMISES[1]), ("r0", 2)),
        ((PROMISES[0], bound("w0", "r0", [0, 1], shared=True)), ("w0", 1)),
        (PROMISES[:1], ("w0", 1)),
    ],
)
def test_what_gates_leave_open_is_found(
    promises: tuple[Bound, ...], found: tuple[str, int] | None
) -> None:
    missing = unmet(needs(example()), together(promises, {"w0": 2, "r0": 3}))
    assert (None if missing is None else (missing[0].waiting, missing[1])) == found


def test_a_ram_that_has_no_answer_to_a_collision_needs_the_read_a_cycle_before() -> None:
    apart = replace(example(), apart={"w0": set(), "r0": {0}})
    missing = unmet(needs(apart), together(PROMISES, {"w0": 2, "r0": 3}))
    assert missing is not None
    assert (missing[0].waiting, missing[0].other, missing[1]) == ("w0", "r0", 1)
    strict = (PROMISES[0], bound("w0", "r0", [0, 2]))
    assert unmet(needs(apart), together(strict, {"w0": 2, "r0": 3})) is None


def test_a_ram_that_is_read_a_beat_behind_needs_the_next_beat_as_well() -> None:
    behind = replace(example(), behind={"w0": set(), "r0": {0}})
    missing = unmet(needs(behind), together(PROMISES, {"w0": 2, "r0": 3}))
    assert missing is not None
    assert (missing[0].waiting, missing[0].other, missing[1]) == ("w0", "r0", 1)
    assert missing[0].least.tolist() == [0, 3]


def test_what_one_stream_has_waited_for_holds_of_those_that_wait_for_it() -> None:
    promises = (bound("a", "b", [0, 2]), bound("b", "c", [1, 3], shared=True))
    progress = together(promises, {"a": 2, "b": 2, "c": 4})
    before, by = progress["a", "c"]
    assert (before.tolist(), by.tolist()) == ([0, 3], [0, 3])


def test_a_gate_on_a_later_beat_is_found() -> None:
    late = (bound("r0", "w0", [1, 2, 2]),)
    found = waits_for_later(late, example().tables)
    assert found is not None
    assert (found[0].other, found[1]) == ("w0", 1)
