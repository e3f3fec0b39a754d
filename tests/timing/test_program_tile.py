"""Tiles: those of the second paper cut from whole programs, and random ones by enumeration."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as some

from hlsmem.core.errors import InputError, Problems
from hlsmem.lifetime.storage_problems import storage_problems
from hlsmem.polyhedra import DimType, Map, Set, UnionSet
from hlsmem.polyhedra.sets import count, fix_parameters, points, with_parameters
from hlsmem.program.model import Program, Storage
from hlsmem.timing.planned_program import arranged
from hlsmem.timing.program_tile import cut
from tests.families import by_default
from tests.lifetime.random_programs import Random, random_programs
from tests.programs import golden_case, make_program


def with_tile(program: Program, tile: str) -> Program:
    times = with_parameters(Set(tile), program.parameters).intersect_params(program.context)
    return replace(program, tile=times)


def problems_of(program: Program) -> list[str]:
    problems = Problems()
    cut(program, problems)
    try:
        problems.raise_if_any()
    except InputError as error:
        return [problem.what for problem in error.problems]
    return []


def stencil(size: int, context: str) -> Program:
    """The whole of the three-point stencil that the tiles of the paper are cut from."""
    domain = "[B] -> { S[tt, ii] : -2 < tt <= 3B and -2B <= ii <= 5B }"
    return make_program(
        values={"B": size},
        context=context,
        domains=[domain],
        schedules=["{ S[tt, ii] -> [tt, ii] }"],
        reads=[f"{{ S[tt, ii] -> A[tt - 1, ii + {k}] }}" for k in (1, 0, -1)],
        writes=["{ S[tt, ii] -> A[tt, ii] }"],
        live_in=["[B] -> { A[tt, ii] : -2 <= tt <= 3B and -2B - 1 <= ii <= 5B + 1 }"],
        live_out=["[B] -> { A[3B, ii] : 0 <= ii <= B }"],
    )


@pytest.mark.parametrize(
    "identifier", ["diamond-tile", "stencil-1d-pllgm-tile", "stencil-1d-hex-tile"]
)
def test_tiles_of_a_stencil_are_those_of_the_paper(identifier: str) -> None:
    case = golden_case("001", identifier)
    domain = case["program"]["domain"]
    shape = domain[domain.index(":") : domain.rindex("}")]
    for values, cells in zip(case["params"], case["max_live"], strict=True):
        whole = stencil(values["B"], case["context"])
        tile = arranged(with_tile(whole, f"[B] -> {{ [tt, ii] {shape} }}"))
        (problem,) = storage_problems(tile)
        assert problem.bounds[0].cells == cells
    kept = UnionSet(case["program"]["live_out"][0]).intersect_params(whole.context)
    assert tile.live_out.is_equal(kept)
    assert tile.live_in.is_empty()
    printed = Map(case["pairs"]).intersect_params(whole.context)
    printed = printed.set_tuple_name(DimType.in_, "A").set_tuple_name(DimType.out, "A")
    assert problem.conflicts.is_equal(printed.union(printed.reverse()))


@pytest.mark.parametrize("identifier", ["blur-tiled", "harris-corner-tiled", "unsharp-mask-tiled"])
def test_tiles_of_filters_are_those_of_the_paper(identifier: str) -> None:
    case = golden_case("001", identifier)
    taps = len(case["program"]["reads"])
    reads = [
        f"[B] -> {{ Q[ty, x, y] -> A[ty, x, y - {k}] : y >= {k};"
        f" Q[ty, x, y] -> A[ty - 1, x, B + y - {k}] : y < {k} }}"
        for k in range(taps)
    ]
    for values, cells, conflicts in zip(
        case["params"], case["max_live"], case["conflicts_exact"], strict=True
    ):
        whole = make_program(
            values=values,
            context=case["context"],
            domains=[
                "[B] -> { P[ty, x, y] : 0 <= ty < 3 and 0 <= x, y < B;"
                f" Q[ty, x, y] : 0 <= ty < 3 and 0 <= x, y < B and (ty > 0 or y >= {taps - 1}) }}"
            ],
            schedules=["{ P[ty, x, y] -> [ty, x, 0, y]; Q[ty, x, y] -> [ty, x, 1, y] }"],
            reads=reads,
            writes=["{ P[ty, x, y] -> A[ty, x, y] }"],
        )
        tile = arranged(with_tile(whole, "{ [ty, x, k, y] : ty = 1 }"))
        (problem,) = storage_problems(tile)
        assert problem.bounds[0].cells == cells
        assert count(fix_parameters(problem.conflicts, values)) == 2 * conflicts
    assert problem.bounds[0].expr == case["max_live_expr"]


def line(storage: Storage = Storage.MEMORY, **changes: list[str]) -> Program:
    texts = {
        "domains": ["{ W[i] : 0 <= i < 8 }", "{ R[i] : 0 < i < 8 }"],
        "schedules": ["{ W[i] -> [i, 0] }", "{ R[i] -> [i, 1] }"],
        "reads": ["{ R[i] -> A[i] }", "{ R[i] -> A[i - 1] }"],
        "writes": ["{ W[i] -> A[i] }"],
        **changes,
    }
    program = make_program(values={}, **texts)
    arrays = {name: replace(one, storage=storage) for name, one in program.arrays.items()}
    return replace(program, arrays=arrays)


MIDDLE = "{ [t, k] : 3 <= t <= 5 }"


def test_a_memory_does_not_hold_what_others_make() -> None:
    tile = cut(with_tile(line(), MIDDLE), Problems())
    assert tile.live_in.is_empty()
    assert tile.live_out.is_equal(UnionSet("{ A[5] }"))
    _, reader = tile.statements
    made = [access.relation for access in reader.reads]
    assert made[0].is_equal(Map("{ R[i] -> A[i] : 3 <= i <= 5 }"))
    assert made[1].is_equal(Map("{ R[i] -> A[i - 1] : 4 <= i <= 5 }"))


@pytest.mark.parametrize("storage", [Storage.STREAM, Storage.EXTERNAL])
def test_streams_bring_what_others_make(storage: Storage) -> None:
    tile = cut(with_tile(line(storage), MIDDLE), Problems())
    assert tile.live_in.is_equal(UnionSet("{ A[2] }"))
    assert tile.live_out.is_equal(UnionSet("{ A[5] }"))
    assert tile.original is not None
    assert tile.source.tile is tile.original.tile


def test_statements_outside_of_the_tile_are_not_in_it() -> None:
    tile = cut(with_tile(line(), "{ [t, k] : k = 0 }"), Problems())
    assert [one.name for one in tile.statements] == ["W"]
    assert tile.live_out.is_equal(UnionSet("{ A[i] : 0 <= i < 8 }"))


def test_a_tile_without_instances_is_refused() -> None:
    assert problems_of(with_tile(line(), "{ [t, k] : t = 9 }")) == ["the tile holds no instance"]


def test_a_tile_that_others_come_between_is_refused() -> None:
    program = line(reads=["{ R[i] -> A[0] }"], writes=["{ W[i] -> A[0] }"])
    assert problems_of(with_tile(program, MIDDLE)) == []
    # Of the last iterations the reads are outside, but the writes inside.
    assert problems_of(with_tile(program, "{ [t, k] : 3 <= t <= 5 and k = 0 }")) == [
        "the tile is not executed in one piece: a value of A[0] crosses its border while the"
        " tile has another"
    ]


@given(random_programs(), some.integers(0, 2), some.integers(0, 2), some.sampled_from(Storage))
@settings(
    max_examples=by_default(15, 60),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
def test_what_crosses_a_random_tile_is_what_enumeration_says(
    random: Random, first: int, more: int, storage: Storage
) -> None:
    assume(storage is not Storage.ROM)
    program = make_program(
        values={"N": random.n},
        context=f"[N] -> {{ : N = {random.n} }}",
        drop_unprovided_reads=True,
        **random.texts(),
    )
    assume("A" in program.arrays)
    assume(not _clashes(random))
    arrays = {"A": replace(program.arrays["A"], storage=storage)}
    program = replace(program, arrays=arrays)
    tiled = with_tile(program, f"{{ [a, t, b, c] : {first} <= t <= {first + more} }}")
    problems = Problems()
    tile = cut(tiled, problems)
    expected = _Crossing(random, first, first + more)
    if len(problems):
        assert expected.is_empty or expected.in_pieces(storage)
        return
    assert not expected.is_empty
    assert not expected.in_pieces(storage)
    assert _elements(tile.live_out, program) == expected.leaving
    found = {
        (f"{one.name}[{row[0]},{row[1]}]", tuple(row[2:]))
        for one in tile.statements
        for access in one.reads
        for row in points(fix_parameters(access.relation, program.values)).tolist()
    }
    inner, arriving = expected.inner, expected.arriving
    assert found == (inner if storage is Storage.MEMORY else inner | arriving)
    brought = {element for _, element in arriving}
    assert _elements(tile.live_in, program) == (set() if storage is Storage.MEMORY else brought)


def _elements(union: Any, program: Program) -> set[tuple[int, ...]]:
    sets = fix_parameters(union, program.values).get_set_list()
    listed = [points(sets.get_at(k)).tolist() for k in range(sets.n_set())]
    return {tuple(row) for rows in listed for row in rows}


def _clashes(random: Random) -> bool:
    written = [(time, e) for time, _, _, writes in random.instances() for e in writes]
    return len(set(written)) < len(written)


class _Crossing:
    """What a tile of the second time entry reads and leaves, by running the whole program."""

    def __init__(self, random: Random, first: int, last: int) -> None:
        self.inner: set[tuple[str, tuple[int, ...]]] = set()
        self.arriving: set[tuple[str, tuple[int, ...]]] = set()
        self.leaving: set[tuple[int, ...]] = set()
        instances = sorted(random.instances(), key=lambda one: one[0])
        inside = {name for time, name, _, _ in instances if first <= time[1] <= last}
        self.is_empty = not inside
        holds = dict.fromkeys(random.elements(random.live_in), "before")
        self.alone: dict[tuple[int, ...], str] = {}  # the last value of an element in the tile
        self.mixed = dict.fromkeys(Storage, False)
        left: set[tuple[str, tuple[int, ...]]] = set()
        for time in sorted({one[0] for one in instances}):
            now = [one for one in instances if one[0] == time]
            for _, name, reads, _ in now:
                for element in reads:
                    if element in holds:
                        self._read(name, element, holds[element], inside, left)
            for _, name, _, writes in now:
                for element in writes:
                    holds[element] = name
                    if name in inside:
                        self.alone[element] = name
        for element in random.elements(random.live_out):
            if holds.get(element) in inside:
                left.add((holds[element], element))
        self.leaving = {element for _, element in left}
        self.lost = any(self.alone[element] != source for source, element in left)

    def _read(
        self,
        name: str,
        element: tuple[int, ...],
        source: str,
        inside: set[str],
        left: set[tuple[str, tuple[int, ...]]],
    ) -> None:
        if name in inside and source in inside:
            self.inner.add((name, element))
        elif name in inside:
            self.arriving.add((name, element))
            # Alone, the tile would read its own value here.
            if element in self.alone:
                self.mixed[Storage.STREAM] = self.mixed[Storage.EXTERNAL] = True
        elif source in inside:
            left.add((source, element))

    def in_pieces(self, storage: Storage) -> bool:
        return self.lost or self.mixed[storage]
