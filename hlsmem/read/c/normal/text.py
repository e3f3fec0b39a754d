"""The text of a kernel in normal form: a C file of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pycparser import c_ast

from hlsmem.read.c.trees import text_of


def normal_text(
    function: Any,
    declarations: Sequence[Any],
    *,
    file: str,
    includes: Sequence[str],
    macros: Mapping[str, str],
) -> str:
    """The C file that has the function with what it needs; macros that stay symbolic first."""
    lines = [f"/* '{function.decl.name}' of {file} in normal form, as hlsmem plans it */", ""]
    lines += includes
    lines += [f"#define {name} {value}" for name, value in macros.items()]
    lines += [""] if includes or macros else []
    for node in declarations:
        text = text_of(node).rstrip("\n")
        lines.append(text if isinstance(node, (c_ast.FuncDef, c_ast.Pragma)) else f"{text};")
    lines.append(text_of(function).rstrip("\n"))
    return "\n".join(lines) + "\n"
