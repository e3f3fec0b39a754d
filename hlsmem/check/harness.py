"""The C program that calls a kernel once with pseudo-random inputs and writes what it leaves.

The same program is linked with the original and with the generated C. It calls both without
their prototypes: arrays go as void *, which every system that compilers here support allows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from pycparser import c_ast

from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program import ElementType, Kernel, Program
from hlsmem.read.c.symbols import FloatType, IntegerType, ScalarType, Scope, shape_of
from hlsmem.read.c.typedefs import types_in_sight

_UNKNOWN_ELEMENTS = 1 << 16


class NotCallable(Exception):
    """The kernel cannot be called by a program that knows only its syntax tree; says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """An array of `extents` elements (at least one), or a value: a parameter or a random one."""

    name: str
    type: str
    extents: tuple[int, ...] | None = None
    value: int | None = None

    @property
    def is_array(self) -> bool:
        return self.extents is not None

    @property
    def elements(self) -> int:
        return prod(self.extents or ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Interface:
    """A function as the harness calls it; `result` is the C type it returns, or None."""

    function: str
    arguments: tuple[Argument, ...]
    result: str | None = None

    @property
    def arrays(self) -> tuple[Argument, ...]:
        return tuple(argument for argument in self.arguments if argument.is_array)


def kernel_interface(program: Program, kernel: Kernel, values: Mapping[str, int]) -> Interface:
    """How to call the function of a kernel with its parameters at `values`.

    Raises NotCallable.
    """
    types = types_in_sight(kernel)
    declaration = kernel.function.decl
    nodes = declaration.type.args.params if declaration.type.args else []
    arguments = tuple(
        _argument(program, node, types, values) for node in nodes if isinstance(node, c_ast.Decl)
    )
    returned = shape_of(declaration.type.type, types)
    is_void = getattr(getattr(declaration.type.type, "type", None), "names", None) == ["void"]
    if not is_void and (returned.scalar is None or returned.extents):
        raise NotCallable(f"{kernel.name} returns something other than a number")
    result = None if is_void or returned.scalar is None else _c_type(returned.scalar)
    return Interface(function=kernel.name, arguments=arguments, result=result)


def _argument(program: Program, node: Any, types: Scope, values: Mapping[str, int]) -> Argument:
    shape = shape_of(node.type, types)
    if shape.scalar is None:
        raise NotCallable(f"the parameter {node.name!r} is {shape.reason}")
    kind = _c_type(shape.scalar)
    if not shape.extents:
        return Argument(name=node.name, type=kind, value=values.get(node.name))
    return Argument(name=node.name, type=kind, extents=_extents(program, node.name, values))


def _extents(program: Program, name: str, values: Mapping[str, int]) -> tuple[int, ...]:
    """The extents at `values`: as declared, else as far as the program reaches."""
    array = program.arrays.get(name)
    if array is None:
        return (_UNKNOWN_ELEMENTS,)
    if array.extents is not None:
        return tuple(max(1, extent.evaluate(values)) for extent in array.extents) or (1,)
    if len(array.index) != 1:
        raise NotCallable(f"nothing declares the extents of {name!r}")
    reach = 0
    for statement in program.statements:
        for access in (*statement.reads, *statement.writes):
            if access.array == name:
                relation = access.relation.intersect_domain(statement.domain)
                elements = fix_parameters(relation.range(), values)
                if not elements.is_empty():
                    reach = max(reach, _greatest(elements))
    return (reach + 1,)


def _greatest(elements: Any) -> int:
    value = elements.dim_max_val(0) if elements.dim(DimType.set) else None
    return 0 if value is None or not value.is_int() else int(value.to_python())


def network_interface(
    program: Program, given: tuple[str, ...], values: Mapping[str, int]
) -> Interface:
    """How to call the function of a network: the arrays it is given, in order."""
    arguments = []
    for name in given:
        array = program.arrays[name]
        if array.extents is None:
            raise NotCallable(f"nothing declares the extents of {name!r}")
        extents = tuple(max(1, extent.evaluate(values)) for extent in array.extents) or (1,)
        arguments.append(Argument(name=name, type=storage_type(array.element), extents=extents))
    return Interface(function=program.name, arguments=tuple(arguments))


def storage_type(element: ElementType) -> str:
    """The least C type that holds every value of an element."""
    if element.is_float:
        return element.name
    width = min(w for w in (8, 16, 32, 64) if w >= element.bits)
    return f"{'' if element.is_signed else 'u'}int{width}_t"


def _c_type(scalar: ScalarType) -> str:
    match scalar:
        case FloatType(32):
            return "float"
        case FloatType():
            return "double"
        case IntegerType(1, _):
            return "_Bool"
        case IntegerType(bits, signed):
            return f"{'' if signed else 'u'}int{bits}_t"


def numpy_type(kind: str) -> np.dtype[Any]:
    """The numpy type of a C type of the harness."""
    names = {"float": "float32", "double": "float64", "_Bool": "uint8"}
    return np.dtype(names.get(kind, kind.removesuffix("_t")))


def harness(interface: Interface) -> str:
    """The text of the program: `program OUTPUT SEED [ws]`.

    It writes the bytes of all arrays, then of the result, to OUTPUT. With `ws` it calls the
    entry with a workspace. Exit status 3: something wrote past the ends of what stderr names.
    """
    call = ", ".join(f"given_{argument.name}" for argument in interface.arguments)
    types = ", ".join("void *" if a.is_array else a.type for a in interface.arguments)
    result = interface.result
    back = f"{result} " if result else "void "
    start = f"{result} result = " if result else ""
    entry = f"{interface.function}_ws"
    lines = [
        _PRELUDE,
        f"extern {back}{interface.function}({types or 'void'});",
        "#ifdef HLSMEM_WITH_WORKSPACE",
        f"extern {back}{entry}({types}{', ' if types else ''}void *);",
        "extern size_t hlsmem_workspace_bytes(void);",
        "#endif",
        "",
        "int main(int argc, char **argv)",
        "{",
        "    uint64_t state = 88172645463325252u ^ (uint64_t)strtoul(argv[2], NULL, 10) << 32;",
        *(line for argument in interface.arguments for line in _make(argument)),
        f"    {result} result = 0;" if result else "",
        "    if (argc < 4) {",
        f"        {'result = ' if start else ''}{interface.function}({call});",
        "    } else {",
        "#ifdef HLSMEM_WITH_WORKSPACE",
        "        const size_t bytes = hlsmem_workspace_bytes();",
        "        unsigned char *const ws = block(bytes);",
        "        memset(ws, 0xa5, bytes);",
        f"        {'result = ' if start else ''}{entry}({call}{', ' if call else ''}ws);",
        '        inspect("the workspace", ws, bytes);',
        "#endif",
        "    }",
        '    FILE *const file = fopen(argv[1], "wb");',
        *(line for array in interface.arrays for line in _keep(array)),
        "    fwrite(&result, sizeof result, 1, file);" if result else "",
        "    return fclose(file) != 0;",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _make(argument: Argument) -> list[str]:
    name, kind = f"given_{argument.name}", argument.type
    if not argument.is_array:
        value = f"({kind}){argument.value}" if argument.value is not None else _random(kind)
        return [f"    {kind} {name} = {value};"]
    return [
        f"    {kind} *const {name} = block({argument.elements}u * sizeof({kind}));",
        f"    for (size_t i = 0; i < {argument.elements}u; i++)",
        f"        {name}[i] = {_random(kind)};",
    ]


def _random(kind: str) -> str:
    """A small value: sums and products of a few stay in range, shifts by it are not asked for."""
    if kind in ("float", "double"):
        return f"({kind})small(&state, -1000, 1000) / 8"
    if kind == "_Bool":
        return "(_Bool)small(&state, 0, 1)"
    greatest = 1000 if "8" not in kind else (255 if kind.startswith("u") else 127)
    least = 0 if kind.startswith("u") else -greatest
    return f"({kind})small(&state, {least}, {greatest})"


def _keep(array: Argument) -> list[str]:
    size = f"{array.elements}u * sizeof({array.type})"
    return [
        f'    inspect("{array.name}", given_{array.name}, {size});',
        f"    fwrite(given_{array.name}, 1, {size}, file);",
    ]


_PRELUDE = """\
#undef main
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Under a sanitizer blocks have their exact size; else bytes around them are watched. */
#ifndef HLSMEM_GUARD
#define HLSMEM_GUARD 256
#endif

static void *block(size_t bytes)
{
    unsigned char *const start = malloc(bytes + 2 * HLSMEM_GUARD + 1);

    if (start == NULL)
        exit(4);
    memset(start, 0xc3, bytes + 2 * HLSMEM_GUARD);
    return start + HLSMEM_GUARD;
}

static void inspect(const char *name, const void *block, size_t bytes)
{
    const unsigned char *const start = block;

    for (size_t i = 0; i < HLSMEM_GUARD; i++) {
        if (start[bytes + i] != 0xc3 || *(start - 1 - i) != 0xc3) {
            fprintf(stderr, "%s\\n", name);
            exit(3);
        }
    }
}

static int64_t small(uint64_t *state, int64_t least, int64_t greatest)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    const uint64_t drawn = *state * 2685821657736338717u >> 33;
    return least + (int64_t)(drawn % (uint64_t)(greatest - least + 1));
}
"""
