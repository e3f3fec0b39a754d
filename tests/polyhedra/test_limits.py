"""Work with a limit, in copies of the process and in the process itself."""

import os
import signal
from collections.abc import Callable

import pytest

from hlsmem.core.errors import InputError, LimitError, Problem
from hlsmem.lifetime.storage_problems import storage_problems
from hlsmem.polyhedra import DimType, Map, Set, limits
from hlsmem.polyhedra.limits import WorkLimitError, bounded, limited, within
from hlsmem.polyhedra.memoized import forget
from hlsmem.polyhedra.sets import count
from tests.programs import golden_case, program_from_golden

ENOUGH = 10_000_000


@pytest.fixture(params=[True, False], ids=["in copies", "here"])
def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "copies", request.param)


def _pieces(number: int) -> Set:
    """A union of that many overlapping triangles with strides, made disjoint."""
    found = Set("[N] -> { [i, j] : false }")
    for step in range(2, number + 2):
        piece = f"[N] -> {{ [i, j] : {step} <= i, j < N + {step} and (i + j) mod {step} = 0 }}"
        found = found.union(Set(piece))
    return found.make_disjoint()


@pytest.mark.usefixtures("place")
def test_results_come_back() -> None:
    parameter = Set("[N] -> { [i] : 0 <= i < N }")
    found = within(ENOUGH, lambda _: (parameter, {"three": 3}))
    assert found[0].is_equal(parameter)
    assert found[1] == {"three": 3}


@pytest.mark.usefixtures("place")
def test_dimensions_of_one_name_come_back() -> None:
    pairs = Map("[N] -> { A[x, y] -> A[x, y] : 0 <= x < N and y = 2 }")
    for dimension, name in enumerate("xy"):
        pairs = pairs.set_dim_name(DimType.in_, dimension, name)
        pairs = pairs.set_dim_name(DimType.out, dimension, name)
    assert within(ENOUGH, lambda _: pairs).is_equal(pairs)


@pytest.mark.usefixtures("place")
def test_the_limit_names_the_step_that_hit_it_and_leaves_this_process_alone() -> None:
    def work(report: Callable) -> Set:
        report(("A", "first"))
        report(("B", "second"))
        return _pieces(4)

    with pytest.raises(WorkLimitError) as error:
        within(2_000, work)
    assert (error.value.step, error.value.signal) == (("B", "second"), 0)
    assert within(ENOUGH, lambda _: _pieces(4)).is_equal(_pieces(4))


@pytest.mark.usefixtures("place")
def test_a_limit_hit_while_counting_is_no_count() -> None:
    many = Set("{ [i, j, k] : 0 <= i, j, k < 60 and (i + j + k) mod 7 = 3 and i + 2j >= k }")
    with pytest.raises(WorkLimitError):
        within(500, lambda _: int(str(many.count_val())))


@pytest.mark.usefixtures("place")
def test_a_limit_hit_while_counting_is_no_step() -> None:
    """What was found before the limit can be used, and a count that it cut short cannot."""
    few = Set("{ [i] : 0 <= i < 7 }")
    many = Set("{ [i, j, k] : 0 <= i, j, k < 60 and (i + j + k) mod 7 = 3 and i + 2j >= k }")

    def work(report: Callable) -> None:
        for one in (few, many):
            report(int(str(one.count_val())))

    with pytest.raises(WorkLimitError) as error:
        within(500, work)
    assert error.value.steps == (7,)


@pytest.mark.usefixtures("place")
def test_errors_come_back_with_what_they_carry() -> None:
    def work(_: Callable) -> None:
        raise InputError(Problem("this is wrong", "do that"))

    with pytest.raises(InputError) as error:
        within(ENOUGH, work)
    assert error.value.problems == (Problem("this is wrong", "do that"),)
    if limits.copies:
        assert "in work" in error.value.__notes__[0]


@pytest.mark.usefixtures("in_copies")
def test_a_process_that_dies_is_told_from_one_that_is_done() -> None:
    def work(report: Callable) -> None:
        report("here")
        os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(WorkLimitError) as error:
        within(ENOUGH, work)
    assert (error.value.step, error.value.signal) == ("here", signal.SIGKILL)


@pytest.mark.usefixtures("in_copies")
def test_an_interrupted_wait_leaves_no_process_behind(tmp_path) -> None:
    def work(report: Callable) -> None:
        (tmp_path / "worker").write_text(str(os.getpid()))
        report("started")
        signal.pause()

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    old = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(KeyboardInterrupt):
            within(ENOUGH, work)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "worker").read_text()), 0)


def test_isl_goes_on_where_a_limit_was_hit(monkeypatch: pytest.MonkeyPatch) -> None:
    """What there was before stays as it was, and the same work gives the same, whatever operation
    was the last."""

    def texts() -> list[object]:
        forget()
        found = storage_problems(program)
        return [(str(one.differences), str(one.pairs), one.bounds) for one in found]

    program = program_from_golden(golden_case("001", "blur-interleaved"), {"N": 16})
    right, operations, hits = texts(), 50, 0
    monkeypatch.setattr(limits, "copies", False)
    while True:
        try:
            assert within(operations, lambda _: texts()) == right
        except WorkLimitError:
            hits += 1
            assert texts() == right
            operations += operations // 4
        else:
            break
    assert hits > 20


def test_within_a_limit_another_one_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "copies", False)

    def work(_: Callable) -> Set:
        with pytest.raises(WorkLimitError):
            within(2_000, lambda _: _pieces(4))
        return _pieces(4)

    with pytest.raises(WorkLimitError):
        within(3_000, work)
    assert within(ENOUGH, work).is_equal(_pieces(4))


@pytest.mark.usefixtures("place")
def test_a_part_that_gives_up_leaves_the_rest_its_limit() -> None:
    few = Set("{ [i] : 0 <= i < 7 }")

    def work(report: Callable) -> int:
        with pytest.raises(WorkLimitError), limited(500):
            _pieces(4)
        report(int(str(few.count_val())))
        return len(_pieces(2).get_basic_sets())

    assert within(ENOUGH, work) == len(_pieces(2).get_basic_sets())
    with pytest.raises(WorkLimitError) as error:
        within(500, lambda report: (work(report), _pieces(4)))
    assert error.value.steps == (7,)


@pytest.mark.usefixtures("place")
def test_work_may_give_up_by_itself() -> None:
    def work(report: Callable) -> None:
        report("found")
        raise WorkLimitError(())

    with pytest.raises(WorkLimitError) as error:
        within(ENOUGH, work)
    assert error.value.steps == ("found",)


def test_a_command_has_a_limit_and_parts_of_it_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    few = Set("{ [i] : 0 <= i < 7 }")
    monkeypatch.setattr(limits, "WHOLE", 500)
    with limits.command():
        with pytest.raises(WorkLimitError), bounded(400):
            _pieces(4)
        assert within(ENOUGH, lambda _: len(_pieces(4).get_basic_sets())) > 4
        assert count(few) == 7
    with pytest.raises(LimitError, match="isl is not through after 500 operations; take simpler"):
        _commanded(lambda: _pieces(4))
    with pytest.raises(LimitError, match="isl is not through"):
        _commanded(lambda: count(_MANY))
    with pytest.raises(KeyError):
        _commanded(lambda: {}["an error of its own"])
    assert count(few) == 7


_MANY = Set("{ [i, j, k] : 0 <= i, j, k < 60 and (i + j + k) mod 7 = 3 and i + 2j >= k }")


def _commanded(work: Callable[[], object]) -> None:
    with limits.command():
        work()
