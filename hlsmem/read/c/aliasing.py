"""Pointers that may reach the same memory.

Arrays declared as arrays are taken to be objects of their own, and so is what a restrict
pointer reaches. Two plain pointers to one type may alias as soon as one of them is written.
"""

from __future__ import annotations

from itertools import combinations

from hlsmem.errors import Note, Problems
from hlsmem.read.c.accesses import Touch
from hlsmem.read.c.refusal import Refusal
from hlsmem.read.c.region import Walk
from hlsmem.read.c.symbols import Variable


def check_aliasing(walk: Walk, problems: Problems) -> None:
    """Add a problem for each pair of pointers that may alias, at the first write."""
    first_touch: dict[Variable, Touch] = {}
    first_write: dict[Variable, Touch] = {}
    for statement in walk.statements:
        for touch in (*statement.reads, statement.write):
            shape = touch.variable.shape
            if shape.pointer and not shape.restrict:
                first_touch.setdefault(touch.variable, touch)
                if touch is statement.write:
                    first_write.setdefault(touch.variable, touch)
    source = walk.reader.source
    told: set[tuple[Variable, Variable]] = set()
    for one, other in combinations(first_touch.values(), 2):
        written = first_write.get(one.variable) or first_write.get(other.variable)
        if written is None or one.variable.shape.scalar != other.variable.shape.scalar:
            continue
        # The message stands at the write and names the other pointer.
        partner = other if written.variable is one.variable else one
        pair = written.variable.object, partner.variable.object
        if pair[0] is pair[1] or pair in told:
            continue
        told.add(pair)
        what = (
            f"{Refusal.ALIASING.value}: '{pair[0].name}' and "
            f"'{pair[1].name}' may point into the same array"
        )
        note = Note(f"'{pair[1].name}' is a plain pointer", source.name_place(pair[1].declaration))
        problems.add(what, Refusal.ALIASING.remedy, source.place(written.node), [note])
