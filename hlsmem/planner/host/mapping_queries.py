"""Queries of methods for the host C: the plan's answers where its conflicts are the same."""

from __future__ import annotations

from collections.abc import Mapping as Values
from dataclasses import replace

from hlsmem.core.errors import InputError
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.host_loops.frame_choice import ANY
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.lifetime.storage_problems import conflict_problem
from hlsmem.mapping.method import Method
from hlsmem.mapping.methods import method_named, methods
from hlsmem.mapping.portfolio import ask
from hlsmem.mapping.storage_mapping import NoMapping, StorageMapping
from hlsmem.planner.array_folding import Folded, shape_constraint_of
from hlsmem.program.model import Array, Program
from hlsmem.program.options import HostChoice

# Methods that are not asked for mappings of C: they take longer, or do not fold.
_NOT_ASKED = ("declared", "exhaustive", "family", "hyperplane")


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodAnswers:
    """The conflicts of an array, without bounds, and what is known of methods on them by name."""

    problem: StorageProblem
    mappings: Values[str, StorageMapping]

    def answers(self, choice: HostChoice | None, budget: int) -> list[StorageMapping]:
        """The mappings by the methods that a choice allows, or by all that C asks.

        Raises InputError where there is no such method.
        """
        found: list[StorageMapping] = []
        for method in methods_for_c() if choice is None else _methods_of(choice):
            answer: StorageMapping | NoMapping | None = self.mappings.get(method.name)
            if answer is None:
                ((_, answer),) = ask((method,), self.problem, budget=budget)
            found += [answer] if isinstance(answer, StorageMapping) else []
        return found


def methods_for_c() -> list[Method]:
    """The methods that are asked for mappings of C."""
    return [one for one in methods() if one.name not in _NOT_ASKED]


def new_queries(program: Program, array: Array) -> MethodAnswers:
    """The conflicts of an array of a program of which nothing is known."""
    return MethodAnswers(problem=conflict_problem(program, array), mappings={})


def as_planned(found: Folded) -> dict[str, MethodAnswers]:
    """Answers known from the plan, by array, where C has the same conflicts in the plan's order.

    These are without slack, and of the own schedule alone. Methods that the plan had no need of
    are not known; nor is any where mappings were brought into a form.
    """
    options = found.design.plan
    if options.strict or options.slack or not shape_constraint_of(found.design).is_free():
        return {}
    shared = {one.name for one in methods_for_c()}
    return {
        problem.array.name: MethodAnswers(
            # Bounds tell methods when to stop, not what they find.
            problem=replace(problem, occupied=None, bounds=()),
            mappings={
                name: answer
                for name, answer in found.choices[problem.array.name].candidates
                if name in shared and isinstance(answer, StorageMapping)
            },
        )
        for problem in found.problems
        if problem.orders is None
    }


def _methods_of(choice: HostChoice) -> list[Method]:
    """The methods that a choice allows. Raises InputError where there is no such method."""
    if choice.method in (None, ANY):
        return methods_for_c()
    try:
        return [method_named(choice.method)]
    except InputError as error:
        problems = (replace(one, source_location=choice.method_place) for one in error.problems)
        raise InputError(*problems) from None
