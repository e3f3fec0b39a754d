"""Gates of the last resort wait for all earlier beats of the other stream, and no others."""

from __future__ import annotations

import random

import numpy as np
import pytest

from hlsmem.dependences.comparator_fit import Earlier, KeyOrder, Side, earlier_of, own_time
from hlsmem.dependences.listed_dependences import ListedBetween
from hlsmem.dependences.stream_forms import BeatStream, array_streams
from tests.dependences.cases import DESIGNS, planned
from tests.dependences.test_random import plan_of, random_program
from tests.plans import laid


def check(streams: tuple[BeatStream, ...], entries: int) -> None:
    for waiting in streams:
        for other in streams:
            if other is waiting:
                continue
            for at_same_time in (False, True):
                earlier = Earlier(entries=entries, at_same_time=at_same_time)
                vector = own_time(Side(waiting), Side(other), earlier)
                found = Side(other).order.rank_at(vector, waiting.visits.points)
                assert found.tolist() == counted(waiting, other, entries, at_same_time)


def counted(waiting: BeatStream, other: BeatStream, entries: int, at_same_time: bool) -> list[int]:
    """Earlier beats of the other, beat by beat, one by one."""
    theirs = [tuple(row) for row in other.times[:, :entries].tolist()]
    return [
        sum(time < own or (at_same_time and time == own) for time in theirs)
        for own in map(tuple, waiting.times[:, :entries].tolist())
    ]


@pytest.mark.few(0.25)
@pytest.mark.parametrize("name", DESIGNS)
def test_own_time_counts_the_earlier_beats(name: str) -> None:
    planning = planned(name)
    program, plan = planning.program, planning.plan
    assert program is not None
    for array in program.planned_arrays():
        check(
            array_streams(program, array, laid(plan)[array.name].addresses),
            1 + program.time_dimensions,
        )


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(12))
def test_own_time_counts_the_earlier_beats_of_random_programs(seed: int) -> None:
    chance = random.Random(seed)
    program = random_program(chance)
    plan = plan_of(program, 0)
    for array in program.planned_arrays():
        streams = array_streams(program, array, laid(plan)[array.name].addresses)
        check(streams, 1 + program.time_dimensions)
        check(streams, chance.randrange(1, 1 + program.time_dimensions))


# Programs in which a statement reads a cell in the step in which another one writes it.
READ_FIRST = (20, 22, 23)


@pytest.mark.parametrize("seed", READ_FIRST)
def test_what_a_beat_has_to_wait_for_is_earlier(seed: int) -> None:
    """Else a gate that waits for all that is earlier lets a write go ahead of a read."""
    program = random_program(random.Random(seed))
    plan = plan_of(program, 0)
    in_its_step = 0
    for array in program.planned_arrays():
        streams = array_streams(program, array, laid(plan)[array.name].addresses)
        for (one, other), required in ListedBetween(program, streams, 0).required.items():
            earlier = earlier_of(program, streams[one], streams[other])
            before, most = (
                np.maximum.accumulate(counted(streams[one], streams[other], earlier.entries, flag))
                for flag in (False, earlier.at_same_time)
            )
            assert (required <= most).all()
            in_its_step += int((required > before).sum())
    assert in_its_step


def test_codes_compare_as_vectors_do() -> None:
    points = np.array([[0, 3], [0, 5], [2, 1]])
    order = KeyOrder(points)
    vectors = [[0, 2], [0, 3], [0, 9], [1, -9], [2, 0], [2, 1], [9, -9], [-1, 9]]
    assert order.rank(np.array(vectors).T).tolist() == [0, 1, 2, 2, 2, 3, 3, 0]
