"""Loops of few constant iterations whose variable no affine expression has, written iteration by
iteration.

Such are the stages of an FFT, a scan or a sort: `for (int d = 1; d < N; d *= 2)`, and
`for (int s = 1; s <= STAGES; s++)` with `1 << s` in a subscript or in the header of a loop.
"""

from __future__ import annotations

from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.normal.control_flow.loop_headers import breaks_out, step_in
from hlsmem.read.c.normal.functions.scoped_statements import with_statements
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.normal.scalars.index_variables import index_variables
from hlsmem.read.c.operations import binary
from hlsmem.read.c.rewritten_text import unrolled
from hlsmem.read.c.symbols import Scope, constant_integer
from hlsmem.read.c.tree import INT
from hlsmem.read.c.trees import block, integer, nodes_of, rewrite, used_names
from hlsmem.read.c.types import scalar_type

# Turns of a loop that is written out, and the nodes of the text that all of them may take.
MOST_TURNS = 32
_MOST_NODES = 20_000
_FACTORS = {"*=": "*", "/=": "/", "<<=": "<<", ">>=": ">>"}


def write_stages(unit: Unit) -> Unit:
    """The unit whose stages are written iteration by iteration, those inside of stages as well."""
    while (found := _written(unit)) is not unit:
        unit = found
    return unit


def _written(unit: Unit) -> Unit:
    index_names: list[frozenset[str]] = []

    def replaced(node: Any, scope: Scope) -> list[Any] | None:
        counter = _counter(node) if isinstance(node, tree.For) else ""
        if not counter:
            return None
        if step_in(node.next, counter) is not None:
            if not index_names:
                index_names.append(frozenset(index_variables(unit)))
            if not _shifts(node.stmt, counter, index_names[0]):
                return None
        return turns_of(node, scope)

    return with_statements(unit, replaced)


def turns_of(node: Any, scope: Scope, most: int = MOST_TURNS) -> list[Any] | None:
    """The iterations of a loop one after the other, with the value of its variable in each.

    None where it has more than `most` iterations, or others than constants alone decide.
    """
    counter = _counter(node)
    turns = _Turns(node, counter, scope, most).values() if counter else None
    return None if turns is None else [_turn(node, counter, one, scope) for one in turns]


def turns_in(node: Any, scope: Scope, most: int) -> int | None:
    """Number of iterations of a loop; None as with `turns_of`."""
    counter = _counter(node)
    turns = _Turns(node, counter, scope, most).values() if counter else None
    return None if turns is None else len(turns)


def _counter(node: Any) -> str:
    """The `int` that a loop declares, which nothing in its body changes or hides."""
    match node.init:
        case tree.DeclList(decls=[tree.Decl(name=own) as one]):
            if one.init is None or scalar_type(one.type) != INT:
                return ""
        case _:
            return ""
    if node.cond is None or node.next is None or breaks_out(node.stmt):
        return ""
    for part in nodes_of(node.stmt):
        match part:
            case tree.Label() | tree.Continue():
                return ""
            case tree.Decl(name=name) if name == own:
                return ""
            case tree.Assignment(lvalue=tree.ID(name=name)) if name == own:
                return ""
            case tree.UnaryOp(op="++" | "--" | "p++" | "p--" | "&", expr=tree.ID(name=name)):
                if name == own:
                    return ""
    return str(own)


def _shifts(body: Any, counter: str, index_names: frozenset[str]) -> bool:
    """True if something is shifted by the counter in a subscript, a header or an index variable."""
    for node in nodes_of(body):
        match node:
            case tree.ArrayRef():
                parts: list[Any] = [node.subscript]
            case tree.For():
                parts = [node.init, node.cond, node.next]
            case tree.Decl(name=own, init=value) if own in index_names:
                parts = [value]
            case tree.Assignment(lvalue=tree.ID(name=own), rvalue=value) if own in index_names:
                parts = [value]
            case _:
                continue
        for part in parts:
            for one in [] if part is None else nodes_of(part):
                is_shift = isinstance(one, tree.BinaryOp) and one.op in ("<<", ">>")
                if is_shift and counter in used_names(one.right):
                    return True
    return False


@dataclass(frozen=True, slots=True)
class _Turns:
    """The iterations of a loop whose header has nothing but constants and its own variable."""

    node: Any
    counter: str
    scope: Scope
    most: int

    def values(self) -> list[int] | None:
        """Values of the variable, an iteration each; None where they are not known, or too many."""
        node = self.node
        value = self.at(node.init.decls[0].init, None)
        most = min(self.most, _MOST_NODES // len(nodes_of(node.stmt)))
        found: list[int] = []
        while value is not None:
            goes = self.at(node.cond, value)
            if goes is None:
                return None
            if not goes:
                return found
            if len(found) == most:
                return None
            found.append(value)
            value = self.following(value)
        return None

    def following(self, value: int) -> int | None:
        own = tree.ID(self.counter)
        match self.node.next:
            case tree.Assignment(op=op, lvalue=tree.ID(name=name), rvalue=amount) if (
                name == self.counter and op in _FACTORS
            ):
                return self.at(binary(_FACTORS[op], own, amount), value)
            case tree.Assignment(op="=", lvalue=tree.ID(name=name), rvalue=whole) if (
                name == self.counter
            ):
                return self.at(whole, value)
        step = step_in(self.node.next, self.counter)
        return None if step is None or not step.is_constant() else value + step.constant

    def at(self, node: Any, value: int | None) -> int | None:
        put = node if value is None else _put(node, self.counter, value)
        return constant_integer(put, self.scope)


def _turn(node: Any, counter: str, value: int, scope: Scope) -> Any:
    """The body of a loop in one iteration, with shifts of numbers as the numbers that they are."""
    body = unrolled(node.stmt, node, counter, value)
    return block([_folded(_put(body, counter, value), scope)], node.place)


def _put(node: Any, counter: str, value: int) -> Any:
    def replaced(part: Any) -> Any | None:
        match part:
            case tree.ID() if part.name == counter:
                return integer(value, part.place)
        return None

    return rewrite(node, replaced)


def _folded(node: Any, scope: Scope) -> Any:
    def replaced(part: Any) -> Any | None:
        if isinstance(part, tree.BinaryOp) and part.op in ("<<", ">>") and _is_of_ints(part):
            found = constant_integer(part, scope)
            return None if found is None else integer(found, part.place)
        return None

    return rewrite(node, replaced)


def _is_of_ints(node: Any) -> bool:
    kinds = (tree.BinaryOp, tree.UnaryOp)
    return all(
        isinstance(part, kinds) or (isinstance(part, tree.Constant) and part.type == INT)
        for part in nodes_of(node)
    )
