"""The choice of storage: of all plans that fit the target the cheapest that does not stall.

Every candidate is built; its words, cost and reason are those of what was built. Arrays are decided
in the order of the data flow, the others at their present choice, until nothing changes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from typing import Any

from hlsmem.core.budgets import ACCESSES
from hlsmem.core.errors import InputError, LimitError
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.cycle_model import Datapaths, Prediction, datapaths_of
from hlsmem.devices.primitives import Cost, excess
from hlsmem.plan import Elastic
from hlsmem.program.model import Program
from hlsmem.storage.build import BuiltStorage, Terms, build, with_output_register
from hlsmem.storage.elastic import branch_cost
from hlsmem.storage.junctions import Junction
from hlsmem.storage.kinds import Circuit
from hlsmem.storage.knapsack import added, cheapest
from hlsmem.storage.predicted_run import predict_circuits
from hlsmem.storage.skipped_runs import CYCLES_ALLOWED, ENDS, Run, is_full, least_of, run_of
from hlsmem.storage.storage_candidates import Candidate, Figures

MOST_ROUNDS = 4
# Candidates of one array whose runs are predicted, the cheapest first; and where storage of it may
# still save cycles then.
MOST_PREDICTED, MOST_TRIED = 3, 8
# Accesses of an array that are listed at most, where isl has no gates of a memory that is to be
# compared with what is there.
MOST_COMPARED = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Outcome of a candidate: its storage, and its cycles where its run was predicted.

    `waiting` are the words of all branch FIFOs in it. `reason` says why there is no such storage,
    empty where there is.
    """

    candidate: Candidate
    built: BuiltStorage | None = None
    cycles: int | None = None
    waiting: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageChoice:
    """The storage of all arrays, the run with it, and the outcomes of the others by array.

    `elastic` are the branch FIFOs, `waiting` the words of all of them, `lookups` the work that went
    into runs.
    """

    built: Mapping[str, BuiltStorage]
    prediction: Prediction
    elastic: tuple[Elastic, ...] = ()
    waiting: int = 0
    lookups: int = 0
    outcomes: Mapping[str, tuple[Outcome, ...]] = field(default_factory=dict)

    @property
    def circuits(self) -> tuple[Circuit, ...]:
        return tuple(circuit for one in self.built.values() for circuit in one.circuits)

    @property
    def junctions(self) -> tuple[Junction, ...]:
        return tuple(junction for one in self.built.values() for junction in one.junctions)

    @property
    def blocks(self) -> int:
        """The block RAMs of all arrays."""
        return sum(one.blocks for one in self.built.values())

    def run(self, program: Program, idle: Mapping[str, Any] | None = None) -> Prediction:
        """The run with its branch FIFOs, in which the instances at the times `idle` do not run.

        Raises LimitError where it is too long to predict, or ends nowhere.
        """
        return self.run_with(datapaths_of(program), idle)

    def run_with(self, datapaths: Datapaths, idle: Mapping[str, Any] | None = None) -> Prediction:
        """The same with these datapaths."""
        depths = {one.stream: one.beats for one in self.elastic}
        return predict_circuits(self.circuits, datapaths, self.junctions, depths, idle)

    def registered(self) -> StorageChoice:
        """The choice, and what was not chosen, with RAMs read through output registers.

        The prediction stays that of before.
        """
        outcomes = {
            name: tuple(
                one if one.built is None else replace(one, built=with_output_register(one.built))
                for one in found
            )
            for name, found in self.outcomes.items()
        }
        built = {name: with_output_register(one) for name, one in self.built.items()}
        return replace(self, built=built, outcomes=outcomes)


class Chooser:
    """Builds and compares candidates; circuits and runs that were made are kept."""

    def __init__(
        self, program: Program, candidates: Mapping[str, Sequence[Candidate]], terms: Terms
    ) -> None:
        self.program, self.terms = program, terms
        self.runs: dict[tuple[Candidate, ...], Run | LimitError] = {}
        self.bounds: dict[tuple[tuple[Candidate, ...], frozenset[str]], int] = {}
        self.vain: dict[tuple[Candidate, ...], frozenset[Candidate]] = {}
        self.outcomes: dict[str, dict[Candidate, Outcome]] = {}
        self.ways: dict[str, list[BuiltStorage]] = {}
        for name, found in candidates.items():
            self.outcomes[name] = {}
            self.ways[name] = self.built(name, found)

    def built(self, name: str, candidates: Sequence[Candidate]) -> list[BuiltStorage]:
        """Buildable storage of an array, the cheapest first; of the same parts the cheapest.

        Raises what building the first candidate raises, where nothing can be built.
        """
        found: list[BuiltStorage] = []
        first: InputError | LimitError | None = None
        for candidate in candidates:
            is_compared = any(self.fits(one.cost) for one in found)
            most = MOST_COMPARED if is_compared else ACCESSES
            try:
                found.append(build(self.program, candidate, self.terms, most))
            except (InputError, LimitError) as error:
                first = first or error
                self.outcomes[name][candidate] = Outcome(candidate=candidate, reason=_text(error))
        if not found:
            assert first is not None
            raise first
        found.sort(key=lambda one: (*self.rank(one), *one.candidate.order))
        for one in found:
            self.note(name, one)
        return found

    def rank(self, built: BuiltStorage) -> Figures:
        return self.terms.ranking.of(built.candidate, built.cost)

    def choose(self) -> StorageChoice:
        """The cheapest of all that fits, where it neither stalls nor takes branch FIFOs, else what
        the rounds come to, or have come to when as much work went into runs as may.

        Raises LimitError if nothing moves in its run.
        """
        current = cheapest(self.ways, self.rank, self.terms.budget)
        if not self.is_least(current) or self.branches(current):
            for _ in range(MOST_ROUNDS):
                before = dict(current)
                for name in self.in_order_of_flow():
                    current[name] = self.better(name, current)
                if current == before or self.is_spent:
                    break
        run = self.run(current)
        if isinstance(run, LimitError):
            raise run
        outcomes = {name: self.listed(name) for name in self.ways}
        return StorageChoice(
            built=current,
            prediction=run.prediction,
            elastic=run.elastic,
            waiting=self.waiting(current),
            lookups=self.lookups,
            outcomes=outcomes,
        )

    def listed(self, name: str) -> tuple[Outcome, ...]:
        """The outcomes of an array: those that there are, the cheapest first, then the others."""
        found = self.outcomes[name]
        ways = [found[one.candidate] for one in self.ways[name]]
        return (*ways, *(one for one in found.values() if one.built is None))

    def note(
        self,
        name: str,
        built: BuiltStorage,
        *,
        cycles: int | None = None,
        waiting: int | None = None,
        reason: str = "",
    ) -> None:
        candidate = built.candidate
        self.outcomes[name][candidate] = Outcome(
            candidate=candidate, built=built, cycles=cycles, waiting=waiting, reason=reason
        )

    def fits(self, cost: Cost | None) -> bool:
        return cost is None or not excess(cost, self.terms.budget)

    def run(self, current: Mapping[str, BuiltStorage]) -> Run | LimitError:
        key = _key(current)
        if key not in self.runs:
            try:
                least = partial(self.bound, current, frozenset())
                self.runs[key] = run_of(current.values(), self.terms.datapaths, least)
            except LimitError as error:
                self.runs[key] = error
        return self.runs[key]

    @property
    def lookups(self) -> int:
        """The work that went into runs."""
        return sum(one.lookups for one in self.runs.values() if isinstance(one, Run))

    @property
    def is_spent(self) -> bool:
        """True if the runs have taken all the work that may go into them."""
        return self.terms.lookups is not None and self.lookups > self.terms.lookups

    def is_least(self, current: Mapping[str, BuiltStorage]) -> bool:
        """True if no other storage can save more cycles than are allowed."""
        run = self.run(current)
        if isinstance(run, LimitError):
            return False
        if is_full(run.prediction):
            return True
        if run.prediction.cycles is None:
            return False
        return run.prediction.cycles <= CYCLES_ALLOWED * self.least(current) + ENDS

    def least(self, current: Mapping[str, BuiltStorage]) -> int:
        """Cycles that no storage of the same parts undercuts."""
        return self.bound(current, frozenset(current))

    def bound(self, current: Mapping[str, BuiltStorage], free: frozenset[str]) -> int:
        """Cycles that no run undercuts, whatever holds the arrays that are `free`."""
        key = (_key(current), free)
        if key not in self.bounds:
            fastest = [
                min((c.least_cycles for one in self.ways[name] for c in one.circuits), default=2)
                if name in free
                else None
                for name in current
            ]
            self.bounds[key] = least_of(current.values(), self.terms.datapaths, fastest)
        return self.bounds[key]

    def is_hopeless(
        self, built: BuiltStorage, name: str, current: Mapping[str, BuiltStorage]
    ) -> bool:
        """True if storage dearer than the present choice cannot save the cycles that it has to."""
        run = self.run(current)
        if isinstance(run, LimitError) or run.prediction.cycles is None:
            return False
        if self.rank(built) < self.total(name, current):
            return False
        cycles, others = run.prediction.cycles, _beside(run.prediction, current)
        # Most arrays are not what a run waits for: one bound tells that of all of them.
        if name in others and cycles <= CYCLES_ALLOWED * self.bound(current, others):
            return True
        if built.candidate in self.vain.get(_key(current), ()):
            return True
        if cycles <= CYCLES_ALLOWED * self.bound({**current, name: built}, frozenset()):
            return True
        return built.candidate in self.together(current)

    def together(self, current: Mapping[str, BuiltStorage]) -> frozenset[Candidate]:
        """Candidates of several arrays that do not save enough cycles when all are taken at once.

        That one of them alone saves more is not thought of: runs of each would take long.
        """
        key = _key(current)
        if key not in self.vain:
            found = set[Candidate]()
            for position in range(1, MOST_PREDICTED):
                dearer = {
                    name: ways[position]
                    for name, ways in self.ways.items()
                    if len(ways) > position and self.rank(ways[position]) > self.rank(current[name])
                }
                if len(dearer) > 1 and self.is_in_vain(dearer, current):
                    found |= {one.candidate for one in dearer.values()}
            self.vain[key] = frozenset(found)
        return self.vain[key]

    def is_in_vain(
        self, others: Mapping[str, BuiltStorage], current: Mapping[str, BuiltStorage]
    ) -> bool:
        """True if a run with other storage is hardly shorter, nor much longer."""
        now, then = self.run(current), self.run({**current, **others})
        if isinstance(now, LimitError) or isinstance(then, LimitError):
            return False
        before, after = now.prediction.cycles, then.prediction.cycles
        if before is None or after is None:
            return False
        return before <= CYCLES_ALLOWED * after and after <= CYCLES_ALLOWED * before

    def branches(self, current: Mapping[str, BuiltStorage]) -> Figures:
        """Cost of the branch FIFOs of a run, in the figures that candidates are ranked by.

        Empty where there are none.
        """
        run = self.run(current)
        if isinstance(run, LimitError) or not run.elastic:
            return ()
        words = self.waiting(current)
        device, cost = self.terms.device, None
        if device is not None:
            cost = sum((branch_cost(device, one) for one in run.elastic), Cost())
        return self.terms.ranking.figures(words, cost)

    def waiting(self, current: Mapping[str, BuiltStorage]) -> int:
        """The words of all branch FIFOs in a run."""
        run = self.run(current)
        circuits = (circuit for one in current.values() for circuit in one.circuits)
        operands = {
            stream.name: len(stream.operands) for circuit in circuits for stream in circuit.streams
        }
        elastic = () if isinstance(run, LimitError) else run.elastic
        return sum(one.beats * operands[one.stream] for one in elastic)

    def in_order_of_flow(self) -> list[str]:
        """Arrays in the order of the statements that write them."""
        written = [a.array for one in self.program.statements for a in one.writes]
        order = {name: position for position, name in reversed(list(enumerate(written)))}
        return sorted(self.ways, key=lambda name: order.get(name, -1))

    def better(self, name: str, current: Mapping[str, BuiltStorage]) -> BuiltStorage:
        """Of an array's candidates the cheapest, its branch FIFOs counted, whose run takes hardly
        more than the least, of those that fit beside the others."""
        others = sum(
            (one.cost or Cost() for array, one in current.items() if array != name), Cost()
        )
        fitting = [one for one in self.ways[name] if self.fits(others + (one.cost or Cost()))]
        if self.is_least(current):
            # Only what is cheaper by itself than the present choice with its branch FIFOs.
            now = self.total(name, current)
            fitting = [one for one in fitting if one == current[name] or self.rank(one) < now]
        found: list[tuple[float, BuiltStorage]] = []
        for position, built in enumerate((fitting or [current[name]])[:MOST_TRIED]):
            if position >= MOST_PREDICTED and not self.may_save(name, found, current):
                break
            if built != current[name] and self.is_spent:
                continue
            if built != current[name] and self.is_hopeless(built, name, current):
                continue
            run = self.run({**current, name: built})
            if isinstance(run, LimitError):
                self.note(name, built, reason=_text(run))
                continue
            cycles, waiting = run.prediction.cycles, self.waiting({**current, name: built})
            self.note(name, built, cycles=cycles, waiting=waiting)
            found.append((math.inf if cycles is None else cycles, built))
        least = min((cycles for cycles, _ in found), default=math.inf)
        allowed = (one for cycles, one in found if cycles <= CYCLES_ALLOWED * least)
        return min(
            allowed,
            key=lambda one: self.total(name, {**current, name: one}),
            default=current[name],
        )

    def may_save(
        self,
        name: str,
        found: Sequence[tuple[float, BuiltStorage]],
        current: Mapping[str, BuiltStorage],
    ) -> bool:
        """True if other storage of an array may save more cycles than are allowed."""
        least = min((cycles for cycles, _ in found), default=math.inf)
        return least > CYCLES_ALLOWED * self.bound(current, frozenset([name])) + ENDS

    def total(self, name: str, current: Mapping[str, BuiltStorage]) -> Figures:
        """Cost of an array and all branch FIFOs."""
        return added(self.branches(current), self.rank(current[name]))


def _key(current: Mapping[str, BuiltStorage]) -> tuple[Candidate, ...]:
    return tuple(one.candidate for one in current.values())


def _beside(prediction: Prediction, current: Mapping[str, BuiltStorage]) -> frozenset[str]:
    """The arrays whose streams are not what a run most often waits for."""
    wait = prediction.wait
    waiting = set() if wait is None else {wait.stream, wait.other}
    return frozenset(
        name
        for name, one in current.items()
        if not any(stream.name in waiting for c in one.circuits for stream in c.streams)
    )


def _text(error: InputError | LimitError) -> str:
    return "; ".join(problem.what for problem in error.problems)
