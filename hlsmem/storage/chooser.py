"""The choice of storage: of all candidates of all arrays the cheapest that does not stall.

Arrays are decided in the order of the data flow, the others at their present choice, until
nothing changes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from hlsmem.errors import InputError, LimitError
from hlsmem.plan import Elastic, Plan
from hlsmem.predict import Prediction
from hlsmem.program import Program
from hlsmem.storage.candidates import Candidate, Ranking
from hlsmem.storage.circuits import Circuit, array_circuit
from hlsmem.storage.elastic import branch_fifos
from hlsmem.storage.junctions import Junction, junctions
from hlsmem.storage.layout import layout
from hlsmem.storage.parts import PartArray, divided
from hlsmem.storage.prediction import predict_circuits

# Of the plans of an array's candidates, those that take at most so many times the least cycles.
CYCLES_ALLOWED = 1.05
MOST_ROUNDS = 4
# Candidates of one array whose runs are predicted, the cheapest first.
MOST_PREDICTED = 3
# Cycles at the ends of a run that no choice of storage saves.
_ENDS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A candidate with its circuits.

    `program` has the parts in place of the array, where there are several; `parts` are these.
    """

    candidate: Candidate
    program: Program
    parts: tuple[PartArray, ...]
    layout: Plan
    circuits: tuple[Circuit, ...]
    junctions: tuple[Junction, ...] = ()
    output_register: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a candidate: its cycles where its run was predicted, else why it has none."""

    candidate: Candidate
    cycles: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The storage of all arrays, the run with it, and the outcomes of the others by array.

    `elastic` are the branch FIFOs.
    """

    built: Mapping[str, Built]
    prediction: Prediction
    elastic: tuple[Elastic, ...] = ()
    outcomes: Mapping[str, tuple[Outcome, ...]] = field(default_factory=dict)

    @property
    def circuits(self) -> tuple[Circuit, ...]:
        return tuple(circuit for one in self.built.values() for circuit in one.circuits)

    @property
    def junctions(self) -> tuple[Junction, ...]:
        return tuple(junction for one in self.built.values() for junction in one.junctions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The predicted run of a choice, with its branch FIFOs."""

    prediction: Prediction
    elastic: tuple[Elastic, ...] = ()


def build(
    program: Program, candidate: Candidate, *, strict: bool, slack: int, output_register: bool
) -> Built:
    """The circuits of a candidate.

    Raises InputError where its streams cannot hold together, LimitError where a walk needs what
    walkers cannot do, or there are too many beats to look at one by one.
    """
    array = program.arrays[candidate.array]
    own, parts = program, tuple[PartArray, ...]()
    names = [array.name]
    if len(candidate.shares) > 1:
        own, parts = divided(program, array, [block for block, _ in candidate.shares])
        names = [part.name for part in parts]
    held = zip(names, (held for _, held in candidate.shares), strict=True)
    plan = layout(own, held, strict=strict, slack=slack)
    found = (
        array_circuit(own, plan, own.arrays[name], output_register=output_register)
        for name in names
    )
    circuits = tuple(circuit for circuit in found if circuit is not None)
    return Built(
        candidate=candidate,
        program=own,
        parts=parts,
        layout=plan,
        circuits=circuits,
        junctions=junctions(program, array, own, parts) if parts else (),
        output_register=output_register,
    )


class Chooser:
    """Builds and compares candidates; circuits and runs that were made are kept."""

    def __init__(
        self,
        program: Program,
        candidates: Mapping[str, Sequence[Candidate]],
        rank: Ranking,
        *,
        strict: bool,
        slack: int,
        latency: Mapping[str, int],
        output_register: bool = False,
    ) -> None:
        self.program, self.rank, self.latency = program, rank, latency
        self.build = partial(build, strict=strict, slack=slack, output_register=output_register)
        self.candidates = {name: list(found) for name, found in candidates.items()}
        self.made: dict[Candidate, Built | InputError | LimitError] = {}
        self.runs: dict[tuple[Candidate, ...], Run | LimitError] = {}
        self.outcomes: dict[str, dict[Candidate, Outcome]] = {name: {} for name in candidates}

    def built(self, candidate: Candidate) -> Built | InputError | LimitError:
        if candidate not in self.made:
            try:
                self.made[candidate] = self.build(self.program, candidate)
            except (InputError, LimitError) as error:
                self.made[candidate] = error
        return self.made[candidate]

    def choose(self) -> Chosen:
        """The cheapest of all, where it does not stall, else what the rounds come to.

        Raises what building the last candidate of an array raises.
        """
        current = {name: self.first(name) for name in self.candidates}
        if not _is_full(self.run(current)):
            for _ in range(MOST_ROUNDS):
                before = dict(current)
                for name in self.in_order_of_flow():
                    current[name] = self.better(name, current)
                if current == before:
                    break
        run = self.run(current)
        if isinstance(run, LimitError):
            raise run
        built = {name: self.must_build(one) for name, one in current.items()}
        outcomes = {
            name: tuple(self.outcomes[name].get(one, Outcome(candidate=one)) for one in found)
            for name, found in self.candidates.items()
        }
        return Chosen(
            built=built, prediction=run.prediction, elastic=run.elastic, outcomes=outcomes
        )

    def must_build(self, candidate: Candidate) -> Built:
        built = self.built(candidate)
        if isinstance(built, Exception):
            raise built
        return built

    def first(self, name: str) -> Candidate:
        """The cheapest candidate of an array that can be built."""
        error: Exception | None = None
        for candidate in self.candidates[name]:
            built = self.built(candidate)
            if isinstance(built, Built):
                return candidate
            error = error or built
            self.note(name, candidate, reason=_text(built))
        assert error is not None
        raise error

    def note(
        self, name: str, candidate: Candidate, *, cycles: int | None = None, reason: str = ""
    ) -> None:
        self.outcomes[name][candidate] = Outcome(candidate=candidate, cycles=cycles, reason=reason)

    def run(self, current: Mapping[str, Candidate]) -> Run | LimitError:
        key = tuple(current.values())
        if key not in self.runs:
            built = [self.must_build(one) for one in key]
            try:
                self.runs[key] = run_of(built, self.latency)
            except LimitError as error:
                self.runs[key] = error
        return self.runs[key]

    def in_order_of_flow(self) -> list[str]:
        """Arrays in the order of the statements that write them."""
        written = [a.array for one in self.program.statements for a in one.writes]
        order = {name: position for position, name in reversed(list(enumerate(written)))}
        return sorted(self.candidates, key=lambda name: order.get(name, -1))

    def better(self, name: str, current: Mapping[str, Candidate]) -> Candidate:
        """Of an array's candidates the cheapest whose run takes hardly more than the least."""
        found: list[tuple[float, Candidate]] = []
        for candidate in self.candidates[name][:MOST_PREDICTED]:
            built = self.built(candidate)
            if isinstance(built, Exception):
                self.note(name, candidate, reason=_text(built))
                continue
            run = self.run({**current, name: candidate})
            if isinstance(run, LimitError):
                self.note(name, candidate, reason=_text(run))
                continue
            cycles = run.prediction.cycles
            self.note(name, candidate, cycles=cycles)
            found.append((math.inf if cycles is None else cycles, candidate))
        least = min((cycles for cycles, _ in found), default=math.inf)
        allowed = (c for cycles, c in found if cycles <= CYCLES_ALLOWED * least)
        return next(allowed, current[name])


def _text(error: InputError | LimitError) -> str:
    return "; ".join(problem.what for problem in error.problems)


def run_of(built: Iterable[Built], latency: Mapping[str, int]) -> Run:
    """The run of what holds all arrays, with branch FIFOs where it stalls without and they help.

    Raises LimitError if nothing moves.
    """
    listed = tuple(built)
    circuits = [circuit for one in listed for circuit in one.circuits]
    joined = [junction for one in listed for junction in one.junctions]
    plain = Run(prediction=predict_circuits(circuits, latency, joined))
    if _is_full(plain):
        return plain
    elastic = branch_fifos(circuits, latency)
    depths = {one.stream: one.beats for one in elastic}
    if not depths:
        return plain
    run = Run(prediction=predict_circuits(circuits, latency, joined, depths), elastic=elastic)
    before, after = plain.prediction.cycles, run.prediction.cycles
    helps = after is not None and (before is None or after * CYCLES_ALLOWED <= before)
    return run if helps else plain


def _is_full(run: Run | LimitError) -> bool:
    """Whether a run takes hardly more cycles than its longest stream has beats."""
    if isinstance(run, LimitError):
        return False
    prediction = run.prediction
    if prediction.cycles is None:
        return (prediction.interval or 1.0) <= CYCLES_ALLOWED
    beats = max((stream.beats for stream in prediction.streams), default=0)
    return prediction.cycles <= CYCLES_ALLOWED * beats + _ENDS
