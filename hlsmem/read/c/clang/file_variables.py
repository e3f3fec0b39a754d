"""Variables of a file, or of a class, that functions use: numbers, arrays and objects of C."""

from __future__ import annotations

from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.constants_in_c import constant
from hlsmem.read.c.clang.declared import array_type, initial_value, is_constant, mentions
from hlsmem.read.c.clang.expressions import converted, expression
from hlsmem.read.c.clang.initial_lists import initial_list
from hlsmem.read.c.clang.library_calls import header_of
from hlsmem.read.c.clang.lowering import FunctionFrame, Lowering, Refused
from hlsmem.read.c.clang.objects import element_type, leaves_of, placed, with_leaves
from hlsmem.read.suffixes import is_cxx


def file_variable(frame: FunctionFrame, known: Any, cursor: Any) -> Any:
    """Return a variable of the file, or of a class, or the number that it stands for."""
    lowering = frame.lowering
    name, place = known.spelling, frame.place(cursor)
    number = clang_types.number_kind(known.type)
    if name in lowering.symbolic and name in lowering.source.macros:
        own_kind = number if isinstance(number, tree.Number) else tree.INT
        return tree.ID(name, own_kind, place)
    first = initial_value(known) or initial_value(known.get_definition() or known)
    if is_constant(known) and number is not None and name not in lowering.symbolic:
        if first is not None and mentions(frame, first):
            return converted(frame, first, number)
        found = clang_types.value_of(known)
        if found is None and first is not None:
            found = clang_types.value_of(first)
        if found is not None and not getattr(number, "exact", False):
            return constant(frame, found, number, cursor)
        if first is not None and getattr(number, "exact", False):
            return converted(frame, first, number)
    key = known.get_usr()
    if key in lowering.objects:
        return placed(lowering.objects[key], place)
    if not lowering.source.file_of(known) and known.linkage.name == "EXTERNAL":
        lowering.headers |= header_of(known)  # such as stderr
        lowering.of_headers.add(name)
        return tree.ID(name, tree.Pointer(tree.Void()), place)
    if key not in lowering.variables:
        whole = FunctionFrame(lowering=lowering, function=None, through=frame.through)
        kind = array_type(whole, known)
        if isinstance(element_type(kind), tree.Struct):
            return _file_object(whole, known, kind, first)
        if isinstance(kind, tree.Stream):
            what = f"the stream '{name}' is outside of all functions"
            remedy = "declare it in the function that calls those that use it"
            raise Refused(known, what, remedy)
        own = lowering.name_for(("variable", key), name)
        initial: tree.Expression | None = None
        if first is not None and first.kind.name == "INIT_LIST_EXPR":
            initial = initial_list(whole, first, kind)
        elif first is not None and number is not None:
            initial = converted(whole, first, kind)
        elif first is not None and first.kind.name == "CALL_EXPR":
            pass  # a constructor without values
        elif first is not None:
            initial = expression(whole, first)
        if whole.front:
            what = f"'{name}' begins with values that statements compute"
            raise Refused(known, what, "assign them in the function that is planned")
        lowering.variables[key] = tree.Decl(
            own, kind, lowering.place(known), initial, _storage(lowering, known), is_constant(known)
        )
    declared = lowering.variables[key]
    return tree.ID(declared.name, declared.type, place)


def _storage(lowering: Lowering, known: Any) -> tuple[str, ...]:
    """The words in front of a variable; in C++ other files are taken to leave it alone."""
    if known.linkage.name == "INTERNAL" or is_cxx(lowering.source.main):
        return ("static",)
    definition = known.get_definition()
    return ("extern",) if definition is None and known.storage_class.name == "EXTERN" else ()


def _file_object(whole: FunctionFrame, known: Any, kind: tree.Type, first: Any) -> Any:
    """An object of the file, one variable a member."""
    lowering = whole.lowering
    initial = None
    if first is not None and first.kind.name == "INIT_LIST_EXPR":
        initial = initial_list(whole, first, kind)
    values = iter(leaves_of(initial)) if initial is not None else iter(())

    def made(own: str, leaf: tree.Type) -> Any:
        if isinstance(leaf, tree.Stream):
            what = f"the stream '{own}' is outside of all functions"
            remedy = "declare it in the function that calls those that use it"
            raise Refused(known, what, remedy)
        own = lowering.name_for(("variable", known.get_usr(), own), own)
        place = lowering.place(known)
        storage = _storage(lowering, known)
        declared = tree.Decl(own, leaf, place, next(values, None), storage, is_constant(known))
        lowering.variables[known.get_usr(), own] = declared
        return tree.ID(own, leaf, place)

    lowering.objects[known.get_usr()] = with_leaves(kind, made, known.spelling)
    return lowering.objects[known.get_usr()]
