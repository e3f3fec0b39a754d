"""The folded region: workspace, content that is live before, loops, content that is live after."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.emit.c.c_syntax import C, words
from hlsmem.emit.c.cell_names import ByFunction
from hlsmem.emit.c.folded_arrays import Fold, offsets, workspace
from hlsmem.emit.c.fragments import Cells, Fragment
from hlsmem.emit.c.program_loops import print_loops, statement_loops
from hlsmem.emit.c.statement_text import Coordinates, Writer
from hlsmem.emit.c.vector_pragmas import APART, apart_line
from hlsmem.emit.expression_text import print_expression
from hlsmem.host_loops.pointer_loop import ShapedLoop
from hlsmem.host_loops.symbolic_sizes import Scale
from hlsmem.host_loops.vector_independence import Ground, Touch
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.relations import named, sets_of
from hlsmem.program.model import Program, Storage
from hlsmem.read.design_names import RESERVED


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """Data of a region's text besides the program.

    `given` are the folded arrays that the function is given under their own names, `kept` the
    folds whose variable stands in the user's code; `taken` are names that loops must avoid.
    """

    program: Program
    writer: Writer
    folds: Mapping[str, Fold]
    given: frozenset[str]
    kept: frozenset[str]
    taken: frozenset[str]
    workspace_name: str
    scale: Scale


def region_lines(region: Region, loops: list[str] | None = None) -> list[str]:
    """The whole region as lines indented by twos; `loops` in place of those of its program."""
    return _lines(region, ByFunction(region.writer, ground=_ground(region)), loops)


def shaped_loops(region: Region) -> tuple[ShapedLoop, ...]:
    """The innermost loops of a region, in textual order.

    Raises InputError for a program that C cannot be made of yet.
    """
    found: list[ShapedLoop] = []
    _lines(region, ByFunction(region.writer, shaped=found), None)
    return tuple(found)


def _lines(region: Region, cells: ByFunction, loops: list[str] | None) -> list[str]:
    """The lines of a region."""
    if loops is None:
        loops = statement_loops(region.program, cells, region.taken)
    parts = [
        *(_transfer(region, fold, cells, into_cells=True) for fold in region.folds.values()),
        loops,
        *(_transfer(region, fold, cells, into_cells=False) for fold in region.folds.values()),
    ]
    used = words(line for part in parts for line in part)
    if APART in used:
        parts.insert(0, [apart_line(cells.apart, region.writer, region.scale)])
    lines: list[str] = []
    for part in [_workspace_lines(region, used), *parts]:
        lines += ["", *part] if lines and part else part
    return lines


def _ground(region: Region) -> Ground:
    """Data that loops are judged by; a fold of one cell is a variable, unless it stays."""
    folds = region.folds
    return Ground(
        frames={name: fold.frame for name, fold in folds.items() if fold.frame is not None},
        variables=frozenset(n for n, fold in folds.items() if fold.is_variable) - region.kept,
        scale=region.scale,
    )


def _workspace_lines(region: Region, used: set[str]) -> list[str]:
    """A pointer for every fold in the workspace, a variable for every fold of one cell.

    Where all values of an array stay within their steps, nobody uses its cells.
    """
    stored = workspace(region.folds.values())
    start = offsets(stored)
    lines: list[str] = []
    for fold in stored:
        if fold.variable not in used:
            continue
        pointer = f"({fold.type} *){region.workspace_name}"
        if start[fold.array.name]:
            at = f"(unsigned char *){region.workspace_name} + {start[fold.array.name]}"
            pointer = f"({fold.type} *)(void *)({at})"
        lines.append(f"{fold.type} *const {fold.variable} = {pointer};")
    for name, fold in region.folds.items():
        if not fold.is_local or name in region.kept or fold.variable not in used:
            continue
        if not fold.is_variable:
            # Values that nothing sees may be moved before any is set: compilers warn of that.
            first = "" if fold.cells.constant_value() is None else " = {0}"
            lines.append(f"{fold.type} {fold.variable}[{fold.cells}]{first};")
        else:
            lines.append(f"{fold.type} {fold.variable} = 0;")
            if not _is_read(region.program, name):
                lines.append(f"(void){fold.variable};")
    if not any(fold.variable in used for fold in stored):
        lines.insert(0, f"(void){region.workspace_name};")
    return lines


def _is_read(program: Program, array: str) -> bool:
    return any(access.array == array for one in program.statements for access in one.reads)


def _transfer(region: Region, fold: Fold, cells: Cells, *, into_cells: bool) -> list[str]:
    """Loops that fill a memory with its live-in content, or drain its live-out content."""
    name = fold.array.name
    if name not in region.given or fold.array.storage is not Storage.MEMORY:
        return []
    given = partial(region.writer.given_element, name)
    return _moved(region, fold, cells, given, into_cells=into_cells)


def first_state(
    region: Region, contents: Mapping[str, Callable[[Sequence[str]], str]]
) -> list[str]:
    """Lines that put `contents`, C by array and subscripts, into the cells of state."""
    cells = ByFunction(region.writer, ground=_ground(region))
    lines = [
        line
        for name, content in contents.items()
        for line in _moved(region, region.folds[name], cells, content, into_cells=True)
    ]
    return [*_workspace_lines(region, words(lines)), "", *lines]


def _moved(
    region: Region,
    fold: Fold,
    cells: Cells,
    outside: Callable[[Sequence[str]], str],
    *,
    into_cells: bool,
) -> list[str]:
    """Loops over what is live before, from `outside` into its cells, or live after, back."""
    name = fold.array.name
    live = region.program.live_in if into_cells else region.program.live_out
    pieces = sets_of(named(live, name))
    elements = [piece.intersect_params(region.program.context) for piece in pieces]
    if not elements or all(piece.is_empty() for piece in elements):
        return []

    def text(at: Coordinates, cells: Cells) -> list[str]:
        subscripts = [print_expression(value, C, region.writer.names) for value in at]
        target, source = cells.cell(name, at), outside(subscripts)
        if not into_cells:
            target, source = source, target
        return [f"{target} = {source};"]

    def touches(at: Coordinates) -> list[Touch]:
        return [Touch(name, at, not into_cells, False), Touch(name, at, into_cells, True)]

    identity = elements[0].identity().reset_tuple_id(DimType.out)
    names = [n if n not in region.taken else f"{RESERVED}{n}" for n in fold.index]
    fragment = Fragment(
        name=name,
        names=lambda visit: list(zip(fold.index, visit.coordinates, strict=True)),
        schedule=identity,
        text=text,
        touches=touches,
    )
    return print_loops([fragment], names, region.program.context, cells, region.taken)
