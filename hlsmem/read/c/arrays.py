"""The arrays of a kernel: which variables the region touches, and what is known of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hlsmem.core.errors import Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.polyhedra import piecewise as pw
from hlsmem.program.model import Array, ElementType, Storage
from hlsmem.read.c import tree
from hlsmem.read.c.accesses import Touch, unfold
from hlsmem.read.c.affine import MISSING_PARAMETER, Reader
from hlsmem.read.c.extents import UnknownExtentError, extents_of
from hlsmem.read.c.flat_arrays import Flat
from hlsmem.read.c.region import Walk, Written
from hlsmem.read.c.symbols import Variable
from hlsmem.read.c.types import element_type
from hlsmem.read.design_names import numbered


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """Variables in declaration order, names used outside the region, and all names taken."""

    variables: tuple[Variable, ...]
    outside: frozenset[str]
    taken: frozenset[str]


def arrays_of(
    walk: Walk,
    declared: Declared,
    element_types: Mapping[str, ElementType],
    extents: Mapping[str, tuple[QuasiPolynomial, ...]],
    flat: Mapping[Variable, Flat],
    problems: Problems,
) -> dict[Variable, Array]:
    """The arrays the region touches in declaration order, scalars among them.

    Variables of different blocks that share a name get a number: t, t_2, .. So do members of
    structs, z_re, where the function has the name for something else.
    """
    touched = {t.variable for s in walk.statements for t in s.touches}
    found: dict[Variable, Array] = {}
    used: set[str] = set()
    taken = {one.casefold() for one in declared.taken}
    variables = (one for v in declared.variables for one in (v, *v.members.values()))
    for variable in variables:
        if variable not in touched:
            continue
        name = variable.name
        unfree = used | set(walk.reader.parameters)
        if name in unfree or (variable.path and name.casefold() in taken):
            name = numbered(name, used | declared.taken)
        used.add(name)
        if variable in walk.told:
            found[variable] = _condition(name, variable, walk)
            continue
        scalar = variable.shape.scalar
        assert scalar is not None  # accesses to other types are refused
        found[variable] = Array(
            name=name,
            element=element_types.get(name) or element_type(scalar),
            index=_index(variable, walk.statements, walk.reader.parameters, flat.get(variable)),
            extents=extents.get(name) or _extents(variable, walk, flat.get(variable), problems),
            storage=storage_of(variable, declared.outside),
            values=walk.ranges.get(name),
            is_parameter=variable.scope == "parameter",
            is_shared=_is_shared(variable, declared.outside),
            source_location=walk.reader.source.name_place(variable.declaration),
        )
    return found


def _condition(name: str, variable: Variable, walk: Walk) -> Array:
    """The array of predicates of one condition: a bit for each iteration of the loops around it."""
    size = walk.told[variable].depth
    loops = next(one.loops for one in walk.statements if one.write.variable is variable)[:size]
    is_index = len(set(loops)) == size and not set(loops) & {name, *walk.reader.parameters}
    return Array(
        name=name,
        element=ElementType("uint1"),
        index=loops if is_index else tuple(f"i{k}" for k in range(size)),
        extents=None,
        storage=Storage.MEMORY,
        source_location=walk.reader.source.name_place(variable.declaration),
    )


def storage_of(variable: Variable, outside: frozenset[str]) -> Storage:
    """The storage of a kernel's array where the design asks for no other."""
    if variable.scope == "parameter":
        return Storage.EXTERNAL
    constant = variable.is_read_only and (variable.shape.extents or variable.scope != "region")
    if constant:
        return Storage.ROM
    # What the C around the region touches too has to stay as it is.
    return Storage.EXTERNAL if _is_shared(variable, outside) else Storage.MEMORY


def _is_shared(variable: Variable, outside: frozenset[str]) -> bool:
    """True if C outside the region, or a later call, uses a variable that is no parameter."""
    used = variable.object.name in outside or variable.static
    return variable.scope == "file" or (variable.scope == "local" and used)


def _extents(
    variable: Variable, walk: Walk, flat: Flat | None, problems: Problems
) -> tuple[QuasiPolynomial, ...] | None:
    if not variable.shape.extents:
        return ()
    try:
        found = extents_of(variable)
    except UnknownExtentError as error:
        _refuse_extent(variable, error.node, walk.reader, problems)
        return None
    return found if flat is None else flat.extents(found, variable, walk)


def _refuse_extent(variable: Variable, node: Any, reader: Reader, problems: Problems) -> None:
    # Nobody needs the extents of an array that stays where it is.
    if variable.scope == "parameter":
        return
    source_location = reader.source.place(node)
    home = variable.home.find(node.name) if isinstance(node, tree.ID) else None
    if isinstance(home, Variable) and home.scope == "parameter":
        what = f"'{node.name}' is a parameter of '{reader.function}' without a value"
        problems.add(what, MISSING_PARAMETER, source_location)
    else:
        what = f"an extent of '{variable.name}' is no expression over params"
        remedy = "write it with + - * of integers and params"
        if isinstance(home, Variable) and home.initial is not None:
            remedy = f"declare '{node.name}' const, or {remedy}"
        problems.add(what, remedy, source_location)


def _index(
    variable: Variable, statements: list[Written], parameters: tuple[str, ...], flat: Flat | None
) -> tuple[str, ...]:
    """The loop variables of the first access with one in each subscript, else i0, i1, ..

    A subscript names its loop variable where it is that variable plus or minus a constant.
    """
    dimensions = len(variable.shape.extents) + (len(flat.strides) if flat is not None else 0)
    writes = [(s, s.write) for s in statements if s.write.variable is variable]
    reads = [(s, r) for s in statements for r in s.reads if r.variable is variable]
    for statement, touch in writes + reads:
        found = _loops_of(statement, touch) if flat else _subscript_loops(statement, touch)
        if len(set(found)) == dimensions and not set(found) & {variable.name, *parameters}:
            return found
    return tuple(f"i{k}" for k in range(dimensions))


def _subscript_loops(statement: Written, touch: Touch) -> tuple[str, ...]:
    _, subscripts, _, _ = unfold(touch.node)
    names = (_without_constant(subscript) for subscript in subscripts)
    return tuple(
        name.name for name in names if isinstance(name, tree.ID) and name.name in statement.loops
    )


def _loops_of(statement: Written, touch: Touch) -> tuple[str, ...]:
    """The loop variables of subscripts that no text of their own stands for."""
    space = touch.inside.space
    found = []
    for subscript in touch.subscripts:
        for position, name in enumerate(statement.loops):
            distance = subscript.sub(pw.dimension(space, position))
            if pw.constant_value(distance) is not None:
                found.append(name)
                break
    return tuple(found)


def _without_constant(subscript: Any) -> Any:
    match subscript:
        case tree.BinaryOp(op="+" | "-", left=left, right=tree.Constant()):
            return left
        case tree.BinaryOp(op="+", left=tree.Constant(), right=right):
            return right
    return subscript
