"""Storage hyperplanes by integer programs: rows that each separate many conflicts at once.

Source: Bhaskaracharya, Bondhugula, Cohen, "Automatic storage optimization for arrays"
(TOPLAS 2016), algorithm 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.mapping.basis import width_mapping
from hlsmem.mapping.conflict_differences import Conflicts, width_at
from hlsmem.mapping.decomposition import (
    DECOMPOSITIONS,
    Pieces,
    as_given,
    by_first_index,
    by_signs,
    decomposed,
    disjoint,
)
from hlsmem.mapping.hyperplanes import (
    Hyperplanes,
    greatest_constant,
    storage_hyperplanes,
)
from hlsmem.mapping.method import (
    Method,
    NoProposal,
    Proposal,
    Search,
    Variant,
    certified,
    published,
)
from hlsmem.mapping.milp import REMEDY, is_available
from hlsmem.mapping.storage_mapping import Finding
from hlsmem.polyhedra import BasicSet
from hlsmem.polyhedra.lattices import unit
from hlsmem.polyhedra.parameters import independent, unbounded_above
from hlsmem.polyhedra.sets import fix_parameters

_MISSING = f"highspy, which solves its programs, is missing; {REMEDY}"

# More polyhedra make programs that take seconds.
MOST_PIECES = 16

# Steps of the solver for all programs: each takes about a millisecond.
MOST_STEPS = 1 << 10

# The constant c of the paper at fixed sizes: above the volume of the differences a
# linearisation satisfies everything; far above it the solver loses digits.
LEAST_LIMIT, LARGEST_LIMIT = 10, 1 << 12


@dataclass(frozen=True, slots=True)
class Trial:
    """Conflict polyhedra, the context of their parameters, and the constant c."""

    pieces: Pieces
    context: Any
    limit: int


def search(conflicts: Conflicts, budget: int) -> Proposal | NoProposal:
    """The fewest cells at the plan's values, of programs for all parameters and for the plan's.

    The conflict polyhedra are taken without what they have in common; where no row satisfies
    them all, also as given, split by the first index that differs, and by signs. One step is
    one of the solver's (`hlsmem.mapping.milp`), which may end in the middle of a program.
    """
    if not is_available():
        return NoProposal(reason=_MISSING)
    most, work = min(budget, MOST_STEPS), 0
    found: list[Hyperplanes] = []
    reasons: list[str] = []
    for trial in _trials(conflicts, found):
        if work >= most:
            reasons = reasons or ["the budget ended"]
            break
        answer = _solved(trial, most - work)
        if isinstance(answer, Hyperplanes):
            found.append(answer)
        else:
            reasons.append(answer.reason)
        work += answer.steps if isinstance(answer, Hyperplanes) else answer.work
    if not found:
        return NoProposal(reason=", ".join(dict.fromkeys(reasons)), work=work)
    pieces = {one: width_mapping(conflicts, one.rows) for one in found}
    best = min(pieces, key=lambda one: pieces[one].cells().evaluate(conflicts.values))
    return Proposal(piece=pieces[best], work=work, findings=satisfied_found(best))


def _solved(trial: Trial, most_steps: int) -> Hyperplanes | NoProposal:
    if len(trial.pieces) > MOST_PIECES:
        return NoProposal(reason=f"gave up: {len(trial.pieces)} conflict polyhedra are too many")
    answer = storage_hyperplanes(
        trial.pieces, trial.context, limit=trial.limit, most_steps=most_steps
    )
    if isinstance(answer, Hyperplanes):
        return answer
    count = len(answer.left)
    if answer.ended:
        reason = f"gave up after {answer.steps} steps with {count} conflict polyhedra left"
    else:
        reason = f"no row has any of {count} conflict polyhedra on one side"
    return NoProposal(reason=reason, work=max(answer.steps, 1))


def _trials(conflicts: Conflicts, found: list[Hyperplanes]) -> Iterator[Trial]:
    """Programs in the order in which they are solved; `found` are the answers so far.

    For all parameters, where there are any, and at the plan's values, at which isl knows
    tighter polyhedra.
    """
    values = conflicts.values
    pairs = None if conflicts.pairs is None else conflicts.pairs.symmetric()
    given = as_given(conflicts.differences, pairs)
    apart = disjoint(given)
    if values:
        yield symbolic_trial(apart, conflicts.context)
    done = _is_one_row(found) and apart == given
    fixed_pairs = None if pairs is None else fix_parameters(pairs, values)
    at_values = as_given(conflicts.differences_at, fixed_pairs)
    yield fixed_trial(at_values, conflicts)
    if done or (not values and _is_one_row(found)):
        return
    if values:
        yield symbolic_trial(disjoint(by_signs(given)), conflicts.context)
        yield symbolic_trial(by_first_index(conflicts.differences), conflicts.context)
    yield fixed_trial(disjoint(by_signs(at_values)), conflicts)
    yield fixed_trial(by_first_index(conflicts.differences_at), conflicts)


def _is_one_row(found: list[Hyperplanes]) -> bool:
    return any(len(one.rows) == 1 for one in found)


def fixed_trial(pieces: Pieces, conflicts: Conflicts) -> Trial:
    """The program at the plan's values; c is the volume of a box of differences."""
    size = conflicts.dimensions
    volume = prod(width_at(conflicts.differences_at, unit(size, k)) + 1 for k in range(size))
    limit = min(max(volume, LEAST_LIMIT), LARGEST_LIMIT)
    return Trial(pieces, BasicSet("{ : }"), limit)


def symbolic_trial(pieces: Pieces, context: Any) -> Trial:
    """The program for all parameters; c is well above the constants of the polyhedra.

    Parameters that others determine are replaced, and upper bounds of parameters dropped:
    else the least (u, w) would not be the least size.
    """
    pieces, context = independent(pieces, context)
    pieces, context = unbounded_above(pieces, context)
    return Trial(pieces, context, 10 + 2 * greatest_constant(pieces))


def _published(decomposition: str, *, parametric: bool) -> Search:
    """Algorithm 1 once, on one decomposition, for all parameters or at the plan's values."""

    def search(conflicts: Conflicts, budget: int) -> Proposal | NoProposal:
        if not is_available():
            return NoProposal(reason=_MISSING)
        if parametric and not conflicts.values:
            return NoProposal(reason="there are no parameters")
        pieces = decomposed(decomposition, conflicts, at_plan=not parametric)
        trial = (
            symbolic_trial(pieces, conflicts.context)
            if parametric
            else fixed_trial(pieces, conflicts)
        )
        answer = _solved(trial, min(budget, MOST_STEPS))
        if isinstance(answer, NoProposal):
            return answer
        piece = width_mapping(conflicts, answer.rows)
        if not parametric:
            piece = piece.constant_at(conflicts.values)
        return Proposal(piece=piece, work=answer.steps, findings=satisfied_found(answer))

    return search


def satisfied_found(answer: Hyperplanes) -> tuple[Finding, ...]:
    """Number of the conflict polyhedra left that each row satisfies, as findings."""
    return tuple(
        Finding(what="conflict polyhedra satisfied", vector=row, value=f"{count} of {left}")
        for row, (count, left) in zip(answer.rows, answer.satisfied, strict=True)
    )


_PAPER = "Bhaskaracharya, Bondhugula, Cohen TOPLAS 2016, algorithm 1"

VARIANTS = tuple(
    Variant(
        name=f"{'parametric' if parametric else 'fixed'}-{name}",
        description=f"on {pieces}, {'for all parameters' if parametric else 'at the plan'}",
        source=f"{_PAPER}; figure 7 of CC 2016 on what the decomposition does",
        run=published(_published(name, parametric=parametric)),
    )
    for parametric in (False, True)
    for name, pieces in DECOMPOSITIONS.items()
)

METHOD = Method(
    name="hyperplane",
    description="rows that separate as many conflict polyhedra as can be, by integer programs",
    source="Bhaskaracharya, Bondhugula, Cohen TOPLAS 2016, algorithm 1",
    run=certified(search, "hyperplane"),
    lists_differences=True,
    variants=VARIANTS,
)
