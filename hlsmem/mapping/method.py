"""Interface of a method, and the frame around the search of each: settled cases, certificate.

Where a formula is not proved for all parameters, a remark has those for which it is: formulas such
as 2N - 3 are no size at the least parameters that a context allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.mapping.certificate import Counterexample, everywhere, prove_within
from hlsmem.mapping.conflict_differences import Conflicts, conflicts_of
from hlsmem.mapping.finish import finished
from hlsmem.mapping.listed_conflicts import half_differences
from hlsmem.mapping.simplify import simplified
from hlsmem.mapping.storage_mapping import Certificate, Finding, NoMapping, Piece, StorageMapping
from hlsmem.polyhedra import PwAff
from hlsmem.polyhedra.narrow_directions import endless_direction
from hlsmem.polyhedra.quantities import affine_of

if TYPE_CHECKING:
    import numpy as np

# Values below which, of so many parameters, conflicts without end are looked for.
_SMALL, _MOST_VARIED = 4, 3

Run = Callable[[StorageProblem, int], StorageMapping | NoMapping]


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A named way to find a mapping of one array.

    `run` takes the problem and a budget in steps of work (each method says what a step is)
    and returns a proved mapping, or the reason why there is none. `lists_differences` marks
    methods that look at all differences at the plan's sizes, and take longer for it;
    `has_formulas` those that may answer for all parameters, and `folds` those that let
    elements share cells. `is_compared` marks methods that `auto` leaves to comparisons and to
    those who ask for them. `variants` are what the method chooses from, each on its own. `like`
    names a method whose search it shares: where that has answered, the answer is this one's too.
    """

    name: str
    description: str
    source: str
    run: Run
    lists_differences: bool = False
    has_formulas: bool = True
    folds: bool = True
    is_compared: bool = False
    variants: tuple[Variant, ...] = ()
    like: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A method exactly as published: one choice of norm, order or decomposition.

    What it finds stays as it is found: moduli are not lowered, as they are for the method.
    `run` gives its run under the name that its mappings are to bear. `like` is a variant before it
    with the same search.
    """

    name: str
    description: str
    source: str
    run: Callable[[str], Run]
    like: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A mapping that a search is sure of, not proved yet, and the steps of work it took."""

    piece: Piece
    work: int
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NoProposal:
    """Why a search has nothing to propose."""

    reason: str
    work: int = 0


Search = Callable[[Conflicts, int], Proposal | NoProposal]


def published(search: Search) -> Callable[[str], Run]:
    """The run of a variant around its search, by the name of the variant."""
    return lambda name: certified(search, name, finish=False)


def listed_differences(conflicts: Conflicts, limit: int) -> np.ndarray | NoProposal:
    """Half of the differences at the plan's values, or that they are more than `limit`."""
    points = half_differences(conflicts.differences_at, limit)
    if points is None:
        return NoProposal(reason=f"more than {limit} differences: too many to list")
    return points


def certified(search: Search, name: str, *, finish: bool = True) -> Run:
    """The run of a method around its search.

    Arrays without conflicts take one cell, and conflicts without end have no mapping,
    whatever the method. What the search proposes is simplified, proved, and, with `finish`,
    finished: its moduli are made as small as its rows allow. A proposal that fails its proof
    is a fault of the method: it is never used, and the reason says so.
    """

    def run(problem: StorageProblem, budget: int) -> StorageMapping | NoMapping:
        conflicts = conflicts_of(problem)
        settled = _settled(conflicts, name)
        if settled is not None:
            return settled
        found = search(conflicts, budget)
        if isinstance(found, NoProposal):
            return NoMapping(method=name, reason=found.reason, work=found.work)
        mapping = proved(found, conflicts, name)
        if isinstance(mapping, NoMapping) or not finish or mapping.cells <= lower_bound(problem):
            return mapping
        return _finished(mapping, conflicts, name, budget)

    return run


def lower_bound(problem: StorageProblem) -> int:
    """The cells that no modular mapping of the array can go below, as far as is known."""
    return max([1, *(bound.cells for bound in problem.bounds)])


def proved(proposal: Proposal, conflicts: Conflicts, name: str) -> StorageMapping | NoMapping:
    """The proposal as a mapping with its certificate; NoMapping with the conflict it misses."""
    piece = simplified(proposal.piece, conflicts.values)
    certificate = prove_within(conflicts, piece)
    if isinstance(certificate, Counterexample):
        return NoMapping(
            method=name, reason=f"certificate failed: {certificate}", work=proposal.work
        )
    if not certificate.is_complete:
        # Formulas that hold at the plan's values alone would promise too much.
        hint = remark(piece, conflicts)
        if hint is not None:
            certificate = replace(certificate, by=f"{certificate.by}; {hint}")
        piece = simplified(piece.constant_at(conflicts.values), conflicts.values)
    found = _mapping(piece, certificate, conflicts, name, proposal.work)
    return replace(found, findings=proposal.findings)


def _finished(
    mapping: StorageMapping, conflicts: Conflicts, name: str, budget: int
) -> StorageMapping:
    """`mapping`, or one with the same rows, lower moduli and fewer cells."""
    (piece,) = mapping.pieces
    lower = finished(piece, conflicts, budget)
    if lower is piece:
        return mapping
    better = proved(Proposal(piece=lower, work=mapping.work), conflicts, name)
    if isinstance(better, NoMapping):
        raise AssertionError(f"a lowered modulus of method {name!r}: {better.reason}")
    return replace(better, unfinished=mapping, findings=mapping.findings)


def _settled(conflicts: Conflicts, name: str) -> StorageMapping | NoMapping | None:
    """The answer that needs no search, if there is one."""
    if conflicts.is_conflict_free():
        one_cell = Piece(matrix=(), modulus=(), offset=())
        scope = "all-parameters" if conflicts.values else "at"
        certificate = Certificate(scope=scope, by="no conflicts")
        return _mapping(one_cell, certificate, conflicts, name, 0)
    if not conflicts.differences.is_bounded():
        return NoMapping(method=name, reason=endless_reason(conflicts))
    return None


def _mapping(
    piece: Piece, certificate: Certificate, conflicts: Conflicts, name: str, work: int
) -> StorageMapping:
    cells = piece.cells().evaluate(conflicts.values)
    return StorageMapping(
        pieces=(piece,), method=name, cells=cells, certificate=certificate, work=work
    )


def endless_reason(conflicts: Conflicts) -> str:
    """Why unbounded differences have no mapping: the direction, at the plan's values or near 0."""
    index = f"({', '.join(conflicts.array.index)})"
    for there in _with_small_values(conflicts):
        direction = endless_direction(there.differences_at)
        if direction is None:
            continue
        # Differences have both signs: name the direction that goes up.
        sign = 1 if next(entry for entry in direction if entry) > 0 else -1
        steps = ", ".join(str(sign * entry) for entry in direction)
        values = ", ".join(f"{name}={value}" for name, value in there.values.items())
        where = f" at {values}" if there is not conflicts else ""
        return (
            f"conflicts never end along {index} = ({steps}){where}:"
            " no finite mapping in this direction"
        )
    return f"conflicts over {index} have no end for some parameters: no finite mapping"


def _with_small_values(conflicts: Conflicts) -> Iterator[Conflicts]:
    """The conflicts at the plan's values, then at small ones of the context."""
    yield conflicts
    for choice in product(range(_SMALL), repeat=min(len(conflicts.values), _MOST_VARIED)):
        there = conflicts.at(
            {**conflicts.values, **dict(zip(conflicts.values, choice, strict=False))}
        )
        if there is not None:
            yield there


def remark(piece: Piece, conflicts: Conflicts) -> str | None:
    """Addition to the context by which `piece` is proved for all of it; None if nothing does."""
    try:
        positive = conflicts.promised.intersect(_positive(piece, conflicts))
    except ValueError:
        return None
    if conflicts.promised.is_subset(positive) or positive.is_empty():
        return None
    there = replace(
        conflicts,
        context=conflicts.context.intersect(positive),
        promised=positive,
        differences=conflicts.differences.intersect_params(positive),
    )
    if not isinstance(everywhere(piece, there), Certificate):
        return None
    return proved_with(positive, piece, conflicts)


def proved_with(parameters: Any, piece: Piece, conflicts: Conflicts) -> str:
    """Remark that `piece` is proved with these parameters as the context."""
    more = str(parameters.gist(conflicts.promised).coalesce()).partition(":")[2].strip(" }")
    return f"with {more} in the context {piece.cells()} cells would be proved"


def _positive(piece: Piece, conflicts: Conflicts) -> Any:
    """The parameters at which all moduli are positive; ValueError for products of parameters."""
    found = conflicts.promised
    for modulus in piece.modulus:
        form = PwAff.from_aff(affine_of(modulus, found.get_space()))
        found = found.intersect(form.pos_set())
    return found.coalesce()
