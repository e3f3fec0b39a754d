"""What an address costs: the order in which mappings with equally many cells are preferred."""

from __future__ import annotations

from hlsmem.mapping.conflict_differences import Conflicts
from hlsmem.mapping.storage_mapping import Piece
from hlsmem.polyhedra.lattices import Vector
from hlsmem.polyhedra.quantities import form_values
from hlsmem.polyhedra.sets import fix_parameters

AddressCost = tuple[int, int, int]


def address_cost(piece: Piece, conflicts: Conflicts) -> AddressCost:
    """(components that wrap, non-zero entries, sum of absolute entries) at the plan's values.

    A modulus that is a power of two costs nothing (it cuts bits off), nor does a component
    whose values stay within its modulus on all elements.
    """
    rows = piece.matrix_at(conflicts.values)
    moduli = piece.modulus_at(conflicts.values)
    offsets = piece.offset_at(conflicts.values)
    wrapping = sum(
        modulus & (modulus - 1) != 0 and _wraps(row, modulus, offset, conflicts)
        for row, modulus, offset in zip(rows, moduli, offsets, strict=True)
    )
    entries = [entry for row in rows for entry in row]
    return (wrapping, sum(map(bool, entries)), sum(map(abs, entries)))


def _wraps(row: Vector, modulus: int, offset: int, conflicts: Conflicts) -> bool:
    if conflicts.elements is None:
        return True
    elements = fix_parameters(conflicts.elements, conflicts.values)
    if elements.is_empty():
        return False
    values = form_values(elements, row)
    least, greatest = values.dim_min_val(0), values.dim_max_val(0)
    if not (least.is_int() and greatest.is_int()):
        return True
    return bool(least.to_python() + offset < 0 or greatest.to_python() + offset >= modulus)
