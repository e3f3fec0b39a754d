"""Conditions that nothing looks at any more: their statements would be arrays for nobody."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.trees import children_of, is_assertion, nodes_of, used_names, without


def without_unread(unit: Unit) -> Unit:
    """The unit without the conditions of `choices` that decide on nothing; assertions stay."""
    known = {one.name for one in unit.conditions}
    unread = known - _needed(unit.function, known)
    if not unread:
        return unit
    gone = {
        id(node): list[Any]()
        for node in nodes_of(unit.function.body)
        if isinstance(node, (tree.Label, tree.Decl)) and node.name in unread
    }
    found = unit.with_region(lambda old: [more for one in old for more in without(one, gone)])
    kept = tuple(one for one in unit.conditions if one.name not in unread)
    return replace(found, conditions=kept)


def _needed(function: Any, known: set[str]) -> set[str]:
    """The conditions that other statements look at, or the statements of such a condition."""
    predicate_reads = {name: set[str]() for name in known}
    found = set[str]()
    pending = [function.body]
    while pending:
        node = pending.pop()
        if isinstance(node, tree.Label) and node.name in known:
            predicate_reads[node.name] |= used_names(node)
            if any(map(is_assertion, nodes_of(node))):
                found.add(node.name)
        elif isinstance(node, tree.ID):
            found.add(node.name)
        else:
            pending += children_of(node)
    reached = found & known
    while more := set().union(*(predicate_reads[name] for name in reached)) & known - reached:
        reached |= more
    return reached
