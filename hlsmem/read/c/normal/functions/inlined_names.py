"""Names of what a called function declares, where its body stands in the place of a call.

They stay as they are where nothing around has them. A name is another where the text that is put
in, with its arguments, the place of its result, and what it calls, would mean the wrong thing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import field, replace
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import names, tree
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.syntax import find_region
from hlsmem.read.c.trees import changed, name, nodes_of, rewrite
from hlsmem.read.design_names import free_name


@dataclass(frozen=True, slots=True)
class Chain:
    """The names in functions that call each other here.

    Of those that are `used`, some are `visible`: declared around the place.
    """

    used: frozenset[str]
    visible: Mapping[str, Any]

    def into(self, function: Any) -> Chain:
        """The chain inside the body of a function that is called here."""
        return replace(self, used=self.used | names.identifiers(function))

    def inside(self, items: Iterable[Any]) -> Chain:
        """The chain where these statements stand side by side."""
        own = {one.name: one for one in items if isinstance(one, tree.Decl) and one.name}
        return replace(self, visible={**self.visible, **own}) if own else self


def chain_of(unit: Unit) -> Chain:
    """The chain of the function that is planned."""
    function = unit.function
    around = names.outside(find_region(function, unit.source))
    chain = Chain(names.identifiers(function), {})
    return chain.inside([*function.parameters, *around])


@dataclass(slots=True, kw_only=True)
class Naming:
    """The names that are in the file, and those that calls were given.

    `of_file` are known everywhere; `given` stand for arguments, values and static variables:
    expressions with them may come to stand anywhere behind. None of those that are `counting`,
    in heads of loops, is `local` elsewhere: by its name it would be taken for data.
    """

    taken: set[str]
    of_file: frozenset[str]
    given: set[str] = field(default_factory=set)
    counting: set[str] = field(default_factory=set)
    local: set[str] = field(default_factory=set)
    statics: dict[tuple[str, str], str] = field(default_factory=dict)
    labels: set[str] = field(default_factory=set)

    def free(self, wanted: str) -> str:
        """A name that nothing has, with a number."""
        self.taken.add(wanted)
        return free_name(wanted, self.taken)

    def own(self, wanted: str, around: Collection[str]) -> str:
        """A name that is not `around`, the wanted one if that is free."""
        is_free = wanted not in around and wanted not in self.given | self.of_file
        return wanted if is_free else self.free(wanted)

    def give(self, wanted: str, chain: Chain) -> str:
        """The same for what stands for an argument, one for each call."""
        found = self.own(wanted, chain.used | self.counting)
        self.given.add(found)
        return found

    def renamed(self, function: Any, chain: Chain) -> dict[str, str]:
        """The names of parameters, local variables and labels of a function that is called here."""
        found = {one.name: self.give(one.name, chain) for one in function.parameters}
        below = nodes_of(function.body)
        declared = [node for node in below if isinstance(node, tree.Decl) and node.name]
        counting = {id(one) for node in below for one in headed(node)}
        local = {one.name for one in declared if id(one) not in counting}
        for node in declared:
            if node.name in found:
                continue
            if "static" in node.storage:
                key = function.name, node.name
                if key not in self.statics:
                    self.statics[key] = self.give(node.name, chain)
                found[node.name] = self.statics[key]
            else:
                # What counts loops alone is no trouble where it is not seen.
                counts = node.name not in local
                around = chain.visible.keys() | self.local if counts else chain.used | self.counting
                found[node.name] = self.own(node.name, around)
                (self.counting if counts else self.local).add(found[node.name])
        for node in below:
            if isinstance(node, tree.Label):
                if node.name in self.labels | chain.used:
                    found[node.name] = self.free(node.name)
                self.labels.add(found.get(node.name, node.name))
        return {old: new for old, new in found.items() if old != new}


def headed(node: Any) -> Iterable[Any]:
    """The variables that a loop of `for` declares."""
    is_loop = isinstance(node, tree.For) and isinstance(node.init, tree.DeclList)
    return node.init.decls if is_loop else ()


_NAMED = frozenset([tree.ID, tree.Decl, tree.Label])


def with_names(node: Any, renamed: Mapping[str, str]) -> Any | None:
    """The renamed node, for `rewrite`; None for a node that has none of the names."""
    if type(node) not in _NAMED:
        return None
    match node:
        case tree.ID() if node.name in renamed:
            return name(renamed[node.name], node.type, node.place)
        case tree.Decl() if node.name in renamed:
            kind = rewrite(node.type, lambda part: with_names(part, renamed))
            first = node.init
            if first is not None:
                first = rewrite(first, lambda part: with_names(part, renamed))
            return changed(node, name=renamed[node.name], type=kind, init=first)
        case tree.Label() if node.name in renamed:
            body = rewrite(node.stmt, lambda part: with_names(part, renamed))
            return changed(node, name=renamed[node.name], stmt=body)
    return None
