"""Statements of C++ as statements of C."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.copies import copied
from hlsmem.read.c.clang.counters import joined
from hlsmem.read.c.clang.declarations import declaration, declarations_of
from hlsmem.read.c.clang.declared import mentions
from hlsmem.read.c.clang.directives import directives_in, lowered_directive
from hlsmem.read.c.clang.expressions import as_type, converted, expression
from hlsmem.read.c.clang.lowering import FunctionFrame, Refused
from hlsmem.read.c.clang.objects import (
    NoPart,
    has_effect,
    leaves_of,
    unwidened,
)
from hlsmem.read.c.clang.open_numbers import in_block
from hlsmem.read.c.clang.settled import end_block, leave_out, settle
from hlsmem.read.c.clang.types_in_c import is_wide
from hlsmem.read.c.refusal import Refusal
from hlsmem.read.c.tree import Expression, Statement
from hlsmem.read.suffixes import is_cxx

_JUMPS = f"{Refusal.CONTROL_FLOW.value}: 'goto' jumps"
_NO_JUMP = "write a loop in its place, or leave loops by break, continue or return"
_REFUSED = {
    "GOTO_STMT": (_JUMPS, _NO_JUMP),
    "INDIRECT_GOTO_STMT": (_JUMPS, _NO_JUMP),
    "CXX_TRY_STMT": ("exceptions are not read", "leave them out"),
    "ASM_STMT": ("assembly is not read", "write it in C++"),
    "GCC_ASM_STMT": ("assembly is not read", "write it in C++"),
}


def function_body(frame: FunctionFrame, body: Any, first: Sequence[Statement]) -> tree.Compound:
    """Return the block of a function, with declarations of its own in front."""
    made = block(frame, body)
    items = (*first, *made.block_items)
    if frame.sliced:
        items = tuple(in_block(items, frame.sliced))
    return tree.Compound(items, made.place)


def statements(frame: FunctionFrame, cursor: Any) -> list[Statement]:
    """Return the statements for one of C++; what is not read is noted, and left out."""
    numbers = frame.numbers
    if _is_unreached(frame, cursor):
        leave_out(frame, cursor)
        return []
    frame.numbers = frame.reached.get(cursor.hash, numbers)
    before, frame.front = frame.front, []
    around, frame.statement = frame.statement, cursor
    steady = frame.steady
    try:
        made = _lowered(frame, cursor)
    except Refused as error:
        frame.lowering.refuse(error, frame.through)
        made = []
    except NoPart as error:
        frame.lowering.refuse(Refused(cursor, error.what, error.remedy), frame.through)
        made = []
    front, frame.front = frame.front, before
    frame.steady = settle(frame, cursor, steady)
    frame.numbers, frame.statement = numbers, around
    return [*front, *made]


def _is_unreached(frame: FunctionFrame, cursor: Any) -> bool:
    """True for a statement in front of which some variable has no number in any run."""
    return not all(frame.reached.get(cursor.hash, {}).values())


def _lowered(frame: FunctionFrame, cursor: Any) -> list[Statement]:
    kind = cursor.kind.name
    lower = _KINDS.get(kind)
    if lower is not None:
        return lower(frame, cursor)
    if kind in _REFUSED:
        raise Refused(cursor, *_REFUSED[kind])
    if cursor.kind.is_expression():
        return _effect(frame, cursor)
    words = kind.removeprefix("CXX_").removesuffix("_STMT").replace("_", " ").lower()
    raise Refused(cursor, f"{words} is not read", "use loops, if and switch")


def _effect(frame: FunctionFrame, cursor: Any) -> list[Statement]:
    if is_cxx(frame.lowering.source.main) and _prints(cursor):
        return []
    parts = joined(cursor)
    if len(parts) > 1:
        return [one for part in parts for one in statements(frame, part)]
    node = expression(frame, cursor)
    return [_taken(frame, one) for one in leaves_of(node) if has_effect(one)]


def _taken(frame: FunctionFrame, node: Expression) -> Statement:
    """An effect; an element of a stream that nothing uses is taken all the same."""
    if isinstance(node, tree.ArrayRef):
        return tree.Decl(frame.new_name("unused"), node.type, node.place, node)
    return node


def effects(frame: FunctionFrame, cursor: Any) -> list[Statement]:
    """The effects of expressions joined by commas, in an expression or a header."""
    return [one for part in joined(cursor) for one in _effect(frame, part)]


_PRINTING = ("printf", "puts", "putchar", "fflush", "fprintf", "fputs", "perror", "print")


def _prints(cursor: Any) -> bool:
    """True for a call that writes to a terminal or a file, of which no value depends."""
    cursor = clang_types.unwrapped(cursor)
    if cursor.kind.name != "CALL_EXPR" or cursor.referenced is None:
        return False
    if clang_types.referred(cursor.type).get_declaration().spelling.endswith("ostream"):
        return True
    known = cursor.referenced
    return known.spelling in _PRINTING and not any(
        one.kind.name == "COMPOUND_STMT" for one in known.get_children()
    )


# Blocks and pragmas.


def block(frame: FunctionFrame, cursor: Any) -> tree.Compound:
    """Return a block with the pragmas that stand in it."""
    if cursor.kind.name != "COMPOUND_STMT":
        return tree.Compound(tuple(statements(frame, cursor)), frame.place(cursor))
    items = list(cursor.get_children())
    pragmas = directives_in(frame, cursor, items)
    known, streams = set(frame.locals), dict(frame.streams)
    steady, settled = frame.steady, frame.settled
    found: list[Statement] = []
    for one in items:
        start = one.extent.start.offset
        while pragmas and pragmas[0].offset < start:
            found += lowered_directive(frame, pragmas.pop(0), cursor)
        found += statements(frame, one)
    found += [made for one in pragmas for made in lowered_directive(frame, one, cursor)]
    frame.locals, frame.streams = known | frame.locals, {**frame.streams, **streams}
    end_block(frame, cursor, steady, settled)
    return tree.Compound(tuple(found), frame.place(cursor))


def _block(frame: FunctionFrame, cursor: Any) -> list[Statement]:
    return [block(frame, cursor)]


def inner_statement(frame: FunctionFrame, cursor: Any) -> Statement:
    """A statement behind a header."""
    if cursor.kind.name == "COMPOUND_STMT" and not _is_unreached(frame, cursor):
        return block(frame, cursor)
    made = statements(frame, cursor)
    if len(made) == 1 and not isinstance(made[0], tree.Decl):
        return made[0]
    return tree.Compound(tuple(made), frame.place(cursor))


# Control flow.


def _if(frame: FunctionFrame, cursor: Any) -> list[Statement]:
    below = list(cursor.get_children())
    found: list[Statement] = []
    while below and below[0].kind.name in ("DECL_STMT", "VAR_DECL"):
        one = below.pop(0)
        found += (declarations_of if one.kind.name == "DECL_STMT" else declaration)(frame, one)
    condition, then, *others = below
    known = clang_types.value_of(condition)
    if known is not None and not mentions(frame, condition):  # no size that stays a name
        chosen, other = (then, *others, None)[:2] if known else ((*others, None)[0], then)
        leave_out(frame, other)
        return [*found, *([] if chosen is None else statements(frame, chosen))]
    test = condition_of(frame, condition)
    if clang_types.unwrapped(condition).hash in frame.polls and isinstance(test, tree.Constant):
        return [*found, *statements(frame, then)]
    settled = frame.settled
    place = frame.place(cursor)
    first = inner_statement(frame, then)
    if others and not isinstance(first, tree.Compound):
        first = tree.Compound((first,), place)  # an else is that of the nearest if
    other = inner_statement(frame, others[0]) if others else None
    made = tree.If(test, first, other, place)
    frame.settled = settled
    if found:
        return [tree.Compound((*found, made), place)]
    return [made]


def condition_of(frame: FunctionFrame, cursor: Any) -> Any:
    """Return a condition, a number that is compared with 0 where C++ leaves that out."""
    return as_type(unwidened(expression(frame, cursor)), tree.BOOL, cursor)


def _loop(frame: FunctionFrame, cursor: Any) -> list[Statement]:
    from hlsmem.read.c.clang.lowered_loops import loop  # loops have statements

    return loop(frame, cursor)


def _switch(frame: FunctionFrame, cursor: Any) -> list[Statement]:
    condition, body = list(cursor.get_children())[-2:]
    node: Any = unwidened(expression(frame, condition))
    return [tree.Switch(node, _by_case(inner_statement(frame, body)), frame.place(cursor))]


def _by_case(body: Statement) -> Statement:
    """The block of a switch in which each label has the statements up to the next one."""
    if not isinstance(body, tree.Compound):
        return body
    items: list[Statement] = []
    pending = list(body.block_items)[::-1]
    while pending:
        one = pending.pop()
        last = items[-1] if items else None
        if isinstance(one, (tree.Case, tree.Default)):  # clang has the first statement below
            items.append(replace(one, stmts=()))
            pending += one.stmts[::-1]
        elif isinstance(last, (tree.Case, tree.Default)):
            items[-1] = replace(last, stmts=(*last.stmts, one))
        else:
            items.append(one)
    return replace(body, block_items=tuple(items))


def _case(frame: FunctionFrame, cursor: Any) -> list[Statement]:
    label, *inner = cursor.get_children()
    made = tuple(one for part in inner for one in statements(frame, part))
    return [tree.Case(expression(frame, label), made, frame.place(cursor))]


def _default(frame: FunctionFrame, cursor: Any) -> list[Statement]:
    made = tuple(one for part in cursor.get_children() for one in statements(frame, part))
    return [tree.Default(made, frame.place(cursor))]


def _label(frame: FunctionFrame, cursor: Any) -> list[Statement]:
    (inner,) = cursor.get_children()
    made = statements(frame, inner)
    if len(made) != 1:
        return made
    return [tree.Label(cursor.spelling, made[0], frame.place(cursor))]


def _return(frame: FunctionFrame, cursor: Any) -> list[Statement]:
    below = list(cursor.get_children())
    place = frame.place(cursor)
    if not below:
        return [tree.Return(None, place)]
    if isinstance(frame.returns, tree.Void):
        return [*_effect(frame, below[0]), tree.Return(None, place)]
    if isinstance(frame.returns, tree.Struct) or is_wide(frame.returns):
        made = converted(frame, below[0], frame.returns)
        front, frame.front = frame.front, []
        return [*front, *copied(frame, frame.result, made, cursor), tree.Return(None, place)]
    return [tree.Return(converted(frame, below[0], frame.returns), place)]


def _with_attributes(frame: FunctionFrame, cursor: Any) -> list[Statement]:
    """A statement behind attributes, such as [[fallthrough]]."""
    below = [one for one in cursor.get_children() if not one.kind.is_attribute()]
    if len(below) > 1:
        raise Refused(cursor, "this statement is not read", "use loops, if and switch")
    return statements(frame, below[0]) if below else []


def _nothing(frame: FunctionFrame, cursor: Any) -> list[Statement]:
    return [tree.EmptyStatement(frame.place(cursor))]


_KINDS: Mapping[str, Callable[[FunctionFrame, Any], list[Statement]]] = {
    "COMPOUND_STMT": _block,
    "DECL_STMT": declarations_of,
    "IF_STMT": _if,
    "FOR_STMT": _loop,
    "CXX_FOR_RANGE_STMT": _loop,
    "WHILE_STMT": _loop,
    "DO_STMT": _loop,
    "SWITCH_STMT": _switch,
    "CASE_STMT": _case,
    "DEFAULT_STMT": _default,
    "LABEL_STMT": _label,
    "RETURN_STMT": _return,
    "BREAK_STMT": lambda frame, cursor: [tree.Break(frame.place(cursor))],
    "CONTINUE_STMT": lambda frame, cursor: [tree.Continue(frame.place(cursor))],
    "NULL_STMT": _nothing,
    "UNEXPOSED_STMT": _with_attributes,
}
