"""`kernel.macros: parameters`: the macros of a kernel that become parameters, and their sizes.

A macro that is a whole extent or a bound becomes a parameter with its number as value. Nobody
says what other numbers it is for; the default context is of those at which the kernel does what
it does at its own: every statement runs, and every access is to an element.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Protocol

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.core.source_location import SourceLocation
from hlsmem.polyhedra import DimType, Set
from hlsmem.polyhedra.relations import array_elements
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.polyhedra.signs import least_value
from hlsmem.program.model import Access, Program
from hlsmem.program.options import Design
from hlsmem.read.design_folder import Folder

# Each parameter is a dimension to isl: with 20, a plan of 3 s without any did not end within 27 s.
_MOST_MACROS = 8


class Read(Protocol):
    """The design with these macros as parameters, for these sizes where it names none itself."""

    def __call__(self, *, macros: Mapping[str, int] = ..., context: str | None = ...) -> Design: ...


def with_macros(plain: Design, folder: Folder, read: Read) -> Design:
    """A design with as many macros as parameters as can be read; `plain` has their numbers.

    Raises InputError where `read` does with what is chosen.
    """
    given = plain.input
    if not isinstance(given, Program) or given.kernel is None or not plain.macros_as_parameters:
        return plain
    from hlsmem.read.c.macros import sizes_of

    kernel = given.kernel
    sizes = {
        name: value
        for name, value in sizes_of(
            folder, kernel.file, kernel.others, kernel.cflags, kernel.written_out, kernel.called
        ).items()
        if name not in given.values
    }
    if len(sizes) > _MOST_MACROS:
        what = f"{len(sizes)} macros are sizes, and keep their numbers: more than {_MOST_MACROS}"
        return _with_notes(plain, [Problem(what, "name those to keep symbolic in params")])
    found, chosen, why = plain, dict[str, int](), dict[str, InputError]()
    try:
        if sizes:
            found, chosen = _as_certain(plain, read(macros=sizes)), sizes
    except InputError:
        for name, value in sizes.items():
            try:
                found = _as_certain(plain, read(macros={**chosen, name: value}))
                chosen[name] = value
            except InputError as error:
                why[name] = error
    context = _default_context(found, chosen)
    if context is not None:
        with suppress(InputError):  # it stays as it was read without
            found = read(macros=chosen, context=context)
    found = _with_notes(found, [_kept(name, error) for name, error in why.items()])
    return replace(found, numbers=plain) if chosen else found


def _as_certain(plain: Design, found: Design) -> Design:
    """`found`, where the numbers of macros tell no more of the elements that are accessed.

    A counter that turns round at a size, `if (pos == TAPS) pos = 0`, has a closed form for a
    number, and the window of a row's first columns has elements of the row before. Raises
    InputError where data decide on an element that numbers decide on, and where a window that is
    shifted by hand stays an array that numbers read at its source.
    """
    known = {access.array for access in _chosen(plain)}
    for access in _chosen(found):
        if access.array not in known:
            what = f"data decide which element of {access.array!r} this is"
            remedy = "leave it so where one size is enough"
            raise InputError(Problem(what, remedy, access.source_location))
    for name, place in _propagated(plain).items():
        if name not in _propagated(found):
            what = f"the values of {name!r}, shifted by hand, have no one place that they come from"
            raise InputError(Problem(what, "leave it so where one size is enough", place))
    return found


def _propagated(design: Design) -> Mapping[str, SourceLocation | None]:
    """The variables whose values are read where they come from, with their places."""
    kernel = None if design.program is None else design.program.kernel
    return {} if kernel is None else kernel.propagated


def _chosen(design: Design) -> list[Access]:
    """The accesses to elements that data decide on."""
    statements = design.input.statements if isinstance(design.input, Program) else ()
    return [access for one in statements for access in (*one.sees, *one.writes) if access.chosen]


def _default_context(design: Design, sizes: Mapping[str, int]) -> str | None:
    """The sizes at which every statement runs that does now, and every access is to an element.

    Each parameter from the least that there is of it: an interval, which may hold sizes at which
    something does not run. Where data choose any element of a dimension, they are known to fit
    into its number alone: of `sizes` no less will do. None where there is no more to say than the
    context has.
    """
    program = design.input
    if not isinstance(program, Program) or not program.parameters:
        return None
    where = program.context
    for statement in program.statements:
        if fix_parameters(statement.domain, program.values).is_empty():
            continue
        where = where.intersect(statement.domain.params())
        for access in (*statement.reads, *statement.writes):
            extents = program.arrays[access.array].extents
            if extents is None or not all(extent.is_affine() for extent in extents):
                continue
            inside = array_elements(access.array, extents, program.parameters)
            where = where.subtract(access.relation.range().subtract(inside).params())
            if access.chosen:
                relation, all_of_it = (
                    fix_parameters(one, program.values) for one in (access.relation, inside)
                )
                for name in _needed(relation, all_of_it, extents) & set(sizes):
                    at_least = f"[{name}] -> {{ : {name} >= {sizes[name]} }}"
                    where = where.intersect(Set(at_least).params())
    least = {name: least_value(where, name) for name in program.parameters}
    known = {name: least_value(program.context, name) for name in program.parameters}
    if least == known:
        return None
    bounds = [f"{name} >= {value}" for name, value in least.items() if value is not None]
    return f"[{', '.join(program.parameters)}] -> {{ : {' and '.join(bounds)} }}"


def _needed(relation: Any, inside: Any, extents: Sequence[QuasiPolynomial]) -> set[str]:
    """The parameters in the extents of dimensions of which data choose any element."""
    found = set[str]()
    size = len(extents)
    for position, extent in enumerate(extents):
        one, whole = relation, inside
        for other in (k for k in reversed(range(size)) if k != position):
            one = one.project_out(DimType.out, other, 1)
            whole = whole.project_out(DimType.set, other, 1)
        one = one.reset_tuple_id(DimType.out)
        if not one.is_single_valued() and whole.reset_tuple_id().is_subset(one.range()):
            found |= extent.parameters()
    return found


def _kept(name: str, error: InputError) -> Problem:
    """Why a macro keeps its number."""
    first = error.problems[0]
    what = f"the macro {name!r} keeps its number: as a parameter, {first.what}"
    return Problem(what, first.remedy, first.source_location, first.notes)


def _with_notes(design: Design, notes: list[Problem]) -> Design:
    given = design.input
    if not notes or not isinstance(given, Program):
        return design
    return replace(design, input=replace(given, notes=(*given.notes, *notes)))
