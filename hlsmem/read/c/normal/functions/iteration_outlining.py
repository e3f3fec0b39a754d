"""Computations of a pipelined iteration on its own variables, as functions without side effects.

`int v = a[i] - b[i]; if (v < 0) v = 0; c[i] = v;` is `c[i] = k_c(a[i], b[i])`, where the function
has the statements on `v`. As an array of one cell, `v` would make each of them wait for the one
before; as a function they are wires of a datapath. So is a window that is sorted in place. A value
that several assignments use is set once, by a function, and handed to them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import names, tree
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.normal.scalars.iteration_scalars import Own
from hlsmem.read.c.normal.scalars.ssa import Irregular, straightened, with_elements
from hlsmem.read.c.normal.unrolling.iteration_statements import Iteration, Notes, StaysError
from hlsmem.read.c.normal.unrolling.pipelined_unrolling import with_iterations
from hlsmem.read.c.normal.unrolling.scalar_forwarding import is_number, written_names
from hlsmem.read.c.symbols import Scope, Variable, declare
from hlsmem.read.c.trees import block, changed, nodes_of, used_names


def outline_iterations(unit: Unit) -> Unit:
    """The unit in whose pipelined loops variables that are set several times are in functions."""
    taken = set(names.identifiers(unit.tree))
    functions: list[Any] = []
    outlined: list[Any] = []

    def written(body: Any, scope: Scope) -> Any | None:
        found = _outlined(body, scope, unit.function.name, taken)
        if found is None:
            return None
        functions.extend(found.functions)
        outlined.extend(found.gone)
        return block(found.items, body.place)

    found = with_iterations(unit, written)
    if found is unit:
        return unit
    ahead = found.tree.ext.index(found.function)
    root = changed(found.tree, ext=[*found.tree.ext[:ahead], *functions, *found.tree.ext[ahead:]])
    return replace(found, tree=root, outlined=(*unit.outlined, *outlined))


@dataclass(frozen=True, slots=True)
class _Found:
    """The statements of an iteration, and the functions that they call.

    `gone` are the declarations of what they no longer have, where not each load is made once, in
    its place, any more.
    """

    items: list[Any]
    functions: list[Any]
    gone: list[Any]


def _outlined(body: Any, scope: Scope, function: str, taken: set[str]) -> _Found | None:
    """The iteration with functions; None where it has nothing for them."""
    try:
        items = straightened(body, scope, taken)
    except Irregular:
        return None
    items, arrays = with_elements(items, scope, taken)
    inner = scope.inner()
    known = [one for item in items for one in nodes_of(item) if isinstance(one, tree.Decl)]
    for one in known:
        declare(one, inner, "region")
    own = {one.name for one in known if _is_number(one.name, inner)}
    for item in items:
        for one in nodes_of(item):
            if isinstance(one, tree.UnaryOp) and one.op == "&":
                own -= used_names(one.expr)
    written = frozenset[str]().union(*map(written_names, items))
    while own:
        notes = Notes(taken=set(taken), keeps_loads=not arrays)
        work = Iteration(function, Own(frozenset(own), inner), written, bool(arrays), notes)
        try:
            made = work.inside(items)
        except StaysError as error:
            own -= error.own
            continue
        if not (notes.functions or notes.has_moved):
            return None
        taken |= notes.taken
        gone = [] if notes.keeps_loads else [*arrays, *(one for one in known if one.name in own)]
        return _Found(made, notes.functions, gone)
    return None


def _is_number(own: str, scope: Scope) -> bool:
    variable = scope.find(own)
    return isinstance(variable, Variable) and is_number(variable)
