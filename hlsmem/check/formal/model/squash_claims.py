"""Claims on a stream that passes over instances: whether one runs, and what it takes.

The filter is asked value by value: for each that the elements looked at can have, in which beats
the instance runs with it. Elements of more bits are asked as a whole, where all instances run with
the same values: these are what linear conditions allow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from hlsmem.check.formal.model.beat_tables import BeatTable
from hlsmem.check.formal.model.stream_claims import Piece
from hlsmem.check.rtl.simulated_device import DeviceStream
from hlsmem.polyhedra import DimType, Map, Set
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.polyhedra.sweep import contains
from hlsmem.program.model import Filter, Program
from hlsmem.program.predicate_reads import PredicateRead, predicate_reads_of

# Bits of all elements that a filter looks at, up to which each of their values is asked.
_MOST_BITS = 6
# Factors of wider elements have fewer bits, so that no sum of some 32-bit ones needs more than 64.
_FACTOR_BITS = 24


def passing_claims(piece: Piece, stream: DeviceStream, program: Program, table: BeatTable) -> None:
    """Add to a stream's claims, or to its notes where something is not shown."""
    ghost, name = piece.ghost.name, stream.name
    fire = f"{name}_fire"
    piece.claims |= {
        f"{ghost}_moves_unknown": f"!{fire} || {name}_known",
        f"{ghost}_runs": f"!{fire} || {stream.accesses} == {name}_runs",
        f"{ghost}_beat_without_a_move": f"!{stream.accesses} || {fire}",
        f"{ghost}_done_too_early": f"!(busy && {name}_tdone) || {name}_done",
    }
    statement = next(one for one in program.statements if one.name == stream.statement)
    points = table.times[:, table.times.shape[1] - len(statement.iterators) :]
    inside = [
        contains(fix_parameters(one.value, program.values).domain(), points)
        for one in statement.filters
    ]
    predicate_reads = predicate_reads_of(statement)
    for array in dict.fromkeys(one.array for one in predicate_reads):
        asked = np.any(
            [inside[one.filter] for one in predicate_reads if one.array == array], axis=0
        )
        there = piece.mask(asked)
        if there is None:
            piece.notes.append(f"which beats of {name} look at {array}")
            continue
        taken = f"m_{array}_{name}_tready == ({fire} && ({there}))"
        piece.claims[f"{ghost}_takes_what_it_saw_of_{array}"] = f"{ghost}_done || {taken}"
    unasked = piece.mask(~np.any(inside, axis=0))
    if unasked is None:
        piece.notes.append(f"which beats of {name} surely run")
    elif not np.any(inside, axis=0).all():
        piece.claims[f"{ghost}_surely_runs"] = f"!({fire} && ({unasked})) || {name}_runs"
    for number, one in enumerate(statement.filters):
        mine = [look for look in predicate_reads if look.filter == number]
        cases = _cases(stream, program, one, mine, points)
        if cases is None:
            piece.notes.append(f"with which values instances of {name} run")
            continue
        for text, where in cases:
            runs, stays = inside[number] & where, inside[number] & ~where
            for label, beats, wanted in (("runs", runs, ""), ("stays", stays, "!")):
                there = piece.mask(beats) if beats.any() else "1'b0"
                if there is None:
                    piece.notes.append(f"with which values instances of {name} run")
                    continue
                claim = f"!({fire} && ({there}) && {text}) || {wanted}{name}_runs"
                key = f"{ghost}_{label}_{number}_{len(piece.claims)}"
                piece.claims[key] = claim


def _cases(
    stream: DeviceStream,
    program: Program,
    one: Filter,
    predicate_reads: list[PredicateRead],
    points: np.ndarray,
) -> Iterable[tuple[str, Any]] | None:
    """Values that may be seen, in Verilog, and the instances that run; None for too many."""
    if not _looks_once(program, one):
        return None
    if _bits(program, one) > _MOST_BITS:
        return _allowed(stream, program, one, predicate_reads, points)
    return _values(stream, program, one, predicate_reads, points)


def _bits(program: Program, one: Filter) -> int:
    return sum(program.arrays[access.array].element.bits for access in one.accesses)


def _looks_once(program: Program, one: Filter) -> bool:
    return all(
        fix_parameters(access.relation, program.values).is_single_valued()
        for access in one.accesses
    )


def _allowed(
    stream: DeviceStream,
    program: Program,
    one: Filter,
    predicate_reads: list[PredicateRead],
    points: np.ndarray,
) -> list[tuple[str, Any]] | None:
    """The values that are allowed, and the others; None where they differ between instances, or
    are more than linear conditions say."""
    value = fix_parameters(one.value, program.values)
    instances, values = value.domain(), value.range()
    if not value.is_equal(Map.from_domain_and_range(instances, values)):
        return None
    seen = [_wide(stream, program, look) for look in predicate_reads]
    pieces = [_conjunction(piece, seen) for piece in values.get_basic_sets()]
    if any(piece is None for piece in pieces):
        return None
    text = " || ".join(f"({piece})" for piece in pieces) or "1'b0"
    runs = contains(instances, points)
    return [(f"({text})", runs), (f"!({text})", np.zeros_like(runs))]


def _conjunction(values: Any, seen: Sequence[str]) -> str | None:
    """The linear conditions of a basic set on what is seen; None where it has others."""
    if values.dim(DimType.div):
        return None
    parts = []
    for condition in values.get_constraints():
        terms = [f"64'sd{condition.get_constant_val().to_python()}".replace("'sd-", "'sd0 - 64'sd")]
        for position, wire in enumerate(seen):
            factor = condition.get_coefficient_val(DimType.set, position).to_python()
            if abs(factor) >= 1 << _FACTOR_BITS:
                return None
            if factor:
                terms.append(f"{'-' if factor < 0 else '+'} 64'sd{abs(factor)} * {wire}")
        parts.append(f"{' '.join(terms)} {'==' if condition.is_equality() else '>='} 64'sd0")
    return " && ".join(parts) or "1'b1"


def _wide(stream: DeviceStream, program: Program, look: PredicateRead) -> str:
    """The element of a look as a signed number of 64 bits."""
    element = program.arrays[look.array].element
    bits, wire = element.bits, f"m_{look.array}_{stream.name}_tdata"
    low = look.number * -(-bits // 8) * 8
    top = f"{wire}[{low + bits - 1}]" if element.is_signed else "1'b0"
    return f"$signed({{{{{64 - bits}{{{top}}}}}, {wire}[{low + bits - 1}:{low}]}})"


def _values(
    stream: DeviceStream,
    program: Program,
    one: Filter,
    predicate_reads: list[PredicateRead],
    points: np.ndarray,
) -> Iterator[tuple[str, Any]]:
    """Every tuple of values, as what is seen in Verilog, and which instances run with it."""
    value = fix_parameters(one.value, program.values)
    elements = [program.arrays[look.array].element for look in predicate_reads]
    for seen in product(*(range(1 << element.bits) for element in elements)):
        parts, exact = [], []
        for look, element, pattern in zip(predicate_reads, elements, seen, strict=True):
            size = -(-element.bits // 8) * 8
            low = look.number * size
            wire = f"m_{look.array}_{stream.name}_tdata[{low + element.bits - 1}:{low}]"
            parts.append(f"{wire} == {element.bits}'d{pattern}")
            signed = element.is_signed and pattern >> (element.bits - 1)
            exact.append(pattern - (1 << element.bits) if signed else pattern)
        allowed = value.intersect_range(Set(f"{{ [{', '.join(map(str, exact))}] }}")).domain()
        yield " && ".join(parts), contains(allowed, points)
