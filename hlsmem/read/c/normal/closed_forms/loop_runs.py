"""A nest of loops run with the variables that numbers decide: what they are in each iteration."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import field
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.constants import integer_literal
from hlsmem.read.c.normal.closed_forms.concrete_expressions import NAMES, Expressions, Open, Unknown
from hlsmem.read.c.normal.closed_forms.control_slices import assigns
from hlsmem.read.c.normal.control_flow.loop_headers import counter_of, step_in
from hlsmem.read.c.normal.scalars.linear_sums import Linear
from hlsmem.read.c.operations import binary
from hlsmem.read.c.trees import inner_statements, integer, items_of

MOST_ITERATIONS = 1 << 19
"""Iterations of all loops of a nest, beyond which it is not run."""
Row = tuple[Any, ...]


class TooMany(Exception):
    """A nest has more iterations than are run."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop of the nest: its node, the counters around it, and the variables that it sets."""

    node: Any
    around: tuple[str, ...]
    variables: tuple[str, ...]
    rows: dict[tuple[int, ...], list[Row]] = field(default_factory=dict)
    """The variables' values at the beginning of each iteration and behind the last, by `around`."""


class Nest:
    """An outermost loop as functions of Python: one of an iteration, one of the whole loop."""

    def __init__(
        self, node: Any, variables: Collection[str], state: Sequence[str], expressions: Expressions
    ) -> None:
        self.node, self.variables, self.state = node, set(variables), tuple(state)
        self.expressions = expressions
        self.loops: list[Loop] = []
        self.lines: list[str] = []
        self.counter = counter_of(node)
        names = "".join(f"{shown(one)}, " for one in self.state)
        self.lines.append(f"def turn({shown(self.counter)}, state, enter):")
        self.lines.append(f"    ({names}) = state" if names else "    pass")
        for one in sorted(self.variables - set(self.state)):
            self.lines.append(f"    {shown(one)} = Open()")
        self.statement(node.stmt, 1, (self.counter,))
        self.lines.append(f"    return ({names})")
        space: dict[str, Any] = {**NAMES, "Open": Open}
        exec(compile("\n".join(self.lines), "<nest>", "exec"), space)
        self.turn = space["turn"]

    # Text.

    def put(self, level: int, text: str) -> None:
        self.lines.append("    " * level + text)

    def statement(self, node: Any, level: int, around: tuple[str, ...]) -> None:
        match node:
            case tree.Decl(name=own):
                if own in self.variables and node.init is not None:
                    self.assign(own, self.value(node.init, own), level)
            case tree.Assignment(lvalue=tree.ID(name=own), op=op):
                if own in self.variables:
                    value = node.rvalue
                    if op != "=":
                        value = binary(op[:-1], node.lvalue, value, node.place)
                    self.assign(own, self.value(value, own), level)
            case tree.UnaryOp(op="++" | "--" | "p++" | "p--" as op, expr=tree.ID(name=own)):
                if own in self.variables:
                    one = integer(1, node.place)
                    sign = "+" if "+" in op else "-"
                    whole = binary(sign, node.expr, one, node.place)
                    self.assign(own, self.value(whole, own), level)
            case _ if not assigns(node, self.variables):
                pass
            case tree.If():
                self.put(level, f"if ({self.expressions.value(node.cond)}) != 0:")
                self.put(level + 1, "pass")
                self.statement(node.iftrue, level + 1, around)
                if node.iffalse is not None:
                    self.put(level, "else:")
                    self.put(level + 1, "pass")
                    self.statement(node.iffalse, level + 1, around)
            case tree.For():
                self.loop(node, level, around)
            case tree.Compound():
                for one in items_of(node):
                    self.statement(one, level, around)
            case tree.Label():
                self.statement(node.stmt, level, around)
            case _:
                if any(True for _ in inner_statements(node)):
                    raise Unknown

    def value(self, node: Any, own: str) -> str:
        if own not in self.expressions.types:  # no integer of C
            raise Unknown
        return self.expressions.value(node, self.expressions.types[own])

    def assign(self, own: str, value: str, level: int) -> None:
        self.put(level, f"{shown(own)} = {value}")

    def loop(self, node: Any, level: int, around: tuple[str, ...]) -> None:
        own = counter_of(node)
        first = first_of(node)
        if not own or own in around or first is None or own in self.variables:
            raise Unknown
        inside = tuple(one for one in sorted(self.variables) if assigns(node.stmt, {one}))
        number = len(self.loops)
        self.loops.append(Loop(node, around, inside))
        keys = "".join(f"{shown(one)}, " for one in around)
        values = "".join(f"{shown(one)}, " for one in inside)
        kind = self.expressions.types[own]
        self.put(level, f"{shown(own)} = {first}")
        self.put(level, f"row_{number} = enter({number}, ({keys}))")
        self.put(level, f"while ({self.expressions.value(node.cond)}) != 0:")
        self.put(level + 1, f"row_{number}.append(({values}))")
        self.put(level + 1, f"if len(row_{number}) > {MOST_ITERATIONS}: raise TypeError")
        self.statement(node.stmt, level + 1, (*around, own))
        one = binary("+", tree.ID(own), integer(1))
        self.put(level + 1, f"{shown(own)} = {self.expressions.value(one, kind)}")
        self.put(level, f"row_{number}.append(({values}))")

    # Runs.

    def runs(self, start: Row) -> Iterator[tuple[Row, int]]:
        """The states behind iterations of the outermost loop; what the others do is noted."""
        state, turn, total = start, 0, 0
        noted: list[list[Row]] = []

        def enter(number: int, key: tuple[int, ...]) -> list[Row]:
            row: list[Row] = []
            self.loops[number].rows[key] = row
            noted.append(row)
            return row

        first = first_of(self.node)
        assert first is not None
        while True:
            state = self.turn(first + turn, state, enter)
            total += 1 + sum(map(len, noted))
            noted.clear()
            if total > MOST_ITERATIONS:
                raise TooMany
            turn += 1
            yield state, turn

    def is_read(self, state: Row, position: int) -> bool:
        """True if an iteration may read what a variable is at its beginning."""
        open_ones = (*state[:position], Open(), *state[position + 1 :])
        try:
            self.turn(first_of(self.node), open_ones, lambda _number, _key: [])
        except TypeError:
            return True
        return False


def shown(name: str) -> str:
    """Return the name in Python of a variable of C. Raises Unknown."""
    if not name.isidentifier():
        raise Unknown
    return f"v_{name}"


def first_of(node: Any) -> int | None:
    """Return the number from which a loop counts by one; None of another loop."""
    if step_in(node.next, counter_of(node)) != Linear({}, 1):
        return None
    given = isinstance(node.init, tree.DeclList)
    first = node.init.decls[0].init if given else node.init.rvalue
    found = integer_literal(first) if isinstance(first, tree.Constant) else None
    return None if found is None else found[0]
