"""The values of the parameters at which the host check runs C."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from hlsmem.plan import Plan
from hlsmem.polyhedra import DimType, Set
from hlsmem.polyhedra.extremes import lexmax, lexmin
from hlsmem.polyhedra.relations import array_elements
from hlsmem.polyhedra.sets import fix_parameters, parameter_names, points, points_around
from hlsmem.program.model import Kernel, Program

_BEYOND_STRIPS, _LIGHT = 523, 2**20
"""Parameters at which C in strips runs several, a prime, and elements that arrays then may have."""
MOST_INSTANCES = 2**29
"""Instances that a run at these parameters may have, as a product of matrices just does."""
_SMALL = 12
"""Other sizes are tried with parameters up to this value."""
_MOST_SMALL_PARAMETERS = 4
_PRIMES = (2, 3, 5, 7, 11)


def sizes_of(program: Program, plan: Plan) -> list[dict[str, int]]:
    """The plan's parameters, and small ones where the generated C takes any."""
    given = dict(plan.params)
    for_all = _holds_for_all(plan)
    if not given or (not for_all and program.kernel is None):
        return [given]
    if program.kernel is not None:
        known = {*program.kernel.macros, *_parameter_names(program.kernel)}
        if not set(given) <= known:
            return [given]
    found = [given, *(size for size in _small_sizes(program) if size != given)]
    larger = {name: max(value, _BEYOND_STRIPS) for name, value in given.items()}
    if plan.has_host_schedule and larger != given and is_light(program, larger):
        found.append(larger)
    return found


def _holds_for_all(plan: Plan) -> bool:
    held = [array.host for array in plan.arrays.values() if array.host is not None]
    return all(one.certificate.scope == "all-parameters" for one in held)


def sizes_outside(program: Program, plan: Plan) -> list[dict[str, int]]:
    """Values of the macros of C at which it must not compile, as the plan says nothing of them.

    Those next to the plan's along one parameter. None where C asks at run time: it calls the
    original function then, and has one where it was made from a function.
    """
    given, kernel = dict(plan.params), program.kernel
    for_all = _holds_for_all(plan)
    if kernel is not None and not (for_all and _asked(program) <= set(kernel.macros)):
        return []
    if not for_all:
        return [{**given, name: value + 1} for name, value in given.items()]
    found = []
    for name, value in given.items():
        others = {other: given[other] for other in given if other != name}
        line = fix_parameters(program.context, others)
        if parameter_names(line) != [name]:
            continue
        inside = Set.from_params(line).insert_dims(DimType.set, 0, 1)
        inside = inside.equate(DimType.param, 0, DimType.set, 0)
        outside = inside.project_out(DimType.param, 0, 1).complement()
        for side, nearest in ((f"[n] : n < {value}", lexmax), (f"[n] : n > {value}", lexmin)):
            beyond = nearest(outside.intersect(Set(f"{{ {side} }}")))
            found += [{**given, name: int(points(beyond)[0, 0])}] if not beyond.is_empty() else []
    return found


def _asked(program: Program) -> set[str]:
    """The parameters that the context says something of."""
    context = program.context
    return {
        name
        for position, name in enumerate(parameter_names(context))
        if context.involves_dims(DimType.param, position, 1)
    }


def _parameter_names(kernel: Kernel) -> list[str]:
    return [node.name for node in kernel.function.parameters]


def is_light(program: Program, values: Mapping[str, int]) -> bool:
    """True if a program is for these parameters, with small arrays and a short run there."""
    outside = fix_parameters(_outside(program), values)
    if fix_parameters(program.context, values).is_empty() or not outside.is_empty():
        return False
    extents = [array.extents or () for array in program.arrays.values()]
    if any(set(e.parameters()) - set(values) for one in extents for e in one):
        return False
    if any(prod(e.evaluate(values) for e in one) > _LIGHT for one in extents):
        return False
    domains = [fix_parameters(one.domain, values) for one in program.statements]
    return sum(map(points_around, domains)) <= MOST_INSTANCES


def _small_sizes(program: Program) -> list[dict[str, int]]:
    """A few small parameter values inside the context, the least first."""
    names = list(program.values)
    if not names or len(names) > _MOST_SMALL_PARAMETERS:
        return []
    bound = _SMALL if len(names) <= 2 else _SMALL // 2
    counted = [f"0 <= i{k} <= {bound} and i{k} = {name}" for k, name in enumerate(names)]
    numbers = ", ".join(f"i{k}" for k in range(len(names)))
    small = Set(f"[{', '.join(names)}] -> {{ [{numbers}] : {' and '.join(counted)} }}")
    small = small.intersect_params(program.context.subtract(_outside(program)))
    found = points(small.project_out(DimType.param, 0, small.dim(DimType.param))).tolist()
    if len(found) > 2:
        found = [found[0], _prime(found[1:])]
    return [dict(zip(names, row, strict=True)) for row in found]


def _prime(rows: Sequence[Sequence[int]]) -> Sequence[int]:
    """The middle one of those whose values are all prime, or of all where there is none."""
    primes = [row for row in rows if all(value in _PRIMES for value in row)] or rows
    return primes[len(primes) // 2]


def _outside(program: Program) -> Any:
    """The parameters at which an access leaves the extents of its array."""
    found = Set("{ : 1 = 0 }")
    for statement in program.statements:
        for access in (*statement.reads, *statement.writes):
            extents = program.arrays[access.array].extents or ()
            names = sorted({name for extent in extents for name in extent.parameters()})
            if not extents or not set(names) <= set(program.values):
                continue
            touched = access.relation.range()
            found = found.union(
                touched.subtract(array_elements(access.array, extents, names)).params()
            )
    return found.coalesce()
