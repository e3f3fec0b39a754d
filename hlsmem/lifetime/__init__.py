"""Lifetimes: who lives when, who conflicts with whom, and the bounds that follow."""

from __future__ import annotations

from hlsmem.lifetime.analysis import (
    class_problems_within,
    conflict_problem,
    meeting_text,
    storage_problem,
    storage_problems,
    storage_problems_within,
)
from hlsmem.lifetime.explain import Explanation, explain
from hlsmem.lifetime.problem import Bound, ClassFacts, GivenVector, Pairs, StorageProblem

__all__ = [
    "Bound",
    "ClassFacts",
    "Explanation",
    "GivenVector",
    "Pairs",
    "StorageProblem",
    "class_problems_within",
    "conflict_problem",
    "explain",
    "meeting_text",
    "storage_problem",
    "storage_problems",
    "storage_problems_within",
]
