"""Calls of functions with a body: the body in the place of the call, arguments as variables.

An argument becomes a variable of the parameter's type, so that conversions stay what they are;
`indices` then replaces those that are subscripts or pointers. A function that only returns an
expression is put where its value is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from functools import partial
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import names, tree
from hlsmem.read.c.c_text import base_name
from hlsmem.read.c.normal.control_flow.jump_removal import NotStructuredError, ended
from hlsmem.read.c.normal.functions.hoisted_loads import read_ahead, stores
from hlsmem.read.c.normal.functions.inlined_names import Chain, Naming, chain_of, headed, with_names
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.operations import assigned
from hlsmem.read.c.purity import (
    is_pure_call,
    passes_structs,
    returned_expression,
)
from hlsmem.read.c.refusal import Refusal
from hlsmem.read.c.rewritten_text import inlined
from hlsmem.read.c.symbols import Scope, Variable
from hlsmem.read.c.syntax import find_region
from hlsmem.read.c.tree import INT, Array, Pointer, Struct, Type
from hlsmem.read.c.trees import (
    block,
    changed,
    declaration,
    fresh,
    items_of,
    name,
    nodes_of,
    rewrite,
    rewrite_statements,
)

# Bodies put in place of calls, in one function: what is more is no kernel.
CALL_LIMIT = 2000


def inline_calls(unit: Unit) -> Unit:
    """The unit without calls of functions whose bodies are known and can stand in place."""
    state = _State(
        unit=unit,
        functions=unit.functions(),
        scope=unit.file_scope(),
        naming=Naming(
            taken=set(names.identifiers(unit.tree)),
            of_file=frozenset(unit.file_scope().names) | frozenset(unit.parameters),
        ),
    )
    region = find_region(unit.function, unit.source)
    new = _block(state, list(region.statements), chain_of(unit))
    found = unit.with_region(lambda _: new)
    if state.statics:
        body = found.function.body
        body = changed(body, block_items=[*state.statics.values(), *body.block_items])
        found = found.with_function(changed(found.function, body=body))
    return replace(
        found,
        arguments=found.arguments | state.arguments,
        passed=_passed(state),
        copies=found.copies or state.copies,
    )


def _passed(state: _State) -> dict[tuple[str, str], frozenset[str]]:
    """The variables of the planned function that parameters of others were given."""
    found: dict[tuple[str, str], set[str]] = {}
    for new, where in state.parameters.items():
        base = state.given[new]
        while base in state.given:
            base = state.given[base]
        found.setdefault(where, set()).add(base)
    return {where: frozenset(bases) for where, bases in found.items()}


@dataclass(slots=True, kw_only=True)
class _State:
    """State of inlining: names given, static variables moved out, variables of arguments.

    Of variables that stand for arguments, `given` has the array that they point into, and
    `parameters` the function and the parameter that they were.
    """

    unit: Unit
    functions: Mapping[str, Any]
    scope: Scope
    naming: Naming
    arguments: set[str] = field(default_factory=set)
    statics: dict[str, Any] = field(default_factory=dict)
    values: dict[str, bool] = field(default_factory=dict)
    given: dict[str, str] = field(default_factory=dict)
    parameters: dict[str, tuple[str, str]] = field(default_factory=dict)
    calls: int = 0
    copies: bool = False

    def is_value(self, call: Any) -> bool:
        """True if a call is one of a function that only computes a value, as the reader knows."""
        own = call.name
        if own not in self.values:
            self.values[own] = is_pure_call(call, self.scope)
        return self.values[own]

    def is_inlined(self, call: Any) -> bool:
        """True if the body of the function stands in the place of a call."""
        return call.name in self.functions and not self.is_value(call)

    def kept(self) -> set[str]:
        """Names of variables that keep what they hold from call to call."""
        of_file = {own for own, one in self.scope.names.items() if isinstance(one, Variable)}
        return of_file | self.statics.keys()

    def declared(self, own: str, chain: Chain) -> Any | None:
        """The declaration of a name at a place."""
        of_file = self.scope.names.get(own)
        outside = of_file.declaration if isinstance(of_file, Variable) else None
        return chain.visible.get(own) or self.statics.get(own) or outside

    def note(self, new: str, function: Any, parameter: Any, argument: Any) -> None:
        """Note what a variable stands for; that is of use where the argument is in an array."""
        base = argument
        while not isinstance(base, tree.ID):
            match base:
                case tree.ArrayRef(name=inner) | tree.UnaryOp(op="&", expr=inner):
                    base = inner
                case tree.BinaryOp(op="+" | "-", left=inner) | tree.Cast(expr=inner):
                    base = inner
                case _:
                    return
        self.given[new] = base.name
        self.parameters[new] = function.name, parameter.name


# Statements.


def _block(state: _State, items: Sequence[Any], chain: Chain) -> list[Any]:
    chain = chain.inside(items)
    found: list[Any] = []
    for item in items:
        new = _statement(state, item, chain)
        found += new
    return found


def _statement(state: _State, node: Any, chain: Chain) -> list[Any]:
    """The statements that stand for one."""
    match node:
        case tree.Compound():
            return [changed(node, block_items=_block(state, items_of(node), chain))]
        case tree.If():
            ahead, condition = _value(state, node.cond, chain)
            then = _inner(state, node.iftrue, chain)
            otherwise = _inner(state, node.iffalse, chain)
            return [*ahead, changed(node, cond=condition, iftrue=then, iffalse=otherwise)]
        case tree.For() | tree.While() | tree.DoWhile() | tree.Switch():
            inside = _inner(state, node.stmt, chain.inside(headed(node)))
            return [changed(node, stmt=inside)]
        case tree.Case() | tree.Default():
            return [changed(node, stmts=_block(state, node.stmts, chain))]
        case tree.Label():
            *ahead, last = _statement(state, node.stmt, chain)
            return [*ahead, changed(node, stmt=last)]
        case tree.FuncCall() if state.is_inlined(node):
            return [block(_inlined(state, node, chain, None), node.place)]
        case tree.Cast(expr=tree.FuncCall() as call) if state.is_inlined(call):
            return [block(_inlined(state, call, chain, None), node.place)]
        case tree.Decl() if node.init is not None and not isinstance(node.init, tree.InitList):
            ahead, value = _value(state, node.init, chain)
            return [*ahead, changed(node, init=value)]
        case tree.Assignment(op="=", rvalue=tree.FuncCall() as call) if (
            state.is_inlined(call) and returned_expression(state.functions[call.name]) is None
        ):
            ahead, target = _value(state, node.lvalue, chain)
            return [*ahead, block(_inlined(state, call, chain, target), node.place)]
        case tree.Assignment():
            ahead, target = _value(state, node.lvalue, chain)
            more, value = _value(state, node.rvalue, chain)
            return [*ahead, *more, changed(node, lvalue=target, rvalue=value)]
        case tree.Return() if node.expr is not None:
            ahead, value = _value(state, node.expr, chain)
            return [*ahead, changed(node, expr=value)]
    return [node]


def _inner(state: _State, node: Any, chain: Chain) -> Any:
    """A statement where only one may stand."""
    if node is None:
        return None
    found = _statement(state, node, chain)
    return found[0] if len(found) == 1 else block(found, node.place)


# Expressions.


def _value(state: _State, node: Any, chain: Chain) -> tuple[list[Any], Any]:
    """Statements that run ahead, and the expression that then has the value of `node`."""
    ahead: list[Any] = []

    def replaced(part: Any) -> Any | None:
        match part:
            case tree.TernaryOp() | tree.BinaryOp(op="&&" | "||"):
                return _chosen(part)
            case tree.BinaryOp():
                return _in_order(part)
            case tree.FuncCall() if state.is_inlined(part):
                call = changed(part, args=_arguments(part.args))
                direct = _expression(state, call, chain, ahead)
                if direct is not None:
                    return direct
                kind = state.functions[part.name].returns
                result = state.naming.free(part.name)
                ahead.append(declaration(kind, result, None, part.place))
                ahead.append(block(_inlined(state, call, chain, name(result, kind)), part.place))
                return name(result, kind, part.place)
            case tree.FuncCall():
                return changed(part, args=_arguments(part.args))
        return None

    def _arguments(given: Sequence[Any]) -> list[Any]:
        """Rewrite arguments; loads of one stay ahead of the stores of calls in later ones."""
        made: list[Any] = []
        for one in given:
            before = len(ahead)
            new = rewrite(one, replaced)
            if stores(ahead[before:], state.kept()):
                ahead[before:before] = _loads_ahead(state, made, chain)
            made.append(new)
        return made

    def _in_order(part: Any) -> Any:
        """Rewrite an assignment; loads on its left stay ahead of stores of calls on its right."""
        made, before = [rewrite(part.left, replaced)], len(ahead)
        right = rewrite(part.right, replaced)
        if stores(ahead[before:], state.kept()):
            ahead[before:before] = _loads_ahead(state, made, chain)
        return changed(part, left=made[0], right=right)

    def _chosen(part: Any) -> Any:
        """Of what is computed under a condition, only what needs no statements ahead."""
        first = part.cond if isinstance(part, tree.TernaryOp) else part.left
        new = rewrite(first, replaced)
        if isinstance(part, tree.TernaryOp):
            then, otherwise = (_only(state, one, chain) for one in (part.iftrue, part.iffalse))
            return changed(part, cond=new, iftrue=then, iffalse=otherwise)
        return changed(part, left=new, right=_only(state, part.right, chain))

    return ahead, rewrite(node, replaced)


def _loads_ahead(state: _State, expressions: list[Any], chain: Chain) -> list[Any]:
    """Statements that load what expressions read; these, in place, have variables instead."""
    known, kept = partial(state.declared, chain=chain), state.kept()
    found: list[Any] = []
    for k, one in enumerate(expressions):
        more, expressions[k] = read_ahead(one, kept, known, state.naming.free)
        found += more
    return found


def _only(state: _State, node: Any, chain: Chain) -> Any:
    """An expression with calls replaced, where that takes no statements but declarations."""
    before = set(state.arguments), dict(state.statics), set(state.naming.given)
    ahead, value = _value(state, node, chain)
    if not ahead:
        return value
    state.arguments, state.statics, state.naming.given = before
    return node


def _expression(state: _State, call: Any, chain: Chain, ahead: list[Any]) -> Any | None:
    """The value of a function that only returns an expression, with its arguments put in."""
    function = state.functions[call.name]
    expression, parameters = returned_expression(function), function.parameters
    arguments = call.args
    if expression is None or any(_is_changed(function, one.name) for one in parameters):
        return None
    if passes_structs(function):
        return None
    count = {one.name: 0 for one in parameters}
    for part in nodes_of(expression):
        if isinstance(part, tree.ID) and part.name in count:
            count[part.name] += 1
    chooses = any(
        isinstance(part, tree.TernaryOp) or getattr(part, "op", "") in ("&&", "||")
        for part in nodes_of(expression)
    )
    given: dict[str, Any] = {}
    pointers: list[Any] = []
    for parameter, argument in zip(parameters, arguments, strict=True):
        if isinstance(parameter.type, (Array, Pointer)):
            alias = state.naming.give(parameter.name, chain)
            pointers.append((parameter, alias, argument))
            state.note(alias, function, parameter, argument)
            given[parameter.name] = name(alias, parameter.type)
        elif _is_plain(argument) or (count[parameter.name] == 1 and not chooses):
            given[parameter.name] = _converted(parameter.type, argument)
        else:
            return None
    inside = inlined(expression, function, call)
    chain = chain.into(function)
    new = rewrite(inside, lambda node: _given(node, given))
    for parameter, alias, argument in pointers:
        state.arguments.add(alias)
        kind = rewrite(_pointer(parameter.type), lambda node: _given(node, given))
        const = parameter.const
        ahead.append(declaration(kind, alias, argument, call.place, const=const))
    more, new = _value(state, new, chain)
    ahead += more
    return _converted(function.returns, new)


def _given(node: Any, given: Mapping[str, Any]) -> Any | None:
    match node:
        case tree.ID() if node.name in given:
            return fresh(given[node.name], node.place)
    return None


def _is_plain(node: Any) -> bool:
    """True if an expression reads no memory and has no side effect: it may be computed anywhere."""
    match node:
        case tree.Constant() | tree.ID():
            return True
        case tree.BinaryOp():
            return _is_plain(node.left) and _is_plain(node.right)
        case tree.UnaryOp(op="+" | "-" | "~" | "!"):
            return _is_plain(node.expr)
        case tree.Cast():
            return _is_plain(node.expr)
    return False


def _converted(kind: Type, value: Any) -> Any:
    """A value in the type of a parameter, or of what a function returns."""
    is_int = isinstance(value, tree.Constant) and value.type == INT
    return (
        value if is_int and base_name(kind) == "int" else tree.Cast(value, kind, place=value.place)
    )


# Bodies.


def _inlined(state: _State, call: Any, chain: Chain, result: Any | None) -> list[Any]:
    """The statements of a call; its value, where there is one, goes to the place `result`."""
    function = state.functions[call.name]
    state.calls += 1
    if state.calls > CALL_LIMIT:
        why = f"is one of more than {CALL_LIMIT} calls"
        state.unit.refuse(Refusal.FUNCTION_CALL, call, why, "plan a smaller function")
        return []
    arguments = call.args
    state.copies |= passes_structs(function)
    renamed = state.naming.renamed(function, chain)
    ahead: list[Any] = []
    ready: list[Any] = []
    for parameter, argument in zip(function.parameters, arguments, strict=True):
        more, value = _value(state, argument, chain)
        ahead += more
        kind = rewrite(_pointer(parameter.type), lambda node: with_names(node, renamed))
        new = renamed.get(parameter.name, parameter.name)
        const = parameter.const and isinstance(kind, Pointer)
        ready.append(declaration(kind, new, value, call.place, const=const))
        state.arguments.add(new)
        state.note(new, function, parameter, value)
    body = inlined(function.body, function, call)
    body = rewrite(body, lambda node: with_names(node, renamed))
    items = items_of(rewrite_statements(body, lambda node: _moved_out(state, node)))

    is_struct = isinstance(function.returns, Struct)

    def last(node: Any) -> list[Any]:
        if node.expr is None or result is None:
            return []
        value = node.expr if is_struct else _converted(function.returns, node.expr)
        return [assigned("=", fresh(result, node.place), value, node.place)]

    with suppress(NotStructuredError):  # a return inside a loop stays, and is refused there
        items = ended(items, tree.Return, last)
    chain = chain.into(function).inside(ready)
    return [*ahead, *ready, *_block(state, items, chain)]


def _moved_out(state: _State, node: Any) -> Any | None:
    """Static variables of a callee are one object: declared once, in front."""
    if isinstance(node, tree.Pragma):
        words = node.string.split()
        return [] if words[:1] in (["scop"], ["endscop"]) else None
    if isinstance(node, tree.Decl) and "static" in node.storage:
        state.statics.setdefault(node.name, node)
        return []
    return None


def _pointer(kind: Type) -> Type:
    """The type of a parameter: arrays are pointers there (C99 6.7.5.3), not qualified."""
    return Pointer(kind.element) if isinstance(kind, (Array, Pointer)) else kind


def _is_changed(function: Any, parameter: str) -> bool:
    return parameter in names.assigned_names(function)
