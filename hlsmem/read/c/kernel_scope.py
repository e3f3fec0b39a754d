"""The names that are known where the region of a kernel begins, and their types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hlsmem.read.c import names, tree
from hlsmem.read.c.parsed_file import ParsedFile
from hlsmem.read.c.symbols import (
    Function,
    IntegerConstant,
    Parameter,
    Scope,
    Variable,
    declare,
)
from hlsmem.read.c.syntax import Region
from hlsmem.read.c.tree import INT, Number
from hlsmem.read.c.types import scalar_type


def headers_of(parsed: ParsedFile) -> Scope:
    """The parameters that are macros."""
    return Scope(names={name: Parameter(name) for name in parsed.macros})


def with_arguments(headers: Scope, function: Any, known: Mapping[str, int]) -> Scope:
    """The names with those of integer parameters of the function that are `known`, as constants.

    They are behind all declarations: a scope that has the parameter itself has no constant.
    """
    changed_names = names.assigned_names(function.body)
    for node in function.parameters:
        kind = scalar_type(node.type) if node.name in known else None
        if isinstance(kind, Number) and node.name not in changed_names:
            headers.names[node.name] = IntegerConstant(known[node.name], kind)
    return headers


def surroundings(
    root: Any,
    region: Region,
    parsed: ParsedFile,
    parameters: tuple[str, ...],
    known: Mapping[str, int],
) -> tuple[Scope, list[Variable]]:
    """The names known where the region begins, and the variables among them in order.

    Parameters that are `known` are constants.
    """
    found: list[Variable | None] = []
    headers = headers_of(parsed)
    headers.names.update(
        (name, IntegerConstant(value)) for name, value in known.items() if name in headers.names
    )
    scope = Scope(headers, is_file=True)
    for node in root.ext:
        if node is region.function:
            break
        if isinstance(node, tree.FuncDef):
            scope.names[node.name] = Function(node.name, node)
        else:
            found.append(declare(node, scope, "file"))
    scope.names[region.function.name] = Function(region.function.name, region.function)
    scope = scope.inner()
    found += [declare(node, scope, "parameter") for node in region.function.parameters]
    for block in region.enclosing:
        if isinstance(block, tree.Compound):
            scope = scope.inner()
            items = block.block_items
            last = region.start if block is region.parent else _position(items, region)
            found += [declare(item, scope, "local") for item in items[:last]]
        elif isinstance(block, tree.For) and isinstance(block.init, tree.DeclList):
            scope = scope.inner()
            found += [declare(item, scope, "local") for item in block.init.decls]
    variables = [variable for variable in found if variable is not None]
    return scope, [v for v in variables if not _made_symbolic(v, parameters, known)]


def _position(items: Sequence[Any], region: Region) -> int:
    around = set(map(id, region.enclosing))
    return next((i for i, item in enumerate(items) if id(item) in around), len(items))


def _made_symbolic(
    variable: Variable, parameters: tuple[str, ...], known: Mapping[str, int]
) -> bool:
    """Turn an integer that params names into a parameter, one that is `known` into a constant."""
    shape = variable.shape
    plain = isinstance(shape.scalar, Number) and not shape.extents
    if variable.name not in parameters or not plain:
        return False
    assert isinstance(shape.scalar, Number)
    value = known.get(variable.name)
    variable.home.names[variable.name] = (
        Parameter(variable.name, shape.scalar)
        if value is None
        else IntegerConstant(value, shape.scalar)
    )
    return True


def narrow_types(scope: Scope, parameters: Iterable[str]) -> dict[str, Number]:
    """The types of parameters that have less than 32 bits; a truth may be any number but 0."""
    symbols = {name: scope.find(name) for name in parameters}
    types = {name: one.type for name, one in symbols.items() if isinstance(one, Parameter)}
    return {name: one for name, one in types.items() if 1 < one.bits < INT.bits}
