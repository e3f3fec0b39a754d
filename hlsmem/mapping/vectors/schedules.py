"""All affine schedules that a choice of stores allows, and the fastest of them.

Source: Thies, Vivien, Amarasinghe (TOPLAS 2007), sections 4 and 5: a store v of an array adds,
for every use of x and write of x + v, the row "the write is not before the use" to the rows of
the dependences. All are linear in the coefficients of the schedules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.mapping.vectors.validity import overwriting, writers_of
from hlsmem.polyhedra import DimType, Set
from hlsmem.polyhedra.extremes import lexmin
from hlsmem.polyhedra.generators import cone_of
from hlsmem.polyhedra.lattices import Vector, unit
from hlsmem.polyhedra.relations import maps_of
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Program
from hlsmem.timing.affine_schedules import (
    Coefficients,
    coefficients_of,
    generators_of_all,
    legal_rows,
    pair_generators,
)
from hlsmem.timing.class_dependences import dependences
from hlsmem.timing.value_flow import dataflow


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """The schedules that keep all dependences, and those of them that the stores allow.

    `legal` and `allowed` are sets over the coefficients `names`. `latency` is the least
    difference of the last and the first time at the plan's values, with the schedule `best`
    as a text for each statement; None where no schedule is allowed. Then `farkas` are
    multipliers of rows, in words, whose sum says 0 >= 1.
    """

    names: tuple[str, ...]
    legal: Any = field(compare=False)
    allowed: Any = field(compare=False)
    stores: Mapping[str, tuple[Vector, ...]]
    latency: int | None = None
    best: Mapping[str, str] = field(default_factory=dict)
    farkas: tuple[str, ...] = ()


def schedules_for(
    program: Program, stores: Mapping[str, Sequence[Vector]], *, is_symbolic: bool = False
) -> Stored:
    """The schedules for stores: every vector of each array has to be right.

    At the plan's sizes, or with the same coefficients for all of them (`is_symbolic`). Raises
    InputError for an unknown array, and a vector that is 0 or of another length than its index.
    """
    for name, vectors in stores.items():
        for vector in vectors:
            _check_store(program, name, vector)
    parameters = tuple(program.parameters) if is_symbolic else ()
    coefficients = coefficients_of(program, parameters)
    legal = [
        (row, f"{one.kind} dependence of {one.array}")
        for one in dependences(program)
        for row in legal_rows(coefficients, program, one, is_symbolic=is_symbolic)
    ]
    storing = [
        (row, f"store {name} = {list(vector)}")
        for name, vectors in stores.items()
        for vector in vectors
        for row in _storage_rows(coefficients, program, name, vector, is_symbolic=is_symbolic)
    ]
    used = _used(coefficients, [row for row, _ in [*legal, *storing]])
    names = _names(program, coefficients, used)
    first = _set_of([row for row, _ in legal], used, names)
    allowed = first.intersect(_set_of([row for row, _ in storing], used, names))
    found = Stored(
        names=names,
        legal=first.remove_redundancies(),
        allowed=allowed.remove_redundancies(),
        stores={name: tuple(vectors) for name, vectors in stores.items()},
    )
    if allowed.is_empty():
        return _refuted(found, legal, storing, used)
    return _fastest(found, program, coefficients, used, allowed)


def _check_store(program: Program, name: str, vector: Vector) -> None:
    if name not in program.arrays:
        known = ", ".join(array.name for array in program.planned_arrays())
        raise InputError(Problem(f"--store: there is no array {name!r}", f"there are: {known}"))
    size = len(program.arrays[name].index)
    shown = list(vector)
    if len(vector) != size:
        what = f"--store {name}={shown} has {len(vector)} entries, {name!r} has {size} indices"
        raise InputError(Problem(what, "give one entry for each index"))
    if not any(vector):
        what = f"--store {name}={shown}: every element would be overwritten by itself"
        raise InputError(Problem(what, "give a vector that is not 0"))


def _storage_rows(
    coefficients: Coefficients, program: Program, name: str, vector: Vector, *, is_symbolic: bool
) -> list[Vector]:
    """Rows T(write of x + v) - T(use of x) >= 0 over the generators of all such pairs."""
    array = program.arrays[name]
    found = writers_of(program, array, dataflow(program, name), at_plan=False)
    uses, _ = overwriting(found, vector)
    rows = list[Vector]()
    for relation in maps_of(uses):
        source = relation.get_tuple_name(DimType.in_)
        sink = relation.get_tuple_name(DimType.out)
        depth = relation.dim(DimType.in_)
        reach = depth + relation.dim(DimType.out)
        for generator in pair_generators(relation, program, is_symbolic=is_symbolic):
            rest = generator[reach:]
            early = coefficients.time(source, (*generator[:depth], *rest))
            late = coefficients.time(sink, (*generator[depth:reach], *rest))
            rows.append(tuple(b - a for a, b in zip(early, late, strict=True)))
    return list(dict.fromkeys(row for row in rows if any(row)))


def _used(coefficients: Coefficients, rows: Sequence[Vector]) -> tuple[int, ...]:
    """The coefficients that some row depends on; a lone statement's constant is none."""
    return tuple(k for k in range(coefficients.size - 1) if any(row[k] for row in rows))


def _names(program: Program, coefficients: Coefficients, used: Sequence[int]) -> tuple[str, ...]:
    """S_i, S_j for loops, S_N for parameters and S_0 for the constant of each statement."""
    names = dict[int, str]()
    for one in program.statements:
        start = coefficients.starts[one.name]
        own = (*one.iterators, *coefficients.parameters, "0")
        names |= {start + k: f"{one.name}_{entry}" for k, entry in enumerate(own)}
    return tuple(names[k] for k in used)


def _set_of(rows: Sequence[Vector], used: Sequence[int], names: Sequence[str]) -> Any:
    conditions = []
    for row in rows:
        form = " + ".join(f"{row[k]}*{name}" for k, name in zip(used, names, strict=True))
        conditions.append(f"{form or '0'} + {row[-1]} >= 0")
    return Set(f"{{ [{', '.join(names)}] : {' and '.join(conditions) or 'true'} }}")


def _refuted(
    found: Stored,
    legal: Sequence[tuple[Vector, str]],
    storing: Sequence[tuple[Vector, str]],
    used: Sequence[int],
) -> Stored:
    """The multipliers of Farkas' lemma: rows that add up to 0 >= 1."""
    rows = [*legal, *storing]
    count = len(rows)
    balanced = [tuple(row[k] for row, _ in rows) for k in used]
    cone = cone_of([unit(count, k) for k in range(count)], balanced, count)
    for ray in cone.rays:
        if sum(factor * row[-1] for factor, (row, _) in zip(ray, rows, strict=True)) < 0:
            texts = tuple(
                f"{factor} x ({_row_text(row, found.names, used)}) by the {text}"
                for factor, (row, text) in zip(ray, rows, strict=True)
                if factor
            )
            return replace(found, farkas=texts)
    return found  # infeasible between integers alone


def _row_text(row: Vector, names: Sequence[str], used: Sequence[int]) -> str:
    form = _expression([(row[k], name) for k, name in zip(used, names, strict=True)])
    return f"{form} >= {-row[-1]}"


def _fastest(
    found: Stored, program: Program, coefficients: Coefficients, used: Sequence[int], allowed: Any
) -> Stored:
    """The least latency, by corners of the domains; of the fastest the least coefficients."""
    corners = [
        coefficients.time(one.name, corner)
        for one in program.statements
        for corner in _corners(program, one, coefficients)
    ]
    names = found.names
    conditions = []
    for early in corners:
        for late in corners:
            row = [b - a for a, b in zip(early, late, strict=True)]
            form = " + ".join(f"{row[k]}*{name}" for k, name in zip(used, names, strict=True))
            if any(row[k] for k in used):
                conditions.append(f"{form} <= latency_")
    bounds = [f"-size_ <= {name} <= size_" for name in names]
    conditions += ["latency_ >= 0", *bounds]
    head = ", ".join(["latency_", "size_", *names])
    own = allowed.insert_dims(DimType.set, 0, 2)
    space = Set(f"{{ [{head}] : {' and '.join(dict.fromkeys(conditions))} }}").intersect(own)
    point = lexmin(space).sample_point().get_multi_val()
    values = [point.get_val(k).to_python() for k in range(2 + len(names))]
    chosen = dict(zip(used, values[2:], strict=True))
    best = {}
    for one in program.statements:
        start = coefficients.starts[one.name]
        terms = [*one.iterators, *coefficients.parameters, ""]
        best[one.name] = _expression(
            [(chosen.get(start + k, 0), term) for k, term in enumerate(terms)]
        )
    return replace(found, latency=values[0], best=best)


def _corners(program: Program, statement: Any, coefficients: Coefficients) -> list[Vector]:
    """The integer corners of a domain at the plan's values, with the parameters behind."""
    domain = fix_parameters(statement.domain, program.values)
    values = tuple(program.values[name] for name in coefficients.parameters)
    found = []
    for piece in domain.get_basic_sets():
        if piece.dim(DimType.div):
            piece = piece.remove_divs()
        for generator in generators_of_all(piece):
            if generator[-1] == 1:
                found.append((*generator[:-1], *values, 1))
    return list(dict.fromkeys(found))


def _expression(terms: Sequence[tuple[int, str]]) -> str:
    text = ""
    for factor, name in terms:
        if not factor:
            continue
        size = abs(factor)
        term = name if name and size == 1 else f"{size}*{name}" if name else str(size)
        sign = "-" if factor < 0 else "+"
        text = f"{text} {sign} {term}" if text else (f"-{term}" if factor < 0 else term)
    return text or "0"
