"""Static variables in front of the region: those of the file that no other function can see.

Where every call writes them before it reads, they are then planned as scratch; else they keep
what they hold, and are left where they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.syntax import find_region
from hlsmem.read.c.trees import changed, is_constant, nodes_of, nodes_of_body, rewrite, used_names


def gather_statics(unit: Unit) -> Unit:
    """The unit whose function declares its static variables in front of the region."""
    return _from_file(_from_region(unit))


def _from_region(unit: Unit) -> Unit:
    """Static variables that are declared inside the region, one of each name."""
    if not any(_is_static(node) for node in nodes_of_body(unit.function)):
        return unit
    region = find_region(unit.function, unit.source)
    declared = [
        node for node in nodes_of(unit.function) if isinstance(node, tree.Decl) and node.name
    ]
    count = Counter(node.name for node in {id(one): one for one in declared}.values())
    found = [
        node
        for item in region.statements
        for node in nodes_of(item)
        if _is_static(node) and count[node.name] == 1
    ]
    if not found:
        return unit
    gone = set(map(id, found))

    def without(node: Any) -> Any | None:
        return [] if id(node) in gone else None

    unit = unit.with_region(
        lambda items: [rewrite(one, without) for one in items if id(one) not in gone]
    )
    return _in_front(unit, found)


def _is_static(node: Any) -> bool:
    return isinstance(node, tree.Decl) and "static" in node.storage


def _from_file(unit: Unit) -> Unit:
    """Static variables of the file that this function and what it calls have for themselves."""
    statics = [node for node in unit.tree.ext if _is_static(node) and not is_constant(node)]
    if not statics:
        return unit
    own = {node.name for node in nodes_of(unit.function) if isinstance(node, tree.Decl)}
    used = used_names(unit.function.body) - own
    found = [node for node in statics if node.name in used and _is_private(node.name, unit)]
    if not found:
        return unit
    kept = [node for node in unit.tree.ext if node not in found]
    return _in_front(replace(unit, tree=changed(unit.tree, ext=kept)), found)


def _in_front(unit: Unit, declarations: list[Any]) -> Unit:
    body = unit.function.body
    body = changed(body, block_items=[*declarations, *body.block_items])
    return unit.with_function(changed(unit.function, body=body))


def _is_private(own: str, unit: Unit) -> bool:
    """True if all functions that use a variable of the file are called by the planned one alone."""
    functions = unit.functions()
    calls = {name: used_names(node.body) & set(functions) for name, node in functions.items()}
    users = [name for name, node in functions.items() if own in used_names(node.body)]
    tables = (n for n in unit.tree.ext if isinstance(n, tree.Decl) and n.init is not None)
    if any(own in used_names(node.init) for node in tables):
        return False
    return all(
        name == unit.function.name or _is_inner(name, unit, functions, calls) for name in users
    )


def _is_inner(
    name: str, unit: Unit, functions: Mapping[str, Any], calls: Mapping[str, frozenset[str]]
) -> bool:
    """True if a static function is called by nobody, or only from inside the planned one."""
    if "static" not in functions[name].storage:
        return False
    planned = unit.function.name
    pending, seen = [name], {name}
    while pending:
        current = pending.pop()
        for caller, called in calls.items():
            if current in called and caller != planned and caller not in seen:
                if "static" not in functions[caller].storage:
                    return False
                seen.add(caller)
                pending.append(caller)
    return True
