"""The two files of the host C: the functions with folded arrays, and their header."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pycparser import c_ast

from hlsmem.emit.c.code import Region, region_lines
from hlsmem.emit.c.folds import Fold, workspace
from hlsmem.emit.c.functions import mixed_elements, network_functions, wrap_lines
from hlsmem.emit.c.guards import Test
from hlsmem.emit.c.scale import Scale
from hlsmem.emit.c.syntax import fold_lines, free_name, helper_lines, widen, words
from hlsmem.plan import Plan
from hlsmem.program import SourceFile

STACK, STATIC, MALLOC = "stack", "static", "malloc"


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """The function that is generated, whatever it was made from.

    `signature` gives its head with a name and further parameters; `call` the arguments that
    pass its parameters on. `before` and `after` are the user's code around the region,
    `original` the unfolded function as a static one, for when the plan does not hold.
    """

    name: str
    parameters: tuple[str, ...]
    signature: Any = field(compare=False)  # (name, extra parameter or None) -> text
    body: Any = field(compare=False)  # lines of the region -> lines of the function's body
    original: tuple[str, ...] | None
    original_name: str
    returns_value: bool
    includes: tuple[str, ...]
    declarations: tuple[str, ...]
    types: tuple[str, ...]
    macros: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Everything the files are made of."""

    name: str
    title: str
    function: Function
    region: Region
    folds: Mapping[str, Fold]
    scale: Scale
    test: Test | None
    plan: Plan
    storage: str
    capacity: int

    @property
    def arguments(self) -> tuple[str, ...]:
        """The parameters, other than macros, that the size of the workspace depends on."""
        used = {
            name
            for fold in workspace(self.folds.values())
            for name in fold.cells.parameters()
            if name not in self.function.macros
        }
        return tuple(name for name in self.scale.parameters if name in used)

    @property
    def bytes_macro(self) -> str:
        return f"{self.function.name.upper()}_WS_BYTES"

    @property
    def bytes_function(self) -> str:
        return f"{self.function.name}_ws_bytes"

    def bytes_name(self) -> str:
        """C for the size of the workspace."""
        if not self.arguments:
            return self.bytes_macro
        return f"{self.bytes_function}({', '.join(self.arguments)})"

    @property
    def falls_back(self) -> bool:
        """Whether the unfolded function must stand by."""
        return self.function.original is not None and (
            self.runs_test or (bool(self.arguments) and self.storage != MALLOC)
        )

    @property
    def runs_test(self) -> bool:
        """Whether the test is made at run time: the preprocessor knows macros only."""
        if self.test is None or self.function.original is None:
            return False
        return not self.scale.symbolic or not self.test.names <= set(self.function.macros)


def source_files(parts: Parts) -> tuple[SourceFile, SourceFile]:
    """host/<name>.c and host/<name>.h."""
    header = _text(_header(parts))
    return (
        SourceFile(name=f"host/{parts.name}.c", text=_text(_source(parts))),
        SourceFile(name=f"host/{parts.name}.h", text=header),
    )


def _text(sections: Iterable[Sequence[str]]) -> str:
    """Sections with an empty line between them; no line ends in spaces."""
    blocks = ["\n".join(line.rstrip() for line in fold_lines(lines)) for lines in sections if lines]
    return "\n\n".join(blocks) + "\n"


def _header(parts: Parts) -> list[list[str]]:
    function = parts.function
    guard = f"HLSMEM_{parts.name.upper()}_H"
    includes = dict.fromkeys([*function.includes, "#include <stddef.h>", "#include <stdint.h>"])
    macros = [
        [f"#ifndef {name}", f"#define {name} {value}", "#endif"]
        for name, value in function.macros.items()
    ]
    return [
        [f"/* {parts.title} */", f"#ifndef {guard}", f"#define {guard}"],
        list(includes),
        *macros,
        list(function.types),
        _size(parts),
        [
            *_workspace_comment(parts),
            function.signature(f"{function.name}_ws", f"void *{parts.region.workspace_name}") + ";",
        ],
        [
            f"/* The same with {_WRAPPERS[parts.storage]}. */",
            function.signature(function.name, None) + ";",
        ],
        ["#endif"],
    ]


def _workspace_comment(parts: Parts) -> list[str]:
    name = parts.region.workspace_name
    if not workspace(parts.folds.values()):
        return [f"/* Needs no memory: {name} may be NULL. */"]
    return [
        f"/* Works in {name}: {parts.bytes_name()} bytes, aligned as by malloc, that no other call",
        " * uses at the same time; nothing is kept in them. */",
    ]


_WRAPPERS = {
    STACK: "the workspace on the stack",
    STATIC: "a static workspace: not reentrant",
    MALLOC: "a workspace from malloc; aborts where there is no memory",
}


def _size(parts: Parts) -> list[str]:
    stored = workspace(parts.folds.values())
    total = " + ".join(fold.bytes() for fold in stored) or "0"
    if not parts.arguments:
        return [f"#define {parts.bytes_macro} ({total})"]
    parameters = ", ".join(f"int64_t {name}" for name in parts.arguments)
    lines = [f"static inline size_t {parts.bytes_function}({parameters})", "{"]
    if parts.test is not None and parts.test.names <= {*parts.arguments, *parts.function.macros}:
        lines += [f"    if ({parts.test.fails})", "        return 0;"]
    return [*lines, f"    return {total};", "}"]


def _source(parts: Parts) -> list[list[str]]:
    function = parts.function
    body = widen(function.body(region_lines(parts.region)))
    wraps = {fold.array.element for fold in parts.folds.values() if fold.wraps}
    sections = [
        [f"/* {parts.title} */", f'#include "{parts.name}.h"'],
        _preprocessor_test(parts),
        list(function.declarations),
    ]
    small: list[list[str]] = []
    if parts.region.program.kernel is None:
        wraps |= {
            a.element
            for a in parts.region.program.arrays.values()
            if f"hlsmem_{a.element.name}(" in str(network_functions(parts.region.program))
        }
        wraps |= mixed_elements(parts.region.program)
        small = network_functions(parts.region.program)
    wrap_functions = [wrap_lines(e) for e in sorted(wraps, key=lambda e: e.name)]
    used = words(body)
    cells = [fold.definition() for fold in workspace(parts.folds.values()) if fold.function in used]
    variables = [list(fold.comment) for fold in parts.folds.values() if fold.is_variable]
    original = list(function.original or ()) if parts.falls_back else []
    folded = _folded_function(parts, body)
    wrapper = _wrapper(parts)
    rest = [*wrap_functions, *small, *cells, *variables, original, folded, wrapper]
    text = "\n".join(line for lines in rest for line in lines)
    system = [f"#include <{h}>" for h, words in _SYSTEM if any(w in text for w in words)]
    known = [line for line in system if line not in function.includes]
    return [sections[0] + (["", *known] if known else []), *sections[1:], helper_lines(text), *rest]


_SYSTEM = (("stdlib.h", ("malloc(", "abort(")), ("string.h", ("memcpy(",)))


def _preprocessor_test(parts: Parts) -> list[str]:
    if parts.test is None or parts.runs_test:
        return []
    return [
        f"#if {parts.test.fails}",
        f'#error "{parts.function.name}: the plan holds for {parts.test.holds} only"',
        "#endif",
    ]


def _folded_function(parts: Parts, body: list[str]) -> list[str]:
    function = parts.function
    lines = [function.signature(f"{function.name}_ws", f"void *{parts.region.workspace_name}"), "{"]
    if parts.runs_test and parts.test is not None:
        lines += _run_original(parts, parts.test.fails)
    return [*lines, *body, "}"]


def _run_original(parts: Parts, test: str) -> list[str]:
    call = f"{parts.function.original_name}({', '.join(parts.function.parameters)})"
    if parts.function.returns_value:
        return [f"    if ({test})", f"        return {call};"]
    return [f"    if ({test}) {{", f"        {call};", "        return;", "    }"]


def _wrapper(parts: Parts) -> list[str]:
    function = parts.function
    stored = workspace(parts.folds.values())
    start = [function.signature(function.name, None), "{"]
    if not stored:
        return [*start, f"    {_call(parts, 'NULL')};", "}"]
    size = parts.bytes_name()
    if parts.storage == MALLOC:
        return [*start, *_malloc_lines(parts, size), "}"]
    capacity = str(parts.capacity) + "u" if parts.arguments else parts.bytes_macro
    union = "    static union {" if parts.storage == STATIC else "    union {"
    space = free_name("workspace", function.parameters)
    lines = [
        union,
        f"        unsigned char bytes[{capacity}];",
        f"        {stored[0].type} aligned;",
        f"    }} {space};",
        "",
    ]
    if parts.arguments:
        lines += _run_original(parts, f"{size} > sizeof {space}")
    return [*start, *lines, f"    {_call(parts, f'&{space}')};", "}"]


def _malloc_lines(parts: Parts, size: str) -> list[str]:
    ask = f"{size} + 1" if parts.arguments else size
    space = free_name("workspace", parts.function.parameters)
    result = free_name("result", parts.function.parameters)
    lines = [
        f"    void *const {space} = malloc({ask});",
        "",
        f"    if ({space} == NULL)",
        "        abort();",
    ]
    call = _call(parts, space)
    if parts.function.returns_value:
        call = call.removeprefix("return ")
        kind = parts.function.signature("", None).split("(")[0].strip()
        lines += [f"    const {kind} {result} = {call};", f"    free({space});"]
        return [*lines, f"    return {result};"]
    return [*lines, f"    {call};", f"    free({space});"]


def _call(parts: Parts, space: str) -> str:
    function = parts.function
    call = f"{function.name}_ws({', '.join([*function.parameters, space])})"
    return f"return {call}" if function.returns_value else call


def is_type(node: Any) -> bool:
    """Whether a file-level declaration only makes types, which the header must have."""
    return isinstance(node, c_ast.Typedef) or (
        isinstance(node, c_ast.Decl)
        and isinstance(node.type, (c_ast.Struct, c_ast.Union, c_ast.Enum))
    )
