"""Loops whose headers step several variables: the one that is compared stays in the header.

`for (int c = 0, k = 0; c < 3; c++, k += 8) f(k);` becomes
`{ int k = 0; for (int c = 0; c < 3; c++) { f(k); k += 8; } }`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang.used_variables import names_in, names_of
from hlsmem.read.c.operations import sequence
from hlsmem.read.c.tree import Statement


def with_header(
    begin: Sequence[Statement], steps: Sequence[Any], loop: tree.For
) -> list[Statement]:
    """Return a loop, whose header has a condition alone, with what it begins with and steps.

    All stay in the header where steps read one another, or where `continue` leads to them.
    """
    counter = _counter(begin, loop, steps)
    own = [one for one in begin if _target(one) == counter]
    moved = [one for one in steps if _target(one) != counter]
    if not counter:
        are_alike = all(isinstance(one, tree.Decl) for one in begin)
        are_alike = are_alike and len({one.type for one in begin}) == 1  # type: ignore[union-attr]
        own = list(begin if are_alike else begin[-1:])
        if len(own) == 1 < len(begin) and isinstance(own[0], tree.Decl):
            own = []
    elif moved:
        body = loop.stmt.block_items if isinstance(loop.stmt, tree.Compound) else (loop.stmt,)
        stmt = tree.Compound((*body, *moved), loop.place)
        loop, steps = replace(loop, stmt=stmt), _of(steps, counter)
    declared = tuple(one for one in own if isinstance(one, tree.Decl))
    init: Any = tree.DeclList(declared, loop.place) if declared else own[0] if own else None
    front = [one for one in begin if one not in own]
    following = None if not steps else steps[0] if len(steps) == 1 else sequence(steps, loop.place)
    made = replace(loop, init=init, next=following)
    return [tree.Compound((*front, made), loop.place)] if front else [made]


def _counter(begin: Sequence[Statement], loop: tree.For, steps: Sequence[Any]) -> str:
    """The variable that alone may stay in the header; empty where there is none, or one anyway."""
    if loop.cond is None or not steps or (len(begin) < 2 and len(steps) < 2):
        return ""
    tested = [name for one in steps if (name := _target(one)) in names_in(loop.cond)]
    if len(tested) != 1:
        return ""
    (counter,) = tested
    others = [one for one in (*begin, *steps) if _target(one) != counter]
    targets = {_target(one) for one in others}
    are_apart = not any(counter in names_of(one) for one in others) and not any(
        targets & names_of(one) for one in (*begin, *steps) if _target(one) == counter
    )
    stays = _continues(loop.stmt) and any(_target(one) != counter for one in steps)
    return counter if are_apart and not stays else ""


def _of(steps: Sequence[Any], counter: str) -> list[Any]:
    return [one for one in steps if _target(one) == counter]


def _target(node: Statement | None) -> str:
    """The variable that a part of a header declares, assigns or steps; empty for none."""
    match node:
        case tree.Decl(name=name) | tree.Assignment(lvalue=tree.ID(name=name)):
            return name
        case tree.UnaryOp(op="++" | "--" | "p++" | "p--", expr=tree.ID(name=name)):
            return name
    return ""


def _continues(node: Statement | None) -> bool:
    """True for a statement with a `continue` that is not of a loop in it."""
    match node:
        case tree.Continue():
            return True
        case tree.Compound(items) | tree.Case(stmts=items) | tree.Default(stmts=items):
            return any(map(_continues, items))
        case tree.If(_, then, otherwise):
            return _continues(then) or _continues(otherwise)
        case tree.Switch() | tree.Label():
            return _continues(node.stmt)
    return False
