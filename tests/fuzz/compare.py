"""hlsmem's answers about a random program beside those of enumeration.

Conflicts, elements and max-live of every planned array; whether reads are provided and an order
is legal; and whether the replay accepts a random mapping exactly where no conflicting elements
share a cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from hlsmem.check.replayed.folded_memory import History, history_of, most_alive, play
from hlsmem.check.replayed.run_events import Accesses
from hlsmem.core.errors import InputError, Problems
from hlsmem.lifetime.live_interval import live_intervals, written_during
from hlsmem.lifetime.max_live import max_live
from hlsmem.lifetime.occupancy import occupancies
from hlsmem.lifetime.soundness import check_reads, check_writes
from hlsmem.polyhedra.sets import differences, fix_parameters, points
from hlsmem.program.model import Program as Planned
from hlsmem.program.model import Storage
from hlsmem.timing.events import events, full_events
from hlsmem.timing.planned_program import arranged
from hlsmem.timing.value_flow import dataflow
from tests.fuzz.generate import random_program, statement_names
from tests.fuzz.language import Element, Instance, Program, Time, run
from tests.fuzz.meaning import Flow, Lives, flow, lives, same_flow
from tests.fuzz.schedules import Order, random_order
from tests.steps import load


@dataclass(frozen=True, kw_only=True)
class Case:
    """A program and how it is planned: `level` loops make a step, None: sequential order."""

    seed: int
    program: Program
    level: int | None
    strict: bool
    order: Order | None
    runs: Mapping[int, Sequence[Instance]]
    depths: tuple[int, ...]

    @cached_property
    def kept(self) -> Mapping[int, Sequence[Instance]]:
        """The runs without instances that only hold undefined values no output needs."""
        outside = {one.name for one in self.program.arrays if one.kind == "outside"}
        found = {}
        for n, instances in self.runs.items():
            writing = [k for k, one in enumerate(instances) if one.write[0] in outside]
            stays = _flow(self.program, instances, range_times(instances)).needed(writing)
            found[n] = [instances[number] for number in stays]
        return found

    def design(self) -> str:
        """The design.yaml."""
        program = self.program
        lines = [f"hlsmem: 1\nname: {program.name}", f"params: {{N: {program.n}}}"]
        lines.append(f'context: "[N] -> {{ : {program.sizes[0]} <= N <= {program.sizes[-1]} }}"')
        lines.append(f"kernel: {{file: {program.name}.c}}")
        kinds = [a.name for a in program.arrays if a.kind == "parameter"]
        if kinds:
            inner = ", ".join(f"{name}: {{storage: memory}}" for name in kinds)
            lines.append(f"arrays: {{{inner}}}")
        if self.level is not None:
            lines.append(f"order: iteration\npipeline: {{level: {self.level}}}")
        if self.strict:
            lines.append("plan: {strict: true}")
        if self.order is not None:
            text = self.order.text(statement_names(program), "[N] -> ")
            lines.append(f'schedule: "{text}"')
        return "\n".join(lines) + "\n"


def described(case: Case) -> str:
    """A case as a person reads it."""
    return f"seed {case.seed}:\n{case.design()}\n{case.program.text()}"


def random_case(seed: int, *, large: bool = False) -> Case:
    """The program of a seed, and how to plan it."""
    program = random_program(seed, large=large)
    random = Random(f"{seed}.case")
    runs = {n: run(program, n, 10_000) for n in program.sizes}
    depths = tuple(_depths(program))
    kind = random.random()
    order = level = None
    if kind < 0.25:
        order = _near_legal(random, program, runs, depths)
    elif kind < 0.5 and max(depths) > 0:
        level = random.randint(1, max(depths))
    strict = random.random() < 0.3
    return Case(
        seed=seed,
        program=program,
        level=level,
        strict=strict,
        order=order,
        runs=runs,
        depths=depths,
    )


def _near_legal(
    random: Random,
    program: Program,
    runs: Mapping[int, Sequence[Instance]],
    depths: tuple[int, ...],
) -> Order:
    """An order; legal where a few attempts find one, most of the time."""
    for _ in range(random.choice([1, 8, 8])):
        order = random_order(random, runs[program.n], depths)
        if all(_is_legal(program, runs[n], order) for n in program.sizes):
            return order
    return order


def _depths(program: Program) -> Iterable[int]:
    """The number of loops around each assignment."""

    def inside(statements: Any, depth: int) -> Iterable[int]:
        for one in statements:
            if hasattr(one, "terms"):
                yield depth
            elif hasattr(one, "body"):
                yield from inside(one.body, depth + 1)
            else:
                yield from inside(one.then, depth)
                yield from inside(one.otherwise, depth)

    return inside(program.statements, 0)


# What enumeration says.


def live_elements(program: Program, instances: Sequence[Instance]) -> tuple[dict, dict]:
    """What is live before and after: elements of parameters that are read, and written."""
    known = {array.name for array in program.arrays if array.kind != "local"}
    before: dict[str, dict[Element, None]] = {name: {} for name in known}
    after: dict[str, dict[Element, None]] = {name: {} for name in known}
    for one in instances:
        for array, element in one.reads:
            if array in known:
                before[array][element] = None
        array, element = one.write
        if array in known:
            after[array][element] = None
    return before, after


def source_times(instances: Sequence[Instance], depths: Sequence[int]) -> list[Time]:
    size = 2 * max(depths) + 1
    return [one.time + (0,) * (size - len(one.time)) for one in instances]


def _flow(program: Program, instances: Sequence[Instance], times: Sequence[Time]) -> Flow:
    return flow(instances, times, *live_elements(program, instances))


def _is_legal(program: Program, instances: Sequence[Instance], order: Order) -> bool:
    own = _flow(program, instances, [(k,) for k in range(len(instances))])
    other = _flow(program, instances, [order.of(one) for one in instances])
    return same_flow(own, other) and not other.clash


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What there is to find: a refusal, or the lives of every array at the plan's N."""

    refused: str
    flow: Flow
    times: Sequence[Time]
    lives: Mapping[str, Lives]


def expected(case: Case) -> Expected:
    """What enumeration says of a case."""
    program, refused = case.program, ""
    for n in program.sizes:
        instances = case.kept[n] if any(case.kept.values()) else case.runs[n]
        if _flow(program, instances, range_times(instances)).unprovided:
            refused = refused or "read"
        if case.order is not None and not _is_legal(program, instances, case.order):
            refused = "schedule"
    if not case.runs[program.n]:
        refused = "nothing runs"
    instances = case.kept[program.n]
    times = source_times(instances, case.depths)
    if case.order is not None:
        times = [case.order.of(one) for one in instances]
    found = _flow(program, instances, times)
    step = None if case.level is None else 2 * case.level
    return Expected(
        refused=refused,
        flow=found,
        times=times,
        lives={
            array: lives(values, step=step, strict=case.strict)
            for array, values in found.values.items()
        },
    )


def range_times(instances: Sequence[Instance]) -> list[Time]:
    return [(k,) for k in range(len(instances))]


# What hlsmem says.


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a comparison came across: refused programs, arrays of several conflict pieces."""

    refused: str
    pieces: int = 0
    arrays: int = 0
    valid: int = 0
    invalid: int = 0


def compare(case: Case, folder: Path) -> Outcome:
    """Plan a case in `folder`; AssertionError where hlsmem and enumeration differ."""
    wanted = expected(case)
    (folder / f"{case.program.name}.c").write_text(case.program.text())
    file = folder / f"{case.program.name}.yaml"
    file.write_text(case.design())
    try:
        planned = arranged(load(file).input)
        conflicts = _analysed(planned, case.strict)
    except InputError as error:
        told = {
            "": (),
            "nothing runs": ("no statement ever runs",),
            "read": (" read",),
            "schedule": ("the schedule", "at the same time"),
        }
        if not any(words in str(error) for words in told[wanted.refused]):
            raise AssertionError(f"refused: {error}; to find: {wanted.refused}") from None
        return Outcome(refused=wanted.refused)
    assert not wanted.refused, f"not refused: {wanted.refused}"
    pieces = valid = 0
    for name, (oriented, most) in conflicts.items():
        own = wanted.lives.get(name, Lives(frozenset(), frozenset(), 0))
        both = oriented.union(oriented.reverse())
        rank = len(planned.arrays[name].index)
        assert _pairs(both, planned, rank) == own.conflicts, f"conflicts of {name}"
        assert most is None or most == own.max_live, f"max-live of {name}: {most}"
        if case.seed % 4 == 0:
            apart = points(fix_parameters(differences(oriented), planned.values)).tolist()
            assert {tuple(row) for row in apart} == _differences(own, rank), f"DS of {name}"
        pieces += both.coalesce().n_basic_map() > 1
        valid += _replay_agrees(case, planned, name, own, wanted)
    return Outcome(
        refused="",
        pieces=pieces,
        arrays=len(conflicts),
        valid=valid,
        invalid=len(conflicts) - valid,
    )


def _analysed(program: Planned, strict: bool) -> dict[str, tuple[Any, int | None]]:
    """Oriented conflicts and max-live of every planned array."""
    full, times = full_events(program), events(program, strict=strict)
    flows = {
        array.name: dataflow(program, array.name, full)
        for array in program.arrays.values()
        if array.storage is not Storage.ROM
    }
    problems = Problems()
    for one in flows.values():
        check_reads(program, one, problems)
        check_writes(program, one, times, problems)
    problems.raise_if_any()
    found = {}
    for array in program.planned_arrays():
        own = live_intervals(program, array, flows[array.name], times)
        peak = max_live(occupancies(own), program.values)
        found[array.name] = written_during(own), None if peak is None else peak.cells
    return found


def _pairs(relation: Any, program: Planned, rank: int) -> set:
    rows = points(fix_parameters(relation, program.values)).tolist()
    return {(tuple(row[:rank]), tuple(row[rank:])) for row in rows}


def _differences(own: Lives, rank: int) -> set[Element]:
    found = {tuple(a - b for a, b in zip(x, y, strict=True)) for x, y in own.conflicts}
    return found | {(0,) * rank}


# A random mapping, and the replay's verdict on it.


def _replay_agrees(case: Case, planned: Planned, array: str, own: Lives, wanted: Expected) -> bool:
    """Whether a random mapping is valid; the replay must say so too."""
    random = Random(f"{case.seed}.{array}")
    rank = len(planned.arrays[array].index)
    rows = [
        ([random.randint(-2, 3) for _ in range(rank)], random.choice([1, 2, 3, 5, 8, 13]))
        for _ in range(random.choice([1, 1, 2]))
    ]

    def cell(element: Element) -> tuple[int, ...]:
        return tuple(
            sum(f * x for f, x in zip(factors, element, strict=True)) % modulus
            for factors, modulus in rows
        )

    valid = all(cell(x) != cell(y) for x, y in own.conflicts)
    history = _history(case, planned, array, wanted)
    numbers: dict[tuple[int, ...], int] = {}
    cells = [tuple(element) for element in history.elements.tolist()]
    address = np.array([numbers.setdefault(cell(e), len(numbers)) for e in cells], dtype=np.int64)
    accepted = play(history, address, strict=case.strict) is None
    assert accepted == valid, f"replay of {array} by {rows}: accepted {accepted}"
    assert most_alive(history, strict=case.strict) == own.max_live, f"most alive of {array}"
    return valid


def _history(case: Case, planned: Planned, array: str, wanted: Expected) -> History:
    """The run of the interpreter here as the replay sees one."""
    rank = len(planned.arrays[array].index)
    rows: list[tuple[int, bool, Element]] = []
    instances = case.kept[case.program.n]
    for number, one in enumerate(instances):
        rows += [(number, False, element) for name, element in one.reads if name == array]
        if one.write[0] == array:
            rows.append((number, True, one.write[1]))
    elements = np.array([row[2] for row in rows], dtype=np.int64).reshape(len(rows), rank)
    accesses = Accesses(
        instance=np.array([row[0] for row in rows], dtype=np.int64),
        write=np.array([row[1] for row in rows], dtype=bool),
        element=elements,
        bits=_bits(rows),
    )
    times = np.array(wanted.times, dtype=np.int64)
    times = times.reshape(len(instances), planned.time_dimensions)
    before, after = (
        np.array(list(live.get(array, ())), dtype=np.int64).reshape(len(live.get(array, ())), rank)
        for live in live_elements(case.program, instances)
    )
    return history_of(planned, accesses, times, live_in=before, live_out=after)


def _bits(rows: Sequence[tuple[int, bool, Element]]) -> np.ndarray:
    """Every write its own value: what a read finds in the order of the source."""
    holds: dict[Element, int] = {}
    found = []
    for number, (_, write, element) in enumerate(rows):
        if write:
            holds[element] = number + 1
        found.append(holds.get(element, -1 - hash(element) % 1000))
    return np.array(found, dtype=np.int64)
