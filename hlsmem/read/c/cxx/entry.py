"""A function of C++ as C calls it: a file that includes the user's, for checks, and its types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from pycparser import c_ast

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.program.model import SourceFile, Statement
from hlsmem.read.c.cxx.arbitrary import arbitrary_name, stored_type
from hlsmem.read.c.cxx.references import is_reference
from hlsmem.read.c.cxx.streams import depth_of, is_stream
from hlsmem.read.c.cxx.tokens import MARK
from hlsmem.read.c.trees import changed, text_of

_USERS = "hlsmem_users_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A parameter of a function in C++: `type` in C++, of streams and arrays that of an element.

    `size` is C for the elements of a stream, `kind` its type; `is_read` where the function takes
    them. A number is `is_scalar` by value, `is_reference` by reference.
    """

    name: str
    type: str
    is_scalar: bool
    is_reference: bool = False
    is_constant: bool = False
    size: str | None = None
    kind: str = ""
    is_read: bool = False


def given_of(head: Any, function: Any, statements: Sequence[Statement]) -> tuple[Given, ...]:
    """The parameters of `head` in C++, of which `function` is the one in C."""
    read = {access.array for one in statements for access in one.sees}
    sizes = {
        node.name: text_of(node.type.dim)
        for node in _parameters(function.decl)
        if isinstance(node.type, c_ast.ArrayDecl) and node.type.dim is not None
    }
    found = []
    for node in _parameters(head):
        stream = is_stream(node)
        element = element_text(node.type)
        depth = f", {text_of(depth_of(node))}" if stream and node.align else ""
        found.append(
            Given(
                name=node.name,
                type=element,
                is_scalar=isinstance(node.type, c_ast.TypeDecl),
                is_reference=is_reference(node),
                is_constant="const" in _element(node.type).quals,
                size=sizes.get(node.name, "1") if stream else None,
                kind=f"hls::stream<{element}{depth} >" if stream else "",
                is_read=node.name in read,
            )
        )
    return tuple(found)


def _parameters(declaration: Any) -> list[Any]:
    arguments = declaration.type.args
    return [n for n in (arguments.params if arguments else []) if isinstance(n, c_ast.Decl)]


def in_cxx(text: str) -> str:
    """C with the names that types of ap_int.h have in C++.

    >>> in_cxx("ap_uint_12 in[4]")
    'ap_uint<12> in[4]'
    """
    return re.sub(r"\bap_(u?)int_(\d+)\b", r"ap_\1int<\2>", text)


def _element(kind: Any) -> Any:
    while isinstance(kind, (c_ast.ArrayDecl, c_ast.PtrDecl)):
        kind = kind.type
    return kind


def element_text(kind: Any) -> str:
    """The type of the elements of a type, in C++."""
    kind = _element(kind)
    quals = [one for one in kind.quals if one not in (MARK, "const")]
    return in_cxx(text_of(changed(kind, declname=None, quals=quals)))


def returned_text(head: Any) -> str:
    """The type of the result in C++."""
    return in_cxx(text_of(changed(head.type.type, declname=None)))


def cxx_entry(file: str, head: Any, function: Any, statements: Sequence[Statement]) -> SourceFile:
    """The file that C compiled beside it calls: arrays are given as `void *`."""
    name = head.name
    given = given_of(head, function, statements)
    returned = returned_text(head)
    types = [f"{one.type if one.is_scalar else 'void *'} {one.name}" for one in given]
    addresses = [f"(void *)&{one.name}" if one.is_scalar else one.name for one in given]
    arguments = stored_text(", ".join(types)) or "void"
    lines = [
        _CALL,
        f"#define {name} {_USERS}{name}",
        f'#include "{file}"',
        f"#undef {name}",
        "#include <hls_stream.h>",
        f'extern "C" ASIDE {stored_text(returned)} {name}({arguments})',
        "{",
        *_streams(given),
        f"    void *const given[] = {{ {', '.join([*map(_address, given, addresses), '0'])} }};",
        f"    {'' if returned == 'void' else 'return '}hlsmem_call({_USERS}{name}, given);",
        "}",
    ]
    return SourceFile(name="hlsmem_entry.cpp", text="\n".join(lines) + "\n")


def stored_text(text: str) -> str:
    """A type of C that C++ has, too: of ap_int.h what stores it."""
    return re.sub(r"\bap_(u?)int<(\d+)>", _stored, text)


def _stored(found: re.Match[str]) -> str:
    return stored_type(arbitrary_name(int(found[2]), signed=not found[1]))


def _streams(given: Iterable[Given]) -> list[str]:
    return [
        f"    {one.kind} {_USERS}{one.name}(({one.type} *){one.name}, {one.size},"
        f" {one.size if one.is_read else '0'});"
        for one in given
        if one.size is not None
    ]


def _address(one: Given, text: str) -> str:
    return text if one.size is None else f"(void *)&{_USERS}{one.name}"


_CALL = """\
#define ASIDE __attribute__((no_sanitize("kernel-address")))
#if !defined __clang__
#undef ASIDE
#define ASIDE
#endif
template <typename T> struct hlsmem_given {
    ASIDE static T from(void *at) { return *(T *)at; }
};
template <typename T> struct hlsmem_given<T *> {
    ASIDE static T *from(void *at) { return (T *)at; }
};
template <typename T> struct hlsmem_given<T &> {
    ASIDE static T &from(void *at) { return *(T *)at; }
};
template <int... I> struct hlsmem_numbers { };
template <int N, int... I> struct hlsmem_up_to : hlsmem_up_to<N - 1, N - 1, I...> { };
template <int... I> struct hlsmem_up_to<0, I...> { typedef hlsmem_numbers<I...> type; };
template <typename R, typename... P, int... I>
ASIDE R hlsmem_call_with(R (*f)(P...), void *const *given, hlsmem_numbers<I...>)
{
    return f(hlsmem_given<P>::from(given[I])...);
}
template <typename R, typename... P> ASIDE R hlsmem_call(R (*f)(P...), void *const *given)
{
    return hlsmem_call_with(f, given, typename hlsmem_up_to<sizeof...(P)>::type());
}
"""
