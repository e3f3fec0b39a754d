"""The text of a kernel in normal form: a C file of its own."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.c_text import text_of
from hlsmem.read.c.tree import Void
from hlsmem.read.c.trees import changed, integer, is_assertion, name, nodes_of, rewrite


def begun(node: Any, flags: Collection[str]) -> Any | None:
    """The declaration of a variable among `flags` with 0 as its first value, for `rewrite`.

    No iteration reads it before it is set, but gcc 12 computes ahead with what it has by then, and
    takes bits beside the lowest for its truth.
    """
    if isinstance(node, tree.Decl) and node.name in flags and node.init is None:
        return changed(node, init=integer(0, node.place))
    return None


def asserts(node: Any) -> bool:
    """True if a node is an assertion, as the assignment that a filter needs."""
    match node:
        case tree.Assignment(lvalue=tree.ID(), rvalue=tree.ExprList(exprs=[call, *_])):
            return is_assertion(call)
    return False


def asserted_names(nodes: Iterable[Any]) -> set[str]:
    """The variables that stand for assertions."""
    return {part.lvalue.name for node in nodes for part in nodes_of(node) if asserts(part)}


def _looked_at(declaration: Any) -> Any:
    """`(void)x;`, so that compilers do not warn of a variable that nothing reads."""
    return tree.Cast(
        name(declaration.name, declaration.type, declaration.place), Void(), place=declaration.place
    )


def normal_text(
    function: Any,
    declarations: Sequence[Any],
    *,
    file: str,
    includes: Sequence[str],
    macros: Mapping[str, str],
    flags: Collection[str] = (),
) -> str:
    """The C file that has the function with what it needs; macros that stay symbolic first.

    Variables that are `flags` begin with 0; nothing else looks at those of assertions.
    """
    asserted = asserted_names([function])

    def printed(node: Any) -> Any | None:
        found = begun(node, flags)
        if found is None or found.name not in asserted:
            return found
        return [found, _looked_at(found)]

    function = rewrite(function, printed)
    lines = [f"/* '{function.name}' of {file} in normal form, as hlsmem plans it */", ""]
    lines += includes
    lines += [f"#define {macro} {value}" for macro, value in macros.items()]
    lines += [""] if includes or macros else []
    for node in declarations:
        text = text_of(node).rstrip("\n")
        lines.append(text if isinstance(node, (tree.FuncDef, tree.Pragma)) else f"{text};")
    lines.append(text_of(function).rstrip("\n"))
    return "\n".join(lines) + "\n"
