"""Variables that their only assignment gives the number which they keep from there on.

`int step; if (DEPTH == 16) step = 2; else step = 1;` has a branch that no run takes: behind it
`step` is a number, as if its declaration had it.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang.counters import assigned_number
from hlsmem.read.c.clang.lowering import FunctionFrame
from hlsmem.read.c.clang.steady import Steady, changes_in, with_value

_CONDITIONAL = (
    "FOR_STMT", "CXX_FOR_RANGE_STMT", "WHILE_STMT", "DO_STMT", "SWITCH_STMT", "CASE_STMT",
    "DEFAULT_STMT",
)  # fmt: skip
"""Statements in which an assignment may run never, or again."""


def leave_out(frame: FunctionFrame, branch: Any | None) -> None:
    """Note that a branch is never taken: what it assigns is assigned nowhere.

    A body that is lowered turn by turn has it once.
    """
    if branch is not None:
        frame.untaken[branch.hash] = changes_in(branch)


def settle(frame: FunctionFrame, cursor: Any, before: Steady) -> Steady:
    """Return the values of variables behind a statement, where those in front of it were `before`.

    What a block declares ends with it; what a statement assigns that always runs is kept.
    """
    if cursor.kind.name == "DECL_STMT":
        return frame.steady
    if cursor.kind.name in _CONDITIONAL:
        frame.settled = frame.settled & before.keys()
    found = assigned_number(cursor) if cursor.kind.is_expression() else None
    if found is not None:
        variable, number = found
        node = frame.bound.get(variable)
        if isinstance(node, tree.ID) and changes_of(frame, variable) == 1:
            frame.steady = with_value(frame.steady, node.name, node.type, node, number)
            frame.settled |= {node.name} & frame.steady.keys()
    kept = {name: frame.steady[name] for name in frame.settled if name in frame.steady}
    return {**before, **kept}


def end_block(frame: FunctionFrame, cursor: Any, before: Steady, settled: frozenset[str]) -> None:
    """Leave a block, in front of which variables had these values, some of them `settled`."""
    declared = {
        frame.bound[one.hash].name
        for item in cursor.get_children()
        if item.kind.name == "DECL_STMT"
        for one in item.get_children()
        if isinstance(frame.bound.get(one.hash), tree.ID)
    }
    kept = frame.settled - declared
    frame.steady = {**before, **{one: frame.steady[one] for one in kept if one in frame.steady}}
    frame.settled = kept | settled


def changes_of(frame: FunctionFrame, variable: int) -> int:
    """Return how many parts of the function may assign a variable, of those that may run."""
    left_out = sum(one.count(variable) for one in frame.untaken.values())
    return written_changes_of(frame, variable) - left_out


def written_changes_of(frame: FunctionFrame, variable: int) -> int:
    """Return how many parts of the function assign a variable, also where they never run."""
    if frame.changes is None:
        frame.changes = Counter(changes_in(frame.function))
    return frame.changes[variable]
