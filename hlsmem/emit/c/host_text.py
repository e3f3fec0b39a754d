"""Host C of a plan: the parts of the two files, from a kernel, a network or a conflict set."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.emit.c.c_syntax import C, free_name, identifiers
from hlsmem.emit.c.c_wrapper import Memory
from hlsmem.emit.c.conflict_header import conflict_files
from hlsmem.emit.c.entries import PLAIN, Entry, Heads
from hlsmem.emit.c.entry_guards import plan_test
from hlsmem.emit.c.first_state import init_lines, state_folds
from hlsmem.emit.c.folded_arrays import (
    Cells,
    Fold,
    accessed_elements,
    fold_of,
    gaps,
    in_declared_order,
    workspace,
    workspace_starts,
)
from hlsmem.emit.c.folded_region import Region, shaped_loops
from hlsmem.emit.c.host_files import source_files
from hlsmem.emit.c.host_workspace import Function, Parts
from hlsmem.emit.c.kernel_frame import Surroundings, surroundings_of
from hlsmem.emit.c.memory_objects import objects_of
from hlsmem.emit.c.original_function import kernel_function, shared_names
from hlsmem.emit.c.overlap_test import apart_of
from hlsmem.emit.c.package import package_files
from hlsmem.emit.c.small_functions import network_functions
from hlsmem.emit.c.statement_text import Writer
from hlsmem.emit.c.step_values import is_departure
from hlsmem.emit.c.tile_function import NoTile, tile_of
from hlsmem.emit.c.tiled_loops import tiled_band, tiled_entry
from hlsmem.emit.c.unfolded_function import unfolded_arrays
from hlsmem.emit.c.version_files import Planned, Text, profile_of
from hlsmem.emit.expression_text import print_expression
from hlsmem.host_loops.cell_frame import CellFrame
from hlsmem.host_loops.pointer_loop import ShapedLoop
from hlsmem.host_loops.symbolic_sizes import Scale, expression_of, scale_of
from hlsmem.mapping.storage_mapping import StorageMapping
from hlsmem.plan import HostRam
from hlsmem.polyhedra.relations import named
from hlsmem.program.model import Array, Kernel, KernelBody, Program, SourceFile, Storage
from hlsmem.program.options import Design
from hlsmem.read.c.tree import Number
from hlsmem.read.design_names import RESERVED
from hlsmem.version import TOOL


def emit_host(
    design: Design,
    program: Program | None,
    cells: Cells,
    why_not: str = "",
    *,
    versions: Sequence[Planned] = (),
    text: Text | None = None,
    by_formula: bool = False,
) -> tuple[SourceFile, ...]:
    """The files of OUT/host, by name relative to OUT; of a conflict set the header alone.

    `program` has the arrival and departure statements of its streams; it is None for a bare
    conflict set, and where there are only cells, for a reason that `why_not` may say. C calls its
    `versions`, and its `text` where arguments overlap, in one workspace for all. With
    `by_formula` loops over a kernel's arrays have no pointers: every access computes its cell with
    remainders, which is what pointers are measured against.
    Raises InputError for what host C is not available for.
    """
    if program is None:
        return conflict_files(design, cells, why_not)
    parts = _in_bounds(_parts(design, program, cells, versions, text, by_formula=by_formula))
    others = (file for _, one in parts.versions for file in source_files(one))
    return (*source_files(parts), *package_files(parts), *others)


def ram_of(
    design: Design,
    program: Program,
    cells: Cells,
    versions: Sequence[Planned] = (),
    text: Text | None = None,
) -> HostRam:
    """Memory of the C of a program, with arguments as for `emit_host`.

    Raises InputError for what host C is not available for.
    """
    return _in_bounds(_parts(design, program, cells, versions, text)).ram


def beyond_source(
    design: Design,
    program: Program,
    cells: Cells,
    versions: Sequence[Planned] = (),
    text: Text | None = None,
) -> HostRam | None:
    """Memory that C would keep with these cells where that is more than its source keeps: it then
    runs the function as it was. None elsewhere."""
    parts = _parts(design, program, cells, versions, text)
    return parts.ram if parts.exceeds_source else None


def _parts(
    design: Design,
    program: Program,
    cells: Cells,
    versions: Sequence[Planned] = (),
    text: Text | None = None,
    *,
    by_formula: bool = False,
) -> Parts:
    """The parts of the C of a program. Raises InputError where there is none."""
    if program.tile is not None:
        return _tile_parts(design, program, cells)
    if program.kernel is None:
        return _network_parts(design, program, cells)
    found = _kernel_parts(
        design, program, program.kernel, cells, {}, text=text, by_formula=by_formula
    )
    return replace(found, versions=tuple((one.version, _version(one)) for one in versions))


def _in_bounds(parts: Parts) -> Parts:
    """The parts, or those of C that runs the function as it was, which keeps what its source
    keeps, where they keep more."""
    program, kernel = parts.region.program, parts.region.program.kernel
    if kernel is None or not parts.exceeds_source:
        return parts
    around = surroundings_of(program, kernel)
    workspace = parts.region.workspace_name
    return replace(
        parts,
        title=f"{kernel.name}() as it was; made by {TOOL} from the design {program.name}",
        function=kernel_function(program, around, [], {}, [], workspace),
        folds={},
        test=None,
        own_bytes=0,
        unfolded=(),
        objects=objects_of(program, kernel, [], 0),
        was_static=False,
        apart=None,
        text=None,
        versions=(),
        entries=(PLAIN,),
        state=(),
        is_as_it_was=True,
    )


def why_no_tile(design: Design, program: Program, cells: Cells) -> str:
    """Why a tile has no function of its own; "" where it has one."""
    try:
        host_loops(design, program, cells)
    except InputError as error:
        return f"There is no function of the tile: {error.problems[0].what}."
    return ""


def _tile_parts(design: Design, program: Program, cells: Cells) -> Parts:
    """The parts of a tile. Raises InputError where it has no function of its own."""
    if program.kernel is None:
        raise InputError(Problem("its statements are those of a network", "plan the whole"))
    tile = tile_of(program, program.kernel)
    if isinstance(tile, NoTile):
        raise InputError(Problem(tile.reason, "plan the whole"))
    parts = _kernel_parts(design, tile.program, tile.kernel, cells, {}, removed=tile.removed)
    return replace(
        parts,
        title=_title(program, f"A tile of {tile.whole}()"),
        function=replace(parts.function, original=None),
        entries=(Entry(comment=tile.comment()),),
        grows=True,
    )


def _version(given: Planned) -> Parts:
    """The parts of a version.

    Raises InputError where the versions of a function would each have its static variables.
    """
    program = given.version.named(given.program)
    assert program.kernel is not None
    around = surroundings_of(program, program.kernel)
    kept = [
        node
        for node in around.outside
        if "static" in node.storage and not node.const
        if node.name not in program.arrays
    ]
    if kept:
        what = f"host.specialise: versions would each have a variable {kept[0].name!r} of their own"
        raise InputError(Problem(what, "leave its values out, or pass the variable"))
    parts = _kernel_parts(given.design, program, program.kernel, given.cells, {}, text=given.text)
    return _in_bounds(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostLoops:
    """The order in which C runs a program, and its innermost loops.

    `elements` are, by array, those that a cell is asked for, restricted by the `scale`.
    """

    program: Program
    loops: tuple[ShapedLoop, ...]
    scale: Scale
    elements: Mapping[str, Any] = field(compare=False)
    folds: Mapping[str, Fold] = field(compare=False)
    mappings: Mapping[str, StorageMapping] = field(compare=False)

    def frames(self) -> dict[str, CellFrame]:
        """The frames of the arrays whose mapping is in one piece."""
        return {n: fold.frame for n, fold in self.folds.items() if fold.frame is not None}


def host_loops(design: Design, program: Program, cells: Cells) -> HostLoops:
    """The loops of C with these cells. Raises InputError for what host C is not available for."""
    parts = _parts(design, program, cells)
    folds = {name: fold for name, fold in parts.folds.items() if name in cells}
    return HostLoops(
        program=program,
        loops=shaped_loops(parts.region),
        scale=parts.scale,
        elements={
            name: parts.scale.restrict(accessed_elements(program, fold.array))
            for name, fold in folds.items()
        },
        folds=folds,
        mappings={name: cells[name] for name in folds},
    )


def _scale(program: Program, cells: Cells) -> Scale:
    mappings = list(in_declared_order(cells, program).values())
    return scale_of(program.parameters, program.values, program.context, mappings)


def _own_bytes(folds: Mapping[str, Fold], cells: Cells) -> int:
    """Bytes of the folded arrays in the workspace, at the plan's parameters."""
    stored = workspace(folds.values())
    return sum(gaps(stored).values()) + sum(
        cells[fold.array.name].cells * fold.array.element.cell_bytes for fold in stored
    )


def _entries(design: Design, program: Program, region: Region) -> tuple[Entry, ...]:
    """The functions that are asked for; tiles run the instances of `program` one by one."""
    if not design.host.tiled:
        return (PLAIN,)
    single = replace(region, program=program, writer=replace(region.writer, program=program))
    return PLAIN, tiled_entry(tiled_band(program, design.plan.schedules), single)


def _local_bytes(folds: Mapping[str, Fold]) -> int:
    """Bytes of the arrays that C declares where the region begins."""
    return sum(
        fold.cells.evaluate({}) * fold.array.element.cell_bytes
        for fold in folds.values()
        if fold.is_local and not fold.is_variable
    )


def _has_static(kernel: Kernel, folds: Iterable[str]) -> bool:
    """True if the source holds one of these arrays in a static variable."""
    declarations = (one.declaration for name, one in kernel.variables.items() if name in folds)
    return any("static" in (one.storage or []) for one in declarations)


def _title(program: Program, what: str) -> str:
    return f"{what} with its arrays folded; made by {TOOL} from the design {program.name}"


def _parameter_types(program: Program, around: Surroundings) -> dict[str, Number]:
    """The types of parameters that are arguments of the function."""
    types = {name: around.parameter_type(name) for name in program.parameters}
    return {name: one for name, one in types.items() if one is not None}


def _kernel_parts(
    design: Design,
    program: Program,
    kernel: Kernel,
    cells: Cells,
    shared: Mapping[str, str],
    *,
    text: Text | None = None,
    by_formula: bool = False,
    removed: Iterable[str] = (),
    prefix: str = "",
) -> Parts:
    """The parts of a kernel; `removed` are arrays whose declarations it does without. Functions of
    cells have the `prefix` in their names. The `text` is for arguments that overlap."""
    around = surroundings_of(program, kernel)
    scale = _scale(program, cells)
    folded = in_declared_order(cells, program)
    staying = {n for n in folded if _stays(program.arrays[n])}
    gone = (set(folded) - staying) | (set(kernel.variables) - set(program.arrays)) | set(removed)
    declarations = _removed(program, around, gone)
    inside = _declared_inside(kernel, around, gone)
    taken = _taken(program, around, declarations)
    folds = {
        name: fold_of(
            program,
            name,
            own,
            scale,
            type_name=around.type_text(program.arrays[name]),
            variable=_fold_variable(program.arrays[name], kernel, name in staying, taken, shared),
            macros=kernel.macros,
            by_formula=by_formula,
            packed=design.host.objective == "ram" or bool(prefix),
            prefix=prefix,
        )
        for name, own in folded.items()
    }
    names = _parameter_texts(program, around)
    unfolded = unfolded_arrays(program, around, [*declarations, *inside])
    writer = Writer(
        program=program,
        folds=folds,
        names=names,
        loop_type=_loop_type(program, around),
        aliases=around.inside,
        renamed=shared,
    )
    region = _region(kernel, writer, staying, taken, scale)
    parts = Parts(
        name=program.name,
        title=_title(program, f"{kernel.name}()"),
        function=kernel_function(
            program, around, declarations, shared, unfolded, region.workspace_name
        ),
        region=region,
        folds=region.folds,
        scale=scale,
        test=plan_test(scale, names, _parameter_types(program, around)),
        cells=cells,
        host=design.host,
        was_static=_has_static(kernel, folds),
        own_bytes=_own_bytes(folds, cells),
        unfolded=unfolded,
        objects=objects_of(program, kernel, [*declarations, *inside], _local_bytes(folds)),
        apart=apart_of(program, kernel),
        profile=profile_of(design, kernel),
        entries=_entries(design, program, region),
        state=tuple(init_lines(kernel.name, region, kernel)) if state_folds(folds) else (),
    )
    if prefix:
        return parts
    parts = _beside_its_text(design, parts, text, shared)
    _check_state(design, parts)
    several = parts.stands_by or parts.runs_text or len(parts.entries) > 1
    wanted = shared_names(around, declarations) if several else {}
    if wanted == shared:
        return parts
    return _kernel_parts(
        design, program, kernel, cells, wanted, text=text, by_formula=by_formula, removed=removed
    )


def _region(
    kernel: Kernel, writer: Writer, staying: Collection[str], taken: Iterable[str], scale: Scale
) -> Region:
    """The loops of a kernel as they are written; arrays that are `staying` keep their names, and
    none of those that are `taken` is given to anything new."""
    program = writer.program
    return Region(
        program=program,
        writer=writer,
        folds=writer.folds,
        given=frozenset(name for name in staying if program.arrays[name].index),
        kept=frozenset(name for name in staying if not program.arrays[name].index),
        taken=frozenset({*taken, *program.arrays, *_used_inside(program)}),
        workspace_name=_workspace_name({*identifiers([kernel.function]), *program.arrays}),
        scale=scale,
    )


def _beside_its_text(
    design: Design, parts: Parts, text: Text | None, shared: Mapping[str, str]
) -> Parts:
    """The parts of a kernel with those of the order of its text, where arguments may overlap and
    these keep no more."""
    if text is None or parts.apart is None or parts.keeps_state:
        return parts
    other = _text_parts(design, text, shared)
    holds = other.scale.symbolic or not parts.scale.symbolic
    is_kept = holds and other.own_bytes <= parts.unfolded_bytes
    return replace(parts, text=other) if is_kept else parts


def _text_parts(design: Design, text: Text, shared: Mapping[str, str]) -> Parts:
    """The parts of a kernel in the order of its text, in a file with another order of it."""
    kernel = text.program.kernel
    assert kernel is not None
    plain = replace(design, host=replace(design.host, tiled=False, profile=False))
    return _kernel_parts(plain, text.program, kernel, text.cells, shared, prefix="text_")


def text_starts(design: Design, text: Text) -> dict[str, int]:
    """The byte of the workspace at which the cells of each array start where arguments overlap."""
    return workspace_starts(_text_parts(design, text, {}).folds.values(), text.program.values)


def _stays(array: Array) -> bool:
    """True if C around the region sees the array, so that cells are filled from it and back."""
    return array.is_parameter or (array.is_shared and array.storage is not Storage.STATE)


def _check_state(design: Design, parts: Parts) -> None:
    """State is in one workspace that outlives calls, and in no second function."""
    if not parts.keeps_state:
        return
    name = state_folds(parts.folds)[0].array.name
    place = parts.region.program.arrays[name].source_location
    outside = f"leave the array outside: arrays.{name}.storage: external"
    if parts.memory is not Memory.STATIC:
        what = f"host.storage: {design.host.storage} keeps nothing from call to call, as state is"
        raise InputError(Problem(what, f"use host.storage: auto, or {outside}", place))
    if parts.stands_by:
        what = f"{name!r} is state, and for some arguments the function as it was has to run"
        remedy = f"make the parameters macros, or {outside}"
        raise InputError(Problem(what, remedy, place))


def _fold_variable(
    array: Array, kernel: Kernel, stays: bool, taken: set[str], shared: Mapping[str, str]
) -> str:
    """Name in C of the cells of a fold, or of the variable that is its only cell."""
    if stays and array.index:
        return f"{RESERVED}{array.name}_cells"
    if not stays:
        return free_name(array.name, taken)
    variable = kernel.variables[array.name]
    name = str(variable.declaration.name)
    return variable.steps(shared.get(name, name), ())


def _parameter_texts(program: Program, around: Surroundings) -> dict[str, str]:
    """Texts of parameters in integer expressions: unsigned and wide ones as int64_t."""
    texts = {}
    for name in program.parameters:
        kind = around.parameter_type(name)
        if kind is not None and (kind.bits > 32 or (kind.bits == 32 and not kind.signed)):
            texts[name] = f"(int64_t){name}"
    return texts


def _loop_type(program: Program, around: Surroundings) -> str:
    bodies = (one.body for one in program.statements)
    types = [kind for body in bodies if isinstance(body, KernelBody) for kind in body.types]
    widths = [(kind.bits, kind.is_signed) for kind in types]
    parameters = (around.parameter_type(name) for name in program.parameters)
    widths += [(kind.bits, kind.signed) for kind in parameters if kind is not None]
    narrow = all(bits < 32 or (bits == 32 and signed) for bits, signed in widths)
    small = all(abs(value) < 2**31 for value in program.values.values())
    return "int" if narrow and small else "int64_t"


def _removed(program: Program, around: Surroundings, folded: set[str]) -> list[Any]:
    """Declarations outside the region that nothing uses any more: of arrays `folded`, counters."""
    gone: dict[bool, list[Any]] = {False: [], True: []}
    for name, variable in around.kernel.variables.items():
        gone[name in folded].append(variable.declaration)
    counters = {name for statement in program.statements for name in statement.iterators}
    counters -= {declaration.name for declaration in gone[False]}
    idle = [
        declaration
        for name in counters
        for declaration in around.declared_outside(name)
        if not around.is_used_outside(declaration)
    ]
    outside = [node for node in around.outside if node in gone[True] and node not in gone[False]]
    return outside + [node for node in idle if node not in outside]


def _declared_inside(kernel: Kernel, around: Surroundings, gone: set[str]) -> list[Any]:
    """The declarations, in the region, of the arrays `gone`."""
    outside = {id(node) for node in (*around.outside, *kernel.function.parameters)}
    outside |= {id(node) for node in kernel.declarations}
    found = {id(v.declaration): v.declaration for n, v in kernel.variables.items() if n in gone}
    return [node for at, node in found.items() if at not in outside]


def _taken(program: Program, around: Surroundings, removed: Sequence[Any]) -> set[str]:
    """Names of the C around the region, which nothing new inside may have."""
    outer = around.outer_names(removed) | around.file_names
    return {*around.parameters, *program.parameters, *outer, "ws"}


def _used_inside(program: Program) -> set[str]:
    """Names in the statements that loops must not capture."""
    found: set[str] = set()
    for statement in program.statements:
        node = getattr(statement.body, "node", None)
        if node is not None:
            found |= identifiers([node]) - set(statement.iterators)
    return found


def _network_parts(design: Design, program: Program, cells: Cells) -> Parts:
    scale = _scale(program, cells)
    given = visible_arrays(program)
    macros = tuple(name for name in program.parameters if name in program.values)
    folded = in_declared_order(cells, program)

    def fold(name: str) -> Fold:
        return fold_of(
            program,
            name,
            folded[name],
            scale,
            type_name=program.arrays[name].element.c_name,
            variable=f"{RESERVED}{name}_cells" if name in given else name,
            macros=macros,
            packed=design.host.objective == "ram",
        )

    folds = {name: fold(name) for name in folded}
    writer = Writer(program=program, folds=folds, names={})
    region = Region(
        program=program,
        writer=writer,
        folds=folds,
        given=frozenset(given),
        kept=frozenset(),
        taken=frozenset({*program.arrays, *program.parameters, "ws"}),
        workspace_name=_workspace_name(program.arrays),
        scale=scale,
    )
    return Parts(
        name=program.name,
        title=_title(program, f"The network {program.name}"),
        function=_network_function(program, given, {n: program.values[n] for n in macros}),
        region=region,
        folds=region.folds,
        scale=scale,
        test=plan_test(scale, {}, {}),
        cells=cells,
        host=design.host,
        own_bytes=_own_bytes(folds, cells),
        entries=_entries(design, program, region),
    )


def visible_arrays(program: Program) -> tuple[str, ...]:
    """The arrays that the function of a network is given, in order of declaration.

    These are all but the memories with nothing live before or after the program.
    """
    live = program.live_in.union(program.live_out)
    return tuple(
        name
        for name, array in program.arrays.items()
        if array.storage is not Storage.MEMORY or not named(live, name).is_empty()
    )


def _network_function(
    program: Program, given: tuple[str, ...], macros: Mapping[str, int]
) -> Function:
    parameters = [_array_parameter(program, name) for name in given]

    def heads(name: str, extra: str | None) -> Heads:
        listed = [*parameters, *([extra] if extra else [])]
        text = f"void {name}({', '.join(listed) or 'void'})"
        return Heads(c=text, cxx=text)

    return Function(
        name=program.name,
        parameters=given,
        heads=heads,
        test_heads=heads,
        body=lambda lines: [f"  {line}" for line in lines],
        original=None,
        original_name="",
        returned="",
        includes=program.code.includes if program.code else (),
        declarations=lambda _: program.code.declarations if program.code else (),
        statics=(),
        types=(),
        type_names=(),
        macros=macros,
        needs_c=False,
    )


def _array_parameter(program: Program, name: str) -> str:
    """`const T name[extent]..`; scalars are arrays of one element."""
    array = program.arrays[name]
    if array.extents is None:
        raise InputError(
            Problem(
                f"host C needs the extents of '{name}', which the function is given",
                f"add arrays.{name}.extents",
                array.source_location,
            )
        )
    if array.storage is Storage.STREAM:
        departures = filter(is_departure, program.statements)
        leaves = any(access.array == name for s in departures for access in s.reads)
    else:
        leaves = any(access.array == name for s in program.statements for access in s.writes)
    extents = [print_expression(expression_of(extent), C) for extent in array.extents] or ["1"]
    sizes = "".join(f"[{extent}]" for extent in extents)
    return f"{'' if leaves else 'const '}{array.element.c_name} {name}{sizes}"


__all__ = [
    "HostLoops",
    "emit_host",
    "host_loops",
    "network_functions",
    "visible_arrays",
    "why_no_tile",
]


def _workspace_name(taken: Iterable[str]) -> str:
    """`ws`, or a name that no array `ws` gets for its cells either."""
    return f"{RESERVED}workspace" if "ws" in set(taken) else "ws"
