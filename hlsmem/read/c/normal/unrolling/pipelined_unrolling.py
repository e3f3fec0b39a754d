"""Loops inside of pipelined ones, written iteration by iteration.

`#pragma HLS PIPELINE` asks for a step of all that its loop does in an iteration, so synthesis
tools unroll the loops inside (AMD UG1399, "PIPELINE"). Here a step of one statement that reads
nine elements is one beat of nine operands, where a loop over them is nine beats.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.normal.functions.scoped_statements import with_statements
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.normal.unrolling.unrolling import turns_of
from hlsmem.read.c.symbols import Scope, declare
from hlsmem.read.c.trees import changed, inner_statements, nodes_of, rewrite_statements

# The nodes of the text that an iteration may take.
_MOST_NODES = 5_000
# The iterations of a loop: the taps of a filter.
_MOST_TURNS = 128


MARK = "hlsmem pipeline"
"""The pragma of the normal form that stands for one that nobody wrote (`steps`)."""
_MARKED = MARK.upper().split()


class _Kept(Exception):
    """A loop inside stays one: its iterations are not few, or not known."""


def write_pipelined(unit: Unit) -> Unit:
    """The unit in whose pipelined loops all loops are written iteration by iteration, where all can
    be."""

    def written(body: Any, scope: Scope) -> Any:
        try:
            return _written(body, scope)
        except _Kept:
            return body

    return with_iterations(unit, written)


def with_iterations(unit: Unit, written: Callable[[Any, Scope], Any | None]) -> Unit:
    """The unit with other bodies of pipelined loops, those of the user's pragmas where it follows
    them.

    `written` gets a body and the names that are known in it; None has loops inside looked at.
    """

    def replaced(node: Any, scope: Scope) -> list[Any] | None:
        if not is_pipelined(node, follows_pragmas=unit.follows_pragmas):
            return None
        inner = scope.inner()
        for one in node.init.decls if isinstance(node.init, tree.DeclList) else ():
            declare(one, inner, "region")
        body = written(node.stmt, inner)
        if body is None:
            return None
        return [node] if body is node.stmt else [changed(node, stmt=body)]

    return with_statements(unit, replaced)


def is_pipelined(node: Any, *, follows_pragmas: bool = True) -> bool:
    """True if a statement is a loop that PIPELINE stands in, and in no loop inside of it."""
    if not isinstance(node, tree.For):
        return False
    return any(
        _words(one) == _MARKED or (follows_pragmas and _is_pipeline(one))
        for one in _own_statements(node.stmt)
    )


def _own_statements(node: Any) -> list[Any]:
    """A statement and those below it, without loops."""
    if isinstance(node, (tree.For, tree.While, tree.DoWhile)):
        return []
    return [node, *(below for one in inner_statements(node) for below in _own_statements(one))]


def _is_pipeline(node: Any) -> bool:
    words = _words(node)
    return words[:2] == ["HLS", "PIPELINE"] and "OFF" not in words


def _words(node: Any) -> list[str]:
    return node.string.upper().split() if isinstance(node, tree.Pragma) else []


def _written(body: Any, scope: Scope) -> Any:
    """A body whose loops are written out; raises _Kept where one cannot be."""

    def replaced(node: Any) -> Any | None:
        if isinstance(node, (tree.While, tree.DoWhile)):
            raise _Kept
        if not isinstance(node, tree.For):
            return None
        turns = turns_of(node, scope, _MOST_TURNS)
        if turns is None:
            raise _Kept
        found = [_written(_without_pragmas(turn), scope) for turn in turns]
        if sum(len(nodes_of(one)) for one in found) > _MOST_NODES:
            raise _Kept
        return found

    return rewrite_statements(body, replaced)


def _without_pragmas(body: Any) -> Any:
    """An iteration without what was said of its loop."""

    def replaced(node: Any) -> list[Any] | None:
        words = _words(node)
        return [] if words[:1] == ["HLS"] or words == _MARKED else None

    return rewrite_statements(body, replaced)
