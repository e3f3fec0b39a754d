"""The function of a file that is planned: by its name, or as the only one that nothing calls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from hlsmem.core.errors import InputError, Note, Problem
from hlsmem.core.source_location import SourceLocation
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.library import walked
from hlsmem.read.c.clang.parsed_sources import Source

_PROBE = "hlsmem_top"
"""A variable behind the user's text that names an instance of a template."""


def functions_of(source: Source) -> list[Any]:
    """Return the functions that the file itself defines: no templates, no methods."""
    return [
        one
        for one in source.declarations()
        if one.kind.name == "FUNCTION_DECL" and one.is_definition() and source.is_main(one)
    ]


def names_instance(function: str | None) -> bool:
    """Return True for the name of a function template with its arguments."""
    return function is not None and "<" in function


def probe_of(function: str | None) -> str:
    """Return the text by which clang makes an instance, for behind the user's."""
    return f"\nstatic auto *const {_PROBE} = &{function};\n"


def _instance(source: Source, function: str) -> Any:
    """The instance of a template that `function` names, with its arguments."""
    for one in source.unit.cursor.get_children():
        if one.kind.name == "VAR_DECL" and one.spelling == _PROBE:
            for below in walked(one):
                known = below.referenced if below.kind.name == "DECL_REF_EXPR" else None
                if known is not None and known.kind.name == "FUNCTION_DECL":
                    return known.get_definition() or known
    what = f"there is no instance '{function}' in '{source.main}'"
    raise InputError(Problem(what, "name a function template with all of its arguments"))


def planned_function(defined: Sequence[Any], function: str | None, source: Source) -> Any:
    """Return the function to plan, by its name or as the only one that nothing calls.

    Raises InputError where there is none, or more than one.
    """
    if function is not None and names_instance(function):
        return _instance(source, function)
    if function is not None:
        wanted = [
            one for one in defined if function in (one.spelling, clang_types.qualified_name(one))
        ]
        exact = [one for one in wanted if clang_types.qualified_name(one) == function] or wanted
        if len(exact) > 1:
            what = f"'{function}' is the name of {len(exact)} functions"
            place = source.location(source.place(exact[1]))
            note = Note("another is here", source.location(source.place(exact[0])))
            raise InputError(Problem(what, "give each a name of its own", place, (note,)))
        if exact:
            return exact[0]
        for one in _templates(source):
            if function in (one.spelling, clang_types.qualified_name(one)):
                raise _no_instance(one, source, function)
        there = [*defined, *_methods(source)]
        raise _no_such_function(function, source.main, map(clang_types.qualified_name, there))
    return _only(defined, source)


def _only(defined: Sequence[Any], source: Source) -> Any:
    marked = [one for one in defined if _has_scop(one, source)]
    called = _called(source)
    free = [
        one
        for one in defined
        if not called & {one.get_usr(), one.spelling} and one.spelling != "main"
    ]
    seen = [one for one in free if one.linkage.name == "EXTERNAL"]
    found = marked or (seen if len(seen) == 1 else free)
    if len(found) == 1:
        return found[0]
    if not defined:
        for one in _templates(source):
            if source.is_main(one):
                raise _no_instance(one, source, clang_types.qualified_name(one))
    second = source.location(source.place(found[1])) if found else None
    names = [clang_types.qualified_name(one) for one in found or defined or _methods(source)]
    raise _not_one_function(
        names,
        source.main,
        second,
        is_marked=bool(marked),
        is_found=bool(found),
        are_called=bool(defined),
    )


def _called(source: Source) -> set[str]:
    """The functions that functions, templates and methods call, but `main`.

    By their USR; by name those that a template calls with arguments of types that it leaves open.
    """
    found = set()
    for one in source.declarations():
        if not source.is_main(one) or one.spelling == "main":
            continue
        for node in walked(one):
            if node.kind.name == "OVERLOADED_DECL_REF":
                found.add(node.spelling)
            elif node.kind.name == "DECL_REF_EXPR":
                known = node.referenced
                if known is not None and known.kind.name == "FUNCTION_DECL":
                    found.add(known.get_usr())
    return found


def _templates(source: Source) -> list[Any]:
    """The function templates in the user's files."""
    return [
        one
        for one in source.declarations()
        if one.kind.name == "FUNCTION_TEMPLATE" and source.file_of(one)
    ]


def _methods(source: Source) -> list[Any]:
    """The methods that the file itself defines, which can be tops; not those of templates."""
    pending = [one for one in source.declarations() if source.is_main(one)]
    for one in pending:
        if one.kind.name in ("STRUCT_DECL", "CLASS_DECL"):
            pending += one.get_children()
    return [
        one
        for one in pending
        if one.kind.name == "CXX_METHOD"
        and one.is_definition()
        and not one.is_static_method()
        and not one.spelling.startswith("operator")
    ]


def _no_instance(template: Any, source: Source, name: str) -> InputError:
    """Return the error for a template in the place of a function."""
    place = source.location(source.place(template))
    return InputError(Problem(f"'{name}' is a template", f"name an instance: {name}<16>", place))


def _has_scop(function: Any, source: Source) -> bool:
    start, end = function.extent.start.offset, function.extent.end.offset
    return any(
        start < one.offset < end and one.text.split()[:1] == ["scop"]
        for one in source.pragmas.get(source.main, ())
    )


def _no_such_function(name: str, file: str, defined: Iterable[str]) -> InputError:
    """Return the error for a name that none of the functions `defined` has."""
    names = _listed(defined)
    remedy = f"name one that '{file}' defines: {names}" if names else "define it"
    return InputError(Problem(f"there is no function '{name}' in '{file}'", remedy))


def _not_one_function(
    names: Sequence[str],
    file: str,
    second: SourceLocation | None,
    *,
    is_marked: bool,
    is_found: bool,
    are_called: bool,
) -> InputError:
    """Return the error where several functions may be the one to plan, or none is.

    `names` are these, the `second` of them at that place; else those that there are, which
    `are_called` by others, or are methods. Where `is_marked`, each has a region.
    """
    if not is_found:
        what = "every function is called by another" if are_called else "there is no function"
        remedy = "name one with kernel.function" if names else "define the function to plan"
        if names and not are_called:
            what, remedy = f"{what} outside of classes", f"{remedy}: {_listed(names)}"
        first = SourceLocation(file=file, line=1, column=1)
        return InputError(Problem(f"{what}: none is known to be the one to plan", remedy, first))
    why = "all have a scop region" if is_marked else "are called by no other: one is to be planned"
    what = f"the functions {_listed(names)} {why}"
    return InputError(Problem(what, "name one with kernel.function", second))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"'{one}'" for one in names)
