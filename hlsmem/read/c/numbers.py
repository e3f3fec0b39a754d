"""Variables that are constants as the numbers that they are, where C has no name for them.

`const int N = 8;` is no constant expression in C, as it is in C++, and a header does not declare
the variables of its file.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from hlsmem.program.model import Kernel
from hlsmem.read.c import c_ast
from hlsmem.read.c.constants import Constant, constant_value, converted
from hlsmem.read.c.symbols import IntegerConstant, Scope, Variable, declare
from hlsmem.read.c.tree import Number
from hlsmem.read.c.trees import integer, nodes_of, rewrite


def with_numbers(node: Any, scope: Scope, symbolic: Collection[str] = ()) -> Any:
    """An expression without variables that are constants in `scope`; itself where it has none.

    The names of `symbolic` are no constants.
    """
    if not any(_is_variable(part, scope, symbolic) for part in nodes_of(node)):
        return node
    whole = value_in(node, scope, symbolic)
    if whole is not None:
        return _literal(whole, node.coord)

    def replaced(part: Any) -> Any | None:
        if not _is_variable(part, scope, symbolic):
            return None
        value = value_in(part, scope, symbolic)
        return None if value is None else _literal(value, part.coord)

    return rewrite(node, replaced)


def extent(node: Any, scope: Scope, symbolic: Collection[str] = ()) -> Any:
    """The same of an extent, whose type is of no concern."""
    made = with_numbers(node, scope, symbolic)
    whole = value_in(made, scope, symbolic)
    return made if made is node or whole is None else integer(whole[0], node.coord)


def value_at(node: Any, scope: Scope, values: Mapping[str, int]) -> int | None:
    """The value of an expression in which some names have these values."""

    def replaced(part: Any) -> Any | None:
        is_known = isinstance(part, c_ast.ID) and part.name in values
        return integer(values[part.name], part.coord) if is_known else None

    found = None if node is None else value_in(rewrite(node, replaced), scope)
    return None if found is None else found[0]


def value_in(node: Any, scope: Scope, symbolic: Collection[str] = ()) -> Constant | None:
    """The value and type of an expression of constants, variables that are constants included."""

    def named(name: str) -> Constant | None:
        symbol = None if name in symbolic else scope.find(name)
        if isinstance(symbol, IntegerConstant):
            return symbol.value, symbol.type
        if not isinstance(symbol, Variable) or not is_number(symbol):
            return None
        value, kind = value_in(symbol.initial, symbol.home, symbolic), symbol.shape.scalar
        return converted(value, kind) if value and isinstance(kind, Number) else None

    return constant_value(node, named)


def is_number(variable: Variable) -> bool:
    """True if a variable is one integer that keeps the value it is given where it is declared."""
    shape = variable.shape
    is_one = isinstance(shape.scalar, Number) and not shape.extents
    return is_one and variable.is_read_only


def _is_variable(node: Any, scope: Scope, symbolic: Collection[str]) -> bool:
    if not isinstance(node, c_ast.ID) or node.name in symbolic:
        return False
    symbol = scope.find(node.name)
    return isinstance(symbol, Variable) and is_number(symbol)


def _literal(constant: Constant, coord: Any) -> Any:
    """A literal of a value in its type, as operators see it."""
    value, kind = constant[0], constant[1].promoted()
    suffix = f"{'' if kind.signed else 'u'}{'l' if kind.bits == 64 else ''}"
    found = c_ast.Constant("int", f"{abs(value)}{suffix}", coord)
    return c_ast.UnaryOp("-", found, coord) if value < 0 else found


def constants_in_sight(kernel: Kernel) -> Scope:
    """A scope with all constants that declarations of the kernel may use."""
    scope = Scope()
    for node in kernel.declarations:
        declare(node, scope, "file")
    return scope
