"""Reading a C kernel: its arrays, statements and schedules, and the C around them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from math import prod
from typing import Any

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra.sets import at_values
from hlsmem.program.model import (
    Array,
    ElementType,
    Kernel,
    Pragma,
    SourceFile,
    Statement,
    Storage,
)
from hlsmem.read.c import names
from hlsmem.read.c.arrays import Declared, arrays_of
from hlsmem.read.c.chained_functions import chain_entry
from hlsmem.read.c.clang.entry import cxx_entry
from hlsmem.read.c.constants import value_at
from hlsmem.read.c.copy_propagation import (
    with_arrivals,
)
from hlsmem.read.c.flat_arrays import condition_of
from hlsmem.read.c.kernel_c import kernel_in_c
from hlsmem.read.c.kernel_checks import check_reach, check_region
from hlsmem.read.c.kernel_pragmas import kernel_pragmas
from hlsmem.read.c.kernel_request import KernelRequest
from hlsmem.read.c.kernel_text import KernelText, in_words_of_user, kernel_text
from hlsmem.read.c.kernel_walk import WalkedKernel, identity, once, walked_kernel
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.region import Walk
from hlsmem.read.c.remarks import remarks_on
from hlsmem.read.c.reserved import names_of_user, under
from hlsmem.read.c.source_map import SourceMap
from hlsmem.read.c.statements import depth_of, iterator_names, statements_of, trips_of
from hlsmem.read.c.static_arrays import with_kept
from hlsmem.read.c.symbols import (
    Variable,
)
from hlsmem.read.c.types import stored_bytes
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stored:
    """The arrays of a kernel, the names that they are told apart from, and its pragmas."""

    naming: Declared
    arrays: Mapping[Variable, Array]
    pragmas: tuple[Pragma, ...]


def read_kernel(request: KernelRequest) -> KernelReading:
    """The kernel that a design asks for; InputError with all problems found."""
    try:
        text = kernel_text(request)
        with in_words_of_user(text.renamed):
            found = walked_kernel(request, text)
            check_region(request, text, found)
            stored = _stored(request, text, found)
            once(found.problems).raise_if_any()
    except RecursionError:
        what = f"the C text of '{request.file}' is nested too deeply"
        raise InputError(Problem(what, "split long expressions and nests")) from None
    return _reading(request, text, found, stored)


def _stored(request: KernelRequest, text: KernelText, found: WalkedKernel) -> _Stored:
    """What a kernel stores its values in; problems are collected."""
    seen, values, macros = found.seen, request.values, text.parsed.macros
    naming = Declared(
        variables=(*seen.declared, *seen.walk.variables),
        outside=names.names_outside(seen.region),
        taken=names.identifiers(found.unit.function) | frozenset(request.parameters),
    )
    types = under(text.renamed, request.element_types)
    extents = under(text.renamed, request.extents)
    arrays = arrays_of(seen.walk, naming, types, extents, seen.flat, found.problems)
    sizes = {name: values[name] for name in macros if name in values}
    check_reach(seen.walk, arrays, sizes, found.problems)
    pragmas = kernel_pragmas(text, found, arrays, values)
    return _Stored(naming=naming, arrays=arrays, pragmas=pragmas)


def _reading(
    request: KernelRequest, text: KernelText, found: WalkedKernel, stored: _Stored
) -> KernelReading:
    walk, process = found.seen.walk, found.unit.function.name
    depth = depth_of(walk.statements)
    statements = statements_of(walk.statements, stored.arrays, process, depth, text.source)
    arrays = with_kept(stored.arrays, statements, stored.naming.outside)
    kept = text.names_of(request.kept)
    arrays = with_arrivals(found.propagated, arrays, walk.statements, kept)
    stored = replace(stored, arrays=arrays)
    here = {array.name for array in arrays.values()}
    taken = frozenset({*here, *request.parameters, process})
    needed = (*walk.reader.needed, *found.needed)
    condition = condition_of(found.seen.flat.values(), needed, walk.reader.assumed)
    return KernelReading(
        arrays=tuple(arrays.values()),
        statements=statements,
        time_dimensions=2 * depth + 1,
        depth=depth,
        iterator_names=iterator_names(walk.statements, depth, taken),
        notes=text.parsed.remarks,
        kernel=_kernel(request, text, found, stored, statements),
        condition=at_values(condition, request.known),
        trips=trips_of(walk.statements, statements),
        blocks=walk.marks.written(walk.slots),
        renamed={own: new for own, new in text.renamed.items() if new in here},
    )


def _kernel(
    request: KernelRequest,
    text: KernelText,
    found: WalkedKernel,
    stored: _Stored,
    statements: tuple[Statement, ...],
) -> Kernel:
    """The kernel in C, with what there is to say of its arrays."""
    first, unit, arrays, gone = found.first, found.unit, stored.arrays, found.propagated.variables
    process, words = unit.function.name, names_of_user(text.renamed)
    remarks = remarks_on(arrays, statements, stored.naming.outside, process)
    moves: tuple[Statement, ...] = ()
    if gone:
        moves = _moves(found.as_written.walk, arrays, process, text.source)
    return replace(
        kernel_in_c(request, text, found, arrays),
        others=request.sources,
        remarks={name: remark.in_words(words) for name, remark in remarks.items()},
        fixed=tuple(request.known),
        head=text.head,
        pragmas=stored.pragmas,
        entry=_entry(request, text, found, arrays, statements),
        outlined=_known_to_user((one.name for one in unit.outlined), first),
        written_out=unit.written_out,
        collected=_known_to_user(sorted(unit.collected), first),
        streams=tuple(one.name for v, one in arrays.items() if identity(v) in found.streams),
        moves=moves,
        gone=sum(_bytes_of(one, request.values) for one in gone),
        unset=_unset(found, arrays),
        propagated={one.name: text.source.name_place(one.declaration) for one in gone},
    )


def _unset(found: WalkedKernel, arrays: Mapping[Variable, Array]) -> frozenset[str]:
    """The arrays of variables that would be gone, if nothing read them before they are written."""
    unset = {identity(one) for one in found.propagated.unset}
    return frozenset(one.name for variable, one in arrays.items() if identity(variable) in unset)


def _entry(
    request: KernelRequest,
    text: KernelText,
    found: WalkedKernel,
    arrays: Mapping[Variable, Array],
    statements: tuple[Statement, ...],
) -> SourceFile | None:
    """What other programs call, where that is not the function as planned."""
    if text.head is not None:
        of = {array.name: variable.declaration.name for variable, array in arrays.items()}
        return cxx_entry(request.file, text.head, found.seen.region.function, statements, of)
    return None if request.chain is None else chain_entry(request.file, found.first.function)


def _moves(
    walk: Walk, arrays: Mapping[Variable, Array], process: str, source: SourceMap
) -> tuple[Statement, ...]:
    """The statements of another walk over the text; arrays of its own have names of their own."""
    known = {identity(variable): array for variable, array in arrays.items()}
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
        given.setdefault(touch.variable, known.get(identity(touch.variable), own))
    return statements_of(walk.statements, given, process, depth_of(walk.statements), source)


def _known_to_user(variables: Iterable[str], first: Unit) -> tuple[str, ...]:
    """Variables of the normal form, as far as the user's file names them."""
    known = names.identifiers(first.tree)
    return tuple(dict.fromkeys(one for one in variables if one in known))


def _bytes_of(variable: Variable, values: Mapping[str, int]) -> int:
    """The bytes of an array at these parameters; 0 where its size is not known."""
    shape = variable.shape
    extents = [value_at(one, values) or 0 for one in shape.extents]
    if not extents or shape.scalar is None:
        return 0
    return prod(extents) * stored_bytes(shape.scalar)
