"""Functions of C from before 1989, whose parameters are declared behind the parentheses."""

from __future__ import annotations

import re
from typing import Any

from hlsmem.read.c.clang.lowering import Refused
from hlsmem.read.c.clang.parsed_sources import Source

_COMMENT = re.compile(rb"/\*.*?\*/|//[^\n]*", re.DOTALL)


def check_style(source: Source, function: Any, body: Any) -> None:
    """Raise Refused for a function whose parameters have their types behind the parentheses.

    clang gives it a prototype that calls are not held to.
    """
    parameters = [one for one in function.get_children() if one.kind.name == "PARM_DECL"]
    file = source.file_of(function)
    if not parameters or not file:
        return
    end, start = parameters[-1].extent.end.offset, body.extent.start.offset
    if b";" in _COMMENT.sub(b"", source.encoded[file][end:start]):
        what = f"'{function.spelling}' declares its parameters behind the parentheses (K&R style)"
        raise Refused(function, what, "declare each inside of them, with its type")
