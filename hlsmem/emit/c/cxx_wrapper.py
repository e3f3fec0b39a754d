"""host/<name>.cpp: the function with the signature that it has in C++, around the C."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from hlsmem.emit.c.c_names import macro
from hlsmem.emit.c.host_workspace import Parts
from hlsmem.program.model import Kernel, KernelBody, Program, SourceFile
from hlsmem.read.c.clang.entry import Given, given_of

_HELD = "hlsmem_{}"


def cxx_files(parts: Parts, program: Program, kernel: Kernel) -> tuple[SourceFile, ...]:
    """The file, where the kernel is C++ and its parameters are numbers, arrays and streams."""
    head = kernel.head
    if head is None or not all(one.is_plain for one in (head, *head.parameters)):
        return ()
    own = [one for one in program.as_read.statements if isinstance(one.body, KernelBody)]
    declared = {name: one.declaration.name for name, one in kernel.variables.items()}
    given = [
        one if one.size is None else replace(one, size=_respelled(one.size, kernel))
        for one in given_of(head, kernel.function, own, declared)
    ]
    signature = _signature(kernel, program, given)
    plain = [one.parameter.stored if one.is_scalar else "void *" for one in given]
    macros = {macro(kernel.name, n): v for n, v in parts.function.macros.items()}
    streams = [one for one in given if one.size is not None]
    call = f"hlsmem_c::{kernel.name}({', '.join(map(_argument, given))})"
    before = [line for one in streams for line in _filled(one)]
    after = [line for one in streams for line in _emptied(one)]
    result = "" if head.returns == "void" else f"const {head.returns} hlsmem_result = "
    back = [] if head.returns == "void" else ["    return hlsmem_result;"]
    text = "\n".join(
        [
            f"/* {parts.title}.",
            f" * As C++ calls it: compile it beside {parts.name}.c, with the vendor's headers. */",
            *(["#include <ap_fixed.h>"] if "fixed<" in signature else []),
            *(["#include <ap_int.h>"] if "int<" in signature else []),
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
            f'extern "C" {head.stored} {kernel.name}({", ".join(plain) or "void"});',
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
    types = {
        one.parameter.type: one.parameter.stored
        for one in given
        if not one.is_scalar and one.parameter.type != one.parameter.stored
    }
    lines = [
        f'static_assert(sizeof({one}) == sizeof({stored}), "C has {one} in {stored}");'
        for one, stored in types.items()
    ]
    return [*lines, ""] if lines else []


def _signature(kernel: Kernel, program: Program, given: Sequence[Given]) -> str:
    words = [_parameter(one, kernel, program) for one in given]
    return f"{kernel.head.returns} {kernel.name}({', '.join(words)})"


def _parameter(given: Given, kernel: Kernel, program: Program) -> str:
    own = given.parameter
    kind = f"const {own.type}" if own.is_constant else own.type
    match own.form:
        case "stream":
            depth = f", {own.depth}" if own.depth else ""
            return f"hls::stream<{own.type}{depth} > &{own.name}"
        case "scalar":
            return f"{kind} {own.name}"
        case "reference":
            return f"{kind} &{own.name}"
        case _:
            return f"{kind} {_array(given, kernel, program)}"


def _array(given: Given, kernel: Kernel, program: Program) -> str:
    """An array, or a pointer to one, with its extents as the program has them, or the user."""
    own = given.parameter
    written = [f"[{one}]" for one in own.extents]
    for name, variable in kernel.variables.items():
        known = program.arrays[name].extents if name in program.arrays else None
        is_own = variable.declaration.name == own.name
        if is_own and known is not None and len(known) == len(written):
            written = [f"[{one}]" for one in known]
    extents = [_respelled(one, kernel) for one in written]
    if own.form == "pointer":
        rest = "".join(extents[1:])
        return f"(*{own.name}){rest}" if rest else f"*{own.name}"
    name = f"(&{own.name})" if own.form == "array reference" else own.name
    return f"{name}{''.join(extents)}"


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
    is_reference = given.parameter.form == "reference"
    return f"(void *)&{given.name}" if is_reference else f"(void *){given.name}"


def _filled(given: Given) -> list[str]:
    """Lines that take what a stream has into memory, or make room for what it gets."""
    held = _HELD.format(given.name)
    lines = [
        f"    {given.parameter.type} *const {held} ="
        f" ({given.parameter.type} *)malloc(({given.size}) * sizeof({given.parameter.type}));",
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
