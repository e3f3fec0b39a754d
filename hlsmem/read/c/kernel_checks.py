"""What is wrong with a kernel as it was walked: names, pointers, and elements beyond its arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hlsmem.core.errors import Problems
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.polyhedra import PwAff
from hlsmem.polyhedra.quantities import affine_of
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import (
    Array,
)
from hlsmem.read.c import names
from hlsmem.read.c.accesses import Touch
from hlsmem.read.c.aliasing import check_aliasing, check_bases
from hlsmem.read.c.kernel_request import KernelRequest
from hlsmem.read.c.kernel_text import KernelText
from hlsmem.read.c.kernel_walk import WalkedKernel
from hlsmem.read.c.ranges import Range
from hlsmem.read.c.refusal import Refusal
from hlsmem.read.c.region import Walk
from hlsmem.read.c.reserved import check_reserved
from hlsmem.read.c.symbols import (
    Variable,
)
from hlsmem.read.c.syntax import Region


def check_region(request: KernelRequest, text: KernelText, found: WalkedKernel) -> None:
    """Note what is wrong with the statements of a kernel and the C around them."""
    seen, unit, problems = found.seen, found.unit, found.problems
    region, walk = seen.region, seen.walk
    if not walk.statements and not problems:
        what = f"the region of '{unit.function.name}' has no statements"
        place = text.source.place(region.pragma)
        problems.add(what, "put #pragma scop in front of the loops", place)
    _check_labels(walk, text.parsed.macros, problems)
    _check_outside(walk, region, seen.declared, request.parameters, problems)
    check_reserved(unit.tree, unit.function, request.parameters, text.source, problems)
    if request.refuses_pointers:
        check_aliasing(walk, request.cflags, problems)
    else:
        check_bases(walk, region.function, request.cflags, problems)
    _check_foreign(walk, request.sources, problems)


def _check_labels(walk: Walk, macros: tuple[str, ...], problems: Problems) -> None:
    """Macros that stay symbolic are names here, and numbers where C is compiled."""
    for written in walk.statements:
        if written.label in macros:
            what = f"label '{written.label}' is a macro, of which C reads the value there"
            problems.add(what, "use another label", written.source_location)


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


def check_reach(
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
        if beyond.is_empty() or not fix_parameters(beyond, macros).is_empty():
            continue
        why = f"may be beyond the {extent} elements where {names[0]} is not {macros[names[0]]}"
        remedy = f"leave '{names[0]}' out of params, or mask the subscript by it"
        found = walk.reader.refuse(Refusal.NON_AFFINE_EXPRESSION, touch.node, why, remedy)
        problems.add(found.problem.what, remedy, found.problem.source_location, found.problem.notes)


def _is_narrow(one: Range) -> bool:
    width = one.greatest.sub(one.least).max_val()
    return bool(width.is_int()) and int(width.to_python()) < _WIDEST
