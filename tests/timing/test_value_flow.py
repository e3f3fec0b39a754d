"""Which write a read sees, against a run of random programs."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from hlsmem.polyhedra import BasicSet, DimType, UnionMap
from hlsmem.polyhedra.constraints import plainly_within, rows
from hlsmem.polyhedra.memoized import forget
from hlsmem.polyhedra.relations import maps_of
from hlsmem.polyhedra.sets import fix_parameters, points
from hlsmem.timing import value_flow
from hlsmem.timing.events import LIVE_IN, LIVE_OUT, full_events
from hlsmem.timing.value_flow import dataflow
from tests.families import by_default
from tests.lifetime.random_programs import AFTER, BEFORE, Random, random_programs, run
from tests.programs import make_program

OFFSETS = list(product((-1, 0, 1), repeat=2))
GUARDS = ["i >= 2", "j < N - 1", "(i + j) mod 2 = 0"]


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


def test_the_same_search_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    searched = []
    text = {
        "domains": ["[N] -> { W[i] : 0 <= i < N; R[i] : 0 <= i < N }"],
        "schedules": ["[N] -> { W[i] -> [0, i]; R[i] -> [1, i] }"],
        "writes": ["[N] -> { W[i] -> A[0] }"],
        "reads": ["[N] -> { R[i] -> A[0] }"],
    }
    turned = text | {"schedules": ["[N] -> { W[i] -> [1, i]; R[i] -> [0, i] }"]}
    primed = value_flow.primed
    monkeypatch.setattr(value_flow, "primed", lambda one: searched.append(one) or primed(one))
    forget()
    flows = [_flow(text), _flow(text), _flow(turned)]
    assert len(searched) == 2 * 3
    assert flows[0].uses.is_equal(flows[1].uses)
    assert not flows[0].uses.is_equal(flows[2].uses)


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


def _stencil(offsets, guards=(), live_out="t = 2", **more):
    reads = [
        f"[N] -> {{ S[t, i, j] -> A[t - 1, i + {a}, j + {b}] : 0 <= i + {a}, j + {b} < N "
        f"and 1 <= t and {dict(guards).get((a, b), 'true')} }}"
        for a, b in offsets
    ]
    return make_program(
        values={"N": 5},
        context="[N] -> { : N >= 3 }",
        domains=["[N] -> { S[t, i, j] : 0 <= t < 3 and 0 <= i, j < N }"],
        schedules=["[N] -> { S[t, i, j] -> [t, i, j] }"],
        writes=["[N] -> { S[t, i, j] -> A[t, i, j] }"],
        reads=reads,
        live_out=[f"[N] -> {{ A[t, i, j] : 0 <= i, j < N and {live_out} }}"],
        **more,
    )


def _last_times(program, uses) -> dict[tuple[int, ...], tuple[int, ...]]:
    """The event of the last use of every value, listed one by one."""
    ends = uses.apply_range(full_events(program).reads)
    last: dict[tuple[int, ...], tuple[int, ...]] = {}
    for one in (ends.get_map_list().get_at(k) for k in range(ends.n_map())):
        for row in map(tuple, points(fix_parameters(one, program.values)).tolist()):
            value, event = row[:6], row[6:]
            last[value] = max(last.get(value, event), event)
    return last


@given(
    offsets=some.sets(some.sampled_from(OFFSETS), min_size=5),
    guarded=some.lists(
        some.tuples(
            some.sampled_from(OFFSETS),
            some.sampled_from(GUARDS),
        ),
        max_size=3,
    ),
    live_out=some.sampled_from(["t = 2", "t >= 1 and i = 0", "false"]),
)
@settings(max_examples=by_default(10, 40), deadline=None)
def test_values_end_with_the_same_reads(offsets, guarded, live_out) -> None:
    program = _stencil(sorted(offsets), guarded, live_out)
    whole, kept = (dataflow(program, "A", only_last=only) for only in (False, True))
    assert kept.uses.is_subset(whole.uses)
    assert _last_times(program, kept.uses) == _last_times(program, whole.uses)


def test_of_a_full_stencil_the_reads_at_its_end_are_left() -> None:
    program = _stencil(OFFSETS)
    kept = dataflow(program, "A", only_last=True).uses
    read = kept.curry().range_factor_range().reverse()
    ends = " or ".join(f"(a = i - {di} and b = j - {dj})" for di, dj in product((0, 1), repeat=2))
    wanted = UnionMap(
        "[N] -> { S[t, i, j] -> A[t - 1, a, b] : N >= 3 and 1 <= t < 3 and 0 <= i, j, a, b < N "
        f"and ({ends}) }}"
    )
    assert read.intersect_domain(wanted.domain()).is_equal(wanted)


def test_reads_of_other_statements_are_kept() -> None:
    """Slack ends a live interval by the beats of the statement that reads."""
    shifts = (-2, -1, 0, 1, 2)
    domains = ["{ W[i] : 0 <= i < 9; R[i] : 3 <= i < 6; Q[i] : 3 <= i < 6 }"]
    reads = [f"{{ R[i] -> A[i + {d}] : 3 <= i < 6 }}" for d in shifts]
    program = make_program(
        values={},
        domains=domains,
        schedules=["{ W[i] -> [0, i]; R[i] -> [1, i]; Q[i] -> [2, i] }"],
        writes=["{ W[i] -> A[i] }"],
        reads=[*reads, "{ Q[i] -> A[i] }"],
    )
    uses = dataflow(program, "A", only_last=True).uses
    assert uses.is_equal(dataflow(program, "A").uses)


def test_a_set_is_plainly_within_another_by_each_of_its_constraints() -> None:
    wide = BasicSet("[N] -> { [x, y] : 0 <= x < N and 0 <= y }")
    for text, inside in (
        ("0 <= x < N and 0 <= y", True),
        ("1 <= x < N - 1 and 0 <= y <= 7", True),
        ("x = 3 and 0 <= y", False),
        ("0 <= x <= N and 0 <= y", False),
        ("0 <= x and 0 <= y", False),
    ):
        narrow = BasicSet(f"[N] -> {{ [x, y] : {text} }}")
        assert plainly_within(rows(narrow), rows(wide)) is inside


def test_an_equality_is_only_within_the_same_one() -> None:
    line = BasicSet("{ [x, y] : x = y }")
    assert plainly_within(rows(line.intersect(BasicSet("{ [x, y] : x >= 2 }"))), rows(line))
    assert not plainly_within(rows(BasicSet("{ [x, y] : x >= y }")), rows(line))
    assert not plainly_within(rows(BasicSet("{ [x, y] : x = y + 1 }")), rows(line))
