"""The pragmas of HLS that hold for a kernel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hlsmem.program.model import (
    Array,
    Pragma,
)
from hlsmem.read.c import tree
from hlsmem.read.c.clang.head import Head
from hlsmem.read.c.kernel_text import KernelText
from hlsmem.read.c.kernel_walk import WalkedKernel
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.pragmas import pragmas_of, with_numbers
from hlsmem.read.c.symbols import (
    IntegerConstant,
    Scope,
    Variable,
    constant_integer,
)
from hlsmem.read.c.trees import nodes_of


def kernel_pragmas(
    text: KernelText,
    found: WalkedKernel,
    arrays: Mapping[Variable, Array],
    values: Mapping[str, int],
) -> tuple[Pragma, ...]:
    """The pragmas of HLS on a kernel, the functions that it calls and its ports, with numbers."""
    first, unit = found.first, found.unit
    pragmas = pragmas_of(
        _used_functions(first, first.function),
        found.seen.region.statements,
        unit.function.name,
        arrays,
        unit.passed,
        text.source,
        found.problems,
    )
    known: dict[str, int | str] = {
        **text.parsed.definitions,
        **_constants(first.file_scope()),
        **values,
    }
    return with_numbers((*_ports(text.head, arrays), *pragmas), known)


def _used_functions(unit: Unit, function: Any) -> list[Any]:
    """A function of a file and those that it calls, by whatever way."""
    known = unit.functions()
    used = {function.name: function}
    pending = [function]
    while pending:
        for node in nodes_of(pending.pop().body):
            name = node.name if isinstance(node, tree.FuncCall) else ""
            if name in known and name not in used:
                used[name] = known[name]
                pending.append(known[name])
    return list(used.values())


def _constants(scope: Scope) -> dict[str, int]:
    """The integer constants of a file, with their values."""
    found = {}
    for name, one in scope.names.items():
        value = one.value if isinstance(one, IntegerConstant) else None
        if isinstance(one, Variable) and one.is_read_only and not one.shape.extents:
            value = constant_integer(one.initial, scope)
        if value is not None:
            found[name] = value
    return found


def _ports(head: Head | None, arrays: Mapping[Variable, Array]) -> list[Pragma]:
    """Pragmas for parameters that are streams in C++: `INTERFACE axis`."""
    names = () if head is None else head.streams
    return [
        Pragma(
            name="INTERFACE",
            options={"axis": ""},
            array=array.name,
            source_location=array.source_location,
        )
        for variable, array in arrays.items()
        if variable.scope == "parameter" and variable.name in names
    ]
