"""Formulas for optimal lattices: fitted at small sizes, proved for all.

The kernel of the map is a lattice whose generators are affine in the parameters, or in the
quotient of a parameter by a period; so the entries of the map may have products of
parameters. A fit that is not proved is never used.

Source: the families found by hand in Alias, Baray, Darte, "Bee+Cl@k" (LCTES 2007), section 5,
which calls finding them an open problem; fitting and proof are our own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.mapping.certificate import Counterexample, everywhere
from hlsmem.mapping.conflict_differences import Conflicts, conflicts_of
from hlsmem.mapping.families import pieces_of
from hlsmem.mapping.mapping_kernel import Generators, colliding_parameters, meets_at
from hlsmem.mapping.method import Method, NoProposal, certified, proved_with
from hlsmem.mapping.simplify import simplified
from hlsmem.mapping.storage_mapping import Certificate, NoMapping, Piece, StorageMapping
from hlsmem.polyhedra.limits import WorkLimitError, within
from hlsmem.polyhedra.other_parameters import as_points, in_class, out_of_class
from hlsmem.polyhedra.sets import fix_parameters, involves_parameter, parameter_names
from hlsmem.polyhedra.signs import is_never_negative

if TYPE_CHECKING:
    from hlsmem.mapping.search.fit import Family
    from hlsmem.mapping.search.least_at_sizes import Size

NAME = "family"

_NONE = "no family found"

# Fits to the same samples that are proved or refused, at most.
_MOST_FITS = 6

# Operations of isl for each step of the budget: some five seconds at the usual one.
_OPERATIONS = 5


@dataclass(frozen=True, slots=True)
class _Proved:
    """A family, the parameters it is proved for, and the steps of work it took to find it."""

    piece: Piece
    generators: Generators
    parameters: Any
    work: int = 0


def run(problem: StorageProblem, budget: int) -> StorageMapping | NoMapping:
    """The family of optimal lattices as a mapping, proved for all parameters of the context.

    A family proved only for some of them, such as those with N mod 2 = 1, is used with its
    numbers at the plan's values, and the certificate names the formula and the parameters.
    One step of the budget, which is for all small sizes together, is as in `exhaustive`; isl
    has a number of operations for each step.
    """
    conflicts = conflicts_of(problem)
    settled = conflicts.is_conflict_free() or not conflicts.differences.is_bounded()
    outcome = NoProposal(reason=_NONE) if settled else _within_limits(conflicts, budget)
    if isinstance(outcome, NoProposal):
        return certified(lambda _conflicts, _budget: outcome, NAME)(problem, budget)
    return outcome


def _within_limits(conflicts: Conflicts, budget: int) -> StorageMapping | NoProposal:
    """Mapping found with so many operations of isl: a single proof may need very many."""
    operations = max(1, _OPERATIONS * budget)
    try:
        return within(operations, lambda _report: _proved_mapping(conflicts, budget))
    except WorkLimitError:
        reason = f"the budget ended: {_NONE} within {operations} operations of isl"
        return NoProposal(reason=reason, work=budget)


def _proved_mapping(conflicts: Conflicts, budget: int) -> StorageMapping | NoProposal:
    found = _found(conflicts, budget)
    return found if isinstance(found, NoProposal) else _mapping(found, conflicts)


def _found(conflicts: Conflicts, budget: int) -> _Proved | NoProposal:
    """The first family proved for all parameters, else the first for all but few of a class."""
    from hlsmem.mapping.search.fit import fitted_families
    from hlsmem.mapping.search.least_at_sizes import sized_samples

    if not any(
        involves_parameter(conflicts.differences, name)
        for name in parameter_names(conflicts.differences)
    ):
        return NoProposal(reason=f"{_NONE}: the conflicts depend on no parameter")
    work, ended = 0, False
    for found in sized_samples(conflicts, budget):
        work += found.work
        ended = ended or found.ended
        partial: _Proved | None = None
        families = fitted_families(found.samples, conflicts.dimensions)
        for family in islice(families, _MOST_FITS):
            for generators, parameters in _proofs(family, found.sizes, conflicts):
                is_whole = conflicts.context.is_subset(parameters)
                if not is_whole and (
                    partial is not None or not _is_nearly_all(parameters, found.sizes, conflicts)
                ):
                    continue  # before its map is looked for, among very many rows
                piece = next(pieces_of(generators, conflicts.values), None)
                if piece is None:
                    break
                proved = _Proved(piece, generators, parameters, work)
                if is_whole:
                    return proved
                partial = proved
        if partial is not None:
            return replace(partial, work=work)
    return NoProposal(reason=f"the budget ended: {_NONE}" if ended else _NONE, work=work)


def _proofs(
    family: Family, sizes: tuple[Size, ...], conflicts: Conflicts
) -> Iterator[tuple[Generators, Any]]:
    """The family with each rounding of its sizes, where it is proved at the plan's values, and the
    parameters for which it is."""
    # Rounding up first: conflicts of smaller sizes are mostly among those of larger ones.
    for shifts in product(*(range(size.period - 1, -1, -1) for size in sizes)):
        quantities = [size.quantity(shift) for size, shift in zip(sizes, shifts, strict=True)]
        generators = _generators(family, quantities)
        # Most fits fail at the plan's values, which is seen long before where else they do.
        if meets_at(generators, conflicts.values, conflicts.differences_at):
            continue
        colliding = _colliding(family, sizes, shifts, conflicts)
        if colliding is None or not fix_parameters(colliding, conflicts.values).is_empty():
            continue
        yield generators, conflicts.context.subtract(colliding).coalesce()


def _colliding(
    family: Family, sizes: tuple[Size, ...], shifts: tuple[int, ...], conflicts: Conflicts
) -> Any | None:
    """The parameters at which the family is not admissible, one residue class after another."""
    found = conflicts.context.subtract(conflicts.context)
    for residues in product(*(range(size.period) for size in sizes)):
        there = conflicts
        quantities = []
        for size, shift, residue in zip(sizes, shifts, residues, strict=True):
            there = replace(
                there,
                context=in_class(there.context, size.parameter, size.period, residue),
                differences=in_class(there.differences, size.parameter, size.period, residue),
            )
            step = (residue + shift - size.residue) // size.period
            quantities.append(QuasiPolynomial.parameter(size.parameter) + step)
        colliding = colliding_parameters(_generators(family, quantities), there)
        if colliding is None:
            return None
        for size, residue in zip(sizes, residues, strict=True):
            colliding = out_of_class(colliding, size.parameter, size.period, residue)
        found = found.union(colliding.align_params(found.get_space()))
    return found


def _is_nearly_all(parameters: Any, sizes: tuple[Size, ...], conflicts: Conflicts) -> bool:
    """True if all but finitely many parameters of the plan's class are among these."""
    rest = conflicts.context.subtract(parameters)
    for size in sizes:
        rest = in_class(rest, size.parameter, size.period, size.residue)
    return bool(as_points(rest).is_bounded())


def _generators(family: Family, quantities: Sequence[QuasiPolynomial]) -> Generators:
    return tuple(
        tuple(
            sum(
                (quantity * slope for quantity, slope in zip(quantities, slopes, strict=True)),
                start=QuasiPolynomial.constant(constant),
            )
            for constant, *slopes in zip(*generator, strict=True)
        )
        for generator in family
    )


def _mapping(found: _Proved, conflicts: Conflicts) -> StorageMapping:
    piece = simplified(found.piece, conflicts.values)
    there = replace(
        conflicts,
        context=found.parameters,
        differences=conflicts.differences.intersect_params(found.parameters),
    )
    certificate = everywhere(piece, there)
    if isinstance(certificate, Counterexample):
        raise AssertionError(f"a family that was proved: {certificate}")
    if certificate is None:
        certificate = Certificate(scope="all-parameters", by="kernel", kernel=found.generators)
    # Moduli are positive where anything exists; a certificate speaks of all of the context.
    rest = conflicts.promised.subtract(conflicts.context)
    positive = rest.is_empty() or all(is_never_negative(size - 1, rest) for size in piece.modulus)
    if not (positive and conflicts.context.is_subset(found.parameters)):
        by = f"kernel; {proved_with(found.parameters, piece, conflicts)}"
        certificate = Certificate(scope="at", by=by, at=tuple(conflicts.values.items()))
        piece = simplified(piece.constant_at(conflicts.values), conflicts.values)
    return StorageMapping(
        pieces=(piece,),
        method=NAME,
        cells=piece.cells().evaluate(conflicts.values),
        certificate=certificate,
        work=found.work,
    )


METHOD = Method(
    name=NAME,
    description="a formula fitted to the least lattices at small sizes and proved for all",
    source="Alias, Baray, Darte LCTES 2007, section 5, found by search and proved by isl",
    run=run,
    lists_differences=True,
)
