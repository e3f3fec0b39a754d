"""The one room where isl lives: every other module takes isl values and helpers from here.

isl values are immutable and may sit in frozen classes, but equal sets may hash differently,
so they are never dictionary keys and are left out of comparisons.
"""

from __future__ import annotations

from typing import Any

import islpy as _isl

# islpy carries no type information; the names still say what a value is.
Set: Any = _isl.Set
Map: Any = _isl.Map
UnionSet: Any = _isl.UnionSet
UnionMap: Any = _isl.UnionMap
BasicSet: Any = _isl.BasicSet
Aff: Any = _isl.Aff
PwAff: Any = _isl.PwAff
PwMultiAff: Any = _isl.PwMultiAff
Constraint: Any = _isl.Constraint
LocalSpace: Any = _isl.LocalSpace
Space: Any = _isl.Space
Val: Any = _isl.Val
DimType: Any = _isl.dim_type
MultiUnionPwAff: Any = _isl.MultiUnionPwAff
ScheduleConstraints: Any = _isl.ScheduleConstraints
ScheduleNodeType: Any = _isl.schedule_node_type
UnionAccessInfo: Any = _isl.UnionAccessInfo
PolyhedralError: type[Exception] = _isl.Error

__all__ = [
    "Aff",
    "BasicSet",
    "Constraint",
    "DimType",
    "LocalSpace",
    "Map",
    "MultiUnionPwAff",
    "PolyhedralError",
    "PwAff",
    "PwMultiAff",
    "ScheduleConstraints",
    "ScheduleNodeType",
    "Set",
    "Space",
    "UnionAccessInfo",
    "UnionMap",
    "UnionSet",
    "Val",
]
