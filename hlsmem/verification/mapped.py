"""Whether no two conflicting elements of an array, or of a part of one, share a cell.

The numbers of plan.json are judged at its parameters; where the certificate claims all parameters,
the formulas are judged for every value the context allows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from hlsmem.polyhedra import DimType, Map
from hlsmem.polyhedra.sets import fix_parameters, without_name
from hlsmem.program import Array, ConflictInput, ConflictSet, Program
from hlsmem.values import dataclass
from hlsmem.verification import banked as banks
from hlsmem.verification.banked import Banked, cell_relation, crowded, misplaced, read_banked
from hlsmem.verification.flow import element_space
from hlsmem.verification.folding import (
    Folding,
    FoldPiece,
    address_relation,
    piece_domain,
    symbolic_domain,
)
from hlsmem.verification.kernel import objection_to_kernel
from hlsmem.verification.occupancy import Occupancy, occupancy
from hlsmem.verification.parts import Part
from hlsmem.verification.rowmajor import in_row_major_order
from hlsmem.verification.separation import (
    Collision,
    Separated,
    Unproved,
    nonpositive_modulus,
    separates,
)
from hlsmem.verification.witness import collision_text, element_text, undefined_text

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What is judged: an array, its conflicts, and the elements that ever lie in a cell.

    `elements` is None where any element may; `occupancy` is None for a bare conflict set.
    """

    array: Array
    conflicts: Any = field(compare=False)
    elements: Any = field(compare=False)
    occupancy: Occupancy | None


def subject_of(
    source: Program | ConflictInput, array: Array, *, strict: bool, slack: int
) -> Subject:
    if isinstance(source, Program):
        found = occupancy(source, array.name, strict=strict, slack=slack)
        return Subject(
            array=array,
            conflicts=found.conflicts,
            elements=found.values.domain(),
            occupancy=found,
        )
    given = source.conflicts[array.name]
    return Subject(
        array=array,
        conflicts=_given_conflicts(given, source.context),
        elements=given.elements,
        occupancy=None,
    )


def _given_conflicts(given: ConflictSet, context: Any) -> Any:
    """{ element -> element } of a bare conflict set, without the identity, with both signs."""
    space = element_space(context, given.array)
    if given.pairs is not None:
        pairs = _rename(given.pairs, given.array.name)
    else:
        differences = given.differences.set_tuple_name(given.array.name)
        everywhere = Map.universe(space.map_from_set()).deltas_map()
        pairs = everywhere.intersect_range(differences).domain().unwrap()
    if given.elements is not None:
        elements = given.elements.set_tuple_name(given.array.name)
        pairs = pairs.intersect_domain(elements).intersect_range(elements)
    both = pairs.union(pairs.reverse()).intersect_params(context)
    return both.subtract(Map.identity(both.get_space()))


def _rename(pairs: Any, name: str) -> Any:
    return pairs.set_tuple_name(DimType.in_, name).set_tuple_name(DimType.out, name)


def undefined(source: Program | ConflictInput, subject: Subject) -> str:
    if subject.occupancy is None or subject.occupancy.undefined.is_empty():
        return ""
    assert isinstance(source, Program)
    return undefined_text(source, subject.array, subject.occupancy)


def _at_values(source: Program | ConflictInput, subject: Subject, folding: Folding) -> str:
    """The objection at the plan's parameters, judged by the numbers in the plan."""
    values = source.values
    try:
        domains = [None if p.domain is None else piece_domain(p, values) for p in folding.pieces]
    except ValueError as error:
        return str(error)
    homeless = _homeless(subject, _elements(subject, values), domains)
    if homeless:
        return homeless
    space = element_space(fix_parameters(source.context, values), subject.array)
    address = address_relation(folding, space, values)
    same_cell = address.apply_range(address.reverse())
    bad = fix_parameters(subject.conflicts, values).intersect(same_cell)
    return "" if bad.is_empty() else collision_text(source, subject.array, subject.occupancy, bad)


def bank_objection(
    source: Program | ConflictInput, subject: Subject, part: Part, memory: Document
) -> str:
    """The objection to the banks of a part, where it has any, at the plan's parameters."""
    try:
        banked = read_banked(part.name, part.entry)
    except (ValueError, KeyError, TypeError) as error:
        return f"the banks cannot be read: {error}"
    if banked is None:
        return ""
    return (
        "; ".join(banks.memory_disagreements(banked, memory))
        or misplaced(banked, _elements(subject, source.values))
        or _sharing(source, subject, banked)
        or (crowded(source, subject.array, banked) if isinstance(source, Program) else "")
    )


def _sharing(source: Program | ConflictInput, subject: Subject, banked: Banked) -> str:
    """A conflicting pair that shares an offset of a bank."""
    place = cell_relation(banked, subject.array.name)
    same = place.apply_range(place.reverse())
    bad = fix_parameters(subject.conflicts, source.values).intersect(same)
    if bad.is_empty():
        return ""
    return "in banks, " + collision_text(source, subject.array, subject.occupancy, bad)


def _for_all_parameters(source: Program | ConflictInput, subject: Subject, folding: Folding) -> str:
    """The objection for some value of the parameters, judged by the formulas in the plan."""
    domains = [
        None if p.domain is None else symbolic_domain(p, source.parameters) for p in folding.pieces
    ]
    homeless = _homeless(subject, _elements(subject, {}), domains)
    if homeless:
        return homeless
    for piece, domain in zip(folding.pieces, domains, strict=True):
        objection = nonpositive_modulus(piece.rows, source.context)
        if objection:
            return objection
        conflicts = subject.conflicts
        if domain is not None:
            named = domain.set_tuple_name(subject.array.name)
            conflicts = conflicts.intersect_domain(named).intersect_range(named)
        answer = separates(piece.rows, without_name(conflicts.deltas()))
        if isinstance(answer, Unproved):
            if domain is None and _in_row_major_order(subject, piece, source.context):
                continue
            if domain is None and folding.kernel:
                answer = _with_kernel(piece, folding, conflicts)
                if isinstance(answer, Separated):
                    continue
            return f"the plan claims a proof for all parameters, but {answer.reason}"
        if isinstance(answer, Collision):
            bad = _pairs_with(conflicts, answer.differences)
            return collision_text(source, subject.array, subject.occupancy, bad)
    return ""


def _with_kernel(piece: FoldPiece, folding: Folding, conflicts: Any) -> Separated | Unproved:
    objection = objection_to_kernel(
        [row.symbolic_coefficients for row in piece.rows],
        [row.symbolic_modulus for row in piece.rows],
        folding.kernel,
        without_name(conflicts.deltas()),
    )
    return Unproved(objection) if objection else Separated()


def _in_row_major_order(subject: Subject, piece: FoldPiece, context: Any) -> bool:
    extents = subject.array.extents
    if len(piece.rows) != 1 or extents is None:
        return False
    return in_row_major_order(piece.rows[0], subject.conflicts, extents, context)


def _elements(subject: Subject, values: Mapping[str, int]) -> Any:
    elements = subject.conflicts.domain() if subject.elements is None else subject.elements
    return without_name(fix_parameters(elements, values))


def _homeless(subject: Subject, elements: Any, domains: Sequence[Any]) -> str:
    """Elements that lie in no piece, or in two; a domain is None where it holds everything."""
    rest = elements
    for domain in domains:
        inside = elements if domain is None else elements.intersect(domain)
        again = inside.subtract(rest)
        if not again.is_empty():
            return f"{element_text(subject.array, again)} lies in two pieces"
        rest = rest.subtract(inside)
    return "" if rest.is_empty() else f"{element_text(subject.array, rest)} lies in no piece"


def _pairs_with(conflicts: Any, differences: Any) -> Any:
    """The conflicting pairs at one of the differences."""
    everywhere = Map.universe(conflicts.get_space()).deltas_map()
    named = differences.set_tuple_name(conflicts.get_tuple_name(DimType.in_))
    return conflicts.intersect(everywhere.intersect_range(named).domain().unwrap())


def mapping_objection(
    source: Program | ConflictInput, subject: Subject, folding: Folding, entry: Document
) -> str:
    """The objection to a mapping: at the plan's parameters, then for all, where that is claimed."""
    objection = _at_values(source, subject, folding)
    if objection or not claims_all_parameters(entry):
        return objection
    return _for_all_parameters(source, subject, folding)


def claims_all_parameters(own: Document) -> bool:
    return bool(own["mapping"]["certificate"]["scope"] == "all-parameters")
