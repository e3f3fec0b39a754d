"""Check `exact`: isl proves that no two conflicting elements share a cell.

Conflicts come from `occupancy`, the folding from the numbers and formulas in plan.json. The
numbers are judged at the plan's parameters; where the certificate claims all parameters, the
formulas are judged for every value the context allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hlsmem.check.agreement import design_disagreements, disagreements, overlaps
from hlsmem.check.banked import (
    Banked,
    cell_relation,
    crowded,
    memory_disagreements,
    misplaced,
    read_banked,
)
from hlsmem.check.folding import (
    Folding,
    FoldPiece,
    address_relation,
    piece_domain,
    read_folding,
    symbolic_domain,
)
from hlsmem.check.kernel import objection_to_kernel
from hlsmem.check.occupancy import Occupancy, element_space, occupancy
from hlsmem.check.rowmajor import in_row_major_order
from hlsmem.check.separation import (
    Collision,
    Separated,
    Unproved,
    nonpositive_modulus,
    separates,
)
from hlsmem.check.witness import collision_text, element_text, undefined_text
from hlsmem.options import Design
from hlsmem.plan import Plan
from hlsmem.polyhedra import DimType, Map
from hlsmem.polyhedra.sets import fix_parameters, without_name
from hlsmem.program import Array, ConflictInput, ConflictSet, Program
from hlsmem.verdict import Status, Verdict

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Subject:
    """What is judged: an array, its conflicts, and the elements that ever lie in a cell.

    `elements` is None where any element may; `occupancy` is None for a bare conflict set.
    """

    array: Array
    conflicts: Any = field(compare=False)
    elements: Any = field(compare=False)
    occupancy: Occupancy | None


def check_exact(
    design: Design, program: Program | None, plan: Plan, document: Document
) -> tuple[Verdict, ...]:
    """One verdict per array. `program` has its streams; None for a bare conflict set.

    `document` is plan.json as it stands, `plan` the same as read. Conflicts are recomputed by
    the definition in `occupancy`; bare conflict sets are taken as given.
    """
    source = program or design.input
    wrong = list(design_disagreements(document, design))
    planned = _planned(source)
    foldings = {name: _folding(name, document) for name in plan.arrays}
    sound = [folding for folding in foldings.values() if isinstance(folding, Folding)]
    shared = dict(overlaps(document, sound))
    verdicts: list[Verdict] = []
    for name in dict.fromkeys([*planned, *plan.arrays]):
        if name not in foldings:
            found = "the plan has no such array"
        elif name not in planned:
            found = "the design plans no such array"
        else:
            found = _objection(
                source, planned[name], foldings[name], document, [*wrong, *_value(shared, name)]
            )
        status = Status.FAIL if found else Status.PASS
        detail = found or _proved(document["arrays"][name], document["params"])
        verdicts.append(Verdict(check="exact", subject=name, status=status, detail=detail))
    return tuple(verdicts)


def _value(texts: Mapping[str, str], name: str) -> list[str]:
    return [texts[name]] if name in texts else []


def _planned(source: Program | ConflictInput) -> dict[str, Array]:
    if isinstance(source, Program):
        return {array.name: array for array in source.planned_arrays()}
    return {name: conflict.array for name, conflict in source.conflicts.items()}


def _folding(name: str, document: Document) -> Folding | str:
    """The folding of an array, or what is malformed about it."""
    try:
        return read_folding(name, document["arrays"][name])
    except (ValueError, KeyError, TypeError) as error:
        return f"the mapping cannot be read: {error}"


def _objection(
    source: Program | ConflictInput,
    array: Array,
    folding: Folding | str,
    document: Document,
    wrong: Iterable[str],
) -> str:
    """Why the plan of one array is refused; empty where it is proved."""
    if isinstance(folding, str):
        return folding
    found = [*wrong, *disagreements(document, folding, array)]
    if isinstance(source, Program) and _may_write(source, array):
        found.append("a write that data decide on cannot be checked yet")
    if found:
        return "; ".join(found)
    subject = _subject(source, array, strict=bool(document["strict"]), slack=document["slack"])
    objection = (
        _undefined(source, subject)
        or _at_values(source, subject, folding)
        or _in_banks(source, subject, document)
    )
    if objection or not _claims_all_parameters(document["arrays"][array.name]):
        return objection
    return _for_all_parameters(source, subject, folding)


def _may_write(program: Program, array: Array) -> bool:
    writes = [access for statement in program.statements for access in statement.writes]
    return any(not access.must for access in writes if access.array == array.name)


def _claims_all_parameters(own: Document) -> bool:
    return bool(own["mapping"]["certificate"]["scope"] == "all-parameters")


def _proved(own: Document, values: Mapping[str, int]) -> str:
    cells = own["mapping"]["cells"]
    many = "1 cell separates" if cells == 1 else f"{cells} cells separate"
    if own["place"]["bank_basis"] is not None:
        cells = _cells_proved(own, values, many)
        return f"{cells}; at these parameters so do the banks, and no beat reads one twice"
    return _cells_proved(own, values, many)


def _cells_proved(own: Document, values: Mapping[str, int], many: str) -> str:
    if _claims_all_parameters(own) and values:
        return f"proved for all parameters: {many} all conflicting elements"
    at = ", ".join(f"{name}={value}" for name, value in values.items())
    return f"proved{' at ' + at if at else ''}: {many} all conflicting elements"


def _subject(
    source: Program | ConflictInput, array: Array, *, strict: bool, slack: int
) -> _Subject:
    if isinstance(source, Program):
        found = occupancy(source, array.name, strict=strict, slack=slack)
        return _Subject(
            array=array,
            conflicts=found.conflicts,
            elements=found.values.domain(),
            occupancy=found,
        )
    given = source.conflicts[array.name]
    return _Subject(
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


def _undefined(source: Program | ConflictInput, subject: _Subject) -> str:
    if subject.occupancy is None or subject.occupancy.undefined.is_empty():
        return ""
    assert isinstance(source, Program)
    return undefined_text(source, subject.array, subject.occupancy)


def _at_values(source: Program | ConflictInput, subject: _Subject, folding: Folding) -> str:
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


def _in_banks(source: Program | ConflictInput, subject: _Subject, document: Document) -> str:
    """The objection to the banks of an array, where it has any, at the plan's parameters."""
    own = document["arrays"][subject.array.name]
    try:
        banked = read_banked(subject.array.name, own)
    except (ValueError, KeyError, TypeError) as error:
        return f"the banks cannot be read: {error}"
    if banked is None:
        return ""
    memory = document["memories"][own["place"]["memory"]]
    return (
        "; ".join(memory_disagreements(banked, memory))
        or misplaced(banked, _elements(subject, source.values))
        or _sharing(source, subject, banked)
        or (crowded(source, subject.array, banked) if isinstance(source, Program) else "")
    )


def _sharing(source: Program | ConflictInput, subject: _Subject, banked: Banked) -> str:
    """A conflicting pair that shares an offset of a bank."""
    place = cell_relation(banked, subject.array.name)
    same = place.apply_range(place.reverse())
    bad = fix_parameters(subject.conflicts, source.values).intersect(same)
    if bad.is_empty():
        return ""
    return "in banks, " + collision_text(source, subject.array, subject.occupancy, bad)


def _for_all_parameters(
    source: Program | ConflictInput, subject: _Subject, folding: Folding
) -> str:
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


def _in_row_major_order(subject: _Subject, piece: FoldPiece, context: Any) -> bool:
    extents = subject.array.extents
    if len(piece.rows) != 1 or extents is None:
        return False
    return in_row_major_order(piece.rows[0], subject.conflicts, extents, context)


def _elements(subject: _Subject, values: Mapping[str, int]) -> Any:
    elements = subject.conflicts.domain() if subject.elements is None else subject.elements
    return without_name(fix_parameters(elements, values))


def _homeless(subject: _Subject, elements: Any, domains: Sequence[Any]) -> str:
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
