"""Check `replay`: the program runs again over folded memories, and every read is compared.

Knows nothing of lifetimes: it has the accesses of a real run, the time of each instance and
the folding in plan.json. Every write leaves its element's name and value in the cell; every
read must find its own element with the value the original program saw there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from math import prod
from typing import Any

import numpy as np

from hlsmem.check.c_runs.c_trace import Beginning, Caller, trace_runs
from hlsmem.check.c_runs.condition_outcomes import (
    FORCED_OUTCOMES,
    OUTCOMES,
    OWN_OUTCOMES,
    BrokenPromise,
    Outcome,
    Tested,
    choices_of,
    tested_text,
    total,
)
from hlsmem.check.c_runs.run_inputs import inputs_of
from hlsmem.check.c_trees.clang_file import NotUnderstood
from hlsmem.check.c_trees.tree_walks import nodes_in
from hlsmem.check.networks.kernel_predicates import with_predicate_reads
from hlsmem.check.networks.network_run import run_outcomes, tested
from hlsmem.check.plans.ordered_parts import Passage, listed, passage_fault, recorded
from hlsmem.check.plans.plan_banks import cells, read_banked
from hlsmem.check.plans.plan_holdings import bounds_of
from hlsmem.check.plans.plan_holdings import whole as whole_entry
from hlsmem.check.plans.plan_mapping import addresses, by_formulas, read_folding
from hlsmem.check.plans.plan_parts import Divided, Part, divide
from hlsmem.check.plans.self_timed import TooLongError, turns
from hlsmem.check.plans.time_rules import rules_of
from hlsmem.check.rebuilt.run_prefix import Prefix, prefix_of
from hlsmem.check.rebuilt.witness_text import at_text, named
from hlsmem.check.replayed.expanded_run import DifferentValues, expanded_run, traced_arrays
from hlsmem.check.replayed.folded_memory import (
    History,
    Mismatch,
    history_of,
    most_alive,
    play,
    without_lacking,
)
from hlsmem.check.replayed.joined_run import DifferentBeats, joined_run
from hlsmem.check.replayed.planned_run import DifferentTile, arranged_run, longer
from hlsmem.check.replayed.run_events import Accesses, Run, joined, only
from hlsmem.core.budgets import RECORDED
from hlsmem.core.errors import LimitError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.verdict import Status, Verdict
from hlsmem.core.wording import counted
from hlsmem.plan import Plan
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.polyhedra.sweep import contains, evaluate
from hlsmem.program.model import (
    Array,
    ConflictInput,
    Copy,
    Kernel,
    KernelBody,
    Program,
    Statement,
    Storage,
)
from hlsmem.program.options import Design
from hlsmem.read.c import tree
from hlsmem_verify.kinds import KINDS

Document = Mapping[str, Any]


def _without_order(plan: Plan) -> tuple[Verdict, ...]:
    reason = "a conflict set has no order in which it could run"
    return tuple(
        Verdict(check="replay", subject=name, status=Status.SKIPPED, detail=reason)
        for name in plan.arrays
    )


def check_replay(
    design: Design,
    program: Program | None,
    plan: Plan,
    document: Document,
    prefix: Prefix | None = None,
) -> tuple[Verdict, ...]:
    """One verdict per array; `program` has its streams; None for a bare conflict set.

    With a `prefix` that beginning of the run is replayed. Raises ToolError without a C compiler,
    LimitError where the run is too long to record.
    """
    if program is None or isinstance(design.input, ConflictInput):
        return _without_order(plan)
    planned = [array for array in program.planned_arrays() if array.name in plan.arrays]
    if not planned:
        return ()
    played = program if prefix is None else prefix.of(program)
    _refuse_long_runs(played, planned)
    divided = divide(program, document)
    of_run = divided
    if prefix is not None:
        of_run = replace(divided, source=prefix.of(divided.program))
    judged: list[list[Verdict]] = []
    own: list[Mapping[str, Tested]] = []
    outcomes = outcomes_of(program)
    state = [array for array in planned if array.storage is Storage.STATE]

    def judge_all(asked: Sequence[Outcome | None]) -> None:
        runs = runs_of(program, planned, prefix, outcomes=asked)
        for (run, times), outcome in zip(runs, asked, strict=True):
            judged.append(
                [
                    verdict
                    for array in planned
                    for verdict in _judge(played, of_run, divided, array, run, times, document)
                ]
            )
            if outcome is not None and not outcome.is_forced:
                own.append(tested(run, played))

    try:
        judge_all(outcomes)
        constant = any(not one.ran or not one.kept for one in total(own))
        # What data find elements by cannot be forced: they might be found outside of arrays.
        if outcomes == OWN_OUTCOMES and constant and not _chooses(program):
            judge_all(FORCED_OUTCOMES)
            outcomes = (*outcomes, *FORCED_OUTCOMES)
    except NotUnderstood as reason:
        detail = f"the original cannot be replayed: {reason}"
        return tuple(_verdict(array, Status.NOT_JUDGED, detail) for array in planned)
    except Disagreement as reason:
        return tuple(_verdict(array, Status.FAIL, str(reason)) for array in planned)
    if state and prefix is None and len(judged) == 1:
        return tuple(_of_frames(judged[0], program, planned, document))
    if len(judged) == 1:
        return tuple(judged[0])
    return tuple(_of_all(judged, own, outcomes))


def _of_frames(
    judged: Sequence[Verdict], program: Program, planned: Sequence[Array], document: Document
) -> Iterator[Verdict]:
    """The verdicts on one run; those on state also on a second one, which begins where it ends."""
    run, times = _one_behind_the_other(run_of(program, planned), run_of(program, planned, before=1))
    for verdict in judged:
        array = program.arrays.get(verdict.subject)
        if array is None or array.storage is not Storage.STATE or not verdict.fine:
            yield verdict
            continue
        strict = rules_of(document).strict
        replayed = _replayed(program, array, run, times, strict)
        entry = whole_entry(document["arrays"][array.name])
        found = "" if entry is None else replayed.folded(entry)
        if found:
            yield _judged(array.name, f"over two frames, {found}", "")
        else:
            yield replace(verdict, detail=f"{verdict.detail}; the same over two frames")


def _one_behind_the_other(
    first: tuple[Run, np.ndarray], second: tuple[Run, np.ndarray]
) -> tuple[Run, np.ndarray]:
    """Two runs as one, all of the second later than all of the first."""
    (run, times), (other, later) = first, second
    instances = len(run.statement)
    later = later.copy()
    if len(times) and len(later):
        later[:, 0] += 1 + times[:, 0].max() - later[:, 0].min()
    accesses = {
        name: joined(own, replace(own_later, instance=own_later.instance + instances))
        for name, own in run.accesses.items()
        for own_later in (other.accesses[name],)
    }
    both = replace(
        run,
        statement=np.concatenate([run.statement, other.statement]),
        iterators=np.concatenate([run.iterators, other.iterators]),
        accesses=accesses,
    )
    return both, np.concatenate([times, later])


def _chooses(program: Program) -> bool:
    """True if data choose the elements of some access."""
    accesses = (one for s in program.statements for one in (*s.reads, *s.writes))
    return any(one.chosen for one in accesses)


def outcomes_of(program: Program) -> tuple[Outcome | None, ...]:
    """The outcomes of its conditions that a program is run with; one, None, if it has none."""
    if not program.has_conditions:
        return (None,)
    return OUTCOMES if program.source.kernel is None else OWN_OUTCOMES


def _of_all(
    judged: Sequence[Sequence[Verdict]],
    own: Sequence[Mapping[str, Tested]],
    outcomes: Sequence[Outcome | None],
) -> Iterator[Verdict]:
    """One verdict of several runs, each judged alike: the first that fails, or what was tested."""
    seeds = tuple(one.seed for one in outcomes if one is not None)
    for verdicts in zip(*judged, strict=True):
        failed = next((k for k, one in enumerate(verdicts) if one.status is Status.FAIL), None)
        if failed is None:
            detail = f"{verdicts[-1].detail}; {tested_text(own, len(judged))}"
            yield replace(verdicts[-1], detail=detail, outcomes=seeds)
        else:
            outcome = outcomes[failed]
            assert outcome is not None
            where = f"outcome {outcome.seed} ({outcome.kind}): "
            yield replace(verdicts[failed], detail=where + verdicts[failed].detail, outcomes=seeds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The inputs of a run: what calls a kernel, or what the arrays of a network hold at first.

    `contents` are patterns of bits (uint64) in the shape of the arrays.
    """

    caller: Caller | None = None
    contents: Mapping[str, np.ndarray] = field(default_factory=dict, compare=False)


def lacks_values(program: Program, planned: Sequence[Array], given: Given) -> bool:
    """True if in a run some read finds an element of a planned array that nothing wrote before."""
    run, times = run_of(program, planned, given=given)
    histories = (_replayed(program, array, run, times, False).history for array in planned)
    return any(bool((~one.write & (one.source < 0)).any()) for one in histories)


class Disagreement(Exception):
    """The original program does something else than the design says."""


def run_of(
    program: Program,
    planned: Sequence[Array],
    prefix: Prefix | None = None,
    given: Given | None = None,
    outcome: Outcome | None = None,
    before: int = 0,
) -> tuple[Run, np.ndarray]:
    """The run of a program with its arrivals and departures, and the time of every instance.

    Of a kernel it is called so often `before`: what it keeps is what these calls left.

    With a `prefix` only that of it is recorded; `given` are its inputs, else random ones; the
    conditions of a network have the `outcome`. Raises NotUnderstood, Disagreement or ToolError.
    """
    (found,) = runs_of(program, planned, prefix, given, (outcome,), before)
    return found


def runs_of(
    program: Program,
    planned: Sequence[Array],
    prefix: Prefix | None = None,
    given: Given | None = None,
    outcomes: Sequence[Outcome | None] = (None,),
    before: int = 0,
) -> Iterator[tuple[Run, np.ndarray]]:
    """The runs of a program with several outcomes of its conditions, as `run_of`."""
    played = program if prefix is None else prefix.of(program)
    if played.source.kernel is not None:
        runs = _kernel_runs(program, planned, prefix, given, outcomes, before)
    else:
        contents = {} if given is None else given.contents
        runs = run_outcomes(played.source, contents, outcomes)
    try:
        for run, times in runs:
            is_whole = played.source is played and played.kernel is None
            yield (run, times) if is_whole else _as_planned(played, run, times)
    except BrokenPromise as reason:
        raise Disagreement(str(reason)) from None


def _kernel_runs(
    program: Program,
    planned: Sequence[Array],
    prefix: Prefix | None,
    given: Given | None,
    outcomes: Sequence[Outcome | None],
    before: int,
) -> Iterator[tuple[Run, np.ndarray]]:
    """Traced runs of a kernel, and the time of every instance in the order of its source."""
    whole, program = program, program if prefix is None else prefix.of(program)
    source = program.as_read
    assert source.kernel is not None
    rows = _rows_of_parameters(whole.source, source.kernel)
    own = [s for s in source.statements if isinstance(s.body, KernelBody)]
    filtered = frozenset(number for number, one in enumerate(own) if one.filters)
    runs = trace_runs(
        source.kernel,
        values=program.values,
        planned=traced_arrays(program, planned),
        rows=rows,
        beginning=None if prefix is None else _beginning(program, own, prefix),
        caller=None if given is None else given.caller,
        before=before,
        looked_up=[_looked_up(one) for one in own],
        guarded=frozenset(number for number, one in enumerate(own) if _is_guarded(one)),
        filtered=filtered,
        outcomes=outcomes,
        choices=choices_of(source) if filtered else {},
        inputs=inputs_of(source) if filtered else {},
    )
    for run in runs:
        run = with_predicate_reads(source, own, run) if filtered else run
        times = _kernel_times(source, own, run)
        _compare_accesses(source, own, run)
        _refuse_strays(source, run)
        run = replace(run, statements=tuple(statement.name for statement in own))
        yield _without_undefined(program.source, run, times)


def _without_undefined(program: Program, run: Run, times: np.ndarray) -> tuple[Run, np.ndarray]:
    """The run without instances that only hold undefined values: the program does not have them.

    Should one of the others see such a value, it finds none.
    """
    if program.with_undefined is None:
        return run, times
    domains = {one.name: fix_parameters(one.domain, program.values) for one in program.statements}
    stays = np.zeros(len(run.statement), dtype=bool)
    for number, name in enumerate(run.statements):
        own = np.flatnonzero(run.statement == number)
        points = run.iterators[own, : run.depths[number]].astype(np.int64)
        stays[own] = contains(domains[name], points) if name in domains else False
    run = run.of_instances(stays)
    kept = [number for number, name in enumerate(run.statements) if name in domains]
    numbers = np.zeros(len(run.statements), dtype=run.statement.dtype)
    numbers[kept] = np.arange(len(kept))
    run = replace(
        run,
        statements=tuple(run.statements[number] for number in kept),
        depths=tuple(run.depths[number] for number in kept),
        statement=numbers[run.statement],
    )
    return run, times[stays]


def _as_planned(program: Program, run: Run, times: np.ndarray) -> tuple[Run, np.ndarray]:
    """A run of the program's source as one of the program, in its order and with its streams."""
    if program.source is not program:
        try:
            run = joined_run(program, expanded_run(program, run))
            run, times = arranged_run(program, run)
        except (DifferentTile, DifferentValues, DifferentBeats) as reason:
            raise Disagreement(str(reason)) from None
    times = longer(times, program.time_dimensions)
    for statement in program.statements:
        if isinstance(statement.body, Copy):
            run, times = _with_copy(program, statement, run, times)
    return run, times


def _is_guarded(statement: Statement) -> bool:
    return isinstance(statement.body, KernelBody) and isinstance(statement.body.node, tree.If)


def _looked_up(statement: Statement) -> frozenset[str]:
    """The arrays that a statement reads to find elements of others."""
    inside = {
        id(part)
        for access in (*statement.reads, *statement.writes)
        if access.chosen
        for node in nodes_in(access.node)
        if isinstance(node, tree.ArrayRef)
        for part in nodes_in(node.subscript)
    }
    return frozenset(one.array for one in statement.reads if id(one.node) in inside)


def _beginning(program: Program, own: Sequence[Statement], prefix: Prefix) -> Beginning:
    """The recorded beginning of a run: all that is not later, whether the design has it or not."""
    return Beginning(
        instances=tuple(prefix.of_statement(statement) for statement in own),
        count=sum(count(fix_parameters(one.domain, program.values)) for one in own),
    )


def _verdict(array: Array, status: Status, detail: str) -> Verdict:
    return Verdict(check="replay", subject=array.name, status=status, detail=detail)


def replayable(program: Program, prefix: Prefix) -> Prefix:
    """As much of a beginning as has no more accesses than are held in memory."""
    planned, found = program.planned_arrays(), prefix
    while (total := _accesses(found.of(program), planned)) > RECORDED:
        beats = min(found.beats - 1, found.beats * RECORDED // total)
        shorter = prefix_of(program, max(1, beats))
        if shorter is None or shorter.beats == found.beats:
            break
        found = shorter
    return found


def _accesses(program: Program, planned: Sequence[Array]) -> int:
    names = {array.name for array in planned}
    return sum(
        count(fix_parameters(access.relation.intersect_domain(statement.domain), program.values))
        for statement in program.statements
        for access in (*statement.sees, *statement.writes)
        if access.array in names
    )


def _refuse_long_runs(program: Program, planned: Sequence[Array]) -> None:
    total = _accesses(program, planned)
    if total > RECORDED:
        raise LimitError(
            Problem(
                f"a replay would record {total} accesses, more than {RECORDED}",
                "`--beats N` stops it after N beats of the longest stream",
            )
        )


def _rows_of_parameters(program: Program, kernel: Kernel) -> dict[str, int]:
    """Extent of the first subscript of every array parameter of the function."""
    rows: dict[str, int] = {}
    for array in program.arrays.values():
        if array.is_parameter and array.index:
            variable = kernel.variables[array.name]
            row = prod(stride.evaluate(program.values) for stride in variable.strides[:1])
            name = variable.declaration.name
            rows[name] = max(rows.get(name, 1), row * _rows(program, array))
    return rows


def _rows(program: Program, array: Array) -> int:
    """The first extent: as declared, else as far as the program reaches."""
    if array.extents is not None:
        return array.extents[0].evaluate(program.values)
    reach = 1
    for statement in program.statements:
        for access in (*statement.reads, *statement.writes):
            if access.array == array.name:
                relation = access.relation.intersect_domain(statement.domain)
                touched = fix_parameters(relation, program.values).range()
                if not touched.is_empty():
                    reach = max(reach, 1 + touched.dim_max_val(0).to_python())
    return reach


# The time of every instance, by the design's schedule.


def _kernel_times(program: Program, own: Sequence[Statement], run: Run) -> np.ndarray:
    """The time of each traced instance; what ran must be what the design says runs."""
    if len(own) != len(run.statements):
        raise Disagreement(
            f"the design has {len(own)} statements, the original {len(run.statements)}"
        )
    times = np.zeros((len(run.statement), program.time_dimensions), dtype=np.int64)
    for number, statement in enumerate(own):
        chosen = run.statement == number
        points = run.iterators[chosen, : run.depths[number]]
        domain = fix_parameters(statement.domain, program.values)
        if run.depths[number] != domain.dim(DimType.set) or count(domain) != len(points):
            raise Disagreement(
                f"{statement.name} ran {len(points)} times, the design says {count(domain)}"
            )
        schedule = fix_parameters(statement.schedule, program.values).intersect_domain(domain)
        try:
            times[chosen] = evaluate(schedule, points)
        except ValueError as error:
            raise Disagreement(f"{statement.name} ran outside its domain: {error}") from None
    return times


def _compare_accesses(program: Program, own: Sequence[Statement], run: Run) -> None:
    """Raise Disagreement where the original reads or writes an array more or less often."""
    for name, found in run.accesses.items():
        for write, verb in ((False, "reads"), (True, "writes")):
            counts = [
                (
                    access.must and not statement.filters,
                    count(fix_parameters(access.relation, program.values).wrap()),
                )
                for statement in own
                for access in (statement.writes if write else statement.sees)
                if access.array == name
            ]
            made = int((found.write == write).sum())
            least = sum(number for must, number in counts if must)
            most = sum(number for _, number in counts)
            if not least <= made <= most:
                said = str(most) if least == most else f"{least} to {most}"
                raise Disagreement(f"the original {verb} {name} {made} times, the design {said}")


def _refuse_strays(program: Program, run: Run) -> None:
    """Raise NotUnderstood where data lead the original out of an array: then nothing is defined."""
    accesses = [one for s in program.statements for one in (*s.sees, *s.writes)]
    for name in dict.fromkeys(one.array for one in accesses if one.chosen):
        array, found = program.arrays[name], run.accesses.get(name)
        if found is None or not array.index or array.extents is None:
            continue
        extents = [extent.evaluate(program.values) for extent in array.extents]
        outside = ((found.element < 0) | (found.element >= extents)).any(axis=1)
        if outside.any():
            first = int(np.flatnonzero(outside)[0])
            element = named(name, found.element[first].tolist())
            shape = "".join(f"[{extent}]" for extent in extents)
            verb = "writes" if found.write[first] else "reads"
            what = f"with drawn inputs it {verb} {element}, outside of {name}{shape}"
            raise NotUnderstood(f"{what}, as data decide; arrays.NAME.values says what they are")


def _with_copy(
    program: Program, statement: Statement, run: Run, times: np.ndarray
) -> tuple[Run, np.ndarray]:
    """The run with the arrival or departure of a stream added.

    An arrival brings what the original finds in an element first, a departure takes what it
    leaves there last.
    """
    domain = fix_parameters(statement.domain, program.values)
    points = distinct_points(domain)
    schedule = fix_parameters(statement.schedule, program.values).intersect_domain(domain)
    first = len(run.statement)
    accesses = dict(run.accesses)
    for write, chosen in ((False, statement.reads), (True, statement.writes)):
        for access in chosen:
            if access.array not in accesses:
                continue
            before = accesses[access.array]
            relation = fix_parameters(access.relation, program.values).intersect_domain(domain)
            made = contains(relation.domain(), points)
            element = evaluate(relation, points[made])
            own = Accesses(
                instance=first + np.flatnonzero(made),
                write=np.full(len(element), write),
                element=element,
                bits=_bits_at(before, element, last=not write),
            )
            # The original's own order: what arrives is there before, what leaves stays behind.
            accesses[access.array] = joined(own, before) if write else joined(before, own)
    depth = max(run.iterators.shape[1], points.shape[1])
    iterators = np.zeros((first + len(points), depth), dtype=np.int64)
    iterators[:first, : run.iterators.shape[1]] = run.iterators
    iterators[first:, : points.shape[1]] = points
    added = np.full(len(points), len(run.statements), dtype=np.int64)
    extended = Run(
        statements=(*run.statements, statement.name),
        depths=(*run.depths, points.shape[1]),
        statement=np.concatenate([run.statement, added]),
        iterators=iterators,
        accesses=accesses,
        ran=None if run.ran is None else np.concatenate([run.ran, np.ones(len(points), bool)]),
    )
    return extended, np.concatenate([times, evaluate(schedule, points)])


def _bits_at(accesses: Accesses, elements: np.ndarray, *, last: bool) -> np.ndarray:
    """Bits that the original finds first, or leaves last, in elements; 0 where it has no access."""
    own = accesses.element.tolist()
    bits = accesses.bits.tolist()
    if not last:
        own, bits = own[::-1], bits[::-1]
    content = {tuple(element): value for element, value in zip(own, bits, strict=True)}
    found = [content.get(tuple(element), 0) for element in elements.tolist()]
    return np.array(found, dtype=np.int64)


# Judging one array.


@dataclass(frozen=True, slots=True, kw_only=True)
class _Replayed:
    """An array or a part with its history, and how a mismatch is told."""

    program: Program
    array: Array
    run: Run
    history: History
    strict: bool

    def fault(self, address: np.ndarray, origin: str) -> str:
        """The first read that goes wrong when element k lies in cell `address[k]`, as text."""
        history = self.history
        if self.program.has_conditions:  # what some outcome leaves unwritten has no value
            history = without_lacking(history)
        mismatch = play(history, address, strict=self.strict)
        if mismatch is None:
            return ""
        return origin + _mismatch_text(self.program, self.array, self.run, history, mismatch)

    def folded(self, entry: Document) -> str:
        """The fault of a mapping, by its numbers and by its formulas."""
        values = self.program.values
        try:
            folding = read_folding(self.array.name, entry)
            formulas = by_formulas(folding, values)
        except (ValueError, KeyError, TypeError) as error:
            return f"the mapping cannot be read: {error}"
        try:
            numbers = addresses(folding, self.history.elements, values)
            evaluated = addresses(formulas, self.history.elements, values)
        except ValueError as error:
            return str(error)
        return self.fault(numbers, "") or self.fault(evaluated, "by the formulas of the plan, ")

    def banked(self, entry: Document) -> str:
        """The fault of the banks of a part, where it has some."""
        try:
            banked = read_banked(self.array.name, entry)
        except (ValueError, KeyError, TypeError) as error:
            return f"the mapping cannot be read: {error}"
        return (
            "" if banked is None else self.fault(cells(banked, self.history.elements), "in banks, ")
        )


def _judge(
    program: Program,
    divided: Divided,
    whole: Divided,
    array: Array,
    run: Run,
    times: np.ndarray,
    document: Document,
) -> Iterator[Verdict]:
    """The verdict on an array, then those on the parts it is divided into.

    `program` and `divided` are of the run, `whole` is another where that is only its beginning.
    """
    own, strict = document["arrays"][array.name], rules_of(document).strict
    replayed = _replayed(program, array, run, times, strict)
    entry, found = whole_entry(own), ""
    if entry is not None and not any(part.is_window for part in divided.of(array.name)):
        found = replayed.folded(entry)
    accesses = (a for one in program.statements for a in (*one.sees, *one.writes))
    certain = not program.has_conditions and all(
        access.must for access in accesses if access.array == array.name
    )
    if not found and certain and whole is divided:
        alive = most_alive(replayed.history, strict=strict)
        found = _bound_objection(document, array, alive)
    found = found or divided.faults.get(array.name, "")
    words = own["holdings"]["hardware"]["words"]
    passed = "" if found else _passed(replayed.history, words)
    if divided.is_divided(array.name):
        yield _judged(array.name, found, passed)
        for part in divided.of(array.name):
            yield _judge_part(divided, whole, part, run, times, document)
        return
    for part in divided.of(array.name):
        if part.is_window:
            fault, seen = _window(divided.program, divided, part, run, times)
            found, passed = found or fault, f"{passed}; {seen}"
            continue
        if part.has_addresses:
            found = found or replayed.banked(part.entry)
        else:
            own_accesses = run.accesses[array.name]
            passage, _ = recorded(divided.program, whole.program, part, run, times, own_accesses)
            found = found or _passage_fault(divided, whole, part, passage, document)
            passed += _passed_through(part)
    yield _judged(array.name, found, passed)


def _judge_part(
    divided: Divided,
    whole: Divided,
    part: Part,
    run: Run,
    times: np.ndarray,
    document: Document,
) -> Verdict:
    """The verdict on one of several parts, which sees its own reads and what it takes."""
    program, array = divided.program, divided.program.arrays[part.name]
    accesses = run.accesses[part.array]
    passage, chosen = recorded(program, whole.program, part, run, times, accesses)
    if not part.has_addresses:
        found = _passage_fault(divided, whole, part, passage, document)
        accesses = passage.accesses
        writes = int(accesses.write.sum())
        many = f"{counted(len(accesses) - writes, 'read')} and {counted(writes, 'write')}"
        return _judged(part.name, found, many + _passed_through(part))
    run = replace(run, accesses={part.name: only(run.accesses[part.array], chosen)})
    if part.is_window:
        return _judged(part.name, *_window(program, divided, part, run, times))
    replayed = _replayed(program, array, run, times, rules_of(document).strict)
    found = replayed.folded(part.entry) or replayed.banked(part.entry)
    if found:
        return _judged(part.name, found, "")
    folding = read_folding(part.name, part.entry)
    return _judged(part.name, "", _passed(replayed.history, folding.cells))


def _window(
    program: Program, divided: Divided, part: Part, run: Run, times: np.ndarray
) -> tuple[str, str]:
    """(fault, what passed) of a window, in an order in which processes run by themselves."""
    try:
        found = turns(divided)
    except TooLongError as error:
        return "", f"not replayed: {error}"
    if found is None:
        return "processes that run by themselves are stuck, see proof", ""
    names = [run.statements[number] for number in run.statement.tolist()]
    own = zip(names, map(tuple, times.tolist()), strict=True)
    moved = np.array([[found[key]] for key in own], dtype=np.int64)
    replayed = _replayed(program, program.arrays[part.name], run, moved, strict=False)
    fault = replayed.folded(part.entry)
    cells = read_folding(part.name, part.entry).cells
    return fault, f"by themselves, {_passed(replayed.history, cells)}"


def _replayed(
    program: Program, array: Array, run: Run, times: np.ndarray, strict: bool
) -> _Replayed:
    history = history_of(
        program,
        run.accesses[array.name],
        times,
        live_in=live_elements(program, program.live_in, array),
        live_out=live_elements(program, program.live_out, array),
    )
    return _Replayed(program=program, array=array, run=run, history=history, strict=strict)


def _judged(name: str, fault: str, passed: str) -> Verdict:
    status = Status.FAIL if fault else Status.PASS
    return Verdict(check="replay", subject=name, status=status, detail=fault or passed)


def _passage_fault(
    divided: Divided, whole: Divided, part: Part, passage: Passage, document: Document
) -> str:
    words = document["memories"][part.entry["memory"]]["words"]
    accesses = [(s, a) for s in divided.program.statements for a in (*s.reads, *s.writes)]
    if any(a.array == part.name and s.filters for s, a in accesses):
        passage = listed(divided.program, part)  # beats are of all instances, also idle ones
    if rules_of(document).is_selftimed:  # then that processes wait for each other decides, `proof`
        words = None
    return passage_fault(divided.program, part, passage, words, ends=whole is divided)


def _passed_through(part: Part) -> str:
    if part.entry["taps"] is None:
        return f"; {KINDS[part.entry['kind']].says}"
    return "; each operand found its element at its tap of the chain"


def live_elements(program: Program, elements: Any, array: Array) -> np.ndarray:
    """The live elements of one array at the plan's parameters."""
    fixed = fix_parameters(elements, program.values)
    sets = fixed.get_set_list()
    own = [sets.get_at(position) for position in range(sets.n_set())]
    found = [distinct_points(one) for one in own if one.get_tuple_name() == array.name]
    none = np.zeros((0, len(array.index)), dtype=np.int64)
    return np.concatenate([none, *found])


def _bound_objection(document: Document, array: Array, alive: int) -> str:
    if rules_of(document).slack:  # values then stay longer than their readers need them
        return ""
    for bound in bounds_of(document["arrays"][array.name]):
        if bound["kind"] in ("max-live", "live-at") and bound["cells"] > alive:
            return (
                f"the plan says that {bound['cells']} values are alive at once, "
                f"there were {alive} at most"
            )
    return ""


def _passed(history: History, many: int) -> str:
    reads = int((~history.write & ~history.wire).sum())
    writes = int(history.write.sum())
    lacking = int((~history.write & (history.source < 0)).sum())
    cells = counted(many, "word")
    accesses = f"{counted(reads, 'read')} and {counted(writes, 'write')}"
    but = f"; {lacking} of them had none" if lacking else ""
    return f"{accesses} over {cells}: every read found its own value{but}"


def _mismatch_text(
    program: Program, array: Array, run: Run, history: History, mismatch: Mismatch
) -> str:
    element = named(array.name, history.elements[history.element[mismatch.read]].tolist())
    reader = _event_text(program, run, history, mismatch.read)
    where = at_text(dict(program.values))
    if mismatch.found is None:
        return f"{reader} reads {element}{where}, {mismatch.reason}"
    found = named(array.name, history.elements[history.element[mismatch.found]].tolist())
    writer = _event_text(program, run, history, mismatch.found)
    return f"{reader} reads {element}{where}, {mismatch.reason} {found}, written by {writer}"


def _event_text(program: Program, run: Run, history: History, event: int) -> str:
    instance = int(history.instance[event])
    if instance < 0:
        return "the fill before the start" if history.write[event] else "the drain after the end"
    name, coordinates = run.instance_name(instance)
    statement = next((s for s in program.statements if s.name == name), None)
    names = statement.iterators if statement and statement.iterators else ()
    if len(names) != len(coordinates):
        names = tuple(f"i{position}" for position in range(len(coordinates)))
    pairs = zip(names, coordinates, strict=True)
    return f"{name}({', '.join(f'{n}={v}' for n, v in pairs)})"
