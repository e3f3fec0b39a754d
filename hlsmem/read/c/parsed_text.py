"""Trees of texts of C, by pycparser."""

from __future__ import annotations

from typing import Any

from pycparser import c_parser

from hlsmem.read.c import c_ast

ParseError = c_parser.ParseError


def tree_of(text: str, file: str = "", parser: Any = None) -> Any:
    """Return the FileAST of a text; raises ParseError."""
    return _converted((parser or c_parser.CParser()).parse(text, file))


def _converted(node: Any) -> Any:
    if isinstance(node, list):
        return [_converted(one) for one in node]
    kind = getattr(c_ast, type(node).__name__, None)
    if kind is None or not hasattr(node, "attr_names"):
        return node
    return kind(**{own: _converted(getattr(node, own)) for own in c_ast.fields_of(kind)})
