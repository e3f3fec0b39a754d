"""Arrays of which one beat writes neighbours: these are one word.

Elements at offsets 0 .. u - 1 from a multiple of u of the last index are one element of the array
as it is planned, the first in the lowest bits, each padded to whole bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.polyhedra import DimType, Map, Set, UnionMap
from hlsmem.program.model import Access, Array, ElementType, Program, Statement, Storage

MOST_BITS = 64
"""Bits of a word."""


def lane_bits(array: Array) -> int:
    """The bits that an element has in a word: whole bytes."""
    return -(-array.element.bits // 8) * 8


def lane_of(access: Access, lanes: int) -> int | None:
    """The place of an access in its words of so many elements; None where it is not the same."""
    elements = access.relation.range()
    names = [f"x{k}" for k in range(elements.dim(DimType.set))]
    for lane in range(lanes):
        tuple_ = f"{access.array}[{', '.join(names)}]"
        own = Set(f"{{ {tuple_} : {names[-1]} mod {lanes} = {lane} }}")
        if elements.is_subset(own.align_params(elements.get_space())):
            return lane
    return None


def words_map(array: Array, lanes: int, space: Any) -> Any:
    """{ element -> its word }."""
    names = [f"x{k}" for k in range(len(array.index))]
    source, target = ", ".join(names), ", ".join([*names[:-1], f"floor({names[-1]} / {lanes})"])
    found = Map(f"{{ {array.name}[{source}] -> {array.name}[{target}] }}")
    return found.align_params(space)


def elements_of_words(array: Array, elements: Any) -> Any:
    """{ element -> its word }, of an array as it is packed; to themselves where it is not."""
    if array.lanes == 1:
        return elements.identity()
    return UnionMap.from_map(words_map(array, array.lanes, elements.get_space()))


def is_word(array: Array, accesses: Sequence[Access]) -> bool:
    """True if writes of one beat are all elements of a word of an array that leaves."""
    lanes = len(accesses)
    if not array.index or array.extents is None or array.departure is not None:
        return False
    extent = array.extents[-1].constant_value()
    is_outside = array.is_parameter and array.storage in (Storage.STREAM, Storage.EXTERNAL)
    if not is_outside or extent is None or extent % lanes or lanes * lane_bits(array) > MOST_BITS:
        return False
    if array.element.is_float or {lane_of(one, lanes) for one in accesses} != {*range(lanes)}:
        return False
    words = words_map(array, lanes, accesses[0].relation.get_space())
    first, *others = (
        one.relation.reset_tuple_id(DimType.in_).apply_range(words) for one in accesses
    )
    return all(one.is_equal(first) for one in others)


def packed(program: Program) -> Program:
    """The program with words in place of the elements that statements write in one beat.

    Raises InputError where these are no words, or others touch them.
    """
    lanes = {
        access.array: len(_writes(statement, access.array))
        for statement in program.statements
        for access in statement.writes
        if len(_writes(statement, access.array)) > 1
        and program.arrays[access.array].storage is not Storage.DATAPATH
    }
    for name, count in lanes.items():
        program = _packed(program, program.arrays[name], count)
    return program


def _writes(statement: Statement, array: str) -> list[Access]:
    return [one for one in statement.writes if one.array == array]


def _packed(program: Program, array: Array, lanes: int) -> Program:
    statements = []
    for one in program.statements:
        own = _writes(one, array.name)
        is_read = any(access.array == array.name for access in one.sees)
        if is_read or (own and not (len(own) == lanes and is_word(array, own))):
            what = f"{one.name} has several elements of {array.name!r} in a beat, and no whole word"
            remedy = "leave its statements apart, or write neighbours"
            raise InputError(Problem(what, remedy, one.source_location))
        if own:
            words = words_map(array, lanes, own[0].relation.get_space())
            word = replace(own[0], relation=own[0].relation.apply_range(words))
            first = one.writes.index(own[0])
            writes = [a for a in one.writes if a.array != array.name]
            writes.insert(sum(a.array != array.name for a in one.writes[:first]), word)
            one = replace(one, writes=tuple(writes))
        statements.append(one)
    assert array.extents is not None
    extent = array.extents[-1].constant_value()
    assert extent is not None
    packed_array = replace(
        array,
        element=ElementType(f"uint{lanes * lane_bits(array)}"),
        extents=(*array.extents[:-1], QuasiPolynomial.constant(extent // lanes)),
        values=None,
        lanes=lanes,
    )
    words = UnionMap.from_map(words_map(array, lanes, program.live_out.get_space()))
    others = program.live_out.subtract(words.domain())
    return replace(
        program,
        statements=tuple(statements),
        arrays={**program.arrays, array.name: packed_array},
        live_out=others.union(program.live_out.apply(words)),
    )
