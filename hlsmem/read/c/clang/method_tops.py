"""A method as the planned function: of an object that the function makes itself."""

from __future__ import annotations

from typing import Any

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.parsed_sources import Source
from hlsmem.read.c.tree import SourceRange
from hlsmem.read.design_names import free_name


@dataclass(frozen=True, slots=True)
class MethodTop:
    """A function that calls a method: its name, and its parameters and body as text of C++.

    What is said of it is said at the `place` of the method.
    """

    name: str
    text: str
    place: SourceRange

    @property
    def behind(self) -> str:
        """The function for behind the user's text."""
        return f"\nstatic auto {self.name}{self.text}\n"

    @property
    def called(self) -> str:
        """The function as an expression that other files call."""
        return f"+[]{self.text}"


def method_top(source: Source, function: str | None) -> MethodTop | None:
    """Return the function for a method that `function` names; None where it names none.

    Raises InputError for a class that makes no object without arguments.
    """
    method = None if function is None or "::" not in function else _method(source, function)
    if method is None:
        return None
    owner = method.semantic_parent
    constructors = [one for one in owner.get_children() if one.kind.name == "CONSTRUCTOR"]
    if constructors and not any(one.is_default_constructor() for one in constructors):
        what = f"'{owner.spelling}' has no constructor without arguments"
        remedy = "give it one, or write a function that makes the object and calls the method"
        raise InputError(Problem(what, remedy, source.location(source.place(method))))
    written = list(method.get_arguments())
    if not all(one.spelling for one in written):
        what = f"'{function}' has a parameter without a name"
        raise InputError(Problem(what, "give it one", source.location(source.place(method))))
    parameters = ", ".join(_text(source, one) for one in written)
    arguments = ", ".join(one.spelling for one in written)
    made = free_name("object", {one.spelling for one in written})
    whole = clang_types.qualified_name(owner)
    body = f"{{ {whole} {made}; return {made}.{method.spelling}({arguments}); }}"
    name = f"{method.spelling}_of_{owner.spelling}"
    return MethodTop(name, f"({parameters}) {body}", source.place(method))


def _method(source: Source, function: str) -> Any | None:
    pending = [one for one in source.declarations() if source.file_of(one)]
    for one in pending:
        if one.kind.name in ("STRUCT_DECL", "CLASS_DECL"):
            pending += one.get_children()
        is_method = one.kind.name == "CXX_METHOD" and not one.is_static_method()
        if is_method and clang_types.qualified_name(one) == function:
            return one
    return None


def _text(source: Source, parameter: Any) -> str:
    """The declaration of a parameter as the user wrote it, without a default argument."""
    text = source.encoded[source.file_of(parameter)]
    written = text[parameter.extent.start.offset : parameter.extent.end.offset].decode()
    return written.partition("=")[0].strip()
