"""Statements of an iteration that do nothing but set variables of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.normal.functions.outlining import loads_of
from hlsmem.read.c.normal.scalars.ssa import STEPS
from hlsmem.read.c.purity import is_pure_call
from hlsmem.read.c.symbols import Scope
from hlsmem.read.c.trees import block, changed, items_of, negation, nodes_of, used_names

Take = Callable[[Any], set[str]]


@dataclass(frozen=True, slots=True)
class Own:
    """Some variables of an iteration."""

    variables: frozenset[str]
    scope: Scope

    def used(self, node: Any) -> frozenset[str]:
        """Those that stand in an expression or statement, declarations aside."""
        return frozenset() if node is None else used_names(node) & self.variables

    def sets(self, node: Any) -> list[str]:
        """Those that a statement sets, once for each time."""
        match node:
            case tree.Decl():
                target = node.name if node.init is not None else None
            case tree.Assignment(lvalue=tree.ID(name=name)):
                target = name
            case tree.UnaryOp(expr=tree.ID(name=name)):
                target = name
            case tree.If():
                ways = [*items_of(node.iftrue), *items_of(node.iffalse)]
                return [one for way in ways for one in self.sets(way)]
            case _:
                target = None
        return [target] if target in self.variables else []

    def targets(self, node: Any) -> frozenset[str]:
        """Those that a statement declares or sets."""
        declared = [node.name] if isinstance(node, tree.Decl) else []
        return self.variables.intersection([*declared, *self.sets(node)])

    def names(self, node: Any) -> frozenset[str]:
        """Those in a statement."""
        return self.used(node) | self.targets(node)

    def has(self, node: Any) -> bool:
        """True if a statement sets or declares these variables, and does nothing else."""
        match node:
            case tree.Decl():
                return node.name in self.variables and self.is_quiet(node.init)
            case tree.Assignment(lvalue=tree.ID(name=name)):
                return name in self.variables and self.is_quiet(node.rvalue)
            case tree.UnaryOp(expr=tree.ID(name=name)):
                return name in self.variables
            case tree.If():
                inside = [*items_of(node.iftrue), *items_of(node.iffalse)]
                return bool(inside) and all(map(self.has, inside)) and self.is_quiet(node.cond)
        return False

    def is_quiet(self, node: Any) -> bool:
        """True if an expression has no side effect."""
        for one in [] if node is None else nodes_of(node):
            match one:
                case tree.Assignment():
                    return False
                case tree.UnaryOp() if one.op in STEPS:
                    return False
                case tree.FuncCall() if not is_pure_call(one, self.scope):
                    return False
        return True

    def part(self, node: Any) -> Any | None:
        """The part of a statement that sets these variables; None where there is none."""
        if self.has(node):
            return node
        if not isinstance(node, tree.If):
            return None
        ways = {
            key: [part for one in items_of(getattr(node, key)) if (part := self.part(one))]
            for key in ("iftrue", "iffalse")
        }
        if not any(ways.values()):
            return None
        return changed(
            node, **{key: block(parts) if parts else None for key, parts in ways.items()}
        )

    def needed_of(self, node: Any, live: set[str], take: Take) -> Any | None:
        """The part of a statement that sets variables `live` behind it; None where there is none.

        `live` are then those ahead of it: `take` says which of an expression are set in statements.
        """
        match node:
            case tree.If():
                ways: dict[str, Any] = {}
                ahead = set[str]()
                for key in ("iftrue", "iffalse"):
                    inner = set(live)
                    kept = [
                        one
                        for part in reversed(items_of(getattr(node, key)))
                        if (one := self.needed_of(part, inner, take)) is not None
                    ]
                    ways[key] = block(kept[::-1]) if kept else None
                    ahead |= inner
                if not any(ways.values()):
                    return None
                live |= ahead | take(node.cond)
                if ways["iftrue"] is None:
                    ways = {"iftrue": ways["iffalse"], "iffalse": None}
                    return changed(node, cond=negation(node.cond), **ways)
                return changed(node, **ways)
            case tree.Decl():
                target, value = node.name if node.init is not None else "", node.init
            case tree.Assignment("=", tree.ID(target), value):
                pass
            case tree.Assignment(lvalue=tree.ID(target)):
                value = node
            case _:
                target, value = node.expr.name, node
        if target not in live:
            return None
        if value is not node:
            live.remove(target)
        live |= take(value)
        return node

    def of_one_branch(self, items: Sequence[Any], at: int) -> tuple[str, list[int]]:
        """The branch of an `if` that alone needs what statements ahead of it load, and these.

        An empty name where there are none.
        """
        node = items[at]
        pinned = self.pinned(items, at)
        ahead = [k for k in range(at) if self.has(items[k]) and not self.names(items[k]) & pinned]
        ways = [key for key in ("iftrue", "iffalse") if self.used(getattr(node, key)) - pinned]
        if len(ways) != 1 or not any(loads_of(items[k]) for k in ahead):
            return "", []
        return ways[0], ahead

    def pinned(self, items: Sequence[Any], at: int) -> frozenset[str]:
        """The variables that others than one branch of a statement need, by whatever way."""
        node = items[at]
        found = set(self.used(node.cond) | (self.used(node.iftrue) & self.used(node.iffalse)))
        for k, one in enumerate(items):
            if k > at or (k < at and not self.has(one)):
                found |= self.names(one)
        own = [one for one in items if self.has(one)]
        before = -1
        while before != len(found):
            before = len(found)
            for one in own:
                found |= self.names(one) if found & self.targets(one) else set()
        return frozenset(found)
