"""Loops over streams: those that choose one in each turn, and those that wait for one.

Turns of the first are written one after the other.
"""

from __future__ import annotations

from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.declared import initial_value
from hlsmem.read.c.clang.library import library, walked
from hlsmem.read.c.clang.objects import STREAMS
from hlsmem.read.c.clang.steady import changes_in

_HOLDS = {
    "<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__, "!=": int.__ne__,
}  # fmt: skip


_CHANGES = ("CALL_EXPR", "UNARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR", "BINARY_OPERATOR")


@dataclass(frozen=True, slots=True)
class Turns:
    """The counter of a loop, and its value in each turn."""

    counter: Any
    values: tuple[int, ...]


def turns_of(init: Any, condition: Any, step: Any, body: Any) -> Turns | None:
    """Return the turns of a loop whose counter chooses a stream; None for other loops."""
    counters = [] if init is None else list(init.get_children())
    if len(counters) != 1 or counters[0].kind.name != "VAR_DECL" or step is None:
        return None
    (counter,) = counters
    if counter.hash in changes_in(body) or not _chooses(body, counter) or _is_left(body):
        return None
    first = initial_value(counter)
    start = None if first is None else clang_types.value_of(first)
    by = _step(step, counter)
    if not isinstance(start, int) or not by or condition is None:
        return None
    values = _values(start, condition, by, counter)
    return None if values is None else Turns(counter, values)


def polls_of(condition: Any, step: Any, body: Any) -> set[int]:
    """Return the calls that a loop repeats, changing nothing, until they give true.

    The body is one `if` without else, behind declarations without values.
    """
    if step is not None or body.kind.name != "COMPOUND_STMT":
        return set()
    if condition is not None and any(one.kind.name in _CHANGES for one in walked(condition)):
        return set()
    *declared, last = list(body.get_children()) or [body]
    below = list(last.get_children())
    if last.kind.name != "IF_STMT" or len(below) != 2:
        return set()
    if any(one.kind.name != "DECL_STMT" or not _is_without_values(one) for one in declared):
        return set()
    return {clang_types.unwrapped(below[0]).hash}


def _is_without_values(declared: Any) -> bool:
    return all(
        one.kind.name == "VAR_DECL" and initial_value(one) is None
        for one in declared.get_children()
    )


def _values(start: int, condition: Any, by: int, counter: Any) -> tuple[int, ...] | None:
    """The values of a counter; None where its end is not known, and for more than `STREAMS`."""
    condition = clang_types.unwrapped(condition)
    if condition.kind.name != "BINARY_OPERATOR":  # a call, such as of a comparison of ap_uint
        return None
    left, right = condition.get_children()
    holds = _HOLDS.get(library().binary_operator(condition))
    bound = clang_types.value_of(right)
    if holds is None or not isinstance(bound, int) or not _is(left, counter):
        return None
    values: list[int] = []
    while holds(start + by * len(values), bound):
        values.append(start + by * len(values))
        if len(values) > STREAMS:
            return None
    return tuple(values)


def _step(step: Any, counter: Any) -> int:
    """Return the number that a step adds to a counter; 0 where that is not known."""
    below = list(step.get_children())
    if not below or not _is(below[0], counter):
        return 0
    if step.kind.name == "UNARY_OPERATOR":
        return {"++": 1, "p++": 1, "--": -1, "p--": -1}.get(library().unary_operator(step), 0)
    if step.kind.name != "COMPOUND_ASSIGNMENT_OPERATOR":
        return 0
    number = clang_types.value_of(below[1])
    sign = {"+=": 1, "-=": -1}.get(library().binary_operator(step), 0)
    return sign * number if isinstance(number, int) else 0


def _is(cursor: Any, variable: Any) -> bool:
    cursor = clang_types.unwrapped(cursor)
    return cursor.kind.name == "DECL_REF_EXPR" and bool(cursor.referenced.hash == variable.hash)


def _chooses(body: Any, counter: Any) -> bool:
    """True where an element of an array of streams is chosen by the counter, or by what it sets."""
    own = {counter.hash}
    for one in walked(body):
        if one.kind.name == "VAR_DECL" and own & _named(one):
            own.add(one.hash)
        if one.kind.name != "ARRAY_SUBSCRIPT_EXPR":
            continue
        base, index = one.get_children()
        if _is_of_streams(base.type) and own & _named(index):
            return True
    return False


def _named(cursor: Any) -> set[int]:
    return {
        one.referenced.hash
        for one in walked(cursor)
        if one.kind.name == "DECL_REF_EXPR" and one.referenced is not None
    }


def _is_of_streams(kind: Any) -> bool:
    own = clang_types.referred(kind).get_canonical()
    while True:
        match clang_types.kind_name(own):
            case "POINTER":
                own = own.get_pointee().get_canonical()
            case "CONSTANTARRAY" | "INCOMPLETEARRAY":
                own = own.get_array_element_type().get_canonical()
            case "RECORD":
                return clang_types.stream_of(own) is not None
            case _:
                return False


def _is_left(body: Any) -> bool:
    """True where a turn, or the loop, may end before its last statement."""
    inner = {
        below.hash
        for one in walked(body)
        if one.kind.name in ("FOR_STMT", "WHILE_STMT", "DO_STMT", "SWITCH_STMT")
        for below in walked(one)
    }
    return any(
        one.kind.name in ("RETURN_STMT", "GOTO_STMT")
        or (one.kind.name in ("BREAK_STMT", "CONTINUE_STMT") and one.hash not in inner)
        for one in walked(body)
    )
