"""Class `affine`: what all legal one-dimensional affine schedules have in common.

A schedule gives instance x of statement S the time a_S . x + b_S . n + c_S, n the parameters.
The legal ones are a polyhedron over all these coefficients: for every generator of a dependence
one row. A time is linear in the coefficients, so x is before y in every legal schedule iff it
is for each generator of the legal polyhedron. Source: Thies, Vivien, Amarasinghe, "A step
towards unifying schedule and storage optimization" (TOPLAS 2007), sections 4 and 5, which
treats storage alone; the relation for several statements is ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hlsmem.core.errors import InputError, LimitError, Note, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Map, UnionMap
from hlsmem.polyhedra.generators import (
    MOST_RAYS,
    Cone,
    TooManyGenerators,
    cone_of,
    generators_of,
)
from hlsmem.polyhedra.lattices import Vector
from hlsmem.polyhedra.relations import dimension_names, maps_of, union_map
from hlsmem.polyhedra.sets import fix_parameters, parameter_names, with_parameters
from hlsmem.program.model import Program
from hlsmem.timing.class_dependences import Dependence
from hlsmem.timing.instance_text import first_pair
from hlsmem.timing.precedence import Precedence


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficients:
    """Positions of the coefficients of each statement in one vector: loops, parameters, constant.

    The last entry of the vector is the t that makes the legal polyhedron a cone.
    """

    starts: Mapping[str, int]
    depths: Mapping[str, int]
    parameters: tuple[str, ...]

    @property
    def size(self) -> int:
        own = len(self.parameters) + 1
        return sum(depth + own for depth in self.depths.values()) + 1

    def names(self) -> list[str]:
        """S_i0, S_i1, .., S_n, S_1 for each statement, then t."""
        found = []
        for name, depth in self.depths.items():
            found += [
                f"{name}_{entry}" for entry in (*dimension_names("i", depth), *self.parameters, "1")
            ]
        return [*found, "t"]

    def time(self, statement: str, point: Sequence[int]) -> list[int]:
        """The row whose product with the coefficients is the time of (x, n, 1)."""
        row = [0] * self.size
        start = self.starts[statement]
        row[start : start + len(point)] = point
        return row

    def own(self, statement: str, generator: Sequence[int]) -> Vector:
        """The coefficients of one statement in a generator of the legal polyhedron."""
        start = self.starts[statement]
        return tuple(generator[start : start + self.depths[statement] + len(self.parameters) + 1])


def coefficients_of(program: Program, parameters: tuple[str, ...]) -> Coefficients:
    starts, depths, at = dict[str, int](), dict[str, int](), 0
    for one in program.statements:
        depth = one.domain.dim(DimType.set)
        starts[one.name], depths[one.name] = at, depth
        at += depth + len(parameters) + 1
    return Coefficients(starts=starts, depths=depths, parameters=parameters)


@dataclass(frozen=True, slots=True, kw_only=True)
class LegalSchedules:
    """The generators of all legal schedules, and the rows that they are legal by.

    `is_whole` is False where a dependence has vertices between integers, whose rows are left
    out: then some of these schedules are illegal.
    """

    coefficients: Coefficients
    rows: tuple[Vector, ...]
    cone: Cone
    is_whole: bool


def legal_schedules(
    program: Program, found: Iterable[Dependence], *, is_symbolic: bool
) -> LegalSchedules:
    """All legal affine schedules, at the plan's values or with the same coefficients for all n.

    Raises InputError where there is none.
    """
    parameters = tuple(program.parameters) if is_symbolic else ()
    coefficients = coefficients_of(program, parameters)
    legal, is_whole = list[Vector](), True
    for one in found:
        own = legal_rows(coefficients, program, one, is_symbolic=is_symbolic)
        whole = [row for row in own if row[-1] >= -1]
        is_whole &= len(whole) == len(own)
        legal += whole
    legal = list(dict.fromkeys(legal))
    try:
        cone = _cone(legal, coefficients.size)
    except TooManyGenerators:
        what = f"the legal affine schedules have more than {MOST_RAYS} corners"
        raise LimitError(Problem(what, "use plan.schedules: tiled or any")) from None
    if not _has_schedule(cone):
        raise InputError(_no_schedule(program, coefficients, found, is_symbolic=is_symbolic))
    return LegalSchedules(
        coefficients=coefficients, rows=tuple(legal), cone=cone, is_whole=is_whole
    )


def _cone(rows: Iterable[Vector], size: int) -> Cone:
    """The cone of coefficients and t >= 0 in which no row is negative."""
    at_least = [0] * size
    at_least[-1] = 1
    return cone_of([*rows, tuple(at_least)], [], size)


def _has_schedule(cone: Cone) -> bool:
    return any(ray[-1] for ray in cone.rays)


def _no_schedule(
    program: Program,
    coefficients: Coefficients,
    found: Iterable[Dependence],
    *,
    is_symbolic: bool,
) -> Problem:
    """Problem of the dependences that leave no schedule; without any one there would be one."""
    parts = [
        replace(one, relation=UnionMap.from_map(piece.to_map()))
        for one in found
        for relation in maps_of(one.relation)
        for piece in relation.get_basic_maps()
    ]
    rows = [legal_rows(coefficients, program, one, is_symbolic=is_symbolic) for one in parts]
    kept = list(range(len(parts)))
    for k in range(len(parts)):
        others = [row for other in kept if other != k for row in rows[other]]
        if not _has_schedule(_cone(others, coefficients.size)):
            kept.remove(k)
    pairs = [first_pair(program, parts[k].relation) for k in kept]
    texts = [
        f"{parts[k].kind} of {parts[k].array!r}, {pair}"
        for k, pair in zip(kept, pairs, strict=True)
    ]
    sinks = [
        pair.places(parts[k].array, parts[k].kind)[1] for k, pair in zip(kept, pairs, strict=True)
    ]
    return Problem(
        "no affine schedule in one dimension keeps all dependences; these exclude each other: "
        + "; ".join(texts),
        "use plan.schedules: tiled or any",
        sinks[0],
        tuple(Note("the other dependence", place) for place in sinks[1:]),
    )


def legal_rows(
    coefficients: Coefficients, program: Program, dependence: Dependence, *, is_symbolic: bool
) -> list[Vector]:
    """Rows over the coefficients and t that are not negative for the legal schedules.

    The last entry is -1 at a vertex of the dependence, 0 on a ray, and less at a vertex that is
    between integers, whose row asks for more than the dependence does.
    """
    rows = list[Vector]()
    for relation in maps_of(dependence.relation):
        source = relation.get_tuple_name(DimType.in_)
        sink = relation.get_tuple_name(DimType.out)
        for generator in pair_generators(relation, program, is_symbolic=is_symbolic):
            rows.append(_later(coefficients, source, sink, relation, generator))
    return list(dict.fromkeys(row for row in rows if any(row)))


def pair_generators(relation: Any, program: Program, *, is_symbolic: bool) -> Iterable[Vector]:
    """Generators (x, y, n, t) of the pairs of a map: vertices have t > 0, rays t = 0."""
    pairs = relation.wrap().flatten()
    if is_symbolic:
        pairs = with_parameters(pairs, program.parameters)
    else:
        pairs = fix_parameters(pairs, program.values)
    for piece in pairs.remove_redundancies().get_basic_sets():
        if piece.dim(DimType.div):
            piece = piece.remove_divs()  # more pairs: fewer schedules would be legal
        yield from generators_of_all(piece)


def generators_of_all(piece: Any) -> Iterable[Vector]:
    """All generators of a basic set, a line as two rays."""
    cone = generators_of(piece)
    yield from cone.rays
    for line in cone.lines:
        yield line
        yield tuple(-entry for entry in line)


def _later(
    coefficients: Coefficients, source: str, sink: str, relation: Any, generator: Vector
) -> Vector:
    """The row T_sink - T_source - t >= 0 at a vertex, without t on a ray."""
    depth = relation.dim(DimType.in_)
    parameters = generator[depth + relation.dim(DimType.out) : -1]
    at = generator[-1]
    first = (*generator[:depth], *parameters, at)
    second = (*generator[depth : depth + relation.dim(DimType.out)], *parameters, at)
    row = [
        b - a
        for a, b in zip(
            coefficients.time(source, first), coefficients.time(sink, second), strict=True
        )
    ]
    row[-1] = -at
    return tuple(row)


def affine_precedence(
    program: Program, found: Sequence[Dependence], *, is_symbolic: bool
) -> Precedence:
    """Precedence common to all legal one-dimensional affine schedules; exact.

    Raises InputError as `legal_schedules`.
    """
    legal = legal_schedules(program, found, is_symbolic=is_symbolic)
    parts: dict[str, list[Any]] = {"lt": [], "le": [], "nlt": [], "nle": []}
    for source in program.statements:
        for sink in program.statements:
            _between(program, legal, source, sink, parts)
    unions = {kind: union_map(maps) for kind, maps in parts.items()}
    is_fixed = not is_symbolic and not _is_uniform(program, found)
    remark = "one-dimensional affine schedules"
    if not legal.is_whole:
        remark += "; dependences between integer corners were left out"
    return Precedence(
        before=unions["lt"],
        at_or_before=unions["le"],
        not_before=unions["nlt"],
        not_at_or_before=unions["nle"],
        is_exact=legal.is_whole,
        is_fixed=is_fixed,
        remark=remark,
    )


def _is_uniform(program: Program, found: Sequence[Dependence]) -> bool:
    """True if the legal schedules are the same for all sizes: one statement, fixed distances.

    The distances have to occur for all parameters of the context; only then are they there.
    """
    if len(program.statements) != 1:
        return False
    for one in found:
        for relation in maps_of(one.relation):
            apart = relation.deltas()
            names = list(parameter_names(apart))
            if names and apart.involves_dims(DimType.param, 0, len(names)):
                here = fix_parameters(apart, program.values)
                everywhere = here.align_params(apart.get_space()).intersect_params(program.context)
                if not everywhere.is_equal(apart.intersect_params(program.context)):
                    return False
    return True


def _between(
    program: Program, legal: LegalSchedules, source: Any, sink: Any, parts: dict[str, list[Any]]
) -> None:
    """The four relations between two statements, from the generators of the legal cone."""
    coefficients = legal.coefficients
    before, weak = list[str](), list[str]()
    left = dimension_names("x", coefficients.depths[source.name])
    right = dimension_names("y", coefficients.depths[sink.name])
    generators = [(ray, ray[-1] > 0) for ray in legal.cone.rays]
    for line in legal.cone.lines:
        generators += [(line, False), (tuple(-entry for entry in line), False)]
    for generator, is_vertex in generators:
        first = _form(coefficients.own(source.name, generator), left, coefficients.parameters)
        second = _form(coefficients.own(sink.name, generator), right, coefficients.parameters)
        # A vertex is (coefficients, t): times are whole multiples of 1 / t.
        before.append(f"{second} - ({first}) >= {1 if is_vertex else 0}")
        weak.append(f"{second} - ({first}) >= 0")
    everything = Map.from_domain_and_range(source.domain, sink.domain)
    everything = everything.intersect_params(program.context)
    head = f"[{', '.join(coefficients.parameters)}] -> " if coefficients.parameters else ""
    heads = f"{source.name}[{', '.join(left)}] -> {sink.name}[{', '.join(right)}]"
    for kind, conditions in (("lt", before), ("le", weak)):
        # Rows that say the same of this pair of statements stand once.
        text = " and ".join(dict.fromkeys(conditions)) or "true"
        order = Map(f"{head}{{ {heads} : {text} }}").align_params(everything.get_space())
        inside = everything.intersect(order).coalesce()
        parts[kind].append(inside)
        parts[f"n{kind}"].append(everything.subtract(order).coalesce())


def _form(own: Vector, names: Sequence[str], parameters: Sequence[str]) -> str:
    terms = [
        f"{factor}*{name}"
        for factor, name in zip(own, [*names, *parameters], strict=False)
        if factor
    ]
    terms.append(str(own[-1]))
    return " + ".join(terms).replace("+ -", "- ")
