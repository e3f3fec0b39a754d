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


def check_aliasing(walk: Walk, problems: Problems) -> None:
    """Add a problem for each pair of pointers that may alias, at the first write."""
    first_touch: dict[str, Touch] = {}
    first_write: dict[str, Touch] = {}
    for statement in walk.statements:
        for touch in (*statement.reads, statement.write):
            shape = touch.variable.shape
            if shape.pointer and not shape.restrict:
                first_touch.setdefault(touch.variable.name, touch)
                if touch is statement.write:
                    first_write.setdefault(touch.variable.name, touch)
    source = walk.reader.source
    for one, other in combinations(first_touch.values(), 2):
        written = first_write.get(one.variable.name) or first_write.get(other.variable.name)
        if written is None or one.variable.shape.scalar != other.variable.shape.scalar:
            continue
        # The message stands at the write and names the other pointer.
        partner = other if written.variable is one.variable else one
        what = (
            f"{Refusal.ALIASING.value}: '{written.variable.name}' and "
            f"'{partner.variable.name}' may point into the same array"
        )
        note = Note(
            f"'{partner.variable.name}' is a plain pointer",
            source.name_place(partner.variable.declaration),
        )
        problems.add(what, Refusal.ALIASING.remedy, source.place(written.node), [note])
