"""Iterations that may run side by side, against all pairs of iterations one by one."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise, product

import pytest

from hlsmem.core.expression import Expression, Integer, Name, Operation, Operator, evaluate
from hlsmem.host_loops.cell_frame import CellFrame, frame_of
from hlsmem.host_loops.pointer_loop import LoopShape, Reference, loop_shape
from hlsmem.host_loops.symbolic_sizes import Scale
from hlsmem.host_loops.vector_independence import (
    Carried,
    Ground,
    Independent,
    Touch,
    independence,
    jumps,
)
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.generated_loops import Block, Loop
from tests.host_loops.test_pointer_loop import N, cell, piece_of

CONTEXT = Set("[N] -> { : N >= 5 }")
SCALE = Scale(symbolic=True, parameters=("N",), values={"N": N}, context=CONTEXT)
FIXED = replace(SCALE, symbolic=False)
Y, X, LAST = Name("y"), Name("x"), Operation(Operator.SUBTRACT, (Name("N"), Integer(3)))
ROWS = {
    "ring": ([("N", "1")], ["2*N + 1"]),
    "skewed": ([("1", "-2")], ["2*N + 1"]),
    "long ring": ([("N", "1")], ["3*N - 2"]),
    "short ring": ([("0", "1")], ["4"]),
    "two rows": ([("1", "0"), ("0", "1")], ["2", "N"]),
    "columns": ([("0", "1"), ("1", "0")], ["3", "N"]),
    "whole": ([("1", "0"), ("0", "1")], ["N", "N"]),
    "square ring": ([("N", "1")], ["N*N - N"]),
    "even ring": (
        [("2*floor((N + 1)/2) - 2", "-1")],
        ["4*floor((N + 1)/2)*floor((N + 1)/2) - 8*floor((N + 1)/2) + 6"],
    ),
}


def frame(name: str, scale: Scale) -> CellFrame:
    elements = scale.restrict(Set("[N] -> { [y, x] : 0 <= y, x < N }"))
    return frame_of("A", piece_of(*ROWS[name]), elements, scale)


def loop(name: str) -> Loop:
    """The loop over 2 .. N - 3, from whose points two elements each way are there."""
    test = Operation(Operator.LESS_EQUAL, (Name(name), LAST))
    return Loop(name, Integer(2), test, LAST, 1, Block(()))


def touch(array: str, dy: int, dx: int, *, stores: bool = False, mirrored: bool = False) -> Touch:
    """A[y + dy][x + dx], or A[y + dy][N - 1 - x + dx]; arrays but A are given."""
    x: Expression = Operation(Operator.SUBTRACT, (Name("N"), X)) if mirrored else X
    places = (_plus(Y, dy), _plus(x, dx - mirrored))
    return Touch(array, places, array == "A", stores)


def _plus(value: Expression, more: int) -> Expression:
    return Operation(Operator.ADD, (value, Integer(more)))


def judged(
    name: str, touches: Sequence[Touch], scale: Scale = SCALE
) -> tuple[Independent | Carried, LoopShape]:
    own = frame(name, scale)
    named = [Reference("A", one.subscripts) for one in touches if one.cell and one.subscripts]
    shape = loop_shape(loop("x"), named, {"A": own})
    ground = Ground(frames={"A": own}, variables=frozenset(), scale=scale)
    return independence((loop("y"),), loop("x"), shape, touches, ground), shape


def place(own: CellFrame, one: Touch, y: int, x: int) -> tuple[int, ...]:
    assert one.subscripts is not None
    at = [evaluate(part, {"y": y, "x": x, "N": N}) for part in one.subscripts]
    return (cell(own, tuple(map(Integer, at)), 0, 0),) if one.cell else tuple(at)


def need(own: CellFrame, touches: Sequence[Touch], shape: LoopShape) -> bool:
    """Whether iterations need each other: but for a read that a later iteration stores behind."""
    for y in range(2, N - 2):
        for early, late in combinations(range(2, N - 2), 2):
            if not _in_a_segment(own, shape, y, early, late):
                continue
            for (at, one), (behind, other) in product(enumerate(touches), repeat=2):
                alike = (one.array, one.cell) == (other.array, other.cell)
                if not alike or not (one.stores or other.stores):
                    continue
                kept = not one.stores and at < behind
                if not kept and place(own, one, y, early) == place(own, other, y, late):
                    return True
    return False


def _in_a_segment(own: CellFrame, shape: LoopShape, y: int, early: int, late: int) -> bool:
    for pointer in shape.wrapping:
        stride = pointer.stride.evaluate({"N": N})
        own_touch = Touch("A", pointer.serves[0], True, False)
        cells = [place(own, own_touch, y, x)[0] for x in range(early, late + 1)]
        if any(after != before + stride for before, after in pairwise(cells)):
            return False
    return True


def random_touches(number: random.Random) -> list[Touch]:
    """A body that reads and then stores, or mixes both."""
    mirrored = number.random() < 0.2
    found = [
        touch(
            number.choice("AAAB"),
            number.randint(-2, 2),
            number.randint(-2, 2),
            stores=number.random() < 0.4,
            mirrored=mirrored,
        )
        for _ in range(number.randint(2, 5))
    ]
    return sorted(found, key=lambda one: one.stores) if number.random() < 0.6 else found


@pytest.mark.few(3)
@pytest.mark.parametrize("name", ROWS)
def test_what_is_independent_never_meets(name: str) -> None:
    number, found = random.Random(name), set[bool]()
    for _ in range(60):
        touches = random_touches(number)
        verdict, shape = judged(name, touches)
        if isinstance(verdict, Independent):
            assert not need(frame(name, SCALE), touches, shape), touches
        found.add(isinstance(verdict, Independent))
    assert found == {True, False}


@pytest.mark.parametrize("name", ROWS)
def test_nothing_is_missed_at_given_sizes(name: str) -> None:
    number = random.Random(f"{name} at {N}")
    for _ in range(40):
        touches = random_touches(number)
        if not any(one.stores for one in touches):
            continue
        verdict, shape = judged(name, touches, FIXED)
        if not shape.wrapping:
            wanted = need(frame(name, FIXED), touches, shape)
            assert isinstance(verdict, Carried) == wanted, (touches, verdict)


IN_PLACE = [touch("A", -2, 0), touch("A", -1, 0), touch("B", 0, 0), touch("A", 0, 0, stores=True)]


@pytest.mark.parametrize(
    "name", ["two rows", "ring", "skewed", "whole", "square ring", "even ring"]
)
def test_rows_in_place_are_independent_at_every_size(name: str) -> None:
    verdict, _ = judged(name, IN_PLACE)
    assert verdict == Independent(apart=frozenset(), in_place=True)


def test_given_arrays_have_to_be_apart() -> None:
    body = [touch("in", 0, 0), touch("in", 0, 1), touch("w", 0, 0), touch("out", 0, 0, stores=True)]
    verdict, _ = judged("ring", body)
    assert verdict == Independent(apart=frozenset({("in", "out"), ("out", "w")}), in_place=False)


CARRIED = {
    "an iteration reads A where an earlier one stored it": [
        touch("A", 0, -2),
        touch("A", 0, 0, stores=True),
    ],
    "A is read behind the store of a later iteration": [
        touch("A", 0, -1, stores=True),
        touch("A", 0, 0),
    ],
    "two iterations store one place of A": [
        touch("A", 0, -1, stores=True),
        touch("A", 0, 0, stores=True),
    ],
    "an iteration reads B where an earlier one stored it": [
        touch("B", 0, -1),
        touch("B", 0, 0, stores=True),
    ],
    "two iterations store one place of B": [
        Touch("B", (Y, Integer(0)), False, True),
    ],
    "it stores nothing": [touch("B", 0, 0)],
}


@pytest.mark.parametrize("reason", CARRIED)
def test_why_iterations_need_each_other(reason: str) -> None:
    verdict, _ = judged("two rows", CARRIED[reason])
    assert verdict == Carried(reason)


def test_an_element_that_is_not_known_may_be_any() -> None:
    stored = touch("B", 0, 0, stores=True)
    verdict, _ = judged("ring", [Touch("B", None, False, False), stored])
    assert verdict == Carried("an iteration reads B where an earlier one stored it")
    verdict, _ = judged("ring", [Touch("in", None, False, False), stored])
    assert isinstance(verdict, Independent)


def test_what_is_a_variable_is_no_memory() -> None:
    own = frame("ring", SCALE)
    ground = Ground(frames={"A": own}, variables=frozenset({"A"}), scale=SCALE)
    body = [Touch("A", (), True, True), touch("B", 0, 0, stores=True)]
    shape = LoopShape(pointers=(), unshaped=())
    found = independence((loop("y"),), loop("x"), shape, body, ground)
    assert found == Independent(apart=frozenset(), in_place=False)


def test_a_body_of_unknown_touches_is_left_alone() -> None:
    ground = Ground(frames={}, variables=frozenset(), scale=SCALE)
    found = independence((), loop("x"), LoopShape(pointers=(), unshaped=()), None, ground)
    assert found == Carried("what it reads and stores is not known")


@pytest.mark.parametrize(
    ("name", "touches", "expected"),
    [
        ("x", [("B", 0, 0), ("C", 1, -1)], False),
        ("y", [("C", 1, -1)], True),
        ("x", [("A", 0, 0)], False),
        ("y", [("A", 0, 0)], True),
    ],
)
def test_what_moves_from_row_to_row_jumps(
    name: str, touches: list[tuple[str, int, int]], expected: bool
) -> None:
    found = [touch(*one) for one in touches]
    assert jumps(loop(name), found, {"A": frame("two rows", SCALE)}) is expected


def test_a_renumbered_array_jumps_where_its_cells_do() -> None:
    """Cells stand column by column there: along x they are 3 apart in numbers, rows apart in y."""
    frames = {"A": frame("columns", SCALE)}
    assert jumps(loop("x"), [touch("A", 0, 0)], frames)
    assert not jumps(loop("y"), [touch("A", 0, 0)], frames)
    assert not jumps(loop("x"), [Touch("A", None, True, True)], frames)
