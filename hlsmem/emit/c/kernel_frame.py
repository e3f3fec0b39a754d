"""The C around the statements of a kernel: which of its variables stay, and their types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.emit.c.c_syntax import identifiers, name_uses, walk, words
from hlsmem.program.model import Array, ElementType, Kernel, Program
from hlsmem.read.c import tree
from hlsmem.read.c.c_text import base_name
from hlsmem.read.c.extents import without_later_names
from hlsmem.read.c.symbols import Shape, shape_of
from hlsmem.read.c.tree import Number, element_of
from hlsmem.read.c.types import element_type, scalar_type


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Declarations of the function: parameters by name, variables outside the region.

    `inside` are the names of the variables that the region declares itself.
    """

    kernel: Kernel
    parameters: Mapping[str, Any]
    outside: tuple[Any, ...]
    inside: frozenset[str]

    @property
    def file_names(self) -> set[str]:
        """The names of variables and functions that the file declares in front."""
        nodes = self.kernel.declarations
        return {node.name for node in nodes if isinstance(node, tree.LINKED)}

    def declared_outside(self, name: str) -> list[Any]:
        """The declarations of that name outside the region."""
        return [node for node in self.outside if node.name == name]

    def is_used_outside(self, declaration: Any) -> bool:
        """True if code outside the region, or an initial value, needs the variable."""
        if declaration.init is not None or "static" in declaration.storage:
            return True
        return any(name_uses(node, declaration.name) for node in self.outer_nodes())

    def outer_nodes(self) -> Iterator[Any]:
        """The statements and declarations of the function outside the region."""
        yield from _outside_region(self.kernel.function.body, self.kernel)

    def outer_names(self, removed: Sequence[Any]) -> set[str]:
        """The names in the function outside the region, those of `removed` declarations not."""
        return identifiers(node for node in self.outer_nodes() if node not in removed)

    def with_idle(self, removed: Sequence[Any], lines: Sequence[str]) -> list[Any]:
        """The declarations `removed`, and those nobody needs where the region becomes `lines`.

        These are types, and variables with a plain initial value, that only the region's text
        used.
        """
        gone, used = list(removed), words(lines)
        in_region = identifiers(self.kernel.region) - used
        while True:
            idle = next(
                (
                    node
                    for node in self.outside
                    if node not in gone
                    and node.name in in_region
                    and getattr(node, "init", node) is not None
                    and not any(isinstance(part, tree.FuncCall) for part in walk(node))
                    and self._mentions(node.name, gone) == 1
                ),
                None,
            )
            if idle is None:
                return gone
            gone.append(idle)

    def _mentions(self, name: str, removed: Sequence[Any]) -> int:
        """Number of times the C outside the region names a variable, its declaration included."""
        nodes = (part for node in self.outer_nodes() if node not in removed for part in walk(node))
        return sum(isinstance(node, (tree.ID, tree.Decl)) and node.name == name for node in nodes)

    def type_text(self, array: Array) -> str:
        """The user's own type for an array where it holds exactly its elements."""
        variable = self.kernel.variables.get(array.name)
        if variable is not None and not variable.members:
            declaration = variable.declaration
            shape = shape_of(declaration.type)
            rank = len(array.index) - len(variable.strides)
            if len(shape.extents) == rank and scalar_element(shape) == array.element:
                return base_name(element_of(declaration.type))
        return array.element.c_name

    def parameter_type(self, name: str) -> Number | None:
        """The type of an integer parameter of the function."""
        if name not in self.parameters:
            return None
        scalar = scalar_type(element_of(self.parameters[name].type))
        return scalar if isinstance(scalar, Number) else None


def scalar_element(shape: Shape) -> ElementType | None:
    return None if shape.scalar is None else element_type(shape.scalar)


def surroundings_of(program: Program, kernel: Kernel) -> Surroundings:
    """Look through the kernel."""
    counted = {name for statement in program.statements for name in statement.iterators}
    return Surroundings(
        kernel=kernel,
        parameters={one.name: one for one in without_later_names(kernel.function.parameters)},
        outside=tuple(_variables(_outside_region(kernel.function.body, kernel))),
        inside=frozenset(node.name for node in _variables(kernel.region)) - counted,
    )


def _variables(nodes: Iterable[Any]) -> Iterator[Any]:
    """The declarations of variables and types in some nodes; members of structs are none."""
    for node in nodes:
        if isinstance(node, tree.Decl):
            yield node
        elif not isinstance(node, tree.StructDef):
            yield from _variables(node)


def _outside_region(body: Any, kernel: Kernel) -> Iterator[Any]:
    """The items of the blocks around the region, without the region itself."""
    region = {id(node) for node in kernel.region}

    def visit(node: Any) -> Iterator[Any]:
        if id(node) in region:
            return
        if any(id(child) in around for child in node) or node is parent:
            for child in node:
                yield from visit(child)
        else:
            yield node

    parent = kernel.region_parent
    around: set[int] = set()
    _note_path(body, parent, around)
    return visit(body)


def _note_path(node: Any, target: Any, around: set[int]) -> bool:
    found = node is target or any(_note_path(child, target, around) for child in node)
    if found:
        around.add(id(node))
    return found
