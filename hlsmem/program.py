"""The program: statements with domains, accesses and schedules, whatever it was read from.

Sets and maps are isl values (`hlsmem.polyhedra`); all of them carry the program's parameters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from hlsmem.places import Place
from hlsmem.quantity import Quantity


@dataclass(frozen=True, slots=True)
class ElementType:
    """Type of an array element: int<n>, uint<n> (1 to 64 bits), float or double."""

    name: str

    def __post_init__(self) -> None:
        if self.name not in ("float", "double"):
            found = re.fullmatch(r"u?int([1-9]\d?)", self.name)
            if not found or int(found[1]) > 64:
                raise ValueError(f"unknown element type {self.name!r}")

    @property
    def bits(self) -> int:
        known = {"float": 32, "double": 64}
        return known.get(self.name) or int(self.name.lstrip("uint"))

    @property
    def is_float(self) -> bool:
        return self.name in ("float", "double")

    @property
    def is_signed(self) -> bool:
        return not self.name.startswith("u")

    @property
    def c_name(self) -> str:
        """The least C99 type that holds every value, e.g. int32_t."""
        if self.is_float:
            return self.name
        width = next(w for w in (8, 16, 32, 64) if w >= self.bits)
        return f"{'int' if self.is_signed else 'uint'}{width}_t"


class Storage(Enum):
    """Where an array lives: outside, on chip, passing by in an order, or constant."""

    EXTERNAL = "external"
    MEMORY = "memory"
    STREAM = "stream"
    ROM = "rom"


class Order(Enum):
    """What counts as one time: every instance, or all instances of a loop iteration."""

    SEQUENTIAL = "sequential"
    ITERATION = "iteration"


@dataclass(frozen=True, slots=True, kw_only=True)
class Array:
    """An array; scalars have no indices. `extents` are None where nothing declares them."""

    name: str
    element: ElementType
    index: tuple[str, ...]
    extents: tuple[Quantity, ...] | None
    storage: Storage
    is_parameter: bool = False
    place: Place | None = None
    arrival: Any = field(default=None, compare=False)  # Map element -> time, streams only
    departure: Any = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """One read or write: `relation` maps statement instances to elements.

    `node` is the place in the C syntax tree that makes the access (C input only).
    """

    array: str
    relation: Any = field(compare=False)
    must: bool = True
    place: Place | None = None
    node: Any = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class KernelBody:
    """A C assignment or declaration of the user's kernel, as a pycparser node."""

    node: Any = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class NetworkBody:
    """C text over operands a0, a1, ..; the result is the name of the written array."""

    text: str


@dataclass(frozen=True, slots=True)
class Mix:
    """No body given: a value is an uninterpreted mix of (statement, iteration, operands)."""


@dataclass(frozen=True, slots=True)
class Copy:
    """Arrival or departure of a stream: the one operand is passed on unchanged."""


Body = KernelBody | NetworkBody | Mix | Copy


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A named family of instances: `domain` is { S[i, ..] }, `schedule` maps it to times.

    `reads` are the operands in textual order. All schedules of a program have the same
    number of time dimensions.
    """

    name: str
    process: str
    domain: Any = field(compare=False)
    schedule: Any = field(compare=False)
    reads: tuple[Access, ...]
    writes: tuple[Access, ...]
    body: Body
    iterators: tuple[str, ...] = ()
    latency: int = 1
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file as it was read; `name` is its path relative to the design."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """The C around the statements, which generated C must reproduce.

    `function` is the pycparser FuncDef after preprocessing, with the macros named in params
    left symbolic; `region` holds the statement nodes between the scop pragmas, and
    `region_parent` the pycparser Compound whose items they are. `declarations` are the
    file-level nodes the function needs (typedefs, static constants, prototypes), `includes`
    the include lines of the file in order. `macros` are the parameters that are macros.
    """

    file: str
    name: str
    function: Any = field(compare=False, repr=False)
    region: tuple[Any, ...] = field(compare=False, repr=False)
    region_parent: Any = field(compare=False, repr=False)
    declarations: tuple[Any, ...] = field(default=(), compare=False, repr=False)
    includes: tuple[str, ...] = ()
    macros: tuple[str, ...] = ()
    cflags: tuple[str, ...] = ()
    sources: tuple[SourceFile, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """Statements in textual order over arrays, with what is live before and after.

    `step_dimensions` is the number of leading time entries that make one atomic step when
    `order` is iteration. `iterator_names` are names for the time dimensions, for readers.
    """

    name: str
    parameters: tuple[str, ...]
    values: Mapping[str, int]
    context: Any = field(compare=False)
    arrays: Mapping[str, Array]
    statements: tuple[Statement, ...]
    live_in: Any = field(compare=False)  # UnionSet of elements
    live_out: Any = field(compare=False)
    order: Order = Order.SEQUENTIAL
    time_dimensions: int
    step_dimensions: int
    iterator_names: tuple[str, ...] = ()
    kernel: Kernel | None = None

    def planned_arrays(self) -> tuple[Array, ...]:
        """The arrays hlsmem makes hardware for, in declaration order."""
        kinds = (Storage.MEMORY, Storage.STREAM)
        return tuple(array for array in self.arrays.values() if array.storage in kinds)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictSet:
    """A bare conflict set of one array: no order, hence no streams.

    `differences` is 0-symmetric and has 0; `pairs` (element -> element) and `elements` are
    None where they were not given. `closed` says that sign or 0 had to be added.
    """

    array: Array
    differences: Any = field(compare=False)
    pairs: Any = field(default=None, compare=False)
    elements: Any = field(default=None, compare=False)
    closed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictInput:
    """Arrays with their conflicts given, instead of a program."""

    name: str
    parameters: tuple[str, ...]
    values: Mapping[str, int]
    context: Any = field(compare=False)
    conflicts: Mapping[str, ConflictSet]
