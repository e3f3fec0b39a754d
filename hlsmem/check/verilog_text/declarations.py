"""Names of a module in a pyverilog tree: each declared once, and before its first use.

Compilers differ in what they take: a net used before its declaration is an implicit net of one
bit for some, an error for others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_DECLARING = frozenset(
    "Wire Reg Integer Genvar Parameter Localparam Input Output Inout Instance".split()  # noqa: SIM905
)


def declaration_faults(module: Any) -> Iterator[str]:
    """What is wrong with the names of a module, in the order of its text."""
    return _faults(module, [{}])


def _faults(node: Any, scopes: list[dict[str, bool]]) -> Iterator[str]:
    """`scopes`, innermost last: names seen so far, and whether they are declared there."""
    kind = type(node).__name__
    if kind == "Identifier" and not any(node.name in scope for scope in scopes):
        yield f"line {node.lineno}: '{node.name}' is used before it is declared"
        scopes[-1][node.name] = False
    inner = [*scopes, {}] if kind == "Block" else scopes
    # `output reg x` is a port and a register of one name.
    for child in (node.first,) if kind == "Ioport" else node.children():
        yield from _faults(child, inner)
    if kind in _DECLARING:
        if scopes[-1].get(node.name):
            yield f"line {node.lineno}: '{node.name}' is declared twice"
        scopes[-1][node.name] = True
