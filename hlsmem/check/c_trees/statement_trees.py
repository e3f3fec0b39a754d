"""Statements as they are written, with the pragmas between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hlsmem.check.c_trees import written_c
from hlsmem.check.c_trees.clang_file import ParsedFile, SourceLine
from hlsmem.check.c_trees.clang_functions import children_of
from hlsmem.check.c_trees.declaration_trees import declarations
from hlsmem.check.c_trees.expression_trees import expression, not_understood
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree


@dataclass(frozen=True, slots=True)
class Statements:
    """Reads the statements of a file."""

    file: ParsedFile

    def block(self, cursor: Any) -> tree.Compound:
        """Return a block. Raises NotUnderstood."""
        path, (last, end) = _path(cursor), _span(cursor)
        items: list[Any] = []
        for one in map(_plain, children_of(cursor)):
            if self.file.pragmas.get(path) and _path(one) == path:
                start, behind = _span(one)
                items += self.file.pragmas_between(path, last, start)
                last = max(last, behind)
            items += self.items(one)
        items += self.file.pragmas_between(path, last, end)
        return tree.Compound(tuple(items), self.file.place(cursor))

    def items(self, cursor: Any) -> list[Any]:
        """Return a statement as an item of a block, or the declarations that it is."""
        if cursor.kind.name == "DECL_STMT":
            own = children_of(cursor)
            return [node for _, node in declarations(own, self.file.place)]
        return [self.statement(cursor)]

    def statement(self, cursor: Any) -> Any:
        """Return a statement that declares nothing."""
        at = self.file.place(cursor)
        if cursor.kind.is_expression():
            return expression(cursor, at)
        parts = children_of(cursor)
        match cursor.kind.name, parts:
            case "COMPOUND_STMT", _:
                return self.block(cursor)
            case "IF_STMT", [cond, iftrue]:
                return tree.If(expression(cond, at), self.inner(cursor, cond, iftrue), None, at)
            case "IF_STMT", [cond, iftrue, iffalse]:
                first, second = (
                    self.inner(cursor, cond, iftrue),
                    self.inner(cursor, iftrue, iffalse),
                )
                return tree.If(expression(cond, at), first, second, at)
            case "FOR_STMT", [*header, body]:
                init, cond, step = self.header(cursor, header, at)
                return tree.For(
                    init, cond, step, self.inner(cursor, (header or [None])[-1], body), at
                )
            case "WHILE_STMT", [cond, body]:
                return tree.While(expression(cond, at), self.inner(cursor, cond, body), at)
            case "DO_STMT", [body, cond]:
                return tree.DoWhile(expression(cond, at), self.inner(cursor, None, body), at)
            case "SWITCH_STMT", [cond, body]:
                return tree.Switch(
                    expression(cond, at), _by_case(self.inner(cursor, cond, body)), at
                )
            case "CASE_STMT", [value, body]:
                return tree.Case(expression(value, at), (self.inner(cursor, value, body),), at)
            case "DEFAULT_STMT", [body]:
                return tree.Default((self.inner(cursor, None, body),), at)
            case "LABEL_STMT", [body]:
                return tree.Label(cursor.spelling, self.inner(cursor, None, body), at)
            case "GOTO_STMT", [label]:
                return written_c.Goto(label.spelling, at)
            case "RETURN_STMT", _:
                return tree.Return(expression(parts[0], at) if parts else None, at)
            case "BREAK_STMT", _:
                return tree.Break(at)
            case "CONTINUE_STMT", _:
                return tree.Continue(at)
            case "NULL_STMT", _:
                return tree.EmptyStatement(at)
        raise not_understood("this statement", at)

    def inner(self, whole: Any, before: Any, cursor: Any) -> Any:
        """Return the statement under a header, behind what is `before` it in the `whole`.

        Pragmas in between make a block of it.
        """
        cursor = _plain(cursor)
        items, path = self.items(cursor), _path(cursor)
        if self.file.pragmas.get(path) and _path(before or whole) == path:
            start = _span(whole)[0] if before is None else _span(before)[1]
            items = [*self.file.pragmas_between(path, start, _span(cursor)[0]), *items]
        if len(items) == 1:
            return items[0]
        return tree.Compound(tuple(items), self.file.place(cursor))

    def header(self, cursor: Any, parts: list[Any], at: SourceLine) -> tuple[Any, Any, Any]:
        """Return the three parts of the header of a loop, of which clang leaves out empty ones."""
        found: list[Any] = [None, None, None]
        if len(parts) == len(found):
            found = parts
        elif parts:
            ends = _semicolons(cursor)
            if len(ends) != 2:
                raise not_understood("a header of a loop that a macro has written in part", at)
            for one in parts:
                start = _span(one)[0]
                found[sum(end < start for end in ends)] = one
        init, cond, step = found
        return self.first(init, at), _maybe(cond, at), _maybe(step, at)

    def first(self, cursor: Any, at: SourceLine) -> Any:
        """Return what stands first in the header of a loop."""
        if cursor is None or cursor.kind.name != "DECL_STMT":
            return _maybe(cursor, at)
        return tree.DeclList(tuple(self.items(cursor)), at)


def _maybe(cursor: Any, at: SourceLine) -> Any:
    return None if cursor is None else expression(cursor, at)


def _plain(cursor: Any) -> Any:
    """A statement without its attributes, which say how to compile it."""
    while cursor.kind.name == "UNEXPOSED_STMT":
        own = [one for one in children_of(cursor) if not one.kind.is_attribute()]
        if len(own) != 1:
            break
        cursor = own[0]
    return cursor


def _path(cursor: Any) -> str:
    file = cursor.location.file
    return "" if file is None else str(file.name)


def _span(cursor: Any) -> tuple[int, int]:
    extent = cursor.extent
    return int(extent.start.offset), int(extent.end.offset)


def _semicolons(cursor: Any) -> list[int]:
    """The offsets of the semicolons in the header of a loop; none where a macro has written it."""
    found: list[int] = []
    depth = 0
    for position, token in enumerate(cursor.get_tokens()):
        text = token.spelling
        if position == 0 and text != "for":
            break
        depth += (text in ("(", "[", "{")) - (text in (")", "]", "}"))
        if text == ";" and depth == 1:
            found.append(token.extent.start.offset)
        if position and depth == 0:
            break
    return found


def _by_case(body: Any) -> Any:
    """The body of a `switch`, whose cases have all statements up to the next."""
    if not isinstance(body, tree.Compound):
        return body
    items: list[Any] = []
    for one in _flat(body.block_items):
        if items and not isinstance(one, _CASES) and isinstance(items[-1], _CASES):
            items[-1] = _with_more(items[-1], one)
        else:
            items.append(one)
    return tree.Compound(tuple(items), body.place)


_CASES = (tree.Case, tree.Default)


def _flat(items: Sequence[Any]) -> list[Any]:
    """Statements with cases of cases side by side."""
    found: list[Any] = []
    for one in items:
        if isinstance(one, _CASES) and isinstance(one.stmts[0], _CASES):
            found += [_with(one, ()), *_flat(one.stmts)]
        else:
            found.append(one)
    return found


def _with_more(case: Any, statement: Any) -> Any:
    return _with(case, (*case.stmts, statement))


def _with(case: Any, statements: tuple[Any, ...]) -> Any:
    if isinstance(case, tree.Case):
        return tree.Case(case.expr, statements, case.place)
    return tree.Default(statements, case.place)
