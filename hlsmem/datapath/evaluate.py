"""Expressions of C as values, and bodies of functions: every path is computed, and one chosen.

A variable that one branch sets has both values behind it, with the condition between them; what a
branch has returned is kept beside a bit that says whether it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.datapath import arithmetic, floats
from hlsmem.datapath.semantics import (
    Modules,
    Typed,
    UndefinedError,
    absolute,
    binary,
    chosen,
    converted,
    is_true,
    number,
    unary,
    whole_range,
)
from hlsmem.datapath.values import Graph, Value
from hlsmem.read.c import tree
from hlsmem.read.c.c_text import text_of
from hlsmem.read.c.constants import integer_literal
from hlsmem.read.c.operations import assigned
from hlsmem.read.c.tree import INT, LONG, Float, Number
from hlsmem.read.c.trees import integer
from hlsmem.read.c.types import ScalarType, scalar_type

_MAGNITUDES = ("fabs", "fabsf")
_ABSOLUTE = {"abs": INT, "labs": LONG, "llabs": LONG}
_STEPS = 4096
"""Iterations of loops in a function that are written out."""


_REMEDY = "compute with integers of up to 64 bits"
_NAMED = "name one in accelerator.functions, or compute with integers"


class NoCircuitError(Exception):
    """A node that has no circuit: why, where it was written, and what to do."""

    def __init__(self, why: str, node: Any, remedy: str = _REMEDY) -> None:
        super().__init__(why)
        self.why, self.node, self.remedy = why, node, remedy


@contextmanager
def _told(node: Any) -> Iterator[None]:
    """Errors of operators as those of a node."""
    try:
        yield
    except UndefinedError as error:
        raise NoCircuitError(str(error), node, error.remedy) from error
    except floats.NoModuleError as error:
        raise NoCircuitError(str(error), node, _NAMED) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What expressions of a statement may name.

    `element` gives the value of an array's element that a node reads, None where the node is no
    access. `function` gives functions by name, `modules` are those of the user.
    """

    element: Callable[[Any], Typed | None]
    function: Callable[[str], tree.FuncDef | None]
    modules: Modules = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class _Path:
    """What a path through a body has set, and what it has returned.

    `unset` are variables that it has set on some ways alone, with where it was.
    """

    names: Mapping[str, Typed]
    types: Mapping[str, ScalarType]
    has_returned: Value
    result: Typed | None = None
    unset: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Evaluator:
    """Makes the nodes of expressions in a graph."""

    graph: Graph
    sight: Sight

    def expression(self, node: Any, names: Mapping[str, Typed]) -> Typed:
        """Return the value of an expression; NoCircuitError where it has none."""
        with _told(node):
            return self._expression(node, names)

    def stored(self, node: Any, names: Mapping[str, Typed], kind: ScalarType) -> Typed:
        """Return the value of an expression in the type of what takes it."""
        with _told(node):
            return self._as(self._expression(node, names), kind)

    def _expression(self, node: Any, names: Mapping[str, Typed]) -> Typed:
        found = self.sight.element(node)
        if found is not None:
            return found
        match node:
            case tree.ID(name) if name in names:
                return names[name]
            case tree.Constant():
                literal = integer_literal(node)
                if literal is not None:
                    return number(self.graph, *literal)
                real = floats.literal(node)
                if real is not None:
                    return Typed(floats.constant(self.graph, *real), Float(real[1]))
            case tree.UnaryOp("*" | "&" | "p++" | "p--" | "++" | "--"):
                pass
            case tree.UnaryOp(sign, inner):
                return unary(self.graph, sign, self.expression(inner, names))
            case tree.BinaryOp(sign, left, right):
                first, second = (self.expression(one, names) for one in (left, right))
                return binary(self.graph, sign, first, second, self.sight.modules)
            case tree.TernaryOp(condition, one, other):
                test = is_true(self.graph, self.expression(condition, names))
                first, second = (self.expression(own, names) for own in (one, other))
                return chosen(self.graph, test, first, second, self.sight.modules)
            case tree.Cast(inner, named):
                kind = _number_type(named)
                if kind is not None:
                    return self._as(self.expression(inner, names), kind)
            case tree.FuncCall(name, arguments):
                given = [self.expression(one, names) for one in arguments]
                return self._call(node, name, given)
        raise NoCircuitError(f"'{text_of(node, has_few=True)}' has no circuit", node)

    def _call(self, node: Any, name: str, given: Sequence[Typed]) -> Typed:
        if name in _ABSOLUTE and len(given) == 1:
            return absolute(self.graph, given[0], _ABSOLUTE[name])
        if name in self.sight.modules:
            return self._foreign(node, name, given)
        if name in _MAGNITUDES and isinstance(given[0].type, Float):
            size = floats.magnitude(self.graph, given[0].value, given[0].type.bits)
            return Typed(size, given[0].type)
        called = self.sight.function(name)
        if called is None:
            why = f"the function '{name}' has no circuit, and no module is named for it"
            raise NoCircuitError(why, node, _NAMED)
        kind = _number_type(called.returns)
        if kind is None:
            raise NoCircuitError(f"'{name}' does not return a number", node)
        names, types = {}, {}
        for parameter, value in zip(called.parameters, given, strict=True):
            own = _number_type(parameter.type)
            if own is None:
                raise NoCircuitError(f"'{parameter.name}' of '{name}' is no number", node)
            names[parameter.name] = self._as(value, own)
            types[parameter.name] = own
        start = _Path(names, types, self._bit(0))
        end = self._statement(called.body, start)
        if end.result is None:
            raise NoCircuitError(f"'{name}' does not return a value", node)
        return self._as(end.result, kind)

    def _foreign(self, node: Any, name: str, given: Sequence[Typed]) -> Typed:
        """The result of a function that a module of the user's computes."""
        module, called = self.sight.modules[name], self.sight.function(name)
        kinds = [one.type for one in given]
        kind = _number_type(node.type)
        if called is not None:
            own = [_number_type(one.type) for one in called.parameters]
            kinds = [one for one in own if one is not None]
            kind = _number_type(called.returns)
        widths = tuple(one.bits for one in kinds)
        if kind is None or widths != module.operands or kind.bits != module.bits:
            raise NoCircuitError(f"the module of '{name}' has other widths", node, _NAMED)
        operands = tuple(
            self._as(value, own).value for value, own in zip(given, kinds, strict=True)
        )
        result = floats.called(self.graph, module, operands, whole_range(kind))
        return Typed(result, kind)

    def _as(self, one: Typed, kind: ScalarType) -> Typed:
        """A value in another type."""
        return converted(self.graph, one, kind, self.sight.modules)

    def _bit(self, value: int) -> Value:
        return arithmetic.constant(self.graph, value)

    # Bodies of functions.

    def _statement(self, node: Any, path: _Path) -> _Path:
        if path.has_returned.constant == 1:
            return path
        match node:
            case None | tree.EmptyStatement() | tree.Pragma():
                return path
            case tree.Compound(items):
                return self._block(items or (), path)
            case tree.Decl():
                return self._declared(node, path)
            case tree.Assignment():
                return self._assigned(node, path)
            case tree.UnaryOp("p++" | "p--" | "++" | "--", tree.ID()):
                one = integer(1, node.place)
                sign = f"{node.op[-1]}="
                return self._assigned(assigned(sign, node.expr, one, node.place), path)
            case tree.If():
                return self._branch(node, path)
            case tree.For():
                return self._loop(node, path)
            case tree.Return(expression) if expression is not None:
                value = self._read(expression, path)
                return self._returned(path, value)
        raise NoCircuitError("this statement has no circuit", node)

    def _block(self, items: Sequence[Any], path: _Path) -> _Path:
        inner = path
        for one in items:
            inner = self._statement(one, inner)
        declared = {one.name for one in items if isinstance(one, tree.Decl)}
        if not declared:
            return inner
        outer = {name: own for name, own in path.names.items() if name in declared}
        names = {name: own for name, own in inner.names.items() if name not in declared}
        types = {name: own for name, own in inner.types.items() if name not in declared}
        types |= {name: own for name, own in path.types.items() if name in declared}
        unset = {name: own for name, own in inner.unset.items() if name not in declared}
        return _Path(names | outer, types, inner.has_returned, inner.result, unset)

    def _read(self, expression: Any, path: _Path) -> Typed:
        """The value of an expression; refused where a variable is not set on every way."""
        for name, where in path.unset.items():
            if _names(expression, name):
                raise NoCircuitError(f"'{name}' is read, and not set on every way to it", where)
        return self.expression(expression, path.names)

    def _set(self, path: _Path, name: str, value: Typed) -> _Path:
        unset = {own: where for own, where in path.unset.items() if own != name}
        names = {**path.names, name: value}
        return _Path(names, path.types, path.has_returned, path.result, unset)

    def _declared(self, node: Any, path: _Path) -> _Path:
        kind = _number_type(node.type)
        if kind is None:
            raise NoCircuitError(f"'{node.name}' is no number", node)
        types = {**path.types, node.name: kind}
        if node.init is None:
            names = {name: own for name, own in path.names.items() if name != node.name}
            unset = {**path.unset, node.name: node}
            return _Path(names, types, path.has_returned, path.result, unset)
        value = self._as(self._read(node.init, path), kind)
        typed = _Path(path.names, types, path.has_returned, path.result, path.unset)
        return self._set(typed, node.name, value)

    def _assigned(self, node: Any, path: _Path) -> _Path:
        target = node.lvalue
        if not isinstance(target, tree.ID) or target.name not in path.types:
            raise NoCircuitError("only variables of the function are set in one", node)
        value = self._read(node.rvalue, path)
        if node.op != "=":
            with _told(node):
                before = self._read(target, path)
                value = binary(self.graph, node.op[:-1], before, value, self.sight.modules)
        return self._set(path, target.name, self._as(value, path.types[target.name]))

    def _returned(self, path: _Path, value: Typed) -> _Path:
        """A path that returns a value where it had not returned one."""
        result = value
        if path.result is not None:
            result = chosen(self.graph, path.has_returned, path.result, value)
        return _Path(path.names, path.types, self._bit(1), result, path.unset)

    def _branch(self, node: Any, path: _Path) -> _Path:
        test = is_true(self.graph, self._read(node.cond, path))
        if test.constant is not None:
            return self._statement(node.iftrue if test.constant else node.iffalse, path)
        one = self._statement(node.iftrue, path)
        other = self._statement(node.iffalse, path)
        return self._joined(test, one, other, node)

    def _joined(self, test: Value, one: _Path, other: _Path, node: Any) -> _Path:
        """The path behind a branch."""
        has_returned = arithmetic.choose(self.graph, test, one.has_returned, other.has_returned)
        if one.result is None or other.result is None:
            result = one.result or other.result
        else:
            result = chosen(self.graph, test, one.result, other.result)
        # A way that has returned sets nothing for what follows.
        going = [own for own in (one, other) if own.has_returned.constant != 1]
        if len(going) == 1:
            (own,) = going
            return _Path(own.names, own.types, has_returned, result, own.unset)
        names, unset = {}, {**one.unset, **other.unset}
        for name in dict.fromkeys((*one.names, *other.names)):
            if name not in one.names or name not in other.names:
                unset[name] = node
                continue
            first, second = one.names[name], other.names[name]
            value = arithmetic.choose(self.graph, test, first.value, second.value)
            names[name] = Typed(value, first.type)
        unset = {name: where for name, where in unset.items() if name not in names or name in unset}
        return _Path(names, one.types, has_returned, result, unset)

    def _loop(self, node: Any, path: _Path) -> _Path:
        """A loop whose condition is a constant in every iteration, written out."""
        declared = node.init.decls if isinstance(node.init, tree.DeclList) else ()
        first = declared or ([node.init] if node.init is not None else [])
        for one in first:
            path = self._statement(one, path)
        for _ in range(_STEPS):
            test = is_true(self.graph, self._read(node.cond, path)) if node.cond else self._bit(1)
            if test.constant is None:
                raise NoCircuitError("how often this loop runs depends on values", node)
            if not test.constant or path.has_returned.constant == 1:
                hidden = {one.name for one in declared}
                names = {name: own for name, own in path.names.items() if name not in hidden}
                return _Path(names, path.types, path.has_returned, path.result, path.unset)
            path = self._statement(node.stmt, path)
            path = self._statement(node.next, path)
        raise NoCircuitError(f"this loop runs more than {_STEPS} times", node)


def _number_type(kind: tree.Type) -> ScalarType | None:
    """The number that a type is; of integers also one of 128 bits. None for others."""
    if isinstance(kind, Number) and not kind.is_bool:
        return Number(kind.bits, kind.signed)
    return scalar_type(kind)


def _names(node: Any, name: str) -> bool:
    if isinstance(node, tree.ID):
        return bool(node.name == name)
    return any(_names(part, name) for part in node)
