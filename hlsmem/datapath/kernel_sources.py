"""What a kernel's statements name beside arrays with streams: types, functions, constant tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Any

from hlsmem.datapath import floats
from hlsmem.datapath.evaluate import NoCircuitError, Sight
from hlsmem.datapath.semantics import NONE, Modules, Typed
from hlsmem.program.model import Access, Array, KernelBody, Program, Statement
from hlsmem.read.c import tree
from hlsmem.read.c.constants import value_at
from hlsmem.read.c.initializer_lists import UnknownValueError, elements_of
from hlsmem.read.c.tree import BOOL, Float, Number, element_of
from hlsmem.read.c.trees import assigned_value
from hlsmem.read.c.types import ScalarType


class KernelSources:
    """The kernel of a program: types, functions, and the words of its constant tables.

    `modules` are those of the user.
    """

    def __init__(self, program: Program, modules: Modules = NONE) -> None:
        assert program.kernel is not None
        self.modules = modules
        self.program, self.kernel = program, program.kernel
        self._words: dict[str, tuple[int, ...]] = {}

    def sight(self, element: Callable[[Any], Typed | None]) -> Sight:
        """Return what an expression may name, whose accesses are `element`."""
        functions = {
            one.name: one for one in self.kernel.declarations if isinstance(one, tree.FuncDef)
        }
        return Sight(element=element, function=functions.get, modules=self.modules)

    def type_of(self, array: Array) -> ScalarType:
        """The type of an element in C, whatever a design narrows it to in memory."""
        if array.element.is_float:
            return Float(array.element.bits)
        variable = self.kernel.variables.get(array.name)
        declared = None if variable is None else element_of(variable.declaration.type)
        if isinstance(declared, Number):
            return Number(declared.bits, declared.signed, is_bool=declared == BOOL)
        return stored_type(array)

    def accesses(self, statement: Statement) -> Mapping[int, Access]:
        """Return the accesses that a statement reads, by the ids of their nodes."""
        return {id(one.node): one for one in statement.reads if one.node is not None}

    def value(self, statement: Statement, access: Access) -> Any:  # noqa: ARG002
        """Return the expression of what a statement writes by an access."""
        assert isinstance(statement.body, KernelBody)
        return assigned_value(statement.body.node)

    def iterator_type(self, statement: Statement, position: int) -> Number:
        """Return the type of a loop variable, counted from the outermost."""
        assert isinstance(statement.body, KernelBody)
        types = statement.body.types
        if position >= len(types):
            return Number(32, True)
        return Number(types[position].bits, types[position].is_signed)

    def words(self, array: Array, node: Any) -> tuple[int, ...]:
        """The words of a constant table, row by row; `node` is where it is read."""
        if array.name not in self._words:
            try:
                self._words[array.name] = tuple(self._listed(array))
            except UnknownValueError as error:
                why = f"the words of '{array.name}' are not constants"
                raise NoCircuitError(why, node) from error
        return self._words[array.name]

    def _listed(self, array: Array) -> list[int]:
        declaration = self.kernel.variables[array.name].declaration
        extents = [one.evaluate(self.program.values) for one in array.extents or ()]
        words = [0] * prod(extents)
        for at, given in elements_of(declaration.init, len(extents)):
            value = _word(given, array)
            if value is None:
                raise UnknownValueError
            place = 0
            for step, extent in zip(at, extents, strict=True):
                place = place * extent + step
            low = value & ((1 << array.element.bits) - 1)
            above = not array.element.is_float and low > array.element.value_range[1]
            words[place] = low - (1 << array.element.bits) if above else low
        return words


def _word(node: Any, array: Array) -> int | None:
    """The word of a constant in a table; None where it is none."""
    if not array.element.is_float:
        return value_at(node, {})
    return floats.constant_bits(node, array.element.bits)


def stored_type(array: Array) -> ScalarType:
    """Return the type of the words that hold an array."""
    if array.element.is_float:
        return Float(array.element.bits)
    return Number(array.element.bits, array.element.is_signed)
