"""Variables of loops that data may end: declared in the loop, where nothing else needs them.

After `for (i = 0; ..; i++) if (a[i] == 0) break;` the value of i is in the data. Where only loops
that set it use it, it is as good as `for (int i = 0; ..)`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.normal.scalars.data_variables import data_names, holds_data
from hlsmem.read.c.trees import changed, declaration, nodes_of, rewrite, used_names


def own_variables(unit: Unit) -> Unit:
    """The unit whose loops that data may end declare their variables."""
    function = unit.function
    data = data_names(function)
    loops = {
        id(node): node.init.lvalue.name
        for node in nodes_of(function.body)
        if _sets(node) and any(holds_data(test, data) for test in _tests_of_breaks(node.stmt))
    }
    declared = {
        name: [d for d in nodes_of(function) if isinstance(d, tree.Decl) and d.name == name]
        for name in set(loops.values())
    }
    own = {
        name: found[0].type
        for name, found in declared.items()
        if len(found) == 1 and not _is_used_outside(function.body, name)
    }
    if not own:
        return unit

    def replaced(node: Any) -> Any | None:
        name = loops.get(id(node))
        if name is None or name not in own:
            return None
        begins = declaration(own[name], name, node.init.rvalue, node.place)
        inside = rewrite(node.stmt, replaced)
        return changed(node, init=tree.DeclList((begins,), node.place), stmt=inside)

    body = rewrite(function.body, replaced)
    gone = own.keys() - {one for part in _outside(body) for one in used_names(part)}

    def left(node: Any) -> Any | None:
        match node:
            case tree.For(init=tree.DeclList()):
                return changed(node, stmt=rewrite(node.stmt, left))
            case tree.Decl() if node.name in gone:
                return []
        return None

    return unit.with_function(changed(function, body=rewrite(body, left)))


def _sets(node: Any) -> bool:
    """True if a node is a loop of `for` that begins with setting a variable."""
    match node:
        case tree.For(init=tree.Assignment(op="=", lvalue=tree.ID())):
            return True
    return False


def _tests_of_breaks(node: Any) -> Iterator[Any]:
    """The conditions of branches of a loop's body with a `break` that leaves the loop."""
    match node:
        case tree.For() | tree.While() | tree.DoWhile() | tree.Switch():
            return
        case tree.If() if _breaks(node):
            yield node.cond
    for part in node:
        yield from _tests_of_breaks(part)


def _breaks(node: Any) -> bool:
    if isinstance(node, (tree.For, tree.While, tree.DoWhile, tree.Switch)):
        return False
    return isinstance(node, tree.Break) or any(map(_breaks, node))


def _is_used_outside(node: Any, variable: str) -> bool:
    """True if a variable is used outside of the loops of `for` that set it first."""
    if _sets(node) and node.init.lvalue.name == variable:
        return variable in used_names(node.init.rvalue)
    if isinstance(node, tree.ID):
        return bool(node.name == variable)
    return any(_is_used_outside(part, variable) for part in node)


def _outside(node: Any) -> Iterator[Any]:
    """The loops of `for` that set a variable which they do not declare."""
    if _sets(node):
        yield node.init.lvalue
    for part in node:
        yield from _outside(part)
