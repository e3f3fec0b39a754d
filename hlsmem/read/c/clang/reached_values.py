"""The numbers that a variable of a loop may be at each statement, where it alone decides them.

`if (left < 8) { .. left += 248; } else { .. left -= 8; }` goes through 32 numbers; of the 31 that
reach the `else` all are multiples of 8, and `if (left != 0)` in front of it is never taken. The
loop is run with sets of numbers until they grow no more. What has none is reached by no run.
"""

from __future__ import annotations

from math import gcd
from typing import Any, TypeGuard

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.clang.declared import initial_value
from hlsmem.read.c.clang.known_expressions import Value, assigned, number_of
from hlsmem.read.c.clang.library import walked
from hlsmem.read.c.clang.lowering import FunctionFrame
from hlsmem.read.c.clang.settled import written_changes_of
from hlsmem.read.c.clang.steady import changes_in
from hlsmem.read.c.tree import Expression

Reached = dict[int, dict[str, frozenset[int]]]
"""Numbers of variables by their names in C, in front of statements by their cursors' hashes."""
MOST = 1024
"""Numbers of a variable that are followed."""
_JUMPS = ("BREAK_STMT", "CONTINUE_STMT", "GOTO_STMT", "RETURN_STMT", "INDIRECT_GOTO_STMT")


_BLOCKS = ("COMPOUND_STMT", "LABEL_STMT")


@dataclass(frozen=True, slots=True)
class _Step:
    """A statement, its hash and kind, the variables that it may assign, and the statements below
    it; of an IF_STMT and of blocks all that is below."""

    cursor: Any
    key: int
    kind: str
    changes: frozenset[int]
    below: tuple[_Step, ...]


class _Open(Exception):
    """A variable of which not all numbers are known."""


def reached(frame: FunctionFrame, loop: Any) -> Reached:
    """Return what local integers are that nothing but statements in the body of a loop assigns.

    Of their numbers the first comes from their declarations, also where the loop runs again.
    """
    below = list(loop.get_children())
    body = below[0] if loop.kind.name == "DO_STMT" else below[-1]
    inside = changes_in(body)
    steps = _step(body)
    found: Reached = {}
    for variable in dict.fromkeys(inside):
        node, count = frame.bound.get(variable), inside.count(variable)
        if not _is_integer(node) or written_changes_of(frame, variable) != count:
            continue
        try:
            run = _Run(frame, variable, steps)
            run.until_closed()
        except _Open:
            continue
        if len(run.assignments) == count:  # no other statement or expression assigns it
            for statement, numbers in run.found.items():
                found.setdefault(statement, {})[node.name] = numbers
    return found


def _step(cursor: Any) -> _Step:
    """A statement as it is run: its cursors, asked once."""
    kind = cursor.kind.name
    has_all = kind == "IF_STMT" or kind in _BLOCKS
    below = tuple(_step(one) for one in cursor.get_children() if has_all or one.kind.is_statement())
    return _Step(cursor, cursor.hash, kind, frozenset(changes_in(cursor)), below)


def as_indices(frame: FunctionFrame) -> dict[str, Expression]:
    """Return what variables stand for in indices: a number, or a multiple and what is beyond.

    Of 8, 16 and 24 that is `left / 8 * 8`, whose factor shows how it lies in words.
    """
    found: dict[str, Expression] = {}
    nodes = {one.name: one for one in frame.bound.values() if isinstance(one, tree.ID)}
    for name, own in frame.numbers.items():
        if not own or min(own) < 0 or name not in nodes:
            continue
        node, first = nodes[name], min(own)
        step = gcd(*(one - first for one in own))
        if step == 0:
            found[name] = _literal(first, node)
        elif step > 1:
            whole = tree.BinaryOp("/", node, _literal(step, node), node.type, node.place)
            many = tree.BinaryOp("*", whole, _literal(step, node), node.type, node.place)
            rest = _literal(first % step, node)
            found[name] = (
                tree.BinaryOp("+", many, rest, node.type, node.place) if first % step else many
            )
    return found


def _literal(value: int, node: tree.ID) -> tree.Constant:
    return tree.Constant(str(value), tree.INT, node.place)


def _is_integer(node: Any) -> TypeGuard[tree.ID]:
    return isinstance(node, tree.ID) and node.type in (tree.INT, tree.UNSIGNED)


class _Run:
    """The body of a loop run with sets of numbers of one variable."""

    def __init__(self, frame: FunctionFrame, variable: int, body: _Step) -> None:
        self.frame, self.variable, self.body = frame, variable, body
        self.is_closed = False
        self.found: dict[int, frozenset[int]] = {}
        self.assignments: set[int] = set()
        self.values: dict[int, Value] = {}

    def until_closed(self) -> None:
        """Find what the body may begin with: the first number, and all that it may end with; then
        note what reaches its statements. Raises _Open."""
        if any(one.kind.name in _JUMPS for one in walked(self.body.cursor)):
            raise _Open
        done: set[int] = set()
        new = frozenset([self.first()])
        while new:
            done |= new
            if len(done) > MOST:
                raise _Open
            new = self.behind(self.body, new) - done
        self.is_closed = True
        self.behind(self.body, frozenset(done))

    def first(self) -> int:
        for one in walked(self.body.cursor):
            known = one.referenced if one.kind.name == "DECL_REF_EXPR" else None
            if known is not None and known.hash == self.variable:
                first = initial_value(known)
                value = None if first is None else number_of(self.frame, first, 0)(0)
                if value is not None:
                    return value
                break
        raise _Open

    def behind(self, step: _Step, before: frozenset[int]) -> frozenset[int]:
        """The numbers behind a statement that runs with those before it. Raises _Open."""
        if self.is_closed:
            self.found[step.key] = self.found.get(step.key, frozenset()) | before
        elif self.variable not in step.changes:
            return before
        if not before:
            return before
        if step.kind == "IF_STMT":
            return self.branches(step, before)
        if step.kind in _BLOCKS:
            for one in step.below:
                before = self.behind(one, before)
            return before
        if self.variable not in step.changes:
            for one in step.below:
                self.behind(one, before)
            return before
        self.assignments.add(step.key)
        if step.key not in self.values:
            self.values[step.key] = assigned(self.frame, step.cursor, self.variable)
        after = [found for one in before if (found := self.values[step.key](one)) is not None]
        if len(after) < len(before):
            raise _Open
        return frozenset(after)

    def branches(self, step: _Step, before: frozenset[int]) -> frozenset[int]:
        condition, *ways = step.below
        if condition.kind in ("DECL_STMT", "VAR_DECL"):
            raise _Open
        if step.key not in self.values:
            self.values[step.key] = number_of(self.frame, condition.cursor, self.variable)
        tests = {one: self.values[step.key](one) for one in before}
        holds = frozenset(one for one, test in tests.items() if test is None or test)
        fails = frozenset(one for one, test in tests.items() if not test)
        return self.behind(ways[0], holds) | (self.behind(ways[1], fails) if ways[1:] else fails)
