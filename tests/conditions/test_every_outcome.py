"""No cell is overwritten while its value is needed, in any outcome: all of them are run.

The judge is a few lines of Python: a run of the lines of the program over cells, without isl and
without hlsmem, once for each way in which conditions can come out. It shares the mapping alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from hlsmem.core.errors import InputError
from hlsmem.plan import to_json
from tests.conditions.designs import stored
from tests.holdings import part_in
from tests.plans import plan_storage
from tests.steps import load
from tests.studies.dataflow.programs import Line, PredicateRead, random_program
from tests.studies.dataflow.simulation import Element, element, instances

# Ways to come out: programs with more are left to the drawn ones.
MOST = 1 << 10


@dataclass
class Chance:
    """Values one after the other: those that are `given`, then zeros; `drawn` are all of them."""

    given: Sequence[int]
    drawn: list[int] = field(default_factory=list)

    def next(self) -> int:
        at = len(self.drawn)
        self.drawn.append(self.given[at] if at < len(self.given) else 0)
        return self.drawn[-1]


class TooManyError(Exception):
    """There are more outcomes than are run."""


def outcomes(lines: Sequence[Line], n: int, cell_of: Mapping[str, Any]) -> Iterator[str]:
    """What goes wrong in cells, over all outcomes; each is a sequence of values of conditions."""
    given: list[int] = []
    for _ in range(MOST):
        chance = Chance(given)
        yield from run(lines, n, chance, cell_of)
        given = chance.drawn
        while given and given[-1] == 1:
            given = given[:-1]
        if not given:
            return
        given = [*given[:-1], 1]
    raise TooManyError


def run(lines: Sequence[Line], n: int, chance: Chance, cell_of: Mapping[str, Any]) -> Iterator[str]:
    """One outcome: reads of a cell that has been given to another element, or to nobody."""
    written = {array for line in lines for array, _ in line.writes}
    conditions: dict[Element, int] = {}
    last: dict[Element, object] = {}
    cells: dict[object, tuple[Element, object]] = {}
    first: dict[object, Element] = {}

    def read(where: Element, who: str) -> str | None:
        if where[0] not in written:
            return None
        cell = (where[0], cell_of[where[0]](where[1]))
        if where not in last:  # it was there before: nothing else was in its cell, then or now
            other = first.setdefault(cell, where)
            if other != where or cell in cells:
                return f"{who} reads {where} of before, its cell holds {cells.get(cell, other)}"
        elif cells[cell] != (where, last[where]):
            return f"{who} reads {where}, its cell holds {cells[cell]}"
        return None

    for time, (line, point) in enumerate(instances(lines, n)):
        who = f"{line.name}{point} {chance.drawn}"
        runs = True
        for look in line.predicate_reads:
            where = element(look.array, look.index, line, point, n)
            wrong = read(where, who)
            if wrong:
                yield wrong
            if where not in conditions:
                conditions[where] = chance.next()
            runs = conditions[where] == look.value
            if not runs:
                break
        if not runs:
            continue
        for array, index in line.reads:
            wrong = read(element(array, index, line, point, n), who)
            if wrong:
                yield wrong
        for array, index in line.writes:
            where = element(array, index, line, point, n)
            conditions.pop(where, None)
            last[where] = time
            cells[where[0], cell_of[where[0]](where[1])] = (where, time)


def cell_function(mapping: Mapping[str, Any], shift: int) -> Any:
    """The cell of an element by plan.json; the design has the indices of A moved by `shift`."""
    (piece,) = mapping["pieces"]
    assert piece["domain"] is None

    def cell(index: Sequence[int]) -> tuple[int, ...]:
        moved = [one + shift for one in index]
        offset = piece.get("offset_value", [0] * len(piece["matrix_value"]))
        return tuple(
            (sum(f * x for f, x in zip(row, moved, strict=True)) + plus) % modulus
            for row, plus, modulus in zip(
                piece["matrix_value"], offset, piece["modulus_value"], strict=True
            )
        )

    return cell


def planned(folder: Path, lines: Sequence[Line], n: int) -> Mapping[str, Any] | None:
    """The mappings of plan.json; None where something is read that nothing provides."""
    path = folder / "design.yaml"
    path.write_text(stored(lines, n, live=True))
    try:
        plan = plan_storage(load(path, settings=["host.objective=plan"])).plan
    except InputError as error:
        if not all(re.search("reads|is read before", one.what) for one in error.problems):
            raise
        return None
    arrays = json.loads(to_json(plan))["arrays"]
    return {name: part_in(one)["mapping"] for name, one in arrays.items()}


def wrong_in(folder: Path, seed: int) -> list[str] | None:
    """What goes wrong in a random program; None where it is not run."""
    lines, n = random_program(seed), 2 + seed % 2
    mappings = planned(folder, lines, n)
    if mappings is None:
        return None
    cell_of = {name: cell_function(one, int(name == "A")) for name, one in mappings.items()}
    try:
        return list(outcomes(lines, n, cell_of))
    except TooManyError:
        return None


# A program takes about a second, most of it for its plan.
@pytest.mark.few(1)
@pytest.mark.parametrize("first", range(0, 400, 5))
def test_every_outcome_of_random_programs(tmp_path: Path, first: int) -> None:
    found = [wrong_in(tmp_path, seed) for seed in range(first, first + 5)]
    assert all(not one for one in found), found
    assert any(one is not None for one in found)


GUARDED = [
    Line("S0", ("i",), (0, 0), writes=(("A", ("i",)),)),
    Line("S1", ("i",), (1, 0), writes=(("A", ("n-1-i",)),), inside=1),
    Line("S2", ("i",), (2, 0), reads=(("A", ("i",)),)),
]


def test_a_cell_too_few_is_seen() -> None:
    """All elements in one cell, and each in its own."""
    few = {"A": lambda _: ()}
    assert list(outcomes(GUARDED, 3, few))
    assert not list(outcomes(GUARDED, 3, {"A": tuple}))


def test_a_guarded_write_taken_for_certain_is_seen(tmp_path: Path) -> None:
    """Each element in turn: one cell does where S1 surely writes, and not where it may not."""
    guarded = PredicateRead("T1", ("i",), 1)
    lines = [
        Line("S0", ("i",), (0, 0), writes=(("A", ("i",)),)),
        Line("S1", ("i",), (1, 0), writes=(("A", ("i",)),), predicate_reads=(guarded,), inside=1),
        Line("S2", ("i",), (1, 1), reads=(("A", ("i",)),)),
    ]
    certain = [replace(one, predicate_reads=()) for one in lines]
    mappings = [planned(tmp_path, one, 3) for one in (lines, certain)]
    assert all(one is not None for one in mappings)
    own, others = ({"A": cell_function(one["A"], 1)} for one in mappings if one is not None)
    assert not list(outcomes(lines, 3, own))
    assert not list(outcomes(certain, 3, others))
    assert list(outcomes(lines, 3, others))
