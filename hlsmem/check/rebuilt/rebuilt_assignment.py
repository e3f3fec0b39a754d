"""Arrays in single assignment, worked out from who sees which write.

Each write of an array in place makes an element of an array of values, by the writing statement
and its loops; a read takes from there what it sees, and the array itself has what is live before
and what is last. Source: Feautrier, "Array expansion" (1988).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hlsmem.check.rebuilt.rebuilt_flow import END, START, uses_of
from hlsmem.core.errors import InputError, Problem
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.polyhedra import DimType, Map, Set
from hlsmem.polyhedra.quantities import maximum, quantity_pieces
from hlsmem.polyhedra.relations import maps_of
from hlsmem.polyhedra.signs import is_never_negative
from hlsmem.program.model import Access, Array, Program, Statement, Storage, values_name


def in_single_assignment(program: Program) -> Program:
    """The program with the arrays of `Program.expand` so; in another order than its source, with
    the one in its source's order in `original`.

    Raises InputError where the name of an array of values is taken.
    """
    if not program.expand:
        return program
    source = replace(program.source, expand=program.expand)
    found = replace(source, expand=(), expanded_from=source)
    for name in program.expand:
        found = _expanded(found, source, name)
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


def _expanded(program: Program, source: Program, name: str) -> Program:
    uses = {
        (one.domain().unwrap().get_tuple_name(DimType.out), one.get_tuple_name(DimType.out)): one
        for one in maps_of(uses_of(source, name))
    }  # by the names of writer and reader: { [element -> write] -> read }
    if _is_written_once(source, name):
        return program
    array, values = source.arrays[name], values_name(name)
    if values in source.arrays:
        what = f"plan.expand: {values!r} would hold the values of {name!r}, but is an array"
        raise InputError(Problem(what, "rename it", array.source_location))
    writers = [one for one in source.statements if any(w.array == name for w in one.writes)]
    made = {one.name: _made(one, number, writers, values) for number, one in enumerate(writers)}
    statements = []
    for one in program.statements:
        reads, writes = list[Access](), list[Access]()
        for access in one.reads:
            own = access.array == name
            reads += _seen(one, access, values, made, uses) if own else [access]
        for access in one.writes:
            if access.array == name:
                writes.append(replace(access, array=values, relation=made[one.name]))
                writes += _last(one, access, uses)
            else:
                writes.append(access)
        statements.append(replace(one, reads=tuple(reads), writes=tuple(writes)))
    arrays = {**program.arrays, values: _array(source, array, writers, list(made.values()))}
    touched = any(a.array == name for one in statements for a in (*one.reads, *one.writes))
    if not (touched or array.is_parameter or array.is_shared):
        del arrays[name]  # a local array: nothing is before it, nothing after it
    return replace(program, arrays=arrays, statements=tuple(statements))


def _is_written_once(program: Program, name: str) -> bool:
    """True if no element has two values, live-in ones included."""
    written = [
        access.relation.intersect_domain(one.domain).intersect_params(program.context)
        for one in program.statements
        for access in one.writes
        if access.array == name
    ]
    sets = program.live_in.get_set_list()
    given = [sets.get_at(k) for k in range(sets.n_set())]
    taken = [one for one in given if one.get_tuple_name() == name]
    for one in written:
        if not one.is_injective() or any(not one.range().is_disjoint(other) for other in taken):
            return False
        taken.append(one.range())
    every = [a for one in program.statements for a in one.writes if a.array == name]
    return all(access.must for access in every)


def _made(one: Statement, number: int, writers: list[Statement], values: str) -> Any:
    """{ instance -> the element of its value }: its number among the writers, its loops, zeros."""
    loops = [f"i{k}" for k in range(len(one.iterators))]
    depth = max(len(other.iterators) for other in writers)
    entries = [*([str(number)] if len(writers) > 1 else []), *loops, *["0"] * (depth - len(loops))]
    text = f"{{ {one.name}[{', '.join(loops)}] -> {values}[{', '.join(entries)}] }}"
    return Map(text).align_params(one.domain.get_space()).intersect_domain(one.domain)


def _seen(
    statement: Statement,
    access: Access,
    values: str,
    made: dict[str, Any],
    uses: dict[tuple[str, str], Any],
) -> Iterator[Access]:
    """An operand for each statement whose value is read, then one for what was there before."""
    own = access.relation.intersect_domain(statement.domain)
    for writer in (*made, START):
        pairs = uses.get((writer, statement.name))
        if pairs is None:
            continue
        pairs = pairs.curry()  # { element -> [write -> read] }
        read = own.reverse().align_params(pairs.get_space())
        pairs = pairs.intersect(_beside(pairs, read))
        if pairs.is_empty():
            continue
        if writer == START:
            yield replace(access, relation=own.intersect_domain(pairs.range().unwrap().range()))
        else:
            relation = pairs.range().unwrap().reverse().apply_range(made[writer])
            yield replace(access, array=values, relation=relation.coalesce())


def _beside(pairs: Any, read: Any) -> Any:
    """{ element -> [any write -> read] } of the reads of an operand."""
    writes = Map.from_domain_and_range(read.domain(), pairs.range().unwrap().domain())
    return writes.range_product(read)


def _last(
    statement: Statement, access: Access, uses: dict[tuple[str, str], Any]
) -> Iterator[Access]:
    """The write to the array itself where nothing is written to the element after it."""
    left = uses.get((statement.name, END))
    if left is not None:
        relation = left.domain().unwrap().reverse()
        relation = relation.intersect(access.relation.intersect_domain(statement.domain))
        if not relation.is_empty():
            yield replace(access, relation=relation.coalesce())


def _array(program: Program, array: Array, writers: list[Statement], made: list[Any]) -> Array:
    """The array of values, in a box from 0 on."""
    deepest = max(writers, key=lambda one: len(one.iterators))  # the first of them
    front = "s"
    while front in deepest.iterators or front in program.parameters:
        front += "_"
    index = (*([front] if len(writers) > 1 else []), *deepest.iterators)
    asked = array.of_values
    found = Array(
        name=values_name(array.name),
        element=array.element,
        index=index,
        extents=_extents(program, made, len(index)),
        storage=Storage.MEMORY,
        source_location=array.source_location,
    )
    if asked is None:
        return found
    return replace(
        found, style=asked.style, reads=asked.reads, parts=asked.parts, max_banks=asked.max_banks
    )


def _extents(program: Program, made: list[Any], size: int) -> tuple[QuasiPolynomial, ...] | None:
    """One more than the largest index of each dimension; None where that has no formula."""
    elements = Set.empty(made[0].range().get_space())
    for one in made:
        elements = elements.union(one.range())
    elements = elements.intersect_params(program.context)
    found = list[QuasiPolynomial]()
    for k in range(size):
        row = [int(j == k) for j in range(size)]
        low = maximum(elements, [-entry for entry in row])
        high = _one_formula(maximum(elements, row), elements.params())
        if high is None or not elements.params().is_subset(low.neg().nonneg_set()):
            return None
        found.append(high + QuasiPolynomial.constant(1))
    return tuple(found)


def _one_formula(value: Any, where: Any) -> QuasiPolynomial | None:
    """The formula that a value has at all parameters of `where`."""
    pieces = quantity_pieces(value, where)
    for one in pieces:
        differences = ((one.value - other.value, Set(other.when).params()) for other in pieces)
        if all(
            is_never_negative(apart, at) and is_never_negative(apart * -1, at)
            for apart, at in differences
        ):
            return one.value
    return None
