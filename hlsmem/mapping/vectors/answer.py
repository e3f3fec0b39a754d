"""Occupancy vectors of one array, kind by kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from math import prod
from typing import Any

from hlsmem.core.errors import HlsmemError
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.mapping.methods.vector import GUARANTEES as KINDS
from hlsmem.mapping.projection import projection
from hlsmem.mapping.shortest_differences import even_ones, order, vectors_of_length
from hlsmem.mapping.vectors.uniform import (
    Multiplicities,
    affine_set,
    certificate,
    rows_set,
    subsuming,
    trivial,
    universal_set,
)
from hlsmem.mapping.vectors.validity import Validity, validity, writers_of
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.lattices import Matrix, Vector, content
from hlsmem.polyhedra.relations import maps_of
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Array, Program
from hlsmem.program.schedule_classes import AffineSchedules, AnyOrder, Banded, Given, ScheduleClass
from hlsmem.timing.class_dependences import dependences, union_of_dependences
from hlsmem.timing.class_relations import ClassOfOrders, orders_of, skewed_bands
from hlsmem.timing.closure import uniform_distances
from hlsmem.timing.value_flow import dataflow


@dataclass(frozen=True, slots=True, kw_only=True)
class KindVectors:
    """The vectors of one kind: `valid` is the whole set as isl text, where it has a closed form.

    `shortest` are all vectors of the least length, `even` the most even of them; `strict` ones
    let nobody read at the time of the write, but the instance that writes. `vacuous` ones have
    nobody to disturb. `occupied` cells hold elements, `allocated` are those of the box of the
    mapping (`rows`, each modulo its entry of `moduli`), by the first even vector. `reason` says
    why there is none; where the class of orders is refused for it, `skew` has rows that make one.
    """

    valid: str | None = None
    shortest: tuple[Vector, ...] = ()
    even: tuple[Vector, ...] = ()
    strict: tuple[Vector, ...] = ()
    strict_even: tuple[Vector, ...] = ()
    vacuous: tuple[Vector, ...] = ()
    occupied: int | None = None
    allocated: int | None = None
    rows: Matrix = ()
    moduli: tuple[int, ...] = ()
    is_fixed: bool = False
    reason: str | None = None
    is_refused: bool = False
    skew: str | None = None
    trivial: Vector | None = None
    certificate: tuple[Multiplicities, ...] = ()
    bands: tuple[tuple[str, ...], ...] = ()
    least: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayVectors:
    """The vectors of one array; `flow` are its flow vectors where they are constant, `kept`
    those that say what all do."""

    array: Array = field(compare=False)
    flow: tuple[Vector, ...] | None
    kept: tuple[Vector, ...]
    kinds: dict[str, KindVectors]


def class_of(kind: str, asked: ScheduleClass) -> ScheduleClass:
    """The class of orders that a kind of vectors is for; `asked` is that of the design."""
    match kind:
        case "aov":
            return asked if isinstance(asked, AffineSchedules) else AffineSchedules()
        case "uov":
            return AnyOrder()
        case "quov":
            return asked if isinstance(asked, Banded) else Banded(name="tiled")
        case _:
            return Given()


def vectors_of(
    program: Program,
    array: Array,
    asked: ScheduleClass,
    *,
    kinds: Sequence[str] = tuple(KINDS),
    most: int = 12,
) -> ArrayVectors:
    """The shortest vectors of each kind, up to the length `most`."""
    flow = flow_vectors(program)
    found = {kind: _kind(program, array, kind, asked, flow, most) for kind in kinds}
    return ArrayVectors(array=array, flow=flow, kept=subsuming(flow) if flow else (), kinds=found)


def flow_vectors(program: Program) -> tuple[Vector, ...] | None:
    """The distances of dependences, in the order of the reads, where one statement has them all
    and they are constant at the plan's values; else None."""
    if len(program.statements) != 1:
        return None
    found = maps_of(union_of_dependences(dependences(program)))
    if len(found) != 1:
        return None
    distances = uniform_distances(found[0], program.values)
    if distances is None or not _is_identity(program):
        return None
    (statement,) = program.statements
    textual = list[Vector]()
    for access in statement.reads:
        relation = fix_parameters(access.relation, program.values)
        for one in uniform_distances(_between(relation, program), program.values) or ():
            textual.append(one)
    return tuple(
        sorted(distances, key=lambda d: textual.index(d) if d in textual else len(textual))
    )


def _between(read: Any, program: Program) -> Any:
    """{ writer -> reader } of one read of an array that one statement writes."""
    (statement,) = program.statements
    (write,) = statement.writes
    return fix_parameters(write.relation, program.values).apply_range(read.reverse())


def _is_identity(program: Program) -> bool:
    """True if elements are iterations: the one statement writes A[i, ..] at S[i, ..]."""
    (statement,) = program.statements
    if len(statement.writes) != 1:
        return False
    relation = statement.writes[0].relation
    plain = relation.reset_tuple_id(DimType.in_).reset_tuple_id(DimType.out)
    if plain.dim(DimType.in_) != plain.dim(DimType.out):
        return False
    return bool(plain.is_subset(plain.identity(plain.get_space())))


def _kind(
    program: Program,
    array: Array,
    kind: str,
    asked: ScheduleClass,
    flow: tuple[Vector, ...] | None,
    most: int,
) -> KindVectors:
    try:
        orders = orders_of(program, class_of(kind, asked))
    except HlsmemError as error:
        skew = _skew(program, class_of(kind, asked))
        return KindVectors(reason=error.problems[0].what, is_refused=True, skew=skew)
    test = tester(program, array, orders)
    shortest, vacuous = search(len(array.index), test, most)
    strict, _ = search(len(array.index), test, most, strict=True)
    reason = None
    if not shortest:
        reason = f"no vector of a length up to {most} is right for {KINDS[kind]}"
    chosen = even_ones(shortest)
    size = _sizes(program, array, chosen[0]) if chosen else (None, None, (), ())
    return KindVectors(
        valid=_closed_form(kind, array, flow, orders, program),
        shortest=shortest,
        even=chosen,
        strict=strict,
        strict_even=even_ones(strict),
        vacuous=vacuous,
        occupied=size[0],
        allocated=size[1],
        rows=size[2],
        moduli=size[3],
        is_fixed=orders.precedence.is_fixed,
        reason=reason,
        trivial=trivial(flow) if flow and kind == "uov" else None,
        certificate=(certificate(chosen[0], flow) or ())
        if flow and kind == "uov" and chosen
        else (),
        bands=tuple(band.texts for band in orders.bands),
        least=_least(flow, orders) if flow and kind == "quov" else None,
    )


Test = Callable[[Vector, bool], Validity]


def tester(program: Program, array: Array, orders: ClassOfOrders) -> Test:
    """The test of a vector for the orders of a class; its second argument asks for strictness."""
    precedence = orders.precedence
    found = writers_of(program, array, dataflow(program, array.name), at_plan=precedence.is_fixed)
    # Of a single schedule the papers' strict rule has no exception.
    own_read = not isinstance(orders.asked, Given)
    return lambda vector, strict: validity(
        found, precedence, vector, strict=strict, own_read=own_read
    )


def search(
    size: int, test: Test, most: int, *, strict: bool = False
) -> tuple[tuple[Vector, ...], tuple[Vector, ...]]:
    """All valid vectors of the least length, and the vacuous ones that are no longer."""
    vacuous = list[Vector]()
    for total in range(1, most + 1) if size else ():
        valid = []
        for vector in vectors_of_length(size, total):
            match test(vector, strict):
                case Validity.VALID:
                    valid.append(vector)
                case Validity.VACUOUS:
                    vacuous.append(vector)
        if valid:
            return tuple(sorted(valid, key=order)), tuple(sorted(vacuous, key=order))
    return (), tuple(sorted(vacuous, key=order))


def _skew(program: Program, asked: ScheduleClass) -> str | None:
    """The rows that are not legal, and the least skew of them that is; None where there is none."""
    if not isinstance(asked, Banded):
        return None
    try:
        bands, legal = skewed_bands(program, asked)
    except HlsmemError:
        return None
    own, skewed = (
        [text for band in some if band.is_tiled for text in band.texts] for some in (bands, legal)
    )
    if any(" or " in text for text in own):
        return None  # other loops in other statements: no form of one loop is their row
    return f"none for rows {', '.join(own)}; rows {', '.join(skewed)} are legal"


def _closed_form(
    kind: str,
    array: Array,
    flow: tuple[Vector, ...] | None,
    orders: ClassOfOrders,
    program: Program,
) -> str | None:
    """The set of valid vectors by the papers' rules, for constant flow vectors."""
    if not flow:
        return None
    names = array.index
    match kind:
        case "uov":
            return str(universal_set(flow, names))
        case "aov":
            return str(affine_set(flow, names))
        case "quov":
            rows = _band_rows(orders)
            return None if rows is None else str(rows_set(rows, flow, names))
        case _:
            (statement,) = program.statements
            row = _linear(statement.schedule.intersect_domain(statement.domain))
            return str(rows_set(row, flow, names)) if row is not None and len(row) == 1 else None


def _band_rows(orders: ClassOfOrders) -> Matrix | None:
    """The linear parts of the rows of one tiled band; None for other classes."""
    if len(orders.bands) != 1 or not orders.bands[0].is_tiled:
        return None
    (rows,) = maps_of(orders.bands[0].rows)
    return _linear(rows)


def _least(flow: Sequence[Vector], orders: ClassOfOrders) -> tuple[int, ...] | None:
    """The greatest value of every row on the flow vectors."""
    rows = _band_rows(orders)
    if rows is None:
        return None
    return tuple(max(sum(a * b for a, b in zip(row, d, strict=True)) for d in flow) for row in rows)


def _linear(function: Any) -> Matrix | None:
    """The factors of an affine function; None where it has pieces or divisions."""
    from hlsmem.polyhedra import PwMultiAff

    pieces = list[Any]()
    PwMultiAff.from_map(function).foreach_piece(lambda _, form: pieces.append(form))
    if len(pieces) != 1:
        return None
    rows = []
    for position in range(function.dim(DimType.out)):
        form = pieces[0].get_aff(position)
        if form.dim(DimType.div):
            return None
        factors = [
            form.get_coefficient_val(DimType.in_, k) for k in range(function.dim(DimType.in_))
        ]
        if not all(factor.is_int() for factor in factors):
            return None
        rows.append(tuple(factor.to_python() for factor in factors))
    return tuple(rows)


def _sizes(
    program: Program, array: Array, vector: Vector
) -> tuple[int, int, Matrix, tuple[int, ...]]:
    """(occupied, allocated, rows, moduli) of the mapping of a vector at the plan's values."""
    import numpy as np

    flow = dataflow(program, array.name)
    elements = np.concatenate(
        [
            distinct_points(fix_parameters(one.domain(), program.values))
            for one in maps_of(flow.values)
        ]
    )

    def width(row: Vector) -> int:
        return int(np.ptp(elements @ np.array(row, dtype=np.int64))) + 1

    rows, crossing = projection(vector, width)
    moduli = tuple(width(row) for row in rows)
    if crossing is not None:
        rows, moduli = (*rows, crossing), (*moduli, content(vector))
    if not rows:
        return 1, 1, (), ()
    cells = elements @ np.array(rows, dtype=np.int64).T
    cells = cells % np.array(moduli, dtype=np.int64)
    return len(np.unique(cells, axis=0)), prod(moduli), rows, moduli
