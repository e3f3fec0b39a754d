"""Legality of schedules: messages, and random programs in two orders against enumeration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from hlsmem.core.errors import InputError, Problem, Problems
from hlsmem.polyhedra import Map
from hlsmem.polyhedra.sets import with_parameters
from hlsmem.program.model import Program, Storage
from hlsmem.timing.schedule_legality import check_legality, same_values
from tests.families import by_default
from tests.lifetime.random_programs import Part, Random, random_programs
from tests.programs import make_program

SIZES = range(1, 6)


def reordered(program: Program, schedules: Mapping[str, str]) -> Program:
    """The program with other schedules, its own order kept."""
    statements = tuple(
        replace(
            one,
            schedule=with_parameters(Map(schedules[one.name]), program.parameters)
            .intersect_domain(one.domain)
            .intersect_params(program.context),
        )
        for one in program.statements
    )
    size = statements[0].schedule.range().tuple_dim()
    return replace(program, statements=statements, time_dimensions=size, original=program)


def found_problems(program: Program) -> tuple[Problem, ...]:
    problems = Problems()
    check_legality(program, problems)
    try:
        problems.raise_if_any()
    except InputError as error:
        return error.problems
    return ()


def line(**changes: list[str]) -> Program:
    """A row of elements, written and then read twice."""
    texts = {
        "domains": ["[N] -> { W[i] : 0 <= i < N }", "[N] -> { R[i] : 0 < i < N }"],
        "schedules": ["{ W[i] -> [0, i] }", "{ R[i] -> [1, i] }"],
        "reads": ["{ R[i] -> A[i] }", "{ R[i] -> A[i - 1] }"],
        "writes": ["{ W[i] -> A[i] }"],
        **changes,
    }
    return make_program(values={"N": 8}, context="[N] -> { : N >= 2 }", **texts)


def test_a_program_in_its_own_order_has_nothing_to_violate() -> None:
    assert found_problems(line()) == ()


def test_a_legal_schedule() -> None:
    interleaved = {"W": "{ W[i] -> [i, 0] }", "R": "{ R[i] -> [i, 1] }"}
    assert found_problems(reordered(line(), interleaved)) == ()


def test_a_read_before_its_write_is_named_with_both_times() -> None:
    early = {"W": "{ W[i] -> [i, 0] }", "R": "{ R[i] -> [i - 1, 1] }"}
    (problem,) = found_problems(reordered(line(), early))
    assert problem.what == (
        "the schedule breaks a dependence: R at i=1 reads A[1] at [0, 1],"
        " but W at i=1 writes it at [1, 0], later"
    )
    assert problem.remedy == "change the schedule so that the write comes first"


def test_at_one_time_reads_come_first() -> None:
    at_once = {"W": "{ W[i] -> [i] }", "R": "{ R[i] -> [i] }"}
    (problem,) = found_problems(reordered(line(), at_once))
    assert problem.what.endswith("at the same time, when reads come first")


def test_a_value_overwritten_before_it_is_read() -> None:
    program = line(
        domains=["[N] -> { W[i] : 0 <= i < N }", "[N] -> { R[i] : 0 < i < N }"],
        writes=["{ W[i] -> A[0] }"],
        reads=["{ R[i] -> A[0] }"],
        schedules=["{ W[i] -> [i, 1] }", "{ R[i] -> [i, 0] }"],
    )
    late = {"W": "{ W[i] -> [i, 1] }", "R": "{ R[i] -> [i, 2] }"}
    (problem,) = found_problems(reordered(program, late))
    assert problem.what == (
        "the schedule breaks a dependence: R at i=1 reads A[0] at [1, 2] and needs W at i=0"
        " wrote it at [0, 1], but W at i=1 overwrites it in between at [1, 1]"
    )


def test_live_content_is_part_of_the_program() -> None:
    program = line(
        live_in=["[N] -> { A[i] : 0 <= i < N }"],
        live_out=["[N] -> { A[0] }"],
        schedules=["{ W[i] -> [1, i] }", "{ R[i] -> [0, i] }"],
    )
    early = {"W": "{ W[i] -> [i, 0] }", "R": "{ R[i] -> [i, 1] }"}
    assert [problem.what for problem in found_problems(reordered(program, early))] == [
        "the schedule breaks a dependence: R at i=1 reads A[0] at [1, 1] and needs the value"
        " from before the program, but W at i=0 overwrites it in between at [0, 0]"
    ]
    twice = line(
        writes=["{ W[i] -> A[0] }"],
        reads=[],
        domains=["[N] -> { W[i] : 0 <= i < N }"],
        schedules=["{ W[i] -> [i] }"],
        live_out=["{ A[0] }"],
    )
    (problem,) = found_problems(reordered(twice, {"W": "{ W[i] -> [-i] }"}))
    assert problem.what == (
        "the schedule breaks a dependence: the end reads A[0] and needs W at i=7 wrote it at"
        " [-7], but W at i=0 overwrites it in between at [0]"
    )


@pytest.mark.parametrize("storage", [Storage.EXTERNAL, Storage.STREAM, Storage.MEMORY])
def test_the_last_write_of_an_element_stays_the_last_wherever_it_is_stored(
    storage: Storage,
) -> None:
    program = line(
        domains=["[N] -> { W[i] : 0 <= i < N }"],
        schedules=["{ W[i] -> [i] }"],
        reads=[],
        writes=["{ W[i] -> A[0] }"],
        live_out=["{ A[0] }"],
    )
    stored = replace(program, arrays={"A": replace(program.arrays["A"], storage=storage)})
    turned = reordered(stored, {"W": "{ W[i] -> [-i] }"})
    (problem,) = found_problems(turned)
    assert "but W at i=0 overwrites it in between at [0]" in problem.what
    assert not same_values(stored, turned)


def test_uncertain_writes_keep_their_order() -> None:
    program = line(
        writes=["{ W[i] -> A[0] }"],
        reads=[],
        domains=["[N] -> { W[i] : 0 <= i < N }"],
        schedules=["{ W[i] -> [i] }"],
    )
    (statement,) = program.statements
    (write,) = statement.writes
    uncertain = replace(statement, writes=(replace(write, must=False),))
    program = replace(program, statements=(uncertain,))
    (problem,) = found_problems(reordered(program, {"W": "{ W[i] -> [-i] }"}))
    assert problem.what == (
        "the schedule changes which write is the last: W at i=1 writes the same at [-1],"
        " not after W at i=0 writes 'A' at [0]"
    )
    assert found_problems(reordered(program, {"W": "{ W[i] -> [2i] }"})) == ()


_TIMES = some.sampled_from(["nest", "after", "rows", "reverse", "parallel"])


@given(random_programs(), some.lists(_TIMES, min_size=3, max_size=3), some.permutations(range(3)))
@settings(
    max_examples=by_default(20, 80),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
def test_an_order_is_legal_where_every_read_sees_the_same_write(
    random: Random, times: list[str], slots: list[int]
) -> None:
    parts = tuple(
        replace(part, time=time, slot=slot)
        for part, time, slot in zip(random.parts, times, slots, strict=False)
    )
    other = replace(random, parts=parts)
    if any(_clashes(one, n) for one in (random, other) for n in SIZES):
        return
    program = make_program(
        values={"N": random.n},
        context=f"[N] -> {{ : 1 <= N <= {SIZES[-1]} }}",
        drop_unprovided_reads=True,
        **random.texts(),
    )
    again = reordered(program, {f"S{k}": f"{{ {_when(k, part)} }}" for k, part in enumerate(parts)})
    expected = all(_same_sources(random, other, n) for n in SIZES)
    assert (found_problems(again) == ()) == expected
    assert same_values(program, again) == expected


def _when(number: int, part: Part) -> str:
    return f"S{number}[i, j] -> {part.when_text()}"


def _clashes(random: Random, n: int) -> bool:
    """Whether two instances write one element at one time."""
    written = [
        (time, element)
        for time, _, _, writes in replace(random, n=n).instances()
        for element in writes
    ]
    return len(set(written)) < len(written)


def _same_sources(random: Random, other: Random, n: int) -> bool:
    wanted = _sources(replace(random, n=n))
    found = _sources(replace(other, n=n))
    # Reads that see nothing in the program's own order are not in it.
    return all(found.get(read) == source for read, source in wanted.items())


def _sources(random: Random) -> dict[tuple[str, tuple[int, ...]], str]:
    """The instance whose write each read sees; reads of nothing are left out."""
    holds = dict.fromkeys(random.elements(random.live_in), "before")
    found: dict[tuple[str, tuple[int, ...]], str] = {}
    instances = sorted(random.instances(), key=lambda one: one[0])
    for time in sorted({one[0] for one in instances}):
        now = [one for one in instances if one[0] == time]
        for _, name, reads, _ in now:
            found.update({(name, e): holds[e] for e in reads if e in holds})
        for _, name, _, writes in now:
            holds.update(dict.fromkeys(writes, name))
    after = random.elements(random.live_out)
    found.update({("after", e): source for e, source in holds.items() if e in after})
    return found
