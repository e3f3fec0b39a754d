"""The function that gives a workspace its first state: what static arrays hold at first."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hlsmem.core.errors import InputError, Problem
from hlsmem.emit.c.c_syntax import print_tree, widen, words
from hlsmem.emit.c.folded_arrays import Fold
from hlsmem.emit.c.folded_region import Region, first_state
from hlsmem.program.model import ElementType, Kernel
from hlsmem.read.c.trees import declaration
from hlsmem.read.design_names import RESERVED


def state_folds(folds: Mapping[str, Fold]) -> tuple[Fold, ...]:
    """The folds that keep what they hold from call to call."""
    return tuple(fold for fold in folds.values() if fold.is_state)


def init_name(function: str) -> str:
    """Name of the function that fills state before the first call.

    >>> init_name("fir")
    'fir_ws_init'
    """
    return f"{function}_ws_init"


def init_prototype(function: str, workspace: str) -> str:
    """Its head, without a semicolon."""
    return f"void {init_name(function)}(void *{workspace})"


def init_lines(function: str, region: Region, kernel: Kernel) -> list[str]:
    """The text of the function, with tables of the initial values.

    Raises InputError where arguments of the call decide which elements are kept.
    """
    tables: list[str] = []
    contents: dict[str, Callable[[Sequence[str]], str]] = {}
    for fold in state_folds(region.folds):
        name = fold.array.name
        variable = kernel.variables[name]
        table = f"{RESERVED}{name}_first"
        contents[name] = _element_of(table)
        if variable.members and fold.array.first:
            tables.append(f"static const {_numbers(fold, table)};")
        elif variable.declaration.init is not None and not variable.members:
            tables.append(f"static const {_printed(variable.declaration, table)};")
        else:
            contents[name] = lambda _: "0"
    body = first_state(region, contents)
    _check_arguments(region, kernel, body)
    head = init_prototype(function, region.workspace_name)
    return [*tables, *([""] if tables else []), head, "{", *widen([f"  {x}" for x in body]), "}"]


def _element_of(table: str) -> Callable[[Sequence[str]], str]:
    return lambda subscripts: table + "".join(f"[{one}]" for one in subscripts)


def _printed(given: Any, name: str) -> str:
    return print_tree(declaration(given.type, name, given.init, given.place))


def _numbers(fold: Fold, name: str) -> str:
    """A table of the numbers of one member, which no declaration of the user's has alone."""
    array = fold.array
    extents = "".join(f"[{one}]" for one in array.extents or ())
    values = [
        "".join(f"[{one}]" for one in at) + (" = " if at else "") + number(bits, array.element)
        for at, bits in sorted((array.first or {}).items())
    ]
    return f"{fold.type} {name}{extents} = {{{', '.join(values)}}}"


def number(bits: int, element: ElementType) -> str:
    """A constant of C with the bits of an element.

    >>> number(0xFE, ElementType("int8")), number(0x3FC00000, ElementType("float"))
    ('-2', '0x1.8000000000000p+0f')
    >>> number(1 << 63, ElementType("int64")), number(1 << 63, ElementType("uint64"))
    ('(-9223372036854775807 - 1)', '9223372036854775808u')
    """
    if element.is_float:
        form, suffix = ("<f", "f") if element.bits == 32 else ("<d", "")
        return (
            float(struct.unpack(form, bits.to_bytes(element.bits // 8, "little"))[0]).hex() + suffix
        )
    if not element.is_signed:
        return f"{bits}u"
    value = bits - (1 << element.bits) if bits >> element.bits - 1 else bits
    return f"({value + 1} - 1)" if value == -(1 << 63) else str(value)


def _check_arguments(region: Region, kernel: Kernel, body: Sequence[str]) -> None:
    used = words(body) & (set(region.program.parameters) - set(kernel.macros))
    if used:
        name = state_folds(region.folds)[0].array.name
        place = region.program.arrays[name].source_location
        what = f"which elements of {name!r} are kept depends on {min(used)!r}, given at every call"
        remedy = f"make it a macro, or leave the array outside: arrays.{name}.storage: external"
        raise InputError(Problem(what, remedy, place))
