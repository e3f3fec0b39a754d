"""Pointers that may reach the same memory.

Arrays declared as arrays are taken to be objects of their own, and so is what a restrict
pointer reaches. Two plain pointers may alias as soon as one of them is written, unless their types
rule it out: an object is reached as its own type, signed or unsigned, or as characters (C11 6.5p7),
which -fno-strict-aliasing takes away.
Where they are not refused, generated C tests at its entry what they reach, where its order needs
them apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from hlsmem.core.errors import Note, Problems
from hlsmem.read.c.accesses import Touch
from hlsmem.read.c.names import assignments
from hlsmem.read.c.refusal import Refusal
from hlsmem.read.c.region import Walk
from hlsmem.read.c.symbols import Variable
from hlsmem.read.c.tree import Number
from hlsmem.read.c.types import ScalarType

NO_STRICT_ALIASING = "-fno-strict-aliasing"
_CHARACTER = 8  # bits, of signed and unsigned ones


def check_aliasing(walk: Walk, cflags: Sequence[str], problems: Problems) -> None:
    """Add a problem for each pair of pointers that may alias, at the first write."""
    first_touch: dict[Variable, Touch] = {}
    first_write: dict[Variable, Touch] = {}
    for statement in walk.statements:
        for touch in statement.touches:
            shape = touch.variable.shape
            if shape.pointer and not shape.restrict:
                first_touch.setdefault(touch.variable, touch)
                if touch is statement.write:
                    first_write.setdefault(touch.variable, touch)
    source = walk.reader.source
    told: set[tuple[Variable, Variable]] = set()
    for one, other in combinations(first_touch.values(), 2):
        written = first_write.get(one.variable) or first_write.get(other.variable)
        if written is None:
            continue
        reason = _why(one.variable.shape.scalar, other.variable.shape.scalar, cflags)
        if reason is None:
            continue
        # The message stands at the write and names the other pointer.
        partner = other if written.variable is one.variable else one
        pair = written.variable.object, partner.variable.object
        if pair[0] is pair[1] or pair in told:
            continue
        told.add(pair)
        what = (
            f"{Refusal.ALIASING.value}: '{pair[0].name}' and "
            f"'{pair[1].name}' may point into the same array{reason}"
        )
        note = Note(f"'{pair[1].name}' is a plain pointer", source.name_place(pair[1].declaration))
        remedy = f"{Refusal.ALIASING.remedy}; host.alias: auto has C test it where it matters"
        problems.add(what, remedy, source.place(written.node), [note])


def _why(one: ScalarType | None, other: ScalarType | None, cflags: Sequence[str]) -> str | None:
    """Why pointers to these types may reach one object, "" where the types are one, with a word in
    front; None where they may not."""
    if one == other:
        return ""
    integers = [kind for kind in (one, other) if isinstance(kind, Number)]
    if any(kind.bits == _CHARACTER for kind in integers):
        return ", as a character type may reach any object"
    if len(integers) == 2 and integers[0].bits == integers[1].bits:
        return ", as a signed type and its unsigned one may"
    if NO_STRICT_ALIASING in cflags:
        return f", as {NO_STRICT_ALIASING} takes the word of their types away"
    return None


def check_bases(walk: Walk, function: Any, cflags: Sequence[str], problems: Problems) -> None:
    """Add a problem for each pointer that may alias, and of which no test at the entry can tell
    what it reaches: one that is assigned, or is no parameter.

    Source: Doerfert, Hammacher, Streit, Hack, "SPolly" (IMPACT 2013), section 3.1.
    """
    touched: dict[Variable, Touch] = {}
    written: set[Variable] = set()
    for statement in walk.statements:
        for touch in statement.touches:
            variable = touch.variable.object
            if not touch.variable.is_read_only and _can_be_pointed_at(variable):
                touched.setdefault(variable, touch)
                if touch is statement.write:
                    written.add(variable)
    pairs = [
        (one, other)
        for one, other in combinations(touched, 2)
        if (one in written or other in written) and (_is_plain(one) or _is_plain(other))
        if _why(one.shape.scalar, other.shape.scalar, cflags) is not None
    ]
    assigned = {target.name: target for target in reversed([*assignments(function.body)])}
    source = walk.reader.source
    for variable in dict.fromkeys(variable for pair in pairs for variable in pair):
        if not variable.shape.pointer:
            continue
        if variable.name in assigned:
            what = f"the base pointer '{variable.name}' varies, so that no test can tell its range"
            source_location = source.place(assigned[variable.name])
        elif variable.scope != "parameter":
            what = f"the base pointer '{variable.name}' is no parameter, so that no test at the"
            what, source_location = (
                f"{what} entry can tell its range",
                source.place(touched[variable].node),
            )
        else:
            continue
        remedy = "write subscripts of a parameter that stays as it is"
        problems.add(f"{Refusal.ALIASING.value}: {what}", remedy, source_location)


def _can_be_pointed_at(variable: Variable) -> bool:
    """True if a pointer that a caller passes may point into it: no local array, no restrict."""
    shape = variable.shape
    if shape.pointer:
        return not shape.restrict
    return variable.scope == "file" or (variable.scope == "parameter" and bool(shape.extents))


def _is_plain(variable: Variable) -> bool:
    return variable.shape.pointer and not variable.shape.restrict
