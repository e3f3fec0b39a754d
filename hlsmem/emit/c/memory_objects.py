"""The objects that a function keeps in memory, in bytes: of its source, and those that C has too.

Constants stand apart, and so do scalars of frames, which compilers keep in registers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.emit.c.c_syntax import walk
from hlsmem.program.model import Kernel, Program
from hlsmem.read.c import tree
from hlsmem.read.c.constants import value_at
from hlsmem.read.c.symbols import shape_of
from hlsmem.read.c.tree import Array, Pointer, Struct
from hlsmem.read.c.types import stored_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Objects:
    """Bytes of the objects of the `source`, and of those that C keeps beside its workspace, static
    ones and in `frames`."""

    source: int
    static: int
    frames: int


def objects_of(program: Program, kernel: Kernel, removed: Sequence[Any], frames: int) -> Objects:
    """The objects at the plan's parameters; `removed` are declarations that C does without, and
    `frames` bytes of arrays that it declares in their place."""
    static, local, gone = 0, 0, 0
    for node, is_static in _declared(kernel):
        size = _bytes_of(node, program, kernel)
        if any(node is one for one in removed):
            gone += size
        elif is_static:
            static += size
        else:
            local += size
    gone += kernel.gone
    return Objects(source=static + local + gone, static=static, frames=local + frames)


def _declared(kernel: Kernel) -> Iterator[tuple[Any, bool]]:
    """The variables that take memory, and whether they are static."""
    for node in kernel.declarations:
        is_variable = isinstance(node, tree.Decl) and _takes_memory(node)
        if is_variable and "extern" not in node.storage:
            yield node, True
    bodies = [kernel.function.body]
    bodies += [node.body for node in kernel.declarations if isinstance(node, tree.FuncDef)]
    for body in bodies:
        for node in walk(body):
            if isinstance(node, tree.Decl) and _takes_memory(node):
                is_static = "static" in node.storage
                if is_static or isinstance(node.type, (Array, Struct)):
                    yield node, is_static


def _takes_memory(node: Any) -> bool:
    return not isinstance(node.type, Pointer) and not node.const


def _bytes_of(node: Any, program: Program, kernel: Kernel) -> int:
    known = {**program.source.arrays, **program.arrays}
    arrays = [
        known[name]
        for name, variable in kernel.variables.items()
        if variable.declaration is node and name in known and known[name].extents is not None
    ]
    if arrays:
        return sum(
            prod(one.evaluate(program.values) for one in array.extents or ())
            * array.element.cell_bytes
            for array in arrays
        )
    shape = shape_of(node.type)
    extents = [value_at(one, program.values) or 0 for one in shape.extents]
    return 0 if shape.scalar is None else prod(extents) * stored_bytes(shape.scalar)
