"""Storage hyperplanes by integer programs: rows that each separate many conflicts at once.

Source: Bhaskaracharya, Bondhugula, Cohen, "Automatic storage optimization for arrays"
(TOPLAS 2016), algorithm 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from math import gcd, prod
from typing import Any

import numpy as np

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
    INFINITE,
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
from hlsmem.polyhedra import BasicSet, Set
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.lattices import Matrix, Vector, unit
from hlsmem.polyhedra.other_parameters import independent, unbounded_above
from hlsmem.polyhedra.sets import fix_parameters

_MISSING = f"highspy, which solves its programs, is missing; {REMEDY}"

# More polyhedra make programs that take seconds.
MOST_PIECES = 16

# Steps of the solver for all programs: each takes about a millisecond.
MOST_STEPS = 1 << 10

# The constant c of the paper at fixed sizes: above the volume of the differences a
# linearisation satisfies everything; far above it the solver loses digits.
LEAST_LIMIT, LARGEST_LIMIT = 10, 1 << 12

# Differences that are listed to enumerate rows, at most.
MOST_ENUMERATED = 1 << 12


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


# Several rows enumerated, the least kept (section 3.6 of the paper).


def _enumerated(conflicts: Conflicts, budget: int) -> Proposal | NoProposal:
    """The fewest cells at the plan's values, of all rows that satisfy as many conflict polyhedra.

    The paper takes the narrowest of them, row by row; here each is followed to its end, on every
    decomposition. Rows have small entries. One step of the budget is a row looked at.
    """
    best: Enumeration | None = None
    work = listed = 0
    for name in DECOMPOSITIONS:
        basic = decomposed(name, conflicts, at_plan=True)
        pieces = [distinct_points(Set.from_basic_set(one)) for one in basic]
        listed = max(listed, sum(map(len, pieces)))
        if listed > MOST_ENUMERATED:
            return NoProposal(reason=f"more than {MOST_ENUMERATED} differences to list", work=work)
        rows = _small_rows(conflicts.dimensions)
        below = None if best is None else best.cells
        found = least_rows([one for one in pieces if len(one)], rows, below, budget - work)
        work += found.work
        if found.rows:
            best = found
    if best is None:
        most = _most(conflicts.dimensions)
        reason = f"no rows whose entries have a product up to {most} separate all"
        reason = "the budget ended" if work > budget else reason
        return NoProposal(reason=reason, work=work)
    piece = width_mapping(conflicts, best.rows).constant_at(conflicts.values)
    answer = Hyperplanes(rows=best.rows, satisfied=best.satisfied, steps=work)
    return Proposal(piece=piece, work=work, findings=satisfied_found(answer))


@dataclass(frozen=True, slots=True, kw_only=True)
class Enumeration:
    """Rows of the fewest cells, none where there are none with fewer than was asked for; for each,
    the number of polyhedra that it satisfies of how many; rows looked at."""

    rows: Matrix = ()
    satisfied: tuple[tuple[int, int], ...] = ()
    cells: int
    work: int


def least_rows(
    pieces: Sequence[np.ndarray], rows: np.ndarray, below: int | None, budget: int
) -> Enumeration:
    """The rows that separate all differences of the pieces in the fewest cells, fewer than `below`.

    Each is one of `rows` that has as many pieces as any on one side of 0.
    """
    limit, work = INFINITE if below is None else below, len(rows)
    ends = [(found.min(axis=0), found.max(axis=0)) for one in pieces for found in (one @ rows.T,)]
    counts = np.sum([(low > 0) | (high < 0) for low, high in ends], axis=0)
    widths = np.max([np.maximum(-low, high) for low, high in ends], axis=0) + 1
    best = Enumeration(cells=0, work=work)
    candidates = np.flatnonzero(counts == counts.max()) if counts.max() else np.zeros(0, int)
    for k in candidates[np.argsort(widths[candidates], kind="stable")]:
        width = int(widths[k])
        if width >= limit or work > budget:
            break
        own = tuple(int(entry) for entry in rows[k]), (int(counts[k]), len(pieces))
        left = [part for one in pieces if len(part := one[one @ rows[k] == 0])]
        rest = Enumeration(cells=1, work=0)
        if left:
            below = None if limit == INFINITE else -(-int(limit) // width)
            rest = least_rows(left, rows, below, budget - work)
            work += rest.work
            if not rest.rows:
                continue
        if width * rest.cells < limit:
            limit = width * rest.cells
            best = Enumeration(
                rows=(own[0], *rest.rows),
                satisfied=(own[1], *rest.satisfied),
                cells=width * rest.cells,
                work=0,
            )
    return replace(best, work=work)


@cache
def _small_rows(size: int) -> np.ndarray:
    """Primitive rows, one of each two opposite ones, the shortest first.

    The product of their entries that are not 0 is small: both (1, 98) and (9, 10) are among them.
    """
    found = [row for row in _rows_within(size, _most(size)) if gcd(*row) == 1 and row > (0,) * size]
    return np.array(sorted(found, key=lambda row: (sum(map(abs, row)), row[::-1])), dtype=np.int64)


def _rows_within(size: int, most: int) -> Iterator[Vector]:
    if not size:
        yield ()
        return
    for entry in range(-most, most + 1):
        for rest in _rows_within(size - 1, most // max(1, abs(entry))):
            yield (entry, *rest)


def _most(size: int) -> int:
    """The greatest product of the entries of a row: some thousand rows."""
    return {1: 1, 2: 512, 3: 64, 4: 16}.get(size, 2)


_PAPER = "Bhaskaracharya, Bondhugula, Cohen TOPLAS 2016, algorithm 1"

VARIANTS = (
    *(
        Variant(
            name=f"{'parametric' if parametric else 'fixed'}-{name}",
            description=f"on {pieces}, {'for all parameters' if parametric else 'at the plan'}",
            source=f"{_PAPER}; figure 7 of CC 2016 on what the decomposition does",
            run=published(_published(name, parametric=parametric)),
        )
        for parametric in (False, True)
        for name, pieces in DECOMPOSITIONS.items()
    ),
    Variant(
        name="enumerated",
        description="the least of all rows that satisfy as many conflict polyhedra, at the plan",
        source="Bhaskaracharya, Bondhugula, Cohen TOPLAS 2016, section 3.6",
        run=published(_enumerated),
    ),
)

METHOD = Method(
    name="hyperplane",
    description="rows that separate as many conflict polyhedra as can be, by integer programs",
    source="Bhaskaracharya, Bondhugula, Cohen TOPLAS 2016, algorithm 1",
    run=certified(search, "hyperplane"),
    lists_differences=True,
    variants=VARIANTS,
)
