"""The walk over a C kernel: its text in the form that is planned, and what the walk found there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from hlsmem.core.errors import Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.polyhedra.signs import least_value
from hlsmem.program.model import Storage
from hlsmem.read.c import names
from hlsmem.read.c.affine import MISSING_PARAMETER, Reader, assumptions, in_ranges
from hlsmem.read.c.arrays import storage_of
from hlsmem.read.c.clang.reader import IN_C
from hlsmem.read.c.copy_propagation import (
    PROPAGATED,
    PropagatedWindow,
    read_at_their_source,
    with_single_assignments,
)
from hlsmem.read.c.first_values import FIRST_VALUES, without_first_values
from hlsmem.read.c.flat_arrays import Flat, with_rows
from hlsmem.read.c.guards import culprits
from hlsmem.read.c.kernel_request import KernelRequest
from hlsmem.read.c.kernel_scope import headers_of, narrow_types, surroundings, with_arguments
from hlsmem.read.c.kernel_text import KernelText
from hlsmem.read.c.macros import loops_to_sizes
from hlsmem.read.c.normal import Stage, normal_form, prepared
from hlsmem.read.c.normal.control_flow.if_conversion import place_of
from hlsmem.read.c.normal.control_flow.unread_conditions import without_unread
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.parsed_file import ParsedFile
from hlsmem.read.c.promises import promised
from hlsmem.read.c.region import Walk, walk_region
from hlsmem.read.c.reserved import under
from hlsmem.read.c.source_map import SourceMap
from hlsmem.read.c.stream_extents import streams_in, with_sizes
from hlsmem.read.c.symbols import (
    Parameter,
    Scope,
    Variable,
)
from hlsmem.read.c.syntax import Region, find_region
from hlsmem.read.c.trips import Trips

Ranges = Mapping[str, tuple[QuasiPolynomial, QuasiPolynomial]]
Identity = tuple[str, str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A walk over the region, and the variables known in front of it."""

    region: Region
    declared: list[Variable]
    walk: Walk
    flat: Mapping[Variable, Flat]


Visit = Callable[[Unit], Seen]


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkedKernel:
    """A kernel in the form that is planned, what its walk saw, and its text after each rewrite.

    `first` is the text before all rewrites. Extents of `streams` are so where all sets `needed`
    hold. Variables of `propagated` are gone: `as_written` is the walk over the text with them.
    """

    first: Unit
    unit: Unit
    stages: tuple[Stage, ...]
    seen: Seen
    as_written: Seen
    streams: frozenset[Identity] = frozenset()
    needed: tuple[Any, ...] = ()
    propagated: PropagatedWindow = PropagatedWindow()

    @property
    def problems(self) -> Problems:
        return self.unit.problems


def identity(variable: Variable) -> Identity:
    """What tells a variable apart in all walks over a text: name, declaration, path."""
    return variable.name, str(variable.declaration.place), variable.path


def walked_kernel(request: KernelRequest, text: KernelText) -> WalkedKernel:
    """The kernel in normal form, with extents for its streams, without what only hands on values.

    Raises InputError for promises and streams that are wrong; other problems are collected.
    """
    problems = Problems()
    given = under(text.renamed, request.ranges)
    ranges = promised(text.tree, given, request.parameters, text.source, problems)
    problems.raise_if_any()
    visit = partial(_visited, request=request, parsed=text.parsed, ranges=ranges)
    found = _in_normal_form(_first(request, text, ranges), visit)
    if text.files.are_cxx:
        found = _with_streams(found, visit)
    found = _fresh(found, visit, request.fresh)
    kept = text.names_of(request.kept)
    found = _propagated(found, visit, kept, fills=request.fills_windows)
    if text.files.are_cxx:
        found = replace(found, stages=(Stage(rewrite=IN_C, unit=found.first), *found.stages))
    return found


def _first(request: KernelRequest, text: KernelText, ranges: Ranges) -> Unit:
    """The unit before all rewrites."""
    parameters, parsed = request.parameters, text.parsed
    sized = frozenset[str]()
    if request.pipelines_loops and not text.files.are_cxx:
        sized = loops_to_sizes(
            request.folder, request.file, request.sources, request.cflags, parameters, text.files
        )
    return Unit(
        tree=text.tree,
        function=text.function,
        source=text.source,
        headers=with_arguments(headers_of(parsed), text.function, request.known),
        parameters=parameters,
        problems=Problems(),
        least=_least(parameters, request.context),
        trips=Trips(
            by_label=request.trips,
            parameters=parameters,
            assumed=assumptions(parameters, {}, request.context),
        ),
        ranges=ranges,
        follows_pragmas=request.follows_pragmas,
        copies=parsed.has_structs,
        pipelines_loops=request.pipelines_loops,
        sized=sized,
    )


def _in_normal_form(first: Unit, visit: Visit) -> WalkedKernel:
    """The normal form in which every condition that is no filter has a statement that tests it."""
    ready, before = prepared(first)
    tested = frozenset[str]()
    while True:
        problems = first.problems.copy()
        unit, stages = normal_form(replace(ready, problems=problems, tested=tested), before)
        seen = visit(unit)
        asked = seen.walk.tested | _written_outside(seen)
        if asked <= tested:
            return WalkedKernel(first=first, unit=unit, stages=stages, seen=seen, as_written=seen)
        tested |= asked  # these need statements that say whether they hold


def _with_streams(found: WalkedKernel, visit: Visit) -> WalkedKernel:
    """The kernel with extents for its streams; InputError where they have none."""
    streams = frozenset(map(identity, streams_in(found.seen.walk)))
    needed: list[Any] = []
    unit = with_sizes(found.unit, found.seen.walk, found.seen.flat, found.problems, needed)
    once(found.problems).by_kind().raise_if_any()
    seen = found.seen if unit is found.unit else visit(unit)
    return replace(
        found, unit=unit, seen=seen, as_written=seen, streams=streams, needed=tuple(needed)
    )


def once(problems: Problems) -> Problems:
    """Problems without repetitions; a parameter without a value is named where it is used first."""
    found, said = Problems(), set[tuple[str, object]]()
    for one in problems.problems:
        is_missing = one.remedy == MISSING_PARAMETER
        key = one.what, None if is_missing else one.source_location
        if key not in said:
            said.add(key)
            found.add(one.what, one.remedy, one.source_location, one.notes)
    return found


def _fresh(found: WalkedKernel, visit: Visit, names: Collection[str]) -> WalkedKernel:
    """The kernel in which static variables of these names hold nothing from an earlier call."""
    if found.problems or not names:
        return found
    unit = without_first_values(found.unit, found.seen.walk, names)
    if unit is found.unit:
        return found
    seen, stages = visit(unit), (*found.stages, Stage(rewrite=FIRST_VALUES, unit=unit))
    return replace(found, unit=unit, stages=stages, seen=seen, as_written=seen)


def _propagated(
    found: WalkedKernel, visit: Visit, kept: frozenset[str], *, fills: bool
) -> WalkedKernel:
    """The kernel in which values are read at their source; itself where problems were found."""
    if found.problems:
        return found
    single = with_single_assignments(found.unit)
    moves = found.seen if single is found.unit else visit(single)
    moved, propagated = read_at_their_source(
        single, moves.walk, moves.region, moves.flat, kept, fills=fills
    )
    if not propagated.variables:
        return replace(found, propagated=propagated)
    moved = without_unread(moved)
    moved = replace(moved, summing=moved.summing or found.unit.function)
    return replace(
        found,
        unit=moved,
        stages=(*found.stages, Stage(rewrite=PROPAGATED, unit=moved)),
        seen=visit(moved),
        propagated=propagated,
    )


def _visited(unit: Unit, *, request: KernelRequest, parsed: ParsedFile, ranges: Ranges) -> Seen:
    parameters, values = request.parameters, request.values
    region = find_region(unit.function, unit.source)
    scope, declared = surroundings(unit.tree, region, parsed, parameters, request.known)
    reader = _reader(scope, region, unit.source, request)
    for name, type in narrow_types(scope, parameters).items():
        if not type.least <= values.get(name, type.least) <= type.greatest:
            what = f"{name}={values[name]} is no value of its type, which has {type.bits} bits"
            unit.problems.add(what, f"choose one from {type.least} to {type.greatest}", None)
    walk = walk_region(
        region,
        scope,
        reader,
        unit.problems,
        unit.conditions,
        ranges,
        follows_pragmas=unit.follows_pragmas,
    )
    flat = with_rows(walk, values, unit.problems)
    return Seen(region=region, declared=declared, walk=walk, flat=flat)


def _reader(scope: Scope, region: Region, source: SourceMap, request: KernelRequest) -> Reader:
    parameters = request.parameters
    symbols = {name: scope.find(name) for name in parameters}
    types = {name: s.type for name, s in symbols.items() if isinstance(s, Parameter)}
    narrow = narrow_types(scope, parameters)
    return Reader(
        source=source,
        parameters=parameters,
        assumed=assumptions(parameters, types, request.context),
        assigned=names.assigned_names(region.function),
        function=region.function.name,
        values=request.values,
        needed=[in_ranges(parameters, narrow)] if narrow else [],
    )


def _least(parameters: tuple[str, ...], context: Any) -> dict[str, int]:
    """The least values of parameters wherever the design is for, of those that are at least 1."""
    inside = assumptions(parameters, {}, context)
    if inside.is_empty():
        return {}
    found = {name: least_value(inside, name) for name in parameters}
    return {name: least for name, least in found.items() if least is not None and least >= 1}


def _written_outside(seen: Seen) -> frozenset[str]:
    """The places of conditions on elements that statements write outside of the chip.

    No memory has them: the datapath, which wrote them, says whether the condition holds.
    """
    outside = names.names_outside(seen.region)
    written = {one.write.variable for one in seen.walk.statements}
    return frozenset(
        place_of(node)
        for one in seen.walk.statements
        for test in one.tests
        if test.variable in written and storage_of(test.variable, outside) is Storage.EXTERNAL
        for node in culprits(one.node.cond, test.node)
    )
