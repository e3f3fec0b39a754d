"""The function around the folded region, and the function as it was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pycparser import c_ast

from hlsmem.emit.c.files import Function, is_type
from hlsmem.emit.c.kernel import Surroundings, parameter_nodes
from hlsmem.emit.c.syntax import Verbatim, print_external, print_tree, rewrite
from hlsmem.program import Kernel, Program


def kernel_function(program: Program, around: Surroundings, removed: Sequence[Any]) -> Function:
    """The function of a kernel without the declarations `removed`."""
    kernel = around.kernel
    parameters = tuple(node.name for node in parameter_nodes(kernel))
    macros = {n: program.values[n] for n in kernel.macros if n in program.values}
    returned = kernel.function.decl.type.type
    is_void = isinstance(returned, c_ast.TypeDecl) and getattr(returned.type, "names", []) == [
        "void"
    ]
    original_name = f"{kernel.name}_original"
    return Function(
        name=kernel.name,
        parameters=parameters,
        signature=lambda name, extra: _signature(kernel, name, extra),
        body=lambda lines: _body(kernel, around.with_idle(removed, lines), lines),
        original=tuple(_original(kernel, original_name)),
        original_name=original_name,
        returns_value=not is_void,
        includes=kernel.includes,
        declarations=tuple(print_external(n) for n in kernel.declarations if not is_type(n)),
        types=tuple(print_external(node) for node in kernel.declarations if is_type(node)),
        macros=macros,
    )


def _signature(kernel: Kernel, name: str, extra: str | None) -> str:
    """The head of the function under another name, with one more parameter behind."""
    declaration = kernel.function.decl
    arguments = list(parameter_nodes(kernel))
    if extra is not None:
        arguments.append(Verbatim(extra))
    if not arguments:
        arguments = [Verbatim("void")]

    def replace(node: Any) -> Any | None:
        if node is declaration.type.args:
            return c_ast.ParamList(arguments)
        if isinstance(node, c_ast.TypeDecl) and node.declname == declaration.name:
            return c_ast.TypeDecl(declname=name, quals=node.quals, align=node.align, type=node.type)
        return None

    kind = rewrite(declaration.type, replace)
    if declaration.type.args is None:
        kind.args = c_ast.ParamList(arguments)
    return print_tree(kind)


def _body(kernel: Kernel, removed: Sequence[Any], lines: list[str]) -> list[str]:
    """The body of the function, indented by twos, with the region replaced by `lines`."""
    region = {id(node) for node in kernel.region}
    first = kernel.region[0] if kernel.region else None
    replacement = Verbatim("\n".join(lines))

    def replace(node: Any) -> Any | None:
        if id(node) in region:
            return [replacement] if node is first else []
        if isinstance(node, c_ast.Pragma) and _is_scop(node):
            return []
        if node in removed:
            return []
        return None

    body = rewrite(kernel.function.body, replace)
    text = print_tree(body).strip("\n").split("\n")
    return text[1:-1]


def _is_scop(node: Any) -> bool:
    words = node.string.split() if isinstance(node.string, str) else []
    return words[:1] in (["scop"], ["endscop"])


def _original(kernel: Kernel, name: str) -> list[str]:
    """The unfolded function, static, without what would draw warnings: pragmas, labels."""
    regions = {id(node) for node in kernel.region}

    def replace(node: Any) -> Any | None:
        if isinstance(node, c_ast.Pragma) and _is_scop(node):
            return []
        if isinstance(node, c_ast.Label):
            return rewrite(node.stmt, replace)
        return None

    def outer(node: Any) -> Any | None:
        if id(node) in regions:
            return rewrite(node, replace)
        return [] if isinstance(node, c_ast.Pragma) and _is_scop(node) else None

    body = print_tree(rewrite(kernel.function.body, outer)).strip("\n")
    return [
        "/* The function as it was, for parameters that the plan does not cover */",
        "static " + _signature(kernel, name, None),
        *_print_lines(body),
    ]


def _print_lines(text: str) -> list[str]:
    return [" " * (len(line) - len(line.lstrip(" "))) + line for line in text.split("\n")]
