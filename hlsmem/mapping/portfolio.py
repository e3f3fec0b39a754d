"""The choice among all methods: the fewest cells, all parameters, then the cheapest address."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Mapping as Lookup
from dataclasses import replace
from typing import TypeVar

from hlsmem.core.errors import InputError, LimitError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.lifetime.storage_problem import Bound, StorageProblem
from hlsmem.mapping.conflict_differences import Conflicts, conflicts_of
from hlsmem.mapping.method import Method, lower_bound
from hlsmem.mapping.methods import method_named, methods
from hlsmem.mapping.shape_constraint import ANY_SHAPE, ShapeConstraint, shaped, unfolded_in_shape
from hlsmem.mapping.storage_mapping import NoMapping, Piece, StorageMapping
from hlsmem.polyhedra import PolyhedralError
from hlsmem.polyhedra.lattices import Vector
from hlsmem.polyhedra.limits import WorkLimitError, within
from hlsmem.polyhedra.quantities import form_values
from hlsmem.polyhedra.sets import fix_parameters

AddressCost = tuple[int, int, int]
Answer = tuple[str, StorageMapping | NoMapping]
Blocks = Callable[[int], int]
Result = TypeVar("Result")
# (array; method that is asked, or None before the first; None, or what it has answered)
Step = tuple[str, str | None, StorageMapping | NoMapping | None]
# What methods have answered before, by name: they are not asked again.
Known = Lookup[str, StorageMapping | NoMapping]
Report = Callable[[str, StorageMapping | NoMapping | None], None]


def _unheard(_method: str, _answer: StorageMapping | NoMapping | None) -> None:
    """A report that nobody waits for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The mapping to use, and what every method that was asked answered, in order.

    `cells_of_any_shape` is what would do without the form that was asked for; None where
    any form was welcome.
    """

    mapping: StorageMapping
    candidates: tuple[Answer, ...]
    cells_of_any_shape: int | None = None

    def stated_at(self, values: Lookup[str, int]) -> Choice:
        """The choice of a problem without parameters, as one that holds at `values` alone."""

        return replace(
            self,
            mapping=_stated_at(values, self.mapping),
            candidates=answers_at(values, self.candidates),
        )

    def bounds(self) -> tuple[Bound, ...]:
        """The bounds that methods proved on their way."""
        return tuple(bound for _, answer in self.candidates for bound in answer.bounds)


def answers_at(values: Lookup[str, int], answers: Iterable[Answer]) -> tuple[Answer, ...]:
    """The answers to a problem without parameters, as ones that hold at `values` alone."""
    return tuple(
        (name, _stated_at(values, answer) if isinstance(answer, StorageMapping) else answer)
        for name, answer in answers
    )


def _stated_at(values: Lookup[str, int], answer: StorageMapping) -> StorageMapping:
    return replace(answer, certificate=answer.certificate.stated_at(values))


def ask(
    asked: Iterable[Method],
    problem: StorageProblem,
    *,
    budget: int,
    known: Known | None = None,
    report: Report = _unheard,
) -> tuple[Answer, ...]:
    """Answers of each method, as they are; `known` has those that some have given before."""
    found = dict[str, StorageMapping | NoMapping]()
    for method in asked:
        same = found.get(method.like)
        found[method.name] = (
            replace(same, method=method.name)
            if same is not None
            else _answered(method, problem, budget, known or {}, report)
        )
    return tuple(found.items())


def _answered(
    method: Method, problem: StorageProblem, budget: int, known: Known, report: Report
) -> StorageMapping | NoMapping:
    """Answer of a method, told before and after; a known one is neither asked nor told."""
    if method.name in known:
        return known[method.name]
    report(method.name, None)
    answer = _answer(method, problem, budget)
    report(method.name, answer)
    return answer


def plan_array(
    problem: StorageProblem,
    *,
    method: str = "auto",
    budget: int,
    shape_constraint: ShapeConstraint = ANY_SHAPE,
    blocks: Blocks | None = None,
    ask_all: bool = False,
    known: Known | None = None,
    report: Report = _unheard,
) -> Choice:
    """The best mapping of one array by `method`, or by all methods (`auto`), in a form.

    `auto` takes the fewest cells at the plan's values, then a proof for all parameters, then
    the cheapest address, then the first method: the same input always gives the same
    mapping. Every method has the whole budget, so `auto` is never worse than any of them.
    Methods that take longer are not asked (unless `ask_all`) once a lower bound is reached,
    for all parameters or by what else may be. Where a form is asked for, each method's
    mapping is brought into it before they are compared.
    With `blocks`, the blocks that so many cells take, the fewest blocks come first, then the
    cheapest address, also of powers of two where they take no more, then a proof for all
    parameters, then the fewest cells.
    Raises InputError where there is no mapping, with every method's reason, and for an
    unknown method.
    """
    conflicts = conflicts_of(problem)
    asked = methods(compared=ask_all) if method == "auto" else (method_named(method),)
    given, answers = list[Answer](), list[Answer]()
    for one in asked:
        bound = _lower_bound(problem, given)
        if len(asked) > 1 and not ask_all and not _is_needed(one, bound, answers):
            reason = f"not needed: the lower bound of {bound} cells is reached"
            answers.append((one.name, NoMapping(method=one.name, reason=reason)))
            continue
        answer = _answered(one, problem, budget, known or {}, report)
        given.append((one.name, answer))
        if isinstance(answer, StorageMapping) and one.folds:
            shape = shaped(answer, conflicts, shape_constraint, budget)
            answer = replace(shape, bounds=answer.bounds)
        elif isinstance(answer, StorageMapping):
            answer = unfolded_in_shape(answer, conflicts, shape_constraint)
        answers.append((one.name, answer))
    found = _mappings(answers)
    if not found:
        raise InputError(_no_mapping(problem, tuple(answers)))
    free = (
        None if shape_constraint.is_free() else min(mapping.cells for mapping in _mappings(given))
    )
    if blocks is not None:
        found += _rounded(given, conflicts, shape_constraint, budget)
    own = {one.name for one in asked if not one.is_compared or len(asked) == 1}
    chosen = [mapping for mapping in found if mapping.method in own] or found
    best = min(chosen, key=lambda mapping: _preference(mapping, conflicts, blocks))
    return Choice(mapping=best, candidates=tuple(answers), cells_of_any_shape=free)


def plan_arrays_within(
    operations: int, plans: Lookup[str, Callable[..., Result]]
) -> dict[str, Result]:
    """Results of every plan of an array, methods that take more operations of isl left out.

    A plan is `plan_array` of an array, or `ask`, but for `known` and `report`. Where a method is
    left out, what the others answered before it is not asked again. Raises LimitError where no
    method is left that has a mapping, and what `plan_array` raises.
    """
    known: dict[str, dict[str, StorageMapping | NoMapping]] = {name: {} for name in plans}
    limited: set[str] = set()

    def work(report: Callable[[Step], None]) -> dict[str, Result]:
        return {name: chosen(name, report) for name in plans}

    def chosen(name: str, report: Callable[[Step], None]) -> Result:
        report((name, None, None))
        try:
            return plans[name](known=known[name], report=lambda *one: report((name, *one)))
        except InputError as error:
            raise (LimitError(*error.problems) if name in limited else error) from None

    while True:
        try:
            return within(operations, work, each_step=True)
        except WorkLimitError as error:
            name, method, _ = error.steps[-1]
            for array, one, answer in error.steps:
                if one is not None and answer is not None:
                    known[array][one] = answer
            took = f"takes more than {operations} operations of isl"
            if error.signal:
                took = f"was ended by signal {error.signal}"
            if method is None:
                what = f"{name!r} is too complicated: looking at its conflicts {took}"
                raise LimitError(Problem(what, "raise plan.budget, or simplify them")) from None
            limited.add(name)
            known[name][method] = NoMapping(method=method, reason=f"gave up: {took}")


def _answer(method: Method, problem: StorageProblem, budget: int) -> StorageMapping | NoMapping:
    """Answer of a method; where isl fails it, the others may still have a mapping."""
    try:
        return method.run(problem, budget)
    except PolyhedralError as error:
        return NoMapping(method=method.name, reason=f"gave up: isl says {error}")


def _mappings(answers: Iterable[Answer]) -> list[StorageMapping]:
    return [answer for _, answer in answers if isinstance(answer, StorageMapping)]


def _lower_bound(problem: StorageProblem, answers: Iterable[Answer]) -> int:
    """The cells below which no modular mapping can go, also by what methods have proved."""
    proofs = [bound.cells for _, answer in answers for bound in answer.bounds]
    return max([lower_bound(problem), *proofs])


def _is_needed(method: Method, bound: int, answers: Iterable[Answer]) -> bool:
    """True if a method may do better: fewer cells, or as few for all parameters."""
    if not method.lists_differences:
        return True
    reached = [mapping for mapping in _mappings(answers) if mapping.cells <= bound]
    if not reached:
        return True
    return method.has_formulas and not any(_is_for_all(mapping) for mapping in reached)


def _is_for_all(mapping: StorageMapping) -> bool:
    return mapping.certificate.is_complete


def _rounded(
    answers: Iterable[Answer], conflicts: Conflicts, shape_constraint: ShapeConstraint, budget: int
) -> list[StorageMapping]:
    """The mappings with moduli that are powers of two."""
    rounded = replace(shape_constraint, powers_of_two=True)
    return [
        shaped(mapping, conflicts, rounded, budget)
        for mapping in _mappings(answers)
        if method_named(mapping.method).folds
    ]


def _preference(
    mapping: StorageMapping, conflicts: Conflicts, blocks: Blocks | None
) -> tuple[int, tuple[int, ...]]:
    costs = [address_cost(piece, conflicts) for piece in mapping.pieces]
    cost = tuple(sum(column) for column in zip(*costs, strict=True))
    partial = int(not _is_for_all(mapping))
    if blocks is None:
        return mapping.cells, (partial, *cost)
    return blocks(mapping.cells), (*cost, partial, mapping.cells)


def _no_mapping(problem: StorageProblem, answers: tuple[Answer, ...]) -> Problem:
    """One reason where all methods agree, else each method's own."""
    reasons: dict[str, list[str]] = {}
    for name, answer in answers:
        if isinstance(answer, NoMapping):
            reasons.setdefault(answer.reason, []).append(name)
    text = "; ".join(
        reason if len(reasons) == 1 else f"{', '.join(names)}: {reason}"
        for reason, names in reasons.items()
    )
    what, remedy = "no mapping", "bound the conflicts, or declare the extents of the array"
    if len(answers) == 1 and ":" in answers[0][0]:
        what = f"no mapping by {answers[0][0]!r}"
        remedy = "`hlsmem compare --variants` shows which variants have one"
    return Problem(
        f"array {problem.array.name!r} has {what}: {text}", remedy, problem.array.source_location
    )


def address_cost(piece: Piece, conflicts: Conflicts) -> AddressCost:
    """(components that wrap, non-zero entries, sum of absolute entries) at the plan's values.

    A modulus that is a power of two costs nothing (it cuts bits off), nor does a component
    whose values stay within its modulus on all elements.
    """
    rows = piece.matrix_at(conflicts.values)
    moduli = piece.modulus_at(conflicts.values)
    offsets = piece.offset_at(conflicts.values)
    wrapping = sum(
        modulus & (modulus - 1) != 0 and _wraps(row, modulus, offset, conflicts)
        for row, modulus, offset in zip(rows, moduli, offsets, strict=True)
    )
    entries = [entry for row in rows for entry in row]
    return (wrapping, sum(map(bool, entries)), sum(map(abs, entries)))


def _wraps(row: Vector, modulus: int, offset: int, conflicts: Conflicts) -> bool:
    if conflicts.elements is None:
        return True
    elements = fix_parameters(conflicts.elements, conflicts.values)
    if elements.is_empty():
        return False
    values = form_values(elements, row)
    least, greatest = values.dim_min_val(0), values.dim_max_val(0)
    if not (least.is_int() and greatest.is_int()):
        return True
    return bool(least.to_python() + offset < 0 or greatest.to_python() + offset >= modulus)
