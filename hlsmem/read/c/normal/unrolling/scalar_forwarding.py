"""Scalars of a pipelined iteration that are set and used once, put where they are used.

`s = 0; s += t[0]; s += t[1]; out = s / 9;` is one assignment of `(0 + t[0] + t[1]) / 9`: the sum
is no memory of its own then, whose every addition waits for the one before, but wires of the
datapath. What is computed, and in which order, stays.
"""

from __future__ import annotations

from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.normal.unrolling.pipelined_unrolling import with_iterations
from hlsmem.read.c.operations import binary, promoted
from hlsmem.read.c.symbols import Scope, Variable, declare
from hlsmem.read.c.tree import BOOL, INT, Float
from hlsmem.read.c.trees import base_of, block, changed, items_of, nodes_of, rewrite, used_names
from hlsmem.read.c.types import ScalarType, scalar_type

# Nodes of one expression.
_MOST_NODES = 2_000
_WIDTHS = (8, 16, 32, 64)


def gather_scalars(unit: Unit) -> Unit:
    """The unit in whose pipelined loops such scalars are no variables any more."""
    return with_iterations(unit, _forwarded)


def _forwarded(node: Any, scope: Scope) -> Any:
    """A statement with the scalars that its blocks declare put where they are used."""
    match node:
        case tree.If():
            parts = {
                key: _forwarded(part, scope.inner())
                for key, part in (("iftrue", node.iftrue), ("iffalse", node.iffalse))
                if part is not None
            }
            return changed(node, **parts)
        case tree.Compound():
            inner = scope.inner()
            items: list[Any] = []
            for one in items_of(node):
                declare(one, inner, "region")
                made = _forwarded(one, inner)
                items += _opened(made) if isinstance(made, tree.Compound) else [made]
            for own in [one.name for one in items if isinstance(one, tree.Decl)]:
                items = _without(own, items, inner)
            return changed(node, block_items=items)
    return node


def _opened(node: Any) -> list[Any]:
    """The statements of a block that declares nothing; else the block."""
    items = items_of(node)
    return [node] if any(isinstance(one, tree.Decl) for one in items) else items


def _without(own: str, items: list[Any], scope: Scope) -> list[Any]:
    """Statements of which as many values of a variable are put into others as can be."""
    variable = scope.find(own)
    if not isinstance(variable, Variable) or not is_number(variable) or _is_hidden(own, items):
        return items
    if not _has_width_of_c(variable):
        return items
    scalar = variable.shape.scalar
    assert scalar is not None
    at = next(k for k, one in enumerate(items) if isinstance(one, tree.Decl) and one.name == own)
    position = at
    while position < len(items):
        value = _value_of(own, items[position])
        target = _next(own, items, position + 1)
        put = None
        if value is not None and target is not None:
            whole = _as(scalar, value, variable.declaration)
            put = _Put(own, whole).into(items, position, target)
        if put is None:
            position += 1
            continue
        items = put
    if any(own in used_names(one) for one in items[at + 1 :]):
        return items
    declared = items[at]
    return [*items[:at], *items[at + 1 :]] if declared.init is None else items


def is_number(variable: Variable) -> bool:
    """True if a variable that an iteration declares is a number."""
    shape = variable.shape
    if shape.extents or shape.pointer or variable.static:
        return False
    return shape.scalar is not None


def _has_width_of_c(variable: Variable) -> bool:
    scalar = variable.shape.scalar
    return isinstance(scalar, Float) or (
        scalar is not None and (scalar == BOOL or scalar.bits in _WIDTHS)
    )


def _is_hidden(own: str, items: list[Any]) -> bool:
    """True if something inside declares the name anew, takes its address or steps it."""
    found = [one for item in items for one in nodes_of(item)]
    if sum(isinstance(one, tree.Decl) and one.name == own for one in found) > 1:
        return True
    return any(
        isinstance(one, tree.UnaryOp)
        and one.op in ("&", "++", "--", "p++", "p--")
        and own in used_names(one.expr)
        for one in found
    )


def _value_of(own: str, node: Any) -> Any:
    """The value that a statement sets the variable to, if it does not read it; else None."""
    match node:
        case tree.Decl(name=name, init=value) if name == own and value is not None:
            return None if isinstance(value, tree.InitList) else value
        case tree.Assignment(op="=", lvalue=tree.ID(name=name), rvalue=value) if name == own:
            return None if own in used_names(value) else value
    return None


def _next(own: str, items: list[Any], start: int) -> int | None:
    """The next statement that has the variable."""
    return next((k for k in range(start, len(items)) if own in used_names(items[k])), None)


@dataclass(frozen=True, slots=True)
class _Put:
    """A value in the place of a variable that has it."""

    own: str
    value: Any

    def into(self, items: list[Any], source: int, target: int) -> list[Any] | None:
        """The statements with the value in the next use, and not where it was set.

        None where it is used more than once, or differs by then.
        """
        user = items[target]
        if not self.passes(items[source + 1 : target]):
            return None
        made = self.statement(user)
        if made is None or len(nodes_of(made)) > _MOST_NODES:
            return None
        if not _sets(self.own, user):
            after = _next(self.own, items, target + 1)
            if after is not None and _value_of(self.own, items[after]) is None:
                return None
        was = items[source]
        kept = [changed(was, init=None)] if isinstance(was, tree.Decl) else []
        return [*items[:source], *kept, *items[source + 1 : target], made, *items[target + 1 :]]

    def passes(self, between: list[Any]) -> bool:
        """True if the value is the same behind some statements; no load is moved past a store."""
        read = used_names(self.value)
        if any(written_names(one) & read for one in between):
            return False
        return not self.loads or not any(map(stores, between))

    @property
    def loads(self) -> bool:
        return any(isinstance(one, tree.ArrayRef) for one in nodes_of(self.value))

    def statement(self, node: Any) -> Any | None:
        """A statement with the value where it reads the variable, which it does once."""
        match node:
            case tree.Assignment(lvalue=tree.ID(name=name), op=op) if name == self.own:
                if op == "=":
                    value = self.once(node.rvalue)
                elif self.own in used_names(node.rvalue):
                    return None
                else:
                    value = binary(op[:-1], self.value, node.rvalue, node.place)
                return None if value is None else changed(node, op="=", rvalue=value)
            case tree.Decl() if node.name in used_names(self.value):
                return None  # the name means what is declared here
            case tree.Assignment() | tree.Decl():
                return self.once(node)
            case tree.If():
                return self.branch(node)
        return None

    def branch(self, node: Any) -> Any | None:
        """An `if` whose condition, or one of whose branches, has the one use."""
        parts = {key: getattr(node, key) for key in ("cond", "iftrue", "iffalse")}
        users = [key for key, part in parts.items() if part and self.own in used_names(part)]
        if len(users) != 1:
            return None
        (key,) = users
        if key == "cond":
            made = self.once(node.cond)
            return None if made is None else changed(node, cond=made)
        if self.loads:  # it would not load where it goes the other way
            return None
        items = items_of(parts[key])
        target = _next(self.own, items, 0)
        assert target is not None
        if not self.passes(items[:target]):
            return None
        if _next(self.own, items, target + 1) is not None or _sets(self.own, items[target]):
            return None
        made = self.statement(items[target])
        if made is None:
            return None
        inner = block([*items[:target], made, *items[target + 1 :]], parts[key].place)
        return changed(node, **{key: inner})

    def once(self, node: Any) -> Any | None:
        """An expression, or a statement without branches, with the value in place of one use."""
        uses = [one for one in nodes_of(node) if isinstance(one, tree.ID) and one.name == self.own]
        if len(uses) != 1 or (self.loads and _is_chosen(uses[0], node)):
            return None

        def replaced(part: Any) -> Any | None:
            return self.value if part is uses[0] else None

        return rewrite(node, replaced)


def _is_chosen(use: Any, node: Any) -> bool:
    """True if an expression inside is computed conditionally."""
    for one in nodes_of(node):
        match one:
            case tree.TernaryOp():
                parts = [one.iftrue, one.iffalse]
            case tree.BinaryOp(op="&&" | "||"):
                parts = [one.right]
            case _:
                continue
        if any(below is use for part in parts for below in nodes_of(part)):
            return True
    return False


def _sets(own: str, node: Any) -> bool:
    return (
        isinstance(node, tree.Assignment)
        and isinstance(node.lvalue, tree.ID)
        and node.lvalue.name == own
    )


def stores(node: Any) -> bool:
    """True if a statement writes an element."""
    return any(
        isinstance(one, tree.Assignment) and not isinstance(one.lvalue, tree.ID)
        for one in nodes_of(node)
    )


def written_names(node: Any) -> frozenset[str]:
    """The variables and arrays that a statement may write."""
    found: set[str] = set()
    for one in nodes_of(node):
        match one:
            case tree.Assignment():
                found |= used_names(base_of(one.lvalue))
            case tree.UnaryOp(op="++" | "--" | "p++" | "p--" | "&"):
                found |= used_names(one.expr)
            case tree.Decl() if one.name:
                found.add(one.name)
    return frozenset(found)


def _as(scalar: ScalarType, value: Any, declaration: Any) -> Any:
    """The value as the variable would hold it: converted where it is of another type.

    What is narrower than int is one wherever it is used (C99 6.3.1.1).
    """
    own = scalar_type(value.type)
    if own == scalar or (scalar == INT and promoted(value.type) == INT):
        return value
    return tree.Cast(value, declaration.type, place=value.place)
