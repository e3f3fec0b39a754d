"""What a kernel's statements name beside arrays with streams: types, functions, constant tables."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from hlsmem.datapath.evaluate import NoCircuitError, Sight
from hlsmem.datapath.semantics import Typed
from hlsmem.program.model import Array, Program
from hlsmem.read.c import c_ast
from hlsmem.read.c.initializer_lists import UnknownValueError, layout_of, values_in
from hlsmem.read.c.numbers import types_in_sight
from hlsmem.read.c.symbols import constant_integer, shape_of
from hlsmem.read.c.types import IntegerType


class KernelSources:
    """The kernel of a program: types, functions, and the words of its constant tables."""

    def __init__(self, program: Program) -> None:
        assert program.kernel is not None
        self.program, self.kernel = program, program.kernel
        self.scope = types_in_sight(program.kernel)
        self._words: dict[str, tuple[int, ...]] = {}

    def sight(self, element: Callable[[Any], Typed | None]) -> Sight:
        """Return what an expression may name, whose accesses are `element`."""
        functions = {
            one.decl.name: one for one in self.kernel.declarations if isinstance(one, c_ast.FuncDef)
        }
        return Sight(element=element, function=functions.get, type_of=self._declared)

    def _declared(self, declarator: Any) -> IntegerType | None:
        """The type of a number that is declared; None of what is none."""
        shape = shape_of(declarator, self.scope)
        is_one = not shape.extents and not shape.pointer
        return shape.scalar if is_one and isinstance(shape.scalar, IntegerType) else None

    def type_of(self, array: Array) -> IntegerType | None:
        """The type of an element in C; None where it is no integer."""
        own = array.element
        if own.is_float:
            return None
        variable = self.kernel.variables.get(array.name)
        is_bool = False
        if own.bits == 1 and variable is not None:
            scalar = shape_of(variable.declaration.type, self.scope).scalar
            is_bool = isinstance(scalar, IntegerType) and scalar.is_bool
        return IntegerType(own.bits, own.is_signed, is_bool=is_bool)

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
        layout = layout_of(shape_of(declaration.type, self.scope), self.scope)
        for at, given in values_in(declaration.init, layout, self.scope).items():
            value = constant_integer(given, self.scope)
            if value is None:
                raise UnknownValueError
            place = 0
            for step, extent in zip(at, extents, strict=True):
                place = place * extent + int(step)
            low = value & ((1 << array.element.bits) - 1)
            above = low > array.element.value_range[1]
            words[place] = low - (1 << array.element.bits) if above else low
        return words
