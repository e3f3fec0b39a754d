"""The two files of the host C: the functions with folded arrays, and their header."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from hlsmem.emit.c.alignment import LINE, NOT_INLINE, alignment_helpers
from hlsmem.emit.c.c_names import KEYWORD_RESTRICT, apart_from, respelled, restrict
from hlsmem.emit.c.c_syntax import fold_lines, helper_lines, widen, words
from hlsmem.emit.c.c_wrapper import Wrapper, limit_lines, return_early
from hlsmem.emit.c.entries import PLAIN, Entry, Heads
from hlsmem.emit.c.first_state import init_name, init_prototype
from hlsmem.emit.c.folded_region import region_lines
from hlsmem.emit.c.host_workspace import Function, Parts
from hlsmem.emit.c.overlap_test import Apart
from hlsmem.emit.c.small_functions import mixed_elements, network_functions, wrap_lines
from hlsmem.emit.c.vector_pragmas import vector_helpers
from hlsmem.program.model import ElementType, Program, SourceFile

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
    declared = [list[str](function.types), _bytes_lines(parts), _overlap_lines(parts)]
    if parts.keeps_state:
        space = parts.region.workspace_name
        declared.append(
            [
                f"/* Puts into {space} what static variables hold at first: before any call. */",
                f"{init_prototype(parts.function.name, space)};",
            ]
        )
    if parts.apart is not None:
        said = parts.apart.comment(parts.overlap == "stop")
        declared.append([*said, *_apart_heads(parts, parts.apart).prototype()])
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
    if not parts.has_memory:
        return [f"/* Needs no memory: {name} may be NULL. */"]
    kept = "nothing is kept in them"
    if parts.keeps_state:
        kept = f"{init_name(parts.function.name)}() comes first, and state is kept in them"
    return [
        f"/* Works in {name}: {parts.bytes_name()} bytes, aligned as by malloc, at best to {LINE},",
        f" * that no other call uses at the same time; {kept}. */",
    ]


def _bytes_lines(parts: Parts) -> list[str]:
    lines = ["/* The bytes of the workspace. */", f"{parts.bytes_signature};"]
    if not parts.arguments:
        lines.append(f"#define {parts.bytes_macro} ({parts.total()})")
        if parts.total() != parts.own_total():
            lines += ["/* Those of the folded arrays alone. */"]
            lines += [f"#define {parts.cells_macro} ({parts.own_total()})"]
    return lines


def _overlap_lines(parts: Parts) -> list[str]:
    """The macro that is called where arguments overlap."""
    if parts.overlap != "stop":
        return []
    name = parts.overlap_macro
    return [
        "/* Called where arguments overlap that have to lie apart; it should not return. */",
        f"#ifndef {name}",
        "#include <stdlib.h>",
        f"#define {name}() abort()",
        "#endif",
    ]


def _wrapped_by(functions: list[list[str]], program: Program) -> set[ElementType]:
    """The elements whose values the functions of a network bring into range."""
    text = str(functions)
    own = {a.element for a in program.arrays.values() if f"hlsmem_{a.element.name}(" in text}
    return own | mixed_elements(program)


def _source(parts: Parts) -> list[list[str]]:
    function = parts.function
    bodies = [
        []
        if parts.is_as_it_was
        else widen(function.body(region_lines(parts.region, one.loops and one.loops())))
        for one in parts.entries
    ]
    both = [parts, *([parts.text] if parts.runs_text and parts.text is not None else [])]
    wraps = {fold.array.element for one in both for fold in one.folds.values() if fold.wraps}
    statics = list(dict.fromkeys(text for one in both for text in one.function.statics))
    sections = [
        [f"/* {parts.title} */", f'#include "{parts.name}.h"'],
        _language_test(parts),
        _preprocessor_test(parts),
        [line for _, one in parts.versions for line in heads_of(one, PLAIN)[0].prototype()],
    ]
    small: list[list[str]] = []
    if parts.region.program.kernel is None:
        small = network_functions(parts.region.program)
        wraps |= _wrapped_by(small, parts.region.program)
    wrap_functions = [
        apart_from(function.macros, wrap_lines(e)) for e in sorted(wraps, key=lambda e: e.name)
    ]
    cells = list(_cells(parts, words(line for body in bodies for line in body)))
    if parts.runs_text and parts.text is not None:
        other = _text_function(parts, parts.text)
        cells += [*_cells(parts.text, words(other)), other]
    original = list(function.original or ()) if parts.stands_by else []
    own = [list(lines) for entry in parts.entries for lines in entry.helpers]
    rest = [*wrap_functions, *small, *cells, *own, original]
    rest += [_bytes_function(parts), list(parts.state)]
    if parts.profile is not None:
        rest.append(parts.profile.definition())
    if parts.apart is not None:
        rest.append(_apart_function(parts, parts.apart))
        if parts.overlap == "stop" and parts.has_memory:
            rest.append(_beside_function(parts, parts.apart))
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
        held = parts.held if parts.arguments else 1024 * parts.host.stack_kib
        helpers.append(limit_lines(parts.stack_macro, held))
    before, *tests, versions = sections
    used = words([_COMMENT.sub("", text), *statics])
    declared = [line for one in both for line in one.function.declarations(used)]
    declared = [*dict.fromkeys(declared), *statics]
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
    space = ", ".join([_workspace_pointer(parts), *entry.parameters])
    return (
        function.heads(f"{name}_ws", space),
        function.heads(name, ", ".join(entry.parameters) or None),
    )


def _folded_function(parts: Parts, entry: Entry, body: list[str]) -> list[str]:
    function = parts.function
    lines = [*heads_of(parts, entry)[0].lines(), "{"]
    if parts.is_as_it_was:
        space, call = parts.region.workspace_name, _original_call(parts, "")
        returned = "return " * bool(function.returned)
        return [*lines, f"    (void){space};", f"    {returned}{call};", "}"]
    given = entry.arguments if function.original else (*function.parameters, *entry.arguments)
    lines += [f"    (void){name};" for name in given if name not in words(body)]
    if parts.profile is not None and entry is PLAIN:
        lines += parts.profile.call()
    space = parts.region.workspace_name
    for one, own in parts.versions if entry is PLAIN else ():
        call = f"{own.function.name}_ws({', '.join([*function.parameters, space])})"
        lines += return_early(one.test, call, function.returned)
    test = parts.test if parts.runs_test else None
    fails = [test.fails_of_type] if test is not None and test.fails_of_type else []
    overlaps = ""
    if parts.apart is not None:
        overlaps = f"!{parts.apart.name(function.name)}({', '.join(function.parameters)})"
    if parts.overlap == "check" and not parts.runs_text:
        fails.append(overlaps)
    if fails and function.original is None:
        lines += [f"    if ({' || '.join(fails)})", "        abort();"]
    elif fails:
        call = _original_call(parts, parts.region.workspace_name)
        lines += return_early(" || ".join(fails), call, function.returned)
    if parts.runs_text:
        call = f"{_text_name(parts)}({', '.join([*function.parameters, space])})"
        lines += return_early(overlaps, call, function.returned)
    if parts.overlap == "stop" and parts.has_memory:
        overlaps = f"!{_beside_name(parts)}({', '.join([*function.parameters, space])})"
    if parts.overlap == "stop":
        last = "abort();" if function.returned else "return;"
        lines += [f"    if ({overlaps}) {{", f"        {parts.overlap_macro}();"]
        lines += [f"        {last}", "    }"]
    return [*lines, *body, "}"]


def _workspace_pointer(parts: Parts) -> str:
    """Return the parameter of the workspace.

    Without `restrict` arguments might be the workspace, and compilers leave loops as written.
    """
    pointer = "void *restrict " if parts.has_memory else "void *"
    return f"{pointer}{parts.region.workspace_name}"


def _text_name(parts: Parts) -> str:
    return f"{parts.function.name}_text"


def _text_function(parts: Parts, text: Parts) -> list[str]:
    """The function in the order of its text, for arguments that overlap."""
    lines = widen(text.function.body(region_lines(text.region)))
    used = words(lines)
    heads = text.function.heads(_text_name(parts), _workspace_pointer(parts))
    unused = [f"    (void){name};" for name in text.function.parameters if name not in used]
    comment = "/* In the order of its text: for arguments that overlap */"
    return [comment, *heads.lines("static "), "{", *unused, *lines, "}"]


def _cells(parts: Parts, called: Collection[str]) -> Iterator[list[str]]:
    """The functions of cells that are called, and what is to be said of variables."""
    arrays = [one for one in parts.folds.values() if one.is_local and not one.is_variable]
    for fold in (*parts.stored, *arrays):
        if fold.function in called:
            yield fold.definition()
    for fold in parts.folds.values():
        if fold.is_variable:
            yield list(fold.comment)


def _apart_heads(parts: Parts, apart: Apart) -> Heads:
    return parts.function.test_heads(apart.name(parts.function.name), None)


def _apart_function(parts: Parts, apart: Apart) -> list[str]:
    lines = [*_apart_heads(parts, apart).lines(), *apart.body()]
    used = words(lines[lines.index("{") :])
    unused = [f"    (void){name};" for name in parts.function.parameters if name not in used]
    return [*lines[: lines.index("{") + 1], *unused, *lines[lines.index("{") + 1 :]]


def _beside_name(parts: Parts) -> str:
    return f"{parts.function.name}_ws_apart"


def _beside_function(parts: Parts, apart: Apart) -> list[str]:
    """Function that tests that arguments and the workspace lie apart, where C stops if not."""
    function, space = parts.function, parts.region.workspace_name
    heads = function.test_heads(_beside_name(parts), f"const void *{space}")
    asked = f"{apart.name(function.name)}({', '.join(function.parameters)})"
    return [*heads.lines("static "), *apart.body_with(space, parts.bytes_name(), asked)]


def _original_call(parts: Parts, space: str) -> str:
    given = [*parts.function.parameters, *([space] if parts.unfolded else [])]
    return f"{parts.function.original_name}({', '.join(given)})"


def _bytes_function(parts: Parts) -> list[str]:
    lines = [parts.bytes_signature, "{"]
    known = {*parts.arguments, *parts.function.macros}
    is_known = parts.test is not None and parts.test.names <= known
    if parts.arguments and parts.test is not None and is_known and not parts.stands_by:
        lines += [f"    if ({parts.test.fails})", "        return 0;"]
    return [*lines, f"    return {parts.total() if parts.arguments else parts.bytes_macro};", "}"]


def _on_stack(parts: Parts, entry: Entry) -> tuple[str, tuple[str, ...]]:
    """The name and the head of the function that has the workspace in its frame."""
    name = f"{parts.function.name}{entry.suffix}_on_stack"
    heads = parts.function.heads(name, ", ".join(entry.parameters) or None)
    return name, tuple(heads.lines(f"{NOT_INLINE} static "))


def _wrapper(parts: Parts, entry: Entry) -> list[str]:
    function = parts.function
    name = f"{function.name}{entry.suffix}"
    head = heads_of(parts, entry)[1].lines()
    call = f"{name}_ws({', '.join([*function.parameters, '{space}', *entry.arguments])})"
    if not parts.has_memory:
        text = call.format(space="NULL")
        return [*head, "{", f"    return {text};" if function.returned else f"    {text};", "}"]
    return Wrapper(
        name=name,
        head=tuple(head),
        on_stack=_on_stack(parts, entry),
        call=call,
        parameters=(*function.parameters, *entry.arguments),
        returned=function.returned,
        size=parts.bytes_name(),
        fixed=not parts.arguments,
        constant=parts.is_constant,
        aligned=parts.widest,
        capacity=parts.held,
        stack_bytes=1024 * parts.host.stack_kib,
        limit=parts.stack_macro,
        memory=parts.memory,
        begins=f"{init_name(function.name)}(&{{space}});" if parts.begins else "",
        original=_original_call(parts, "{space}") if parts.stands_by and parts.is_bounded else "",
        is_aligned=parts.is_aligned,
        taken=frozenset({*function.parameters, *function.macros, *entry.arguments}),
    ).lines()
