"""Arrays of which one beat writes, or reads, neighbours: these are one word.

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
    """The program with words in place of the elements that statements write in one beat, and of
    those that are to come in one.

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
    for array in program.arrays.values():
        if array.word > 1:
            program = _packed_reads(program, array)
    return program


def read_word(program: Program, array: Array) -> int:
    """Return the elements of an array's last dimension that all beats read together, as words of an
    array that comes in; 1 where they do not."""
    if not array.index or array.extents is None or array.element.is_float:
        return 1
    lanes = array.extents[-1].constant_value() or 1
    is_outside = array.is_parameter and array.storage in (Storage.STREAM, Storage.EXTERNAL)
    if not is_outside or array.arrival is not None or lanes * lane_bits(array) > MOST_BITS:
        return 1
    reading = [one for one in program.statements if _reads(one, array.name)]
    if any(_writes(one, array.name) for one in program.statements):
        return 1
    whole = all(_whole_words(array, _reads(one, array.name), lanes) for one in reading)
    return lanes if reading and whole and all(_is_plain(one, array) for one in reading) else 1


def word_of(array: Array, access: Access) -> Access:
    """Return the access to the word that has the element of one; `array` is as it is packed."""
    words = words_map(array, array.lanes, access.relation.get_space())
    return replace(access, relation=access.relation.apply_range(words))


def _reads(statement: Statement, array: str) -> list[Access]:
    return [one for one in statement.reads if one.array == array]


def _is_plain(statement: Statement, array: Array) -> bool:
    """True if a statement looks at an array by operands alone."""
    return len([one for one in statement.sees if one.array == array.name]) == len(
        _reads(statement, array.name)
    )


def _whole_words(array: Array, accesses: Sequence[Access], lanes: int) -> bool:
    """True if reads of a beat are all elements of each word that they are of."""
    words = words_map(array, lanes, accesses[0].relation.get_space())
    found: list[tuple[Any, set[int]]] = []
    for one in accesses:
        lane = lane_of(one, lanes)
        if lane is None or one.chosen:
            return False
        word = one.relation.apply_range(words)
        known = next((own for other, own in found if other.is_equal(word)), None)
        if known is None:
            found.append((word, {lane}))
        else:
            known.add(lane)
    return all(own == {*range(lanes)} for _, own in found)


def _packed_reads(program: Program, array: Array) -> Program:
    """The program with words of an array that comes in."""
    lanes = array.word
    if read_word(program, array) != lanes:
        what = f"no beats read whole words of {lanes} elements of {array.name!r}"
        remedy = f"leave out arrays.{array.name}.word"
        raise InputError(Problem(what, remedy, array.source_location))
    statements = []
    for one in program.statements:
        reads: list[Access] = []
        for access in one.reads:
            own = access
            if access.array == array.name:
                words = words_map(array, lanes, access.relation.get_space())
                own = replace(access, relation=access.relation.apply_range(words))
            if own.array != array.name or not any(
                other.array == own.array and other.relation.is_equal(own.relation)
                for other in reads
            ):
                reads.append(own)
        statements.append(replace(one, reads=tuple(reads)))
    words = UnionMap.from_map(words_map(array, lanes, program.live_in.get_space()))
    others = program.live_in.subtract(words.domain())
    return replace(
        program,
        statements=tuple(statements),
        arrays={**program.arrays, array.name: _in_lanes(array, lanes)},
        live_in=others.union(program.live_in.apply(words)),
        joined_from=program.joined_from or program,
    )


def _in_lanes(array: Array, lanes: int) -> Array:
    """An array with words of so many elements."""
    assert array.extents is not None
    extent = array.extents[-1].constant_value()
    assert extent is not None
    return replace(
        array,
        element=ElementType(f"uint{lanes * lane_bits(array)}"),
        extents=(*array.extents[:-1], QuasiPolynomial.constant(extent // lanes)),
        values=None,
        lanes=lanes,
        word=1,
    )


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
    words = UnionMap.from_map(words_map(array, lanes, program.live_out.get_space()))
    others = program.live_out.subtract(words.domain())
    return replace(
        program,
        statements=tuple(statements),
        arrays={**program.arrays, array.name: _in_lanes(array, lanes)},
        live_out=others.union(program.live_out.apply(words)),
    )
