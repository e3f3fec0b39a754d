"""Operations of the classes `num` and `part`, by the names that hlsmem_number.h gives them."""

from __future__ import annotations

from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.clang import clang_types, exact_numbers
from hlsmem.read.c.clang.call_cursors import arguments_of, body_of
from hlsmem.read.c.clang.exact_numbers import Value
from hlsmem.read.c.clang.lowering import FunctionFrame, Refused
from hlsmem.read.c.clang.objects import is_target
from hlsmem.read.c.clang.reached_values import as_indices
from hlsmem.read.c.clang.steady import with_values
from hlsmem.read.c.clang.written_digits import number_in
from hlsmem.read.c.tree import Expression, Number, SourceRange

NUMBERS = ("num", "part", "conversions", "part_conversions")
"""The classes of hlsmem_number.h whose methods are known here."""
_BINARY = frozenset(
    [
        "+",
        "-",
        "*",
        "/",
        "%",
        "&",
        "|",
        "^",
        "<<",
        ">>",
        "<",
        "<=",
        ">",
        ">=",
        "==",
        "!=",
        "&&",
        "||",
    ]
)
_UNARY = frozenset(["-", "~", "!", "+"])


@dataclass(frozen=True, slots=True)
class Slice:
    """A slice of a number before it is read or assigned, from bit `low` to bit `high`."""

    number: Expression
    high: Expression
    low: Expression
    type: Number
    place: SourceRange


def operand(frame: FunctionFrame, cursor: Any) -> Value:
    """Return an operand of arithmetic."""
    from hlsmem.read.c.clang.expressions import expression

    node = expression(frame, cursor)
    if isinstance(node, Slice) or not isinstance(node.type, Number):
        return value_of(node, cursor)
    return exact_numbers.value_of(node, clang_types.number_kind(cursor.type))


def value_of(node: Any, cursor: Any) -> Value:
    """Return the value of an expression; of a slice the bits in it."""
    if isinstance(node, Slice):
        return exact_numbers.slice_value(exact_numbers.value_of(node.number), node.high, node.low)
    if not isinstance(node.type, (tree.Number, tree.Float)):
        raise Refused(cursor, "this is no number", "take a number")
    return exact_numbers.value_of(node)


def arithmetic(frame: FunctionFrame, cursor: Any, known: Any) -> Any:
    """Return an operator, a conversion or a slice of numbers."""
    name = known.spelling
    target, given = arguments_of(cursor, known)
    if known.kind.name == "CONSTRUCTOR":
        return _constructed(frame, cursor, given)
    if known.kind.name == "CONVERSION_FUNCTION":
        return _conversion(frame, cursor, target)
    operands = [*([] if target is None else [target]), *given]
    if name.startswith("operator"):
        return _operator(frame, cursor, name.removeprefix("operator").strip(), operands)
    match name, len(given):
        case "range", 2:
            return _slice(frame, cursor, [target, *given])
        case "bit", 1:
            return _slice(frame, cursor, [target, *given, *given])
        case "concat", 1:
            return _concatenated(frame, operands)
    if body_of(known.get_definition() or known) is not None:
        from hlsmem.read.c.clang.calls import in_place_of

        return in_place_of(frame, cursor, known)
    raise Refused(cursor, f"'{name}' of a number is not read", "use operators and range()")


def _kind(cursor: Any) -> Number | tree.Float:
    found = clang_types.number_kind(cursor.type)
    if found is None and clang_types.intrinsic_of(cursor.type) == "part":
        found = clang_types.number_of(cursor.type)
    if found is None:
        raise Refused(cursor, "this is no number", "take a number")
    return found


def _constructed(frame: FunctionFrame, cursor: Any, given: list[Any]) -> Any:
    kind = _kind(cursor)
    if not given:
        return tree.Constant("0", tree.INT, frame.place(cursor))
    if isinstance(kind, Number):
        written = number_in(given, kind, frame.place(cursor))
        if written is not None:
            return written
    return exact_numbers.converted(operand(frame, given[0]), kind).node


def _conversion(frame: FunctionFrame, cursor: Any, target: Any) -> Any:
    from hlsmem.read.c.clang.named_values import receiver

    kind = _kind(cursor)
    if target is None:
        return exact_numbers.converted(value_of(receiver(frame, cursor), cursor), kind).node
    return exact_numbers.converted(operand(frame, target), kind).node


def _operator(frame: FunctionFrame, cursor: Any, sign: str, operands: list[Any]) -> Any:
    from hlsmem.read.c.clang.expressions import expression

    if sign == "=":
        return _assigned(frame, cursor, expression(frame, operands[0]), operands[1])
    if sign in ("()", "[]"):
        more = operands if sign == "()" else [*operands, operands[1]]
        return _slice(frame, cursor, more)
    if sign in ("++", "--"):
        return _stepped(frame, cursor, sign, operands)
    if sign == ",":
        return _concatenated(frame, operands)
    if len(operands) == 1 and sign in _UNARY:
        return exact_numbers.unary(sign, operand(frame, operands[0]), _kind(cursor)).node
    if len(operands) == 2 and sign in _BINARY:
        left, right = (operand(frame, one) for one in operands)
        return exact_numbers.binary(sign, left, right, _kind(cursor)).node
    if len(operands) == 2 and sign.endswith("=") and sign[:-1] in _BINARY:
        target = expression(frame, operands[0])
        added = operand(frame, operands[1])
        if _is_counter(frame, target):
            step = with_values(added.node, frame.steady)
            return tree.Assignment(sign, target, step, target.type, frame.place(cursor))
        return _computed(frame, cursor, target, sign[:-1], added)
    if len(operands) == 1:
        return _conversion(frame, cursor, operands[0])
    raise Refused(cursor, f"the operator {sign} of numbers is not read", "use another")


def _computed(frame: FunctionFrame, cursor: Any, target: Any, sign: str, added: Value) -> Any:
    """An assignment such as +=: the exact result, cut to the variable."""
    own = value_of(target, cursor)
    made = exact_numbers.binary(
        sign, own, added, exact_numbers.result_of(sign, own.type, added.type)
    )
    return _stored(frame, cursor, target, made)


def _stepped(frame: FunctionFrame, cursor: Any, sign: str, operands: list[Any]) -> Any:
    from hlsmem.read.c.clang.expressions import expression

    target = expression(frame, operands[0])
    if _is_counter(frame, target) or not (isinstance(target.type, Number) and target.type.exact):
        sign = sign if len(operands) == 1 else f"p{sign}"
        return tree.UnaryOp(sign, target, target.type, frame.place(cursor))
    one = tree.Constant("1", tree.INT, frame.place(cursor))
    return _computed(frame, cursor, target, sign[0], exact_numbers.value_of(one))


def _is_counter(frame: FunctionFrame, target: Any) -> bool:
    """True for a variable that is an int in C, as it counts a loop within its bits."""
    return isinstance(target, tree.ID) and target.name in frame.counters


def _assigned(frame: FunctionFrame, cursor: Any, target: Any, source: Any) -> Any:
    if isinstance(target, Slice) and isinstance(target.number, tree.ID):
        frame.sliced.add(target.number.name)
    return _stored(frame, cursor, target, operand(frame, source))


def _stored(frame: FunctionFrame, cursor: Any, target: Any, made: Value) -> Any:
    place = frame.place(cursor)
    if isinstance(target, Slice):
        if not is_target(target.number):
            raise Refused(cursor, "a slice of a value is assigned", "assign to a variable's")
        *first, last = exact_numbers.slice_assignments(target.number, target.high, target.low, made)
        frame.front += first
        return last
    kind = target.type
    if not isinstance(kind, (Number, tree.Float)):
        raise Refused(cursor, "a number is assigned to what is none", "assign to a number")
    value = exact_numbers.converted(made, kind)
    if exact_numbers.is_wide(kind):
        frame.front += exact_numbers.word_assignments(target, value, place)
        return tree.ID("nothing", tree.Void(), place)
    return tree.Assignment("=", target, value.node, kind, place)


def _slice(frame: FunctionFrame, cursor: Any, operands: list[Any]) -> Slice:
    from hlsmem.read.c.clang.expressions import expression
    from hlsmem.read.c.clang.named_values import receiver

    if len(operands) != 3:
        raise Refused(cursor, "this slice is not read", "write x.range(high, low)")
    of, *ends = operands
    number = receiver(frame, cursor) if of is None else expression(frame, of)
    high, low = (expression(frame, one) for one in ends)
    kind = number.type
    if isinstance(number, Slice) or not isinstance(kind, Number):
        raise Refused(cursor, "a slice of a slice is not read", "assign the slice first")
    known = {**as_indices(frame), **frame.steady}
    high, low = (with_values(one, known) for one in (high, low))
    return Slice(number, high, low, kind, frame.place(cursor))


def _concatenated(frame: FunctionFrame, operands: list[Any]) -> Any:
    return exact_numbers.concatenated(_side_by_side(frame, operands)).node


def _side_by_side(frame: FunctionFrame, operands: list[Any]) -> list[Value]:
    """The numbers of a concatenation, and of those in it: slices have as many bits as they take."""
    found: list[Value] = []
    for one in operands:
        own = clang_types.unwrapped(one)
        known = own.referenced if own.kind.name == "CALL_EXPR" else None
        if known is not None and known.spelling == "operator,":
            found += _side_by_side(frame, list(own.get_arguments()))
        else:
            found.append(operand(frame, one))
    return found
