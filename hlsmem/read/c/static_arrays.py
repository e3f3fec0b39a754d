"""Static local arrays: scratch, where every call writes what it reads, else state.

Programs for small machines put large temporaries into static memory to spare the stack. State holds
at first the numbers of its C initialiser (C99 6.7.8).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hlsmem.polyhedra import Map, UnionMap
from hlsmem.polyhedra.relations import union_map
from hlsmem.program.model import Access, Array, Filter, Statement, Storage
from hlsmem.read.c import tree
from hlsmem.read.c.initializer_lists import Element, UnknownValueError, elements_of
from hlsmem.read.c.symbols import Scope, Variable, constant_integer
from hlsmem.read.c.tree import Float


def with_kept(
    arrays: Mapping[Variable, Array], statements: Sequence[Statement], outside: frozenset[str]
) -> dict[Variable, Array]:
    """The arrays, with static variables that C `outside` the region does not use as what they are.

    Scratch is a plain local. What a call reads of an earlier one is state: arrays, and, where
    there is one, scalars too, so that all of it is in one place.
    """
    own = {
        variable
        for variable, array in arrays.items()
        if variable.static
        and variable.scope == "local"
        and array.is_shared
        and variable.object.name not in outside
    }
    written = {access.array for one in statements for access in one.writes}
    scratch = {one for one in own if _is_written_first(arrays[one].name, statements)}
    own = {one for one in own if arrays[one].name in written}
    state = {one for one in own - scratch if _can_be_state(one, arrays[one])}
    if not any(arrays[one].index for one in state):
        state = set()

    def kept(variable: Variable, array: Array) -> Array:
        if variable in scratch:
            return replace(array, storage=Storage.MEMORY, is_shared=False)
        if variable not in state:
            return array
        return replace(array, storage=Storage.STATE, first=first_bits(variable, array))

    return {variable: kept(variable, array) for variable, array in arrays.items()}


def _can_be_state(variable: Variable, array: Array) -> bool:
    """True if its cells can be set up: members of structs need their own numbers for that."""
    if array.extents is None:
        return False
    if not variable.path:
        return True
    first = first_bits(variable, array)
    has_constant_extents = all(one.constant_value() is not None for one in array.extents)
    return first is not None and (not first or has_constant_extents)


def unwritten_read(array: str, statements: Sequence[Statement]) -> Access | None:
    """The first read of an array that no earlier instance certainly writes; None: there is none."""
    return next(
        (
            access
            for one in statements
            for access in one.reads
            if access.array == array and not _is_provided(access, statements)
        ),
        None,
    )


def _is_written_first(array: str, statements: Sequence[Statement]) -> bool:
    """True if an earlier instance certainly writes every element that is read."""
    reads = [access for one in statements for access in one.reads if access.array == array]
    return not reads or _are_provided(array, reads, statements)


def _is_provided(access: Access, statements: Sequence[Statement]) -> bool:
    return _are_provided(access.array, [access], statements)


def _are_provided(array: str, made: Sequence[Access], statements: Sequence[Statement]) -> bool:
    reads = union_map(access.relation for access in made)
    if reads.is_empty():
        return True
    writes = union_map(
        access.relation
        for one in statements
        for access in one.writes
        if access.array == array and access.must
    )
    schedules = [one.schedule.intersect_domain(one.domain) for one in statements]
    times = union_map(schedules)
    later = UnionMap.from_map(Map.lex_lt(schedules[0].range().get_space()))
    written, read = (times.intersect_domain(one.domain()) for one in (writes, reads))
    follows = written.apply_range(later).apply_range(read.reverse())  # W[i] -> R[j]
    follows = follows.intersect(_certain(array, statements))
    provided = writes.reverse().apply_range(follows).reverse()
    return bool(reads.is_subset(provided))


def _certain(array: str, statements: Sequence[Statement]) -> UnionMap:
    """W[i] -> R[j] of writes and reads of an array: where R[j] runs so has W[i], or will."""
    found = UnionMap("{ }")
    writers = [one for one in statements if any(a.array == array for a in one.writes)]
    readers = [one for one in statements if any(a.array == array for a in one.reads)]
    for one in writers:
        for other in readers:
            pairs = Map.from_domain_and_range(one.domain, other.domain)
            for filter_ in one.filters:
                pairs = pairs.intersect(_implied(filter_, other, pairs, statements))
            found = found.union(UnionMap.from_map(pairs))
    return found


def _implied(filter_: Filter, other: Statement, pairs: Map, statements: Sequence[Statement]) -> Map:
    """Of pairs W[i] -> R[j] those of which R[j] does not run where the filter stops W[i]."""
    tested = filter_.value.domain()
    found = pairs.subtract(pairs.intersect_domain(tested))
    if not all(_is_fixed(one.array, statements) for one in filter_.accesses):
        return found
    for own in other.filters:
        if [one.array for one in own.accesses] != [one.array for one in filter_.accesses]:
            continue
        alike = pairs.intersect_domain(tested).intersect_range(own.value.domain())
        for here, there in zip(filter_.accesses, own.accesses, strict=True):
            alike = alike.intersect(here.relation.apply_range(there.relation.reverse()))
        # Of each such pair, no values that let R[j] run are among those that stop W[i].
        stops = Map.from_domain_and_range(tested, own.value.range()).subtract(filter_.value)
        found = found.union(alike.subtract(stops.apply_range(own.value.reverse())))
    return found


def _is_fixed(array: str, statements: Sequence[Statement]) -> bool:
    """True if no element has two values in a call."""
    written = union_map(
        access.relation.intersect_domain(one.domain)
        for one in statements
        for access in one.writes
        if access.array == array
    )
    return bool(written.is_injective())


def first_bits(variable: Variable, array: Array) -> Mapping[Element, int] | None:
    """The bits of the elements that a static variable holds at first, but those that are 0.

    None where they are not known: other extents than constants, or other values.
    """
    given = variable.declaration.init
    if given is None:
        return {}
    try:
        bits = {
            at: _bits(node, array, variable.home)
            for at, node in elements_of(given, len(variable.shape.extents))
        }
    except (UnknownValueError, OverflowError):
        return None
    return {element: value for element, value in bits.items() if value}


def _bits(node: Any, array: Array, scope: Scope) -> int:
    if not array.element.is_float:
        value = constant_integer(node, scope)
        if value is None:
            raise UnknownValueError
        return value & ((1 << array.element.bits) - 1)
    number = _number(node, scope)
    form = "<f" if array.element.bits == 32 else "<d"
    return int.from_bytes(struct.pack(form, number), "little")


def _number(node: Any, scope: Scope) -> float:
    """The value of a floating constant; that of an integer one."""
    match node:
        case tree.UnaryOp(op="-"):
            return -_number(node.expr, scope)
        case tree.UnaryOp(op="+"):
            return _number(node.expr, scope)
        case tree.Constant(type=Float()):
            text = node.value.rstrip("fFlL")
            try:
                return float.fromhex(text) if "x" in text.lower() else float(text)
            except ValueError:
                raise UnknownValueError from None
    value = constant_integer(node, scope)
    if value is None:
        raise UnknownValueError
    return float(value)
