"""Reads of static variables before a call writes them, as 0: what an earlier call left is not read.

No output needs these values, as the reader of designs has found. The variables are then written
before they are read, and nothing is kept from call to call.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from hlsmem.polyhedra.generated_loops import condition_in_c
from hlsmem.read.c.accesses import Touch
from hlsmem.read.c.normal.rewrite_unit import Rewrite, Unit
from hlsmem.read.c.operations import conditional
from hlsmem.read.c.region import Walk, Written
from hlsmem.read.c.symbols import Variable
from hlsmem.read.c.trees import expression, fresh, integer, nodes_of, rewrite
from hlsmem.read.c.value_origins import Copies, NotCopiedError


def without_first_values(unit: Unit, walk: Walk, names: Collection[str]) -> Unit:
    """The unit in which static variables of these names are 0 where nothing has written them yet;
    itself where one of them cannot be told so. `walk` are its statements."""
    copies = Copies(tuple(walk.statements), frozenset(), walk.reader.assumed)
    made: dict[int, Any] = {}
    try:
        for one in walk.statements:
            if any(_is_one(touch.variable, names) for touch in one.predicate_reads):
                return unit
            for touch in one.reads:
                if _is_one(touch.variable, names):
                    made |= _filled(copies, one, touch)
    except NotCopiedError:
        return unit
    parts = [id(node) for node in nodes_of(unit.function.body) if id(node) in made]
    if len(parts) != len(made):
        return unit
    return unit.with_region(
        lambda old: [rewrite(one, lambda node: made.get(id(node))) for one in old]
    )


def _filled(copies: Copies, one: Written, touch: Touch) -> dict[int, Any]:
    """The node of a read, by `id`, with 0 in its place where nothing has written the element.

    Raises NotCopiedError where C has no words for that.
    """
    instances = touch.inside.set_tuple_name("S").intersect_params(copies.assumed)
    there = copies.unset(one, touch).gist(instances)
    if there.is_empty():
        return {}
    test = condition_in_c(there, one.loops)
    if "floord" in test:
        raise NotCopiedError(touch.variable)
    place = touch.node.place
    zero = integer(0, place)
    if test == "1":
        return {id(touch.node): zero}
    return {id(touch.node): conditional(expression(test, place), zero, fresh(touch.node), place)}


def _is_one(variable: Variable, names: Collection[str]) -> bool:
    own = variable.root or variable
    return own.name in names and own.static and own.scope == "local"


FIRST_VALUES = Rewrite(
    name="fresh",
    description="what an earlier call left in static variables as 0, where no output sees it",
    run=lambda unit: unit,
)
