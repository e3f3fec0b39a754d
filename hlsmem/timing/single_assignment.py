"""Single assignment for arrays that are written in place: every value gets an element of its own.

The values of A become the array A_v, with the index [writing statement, its loops]; the first
component is left out where one statement writes A. Reads go through the dataflow to the value
that they see. What is live before stays in A, and the last value of an element is written to A
too. Source: Feautrier, "Array expansion" (1988).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any

from hlsmem.core.errors import Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.quantities import maximum, quantity_of
from hlsmem.polyhedra.relations import maps_of, rearrangement
from hlsmem.program.model import Access, Array, Program, Statement, Storage, values_name
from hlsmem.timing.events import LIVE_IN, LIVE_OUT
from hlsmem.timing.value_flow import dataflow


def expanded(program: Program) -> Program:
    """The program with the arrays of `Program.expand` in single assignment; itself without.

    In the order of the source in `original`, where the program has another order. An array that
    is written once already is left as it is. Raises InputError where the name of the new array
    is taken.
    """
    if not program.expand:
        return program
    source = replace(program.source, expand=program.expand)
    found = replace(source, expand=(), expanded_from=source)
    problems = Problems()
    for name in program.expand:
        found = _with_values(found, source, name, problems)
    problems.raise_if_any()
    if program.original is None:
        return found
    known = {one.name: one for one in found.statements}
    return replace(
        program,
        arrays=found.arrays,
        statements=tuple(
            replace(one, reads=known[one.name].reads, writes=known[one.name].writes)
            for one in program.statements
        ),
        live_in=found.live_in,
        live_out=found.live_out,
        expand=(),
        original=found,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Values:
    """The array of values, and for each writing statement { S[i] -> A_v[..] }."""

    array: Array
    made: dict[str, Any] = field(compare=False)


def _with_values(program: Program, source: Program, name: str, problems: Problems) -> Program:
    flow = dataflow(source, name)
    if flow.written_once:
        return program
    array = source.arrays[name]
    values = _values_of(source, array)
    if values.array.name in source.arrays:
        what = f"plan.expand: {values.array.name!r} would hold the values of {name!r}"
        problems.add(
            f"{what}, but there is an array of that name", "rename it", array.source_location
        )
        return program
    statements = tuple(_statement(one, name, values, flow.uses) for one in program.statements)
    arrays = dict(program.arrays)
    arrays[values.array.name] = values.array
    kept = array.is_parameter or array.is_shared
    touched = any(a.array == name for one in statements for a in (*one.reads, *one.writes))
    if not (kept or touched):
        del arrays[name]  # a local array: nothing is before it, nothing after it
    return replace(program, arrays=arrays, statements=statements)


def _values_of(program: Program, array: Array) -> _Values:
    writers = [one for one in program.statements if any(w.array == array.name for w in one.writes)]
    depth = max(len(one.iterators) for one in writers)
    deepest = next(one for one in writers if len(one.iterators) == depth)
    several = len(writers) > 1
    name = values_name(array.name)
    made = {}
    for number, one in enumerate(writers):
        loops = len(one.iterators)
        front = [str(number)] if several else []
        entries = [*front, *range(loops), *["0"] * (depth - loops)]
        point = one.domain.identity().reset_tuple_id(DimType.out)
        moved = point.apply_range(rearrangement(loops, entries))
        made[one.name] = moved.set_tuple_name(DimType.out, name)
    index = (*([_free("s", deepest.iterators, program)] if several else []), *deepest.iterators)
    values = Array(
        name=name,
        element=array.element,
        index=tuple(index),
        extents=_extents([one.range() for one in made.values()], len(index), program),
        storage=Storage.MEMORY,
        source_location=array.source_location,
        **_asked(array.of_values),
    )
    return _Values(array=values, made=made)


def _asked(like: Array | None) -> dict[str, Any]:
    """Settings of the design for the array of values."""
    if like is None:
        return {}
    return {
        "style": like.style,
        "reads": like.reads,
        "parts": like.parts,
        "max_banks": like.max_banks,
    }


def _free(name: str, taken: Sequence[str], program: Program) -> str:
    while name in taken or name in program.parameters:
        name += "_"
    return name


def _extents(
    sets: Sequence[Any], size: int, program: Program
) -> tuple[QuasiPolynomial, ...] | None:
    """A box from 0 around the elements; None where it has no formula."""
    elements = sets[0]
    for one in sets[1:]:
        elements = elements.union(one)
    elements = elements.intersect_params(program.context).coalesce()
    found = []
    for k in range(size):
        row = [int(j == k) for j in range(size)]
        where = elements.params()
        low = maximum(elements, [-one for one in row])
        high = quantity_of(maximum(elements, row), where)
        if high is None or not where.is_subset(low.neg().nonneg_set()):
            return None
        found.append(high + QuasiPolynomial.constant(1))
    return tuple(found)


def _statement(statement: Statement, name: str, values: _Values, uses: Any) -> Statement:
    reads: list[Access] = []
    for access in statement.reads:
        reads += [access] if access.array != name else _reads(statement, access, values, uses)
    writes: list[Access] = []
    for access in statement.writes:
        writes += [access] if access.array != name else _writes(statement, access, values, uses)
    return replace(statement, reads=tuple(reads), writes=tuple(writes))


def _reads(statement: Statement, access: Access, values: _Values, uses: Any) -> list[Access]:
    """An operand for each statement that makes what is read, and one for what was there before.

    Their domains are disjoint.
    """
    relation = access.relation.intersect_domain(statement.domain)
    operands, before = list[tuple[str, Any]](), None
    for one in maps_of(uses):  # [A[x] -> W[i]] -> R[j]
        if one.get_tuple_name(DimType.out) != statement.name:
            continue
        pair = one.domain().unwrap()
        seen = one.intersect(pair.domain_map().apply_range(relation.reverse()))
        if seen.is_empty():
            continue
        writer = pair.get_tuple_name(DimType.out)
        if writer == LIVE_IN:
            before = seen.range()
            continue
        source = seen.curry().range().unwrap().reverse()  # R[j] -> W[i]
        operands.append((writer, source.apply_range(values.made[writer]).coalesce()))
    order = list(values.made)
    operands.sort(key=lambda one: order.index(one[0]))
    found = [replace(access, array=values.array.name, relation=one) for _, one in operands]
    if before is not None:
        found.append(replace(access, relation=relation.intersect_domain(before).coalesce()))
    return found


def _writes(statement: Statement, access: Access, values: _Values, uses: Any) -> list[Access]:
    """The value, and the element where nothing is written to it after that."""
    made = replace(access, array=values.array.name, relation=values.made[statement.name])
    relation = access.relation.intersect_domain(statement.domain)
    for one in maps_of(uses):
        pair = one.domain().unwrap()
        is_last = one.get_tuple_name(DimType.out) == LIVE_OUT
        if is_last and pair.get_tuple_name(DimType.out) == statement.name:
            last = pair.reverse().intersect(relation).coalesce()
            if not last.is_empty():
                return [made, replace(access, relation=last)]
    return [made]
