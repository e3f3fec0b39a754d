"""The program that checks make of a design: the same as the planner's, along a path of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as some

from hlsmem.check.rebuilt.loop_bands import loop_bands
from hlsmem.check.rebuilt.order_of_c import in_the_order_of_c, one_after_the_other
from hlsmem.check.rebuilt.rebuilt_flow import END, START, uses_of
from hlsmem.check.rebuilt.rebuilt_program import arranged
from hlsmem.check.rebuilt.rebuilt_streams import with_passages
from hlsmem.core.errors import InputError
from hlsmem.polyhedra import Map, Set, UnionMap
from hlsmem.polyhedra.relations import maps_of
from hlsmem.polyhedra.sets import with_parameters
from hlsmem.program.model import Access, Program, Storage
from hlsmem.read.design import load as pipelined
from hlsmem.timing.arrival import with_streams
from hlsmem.timing.class_relations import loop_bands as planned_bands
from hlsmem.timing.events import LIVE_IN, LIVE_OUT, events
from hlsmem.timing.planned_program import arranged as planned_arranged
from hlsmem.timing.planned_program import in_the_order_of_c as planned_order_of_c
from hlsmem.timing.total_order import one_after_the_other as planned_serial
from hlsmem.timing.value_flow import dataflow
from tests.conftest import EXAMPLES
from tests.families import by_default
from tests.fuzz.compare import random_case
from tests.lifetime.random_programs import Random, random_programs
from tests.programs import make_program
from tests.steps import load
from tests.timing.test_lanes import stencil
from tests.timing.test_program_tile import line
from tests.timing.test_single_assignment import kernel

DESIGNS = sorted(
    f"{file.parent.name}/{file.name}"
    for file in EXAMPLES.glob("*/*.yaml")
    if "conflicts" not in file.name
)


def differences(one: Program, other: Program) -> list[str]:
    """Where two programs are not the same: sets as sets, names and arrays as they stand."""
    keys = ("time_dimensions", "step_dimensions", "lanes", "iterator_names", "order", "arrays")
    found = [key for key in keys if getattr(one, key) != getattr(other, key)]
    found += [k for k in ("live_in", "live_out") if not getattr(one, k).is_equal(getattr(other, k))]
    names = [statement.name for statement in one.statements]
    if names != [statement.name for statement in other.statements]:
        return [*found, "statements"]
    context = one.context.params()

    def alike(a: Any, b: Any) -> bool:
        return bool(a.intersect_params(context).is_equal(b.intersect_params(context)))

    for a, b in zip(one.statements, other.statements, strict=True):
        if not alike(a.domain, b.domain):
            found.append(f"{a.name}: domain")
        times = [s.schedule.intersect_domain(s.domain) for s in (a, b)]
        if not alike(*times):
            found.append(f"{a.name}: schedule")
        for key in ("reads", "writes"):
            pair: list[tuple[Access, ...]] = [getattr(s, key) for s in (a, b)]
            same = [x.array for x in pair[0]] == [y.array for y in pair[1]]
            if not same or not all(
                alike(x.relation.intersect_domain(a.domain), y.relation.intersect_domain(b.domain))
                for x, y in zip(*pair, strict=True)
            ):
                found.append(f"{a.name}: {key}")
    return found


def both(make: Callable[[], Program], other: Callable[[], Program]) -> Program | None:
    """What two ways make of a program, if they make one; AssertionError where they differ."""
    made = list[Program | None]()
    for one in (make, other):
        try:
            made.append(one())
        except InputError:
            made.append(None)
    assert (made[0] is None) == (made[1] is None)
    if made[0] is not None and made[1] is not None:
        assert differences(made[0], made[1]) == []
    return made[0]


@pytest.mark.few(0.34)
@pytest.mark.parametrize("name", DESIGNS)
def test_examples_are_arranged_as_the_planner_does(name: str) -> None:
    given = load(EXAMPLES / name).input
    if not isinstance(given, Program):
        return
    own = both(lambda: arranged(given), lambda: planned_arranged(given))
    assert own is not None
    planned = planned_order_of_c(given, own)
    serial = in_the_order_of_c(given, own)
    assert (serial is own) == (planned is own)
    assert differences(serial, planned) == []
    bands = [(one.is_tiled, one.rows) for one in loop_bands(own)]
    wanted = [(one.is_tiled, one.rows) for one in planned_bands(own)]
    assert [one for one, _ in bands] == [one for one, _ in wanted]
    for (_, rows), (_, others) in zip(bands, wanted, strict=True):
        assert rows.intersect_params(own.context).is_equal(others)


def uses_as_planned(program: Program, array: str) -> Any:
    """The planner's flow, with the names that stand here for before and after."""
    found = UnionMap("{ }")
    for one in maps_of(dataflow(program, array).uses):
        text = str(one).replace(LIVE_IN, START).replace(LIVE_OUT, END)
        found = found.union(UnionMap(text))
    return found


@settings(derandomize=True, max_examples=by_default(20, 400))
@given(random_programs(), some.sampled_from(["memory", "stream"]), some.integers(0, 3))
def test_random_programs_have_the_same_flow_streams_and_tiles(
    random: Random, kind: str, first: int
) -> None:
    texts = random.texts()
    context = Set(f"[N] -> {{ : 1 <= N <= {random.n} }}").params()
    assume(not all(Set(one).intersect_params(context).is_empty() for one in texts["domains"]))
    program = make_program(
        values={"N": random.n},
        context=str(context),
        drop_unprovided_reads=True,
        **texts,
    )
    for name in program.arrays:
        if _has_times_of_its_own(program):
            assert uses_of(program, name).is_equal(uses_as_planned(program, name))
    arrays = {n: replace(one, storage=Storage(kind)) for n, one in program.arrays.items()}
    program = replace(program, arrays=arrays)
    both(lambda: with_passages(program), lambda: with_streams(program))
    times = with_parameters(Set(f"{{ [a, t, b, c] : {first} <= t <= {first + 1} }}"), ("N",))
    tiled = replace(program, tile=times.intersect_params(program.context))
    if _has_times_of_its_own(program):
        both(lambda: arranged(tiled), lambda: planned_arranged(tiled))


def _has_times_of_its_own(program: Program) -> bool:
    return one_after_the_other(program) is program and bool(events(program).writes.is_injective())


@pytest.mark.parametrize("seed", range(by_default(12, 150)))
def test_random_kernels_are_refused_or_arranged_alike(seed: int, tmp_path: Path) -> None:
    case = random_case(seed)
    (tmp_path / f"{case.program.name}.c").write_text(case.program.text())
    file = tmp_path / f"{case.program.name}.yaml"
    file.write_text(case.design())
    program = load(file).input
    assert isinstance(program, Program)
    found = both(lambda: arranged(program), lambda: planned_arranged(program))
    if found is not None:
        assert (one_after_the_other(found) is found) == (planned_serial(found) is found)
        assert differences(one_after_the_other(found), planned_serial(found)) == []


@pytest.mark.parametrize("plan", ["{expand: [b, s]}", "{expand: [b]}", "{expand: [s]}"])
def test_arrays_in_place_are_expanded_alike(plan: str, tmp_path: Path) -> None:
    program = load(kernel(tmp_path, plan)).input
    assert isinstance(program, Program)
    assert both(lambda: arranged(program), lambda: planned_arranged(program)) is not None


@pytest.mark.parametrize(
    ("unroll", "source"),
    [({1: 3}, "t - 1, i"), ({0: 2, 1: 2}, "t - 2, i"), ({0: 2}, "t - 1, i + 1"), ({1: 2}, "t, i")],
)
def test_loops_are_unrolled_alike(unroll: dict[int, int], source: str) -> None:
    program = stencil(unroll, source)
    found = both(lambda: arranged(program), lambda: planned_arranged(program))
    assert (found is None) == (source == "t - 1, i + 1")


def changed(program: Program, storage: Storage, text: str) -> Program:
    arrays = dict(program.arrays)
    arrays["A"] = replace(arrays["A"], storage=storage, arrival=Map(text))
    return replace(program, arrays=arrays)


GIVEN = line(Storage.STREAM, writes=["{ W[i] -> B[i] }"], live_in=["{ A[i] : 0 <= i < 8 }"])


def at_times(program: Program, times: str) -> Program:
    """The program with other times for R, its own as the source's."""
    statements = tuple(
        replace(one, schedule=Map(times)) if one.name == "R" else one for one in program.statements
    )
    return replace(program, statements=statements, original=program)


@pytest.mark.parametrize("storage", ["stream", "memory"])
@pytest.mark.parametrize("read", ["i + 4", "7 - i", "2i", "i - 1"])
def test_elements_that_nobody_reads_or_that_are_written_arrive_alike(
    storage: str, read: str
) -> None:
    program = line(
        Storage(storage),
        reads=[f"{{ R[i] -> A[{read}] }}"],
        live_in=["{ A[i] : 0 <= i < 16 }"],
        live_out=["{ A[i] : 2 <= i < 12 }"],
        schedules=["{ W[i] -> [i, 0] }", "{ R[i] -> [i, 0] }"],
    )
    streamed = both(lambda: with_passages(program), lambda: with_streams(program))
    assert streamed is not None
    assert streamed.live_in.is_empty() == (storage == "stream")
    serial = one_after_the_other(streamed)
    assert differences(serial, planned_serial(streamed)) == []


REFUSED: dict[str, Program] = {
    "changes which write of 'A' is seen": at_times(line(), "{ R[i] -> [i - 1, 1] }"),
    "arrives on the wrong side of its use": changed(
        GIVEN, Storage.STREAM, "{ A[i] -> [i + 1, 1] }"
    ),
    "'A' has times of 1 entries": changed(GIVEN, Storage.STREAM, "{ A[i] -> [i] }"),
    "a statement is called 'A_in'": replace(
        GIVEN,
        statements=(*GIVEN.statements, replace(GIVEN.statements[0], name="A_in", writes=())),
    ),
    "the tile holds no instance": replace(line(), tile=Set("{ [t, k] : t = 9 }")),
    "the tile is not executed in one piece: a value of 'A'": replace(
        line(reads=["{ R[i] -> A[0] }"], writes=["{ W[i] -> A[0] }"]),
        tile=Set("{ [t, k] : 3 <= t <= 5 and k = 0 }"),
    ),
    "unrolling changes which write of 'A' is seen": stencil({0: 2}, "t - 1, i + 1"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_arranged_is_refused(what: str) -> None:
    with pytest.raises(InputError, match=what):
        arranged(REFUSED[what])
    assert both(lambda: arranged(REFUSED[what]), lambda: planned_arranged(REFUSED[what])) is None


def test_a_stream_that_arrives_later_is_found() -> None:
    """A fault in the planner's times of a stream is not repeated here."""
    given = load(EXAMPLES / "window3" / "design.yaml").input
    assert isinstance(given, Program)
    planned = planned_arranged(given)
    (arrival,) = [one for one in planned.statements if one.name == "in_in"]
    size = planned.time_dimensions
    names = ", ".join(f"t{k}" for k in range(size))
    later = Map(f"{{ [{names}] -> [t0 - 1, {', '.join(f't{k}' for k in range(1, size))}] }}")
    moved = replace(arrival, schedule=arrival.schedule.apply_range(later))
    statements = tuple(moved if one is arrival else one for one in planned.statements)
    assert differences(arranged(given), replace(planned, statements=statements)) == [
        "in_in: schedule"
    ]


TOGETHER = """void k(const int a[8], int b[8], int c[8]) {
  int t[8];
  for (int i = 1; i < 8; i++) { int v = a[i]; t[i] = v; b[i] = v + a[i - 1]; }
  for (int i = 1; i < 8; i++) { int w = t[i]; t[i] = w + 1; c[i] = w + t[i]; }
}
"""


def test_statements_of_a_beat_are_one_unless_a_read_sees_another_write(tmp_path: Path) -> None:
    file = tmp_path / "k.c"
    file.write_text(TOGETHER)
    streams = [f"arrays.{name}.storage=stream" for name in "abc"]
    program = pipelined(file, settings=[*streams, "pipeline.together=[[S2, S0, S1]]"]).program
    assert program is not None
    assert not differences(arranged(program), planned_arranged(program))
    other = replace(program, together=(("S5", "S3", "S4"),))
    for own in (arranged, planned_arranged):
        with pytest.raises(InputError, match="together changes which write of 't' is seen"):
            own(other)
