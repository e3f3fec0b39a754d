"""From a node of the syntax tree back to the stretch of source the user wrote."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from hlsmem.core.source_location import SourceLocation
from hlsmem.read.c import c_ast, headers
from hlsmem.read.c.preprocess import Preprocessed, Token
from hlsmem.read.design_names import C_KEYWORDS

# The name under which the preprocessed text is given to pycparser.
KERNEL = "kernel"


class SourceMap:
    """Places and texts of syntax nodes, found through the tokens of the preprocessed text."""

    def __init__(self, preprocessed: Preprocessed) -> None:
        self._tokens = preprocessed.tokens
        self._types = headers.types_of(preprocessed.headers)
        self._index = {(t.line, t.column): i for i, t in enumerate(preprocessed.tokens)}
        self._lines = {file.name: file.text.split("\n") for file in preprocessed.files}

    def place(self, node: Any) -> SourceLocation | None:
        """The stretch from the first to the last token of the node, cut at the line's end."""
        found = self._extent(node)
        return self._stretch(*found) if found else None

    def name_place(self, node: Any) -> SourceLocation | None:
        """The first token of the node alone, e.g. the name of a declaration."""
        first = self._token_of(node)
        return self._stretch(first, first) if first is not None else None

    def place_at(self, line: int, column: int) -> SourceLocation | None:
        """The token at a position of the preprocessed text."""
        index = self._index.get((line, column))
        return self._stretch(index, index) if index is not None else None

    def first_place(self) -> SourceLocation | None:
        """The first token of the text."""
        return self._stretch(0, 0) if self._tokens else None

    def first_unknown_type(self) -> tuple[str, SourceLocation] | None:
        """The first name directly in front of another name that no typedef before it declares."""
        known, inside_typedef = set(self._types), False
        for position, (token, following) in enumerate(pairwise(self._tokens)):
            if token.text in ("typedef", ";"):
                inside_typedef = token.text == "typedef"
            elif token.text == "pragma" or not _is_name(token):
                continue
            elif inside_typedef:
                known.add(token.text)
            elif token.text not in known and _is_name(following):
                return token.text, self._stretch(position, position)
        return None

    def last_place(self) -> SourceLocation | None:
        """The last token of the text."""
        last = len(self._tokens) - 1
        return self._stretch(last, last) if self._tokens else None

    def text_before(self, line: int, column: int) -> str:
        """The token in front of the one at a position, or ""."""
        index = self._index.get((line, column), 0)
        return self._tokens[index - 1].text if index else ""

    def text(self, node: Any) -> str:
        """The node as the user wrote it, on one line; ".." stands for further lines."""
        found = self._extent(node)
        place = self._stretch(*found) if found else None
        if found is None or place is None or place.text is None:
            return "this"
        text = place.text[place.column - 1 : place.column - 1 + place.length]
        same_line = self._tokens[found[1]].source_line == place.line
        return text if same_line else f"{text.rstrip()} .."

    def _stretch(self, first: int, last: int) -> SourceLocation:
        start, end = self._tokens[first], self._tokens[last]
        text = self._lines[start.file][start.source_line - 1]
        begin = start.source_column - 1
        stop = len(text.rstrip())
        if (end.file, end.source_line) == (start.file, start.source_line):
            stop = max(end.source_column - 1 + end.length, begin + start.length)
        return SourceLocation(
            file=start.file,
            line=start.source_line,
            column=start.source_column,
            length=max(1, stop - begin),
            text=text,
            called=start.called,
        )

    def _token_of(self, node: Any) -> int | None:
        coord = getattr(node, "coord", None)
        if coord is None or coord.file != KERNEL:
            return None
        return self._index.get((coord.line, coord.column))

    def _extent(self, node: Any) -> tuple[int, int] | None:
        if isinstance(node, (c_ast.For, c_ast.While, c_ast.If, c_ast.Switch)):
            first = self._token_of(node)
            # pycparser gives the keyword; the header ends with its closing parenthesis.
            return (first, self._closing(first + 1)) if first is not None else None
        if isinstance(node, (c_ast.Label, c_ast.Compound, c_ast.DoWhile, c_ast.Pragma)):
            first = self._token_of(node)
            return (first, first) if first is not None else None
        own = self._token_of(node)
        found = [own, own] if own is not None else []
        for child in _children(node):
            found.extend(self._extent(child) or ())
        if not found:
            return None
        first, last = min(found), max(found)
        if isinstance(node, c_ast.FuncCall) and node.args is None:
            last = self._closing(last + 1)
        first, last = self._balance(first, last)
        if isinstance(node, c_ast.UnaryOp):
            first, last = self._with_operator(node.op, first, last)
        return first, last

    def _with_operator(self, operator: str, first: int, last: int) -> tuple[int, int]:
        """pycparser places a unary expression at its operand."""
        if operator.startswith("p"):
            return first, min(last + 1, len(self._tokens) - 1)
        at = first
        while at > 0 and self._tokens[at].text != operator:
            if at < first and self._tokens[at].text != "(":
                return first, last
            at -= 1
        return self._balance(at, last)

    def _balance(self, first: int, last: int) -> tuple[int, int]:
        """The stretch widened until every bracket in it has its partner."""
        depth = lowest = 0
        for token in self._tokens[first : last + 1]:
            depth += _depth(token)
            lowest = min(lowest, depth)
        while lowest < 0 and first > 0:
            first -= 1
            change = _depth(self._tokens[first])
            lowest, depth = lowest + change, depth + change
        while depth > 0 and last + 1 < len(self._tokens):
            last += 1
            depth += _depth(self._tokens[last])
        return first, last

    def _closing(self, opening: int) -> int:
        depth = 0
        for index in range(opening, len(self._tokens)):
            depth += _depth(self._tokens[index])
            if depth <= 0:
                return index
        return len(self._tokens) - 1


def _is_name(token: Token) -> bool:
    return token.text.isidentifier() and token.text not in C_KEYWORDS


def _depth(token: Token) -> int:
    return (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))


def _children(node: Any) -> Iterator[Any]:
    """The nodes below; of a declaration, the initialiser alone."""
    if not isinstance(node, c_ast.Decl):
        yield from node
    elif node.init is not None:
        yield node.init
