"""Parameters for which a formula is proved where it is not for all: what to ask of the context.

Formulas such as 2N - 3 are no size at the least parameters that a context allows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hlsmem.mapping.certificate import everywhere
from hlsmem.mapping.conflict_differences import Conflicts
from hlsmem.mapping.storage_mapping import Certificate, Piece
from hlsmem.polyhedra import PwAff
from hlsmem.polyhedra.quantities import affine_of


def remark(piece: Piece, conflicts: Conflicts) -> str | None:
    """Addition to the context by which `piece` is proved for all of it; None if nothing does."""
    try:
        positive = conflicts.promised.intersect(_positive(piece, conflicts))
    except ValueError:
        return None
    if conflicts.promised.is_subset(positive) or positive.is_empty():
        return None
    there = replace(
        conflicts,
        context=conflicts.context.intersect(positive),
        promised=positive,
        differences=conflicts.differences.intersect_params(positive),
    )
    if not isinstance(everywhere(piece, there), Certificate):
        return None
    return proved_with(positive, piece, conflicts)


def proved_with(parameters: Any, piece: Piece, conflicts: Conflicts) -> str:
    """Remark that `piece` is proved with these parameters as the context."""
    more = str(parameters.gist(conflicts.promised).coalesce()).partition(":")[2].strip(" }")
    return f"with {more} in the context {piece.cells()} cells would be proved"


def _positive(piece: Piece, conflicts: Conflicts) -> Any:
    """The parameters at which all moduli are positive; ValueError for products of parameters."""
    found = conflicts.promised
    for modulus in piece.modulus:
        form = PwAff.from_aff(affine_of(modulus, found.get_space()))
        found = found.intersect(form.pos_set())
    return found.coalesce()
