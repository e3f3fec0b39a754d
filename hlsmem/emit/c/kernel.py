"""The C around the statements of a kernel: which of its variables stay, and their types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pycparser import c_ast

from hlsmem.emit.c.syntax import RESERVED, identifiers, name_uses, print_tree, walk
from hlsmem.errors import InputError, Problem
from hlsmem.program import Array, ElementType, Kernel, Program
from hlsmem.read.c.symbols import (
    IntegerType,
    Scope,
    Shape,
    element_type,
    shape_of,
)
from hlsmem.read.c.typedefs import types_in_sight


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What the function declares, by name: parameters, variables outside the region, inside it.

    `types` knows the typedefs in sight; `iterators` are the loop variables of the region with
    their types.
    """

    kernel: Kernel
    parameters: Mapping[str, Any]
    outside: Mapping[str, Any]
    inside: Mapping[str, Any]
    types: Scope = field(compare=False, repr=False)
    iterators: Mapping[str, tuple[IntegerType, str]]

    def declaration(self, name: str) -> Any | None:
        for declared in (self.parameters, self.outside, self.inside):
            if name in declared:
                return declared[name]
        return None

    def is_used_outside(self, name: str) -> bool:
        """Whether code outside the region, or an initial value, needs the variable."""
        declaration = self.outside.get(name)
        if declaration is None:
            return name not in self.inside
        if declaration.init is not None or "static" in (declaration.storage or []):
            return True
        return any(name_uses(node, name) for node in self.outer_nodes())

    def outer_nodes(self) -> Iterator[Any]:
        """The statements and declarations of the function outside the region."""
        yield from _outside_region(self.kernel.function.body, self.kernel)

    def type_text(self, array: Array) -> str:
        """The user's own type for an array where it holds exactly its elements."""
        declaration = self.declaration(array.name)
        if declaration is not None:
            shape = shape_of(declaration.type, self.types)
            text = _base_text(declaration.type)
            plain = len(shape.extents) == len(array.index) and _depth(declaration.type) == len(
                shape.extents
            )
            if plain and text and scalar_element(shape) == array.element:
                return text
        return array.element.c_name

    def parameter_type(self, name: str) -> IntegerType | None:
        """The type of an integer parameter of the function."""
        if name not in self.parameters:
            return None
        scalar = shape_of(self.parameters[name].type, self.types).scalar
        return scalar if isinstance(scalar, IntegerType) else None


def scalar_element(shape: Shape) -> ElementType | None:
    return None if shape.scalar is None else element_type(shape.scalar)


def surroundings_of(program: Program, kernel: Kernel) -> Surroundings:
    """Look through the kernel. Raises InputError where it uses a name reserved for hlsmem."""
    taken = sorted(n for n in identifiers([kernel.function]) if n.startswith(RESERVED))
    if taken:
        raise InputError(
            Problem(
                f"'{taken[0]}' starts with '{RESERVED}', which generated C keeps for itself",
                "rename it",
            )
        )
    parameters = {node.name: node for node in parameter_nodes(kernel) if node.name}
    outside = {
        node.name: node
        for top in _outside_region(kernel.function.body, kernel)
        for node in walk(top)
        if isinstance(node, c_ast.Decl)
    }
    inside = {
        node.name: node
        for top in kernel.region
        for node in walk(top)
        if isinstance(node, c_ast.Decl)
    }
    types = types_in_sight(kernel)
    names = {name for statement in program.statements for name in statement.iterators}
    declared = parameters | outside | inside
    return Surroundings(
        kernel=kernel,
        parameters=parameters,
        outside=outside,
        inside=inside,
        types=types,
        iterators={n: _integer_type(declared[n], types) for n in sorted(names) if n in declared},
    )


def parameter_nodes(kernel: Kernel) -> list[Any]:
    """The parameter declarations of the function; none for `(void)`."""
    arguments = kernel.function.decl.type.args
    return [n for n in (arguments.params if arguments else []) if isinstance(n, c_ast.Decl)]


def _outside_region(body: Any, kernel: Kernel) -> Iterator[Any]:
    """The items of the blocks around the region, without the region itself."""
    region = {id(node) for node in kernel.region}

    def visit(node: Any) -> Iterator[Any]:
        if id(node) in region:
            return
        if any(id(child) in around for _, child in node.children()) or node is parent:
            for _, child in node.children():
                yield from visit(child)
        else:
            yield node

    parent = kernel.region_parent
    around: set[int] = set()
    _note_path(body, parent, around)
    return visit(body)


def _note_path(node: Any, target: Any, around: set[int]) -> bool:
    found = node is target or any(_note_path(child, target, around) for _, child in node.children())
    if found:
        around.add(id(node))
    return found


def _integer_type(declaration: Any, types: Scope) -> tuple[IntegerType, str]:
    scalar = shape_of(declaration.type, types).scalar
    if not isinstance(scalar, IntegerType):
        scalar = IntegerType(32, True)
    return scalar, _base_text(declaration.type) or "int"


def _base_text(node: Any) -> str | None:
    """The scalar type of a declaration as the user wrote it, without qualifiers."""
    while isinstance(node, (c_ast.ArrayDecl, c_ast.PtrDecl)):
        node = node.type
    if not isinstance(node, c_ast.TypeDecl) or not isinstance(node.type, c_ast.IdentifierType):
        return None
    return print_tree(node.type)


def _depth(node: Any) -> int:
    """The number of array and pointer steps of a declarator."""
    depth = 0
    while isinstance(node, (c_ast.ArrayDecl, c_ast.PtrDecl)):
        node, depth = node.type, depth + 1
    return depth
