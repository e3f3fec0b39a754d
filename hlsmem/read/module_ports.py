"""The ports of a module in a text of Verilog, as far as a header says them with numbers."""

from __future__ import annotations

import re

from hlsmem.core.lazy_dataclass import dataclass

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_INNER = re.compile(r"\b(function|task)\b.*?\bend\1\b", re.DOTALL)
_DECLARED = re.compile(
    r"\b(input|output|inout)\b(?:\s|\b(?:wire|reg|logic|signed)\b)*(\[[^\]]*\])?"
    r"([^;()]*?)(?=\b(?:input|output|inout)\b|[;)]|$)",
    re.DOTALL,
)
_RANGE = re.compile(r"\[\s*(\d+)\s*:\s*(\d+)\s*\]")


@dataclass(frozen=True, slots=True)
class Port:
    """A port of a module; `bits` is None where its range is no number."""

    direction: str
    bits: int | None


def ports_of(text: str, module: str) -> dict[str, Port] | None:
    """Return the ports of a module by name; None where the text has no such module.

    >>> ports_of("module m (input clk, input [7:0] a, b, output reg [3:0] q); endmodule", "m")["b"]
    Port(direction='input', bits=8)
    """
    bare = _COMMENT.sub(" ", text)
    found = re.search(rf"\bmodule\s+{re.escape(module)}\b(.*?)\bendmodule\b", bare, re.DOTALL)
    if found is None:
        return None
    ports = {}
    for direction, given, names in _DECLARED.findall(_INNER.sub(" ", found[1])):
        ends = _RANGE.fullmatch(given)
        bits = 1 if not given else None if ends is None else abs(int(ends[1]) - int(ends[2])) + 1
        for name in names.split(","):
            word = re.match(r"\s*(\w+)", name)
            if word is not None:
                ports[word[1]] = Port(direction, bits)
    return ports
