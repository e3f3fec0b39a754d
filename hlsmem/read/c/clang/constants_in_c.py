"""Numbers as constants of C."""

from __future__ import annotations

import math
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang.lowering import FunctionFrame
from hlsmem.read.c.tree import Expression


def constant(frame: FunctionFrame, number: int | float, kind: tree.Type, cursor: Any) -> Expression:
    """Return a number of a type of C as an expression."""
    place = frame.place(cursor)
    if isinstance(kind, tree.Float):
        return _float(frame, float(number), kind, place)
    assert isinstance(kind, tree.Number)
    own = kind if kind.bits >= 32 or kind.is_bool else tree.INT
    suffix = {(32, False): "u", (64, True): "l", (64, False): "ul"}.get((own.bits, own.signed), "")
    made = tree.Constant(f"{abs(int(number))}{suffix}", own, place)
    return tree.UnaryOp("-", made, own, place) if number < 0 else made


def _float(
    frame: FunctionFrame, number: float, kind: tree.Float, place: tree.SourceRange
) -> Expression:
    if not math.isfinite(number):  # C has names for these alone
        frame.lowering.headers.add("math.h")
        text = "NAN" if math.isnan(number) else "INFINITY"
    else:
        text = f"{_shortest(abs(number))}f" if kind.bits == 32 else repr(abs(number))
    made = tree.Constant(text, kind, place)
    return tree.UnaryOp("-", made, kind, place) if math.copysign(1, number) < 0 else made


def _shortest(number: float) -> str:
    """The least digits that a float has for this one."""
    import struct

    for digits in range(1, 17):
        text = f"{number:.{digits}g}"
        if struct.pack("f", float(text)) == struct.pack("f", number):
            return text if any(c in text for c in ".en") else f"{text}.0"
    return repr(number)
