"""Which write a read sees, against a run of random programs."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from hlsmem.polyhedra import DimType, UnionMap
from hlsmem.polyhedra.relations import maps_of
from hlsmem.polyhedra.sets import fix_parameters, points
from hlsmem.timing.events import LIVE_IN, LIVE_OUT
from hlsmem.timing.value_flow import dataflow
from tests.families import by_default
from tests.lifetime.random_programs import AFTER, BEFORE, Random, random_programs, run
from tests.programs import make_program


def _flow(text: dict, values=None, **more):
    return dataflow(make_program(values=values or {"N": 8}, **text, **more), "A")


def test_every_element_written_once_is_read_from_its_only_write() -> None:
    flow = _flow(
        {
            "domains": ["[N] -> { W[i] : 0 <= i < N; R[i] : 0 <= i < N }"],
            "schedules": ["[N] -> { W[i] -> [0, i]; R[i] -> [1, i] }"],
            "writes": ["[N] -> { W[i] -> A[i] }"],
            "reads": ["[N] -> { R[i] -> A[N - 1 - i] }"],
        }
    )
    wanted = UnionMap("[N] -> { [A[x] -> W[x]] -> R[N - 1 - x] : 0 <= x < N }")
    assert flow.uses.is_equal(wanted)
    assert flow.unprovided.is_empty()


@pytest.mark.parametrize("time", ["[0, i]", "[1, i]", "[2, i]"])
def test_a_read_before_the_only_write_of_its_element_sees_nothing(time: str) -> None:
    flow = _flow(
        {
            "domains": ["[N] -> { W[i] : 0 <= i < N; R[i] : 0 <= i < N }"],
            "schedules": [f"[N] -> {{ W[i] -> [1, i]; R[i] -> {time} }}"],
            "writes": ["[N] -> { W[i] -> A[i] }"],
            "reads": ["[N] -> { R[i] -> A[N - 1 - i] }"],
        }
    )
    seen = {"[0, i]": "false", "[1, i]": "N - 1 - i < i", "[2, i]": "true"}[time]
    read = UnionMap("[N] -> { R[i] -> A[N - 1 - i] : 0 <= i < N }")
    provided = UnionMap(f"[N] -> {{ R[i] -> A[N - 1 - i] : 0 <= i < N and {seen} }}")
    assert flow.uses.curry().range_factor_range().reverse().is_equal(provided)
    assert flow.unprovided.is_equal(read.subtract(provided))


def test_a_later_write_hides_an_earlier_one_and_the_live_in_value() -> None:
    flow = _flow(
        {
            "domains": ["{ S[i] : 0 <= i < 3 }"],
            "schedules": ["{ S[i] -> [i] }"],
            "reads": ["{ S[i] -> A[0] }"],
            "writes": ["{ S[i] -> A[0] }"],
            "live_in": ["{ A[0]; A[1] }"],
            "live_out": ["{ A[0] }"],
        }
    )
    assert flow.uses.is_equal(
        UnionMap(
            f"{{ [A[0] -> {LIVE_IN}[]] -> S[0]; [A[0] -> S[i]] -> S[i + 1] : 0 <= i < 2;"
            f"  [A[0] -> S[2]] -> {LIVE_OUT}[] }}"
        )
    )
    # A live-in element that nobody reads is no value: it occupies nothing.
    assert not flow.values.domain().is_disjoint(UnionMap("{ A[0] -> [] }").domain())
    assert flow.values.domain().is_disjoint(UnionMap("{ A[1] -> [] }").domain())


def test_at_one_time_reads_come_before_writes() -> None:
    flow = _flow(
        {
            "domains": ["{ W[i] : 0 <= i < 4; R[i] : 0 <= i < 4 }"],
            "schedules": ["{ W[i] -> [i]; R[i] -> [i] }"],
            "writes": ["{ W[i] -> A[0] }"],
            "reads": ["{ R[i] -> A[0] }"],
            "live_in": ["{ A[0] }"],
        }
    )
    assert (
        flow.uses.intersect_domain(_value("A[0] -> W[0]"))
        .range()
        .is_equal(UnionMap("{ R[1] -> [] }").domain())
    )


def test_a_possible_write_does_not_hide_what_was_there() -> None:
    program = make_program(
        values={"N": 8},
        domains=["{ W[]; M[]; R[] }"],
        schedules=["{ W[] -> [0]; M[] -> [1]; R[] -> [2] }"],
        writes=["{ W[] -> A[0] }", "{ M[] -> A[0] }"],
        reads=["{ R[] -> A[0] }"],
    )
    statements = tuple(
        replace(s, writes=tuple(replace(w, must=s.name != "M") for w in s.writes))
        for s in program.statements
    )
    flow = dataflow(replace(program, statements=statements), "A")
    assert flow.uses.is_equal(UnionMap("{ [A[0] -> W[]] -> R[]; [A[0] -> M[]] -> R[] }"))


def _value(text: str):
    return UnionMap(f"{{ {text} }}").wrap()


@given(random=random_programs())
@settings(max_examples=by_default(15, 60), deadline=None, derandomize=True)
def test_reads_see_the_values_a_run_gives_them(random: Random) -> None:
    values, clash = run(random)
    program = make_program(values={"N": random.n}, drop_unprovided_reads=True, **random.texts())
    if clash or not program.statements:
        return
    expected = sorted(
        (value.element, value.written, read) for value in values for read in set(value.reads)
    )
    assert sorted(_uses(program)) == expected


def _uses(program) -> set:
    """Element, time of the write, time of the read of every use."""
    flow = dataflow(program, "A")
    schedules = {s.name: s.schedule for s in program.statements}
    found = set()
    for piece in maps_of(fix_parameters(flow.uses.curry(), program.values)):
        pair = piece.range().unwrap()
        ends = [pair.get_tuple_name(kind) for kind in (DimType.in_, DimType.out)]
        size = piece.dim(DimType.in_)
        for row in points(piece).tolist():
            split = size + pair.dim(DimType.in_)
            written = _time(schedules, ends[0], row[size:split])
            found.add((tuple(row[:size]), written, _time(schedules, ends[1], row[split:])))
    return found


def _time(schedules, name: str, coordinates: list[int]) -> tuple[int, ...]:
    if name in (LIVE_IN, LIVE_OUT):
        return BEFORE if name == LIVE_IN else AFTER
    point = ", ".join(map(str, coordinates))
    here = UnionMap(f"{{ {name}[{point}] -> [] }}").domain()
    times = UnionMap.from_map(schedules[name]).intersect_domain(here).range()
    (row,) = points(times.get_set_list().get_at(0).project_out_all_params()).tolist()
    return (0, *row)


@pytest.mark.parametrize(
    ("first", "second"), [("[0, 2, 0]", "[0, i, 1]"), ("[0, 2, 7]", "[0, i, -7]")]
)
def test_a_write_bound_to_one_iteration_of_a_loop_is_seen_behind_those_of_others(
    first: str, second: str
) -> None:
    # isl alone takes S[1] for the last write before R: it overlooks the one bound to i = 2.
    flow = _flow(
        {
            "domains": ["{ P[i] : i = 2; S[i] : 0 <= i < 2; R[i] : i = 3 }"],
            "schedules": [f"{{ P[i] -> {first}; S[i] -> {second}; R[i] -> [0, 3, 2] }}"],
            "reads": ["{ R[i] -> A[0] }"],
            "writes": ["{ P[i] -> A[0]; S[i] -> A[0] }"],
        }
    )
    assert flow.uses.is_equal(UnionMap("{ [A[0] -> P[2]] -> R[3] }"))


def test_a_parameter_may_be_called_as_it_likes() -> None:
    flow = _flow(
        {
            "domains": ["[origin] -> { P[i] : i = 2; S[i] : 0 <= i < 2; R[i] : i = 3 }"],
            "schedules": ["{ P[i] -> [2, 0]; S[i] -> [i, 0]; R[i] -> [3, 0] }"],
            "reads": ["{ R[i] -> A[0] }"],
            "writes": ["{ P[i] -> A[0]; S[i] -> A[0] }"],
        },
        values={"origin": 3},
    )
    assert flow.uses.is_equal(UnionMap("[origin] -> { [A[0] -> P[2]] -> R[3] }"))
