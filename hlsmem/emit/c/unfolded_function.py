"""The function as it was, with its arrays in the workspace of the folded one.

It stands by for calls that the plan does not cover. The declarations of the arrays that the plan
folds become pointers into the workspace: so nothing but the workspace has their size.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from math import prod
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.emit.c.c_syntax import identifiers, print_tree, walk
from hlsmem.emit.c.cell_text import size_text
from hlsmem.emit.c.kernel_frame import Surroundings
from hlsmem.program.model import Array, Kernel, Program
from hlsmem.read.c import tree
from hlsmem.read.c.constants import value_at
from hlsmem.read.c.symbols import shape_of
from hlsmem.read.c.trees import changed
from hlsmem.read.c.types import stored_bytes
from hlsmem.read.design_names import RESERVED


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfolded:
    """An array of the source: `elements` of a C `type`, which has `bytes`, a number `widest`.

    `size` is C for how many elements there are, in the names `used`: also for values of parameters
    that stand for numbers in the plan. `declaration` is that of the function as it was.
    """

    declaration: Any = field(compare=False)
    type: str
    size: str
    used: frozenset[str]
    elements: QuasiPolynomial
    bytes: int
    widest: int

    def text(self) -> str:
        """C for its bytes."""
        return f"{self.size} * sizeof({self.type})"

    def at(self, values: Mapping[str, int]) -> int:
        """Its bytes at these parameters."""
        return self.elements.evaluate(values) * self.bytes


def unfolded_arrays(
    program: Program, around: Surroundings, removed: Sequence[Any]
) -> tuple[Unfolded, ...]:
    """The arrays whose declarations the folded function does without, the widest first: then all
    are aligned if the workspace is."""
    known = {**program.source.arrays, **program.arrays}
    kernel, given = around.kernel, {*around.parameters, *around.kernel.macros}
    function, _ = kernel.summing or (kernel.function, kernel.region)
    declared = [node for node in walk(function.body) if isinstance(node, tree.Decl)]
    handed = [node for node in declared if node.name in kernel.propagated]
    sized = []
    for node in (*removed, *handed):
        if not isinstance(node, tree.Decl) or not isinstance(node.type, tree.Array):
            continue
        there = [one for one in declared if one is node]
        there = there or [one for one in declared if one.name == node.name]
        if len(there) != 1:
            continue
        arrays = [*_arrays_of(node, kernel, known)]
        found = _unfolded(node, arrays, given, program.values)
        if found is not None:
            sized.append(replace(found, declaration=there[0]))
    return tuple(sorted(sized, key=lambda one: -one.widest))


def _arrays_of(
    node: Any, kernel: Kernel, known: Mapping[str, Array]
) -> Iterator[tuple[Array, int]]:
    """The arrays that a variable holds, with the number of its own dimensions."""
    for name, variable in kernel.variables.items():
        array = known.get(name)
        if variable.declaration is node and array is not None and array.extents is not None:
            yield array, variable.ranks[0] if variable.members else len(array.extents)


def _unfolded(
    node: Any,
    arrays: Sequence[tuple[Array, int]],
    given: Collection[str],
    at: Mapping[str, int],
) -> Unfolded | None:
    """The array of a declaration; None where its size is not known."""
    extents = [*_extents(node.type)]
    if not arrays:
        values = [value_at(one, at) for one in extents]
        scalar = shape_of(node.type).scalar
        if None in values or scalar is None:
            return None
        elements = QuasiPolynomial.constant(prod(one for one in values if one is not None))
        widths, sizes = [stored_bytes(scalar)], [1]
    else:
        array, rank = arrays[0]
        elements = QuasiPolynomial.product((array.extents or ())[:rank])
        widths = [one.element.cell_bytes for one, _ in arrays]
        inner = [QuasiPolynomial.product((one.extents or ())[own:]) for one, own in arrays]
        sizes = [one.constant_value() or 0 for one in inner]
    size, used = size_text(elements), elements.parameters()
    names = identifiers(extents)
    if None not in extents and names and names <= set(given):
        size = " * ".join(f"(size_t)({print_tree(one)})" for one in extents)
        used = frozenset(names)
    return Unfolded(
        declaration=node,
        type=print_tree(_innermost(node.type)),
        size=size,
        used=used,
        elements=elements,
        bytes=sum(one * width for one, width in zip(sizes, widths, strict=True)),
        widest=max(widths),
    )


def _extents(kind: Any) -> Iterator[Any]:
    while isinstance(kind, tree.Array):
        yield kind.extent
        kind = kind.element


def _innermost(kind: Any) -> Any:
    while isinstance(kind, tree.Array):
        kind = kind.element
    return kind


def in_workspace(arrays: Sequence[Unfolded], workspace: str) -> Mapping[int, str]:
    """C for where the arrays start, by the ids of their declarations."""
    found, before = dict[int, str](), list[str]()
    for one in arrays:
        at = f"(unsigned char *){workspace} + {' + '.join(before)}" if before else workspace
        start = f"(void *)({at})" if before else at
        found[id(one.declaration)] = start
        before.append(one.text())
    return found


def as_pointer(node: Any, start: str) -> list[Any]:
    """The declaration of an array as that of a pointer to its start, with its first values."""
    pointed = tree.Pointer(node.type.element)
    pointer = tree.Decl(
        node.name,
        replace(pointed, const=True),
        init=tree.Cast(tree.Verbatim(start), pointed),
        const=node.const,
    )
    if node.init is None or "static" in (node.storage or []):
        return [pointer]
    table = f"{RESERVED}{node.name}_first"
    first = changed(node, name=table, storage=("static",), const=True)
    return [pointer, first, tree.Verbatim(f"memcpy({node.name}, {table}, sizeof {table});")]


def unfolded_text(arrays: Sequence[Unfolded]) -> str:
    """C for the bytes of all."""
    return " + ".join(one.text() for one in arrays) or "0"


def unfolded_bytes(arrays: Sequence[Unfolded], values: Mapping[str, int]) -> int:
    """The bytes of all at these parameters."""
    return sum(one.at(values) for one in arrays)
