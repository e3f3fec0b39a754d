"""`continue`, `return` and cases of a `switch` as branches: what follows a jump goes to the other.

`do { .. } while (0)`, as macros are written, is a block; its `break` and `continue` end it.

A jump that stands last on its way through the statements does nothing more than end them; the
statements behind a branch that may jump are moved into the branches that do not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.operations import binary
from hlsmem.read.c.trees import (
    block,
    changed,
    fresh,
    inner_statements,
    items_of,
    nodes_of,
    rewrite_statements,
    used_names,
)

_LOOPS = (tree.For, tree.While, tree.DoWhile)
# Statements behind a branch that are put into both of its sides have at most so many nodes.
_MOST_TWICE = 200


class NotStructuredError(Exception):
    """A jump that no branch can stand for."""


def settle_jumps(unit: Unit) -> Unit:
    """The unit without `continue`, without `switch` on indices, `break` last on its way."""
    return unit.with_region(_region)


def _region(items: list[Any]) -> list[Any]:
    items = [rewrite_statements(item, _statement) for item in items]
    if any(_has(item, tree.Return) for item in items):
        try:
            return ended(items, tree.Return, lambda node: [] if node.expr is None else [node])
        except NotStructuredError:
            pass
    return items


def _statement(node: Any) -> Any | None:
    """Loops whose bodies have no `continue`, and branches in place of `switch`."""
    if isinstance(node, tree.Switch):
        inside = changed(node, stmt=rewrite_statements(node.stmt, _statement))
        try:
            return _branches(inside)
        except NotStructuredError:
            return inside
    if not isinstance(node, _LOOPS):
        return None
    body = rewrite_statements(node.stmt, _statement)
    items = items_of(body)
    if isinstance(node, tree.DoWhile) and _is_zero(node.cond):
        try:
            for jump in (tree.Continue, tree.Break):
                items = ended(items, jump, lambda _: [])
        except NotStructuredError:
            return node if body is node.stmt else changed(node, stmt=body)
        return block(items, node.place)
    try:
        if any(_has(item, tree.Continue) for item in items):
            items = ended(items, tree.Continue, lambda _: [])
        if any(_has(item, tree.Break) for item in items):
            items = ended(items, tree.Break, lambda node: [node])
    except NotStructuredError:
        items = items_of(body)
    if items != items_of(body):
        body = block(items, node.stmt.place)
    return changed(node, stmt=body) if body is not node.stmt else node


def ended(items: list[Any], jump: type, last: Callable[[Any], list[Any]]) -> list[Any]:
    """The statements with every `jump` last on its way and replaced by what `last` gives.

    Raises NotStructuredError.
    """
    found: list[Any] = []
    for position, item in enumerate(items):
        if isinstance(item, jump):
            return [*found, *last(item)]
        if _has(item, jump):
            return [*found, _around(item, items[position + 1 :], jump, last)]
        found.append(item)
    return found


def _around(node: Any, rest: list[Any], jump: type, last: Callable[[Any], list[Any]]) -> Any:
    """A statement that may jump, with the statements behind it where it does not."""
    if isinstance(node, tree.Compound):
        inside = items_of(node)
        declared = {one.name for one in inside if isinstance(one, tree.Decl)}
        if any(declared & used_names(one) for one in rest):
            raise NotStructuredError
        return changed(node, block_items=ended([*inside, *rest], jump, last))
    if not isinstance(node, tree.If):
        raise NotStructuredError
    then, otherwise = items_of(node.iftrue), items_of(node.iffalse)
    if not _always(otherwise, jump):
        again = rest
        if rest and not _always(then, jump):
            _check_copied(rest)
            again = [fresh(one) for one in rest]
        otherwise = [*otherwise, *again]
    if not _always(then, jump):
        then = [*then, *rest]
    return changed(
        node,
        iftrue=block(ended(then, jump, last), node.place),
        iffalse=block(ended(otherwise, jump, last), node.place) if otherwise else None,
    )


def _is_zero(node: Any) -> bool:
    return isinstance(node, tree.Constant) and node.value in ("0", "false")


def _check_copied(items: list[Any]) -> None:
    parts = [part for item in items for part in nodes_of(item)]
    if len(parts) > _MOST_TWICE or any(isinstance(part, tree.Label) for part in parts):
        raise NotStructuredError


def _always(items: list[Any], jump: type) -> bool:
    """True if every path through the statements ends with the jump."""
    if not items:
        return False
    last = items[-1]
    if isinstance(last, tree.If):
        branches = items_of(last.iftrue), items_of(last.iffalse)
        return all(_always(one, jump) for one in branches)
    if isinstance(last, tree.Compound):
        return _always(items_of(last), jump)
    return isinstance(last, jump)


def _has(node: Any, jump: type) -> bool:
    """True if a statement has a jump that leaves it."""
    if isinstance(node, jump):
        return True
    if isinstance(node, _LOOPS) and jump in (tree.Break, tree.Continue):
        return False
    if isinstance(node, tree.Switch) and jump is tree.Break:
        return False
    return any(_has(one, jump) for one in inner_statements(node))


# Switch: each case ends with a break, or is the last.


def _branches(node: Any) -> Any:
    if any(isinstance(one, (tree.FuncCall, tree.Assignment)) for one in nodes_of(node.cond)):
        raise NotStructuredError
    if any(isinstance(one, (tree.ArrayRef, tree.UnaryOp)) for one in nodes_of(node.cond)):
        raise NotStructuredError  # data would be read once for each case
    cases = [one for one in items_of(node.stmt) if not isinstance(one, tree.Pragma)]
    if not all(isinstance(one, (tree.Case, tree.Default)) for one in cases):
        raise NotStructuredError
    groups: list[tuple[list[Any], list[Any]]] = []
    values: list[Any] = []
    for position, case in enumerate(cases):
        values.append(case.expr if isinstance(case, tree.Case) else None)
        body = case.stmts
        if not body and position + 1 < len(cases):
            continue
        if position + 1 < len(cases) and not _always(body, tree.Break):
            raise NotStructuredError
        groups.append((values, ended(body, tree.Break, lambda _: [])))
        values = []
    others = [values for values, _ in groups if None not in values]
    chain: Any = None
    for values, body in reversed(groups):
        if None in values:
            continue
        chain = tree.If(_is_one(node.cond, values), block(body, node.place), chain, node.place)
    default = next((body for values, body in groups if None in values), None)
    if default is None:
        return chain if chain is not None else tree.EmptyStatement(node.place)
    if not others:
        return block(default, node.place)
    return _with_else(chain, block(default, node.place))


def _with_else(chain: Any, otherwise: Any) -> Any:
    rest = otherwise if chain.iffalse is None else _with_else(chain.iffalse, otherwise)
    return changed(chain, iffalse=rest)


def _is_one(value: Any, cases: list[Any]) -> Any:
    found: Any = None
    for case in cases:
        same = binary("==", fresh(value), case, value.place)
        found = same if found is None else binary("||", found, same, value.place)
    return found
