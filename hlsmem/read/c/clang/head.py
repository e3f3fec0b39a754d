"""A function as C++ has it, for programs that call it: its name, parameters and result."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.c_text import base_name
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.lowering import FunctionFrame, Lowering
from hlsmem.read.c.clang.parameters import Passing, parameters_of
from hlsmem.read.c.clang.types_in_c import LIMB
from hlsmem.read.c.tree import stored_bits

Form = Literal["scalar", "reference", "array", "array reference", "pointer", "stream", "object"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadParameter:
    """A parameter: `canonical` is the type of its elements in C++, `stored` in C.

    `canonical` has no names of the user's or of libraries, `whole` is that type of a stream.
    """

    name: str
    canonical: str
    stored: str
    form: Form
    whole: str = ""
    is_plain: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """A function of C++; `name` is its name in C, `called` that in C++.

    Other files call the `expression`, where that is another. `pointer` is the type of its address
    where other functions have its name.
    """

    name: str
    called: str
    returns: str
    stored: str
    parameters: tuple[HeadParameter, ...]
    expression: str = ""
    pointer: str = ""

    def renamed(self, names: Mapping[str, str]) -> Head:
        """Return the function with parameters of other names."""

        parameters = (replace(one, name=names.get(one.name, one.name)) for one in self.parameters)
        return replace(self, parameters=tuple(parameters))

    @property
    def objects(self) -> tuple[str, ...]:
        """The names of the parameters that C has as one parameter a member."""
        return tuple(one.name for one in self.parameters if one.form == "object")

    @property
    def streams(self) -> tuple[str, ...]:
        """The names of the parameters that are streams."""
        return tuple(one.name for one in self.parameters if one.form == "stream")


def head_of(lowering: Lowering, top: Any, name: str) -> Head:
    """Return the function `top`, which is called `name` in C, as C++ has it."""
    frame = FunctionFrame(lowering=lowering, function=top)
    parameters = tuple(
        _parameter(one, is_opened=one.name in lowering.opened) for one in parameters_of(frame, top)
    )
    returns = frame.type_of(top.result_type, top)
    return Head(
        name=name,
        called=clang_types.qualified_name(top),
        returns=_spelled(returns),
        stored=_stored_name(returns),
        parameters=parameters,
        pointer=_pointer_of(top) if _is_overloaded(lowering, top) else "",
    )


def _is_overloaded(lowering: Lowering, top: Any) -> bool:
    called = clang_types.qualified_name(top)
    return any(
        one.kind.name == "FUNCTION_DECL"
        and one.spelling == top.spelling
        and clang_types.qualified_name(one) == called
        and one.type.get_canonical().spelling != top.type.get_canonical().spelling
        for one in lowering.source.declarations()
    )


def _pointer_of(top: Any) -> str:
    """The type of the address of a function, with integers by their names in ap_int.h."""
    kind = top.type.get_canonical()
    given = ", ".join(one.get_canonical().spelling for one in kind.argument_types())
    made = f"{kind.get_result().get_canonical().spelling} (*)({given})"
    made = re.sub(r"\bhlsmem::num<(\d+), \1, true>", r"ap_int<\1>", made)
    return re.sub(r"\bhlsmem::num<(\d+), \1, false>", r"ap_uint<\1>", made)


def _parameter(one: Any, *, is_opened: bool) -> HeadParameter:
    kind = one.type
    element = kind
    written = clang_types.referred(one.cursor.type)
    while isinstance(element, (tree.Array, tree.Pointer)):
        element = element.element
    form: Form = "scalar"
    match kind:
        case tree.Stream():
            form, element = "stream", kind.element
        case tree.Array():
            form = "array reference" if clang_types.is_reference(one.cursor.type) else "array"
        case tree.Pointer():
            form = "pointer"
        case _ if one.way is Passing.ADDRESS:
            form = "reference"
        case _ if is_opened:
            form = "object"
    return HeadParameter(
        name=one.name,
        canonical=_canonical(kind, written),
        whole=_bare(written) if isinstance(kind, tree.Stream) else "",
        stored=_stored_name(element),
        form=form,
        is_plain=_is_plain(element),
    )


def _bare(kind: Any) -> str:
    return str(kind.get_canonical().spelling).removeprefix("const ")


def _canonical(kind: tree.Type, written: Any) -> str:
    """The type of the elements of a parameter, as clang has it."""
    own = written
    if isinstance(kind, tree.Stream):
        found = clang_types.stream_of(own)
        assert found is not None
        return _bare(found[0])
    while clang_types.kind_name(own.get_canonical()) in (
        "CONSTANTARRAY",
        "INCOMPLETEARRAY",
        "POINTER",
    ):
        is_pointer = clang_types.kind_name(own.get_canonical()) == "POINTER"
        own = own.get_canonical()
        own = own.get_pointee() if is_pointer else own.get_array_element_type()
    return _bare(own)


def _is_plain(kind: tree.Type) -> bool:
    return isinstance(kind, (tree.Number, tree.Float, tree.Void))


def stored_type(kind: tree.Number) -> tree.Number:
    """Return the integer of C that stores a number, or a limb of it."""
    return tree.Number(stored_bits(min(kind.bits, LIMB)), kind.signed)


def _stored_name(kind: tree.Type) -> str:
    """The type of C that stores one of C++."""
    if isinstance(kind, tree.Number) and kind.exact:
        return base_name(stored_type(kind))
    return base_name(kind) if not isinstance(kind, tree.Stream) else "void *"


def _spelled(kind: tree.Type) -> str:
    """A type of numbers in C++, with the names of ap_int.h and ap_fixed.h."""
    if isinstance(kind, tree.Number) and kind.exact:
        sign = "" if kind.signed else "u"
        if not kind.point:
            return f"ap_{sign}int<{kind.bits}>"
        return f"ap_{sign}fixed<{kind.bits}, {kind.bits - kind.point}>"
    if isinstance(kind, (tree.Number, tree.Float, tree.Void)):
        return "bool" if kind == tree.BOOL else base_name(kind)
    return base_name(kind) if isinstance(kind, tree.Struct) else ""
