"""A function as a C program calls it: its parameters, their types and extents, and its result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from math import prod
from types import MappingProxyType
from typing import Any

import numpy as np

from hlsmem.check.c_runs.run_inputs import Inputs
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.relations import named
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Array, ElementType, Kernel, Program, Storage
from hlsmem.read.c.extents import UnknownExtentError, quantity
from hlsmem.read.c.symbols import Parameter, Scope, Shape, declare, shape_of
from hlsmem.read.c.tree import Float, Number, Void
from hlsmem.read.c.types import ScalarType, element_type

_UNKNOWN_ELEMENTS = 1 << 16


class NotCallable(Exception):
    """The kernel cannot be called by a program that knows only its syntax tree; says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A member of a struct: numbers of one C `type`, or structs with `members` of their own.

    The values of numbers are `inputs`.
    """

    name: str
    type: str
    extents: tuple[int, ...] = ()
    members: tuple[Member, ...] = ()
    inputs: Inputs = field(default_factory=Inputs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """An array of `extents` elements (at least one), or a value: a parameter or a random one.

    Elements that are structs have `members`; `type` is what the harness calls the struct. The
    values are `inputs`: floats in steps, else whole numbers.
    """

    name: str
    type: str
    extents: tuple[int, ...] | None = None
    value: int | None = None
    members: tuple[Member, ...] = ()
    inputs: Inputs = field(default_factory=Inputs)

    @property
    def is_array(self) -> bool:
        return self.extents is not None

    @property
    def elements(self) -> int:
        return prod(self.extents or ())

    def definition(self) -> list[str]:
        """Lines that define the struct of its elements."""
        *lines, last = _definition(self.type, self.members)
        return [*lines, f"{last};", ""]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interface:
    """A function as the harness calls it; `result` is the C type it returns, or None.

    One that keeps `state` from call to call has a function that sets it, NAME_ws_init, unless it
    has its own variables for that.
    """

    function: str
    arguments: tuple[Argument, ...]
    result: str | None = None
    state: bool = False

    @property
    def arrays(self) -> tuple[Argument, ...]:
        return tuple(argument for argument in self.arguments if argument.is_array)


def with_inputs(
    interface: Interface,
    inputs: Mapping[str, Inputs],
    ranges: Mapping[str, tuple[Fraction, Fraction]] = MappingProxyType({}),
) -> Interface:
    """The interface with such values, those of `ranges` between the bounds there."""

    def drawn(one: Argument) -> Argument:
        found = inputs.get(one.name, Inputs())
        range = ranges.get(one.name, found.range or one.inputs.range)
        return replace(one, inputs=found if range is None else found.within(range))

    return replace(interface, arguments=tuple(map(drawn, interface.arguments)))


def interface_of(program: Program, values: Mapping[str, int]) -> Interface:
    """The interface of what a program was read from, a kernel or a network.

    Raises NotCallable.
    """
    if program.kernel is not None:
        return kernel_interface(program, program.kernel, values)
    live = program.live_in.union(program.live_out)
    given = (
        name
        for name, array in program.arrays.items()
        if array.storage is not Storage.MEMORY or not named(live, name).is_empty()
    )
    return network_interface(program, tuple(given), values)


def kernel_interface(program: Program, kernel: Kernel, values: Mapping[str, int]) -> Interface:
    """The interface of a kernel's function, with its parameters at `values`.

    Raises NotCallable.
    """
    names = Scope()
    for node in kernel.declarations:
        declare(node, names, "file")
    names.names.update((name, Parameter(name)) for name in program.parameters)
    function = kernel.function
    reader = _Reader(program=program, kernel=kernel, names=names, values=values)
    arguments = tuple(map(reader.argument, function.parameters))
    returned = shape_of(function.returns)
    is_void = isinstance(function.returns, Void)
    if not is_void and (returned.scalar is None or returned.extents):
        raise NotCallable(f"{kernel.name} returns something other than a number")
    result = None if is_void or returned.scalar is None else _c_type(returned.scalar)
    state = any(one.storage is Storage.STATE for one in program.arrays.values())
    return Interface(function=kernel.name, arguments=arguments, result=result, state=state)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reader:
    """Reads the parameters of a kernel's function at `values` of the program's parameters."""

    program: Program
    kernel: Kernel
    names: Scope
    values: Mapping[str, int]

    def argument(self, node: Any) -> Argument:
        shape, name = shape_of(node.type), node.name
        members = tuple(self.member(one, part, name) for one, part in shape.members)
        if shape.scalar is None and not members:
            raise NotCallable(f"the parameter {name!r} is {shape.reason}")
        kind = f"struct hlsmem_{name}" if shape.scalar is None else _c_type(shape.scalar)
        limits = Inputs(range=None if shape.scalar is None else _limits(shape.scalar))
        if not shape.extents:
            value = self.values.get(name)
            return Argument(name=name, type=kind, value=value, members=members, inputs=limits)
        extents = self.extents(name, shape)
        return Argument(name=name, type=kind, extents=extents, members=members, inputs=limits)

    def member(self, name: str, shape: Shape, parameter: str) -> Member:
        members = tuple(self.member(one, part, parameter) for one, part in shape.members)
        if shape.scalar is None and not members:
            raise NotCallable(f"{name!r} of the parameter {parameter!r} is {shape.reason}")
        kind = "" if shape.scalar is None else _c_type(shape.scalar)
        known = tuple(self.extent(extent, parameter) for extent in shape.extents)
        limits = Inputs(range=None if shape.scalar is None else _limits(shape.scalar))
        return Member(name=name, type=kind, extents=known, members=members, inputs=limits)

    def extents(self, name: str, shape: Shape) -> tuple[int, ...]:
        """The extents as the program declares them, else as far as it reaches."""
        own = [
            array
            for array in self.program.arrays.values()
            if array.is_parameter and self.kernel.variables[array.name].declaration.name == name
        ]
        if not own:
            return (_UNKNOWN_ELEMENTS,)
        rank = len(shape.extents)
        for array in own:
            row = self.row(array)
            if array.extents is not None:
                return tuple(row * max(1, e.evaluate(self.values)) for e in array.extents[:rank])
        first, *rest = shape.extents
        inner = tuple(self.extent(extent, name) for extent in rest)
        if first is not None:
            return (self.extent(first, name), *inner)
        reach = max(self.row(one) * (1 + _reach(self.program, one, self.values)) for one in own)
        return (reach, *inner)

    def row(self, array: Array) -> int:
        """Number of elements per step of the first subscript, where C has only one."""
        strides = self.kernel.variables[array.name].strides
        return max(1, strides[0].evaluate(self.values)) if strides else 1

    def extent(self, node: Any, parameter: str) -> int:
        try:
            if node is not None:
                return max(1, quantity(node, self.names).evaluate(self.values))
        except (UnknownExtentError, KeyError):
            pass
        raise NotCallable(f"nothing declares the extents of {parameter!r}")


def _reach(program: Program, array: Array, values: Mapping[str, int]) -> int:
    """The greatest first subscript of an array that a program ever uses."""
    reach = 0
    for statement in program.statements:
        for access in (*statement.reads, *statement.writes):
            if access.array == array.name:
                relation = access.relation.intersect_domain(statement.domain)
                elements = fix_parameters(relation.range(), values)
                if not elements.is_empty():
                    reach = max(reach, _greatest(elements))
    return reach


def _greatest(elements: Any) -> int:
    value = elements.dim_max_val(0) if elements.dim(DimType.set) else None
    return 0 if value is None or not value.is_int() else int(value.to_python())


def network_interface(
    program: Program, given: tuple[str, ...], values: Mapping[str, int]
) -> Interface:
    """The interface of a network's function: the arrays it is given, in order."""
    arguments = []
    for name in given:
        array = program.arrays[name]
        if array.extents is None:
            raise NotCallable(f"nothing declares the extents of {name!r}")
        extents = tuple(max(1, extent.evaluate(values)) for extent in array.extents) or (1,)
        arguments.append(Argument(name=name, type=storage_type(array.element), extents=extents))
    return Interface(function=program.name, arguments=tuple(arguments))


def storage_type(element: ElementType) -> str:
    """The least C type that holds every value of an element."""
    if element.is_float:
        return element.name
    width = min(w for w in (8, 16, 32, 64) if w >= element.bits)
    return f"{'' if element.is_signed else 'u'}int{width}_t"


def _c_type(scalar: ScalarType) -> str:
    match scalar:
        case Float(32):
            return "float"
        case Float():
            return "double"
        case Number(is_bool=True):
            return "_Bool"
        case Number():
            return storage_type(element_type(scalar))


def _limits(scalar: ScalarType) -> tuple[Fraction, Fraction] | None:
    """The values of an integer of which its C type has more."""
    if isinstance(scalar, Float) or scalar.is_bool or scalar.bits in (8, 16, 32, 64):
        return None
    return Fraction(scalar.least), Fraction(scalar.greatest)


def numpy_type(kind: str, members: Sequence[Member] = ()) -> np.dtype[Any]:
    """The numpy type of a C type of the harness; of a struct with its padding."""
    if members:
        fields = [(one.name, numpy_type(one.type, one.members), one.extents) for one in members]
        return np.dtype(fields, align=True)
    names = {"float": "float32", "double": "float64", "_Bool": "uint8"}
    return np.dtype(names.get(kind, kind.removesuffix("_t")))


def _definition(kind: str, members: Sequence[Member]) -> list[str]:
    """A struct laid out as the user's."""
    lines = [f"{kind} {{"]
    for member in members:
        extents = "".join(f"[{extent}]" for extent in member.extents)
        inner = _definition("struct", member.members) if member.members else [member.type]
        lines += ["    " + line for line in inner[:-1]]
        lines.append(f"    {inner[-1]} {member.name}{extents};")
    return [*lines, "}"]
