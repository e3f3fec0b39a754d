"""Index variables: those that subscripts, bounds or conditions need, and local pointers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from hlsmem.read.c import names, tree
from hlsmem.read.c.normal.closed_forms.control_slices import DATA, names_in, slice_of
from hlsmem.read.c.normal.control_flow.loop_headers import counter_of
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.normal.scalars.data_variables import data_names, holds_data
from hlsmem.read.c.syntax import Region, find_region
from hlsmem.read.c.tree import Array, Pointer
from hlsmem.read.c.trees import children_of, nodes_of_body, used_names
from hlsmem.read.design_names import free_name


def index_variables(unit: Unit) -> set[str]:
    """Names of variables that subscripts, bounds or conditions need, and of local pointers.

    Variables that only count loops of `for` are not among them, nor those in front of the region
    that keep one value.
    """
    function = unit.function
    own = function.parameters
    below = nodes_of_body(function)
    declared = _declarations([*own, *below])
    taken = {
        node.expr.name
        for node in below
        if isinstance(node, tree.UnaryOp) and node.op == "&" and isinstance(node.expr, tree.ID)
    }
    loops = [node for node in below if isinstance(node, tree.For)]
    counters = {id(loop): counter_of(loop) for loop in loops}
    counted = _counted(loops, counters)
    assigned = {
        target.name for target in names.assignments_among(below) if id(target) not in counted
    }
    used_late = _used_behind_loops(function.body, counters)
    headed = _headed(loops)
    region = find_region(function, unit.source)
    outside = frozenset(n.name for n in names.outside(region) if isinstance(n, tree.ID))
    outside -= _given_in_front(region, {node.name for node in own if isinstance(node, tree.Decl)})
    in_front = {n.name for n in names.outside(region) if isinstance(n, tree.Decl)}
    parameters = {node.name for node in own}
    data = data_names(function)
    choosing = _choosing(function, below)

    def is_candidate(one: str) -> bool:
        nodes = declared.get(one, [])
        if not nodes or one in outside:
            return False
        is_stepped = one in parameters and one in assigned
        if one in parameters.union(unit.parameters) and not is_stepped:
            return False
        if any("static" in node.storage for node in nodes):
            return False
        if any(isinstance(node.type, Pointer) for node in nodes):
            return True
        if one in taken:
            return False
        if any(isinstance(node.type, Array) for node in nodes):
            return one in parameters and one in assigned
        if one in assigned or one in unit.arguments or one in used_late:
            return True
        # A value that nothing changes, as in `int below = y + 1`; in front the reader knows it.
        inside = one not in headed and one not in in_front
        return inside and any(
            node.init is not None and (one in choosing or not _is_test(node.init, data))
            for node in nodes
        )

    candidates = {one: nodes for one, nodes in declared.items() if is_candidate(one)}
    index_names = {one for one in candidates if one in unit.arguments} | _pointers(candidates)
    for node in below:
        index_names |= candidates.keys() & _index_names(node, counters)
    index_names |= candidates.keys() & choosing
    return _values_of(index_names, set(candidates), below)


def _choosing(function: Any, nodes: Iterable[Any]) -> set[str]:
    """Names in conditions that choose between data, which numbers decide: `y < 1 ? 0 : sum`.

    Where such a condition fails what it guards is not used.
    """
    choices = [node for node in nodes if isinstance(node, tree.TernaryOp)]
    if not choices:
        return set()
    steps = slice_of(function.body)
    given = {one for needs in steps.needs.values() for one in needs} - steps.needs.keys() - {DATA}
    numbers = steps.decided(steps.needs, given) | given | steps.counters
    found: set[str] = set()
    for node in choices:
        own = names_in(node.cond)
        if own <= numbers and not names_in(node.iftrue) | names_in(node.iffalse) <= numbers:
            found |= own
    return found


def _declarations(nodes: Iterable[Any]) -> dict[str, list[Any]]:
    """The declarations among some nodes, by the names that they declare."""
    declared: dict[str, list[Any]] = {}
    for node in nodes:
        if isinstance(node, tree.Decl) and node.name:
            declared.setdefault(node.name, []).append(node)
    return declared


def _headed(loops: Iterable[Any]) -> set[str]:
    """The names that heads of loops declare."""
    heads = (loop.init.decls for loop in loops if isinstance(loop.init, tree.DeclList))
    return {node.name for head in heads for node in head}


def _pointers(declared: Mapping[str, Sequence[Any]]) -> set[str]:
    """The names of pointers, and of arrays, which are such as parameters."""
    kinds = (Pointer, Array)
    return {
        one
        for one, nodes in declared.items()
        if any(isinstance(node.type, kinds) for node in nodes)
    }


def _counted(loops: Sequence[Any], counters: Mapping[int, str | None]) -> set[int]:
    """The targets, by identity, of assignments with which loops count."""
    return {
        id(target)
        for loop in loops
        if counters[id(loop)]
        for part in (loop.init, loop.next)
        for target in names.assignments(part)
        if target.name == counters[id(loop)]
    }


def _values_of(index_names: set[str], candidates: set[str], nodes: Iterable[Any]) -> set[str]:
    """Wanted variables, and candidates whose values reach these by assignments."""
    values: dict[str, set[str]] = {}
    for node in nodes:
        target, value = _assigned(node)
        if target in candidates and value is not None:
            values.setdefault(target, set()).update(candidates & used_names(value))
    reached, pending = set(index_names), list(index_names)
    while pending:
        more = values.get(pending.pop(), set()) - reached
        reached |= more
        pending += more
    return reached


def stepped_parameters(unit: Unit, tracked: Collection[str]) -> dict[str, str]:
    """Those parameters of the function that are index variables: names for loops over them.

    A loop's variable begins with what its parameter was given.
    """
    own = unit.function.parameters
    taken = {*names.identifiers(unit.function), *unit.parameters}
    return {
        node.name: free_name(node.name, taken)
        for node in own
        if isinstance(node, tree.Decl) and node.name in tracked
    }


def _given_in_front(region: Region, parameters: Collection[str]) -> frozenset[str]:
    """Those parameters of the function that are only read outside, where they are as given."""
    if region.parent is not region.function.body:
        return frozenset()
    changing = {one.name for one in names.assignments_among(names.outside(region))}
    kept = (one for one in parameters if one not in changing)
    return frozenset(one for one in kept if names.used_after(region, one) is None)


def _is_test(node: Any, data: frozenset[str]) -> bool:
    """True if an expression is a truth value of data: it is kept in a variable, computed once."""
    is_truth = isinstance(node, tree.BinaryOp) and node.op in ("&&", "||")
    return is_truth and holds_data(node, data)


def _used_behind_loops(body: Any, counters: Mapping[int, str]) -> set[str]:
    """Variables that a `for` loop counts and that are used outside of such loops.

    `counters` are the variables of the loops by `id`.
    """
    counted: set[str] = set()
    loose: set[str] = set()

    def visit(node: Any, inside: frozenset[str]) -> None:
        if isinstance(node, tree.For) and isinstance(node.init, tree.Assignment):
            counter = counters[id(node)]
            if counter:
                counted.add(counter)
                inside = inside | {counter}
                visit(node.init.rvalue, inside - {counter})
                for part in (node.cond, node.next, node.stmt):
                    if part is not None:
                        visit(part, inside)
                return
        if isinstance(node, tree.ID) and node.name not in inside:
            loose.add(node.name)
        for child in children_of(node):
            visit(child, inside)

    if any(counters.values()):
        visit(body, frozenset())
    return counted & loose


_WITH_INDICES = frozenset(
    [tree.ArrayRef, tree.For, tree.While, tree.DoWhile, tree.If, tree.UnaryOp]
)


def _index_names(node: Any, counters: Mapping[int, str]) -> frozenset[str]:
    """The names in what a node needs to be an index, bound or condition."""
    if type(node) not in _WITH_INDICES:
        return frozenset()
    match node:
        case tree.ArrayRef():
            return used_names(node.subscript)
        case tree.For():
            parts = [p for p in (node.init, node.cond, node.next) if p is not None]
            return frozenset().union(*map(used_names, parts)) - {counters[id(node)]}
        case tree.While() | tree.DoWhile() | tree.If():
            return used_names(node.cond)
        case tree.UnaryOp(op="*"):
            return used_names(node.expr)
    return frozenset()


def _assigned(node: Any) -> tuple[str, Any]:
    match node:
        case tree.Assignment(lvalue=tree.ID(name=target)):
            return target, node.rvalue
        case tree.Decl() if node.name:
            return node.name, node.init
    return "", None
