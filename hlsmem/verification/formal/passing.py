"""What is claimed of a stream that passes over instances: whether one runs, and what it takes.

The filter is asked value by value: for each that the elements looked at can have, in which beats
the instance runs with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from hlsmem.looks import Look, looks_of
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.polyhedra.sweep import contains
from hlsmem.program import Filter, Program
from hlsmem.verification.formal.beats import BeatTable
from hlsmem.verification.formal.pieces import Piece
from hlsmem.verification.rtl.device import DeviceStream

# Bits of all elements that a filter looks at, up to which each of their values is asked.
_MOST_BITS = 6


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
    looks = looks_of(statement)
    for array in dict.fromkeys(one.array for one in looks):
        asked = np.any([inside[one.filter] for one in looks if one.array == array], axis=0)
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
        if _bits(program, one) > _MOST_BITS or not _looks_once(program, one):
            piece.notes.append(f"with which values instances of {name} run")
            continue
        mine = [look for look in looks if look.filter == number]
        for text, where in _values(stream, program, one, mine, points):
            runs, stays = inside[number] & where, inside[number] & ~where
            for label, beats, wanted in (("runs", runs, ""), ("stays", stays, "!")):
                there = piece.mask(beats) if beats.any() else "1'b0"
                if there is None:
                    piece.notes.append(f"with which values instances of {name} run")
                    continue
                claim = f"!({fire} && ({there}) && {text}) || {wanted}{name}_runs"
                key = f"{ghost}_{label}_{number}_{len(piece.claims)}"
                piece.claims[key] = claim


def _bits(program: Program, one: Filter) -> int:
    return sum(program.arrays[access.array].element.bits for access in one.accesses)


def _looks_once(program: Program, one: Filter) -> bool:
    return all(
        fix_parameters(access.relation, program.values).is_single_valued()
        for access in one.accesses
    )


def _values(
    stream: DeviceStream,
    program: Program,
    one: Filter,
    looks: list[Look],
    points: np.ndarray,
) -> Iterator[tuple[str, Any]]:
    """Every tuple of values, as what is seen in Verilog, and which instances run with it."""
    value = fix_parameters(one.value, program.values)
    elements = [program.arrays[look.array].element for look in looks]
    for seen in product(*(range(1 << element.bits) for element in elements)):
        parts, exact = [], []
        for look, element, pattern in zip(looks, elements, seen, strict=True):
            size = -(-element.bits // 8) * 8
            low = look.number * size
            wire = f"m_{look.array}_{stream.name}_tdata[{low + element.bits - 1}:{low}]"
            parts.append(f"{wire} == {element.bits}'d{pattern}")
            signed = element.is_signed and pattern >> (element.bits - 1)
            exact.append(pattern - (1 << element.bits) if signed else pattern)
        allowed = value.intersect_range(Set(f"{{ [{', '.join(map(str, exact))}] }}")).domain()
        yield " && ".join(parts), contains(allowed, points)
