"""Variables of a nest of loops that numbers alone decide: what they depend on, what steps them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.normal.control_flow.loop_headers import counter_of
from hlsmem.read.c.trees import inner_statements, nodes_of, used_names

DATA = "?"
"""The name that stands for all that is known only when the program runs."""
_OPAQUE = (tree.ArrayRef, tree.FuncCall, tree.StructRef, tree.Assignment)
_JUMPS = (tree.Break, tree.Continue, tree.Return, tree.While, tree.DoWhile)


def names_in(node: Any) -> frozenset[str]:
    """Return the names in an expression, `DATA` among them where it loads or calls."""
    if node is None:
        return frozenset()
    opaque = any(
        isinstance(one, _OPAQUE) or (isinstance(one, tree.UnaryOp) and one.op in ("*", "&"))
        for one in nodes_of(node)
    )
    return used_names(node) | ({DATA} if opaque else frozenset())


@dataclass(frozen=True, slots=True)
class Slice:
    """The assignments of a nest: names that each variable needs, and those that it needs to count.

    `needs` are the names in values and conditions, `guards` those in conditions alone. `counted`
    are variables that are only stepped by numbers. `counters` are the loops' own.
    """

    needs: dict[str, set[str]] = field(default_factory=dict)
    guards: dict[str, set[str]] = field(default_factory=dict)
    counted: dict[str, bool] = field(default_factory=dict)
    counters: set[str] = field(default_factory=set)
    declared: set[str] = field(default_factory=set)

    def add(self, node: Any, tests: frozenset[str]) -> None:
        """Add the assignments in a statement behind conditions on the names `tests`."""
        match node:
            case tree.If():
                inner = tests | names_in(node.cond)
                self.add(node.iftrue, inner)
                if node.iffalse is not None:
                    self.add(node.iffalse, inner)
            case tree.For():
                own = counter_of(node)
                self.counters.update({own} if own else ())
                header = names_in(node.cond) | names_in(node.init) - {DATA} | {own or DATA}
                self.add(node.stmt, tests | header)
            case tree.Decl():
                self.declared.add(node.name)
                if node.init is not None:
                    self.assign(node.name, names_in(node.init), tests, steps=False)
            case tree.Assignment(lvalue=tree.ID(name=target), op=op):
                steps = op in ("+=", "-=") and isinstance(node.rvalue, tree.Constant)
                more = {target} if op != "=" else frozenset[str]()
                self.assign(target, names_in(node.rvalue) | more, tests, steps=steps)
            case tree.UnaryOp(op="++" | "--" | "p++" | "p--", expr=tree.ID(name=target)):
                self.assign(target, frozenset({target}), tests, steps=True)
            case _:
                jumps = isinstance(node, _JUMPS)
                for one in inner_statements(node):
                    self.add(one, tests | {DATA} if jumps else tests)

    def assign(
        self, target: str, value: frozenset[str], tests: frozenset[str], *, steps: bool
    ) -> None:
        self.needs.setdefault(target, set()).update(value | tests)
        self.guards.setdefault(target, set()).update(tests)
        self.counted[target] = self.counted.get(target, True) and steps

    def decided(self, wanted: Collection[str], outside: Collection[str]) -> set[str]:
        """Return those variables that need nothing but each other, counters and `outside`."""
        known = {*self.counters, *outside}
        good = set(self.needs)
        while True:
            bad = {one for one in good if not self.needs[one] <= good | known}
            if not bad:
                return good & set(wanted)
            good -= bad

    def closed(self, wanted: Collection[str]) -> set[str]:
        """Return variables with all that they need."""
        found, pending = set(wanted), list(wanted)
        while pending:
            more = (self.needs.get(pending.pop(), set()) & self.needs.keys()) - found
            found |= more
            pending += more
        return found

    def sums(self, variables: Collection[str]) -> set[str]:
        """Return those that are only stepped, and that no other one needs."""
        return {
            one
            for one in variables
            if self.counted.get(one)
            and one not in self.guards[one]
            and not any(one in self.needs[other] for other in variables if other != one)
        }


def slice_of(body: Any) -> Slice:
    """Return the assignments in the body of a loop."""
    found = Slice()
    found.add(body, frozenset())
    return found


def has_jump(node: Any) -> bool:
    """Return True where a statement has others than loops that count, branches and assignments."""
    return any(isinstance(one, _JUMPS) for one in nodes_of(node))


def assigns(node: Any, variables: Collection[str] | Mapping[str, Any]) -> bool:
    """Return True if a statement assigns or declares one of some variables."""
    for one in nodes_of(node):
        match one:
            case tree.Decl(name=own) | tree.Assignment(lvalue=tree.ID(name=own)):
                if own in variables:
                    return True
            case tree.UnaryOp(op="++" | "--" | "p++" | "p--", expr=tree.ID(name=own)):
                if own in variables:
                    return True
    return False
