"""Occupancy vectors: element x + v takes the cell of element x."""

from __future__ import annotations

from hlsmem.mapping.methods.vector import GUARANTEES as KINDS
from hlsmem.mapping.vectors.answer import ArrayVectors, KindVectors, vectors_of
from hlsmem.mapping.vectors.schedules import Stored, schedules_for

__all__ = ["KINDS", "ArrayVectors", "KindVectors", "Stored", "schedules_for", "vectors_of"]
