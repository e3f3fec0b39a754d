"""Why variables of a kernel stay where they are, and what would let them be planned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hlsmem.core.errors import Problem
from hlsmem.program.model import Array, Program, Statement, Storage
from hlsmem.read.c.static_arrays import unwritten_read
from hlsmem.read.c.symbols import Variable


def remarks_on(
    arrays: Mapping[Variable, Array],
    statements: Sequence[Statement],
    outside: frozenset[str],
    function: str,
) -> dict[str, Problem]:
    """A remark on each array that is neither planned nor a parameter or constant table.

    The one with the name "" is on the function, for where nothing is planned at all.
    """
    found = {
        array.name: _of_shared(variable, array, statements, outside)
        for variable, array in arrays.items()
        if array.is_shared and array.index and array.storage is Storage.EXTERNAL
    }
    for array in arrays.values():
        if array.storage is Storage.STATE and array.index:
            found[array.name] = _of_state(array, statements)
    return found or {"": _of_nothing(arrays, statements, function)}


def without_streams(program: Program) -> list[Problem]:
    """A remark on each planned array that gets no streams, at the access that is the reason."""
    found = []
    for name, access in program.decided_by_data().items():
        why = "data decide which element this is"
        if not access.chosen:
            why = "data decide whether this is written"
        what = f"no streams for '{name}': {why}"
        remedy = "its cells are proved, in C they are used; hardware for it is yours to write"
        found.append(Problem(what, remedy, access.source_location))
    return found


def _of_shared(
    variable: Variable, array: Array, statements: Sequence[Statement], outside: frozenset[str]
) -> Problem:
    own = variable.object.name
    if variable.scope == "file" and not variable.static:
        what = f"'{own}' stays as it is: other files can see it"
        return Problem(what, "declare it static, or in the function", array.source_location)
    if variable.scope == "file":
        what = f"'{own}' stays as it is: other functions of the file use it"
        return Problem(what, "declare it in the function", array.source_location)
    if own in outside:
        what = f"'{own}' stays as it is: code of the function outside of the region uses it"
        remedy = "move that code into the region, and what it needs behind it into variables"
        return Problem(what, remedy, array.source_location)
    if not any(access.array == array.name for one in statements for access in one.writes):
        what = f"'{'.'.join((own, *variable.path))}' stays as it is: nothing writes it here"
        return Problem(what, "declare it const, if it is a table", array.source_location)
    read = unwritten_read(array.name, statements)
    what = f"'{own}' stays as it is: it is static, and this may read what an earlier call wrote"
    remedy = "write it first in every call, or pass it as a parameter"
    return Problem(
        what,
        remedy,
        array.source_location if read is None else read.source_location or array.source_location,
    )


def _of_state(array: Array, statements: Sequence[Statement]) -> Problem:
    read = unwritten_read(array.name, statements)
    what = f"'{array.name}' is state: this may read what an earlier call wrote"
    remedy = "write it first in every call if nothing is to be kept"
    if array.first is None:
        remedy += "; it has no streams, as its initial values are not constants that are known here"
    return Problem(
        what,
        remedy,
        array.source_location if read is None else read.source_location or array.source_location,
    )


def _of_nothing(
    arrays: Mapping[Variable, Array], statements: Sequence[Statement], function: str
) -> Problem:
    parameters = [one.name for one in arrays.values() if one.is_parameter and one.index]
    if not parameters:
        what = f"nothing is planned: '{function}' has no arrays that it reads or writes"
        return Problem(what, "name the function that has them with kernel.function")
    what = f"nothing is planned: '{function}' has no arrays but its parameters, which stay outside"
    remedy = f"ask for one with --set arrays.{parameters[0]}.storage=memory, or =stream"
    in_place = next((name for name in parameters if _is_overwritten(name, statements)), None)
    if in_place is not None:
        remedy += (
            f"; '{in_place}' is written in place: --set plan.expand=[{in_place}] plans its values"
        )
    source_location = next(
        one.source_location for one in arrays.values() if one.name == parameters[0]
    )
    return Problem(what, remedy, source_location)


def _is_overwritten(array: str, statements: Sequence[Statement]) -> bool:
    """True if some element of an array is written more than once."""
    writes = [
        access.relation.intersect_domain(statement.domain)
        for statement in statements
        for access in statement.writes
        if access.array == array
    ]
    if not all(one.is_injective() for one in writes):
        return True
    return any(
        not first.range().is_disjoint(second.range())
        for position, first in enumerate(writes)
        for second in writes[:position]
    )
