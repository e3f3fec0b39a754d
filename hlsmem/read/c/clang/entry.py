"""A function of C++ as C calls it: a file that includes the user's, for checks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.program.model import SourceFile, Statement
from hlsmem.read.c.c_text import text_of
from hlsmem.read.c.clang.head import Head, HeadParameter
from hlsmem.read.c.tree import Array

_USERS = "hlsmem_users_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A parameter as programs give it: `size` is C for the elements of a stream, None for others.

    `is_read` where the function takes elements of the stream.
    """

    parameter: HeadParameter
    size: str | None = None
    is_read: bool = False

    @property
    def name(self) -> str:
        return self.parameter.name

    @property
    def is_scalar(self) -> bool:
        """True for a number by value."""
        return self.parameter.form == "scalar"


def given_of(
    head: Head, function: Any, statements: Sequence[Statement], declared: Mapping[str, str]
) -> tuple[Given, ...]:
    """Return the parameters of `head`, of which `function` is the one in C.

    `declared` has the variable that each array is, or is a member of.
    """
    read = {declared.get(access.array) for one in statements for access in one.sees}
    sizes = {
        node.name: text_of(node.type.extent)
        for node in function.parameters
        if isinstance(node.type, Array) and node.type.extent is not None
    }
    return tuple(
        Given(
            parameter=one,
            size=sizes.get(one.name, "1") if one.form == "stream" else None,
            is_read=one.name in read,
        )
        for one in head.parameters
    )


def cxx_entry(
    file: str,
    head: Head,
    function: Any,
    statements: Sequence[Statement],
    declared: Mapping[str, str],
) -> SourceFile:
    """Return the file that C compiled beside it calls: arrays are given as `void *`."""
    given = given_of(head, function, statements, declared)
    types = [f"{_passed(one)} {one.name}" for one in given]
    addresses = [f"(void *)&{one.name}" if one.is_scalar else one.name for one in given]
    is_global = head.called == head.name  # then C and C++ would have one name for both
    called = f"{_USERS}{head.name}" if is_global else head.expression or head.called
    taken = f"static_cast<{head.pointer}>({called})" if head.pointer else called
    hidden = [f"#define {head.name} {called}"] if is_global else []
    shown = [f"#undef {head.name}"] if is_global else []
    lines = [
        _CALL,
        *hidden,
        f'#include "{file}"',
        *shown,
        *_size_tests(given),
        f'extern "C" ASIDE {head.stored} {head.name}({", ".join(types) or "void"})',
        "{",
        *_streams(given),
        f"    void *const given[] = {{ {', '.join([*map(_address, given, addresses), '0'])} }};",
        f"    {'' if head.returns == 'void' else 'return '}hlsmem_call({taken}, given);",
        "}",
    ]
    return SourceFile(name="hlsmem_entry.cpp", text="\n".join(lines) + "\n")


def _size_tests(given: Iterable[Given]) -> list[str]:
    """Return tests that elements of arrays are as large as what C has them in."""
    stored = {
        one.parameter.canonical: one.parameter.stored
        for one in given
        if not one.is_scalar and one.parameter.is_plain
    }
    return [
        f'static_assert(sizeof({kind}) == sizeof({own}), "C has {kind} in {own}");'
        for kind, own in stored.items()
        if kind != own
    ]


def _passed(one: Given) -> str:
    if not one.is_scalar:
        return "void *"
    return one.parameter.stored if one.parameter.is_plain else one.parameter.canonical


def _streams(given: Iterable[Given]) -> list[str]:
    return [
        f"    {one.parameter.whole} {_USERS}{one.name}(({one.parameter.canonical} *){one.name},"
        f" {one.size}, {one.size if one.is_read else '0'});"
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
