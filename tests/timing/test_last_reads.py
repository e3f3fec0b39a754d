"""Reads that others surely follow: left out, without a value that ends any sooner."""

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as some

from hlsmem.polyhedra import BasicSet, UnionMap
from hlsmem.polyhedra.constraints import plainly_within, rows
from hlsmem.polyhedra.sets import fix_parameters, points
from hlsmem.timing.events import full_events
from hlsmem.timing.value_flow import dataflow
from tests.families import by_default
from tests.programs import make_program

OFFSETS = list(product((-1, 0, 1), repeat=2))
GUARDS = ["i >= 2", "j < N - 1", "(i + j) mod 2 = 0"]


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
