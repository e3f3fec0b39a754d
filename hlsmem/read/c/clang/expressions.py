"""Expressions of C++ as expressions of C."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang import clang_types, exact_numbers
from hlsmem.read.c.clang.arithmetic import Slice
from hlsmem.read.c.clang.arithmetic import value_of as value_of_number
from hlsmem.read.c.clang.constants_in_c import constant
from hlsmem.read.c.clang.copies import copied
from hlsmem.read.c.clang.exact_numbers import NotExact
from hlsmem.read.c.clang.initial_lists import initial_list, unnamed_object
from hlsmem.read.c.clang.library import library
from hlsmem.read.c.clang.lowering import MOST_NESTED, FunctionFrame, Refused
from hlsmem.read.c.clang.named_values import (
    FunctionName,
    literal,
    member,
    name,
    this,
    truth,
)
from hlsmem.read.c.clang.objects import (
    NoPart,
    Object,
    address_of,
    dereferenced,
    element_of,
    has_effect,
    is_split,
    is_streams,
    is_target,
    leaves_of,
    steps,
    unwidened,
    variable,
)
from hlsmem.read.c.clang.steady import changes_in, with_values
from hlsmem.read.c.clang.types_in_c import is_wide
from hlsmem.read.c.refusal import Refusal
from hlsmem.read.c.tree import Expression, SourceRange

_REFUSED: Mapping[str, tuple[str, str]] = {
    "CXX_THROW_EXPR": ("an exception is not read", "leave it out"),
    "CXX_NEW_EXPR": ("memory from new is not read", "declare an array"),
    "CXX_DELETE_EXPR": ("memory from new is not read", "declare an array"),
    "CXX_DYNAMIC_CAST_EXPR": ("a cast that depends on the object is not read", "use static_cast"),
    "CXX_REINTERPRET_CAST_EXPR": (
        "a value read as one of another type is not read",
        "assign it, or its bits by range(), to a number of that type",
    ),
    "CXX_NULL_PTR_LITERAL_EXPR": ("a pointer to nothing is not read", "pass an array"),
    "CXX_TYPEID_EXPR": ("the type of an object is not read at run time", "leave it out"),
    "STMT_EXPR": ("statements in an expression are not read", "write a function"),
    "ADDR_LABEL_EXPR": ("the address of a label is not read", "leave it out"),
}
_CASTS = ("CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "CXX_FUNCTIONAL_CAST_EXPR")


def expression(frame: FunctionFrame, cursor: Any) -> Any:
    """Return the expression in C; raises Refused for what is not read."""
    frame.lowering.nested += 1
    try:
        if frame.lowering.nested > MOST_NESTED:
            raise Refused(cursor, "this is nested too deeply", "split long expressions and nests")
        return _lowered(frame, cursor)
    except Refused as error:
        if error.through is None:
            error.through = frame.through
        raise
    finally:
        frame.lowering.nested -= 1


def _lowered(frame: FunctionFrame, cursor: Any) -> Any:
    kind = cursor.kind.name
    lower = _KINDS.get(kind)
    if lower is None:
        what, remedy = _REFUSED.get(
            kind, (f"{_words(kind)} is not read", "write it with operators and calls")
        )
        raise Refused(cursor, what, remedy)
    try:
        return lower(frame, cursor)
    except NotExact as error:
        raise Refused(cursor, f"this {error.what}", error.remedy) from None
    except NoPart as error:
        raise Refused(cursor, error.what, error.remedy) from None


def converted(frame: FunctionFrame, cursor: Any, kind: tree.Type) -> Any:
    """Return an expression as a value of a type: what is assigned, passed or returned."""
    node = expression(frame, cursor)
    return as_type(node, kind, cursor)


def as_type(node: Any, kind: tree.Type, cursor: Any) -> Any:
    """Return an expression as a value of a type; C's own conversions are left to C."""
    if isinstance(node, Object):
        return node
    if isinstance(node, Slice):
        made = value_of_number(node, cursor)
        if isinstance(kind, (tree.Number, tree.Float)):
            return exact_numbers.converted(made, kind).node
        return made.node
    own = node.type
    if isinstance(kind, tree.Number) and isinstance(own, (tree.Array, tree.Struct, tree.Void)):
        raise Refused(cursor, "this is no number", "take a number")
    is_exact = isinstance(own, tree.Number) and own.exact
    if isinstance(kind, tree.Number) and (kind.exact or is_exact):
        try:
            return exact_numbers.converted(exact_numbers.value_of(node), kind).node
        except NotExact as error:
            raise Refused(cursor, f"this {error.what}", error.remedy) from None
    if isinstance(kind, tree.Float) and is_exact:
        return exact_numbers.converted(exact_numbers.value_of(node), kind).node
    return node


# Conversions that stand in the text, or not.


def _wrapped(frame: FunctionFrame, cursor: Any) -> Any:
    """A conversion of the language, or a node that clang keeps for itself."""
    below = [one for one in cursor.get_children() if one.kind.is_expression()]
    if len(below) == 1:
        return expression(frame, below[0])
    found = clang_types.value_of(cursor)
    if found is not None and not below:
        return constant(frame, found, frame.type_of(cursor.type, cursor), cursor)
    raise Refused(cursor, "this expression is not read", "write it with operators and calls")


def _cast(frame: FunctionFrame, cursor: Any) -> Any:
    below = [one for one in cursor.get_children() if one.kind.is_expression()]
    kind = frame.type_of(cursor.type, cursor)
    if clang_types.kind_name(cursor.type.get_canonical()) == clang_types.LONG_DOUBLE:
        raise Refused(cursor, "the type long double is not read", "take float or double")
    if not below:
        return constant(frame, 0, kind, cursor)
    inner = expression(frame, below[-1])
    if isinstance(kind, (tree.Struct, tree.Stream, tree.Void, tree.Array)):
        return inner
    if isinstance(kind, tree.Pointer):
        if isinstance(inner.type, (tree.Pointer, tree.Array)):
            element = inner.type.element
            if element == kind.element or isinstance(kind.element, tree.Void):
                return inner
        if isinstance(inner.type, tree.Number):
            what = f"{Refusal.OTHER.value}: this reaches memory through a computed address"
            raise Refused(cursor, what, Refusal.OTHER.remedy)
        what = (
            f"a pointer as one to {clang_types.name_of_type(cursor.type.get_pointee())} is not read"
        )
        raise Refused(cursor, what, "pass an array of that type")
    made = as_type(inner, kind, cursor)
    if isinstance(kind, tree.Number) and kind.exact:
        return made
    return tree.Cast(made, kind, frame.place(cursor))


def _size(frame: FunctionFrame, cursor: Any) -> Expression:
    """What sizeof gives; that of an array whose extents are names is a formula."""
    below = [one for one in cursor.get_children() if one.kind.is_expression()]
    kind = None
    if below and clang_types.kind_name(below[-1].type.get_canonical()) in clang_types.ARRAYS:
        before, frame.front = frame.front, []  # the operand is not computed
        kind = expression(frame, below[-1]).type
        frame.front = before
    if isinstance(kind, tree.Array) and (made := _array_size(kind, frame.place(cursor))):
        return made
    found = clang_types.value_of(cursor)
    if found is None:
        raise Refused(cursor, "this size is not known", "write the number")
    return constant(frame, found, frame.type_of(cursor.type, cursor), cursor)


def _array_size(kind: tree.Array, place: tree.SourceRange) -> Expression | None:
    """The bytes of an array with extents that are names; None for others."""
    sizes: list[Expression] = []
    element: tree.Type = kind
    while isinstance(element, tree.Array):
        if element.extent is None:
            return None
        sizes.append(element.extent)
        element = element.element
    if all(isinstance(one, tree.Constant) for one in sizes):
        return None
    if not isinstance(element, (tree.Number, tree.Float)) or is_wide(element):
        return None
    own = tree.UNSIGNED_LONG
    count = max(8, tree.stored_bits(element.bits)) // 8
    made: Expression = tree.Constant(f"{count}ul", own, place)
    for one in sizes:
        made = tree.BinaryOp("*", tree.Cast(one, own, place), made, own, place)
    return made


def _zero(frame: FunctionFrame, cursor: Any) -> Expression:
    return constant(frame, 0, frame.type_of(cursor.type, cursor), cursor)


# Operators.


def _unary(frame: FunctionFrame, cursor: Any) -> Any:
    operator = library().unary_operator(cursor)
    (below,) = cursor.get_children()
    truth = _of_text(frame, below) if operator == "!" else None
    node = truth or expression(frame, below)
    place = frame.place(cursor)
    match operator:
        case "&" if isinstance(node, FunctionName):
            return node
        case "&":
            return address_of(node, place)
        case "*" if isinstance(node, FunctionName):
            return node
        case "*":
            return _pointee(node, cursor, place)
        case "+":
            return operand(node, below)
        case "":
            raise Refused(cursor, "this operator is not read", "use another")
        case _:
            node = operand(node, below)
            return tree.UnaryOp(operator, node, frame.type_of(cursor.type, cursor), place)


def _binary(frame: FunctionFrame, cursor: Any) -> Any:
    operator = library().binary_operator(cursor)
    left, right = cursor.get_children()
    if operator in ("", ".*", "->*", "<=>"):
        raise Refused(cursor, f"the operator {operator or 'here'} is not read", "use another")
    if operator == ",":
        first = expression(frame, left)
        if isinstance(first, tree.FuncCall) and first.name == "assert":  # what a value rests on
            second = expression(frame, right)
            return tree.ExprList((first, second), second.type, frame.place(cursor))
        frame.front += [one for one in leaves_of(first) if has_effect(one)]
        return expression(frame, right)
    place = frame.place(cursor)
    if operator == "=":
        target = expression(frame, left)
        if not is_target(target):
            raise Refused(cursor, "this is no variable", "assign to a variable")
        if is_split(target.type):  # a struct of C
            frame.front += copied(frame, target, expression(frame, right), cursor)
            return target
        made = converted(frame, right, target.type)
        return tree.Assignment("=", target, made, target.type, place)
    if operator.endswith("=") and operator not in ("==", "!=", "<=", ">="):
        return _updated(frame, cursor)
    a = _of_text(frame, left) or expression(frame, left)
    if operator in ("&&", "||") and _of_text(frame, right) is None:
        from hlsmem.read.c.clang.chosen_values import joined_values  # these are expressions

        return joined_values(frame, operator, operand(a, left), cursor)
    b = _of_text(frame, right) or expression(frame, right)
    a, b = operand(a, left), operand(b, right)
    return tree.BinaryOp(operator, a, b, frame.type_of(cursor.type, cursor), place)


def operand(node: Any, cursor: Any) -> Any:
    """Return the operand of an operator of the language: a number or a pointer."""
    if isinstance(node, Slice):
        return value_of_number(node, cursor).node
    if isinstance(node, Object):
        raise Refused(cursor, "an object is used as a number", "take one of its members")
    return node


def _of_text(frame: FunctionFrame, cursor: Any) -> Expression | None:
    """The truth of a text, as assertions have them behind &&: it is no null pointer."""
    if clang_types.unwrapped(cursor).kind.name != "STRING_LITERAL":
        return None
    text = clang_types.unwrapped(cursor).spelling
    return tree.Constant(text, tree.TEXT, frame.place(cursor))


def _updated(frame: FunctionFrame, cursor: Any) -> Any:
    operator = library().binary_operator(cursor)
    left, right = cursor.get_children()
    target, added = expression(frame, left), expression(frame, right)
    if not is_target(target):
        raise Refused(cursor, "this is no variable", "assign to a variable")
    return tree.Assignment(operator, target, added, target.type, frame.place(cursor))


def _conditional(frame: FunctionFrame, cursor: Any) -> Any:
    from hlsmem.read.c.clang.chosen_values import conditional  # the values are expressions

    return conditional(frame, cursor)


def _list(frame: FunctionFrame, cursor: Any) -> Any:
    kind = frame.type_of(cursor.type, cursor)
    return initial_list(frame, cursor, kind)


def _element(frame: FunctionFrame, cursor: Any) -> Any:
    """An element of an array, of streams or of what a pointer points to."""
    base, subscript = cursor.get_children()
    node = expression(frame, base)
    index: Any = unwidened(expression(frame, subscript))
    if not isinstance(node.type, (tree.Array, tree.Pointer)):
        node, index = index, node
    if not isinstance(node.type, (tree.Array, tree.Pointer)):
        raise Refused(cursor, "this is no element of an array", "take an array")
    if is_streams(node.type):
        index = with_values(index, frame.steady)
    elif steps(index) and _has_parts(node.type.element):
        index = _stepped_before(frame, index, cursor)
    return element_of(node, index, frame.place(cursor))


def _pointee(node: Expression, cursor: Any, place: SourceRange) -> Expression:
    """What a pointer points to; raises Refused where parts would step it several times."""
    found = dereferenced(node, place)
    if steps(node) and _has_parts(found.type):
        what = "a pointer to an object is stepped where the object is used"
        raise Refused(cursor, what, "step it in a statement of its own")
    return found


def _has_parts(kind: tree.Type) -> bool:
    """True for what C reads and assigns part by part: structs, and wide words."""
    return isinstance(kind, tree.Struct) or is_wide(kind)


def _stepped_before(frame: FunctionFrame, index: Expression, cursor: Any) -> Expression:
    """An index that steps a variable, once for all parts of an element."""
    whole = () if frame.statement is None else changes_in(frame.statement)
    if any(whole.count(one) > 1 for one in changes_in(cursor)):
        what = "a variable is stepped in the subscript of an object, and elsewhere in the statement"
        raise Refused(cursor, what, "step it in a statement of its own")
    declared = tree.Decl(frame.new_name("at"), index.type, index.place, index)
    frame.front.append(declared)
    return variable(declared, index.place)


def _call(frame: FunctionFrame, cursor: Any) -> Any:
    from hlsmem.read.c.clang.calls import call  # calls lower bodies, which have expressions

    return call(frame, cursor)


def _words(kind: str) -> str:
    """A kind of clang in words."""
    return kind.removeprefix("CXX_").removesuffix("_EXPR").replace("_", " ").lower()


_KINDS: Mapping[str, Callable[[FunctionFrame, Any], Any]] = {
    "INTEGER_LITERAL": literal,
    "CHARACTER_LITERAL": literal,
    "FLOATING_LITERAL": literal,
    "CXX_BOOL_LITERAL_EXPR": truth,
    "DECL_REF_EXPR": name,
    "MEMBER_REF_EXPR": member,
    "CXX_THIS_EXPR": this,
    "UNEXPOSED_EXPR": _wrapped,
    "PAREN_EXPR": _wrapped,
    "CXX_CONST_CAST_EXPR": _wrapped,
    **dict.fromkeys(_CASTS, _cast),
    "CXX_UNARY_EXPR": _size,
    "UNARY_EXPR_OR_TYPE_TRAIT": _size,
    "SIZE_OF_PACK_EXPR": _size,
    "CXX_SCALAR_VALUE_INIT_EXPR": _zero,
    "ARRAY_SUBSCRIPT_EXPR": _element,
    "UNARY_OPERATOR": _unary,
    "BINARY_OPERATOR": _binary,
    "COMPOUND_ASSIGNMENT_OPERATOR": _updated,
    "CONDITIONAL_OPERATOR": _conditional,
    "INIT_LIST_EXPR": _list,
    "COMPOUND_LITERAL_EXPR": unnamed_object,
    "CALL_EXPR": _call,
}
