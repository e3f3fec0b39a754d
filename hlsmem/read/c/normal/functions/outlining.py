"""Statements on variables of their own as a function without side effects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import reduce
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.normal.scalars.integer_types import is_index
from hlsmem.read.c.operations import conditional
from hlsmem.read.c.purity import is_pure_call
from hlsmem.read.c.symbols import Parameter, Scope, Variable
from hlsmem.read.c.tree import INT, element_of
from hlsmem.read.c.trees import (
    array_of,
    block,
    both,
    changed,
    children_of,
    declaration,
    fresh,
    integer,
    items_of,
    name,
    negation,
    nodes_of,
    used_names,
)
from hlsmem.read.c.types import scalar_type
from hlsmem.read.design_names import free_name

# Nodes of a function.
_MOST_NODES = 5_000


class NoFunctionError(Exception):
    """The statements do more than compute numbers, or load where they do not always."""


def element_kind(own: str, scope: Scope) -> Any:
    """The declared type of a variable, or of the elements of an array.

    Raises NoFunctionError where it is no number.
    """
    variable = scope.find(own)
    if not isinstance(variable, Variable) or variable.shape.scalar is None:
        raise NoFunctionError
    return element_of(variable.declaration.type)


def loads_of(node: Any, *, certain: bool = False) -> list[Any]:
    """The elements that are read, those alone that are read in any case where `certain`."""
    match node:
        case None:
            return []
        case tree.ArrayRef():
            return [node]
        case tree.TernaryOp() | tree.If():
            parts = [node.cond] if certain else [node.cond, node.iftrue, node.iffalse]
        case tree.BinaryOp(op="&&" | "||") if certain:
            parts = [node.left]
        case _:
            parts = children_of(node)
    return [one for part in parts for one in loads_of(part, certain=certain)]


@dataclass(slots=True)
class Outline:
    """A function in the making: its `own` variables, and its parameters with their arguments.

    `written` are names that the iteration writes, `shared` are variables that hold loads by the
    nodes of these; `made` are the other loads that stand among the arguments.
    """

    scope: Scope
    own: frozenset[str]
    written: frozenset[str]
    shared: dict[int, Any]
    parameters: list[Any] = field(default_factory=list)
    arguments: list[Any] = field(default_factory=list)
    made: list[Any] = field(default_factory=list)
    named: dict[str, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def call(
        self, function: str, kind: Any, statements: Sequence[Any], value: Any
    ) -> tuple[Any, Any]:
        """The function that returns a value behind some statements, and the call of it.

        Raises NoFunctionError.
        """
        place = value.place
        parts = [*statements, value]
        self.taken |= {one.name for part in parts for one in nodes_of(part) if self.stays(one)}
        declared = {
            one.name for part in parts for one in nodes_of(part) if isinstance(one, tree.Decl)
        }
        used = frozenset[str]().union(*map(used_names, parts)) & self.own
        items = [
            declaration(element_kind(one, self.scope), one, None, place)
            for one in sorted(used - declared)
        ]
        items += [self.statement(one, ()) for one in statements]
        items.append(tree.Return(self.value(value, ()), place))
        if not self.parameters or sum(len(nodes_of(one)) for one in items) > _MOST_NODES:
            raise NoFunctionError
        return (
            tree.FuncDef(
                function, kind, tuple(self.parameters), block(items, place), place, ("static",)
            ),
            tree.FuncCall(function, tuple(self.arguments), kind, place),
        )

    def stays(self, node: Any) -> bool:
        """True if a node is a name that the function has as well."""
        if isinstance(node, tree.Decl):
            return True
        if not isinstance(node, tree.ID):
            return False
        symbol = self.scope.find(node.name)
        return node.name in self.own or not isinstance(symbol, (Variable, Parameter))

    def statement(self, node: Any, conditions: tuple[Any, ...]) -> Any:
        match node:
            case tree.Decl():
                initial = None if node.init is None else self.value(node.init, conditions)
                return changed(node, init=initial)
            case tree.Assignment():
                return changed(node, rvalue=self.value(node.rvalue, conditions))
            case tree.UnaryOp():
                return node
            case tree.If():
                test = self.value(node.cond, conditions)
                ways = {"iftrue": node.cond, "iffalse": negation(node.cond)}
                parts = {
                    key: block([self.statement(one, (*conditions, way)) for one in items_of(part)])
                    for key, way in ways.items()
                    if (part := getattr(node, key)) is not None
                }
                return changed(node, cond=test, **parts)
        raise NoFunctionError

    def value(self, node: Any, conditions: tuple[Any, ...]) -> Any:
        """An expression of parameters; it is computed where all conditions hold."""
        match node:
            case tree.ArrayRef():
                return self.load(node, conditions)
            case tree.ID():
                return self.variable(node)
            case tree.Constant():
                return node
            case tree.TernaryOp():
                test = self.value(node.cond, conditions)
                then = self.value(node.iftrue, (*conditions, node.cond))
                otherwise = self.value(node.iffalse, (*conditions, negation(node.cond)))
                return changed(node, cond=test, iftrue=then, iffalse=otherwise)
            case tree.BinaryOp(op="&&" | "||"):
                way = node.left if node.op == "&&" else negation(node.left)
                left = self.value(node.left, conditions)
                return changed(node, left=left, right=self.value(node.right, (*conditions, way)))
            case tree.BinaryOp():
                left, right = (self.value(one, conditions) for one in (node.left, node.right))
                return changed(node, left=left, right=right)
            case tree.UnaryOp(op="+" | "-" | "~" | "!") | tree.Cast():
                return changed(node, expr=self.value(node.expr, conditions))
            case tree.FuncCall() if node.args and is_pure_call(node, self.scope):
                return changed(node, args=[self.value(one, conditions) for one in node.args])
        raise NoFunctionError

    def variable(self, node: Any) -> Any:
        if self.stays(node):
            return node
        symbol = self.scope.find(node.name)
        if isinstance(symbol, Variable):
            if symbol.shape.extents:
                raise NoFunctionError
            return self.given(node.name, element_kind(node.name, self.scope), node)
        if not isinstance(symbol, Parameter) or symbol.type != INT:
            raise NoFunctionError
        # Where C has a macro of the name, no variable can have it.
        return self.given(node.name, INT, node, f"{node.name}_value")

    def given(self, known: str, kind: Any, argument: Any, wanted: str = "") -> Any:
        """The parameter that has the value of a variable, or of a size."""
        if known not in self.named:
            self.named[known] = self.parameter(wanted or known, kind, argument)
        return name(self.named[known], kind, argument.place)

    def parameter(self, wanted: str, kind: Any, argument: Any) -> str:
        own = free_name(wanted, self.taken)
        self.parameters.append(declaration(kind, own, None, argument.place))
        self.arguments.append(argument)
        return own

    def load(self, node: Any, conditions: tuple[Any, ...]) -> Any:
        if id(node) in self.shared:
            variable = self.shared[id(node)]
            kind = variable.type
            return self.given(variable.name, kind, name(variable.name, kind, node.place))
        base = array_of(node)
        if not isinstance(base, tree.ID) or scalar_type(node.type) is None:
            raise NoFunctionError
        if used_names(node) & self.own:
            raise NoFunctionError
        kind, argument = element_kind(base.name, self.scope), node
        self.made.append(node)
        if conditions:
            moving = self.own | self.written
            if any(used_names(one) & moving or not is_index(one, self.scope) for one in conditions):
                raise NoFunctionError
            where = reduce(both, map(fresh, conditions))
            argument = conditional(where, node, integer(0, node.place), node.place)
        own = self.parameter(f"{base.name}_{len(self.parameters)}", kind, argument)
        return name(own, kind, node.place)
