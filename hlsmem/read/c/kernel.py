"""Reading a C kernel: its arrays, statements and schedules, and the C around them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from math import prod
from typing import Any

from hlsmem.core.errors import InputError, Problem, Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.polyhedra import DimType, PwAff, Val
from hlsmem.polyhedra.quantities import affine_of
from hlsmem.polyhedra.signs import least_value
from hlsmem.program.model import (
    Array,
    ElementType,
    Kernel,
    KernelVariable,
    Pragma,
    Statement,
    Storage,
)
from hlsmem.read.c import c_ast, names
from hlsmem.read.c.accesses import Touch
from hlsmem.read.c.affine import MISSING_PARAMETER, Reader, assumptions, in_ranges
from hlsmem.read.c.aliasing import check_aliasing, check_bases
from hlsmem.read.c.arrays import Declared, arrays_of, storage_of
from hlsmem.read.c.chained_functions import Chain, chain_entry, with_chain
from hlsmem.read.c.clang.entry import cxx_entry
from hlsmem.read.c.clang.head import Head
from hlsmem.read.c.clang.reader import IN_C
from hlsmem.read.c.copy_propagation import (
    PROPAGATED,
    PropagatedWindow,
    read_at_their_source,
    with_arrivals,
    with_single_assignments,
)
from hlsmem.read.c.extents import without_later_names
from hlsmem.read.c.files import merged, read_files
from hlsmem.read.c.files import renamed as with_names
from hlsmem.read.c.flat_arrays import Flat, condition_of, with_rows
from hlsmem.read.c.guards import culprits
from hlsmem.read.c.macros import loops_to_sizes
from hlsmem.read.c.normal import Stage, normal_form, prepared
from hlsmem.read.c.normal.control_flow.if_conversion import place_of
from hlsmem.read.c.normal.control_flow.unread_conditions import without_unread
from hlsmem.read.c.normal.normal_text import normal_text
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.numbers import value_at
from hlsmem.read.c.parsed_file import ParsedFile
from hlsmem.read.c.pragmas import pragmas_of, with_numbers
from hlsmem.read.c.promises import promised
from hlsmem.read.c.ranges import Range
from hlsmem.read.c.refusal import Refusal
from hlsmem.read.c.region import Walk, walk_region
from hlsmem.read.c.remarks import remarks_on
from hlsmem.read.c.reserved import check_reserved, names_of_user, names_out_of_the_way, under
from hlsmem.read.c.source_map import SourceMap
from hlsmem.read.c.statements import depth_of, iterator_names, statements_of, trips_of
from hlsmem.read.c.static_arrays import with_kept
from hlsmem.read.c.stream_extents import streams_in, with_sizes
from hlsmem.read.c.symbols import (
    Function,
    IntegerConstant,
    Parameter,
    Scope,
    Variable,
    constant_integer,
    declare,
)
from hlsmem.read.c.syntax import Region, find_region
from hlsmem.read.c.tree import INT, Number
from hlsmem.read.c.trees import changed, is_assertion, nodes_of
from hlsmem.read.c.trips import Trips
from hlsmem.read.c.types import scalar_type, stored_bytes
from hlsmem.read.design_folder import Folder
from hlsmem.read.design_names import RESERVED
from hlsmem.read.multifor_blocks import WrittenBlock


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelReading:
    """A kernel as read; all sets carry the parameters asked for, in their order.

    `statements` are in textual order; their schedules have `time_dimensions` entries
    [slot, loop, slot, .., loop, slot], padded with zeros; the time of a loop that counts
    down is its negated variable. `depth` is the number of loops of the deepest nest,
    `iterator_names` names the time dimensions; `trips` map instances of each statement to the
    numbers of the iterations of its loops; `blocks` are multifor blocks. `condition` is a set
    of parameters: only there the kernel is what was read. `renamed` are arrays that have another
    name here than in the user's file. `notes` are remarks on files.
    """

    arrays: tuple[Array, ...]
    statements: tuple[Statement, ...]
    time_dimensions: int
    depth: int
    iterator_names: tuple[str, ...]
    kernel: Kernel
    trips: Mapping[str, Any] = field(default_factory=dict, compare=False)
    blocks: tuple[WrittenBlock, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)
    condition: Any
    notes: tuple[Problem, ...] = ()


def read_kernel(
    *,
    folder: Folder,
    file: str,
    function: str | None,
    sources: tuple[str, ...] = (),
    cflags: tuple[str, ...] = (),
    parameters: tuple[str, ...] = (),
    element_types: Mapping[str, ElementType] | None = None,
    extents: Mapping[str, tuple[QuasiPolynomial, ...]] | None = None,
    context: Any = None,
    values: Mapping[str, int] | None = None,
    refuses_pointers: bool = True,
    fixed: Collection[str] = (),
    trips: Mapping[str, QuasiPolynomial] | None = None,
    ranges: Mapping[str, tuple[QuasiPolynomial, QuasiPolynomial]] | None = None,
    chain: Chain | None = None,
    follows_pragmas: bool = True,
    kept: Collection[str] = (),
    pipelines_loops: bool = False,
) -> KernelReading:
    """The region of `function` (None: of the only function with one) in `file`.

    `file` is relative to `folder`, below which all that is read must lie, as are `sources`, the
    files with functions that it calls. `element_types` and `extents` replace what the kernel
    declares. `context` (a parameter set) is only used to prove that unsigned arithmetic does not
    wrap, and that accesses keep to their rows; nothing is intersected with it. What cannot be
    proved for all parameters has to hold at `values`, and is the condition of the reading. Pointers
    that may alias are a problem where it `refuses_pointers`, else where C cannot test what they
    reach. Parameters in `fixed` stand for their `values`, which the condition says as well. `trips`
    are the most iterations of loops that data end, by labels, `ranges` promised values of elements.
    A `chain` of calls stands in place of `function`. Where it `follows_pragmas`, loops that are
    pipelined have none inside of few constant iterations. Variables that are `kept` stay, also
    where they only hand on values. Where it `pipelines_loops`, sums are collected and loops are
    pipelined without pragmas. Raises InputError with all problems found.
    """
    known = {name: (values or {})[name] for name in fixed}
    renamed: Mapping[str, str] = {}
    try:
        files = read_files(
            folder,
            file,
            sources,
            function=function,
            is_whole=chain is not None,
            cflags=cflags,
            symbolic=parameters,
        )
        parsed, source = files.parsed, files.source
        problems = Problems()
        head = files.head
        tree = merged(files, problems)
        if chain is not None:
            problems.raise_if_any()
            tree = with_chain(tree, chain, parameters, problems)
        problems.raise_if_any()
        renamed = names_out_of_the_way(tree, tree.ext[-1], parameters)
        tree = with_names(tree, renamed)
        chosen = tree.ext[-1]  # it calls all others
        head = None if head is None else head.renamed(renamed)
        kept = frozenset(renamed.get(name, name) for name in kept)
        values_of = promised(tree, under(renamed, ranges), parameters, source, problems)
        problems.raise_if_any()
        trips_said = Trips(
            by_label=trips or {},
            parameters=parameters,
            assumed=assumptions(parameters, {}, context),
        )
        look = partial(
            _look,
            parsed=parsed,
            parameters=parameters,
            known=known,
            context=context,
            values=values or {},
            ranges=values_of,
        )
        tested: frozenset[str] = frozenset()
        to_sizes = frozenset[str]()
        if pipelines_loops and not files.are_cxx:
            to_sizes = loops_to_sizes(folder, file, sources, cflags, parameters, files)
        found = Problems()
        first = Unit(
            tree=tree,
            function=chosen,
            source=source,
            headers=_with_arguments(_headers(parsed), chosen, known),
            parameters=parameters,
            problems=found,
            least=_least(parameters, context),
            trips=trips_said,
            ranges=values_of,
            follows_pragmas=follows_pragmas,
            copies=parsed.has_structs,
            pipelines_loops=pipelines_loops,
            sized=to_sizes,
        )
        ready, before = prepared(first)
        while True:
            problems = found.copy()
            unit, stages = normal_form(replace(ready, problems=problems, tested=tested), before)
            seen = look(unit)
            asked = seen.walk.tested | _written_outside(seen)
            if asked <= tested:
                break
            tested |= asked  # these need statements that say whether they hold
        streams = set(map(_declared, streams_in(seen.walk))) if files.are_cxx else set()
        needed: list[Any] = []
        sized = unit
        if files.are_cxx:
            sized = with_sizes(unit, seen.walk, seen.flat, problems, needed)
        if files.are_cxx:
            problems.raise_if_any()
        if sized is not unit:
            unit, seen = sized, look(sized)
        propagated, as_written = PropagatedWindow(), seen
        if not problems:
            single = with_single_assignments(unit)
            moves = seen if single is unit else look(single)
            moved, propagated = read_at_their_source(
                single, moves.walk, moves.region, moves.flat, kept
            )
        if propagated.variables:
            moved = without_unread(moved)
            moved = replace(moved, summing=moved.summing or unit.function)
            stages = (*stages, Stage(rewrite=PROPAGATED, unit=moved))
            unit, seen = moved, look(moved)
        if files.are_cxx:
            stages = (Stage(rewrite=IN_C, unit=first), *stages)
        tree, chosen = unit.tree, unit.function
        region, declared, walk, flat = seen.region, seen.declared, seen.walk, seen.flat
        reader = walk.reader
        if not walk.statements and not problems:
            what = f"the region of '{chosen.name}' has no statements"
            problems.add(
                what, "put #pragma scop in front of the loops", source.place(region.pragma)
            )
        _check_labels(walk, parsed.macros, problems)
        _check_outside(walk, region, declared, parameters, problems)
        check_reserved(tree, chosen, parameters, source, problems)
        if refuses_pointers:
            check_aliasing(walk, cflags, problems)
        else:
            check_bases(walk, region.function, cflags, problems)
        naming = Declared(
            variables=(*declared, *walk.variables),
            outside=names.names_outside(region),
            taken=names.identifiers(chosen) | frozenset(parameters),
        )
        _check_foreign(walk, sources, problems)
        types, sizes_said = under(renamed, element_types), under(renamed, extents)
        arrays = arrays_of(walk, naming, types, sizes_said, flat, problems)
        sizes = {name: (values or {})[name] for name in parsed.macros if name in (values or {})}
        _check_reach(walk, arrays, sizes, problems)
        functions = _used_functions(first, first.function)
        pragmas = pragmas_of(
            functions, region.statements, chosen.name, arrays, unit.passed, source, problems
        )
        known_in_pragmas: dict[str, int | str] = {
            **parsed.definitions,
            **_constants(first.file_scope()),
            **(values or {}),
        }
        pragmas = with_numbers((*_ports(head, arrays), *pragmas), known_in_pragmas)
        _raise_once(problems)
    except RecursionError:
        what = f"the C text of '{file}' is nested too deeply"
        raise InputError(Problem(what, "split long expressions and nests")) from None
    except InputError as error:
        known_by = names_of_user(renamed)
        raise InputError(*(one.in_words(known_by) for one in error.problems)) from None
    process = chosen.name
    depth = depth_of(walk.statements)
    taken = {array.name for array in arrays.values()} | set(parameters) | {process}
    statements = statements_of(walk.statements, arrays, process, depth, source)
    arrays = with_kept(arrays, statements, naming.outside)
    arrays = with_arrivals(propagated, arrays, walk.statements, kept)
    remarks = {
        name: remark.in_words(names_of_user(renamed))
        for name, remark in remarks_on(arrays, statements, naming.outside, process).items()
    }
    handing: tuple[Statement, ...] = ()
    if propagated.variables:
        handing = _moves(as_written.walk, arrays, process, source)
    entry = None if chain is None else chain_entry(file, first.function)
    if head is not None:
        of = {array.name: variable.declaration.name for variable, array in arrays.items()}
        entry = cxx_entry(file, head, region.function, statements, of)
    return KernelReading(
        arrays=tuple(arrays.values()),
        statements=statements,
        time_dimensions=2 * depth + 1,
        depth=depth,
        iterator_names=iterator_names(walk.statements, depth, frozenset(taken)),
        notes=parsed.remarks,
        kernel=replace(
            _kernel(file, process, region, unit, parsed, cflags, arrays, flat, stages, walk.told),
            others=sources,
            remarks=remarks,
            fixed=tuple(known),
            head=head,
            pragmas=pragmas,
            entry=entry,
            outlined=_known_to_user((one.name for one in unit.outlined), first),
            written_out=unit.written_out,
            collected=_known_to_user(sorted(unit.collected), first),
            streams=tuple(one.name for v, one in arrays.items() if _declared(v) in streams),
            moves=handing,
            gone=sum(_bytes_of(one, values or {}) for one in propagated.variables),
            propagated={
                one.name: source.name_place(one.declaration) for one in propagated.variables
            },
        ),
        condition=_at_values(
            condition_of(flat.values(), (*reader.needed, *needed), reader.assumed), known
        ),
        trips=trips_of(walk.statements, statements),
        blocks=walk.marks.written(walk.slots),
        renamed={
            own: here for own, here in renamed.items() if here in {a.name for a in arrays.values()}
        },
    )


def _bytes_of(variable: Variable, values: Mapping[str, int]) -> int:
    """The bytes of an array at these parameters; 0 where its size is not known."""
    shape = variable.shape
    extents = [value_at(one, variable.home, values) or 0 for one in shape.extents]
    if not extents or shape.scalar is None:
        return 0
    return prod(extents) * stored_bytes(shape.scalar)


def _declared(variable: Variable) -> tuple[str, str, tuple[str, ...]]:
    """The identity of a variable in all walks over a text: name, declaration, path."""
    return variable.name, str(variable.declaration.coord), variable.path


def _moves(
    walk: Walk, arrays: Mapping[Variable, Array], process: str, source: SourceMap
) -> tuple[Statement, ...]:
    """The statements of another walk over the text; arrays of its own have names of their own."""
    known = {_declared(variable): array for variable, array in arrays.items()}
    given = dict[Variable, Array]()
    for touch in (
        one for written in walk.statements for one in (*written.touches, *written.predicate_reads)
    ):
        own = Array(
            name=f"{RESERVED}{len(given)}",
            element=ElementType("int32"),
            index=(),
            extents=None,
            storage=Storage.MEMORY,
        )
        given.setdefault(touch.variable, known.get(_declared(touch.variable), own))
    return statements_of(walk.statements, given, process, depth_of(walk.statements), source)


def _known_to_user(variables: Iterable[str], first: Unit) -> tuple[str, ...]:
    """Variables of the normal form, as far as the user's file names them."""
    known = names.identifiers(first.tree)
    return tuple(dict.fromkeys(one for one in variables if one in known))


def _used_functions(unit: Unit, function: Any) -> list[Any]:
    """A function of a file and those that it calls, by whatever way."""
    known = unit.functions()
    used = {function.name: function}
    pending = [function]
    while pending:
        for node in nodes_of(pending.pop().body):
            name = node.name.name if _is_call(node) else ""
            if name in known and name not in used:
                used[name] = known[name]
                pending.append(known[name])
    return list(used.values())


def _constants(scope: Scope) -> dict[str, int]:
    """The integer constants of a file, with their values."""
    found = {}
    for name, one in scope.names.items():
        value = one.value if isinstance(one, IntegerConstant) else None
        if isinstance(one, Variable) and one.is_read_only and not one.shape.extents:
            value = constant_integer(one.initial, scope)
        if value is not None:
            found[name] = value
    return found


def _ports(head: Head | None, arrays: Mapping[Variable, Array]) -> list[Pragma]:
    """Pragmas for parameters that are streams in C++: `INTERFACE axis`."""
    names = () if head is None else head.streams
    return [
        Pragma(
            name="INTERFACE",
            options={"axis": ""},
            array=array.name,
            source_location=array.source_location,
        )
        for variable, array in arrays.items()
        if variable.scope == "parameter" and variable.name in names
    ]


def _is_call(node: Any) -> bool:
    return isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """A walk over the region, and the variables known in front of it."""

    region: Region
    declared: list[Variable]
    walk: Walk
    flat: Mapping[Variable, Flat]


def _look(
    unit: Unit,
    *,
    parsed: ParsedFile,
    parameters: tuple[str, ...],
    known: Mapping[str, int],
    context: Any,
    values: Mapping[str, int],
    ranges: Mapping[str, tuple[QuasiPolynomial, QuasiPolynomial]],
) -> _Look:
    region = find_region(unit.function, unit.source)
    scope, declared = _surroundings(unit.tree, region, parsed, parameters, known)
    reader = _reader(scope, region, unit.source, parameters, context, values)
    for name, type in _narrow(scope, parameters).items():
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
    return _Look(region=region, declared=declared, walk=walk, flat=flat)


def _at_values(condition: Any, values: Mapping[str, int]) -> Any:
    """A parameter set where parameters have these values."""
    for name, value in values.items():
        position = condition.find_dim_by_name(DimType.param, name)
        condition = condition.fix_val(DimType.param, position, Val(value))
    return condition


def _check_foreign(walk: Walk, sources: tuple[str, ...], problems: Problems) -> None:
    """Refuse variables that other files of the design have for all files to see."""
    source = walk.reader.source
    told: set[Variable] = set()
    for written in walk.statements:
        for touch in written.touches:
            variable = touch.variable.object
            source_location = source.name_place(variable.declaration)
            is_seen = variable.scope == "file" and not variable.static
            if (
                variable in told
                or not is_seen
                or source_location is None
                or source_location.file not in sources
            ):
                continue
            told.add(variable)
            own, file = variable.name, source_location.file
            what = f"'{own}' is a variable of '{file}' that other files can see"
            problems.add(
                what, "declare it static there, or pass it as a parameter", source_location
            )


# Elements that an array without extents may be read at: what C says of its size is not more.
_WIDEST = 1 << 16


def _check_reach(
    walk: Walk, arrays: Mapping[Variable, Array], macros: Mapping[str, int], problems: Problems
) -> None:
    """Refuse elements that data choose in an array of which nothing says how large it is.

    Nor may `macros` be sizes that what data choose fits into at their own numbers alone.
    """
    for written in walk.statements:
        for touch in written.touches:
            array = arrays.get(touch.variable)
            if array is None:
                continue
            if array.extents is not None:
                _check_sizes(walk, touch, array.extents, macros, problems)
                continue
            for one in touch.subscripts:
                if isinstance(one, Range) and not _is_narrow(one):
                    why = f"may be any element of '{array.name}', and nothing says how many it has"
                    remedy = f"declare '{array.name}' with its extents, or mask the subscript"
                    found = walk.reader.refuse(
                        Refusal.NON_AFFINE_EXPRESSION, touch.node, why, remedy
                    )
                    problems.add(
                        found.problem.what,
                        remedy,
                        found.problem.source_location,
                        found.problem.notes,
                    )
                    break


def _check_sizes(
    walk: Walk,
    touch: Touch,
    extents: Sequence[QuasiPolynomial],
    macros: Mapping[str, int],
    problems: Problems,
) -> None:
    if len(touch.subscripts) != len(extents):  # a place in a flat array
        return
    for one, extent in zip(touch.subscripts, extents, strict=True):
        names = sorted(extent.parameters() & set(macros))
        if not names or not isinstance(one, Range) or not extent.is_affine():
            continue
        last = PwAff.from_aff(affine_of(extent - 1, touch.inside.space))
        beyond = touch.inside.intersect(one.greatest.gt_set(last)).params()
        beyond = beyond.intersect(walk.reader.assumed)
        if beyond.is_empty() or not _at_values(beyond, macros).is_empty():
            continue
        why = f"may be beyond the {extent} elements where {names[0]} is not {macros[names[0]]}"
        remedy = f"leave '{names[0]}' out of params, or mask the subscript by it"
        found = walk.reader.refuse(Refusal.NON_AFFINE_EXPRESSION, touch.node, why, remedy)
        problems.add(found.problem.what, remedy, found.problem.source_location, found.problem.notes)


def _is_narrow(one: Range) -> bool:
    width = one.greatest.sub(one.least).max_val()
    return bool(width.is_int()) and int(width.to_python()) < _WIDEST


def _written_outside(seen: _Look) -> frozenset[str]:
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


def _check_labels(walk: Walk, macros: tuple[str, ...], problems: Problems) -> None:
    """Macros that stay symbolic are names here, and numbers where C is compiled."""
    for written in walk.statements:
        if written.label in macros:
            what = f"label '{written.label}' is a macro, of which C reads the value there"
            problems.add(what, "use another label", written.source_location)


def _raise_once(problems: Problems) -> None:
    """Raise what was found; a parameter without a value is named where it is used first."""
    try:
        problems.raise_if_any()
    except InputError as error:
        kept: dict[tuple[str, object], Problem] = {}
        for problem in error.problems:
            missing = problem.remedy == MISSING_PARAMETER
            kept.setdefault((problem.what, None if missing else problem.source_location), problem)
        raise InputError(*kept.values()) from None


def _kernel(
    file: str,
    name: str,
    region: Region,
    unit: Unit,
    parsed: ParsedFile,
    cflags: tuple[str, ...],
    arrays: Mapping[Variable, Array],
    flat: Mapping[Variable, Flat],
    stages: tuple[Stage, ...],
    told: Collection[Variable],
) -> Kernel:
    headers = parsed.headers
    if "assert.h" not in headers and any(map(is_assertion, nodes_of(region.function))):
        headers = (*headers, "assert.h")

    def includes(function: Any) -> tuple[str, ...]:
        copies = any(one.startswith(("mem", "str")) for one in names.identifiers(function))
        needed = (one for one in headers if one != "string.h" or copies)  # loops are in their place
        return tuple(f"#include <{header}>" for header in needed)

    def text(unit: Unit) -> str:
        return normal_text(
            _callable(unit.function),
            names.needed_declarations(unit.tree, unit.function),
            flags={one.name for one in unit.conditions},
            file=file,
            includes=includes(unit.function),
            macros={name: parsed.definitions[name] for name in parsed.macros},
        )

    return Kernel(
        file=file,
        name=name,
        function=region.function,
        region=region.statements,
        region_parent=region.parent,
        declarations=names.needed_declarations(unit.tree, region.function, unit.summing),
        summing=None
        if unit.summing is None
        else (unit.summing, find_region(unit.summing, unit.source).statements),
        includes=includes(region.function),
        macros=parsed.macros,
        cflags=cflags,
        sources=parsed.files,
        variables={
            array.name: KernelVariable(
                declaration=variable.declaration,
                members=variable.path,
                ranks=variable.ranks,
                strides=flat[variable].strides if variable in flat else (),
            )
            for variable, array in arrays.items()
            if variable not in told
        },
        conditions=tuple(array.name for variable, array in arrays.items() if variable in told),
        copies=any(one.unit.copies for one in stages),
        pointees=any(one.unit.pointees for one in stages),
        normal=text(unit),
        stages={one.rewrite.name: text(one.unit) for one in stages},
    )


def _callable(function: Any) -> Any:
    """A function as C takes it: extents name no parameters behind their own."""
    found = without_later_names(function.parameters)
    if all(a is b for a, b in zip(found, function.parameters, strict=True)):
        return function
    return changed(function, parameters=found)


def _headers(parsed: ParsedFile) -> Scope:
    """The parameters that are macros."""
    return Scope(names={name: Parameter(name) for name in parsed.macros})


def _with_arguments(headers: Scope, function: Any, known: Mapping[str, int]) -> Scope:
    """The names with those of integer parameters of the function that are `known`, as constants.

    They are behind all declarations: a scope that has the parameter itself has no constant.
    """
    changed_names = names.assigned_names(function.body)
    for node in function.parameters:
        kind = scalar_type(node.type) if node.name in known else None
        if isinstance(kind, Number) and node.name not in changed_names:
            headers.names[node.name] = IntegerConstant(known[node.name], kind)
    return headers


def _least(parameters: tuple[str, ...], context: Any) -> dict[str, int]:
    """The least values of parameters wherever the design is for, of those that are at least 1."""
    inside = assumptions(parameters, {}, context)
    if inside.is_empty():
        return {}
    found = {name: least_value(inside, name) for name in parameters}
    return {name: least for name, least in found.items() if least is not None and least >= 1}


def _surroundings(
    tree: Any,
    region: Region,
    parsed: ParsedFile,
    parameters: tuple[str, ...],
    known: Mapping[str, int],
) -> tuple[Scope, list[Variable]]:
    """The names known where the region begins, and the variables among them in order.

    Parameters that are `known` are constants.
    """
    found: list[Variable | None] = []
    headers = _headers(parsed)
    headers.names.update(
        (name, IntegerConstant(value)) for name, value in known.items() if name in headers.names
    )
    scope = Scope(headers, is_file=True)
    for node in tree.ext:
        if node is region.function:
            break
        if isinstance(node, c_ast.FuncDef):
            scope.names[node.name] = Function(node.name, node)
        else:
            found.append(declare(node, scope, "file"))
    scope.names[region.function.name] = Function(region.function.name, region.function)
    scope = scope.inner()
    found += [declare(node, scope, "parameter") for node in region.function.parameters]
    for block in region.enclosing:
        if isinstance(block, c_ast.Compound):
            scope = scope.inner()
            items = block.block_items or []
            last = region.start if block is region.parent else _position(items, region)
            found += [declare(item, scope, "local") for item in items[:last]]
        elif isinstance(block, c_ast.For) and isinstance(block.init, c_ast.DeclList):
            scope = scope.inner()
            found += [declare(item, scope, "local") for item in block.init.decls]
    variables = [variable for variable in found if variable is not None]
    return scope, [v for v in variables if not _made_symbolic(v, parameters, known)]


def _position(items: list[Any], region: Region) -> int:
    around = set(map(id, region.enclosing))
    return next((i for i, item in enumerate(items) if id(item) in around), len(items))


def _made_symbolic(
    variable: Variable, parameters: tuple[str, ...], known: Mapping[str, int]
) -> bool:
    """Turn an integer that params names into a parameter, one that is `known` into a constant."""
    shape = variable.shape
    plain = isinstance(shape.scalar, Number) and not shape.extents
    if variable.name not in parameters or not plain:
        return False
    assert isinstance(shape.scalar, Number)
    value = known.get(variable.name)
    variable.home.names[variable.name] = (
        Parameter(variable.name, shape.scalar)
        if value is None
        else IntegerConstant(value, shape.scalar)
    )
    return True


def _reader(
    scope: Scope,
    region: Region,
    source: SourceMap,
    parameters: tuple[str, ...],
    context: Any,
    values: Mapping[str, int],
) -> Reader:
    symbols = {name: scope.find(name) for name in parameters}
    types = {name: s.type for name, s in symbols.items() if isinstance(s, Parameter)}
    assigned = names.assigned_names(region.function)
    narrow = _narrow(scope, parameters)
    return Reader(
        source=source,
        parameters=parameters,
        assumed=assumptions(parameters, types, context),
        assigned=assigned,
        function=region.function.name,
        values=values,
        needed=[in_ranges(parameters, narrow)] if narrow else [],
    )


def _narrow(scope: Scope, parameters: Iterable[str]) -> dict[str, Number]:
    """The types of parameters that have less than 32 bits; a truth may be any number but 0."""
    symbols = {name: scope.find(name) for name in parameters}
    types = {name: one.type for name, one in symbols.items() if isinstance(one, Parameter)}
    return {name: one for name, one in types.items() if 1 < one.bits < INT.bits}


def _check_outside(
    walk: Walk,
    region: Region,
    declared: list[Variable],
    parameters: tuple[str, ...],
    problems: Problems,
) -> None:
    """Refuse what the C outside the region does to names the region relies on."""
    own = {a.name for a in region.function.parameters}
    inside_region = {id(t) for s in region.statements for t in names.assignments(s)}
    for target in names.assignments(region.function.body):
        inside = id(target) in inside_region
        if target.name in parameters and target.name in own and not inside:
            what = f"'{target.name}' is changed, but params gives it one value"
            problems.add(what, "use another variable", walk.reader.source.place(target))
    for variable in walk.counters:
        if variable.name in walk.left:
            continue  # told where `break` leaves its loop
        used = names.used_after(region, variable.name) if variable in declared else None
        if used is not None:
            error = walk.reader.refuse(
                Refusal.LOOP_VARIABLE,
                used,
                "counts a loop of the region and is used behind it",
                "use another variable",
            )
            problems.add(error.problem.what, error.problem.remedy, error.problem.source_location)
