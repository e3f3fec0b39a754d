"""host/<name>.cpp: the function with the signature that it has in C++, around the C."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pycparser import c_ast

from hlsmem.emit.c.c_names import macro
from hlsmem.emit.c.host_workspace import Parts
from hlsmem.program.model import Kernel, KernelBody, Program, SourceFile
from hlsmem.read.c.cxx.entry import Given, given_of, returned_text, stored_text
from hlsmem.read.c.cxx.references import is_array_reference, is_reference
from hlsmem.read.c.numbers import types_in_sight
from hlsmem.read.c.symbols import Scope, shape_of
from hlsmem.read.c.trees import text_of

_HELD = "hlsmem_{}"


def cxx_files(parts: Parts, program: Program, kernel: Kernel) -> tuple[SourceFile, ...]:
    """The file, where the kernel is C++ and its parameters are numbers, arrays and streams."""
    if kernel.head is None or not _is_plain(kernel.head, types_in_sight(kernel)):
        return ()
    own = [one for one in program.as_read.statements if isinstance(one.body, KernelBody)]
    given = [
        one if one.size is None else replace(one, size=_respelled(one.size, kernel))
        for one in given_of(kernel.head, kernel.function, own)
    ]
    signature = _signature(kernel, program, given)
    returned = returned_text(kernel.head)
    plain = [stored_text(one.type) if one.is_scalar else "void *" for one in given]
    macros = {macro(kernel.name, n): v for n, v in parts.function.macros.items()}
    streams = [one for one in given if one.size is not None]
    call = f"hlsmem_c::{kernel.name}({', '.join(map(_argument, given))})"
    before = [line for one in streams for line in _filled(one)]
    after = [line for one in streams for line in _emptied(one)]
    result = "" if returned == "void" else f"const {returned} hlsmem_result = "
    back = [] if returned == "void" else ["    return hlsmem_result;"]
    text = "\n".join(
        [
            f"/* {parts.title}.",
            f" * As C++ calls it: compile it beside {parts.name}.c, with the vendor's headers. */",
            *(["#include <ap_int.h>"] if "ap_" in signature else []),
            *(["#include <hls_stream.h>"] if streams else []),
            "#include <stdint.h>",
            "#include <stdlib.h>",
            "",
            *(
                line
                for name, value in macros.items()
                for line in (f"#ifndef {name}", f"#define {name} {value}", "#endif", "")
            ),
            *_sizes_of(given),
            "namespace hlsmem_c {",
            f'extern "C" {stored_text(returned)} {kernel.name}({", ".join(plain) or "void"});',
            "}",
            "",
            signature,
            "{",
            *before,
            f"    {result}{call};",
            *after,
            *back,
            "}",
        ]
    )
    return (SourceFile(name=f"host/{parts.name}.cpp", text=text + "\n"),)


def _sizes_of(given: Sequence[Given]) -> list[str]:
    """Tests that elements of ap_int.h are as large as what C has them in."""
    types = dict.fromkeys(one.type for one in given if not one.is_scalar)
    lines = [
        f'static_assert(sizeof({one}) == sizeof({stored}), "C has {one} in {stored}");'
        for one in types
        if (stored := stored_text(one)) != one
    ]
    return [*lines, ""] if lines else []


def _is_plain(head: Any, types: Scope) -> bool:
    """True if C++ names all types of a function without the user's own file."""
    nodes = [*(head.type.args.params if head.type.args else []), head.type]
    kinds = [node.type for node in nodes if isinstance(node, (c_ast.Decl, c_ast.FuncDecl))]
    return all(_is_named(kind, types) for kind in kinds)


def _is_named(kind: Any, types: Scope) -> bool:
    while isinstance(kind, (c_ast.ArrayDecl, c_ast.PtrDecl)):
        kind = kind.type
    names = getattr(getattr(kind, "type", None), "names", None)
    return names is not None and (names == ["void"] or shape_of(kind, types).scalar is not None)


def _signature(kernel: Kernel, program: Program, given: Sequence[Given]) -> str:
    nodes = kernel.head.type.args.params if kernel.head.type.args else []
    nodes = [node for node in nodes if isinstance(node, c_ast.Decl)]
    words = [_parameter(n, g, kernel, program) for n, g in zip(nodes, given, strict=True)]
    return f"{returned_text(kernel.head)} {kernel.name}({', '.join(words)})"


def _parameter(node: Any, given: Given, kernel: Kernel, program: Program) -> str:
    kind = f"const {given.type}" if given.is_constant else given.type
    if given.size is not None:
        return f"{_respelled(given.kind, kernel)} &{node.name}"
    if given.is_scalar:
        return f"{kind} {node.name}"
    if is_reference(node):
        return f"{kind} &{node.name}"
    extents = _extents(node, kernel, program)
    name = f"(&{node.name})" if is_array_reference(node) else node.name
    if isinstance(node.type, c_ast.PtrDecl):
        first, *rest = [f"*{node.name}", *extents[1:]]
        return f"{kind} ({first}){''.join(rest)}" if rest else f"{kind} {first}"
    return f"{kind} {name}{''.join(extents)}"


def _extents(node: Any, kernel: Kernel, program: Program) -> list[str]:
    """The extents of a parameter in C++, as the program has them or as the user wrote them."""
    rank, kind = 0, node.type
    written = []
    while isinstance(kind, (c_ast.ArrayDecl, c_ast.PtrDecl)):
        dim = getattr(kind, "dim", None)
        written.append(f"[{'' if dim is None else text_of(dim)}]")
        rank, kind = rank + 1, kind.type
    for name, variable in kernel.variables.items():
        known = program.arrays[name].extents if name in program.arrays else None
        if variable.declaration.name == node.name and known is not None and len(known) == rank:
            written = [f"[{one}]" for one in known]
    return [_respelled(one, kernel) for one in written]


def _respelled(text: str, kernel: Kernel) -> str:
    """C with the macros of the user as the generated files call them."""
    for name in kernel.macros:
        text = re.sub(rf"\b{re.escape(name)}\b", macro(kernel.name, name), text)
    return text


def _argument(given: Given) -> str:
    if given.size is not None:
        return f"(void *){_HELD.format(given.name)}"
    if given.is_scalar:
        return given.name
    return f"(void *)&{given.name}" if given.is_reference else f"(void *){given.name}"


def _filled(given: Given) -> list[str]:
    """Lines that take what a stream has into memory, or make room for what it gets."""
    held = _HELD.format(given.name)
    lines = [
        f"    {given.type} *const {held} ="
        f" ({given.type} *)malloc(({given.size}) * sizeof({given.type}));",
        f"    if (!{held})",
        "        abort();",
    ]
    if given.is_read:
        lines += [
            f"    for (long i = 0; i < ({given.size}); i++)",
            f"        {held}[i] = {given.name}.read();",
        ]
    return lines


def _emptied(given: Given) -> list[str]:
    held = _HELD.format(given.name)
    lines = [f"    free((void *){held});"]
    if not given.is_read:
        lines[:0] = [
            f"    for (long i = 0; i < ({given.size}); i++)",
            f"        {given.name}.write({held}[i]);",
        ]
    return lines
