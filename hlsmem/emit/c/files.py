"""The two files of the host C: the functions with folded arrays, and their header."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

from pycparser import c_ast

from hlsmem.emit.c.alignment import LINE, alignment_helpers
from hlsmem.emit.c.apart import Apart
from hlsmem.emit.c.code import Region, region_lines
from hlsmem.emit.c.entries import PLAIN, Entry
from hlsmem.emit.c.folds import Cells, Fold, total_bytes, workspace
from hlsmem.emit.c.functions import mixed_elements, network_functions, wrap_lines
from hlsmem.emit.c.guards import Test
from hlsmem.emit.c.heads import Heads
from hlsmem.emit.c.names import KEYWORD_RESTRICT, apart_from, respelled, restrict, spelling
from hlsmem.emit.c.state import init_name, init_prototype, state_folds
from hlsmem.emit.c.syntax import fold_lines, helper_lines, widen, words
from hlsmem.emit.c.vectors import vector_helpers
from hlsmem.emit.c.versions import Profile, Version
from hlsmem.emit.c.wrapper import Memory, Wrapper, limit_lines, return_early
from hlsmem.program import SourceFile
from hlsmem.shape.scale import Scale
from hlsmem.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """The function that is generated, whatever it was made from.

    `heads` gives its heads with a name and a further parameter, `test_heads` those of a function of
    the same parameters that says 0 or 1; `body` its lines around those
    of the region, `original` the unfolded function as a static one, for when the plan does not
    hold. `returned` is the type of its result, "" where it has none. `declarations` gives what a
    text with some names needs of the file, `statics` are variables in front of the functions.
    `types` are declarations that the header repeats, with the names `type_names`. `needs_c` says
    that its text has arrays of run-time extents, which C++ has not.
    """

    name: str
    parameters: tuple[str, ...]
    heads: Callable[[str, str | None], Heads] = field(compare=False)
    test_heads: Callable[[str], Heads] = field(compare=False)
    body: Any = field(compare=False)  # lines of the region -> lines of the function's body
    original: tuple[str, ...] | None
    original_name: str
    returned: str
    includes: tuple[str, ...]
    declarations: Callable[[Collection[str]], tuple[str, ...]] = field(compare=False)
    statics: tuple[str, ...]
    types: tuple[str, ...]
    type_names: tuple[str, ...]
    macros: Mapping[str, int]
    needs_c: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Everything the files are made of; `state` is the function that gives a first state."""

    name: str
    title: str
    function: Function
    region: Region
    folds: Mapping[str, Fold]
    scale: Scale
    test: Test | None
    cells: Cells
    memory: Memory
    stack_bytes: int
    capacity: int
    apart: Apart | None = None
    versions: tuple[Version, ...] = ()
    profile: Profile | None = None
    entries: tuple[Entry, ...] = (PLAIN,)
    state: tuple[str, ...] = ()

    @property
    def keeps_state(self) -> bool:
        return bool(state_folds(self.folds))

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
    def stack_macro(self) -> str:
        return f"{self.function.name.upper()}_STACK_BYTES"

    @property
    def bytes_function(self) -> str:
        return f"{self.function.name}_ws_bytes"

    def bytes_name(self) -> str:
        """C for the size of the workspace."""
        if not self.arguments:
            return self.bytes_macro
        return f"{self.bytes_function}({', '.join(self.arguments)})"

    @property
    def words(self) -> Mapping[str, str]:
        """How names of the program are spelled in the files."""
        function = self.function
        return spelling(function.name, function.macros, function.type_names)

    @property
    def bytes_signature(self) -> str:
        parameters = ", ".join(f"int64_t {name}" for name in self.arguments) or "void"
        return f"size_t {self.bytes_function}({parameters})"

    def total(self) -> str:
        """C for the size of the workspace."""
        return total_bytes(workspace(self.folds.values()))

    @property
    def falls_back(self) -> bool:
        """Whether the unfolded function must stand by."""
        return self.function.original is not None and (
            self.runs_test
            or self.apart is not None
            or (bool(self.arguments) and self.memory in (Memory.STACK, Memory.STATIC))
        )

    @property
    def runs_test(self) -> bool:
        """Whether the test is made at run time: the preprocessor knows macros only."""
        if self.test is None:
            return False
        is_of_macros = self.test.names <= set(self.function.macros)
        if self.function.original is None:
            return not is_of_macros
        return not self.scale.symbolic or not is_of_macros


_BOOL = "#include <stdbool.h>"


def source_files(parts: Parts) -> tuple[SourceFile, SourceFile]:
    """host/<name>.c and host/<name>.h."""
    body, head = _text(_source(parts)), _text(_header(parts))
    if "_Bool" in body and _BOOL not in head:
        own = f'#include "{parts.name}.h"'
        body = body.replace(own, f"{own}\n{_BOOL}", 1)
    source, header = (respelled(text, parts.words) for text in (body, head))
    return (
        SourceFile(name=f"host/{parts.name}.c", text=source),
        SourceFile(name=f"host/{parts.name}.h", text=header),
    )


def _text(sections: Iterable[Sequence[str]]) -> str:
    """Sections with an empty line between them; no line ends in spaces."""
    blocks = ["\n".join(line.rstrip() for line in fold_lines(lines)) for lines in sections if lines]
    return "\n\n".join(blocks) + "\n"


def _header(parts: Parts) -> list[list[str]]:
    function = parts.function
    guard = f"{parts.name.upper()}_HLSMEM_H"
    includes = dict.fromkeys([*function.includes, "#include <stddef.h>", "#include <stdint.h>"])
    declared = [list(function.types), _bytes_lines(parts)]
    if parts.keeps_state:
        space = parts.region.workspace_name
        declared.append(
            [
                f"/* Puts into {space} what static variables hold at first: before any call. */",
                f"{init_prototype(parts.function.name, space)};",
            ]
        )
    if parts.apart is not None:
        declared.append([*parts.apart.comment(), *_apart_heads(parts, parts.apart).prototype()])
    for entry in parts.entries:
        folded, wrapper = heads_of(parts, entry)
        comment = entry.comment or _workspace_comment(parts)
        declared += [
            [*comment, *folded.prototype()],
            [f"/* The same with {parts.memory.text}. */", *wrapper.prototype()],
        ]
    text = "\n".join(line for lines in declared for line in lines)
    return [
        [f"/* {parts.title} */", f"#ifndef {guard}", f"#define {guard}"],
        [*includes, *([_BOOL] if "_Bool" in text else [])],
        *_macros(function),
        *(_restrict_lines(function) if "restrict" in text else []),
        ["#ifdef __cplusplus", 'extern "C" {', "#endif"],
        *declared,
        ["#ifdef __cplusplus", "}", "#endif"],
        ["#endif"],
    ]


def _macros(function: Function) -> list[list[str]]:
    return [
        [f"#ifndef {name}", f"#define {name} {value}", "#endif"]
        for name, value in function.macros.items()
    ]


def _restrict_lines(function: Function) -> list[list[str]]:
    name = restrict(function.name)
    return [
        [
            "#ifdef __cplusplus",
            f"#define {name} __restrict",
            "#else",
            f"#define {name} {KEYWORD_RESTRICT}",
            "#endif",
        ]
    ]


def _workspace_comment(parts: Parts) -> list[str]:
    name = parts.region.workspace_name
    if not workspace(parts.folds.values()):
        return [f"/* Needs no memory: {name} may be NULL. */"]
    kept = "nothing is kept in them"
    if parts.keeps_state:
        kept = f"{init_name(parts.function.name)}() comes first, and state is kept in them"
    return [
        f"/* Works in {name}: {parts.bytes_name()} bytes, aligned as by malloc, at best to {LINE},",
        f" * that no other call uses at the same time; {kept}. */",
    ]


def _bytes_lines(parts: Parts) -> list[str]:
    macro = [] if parts.arguments else [f"#define {parts.bytes_macro} ({parts.total()})"]
    return ["/* The bytes of the workspace. */", f"{parts.bytes_signature};", *macro]


def _source(parts: Parts) -> list[list[str]]:
    function = parts.function
    bodies = [
        widen(function.body(region_lines(parts.region, one.loops and one.loops())))
        for one in parts.entries
    ]
    wraps = {fold.array.element for fold in parts.folds.values() if fold.wraps}
    sections = [
        [f"/* {parts.title} */", f'#include "{parts.name}.h"'],
        _language_test(parts),
        _preprocessor_test(parts),
        [
            line
            for one in parts.versions
            for line in function.heads(f"{function.name}{one.suffix}", None).prototype()
        ],
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
    wrap_functions = [
        apart_from(function.macros, wrap_lines(e)) for e in sorted(wraps, key=lambda e: e.name)
    ]
    called = words(line for body in bodies for line in body)
    stored = workspace(parts.folds.values())
    arrays = [one for one in parts.folds.values() if one.is_local and not one.is_variable]
    cells = [fold.definition() for fold in (*stored, *arrays) if fold.function in called]
    variables = [list(fold.comment) for fold in parts.folds.values() if fold.is_variable]
    original = list(function.original or ()) if parts.falls_back else []
    own = [list(lines) for entry in parts.entries for lines in entry.helpers]
    rest = [*wrap_functions, *small, *cells, *variables, *own, original]
    rest += [_bytes_function(parts), list(parts.state)]
    if parts.profile is not None:
        rest.append(parts.profile.definition())
    if parts.apart is not None:
        rest.append(_apart_function(parts, parts.apart))
    for entry, body in zip(parts.entries, bodies, strict=True):
        rest += [_folded_function(parts, entry, body), _wrapper(parts, entry)]
    text = "\n".join(line for lines in rest for line in lines)
    system = [f"#include <{h}>" for h, words in _SYSTEM if any(w in text for w in words)]
    known = [line for line in system if line not in function.includes]
    helpers = [
        apart_from(function.macros, lines)
        for lines in (helper_lines(text), *vector_helpers(text), *alignment_helpers(text))
        if lines
    ]
    if parts.stack_macro in text:
        held = parts.capacity if parts.arguments else parts.stack_bytes
        helpers.append(limit_lines(parts.stack_macro, held))
    before, *tests, versions = sections
    used = words([_COMMENT.sub("", text), *function.statics])
    declared = [*function.declarations(used), *function.statics]
    first = before + (["", *known] if known else [])
    return [first, *tests, declared, versions, *helpers, *rest]


_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_SYSTEM = (("stdlib.h", ("malloc(", "abort(")), ("string.h", ("memcpy(",)))


def _preprocessor_test(parts: Parts) -> list[str]:
    if parts.test is None or parts.runs_test:
        return []
    return [
        f"#if {parts.test.fails}",
        f'#error "{parts.function.name}: the plan holds for {parts.test.holds} only"',
        "#endif",
    ]


def _language_test(parts: Parts) -> list[str]:
    if not parts.function.needs_c:
        return []
    text = "parameters of run-time extents need a C compiler; its header serves C++"
    return ["#ifdef __cplusplus", f'#error "{parts.name}.c: {text}"', "#endif"]


def heads_of(parts: Parts, entry: Entry) -> tuple[Heads, Heads]:
    """The heads of the function that works in a given workspace, and of the one with its own."""
    function, name = parts.function, f"{parts.function.name}{entry.suffix}"
    # Without `restrict` arguments might be the workspace, and compilers leave loops as written.
    pointer = "void *restrict " if workspace(parts.folds.values()) else "void *"
    space = ", ".join([f"{pointer}{parts.region.workspace_name}", *entry.parameters])
    return (
        function.heads(f"{name}_ws", space),
        function.heads(name, ", ".join(entry.parameters) or None),
    )


def _folded_function(parts: Parts, entry: Entry, body: list[str]) -> list[str]:
    function = parts.function
    lines = [*heads_of(parts, entry)[0].lines(), "{"]
    given = entry.arguments if function.original else (*function.parameters, *entry.arguments)
    lines += [f"    (void){name};" for name in given if name not in words(body)]
    if parts.profile is not None and entry is PLAIN:
        lines += parts.profile.call()
    for one in parts.versions if entry is PLAIN else ():
        call = f"{function.name}{one.suffix}({', '.join(function.parameters)})"
        lines += return_early(one.test, call, function.returned)
    fails = [parts.test.fails] if parts.runs_test and parts.test is not None else []
    if parts.apart is not None:
        fails.append(f"!{parts.apart.name(function.name)}({', '.join(function.parameters)})")
    if fails and function.original is None:
        lines += [f"    if ({' || '.join(fails)})", "        abort();"]
    elif fails:
        lines += return_early(" || ".join(fails), _original_call(parts), function.returned)
    return [*lines, *body, "}"]


def _apart_heads(parts: Parts, apart: Apart) -> Heads:
    return parts.function.test_heads(apart.name(parts.function.name))


def _apart_function(parts: Parts, apart: Apart) -> list[str]:
    lines = [*_apart_heads(parts, apart).lines(), *apart.body()]
    used = words(lines[lines.index("{") :])
    unused = [f"    (void){name};" for name in parts.function.parameters if name not in used]
    return [*lines[: lines.index("{") + 1], *unused, *lines[lines.index("{") + 1 :]]


def _original_call(parts: Parts) -> str:
    return f"{parts.function.original_name}({', '.join(parts.function.parameters)})"


def _bytes_function(parts: Parts) -> list[str]:
    lines = [parts.bytes_signature, "{"]
    known = {*parts.arguments, *parts.function.macros}
    if parts.arguments and parts.test is not None and parts.test.names <= known:
        lines += [f"    if ({parts.test.fails})", "        return 0;"]
    return [*lines, f"    return {parts.total() if parts.arguments else parts.bytes_macro};", "}"]


def _wrapper(parts: Parts, entry: Entry) -> list[str]:
    function = parts.function
    name = f"{function.name}{entry.suffix}"
    stored = workspace(parts.folds.values())
    head = heads_of(parts, entry)[1].lines()
    call = f"{name}_ws({', '.join([*function.parameters, '{space}', *entry.arguments])})"
    if not stored:
        text = call.format(space="NULL")
        return [*head, "{", f"    return {text};" if function.returned else f"    {text};", "}"]
    return Wrapper(
        name=name,
        head=tuple(head),
        call=call,
        returned=function.returned,
        size=parts.bytes_name(),
        fixed=not parts.arguments,
        constant=not any(fold.cells.parameters() for fold in stored),
        aligned=stored[0].type,
        capacity=parts.capacity,
        stack_bytes=parts.stack_bytes,
        limit=parts.stack_macro,
        memory=parts.memory,
        begins=f"{init_name(function.name)}(&{{space}});" if parts.keeps_state else "",
        original=_original_call(parts) if function.original is not None else "",
        taken=frozenset({*function.parameters, *function.macros, *entry.arguments}),
    ).lines()


def is_type(node: Any) -> bool:
    """Whether a file-level declaration only makes types, which the header must have."""
    return isinstance(node, c_ast.Typedef) or (
        isinstance(node, c_ast.Decl)
        and isinstance(node.type, (c_ast.Struct, c_ast.Union, c_ast.Enum))
    )
