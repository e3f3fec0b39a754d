"""What isl says of the streams of a memory is what all their beats say, listed one by one."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hlsmem.addressing.loop_forms import Value
from hlsmem.core.errors import InputError, LimitError
from hlsmem.dependences import related_dependences as related
from hlsmem.dependences.comparator_fit import Side, earlier_of
from hlsmem.dependences.dependence_pairs import needs
from hlsmem.dependences.earliest_release import CountGate, Gate
from hlsmem.dependences.listed_dependences import ListedBetween, closure
from hlsmem.dependences.related_dependences import RelatedBetween, Unrelated
from hlsmem.dependences.release_limits import Asked
from hlsmem.dependences.requirements import dependences
from hlsmem.dependences.stream_forms import BeatStream, array_streams
from hlsmem.plan import Plan
from hlsmem.polyhedra import PolyhedralError
from hlsmem.program.model import Array, Program
from hlsmem.storage.build import layout
from hlsmem.storage.ram import circuit
from hlsmem.storage.window.kind import window_of
from tests.addressing.listing import list_places
from tests.dependences.cases import DESIGNS, planned
from tests.dependences.test_comparator_fit import counted
from tests.dependences.test_gates import play
from tests.dependences.test_random import plan_of, random_program
from tests.families import by_default
from tests.plans import hardware_of, laid

NETWORKS = Path(__file__).parents[1] / "network" / "designs"

Pairs = Mapping[tuple[int, int], Any]


def compared(program: Program, plan: Plan, array: Array) -> str:
    """Hold one array's answers of both kinds against each other; in a word what came of it."""
    streams = array_streams(program, array, laid(plan)[array.name].addresses)
    if not streams:
        return "nothing"
    wanted = attempted(lambda: ListedBetween(program, streams, plan.slack))
    try:
        own = attempted(lambda: RelatedBetween(program, streams, plan.slack))
    except Unrelated:
        return "unrelated"
    if not isinstance(own, RelatedBetween) or not isinstance(wanted, ListedBetween):
        assert own == wanted
        return "refused"
    assert_equal(requirements(own, own.found.required), wanted.found.required)
    assert_equal(requirements(own, own.required), wanted.required)
    assert_equal(requirements(own, own.implied), closure(wanted.required))
    for (waits, on), operand in wanted.found.operands.items():
        if (waits, on) in wanted.found.required and streams[on].is_write:
            assert own.found.operands[waits, on] == operand
    assert attempted(own.wires) == attempted(wanted.wires)
    same = [compared_streams(own, wanted, number, streams) for number in range(len(streams))]
    return "same" if all(same) else "other gates"


@pytest.mark.parametrize("words", [30, 31, 35])
def test_a_write_in_a_window_waits_for_the_reads_of_earlier_values(words: int) -> None:
    """By isl, listed, and one by one: also for reads that the program has behind the write."""
    planning = hardware_of(
        NETWORKS / "transpose.yaml",
        settings=("plan.channels=dedicated", "plan.capacity=selftimed"),
    )
    program = planning.program
    assert program is not None
    held = window_of(program, (6, 1), 0, words)
    made = layout(program, [("a", held)])
    streams = array_streams(program, program.arrays["a"], made["a"].addresses)
    wanted = dependences(program, streams, is_window=True).required
    reads = [(x, y) for y in range(6) for x in range(6)]
    by_hand = [
        1 + reads.index(divmod(number - words, 6)) if number >= words else 0 for number in range(36)
    ]
    write, read = (k for flag in (True, False) for k, s in enumerate(streams) if s.is_write is flag)
    assert wanted[write, read].tolist() == by_hand
    own = needs(program, streams, is_window=True).required
    for (waits, on), last in own.items():
        asked = Asked(last=last, waiting=Side(streams[waits]), other=Side(streams[on]))
        assert asked.listed.tolist() == wanted[waits, on].tolist()
    assert set(own) == set(wanted)


def attempted(answer: Callable[[], object]) -> object:
    try:
        return answer()
    except (InputError, LimitError) as error:
        return str(error)


def requirements(own: RelatedBetween, found: Pairs) -> dict[tuple[int, int], Any]:
    """Relations as the numbers of beats that go before each."""
    listed = {
        (waits, on): Asked(last=last, waiting=own.sides[waits], other=own.sides[on]).listed
        for (waits, on), last in found.items()
    }
    return {pair: beats for pair, beats in listed.items() if beats.any()}


def assert_equal(found: Pairs, wanted: Pairs) -> None:
    assert set(found) == set(wanted)
    for pair, beats in found.items():
        assert beats.tolist() == wanted[pair].tolist()


def compared_streams(
    own: RelatedBetween, wanted: ListedBetween, number: int, streams: Sequence[BeatStream]
) -> bool:
    """Whether the gates of a stream are the same; else they hold back for no more and no less."""
    if streams[number].is_write:
        assert own.stored(number) == wanted.stored(number)
        for reader, other in enumerate(streams):
            for k in range(0 if other.is_write else len(other.operands)):
                assert own.collides(number, reader, k) == wanted.collides(number, reader, k)
    else:
        for k in range(len(streams[number].operands)):
            assert own.is_fetched(number, k) == wanted.is_fetched(number, k)
    outputs: tuple[dict[str, Value], dict[str, Value]] = ({}, {})
    gates = own.gates(number, outputs[0]), wanted.gates(number, outputs[1])
    allowed = closure(wanted.required)
    for one, other in zip(*gates, strict=True):
        assert (one.other, one.operand, one.bypass) == (other.other, other.operand, other.bypass)
        if isinstance(one, CountGate):
            assert isinstance(other, CountGate)
            assert (one.start, one.bits) == (other.start, other.bits)
        else:
            pair = number, one.other
            holds_back(one, streams[one.other], wanted.required[pair], allowed[pair])
    for arbiter, other_turn in zip(
        own.arbiters(number, outputs[0]), wanted.arbiters(number, outputs[1]), strict=True
    ):
        assert arbiter == other_turn
        assert np.array_equal(arbiter.limit, other_turn.limit)
    return outputs[0] == outputs[1]


def holds_back(gate: Gate, other: BeatStream, required: Any, allowed: Any) -> None:
    """Beats go in order, so a gate may wait for what beats before waited for already."""
    beats = set(map(tuple, other.visits.points.tolist()))
    places = list_places(other.node, other.visits).tolist()
    passed = np.cumsum([0, *(tuple(place) in beats for place in places)])
    limit = passed[np.asarray(gate.limit)]
    assert (np.maximum.accumulate(limit) >= required).all()
    assert (limit <= allowed).all()


@pytest.mark.few(
    "blur", "sobel", "jacobi", "matmul", "heat", "triangle", "half", "two", "gaps", "scalar"
)
@pytest.mark.few("blur", "two")
@pytest.mark.parametrize("name", DESIGNS)
def test_designs(name: str) -> None:
    planning = planned(name)
    assert planning.program is not None
    for array in planning.program.planned_arrays():
        compared(planning.program, planning.plan, array)


def of_random_program(seed: int) -> list[str]:
    chance = random.Random(seed)
    program, slack = random_program(chance), chance.choice([0, 0, 1])
    try:
        plan = plan_of(program, slack)
    except InputError:
        return ["refused"]
    return [compared(program, plan, array) for array in program.planned_arrays()]


def test_random_programs() -> None:
    kinds = Counter(
        kind for seed in by_default(range(2, 6), range(2, 14)) for kind in of_random_program(seed)
    )
    assert kinds["same"] >= 2


def test_a_program_at_which_isl_fails_until_it_has_fewer_pieces() -> None:
    assert of_random_program(92) == ["same"]


def test_what_takes_isl_too_long_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(related, "LISTABLE_OPERATIONS", 10)
    program = random_program(random.Random(1))
    plan = plan_of(program, 0)
    streams = array_streams(program, program.arrays["A"], laid(plan)["A"].addresses)
    with pytest.raises(Unrelated, match="isl has no answer within 10 operations"):
        RelatedBetween(program, streams, plan.slack)


def test_what_cannot_be_listed_has_a_limit_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(related, "LISTABLE_OPERATIONS", 10)
    planning = planned(next(iter(DESIGNS)))
    assert planning.program is not None
    array = planning.program.planned_arrays()[0]
    streams = array_streams(planning.program, array, laid(planning.plan)[array.name].addresses)
    with pytest.raises(Unrelated, match="isl has no answer within 10 operations"):
        RelatedBetween(planning.program, streams, 0)
    assert RelatedBetween(planning.program, streams, 0, raises=True).required


def test_what_isl_fails_at_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise PolyhedralError("call to isl_set_lexmax failed")

    monkeypatch.setattr(related, "needs", fails)
    planning = planned(next(iter(DESIGNS)))
    assert planning.program is not None
    array = planning.program.planned_arrays()[0]
    streams = array_streams(planning.program, array, laid(planning.plan)[array.name].addresses)
    with pytest.raises(Unrelated, match="isl fails: call to isl_set_lexmax failed"):
        RelatedBetween(planning.program, streams, 0)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(14, 300))
def test_more_random_programs(seed: int) -> None:
    of_random_program(seed)


# Programs with a requirement that no few vectors meet, of one and of two statements that write.
RAISED = (12, 62, 55, 58, 13, 31, 41, 67, 106, 36)


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", RAISED)
def test_raised_gates_wait_for_what_is_earlier_and_every_read_has_its_value(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(seed)
    program, slack = random_program(chance), chance.choice([0, 0, 1])
    plan = plan_of(program, slack)
    (array,) = program.planned_arrays()
    streams = array_streams(program, array, laid(plan)[array.name].addresses)
    monkeypatch.setattr(related, "LISTABLE_OPERATIONS", related.MOST_OPERATIONS)
    with pytest.raises(Unrelated, match="takes more than few comparisons"):
        RelatedBetween(program, streams, slack)
    required = ListedBetween(program, streams, slack).required
    own = RelatedBetween(program, streams, slack, raises=True)
    gates = [(k, gate) for k in range(len(streams)) for gate in own.gates(k, {})]
    assert not all(isinstance(gate, CountGate) or gate.exact for _, gate in gates)
    for waiting, gate in gates:
        if isinstance(gate, CountGate):
            continue
        other = streams[gate.other]
        earlier = earlier_of(program, streams[waiting], other)
        most = counted(streams[waiting], other, earlier.entries, earlier.at_same_time)
        holds_back(gate, other, required[waiting, gate.other], np.maximum.accumulate(most))
    for name in ("FEW_ACCESSES", "ACCESSES"):
        monkeypatch.setattr(circuit, name, 0)
    memory = circuit.memory_circuit(program, laid(plan)[array.name], array)
    assert memory is not None
    play(program, memory, chance)
