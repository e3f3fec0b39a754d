"""The function around the folded region, and the function as it was.

Where both are there, they share static variables: these become variables of the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from hlsmem.core.errors import InputError, Problem
from hlsmem.emit.c.c_names import type_names
from hlsmem.emit.c.c_syntax import identifiers, print_external, print_tree, walk
from hlsmem.emit.c.entries import Heads
from hlsmem.emit.c.host_workspace import Function, is_type
from hlsmem.emit.c.kernel_frame import Surroundings
from hlsmem.emit.c.unfolded_function import Unfolded, as_pointer, in_workspace
from hlsmem.program.model import Kernel, Program, Storage
from hlsmem.read.c import tree
from hlsmem.read.c.names import needed
from hlsmem.read.c.normal.normal_text import asserted_names, asserts, begun
from hlsmem.read.c.tree import Array, Pointer
from hlsmem.read.c.trees import changed, nodes_of, rewrite
from hlsmem.read.design_names import RESERVED


def shared_names(around: Surroundings, removed: Sequence[Any]) -> dict[str, str]:
    """New names for the static variables of a function that are not `removed`, by their own.

    Raises InputError where another variable has the name of one of them.
    """
    names = [node.name for node in _statics(around, removed)]
    declared = [n.name for n in walk(around.kernel.function) if isinstance(n, tree.Decl)]
    for name in names:
        if declared.count(name) > 1:
            what = f"host C for two variables called '{name}', one of them static, is not available"
            raise InputError(Problem(f"{what} yet", "rename one of them"))
    return {name: f"{RESERVED}static_{name}" for name in names}


def _statics(around: Surroundings, removed: Sequence[Any]) -> list[Any]:
    return [
        node
        for node in around.outside
        if isinstance(node, tree.Decl) and "static" in node.storage and node not in removed
    ]


def kernel_function(
    program: Program,
    around: Surroundings,
    removed: Sequence[Any],
    shared: Mapping[str, str],
    unfolded: Sequence[Unfolded],
    workspace: str,
) -> Function:
    """The function of a kernel without the declarations `removed`.

    The static variables in `shared` are declared in front of it under new names. As it was it has
    the arrays `unfolded` in a `workspace`.
    """
    kernel = around.kernel
    statics = [node for node in _statics(around, removed) if node.name in shared]
    removed = [*removed, *statics]
    rename = _renaming(shared)
    given = tuple(around.parameters.values())
    rest = [node for node in kernel.declarations if not is_type(node)]
    macros = {n: program.values[n] for n in kernel.macros if n in program.values}
    types = [node for node in kernel.declarations if is_type(node)]
    original_name = f"{kernel.name}_original"
    starts = in_workspace(unfolded, workspace)
    inside = tuple(_outside_of_the_plan(program, kernel))
    return Function(
        name=kernel.name,
        parameters=tuple(around.parameters),
        heads=lambda name, extra: _heads(kernel, given, name, extra),
        test_heads=lambda name, extra: _test_heads(given, name, extra),
        body=lambda lines: _body(kernel, around.with_idle(removed, lines), lines, rename, inside),
        original=tuple(_original(around, original_name, statics, rename, starts, workspace)),
        original_name=original_name,
        returned=_returned(kernel),
        includes=kernel.includes,
        declarations=lambda used: tuple(map(print_external, needed(rest, used))),
        statics=tuple(print_external(changed(node, name=shared[node.name])) for node in statics),
        types=tuple(map(print_external, types)),
        type_names=type_names(types),
        macros=macros,
        needs_c=any(any(_sizes(given, node)[1:]) for node in given),
    )


def _returned(kernel: Kernel) -> str:
    """The type of what the function returns, "" where that is nothing."""
    text = _signature(kernel, "", (), None).split("(")[0].strip()
    return "" if text == "void" else text


def _sizes(given: Sequence[Any], node: Any) -> list[bool]:
    """For every extent of a parameter, whether it depends on other parameters."""
    names = {other.name for other in given}
    return [bool(names & identifiers([extent])) for extent in _extents(node.type)]


def _extents(node: Any) -> Iterator[Any]:
    while isinstance(node, (Array, Pointer)):
        if isinstance(node, Array) and node.extent is not None:
            yield node.extent
        node = node.element


Rename = Callable[[Any], Any | None]


def _renaming(shared: Mapping[str, str]) -> Rename:
    """The rewriting that gives uses of variables their new names."""

    def rename(node: Any) -> Any | None:
        match node:
            case tree.ID(name=name) if name in shared:
                return tree.ID(shared[name])
        return None

    return rename


def _heads(kernel: Kernel, given: Sequence[Any], name: str, extra: str | None) -> Heads:
    """The heads of the function under another name, with one more parameter behind."""
    plain = [_in_cxx(node, _sizes(given, node)) for node in given]
    return Heads(
        c=_signature(kernel, name, given, extra), cxx=_signature(kernel, name, plain, extra)
    )


def _test_heads(given: Sequence[Any], name: str, extra: str | None) -> Heads:
    """The heads of a function of the same parameters, and one more, that returns an int."""
    plain = [_in_cxx(node, _sizes(given, node)) for node in given]
    more = [] if extra is None else [extra]
    texts = [", ".join([*map(print_tree, nodes), *more]) for nodes in (given, plain)]
    return Heads(c=f"int {name}({texts[0]})", cxx=f"int {name}({texts[1]})")


def _in_cxx(node: Any, sized: Sequence[bool]) -> Any:
    """A parameter as C++ can say it: a pointer where C has run-time extents or qualified ones."""
    kind = node.type
    if any(sized[1:]):
        while isinstance(kind, Array):
            kind = kind.element
    elif isinstance(kind, Array) and (any(sized) or kind.restrict):
        kind = kind.element
    else:
        return node
    return changed(node, type=Pointer(kind))


def _signature(kernel: Kernel, name: str, nodes: Sequence[Any], extra: str | None) -> str:
    parameters = (*nodes, *([] if extra is None else [tree.Verbatim(extra)]))
    return print_tree(tree.Prototype(name, kernel.function.returns, parameters))


def _outside_of_the_plan(program: Program, kernel: Kernel) -> Iterator[Any]:
    """The declarations, in the region, of arrays that stay as they are.

    What they begin with is stored by statements of the program.
    """
    region = {id(node) for one in kernel.region for node in nodes_of(one)}
    for name, variable in kernel.variables.items():
        array = program.arrays.get(name)
        if array is None or not array.index or array.storage is not Storage.EXTERNAL:
            continue
        if id(variable.declaration) in region:
            yield changed(variable.declaration, init=None)


def _body(
    kernel: Kernel,
    removed: Sequence[Any],
    lines: list[str],
    rename: Rename,
    declarations: Sequence[Any],
) -> list[str]:
    """The body of the function, indented by twos, with the region replaced by `lines` behind the
    `declarations`."""
    region = {id(node) for node in kernel.region}
    first = kernel.region[0] if kernel.region else None
    replacement = tree.Verbatim("\n".join(lines))

    def replace(node: Any) -> Any | None:
        if id(node) in region:
            return [*declarations, replacement] if node is first else []
        if isinstance(node, tree.Pragma) and _is_scop(node):
            return []
        return [] if node in removed else rename(node)

    body = rewrite(kernel.function.body, replace)
    text = print_tree(body).strip("\n").split("\n")
    return text[1:-1]


def _is_scop(node: Any) -> bool:
    words = node.string.split() if isinstance(node.string, str) else []
    return words[:1] in (["scop"], ["endscop"])


def _original(
    around: Surroundings,
    name: str,
    removed: Sequence[Any],
    rename: Rename,
    starts: Mapping[int, str],
    workspace: str,
) -> list[str]:
    """The unfolded function, static, with arrays that start in a workspace.

    It is without what would draw warnings: pragmas, labels, variables that stand for assertions.
    """
    kernel, given = around.kernel, tuple(around.parameters.values())
    function, region = kernel.summing or (kernel.function, kernel.region)
    regions = {id(node) for node in region}
    asserted = asserted_names(region)

    def replace(node: Any) -> Any | None:
        if id(node) in starts:
            return as_pointer(node, starts[id(node)])
        if asserts(node):
            return node.rvalue.exprs[0]
        if isinstance(node, tree.Decl) and node.name in asserted:
            return []
        if (flag := begun(node, kernel.conditions)) is not None:
            return flag
        if isinstance(node, tree.Pragma):
            return []
        if isinstance(node, tree.Label):
            return rewrite(node.stmt, replace)
        return rename(node)

    def outer(node: Any) -> Any | None:
        if id(node) in regions:
            return rewrite(node, replace)
        if id(node) in starts:
            return as_pointer(node, starts[id(node)])
        gone = node in removed or (isinstance(node, tree.Pragma) and _is_scop(node))
        return [] if gone else rename(node)

    body = print_tree(rewrite(function.body, outer)).strip("\n")
    extra = f"void *{workspace}" if starts else None
    lines = [*_heads(kernel, given, name, extra).lines("static "), *_print_lines(body)]
    if kernel.stages.keys() - {"region"}:
        lines = [*_APART, *lines, *_TOGETHER]
    return ["/* The function as it was, for calls that the plan does not cover */", *lines]


# gcc would look at it for these parameters alone, and warn as if its loops ran there. Of loops
# that break it does not see that their first iteration says whether there is a second.
_GCC = "#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 8"
_APART = (
    _GCC,
    "#pragma GCC diagnostic push",
    '#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"',
    "__attribute__((noipa))",
    "#endif",
)
_TOGETHER = (_GCC, "#pragma GCC diagnostic pop", "#endif")


def _print_lines(text: str) -> list[str]:
    return [" " * (len(line) - len(line.lstrip(" "))) + line for line in text.split("\n")]
