"""The choice among all methods: the fewest cells, then the cheapest address."""

from __future__ import annotations

from dataclasses import dataclass

from hlsmem.errors import InputError, Problem
from hlsmem.lifetime.problem import StorageProblem
from hlsmem.mapping.conflicts import Conflicts, conflicts_of
from hlsmem.mapping.cost import address_cost
from hlsmem.mapping.method import lower_bound
from hlsmem.mapping.methods import method_named, methods
from hlsmem.mapping.model import Mapping, NoMapping

Answer = tuple[str, Mapping | NoMapping]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The mapping to use, and what every method that was asked answered, in order."""

    mapping: Mapping
    candidates: tuple[Answer, ...]


def plan_array(problem: StorageProblem, *, method: str = "auto", budget: int) -> Choice:
    """The best mapping of one array by `method`, or by all methods (`auto`).

    `auto` takes the fewest cells at the plan's values, then the cheapest address, then a
    proof for all parameters, then the first method: the same input always gives the same
    mapping. Every method has the whole budget, so `auto` is never worse than any of them;
    methods that list all differences are not asked once a lower bound is reached.
    Raises InputError where there is no mapping, with every method's reason, and for an
    unknown method.
    """
    if method == "auto":
        answers = _all_answers(problem, budget)
    else:
        answers = ((method, method_named(method).run(problem, budget)),)
    found = [answer for _, answer in answers if isinstance(answer, Mapping)]
    if not found:
        raise InputError(_no_mapping(problem, answers))
    conflicts = conflicts_of(problem)
    best = min(found, key=lambda mapping: _preference(mapping, conflicts))
    return Choice(mapping=best, candidates=answers)


def _all_answers(problem: StorageProblem, budget: int) -> tuple[Answer, ...]:
    bound = lower_bound(problem)
    answers: list[Answer] = []
    for method in methods():
        reached = any(isinstance(a, Mapping) and a.cells <= bound for _, a in answers)
        if method.lists_differences and reached:
            reason = f"not needed: the lower bound of {bound} cells is reached"
            answers.append((method.name, NoMapping(method=method.name, reason=reason)))
        else:
            answers.append((method.name, method.run(problem, budget)))
    return tuple(answers)


def _preference(mapping: Mapping, conflicts: Conflicts) -> tuple[int, tuple[int, ...], bool]:
    costs = [address_cost(piece, conflicts) for piece in mapping.pieces]
    total = tuple(sum(column) for column in zip(*costs, strict=True))
    return mapping.cells, total, mapping.certificate.scope != "all-parameters"


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
    return Problem(
        f"array {problem.array.name!r} has no mapping: {text}",
        "bound the conflicts, or declare the extents of the array",
        problem.array.place,
    )
