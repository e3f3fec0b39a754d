"""The program: statements with domains, accesses and schedules, whatever it was read from.

Sets and maps are isl values (`hlsmem.polyhedra`); all of them carry the program's parameters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from enum import Enum
from typing import Any

from hlsmem.core.errors import Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import Monomial, QuasiPolynomial
from hlsmem.core.source_location import SourceLocation


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
    def value_range(self) -> tuple[int, int]:
        """The least and the greatest value; ValueError for floats.

        >>> ElementType("uint1").value_range, ElementType("int4").value_range
        ((0, 1), (-8, 7))
        """
        if self.is_float:
            raise ValueError(f"{self.name} has no range")
        sign = self.is_signed
        return (-(1 << self.bits - 1) if sign else 0), (1 << self.bits - sign) - 1

    @property
    def c_name(self) -> str:
        """The least C99 type that holds every value, e.g. int32_t."""
        if self.is_float:
            return self.name
        return f"{'int' if self.is_signed else 'uint'}{8 * self.cell_bytes}_t"

    @property
    def cell_bytes(self) -> int:
        """The bytes of the C type that stores an element."""
        return next(width for width in (8, 16, 32, 64) if width >= self.bits) // 8


class Storage(Enum):
    """Storage of an array: outside, on chip, passing by in an order, constant, or kept.

    State stays on chip from one run to the next: its elements are live before and after. What the
    datapath keeps, as it does wires and registers of its own, has neither memory nor stream.
    """

    EXTERNAL = "external"
    MEMORY = "memory"
    STREAM = "stream"
    ROM = "rom"
    STATE = "state"
    DATAPATH = "datapath"


class Order(Enum):
    """Granularity of time: every instance, or all instances of a loop iteration."""

    SEQUENTIAL = "sequential"
    ITERATION = "iteration"


@dataclass(frozen=True, slots=True, kw_only=True)
class Array:
    """An array; scalars have no indices. `extents` are None where nothing declares them.

    `is_shared` says of a kernel's variable that C outside of the region uses it too. `style`
    asks for a kind of memory, `reads` (auto, copies, banks, chain or fifo) for what serves its
    reads, `parts` (auto, one, streams, operands, or a list of operands with a kind each) for what
    serves which; `max_banks` limits the banks it may be split into. `of_values` has the same of
    the array of its values, where it is put into single assignment. `transfer` (auto, used or
    whole) are the elements that a stream of an accelerator has. `values` are the least and the
    greatest value of its elements, where that is not the range of the type. Of one that comes in
    `word` elements are to be one, at offsets 0 .. word - 1 in the last index. An element of several
    `lanes` has so many of the source's, the first in the lowest bits. `first` are the
    elements that state holds at first, with their bits, but those that are 0; None where it is not
    known.
    """

    name: str
    element: ElementType
    index: tuple[str, ...]
    extents: tuple[QuasiPolynomial, ...] | None
    storage: Storage
    is_parameter: bool = False
    is_shared: bool = False
    source_location: SourceLocation | None = None
    arrival: Any = field(default=None, compare=False)  # Map element -> time, streams only
    departure: Any = field(default=None, compare=False)
    style: str = "auto"
    reads: str = "auto"
    parts: str | tuple[tuple[tuple[tuple[str, int], ...], str], ...] = "auto"
    max_banks: int | None = None
    transfer: str = "auto"
    word: int = 1
    of_values: Array | None = None
    values: tuple[QuasiPolynomial, QuasiPolynomial] | None = None
    lanes: int = 1
    first: Mapping[tuple[int, ...], int] | None = field(default=None, compare=False)

    @property
    def value_range(self) -> tuple[QuasiPolynomial, QuasiPolynomial]:
        """The least and the greatest value of an element; ValueError for floats."""
        low, high = self.element.value_range
        return self.values or (QuasiPolynomial.constant(low), QuasiPolynomial.constant(high))

    @property
    def declared(self) -> QuasiPolynomial | None:
        """Its elements as declared; None where nothing declares its size."""
        return None if self.extents is None else QuasiPolynomial.product(self.extents)

    def declared_at(self, values: Mapping[str, int]) -> int | None:
        """These at values of the parameters."""
        return None if self.declared is None else self.declared.evaluate(values)


def values_name(array: str) -> str:
    """Name of the array of the values of `array`, where it is put into single assignment.

    >>> values_name("a")
    'a_v'
    """
    return f"{array}_v"


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """One read or write: `relation` maps statement instances to elements.

    `node` is the place in the C syntax tree that makes the access (C input only). An access that
    is `chosen` is to one of the elements of `relation`, as data decide; `must` is False then.
    """

    array: str
    relation: Any = field(compare=False)
    must: bool = True
    source_location: SourceLocation | None = None
    node: Any = field(default=None, compare=False, repr=False)
    chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Condition of instances: instance k runs outside of the domain of `value`, and any other
    iff every tuple of values of the elements that `accesses` reach, one each, is in value(k).

    `value` is { S[i, ..] -> [v, ..] }, an entry for each access. `loops` is how many loops stand
    around the innermost condition, all of the statement's for None.
    """

    accesses: tuple[Access, ...]
    value: Any = field(compare=False)
    loops: int | None = None
    source_location: SourceLocation | None = None


@dataclass(frozen=True, slots=True)
class KernelBody:
    """A C assignment or declaration of the user's kernel, as a node of `read.c.tree`.

    `types` are those of the loop variables around it, outermost first. Where the statement has
    filters the node is an `if`, and `tests` are the elements that its condition reads in C. What
    an instance writes that does not run gets the value of `kept`, where that is given.
    """

    node: Any = field(compare=False, repr=False)
    types: tuple[ElementType, ...] = ()
    tests: tuple[Access, ...] = ()
    kept: Access | None = None


@dataclass(frozen=True, slots=True)
class NetworkBody:
    """C text over operands a0, a1, ..; the result is the name of the written array.

    One or more C statements; the semicolon after the last may be missing. In scope are the
    operands as constants of the C type of their array's elements (0 where the instance does
    not read them) and a variable of the C type of the written array's elements, by its name;
    after the text its value is reduced to the n bits of the element type and written. Behind
    these come what the design's `code` declares, the iterators of the instance as int64_t, and
    the parameters. `iterators` and `parameters` are those that the text names.
    """

    text: str
    iterators: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mix:
    """No body given: a value is an uninterpreted mix of (statement, iteration, operands).

    The mix is a 32-bit state h, first 2166136261. Absorbing a word w of 32 bits makes
    h := ((h xor w) * 16777619) mod 2^32, then h := h xor (h >> 15). Absorbed are, in order:
    each byte of the statement's name (ASCII, one word a byte); the value of each iterator
    modulo 2^32 (one word); each operand, in order of `reads`, as two words, first the low,
    then the high half of its 64-bit pattern. The pattern of an integer is its value modulo
    2^64 (so signed values are sign-extended), of a float its 32 bits with zeros above, of a
    double its 64 bits; an operand that the instance does not read counts as pattern 0.

    The value written to an element of int<n> or uint<n> is h * (2^32 + 1) reduced to its
    low n bits, read as two's complement where signed; to a float it is h >> 8, to a double
    it is h, both exact. Several writes of a statement get the same h. The constants are
    those of the FNV-1a hash.

    >>> mix("S", (1, 2), (3,))
    716377149
    """


def mix(statement: str, iterators: Iterable[int], patterns: Iterable[int]) -> int:
    """The 32-bit state after absorbing an instance and its operands' 64-bit patterns.

    This is the definition in `Mix`; generated C states it again in its own words.
    """
    words = [*statement.encode("ascii"), *iterators]
    for pattern in patterns:
        words += [pattern, pattern >> 32]
    state = 2166136261
    for word in words:
        state = (state ^ (word & 0xFFFFFFFF)) * 16777619 & 0xFFFFFFFF
        state ^= state >> 15
    return state


@dataclass(frozen=True, slots=True)
class Copy:
    """Arrival or departure of a stream: the one operand is passed on unchanged."""


@dataclass(frozen=True, slots=True)
class Joined:
    """Statements whose instances are one beat, in the order of their text."""

    parts: tuple[Statement, ...]


Body = KernelBody | NetworkBody | Mix | Copy | Joined


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A task of a DATAFLOW region, beside its others: a call in it, a loop, another statement.

    `region` tells regions apart, `name` all tasks of a kernel. The region runs once for each value
    of the first `runs` entries of times; runs whose first `apart` entries differ do not overlap.
    The function that is planned is the only task of region 0.
    """

    region: int
    name: str
    runs: int
    apart: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A named family of instances: `domain` is { S[i, ..] }, `schedule` maps it to times.

    `reads` are the operands in textual order. All schedules of a program have the same
    number of time dimensions. An instance that one of the `filters` keeps from running reads and
    writes nothing; their domains are disjoint. Where storage is planned, `must` is False for what
    a statement with filters writes. Where it `looks_apart`, statements of their own do what its
    filters look at (`predicate_reads.py`). `tasks` are those of DATAFLOW regions that it is in,
    outermost first, none where the kernel has no such region; inside of the last its instances run
    in the order of the text. `recurrence` are the cycles from an instance to the next one of the
    same loops that takes what it keeps in the datapath, where that is not its latency.
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
    recurrence: int | None = None
    source_location: SourceLocation | None = None
    filters: tuple[Filter, ...] = ()
    looks_apart: bool = False
    tasks: tuple[Task, ...] = ()

    @property
    def looked(self) -> tuple[Access, ...]:
        """The elements that its filters look at, as reads by the instances that they are for."""
        return tuple(
            replace(one, relation=one.relation.intersect_domain(own.value.domain()))
            for own in (() if self.looks_apart else self.filters)
            for one in own.accesses
        )

    @property
    def sees(self) -> tuple[Access, ...]:
        """Operands, then predicate operands."""
        return (*self.reads, *self.looked) if self.filters else self.reads


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file as it was read; `name` is its path relative to the design.

    `raw` is its text with the line ends that it has, where these are not all line feeds.
    """

    name: str
    text: str
    raw: str | None = field(default=None, compare=False, repr=False)

    @property
    def on_disk(self) -> str:
        """Its text with the line ends that it has."""
        return self.text if self.raw is None else self.raw


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """C at the level of a file for the bodies of a network: types, constants, functions.

    `declarations` are C texts in their order, after preprocessing; parameters that are macros in
    the file stay names in them, and are listed in `parameters`. `names` are all that they and
    the system headers of `includes` make known.
    """

    includes: tuple[str, ...]
    declarations: tuple[str, ...]
    names: frozenset[str]
    parameters: tuple[str, ...] = ()
    sources: tuple[SourceFile, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelVariable:
    """The C variable that an array of a kernel is, or is a member of.

    `declaration` is its Decl. `members` is the way to a number inside of a struct,
    and `ranks` says how many subscripts stand behind the variable and behind each member. An
    array with `strides` has one dimension in C: they are the elements between neighbours in all
    of its dimensions but the last.

    >>> KernelVariable(declaration=None, members=("at", "x"), ranks=(1, 0, 1)).steps("p", "ij")
    'p[i].at.x[j]'
    >>> width = QuasiPolynomial.parameter("w")
    >>> KernelVariable(declaration=None, ranks=(1,), strides=(width,)).steps("t", ["i - 1", "j"])
    't[(i - 1) * w + j]'
    """

    declaration: Any = field(compare=False, repr=False)
    members: tuple[str, ...] = ()
    ranks: tuple[int, ...] = (0,)
    strides: tuple[QuasiPolynomial, ...] = ()

    def steps(self, name: str, subscripts: Sequence[str]) -> str:
        """C for an element, where the variable is called `name`."""
        if self.strides:
            subscripts = [self._flat(subscripts)]
        rest = iter(subscripts)
        parts = [
            member + "".join(f"[{next(rest)}]" for _ in range(rank))
            for member, rank in zip((name, *self.members), self.ranks, strict=True)
        ]
        return ".".join(parts)

    def _flat(self, subscripts: Sequence[str]) -> str:
        *rows, column = [one if one.isalnum() else f"({one})" for one in subscripts]
        factors = [_product_in_c(stride) for stride in self.strides]
        terms = [f"{row} * {factor}" for row, factor in zip(rows, factors, strict=True)]
        return " + ".join([*terms, column])


def _product_in_c(quantity: QuasiPolynomial) -> str:
    """A polynomial in parameters as C that may stand in a product."""
    terms = [
        "*".join([*([str(factor)] if factor != 1 or not monomial else []), *_powers(monomial)])
        for monomial, factor in quantity.written()
    ]
    return terms[0] if len(terms) == 1 and "*" not in terms[0] else f"({' + '.join(terms)})"


def _powers(monomial: Monomial) -> Iterator[str]:
    return (str(atom) for atom, power in monomial for _ in range(power))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pragma:
    """A `#pragma HLS`: its name in capitals, and what it says by keys, "" for a word by itself.

    `loops` are the variables of the loops around it, outermost first; `array` is what it names.
    """

    name: str
    options: Mapping[str, str] = field(default_factory=dict)
    loops: tuple[str, ...] = ()
    array: str | None = None
    source_location: SourceLocation | None = None

    def number(self, key: str) -> int | None:
        """The value of a key; None where there is none, or it is no number."""
        text = self.options.get(key, "")
        return int(text) if text.isdecimal() else None

    def banks(self, extents: Sequence[int | None]) -> int | None:
        """Number of banks that ARRAY_PARTITION asks for; None: a register for each element.

        >>> Pragma(name="ARRAY_PARTITION", options={"complete": "", "dim": "1"}).banks([2, 640])
        2
        """
        if "complete" not in (self.options.get("type", ""), *self.options):
            return self.number("factor")
        dimension = self.number("dim") or 0
        is_part = len(extents) > 1 and 0 < dimension <= len(extents)
        return extents[dimension - 1] if is_part else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """The C around the statements, which generated C must reproduce.

    `function` is the FuncDef after preprocessing, with the macros named in params
    left symbolic; `region` holds the statement nodes between the scop pragmas, and
    `region_parent` the Compound whose items they are. `declarations` are the
    file-level nodes the function needs (typedefs, static constants, prototypes), `includes`
    the include lines of the file in order. `macros` are the parameters that are macros.
    `variables` are what arrays are called in C, by the names of the arrays. `normal` is the text
    of the function in normal form; `stages` are such texts after each rewrite that changed it,
    by the rewrite's name, none where the function was in normal form. `remarks` say of arrays
    why they are not planned, and what would change that; the one of "" is for where none is.
    `others` are files with functions that the kernel's calls. `apart` are pairs of variables that
    C tests at its entry, as its order needs them apart; those `in_place` may be one. `fixed` are
    the parameters that it was read with the values of. `entry` is a file that includes the user's
    and has the function as C calls it, None where C calls the user's own; `head` is the declaration
    of a function in C++. `conditions` are arrays over the loops around them that are one variable
    in normal form, which keeps its value from turn to turn. `pragmas` are those of HLS in its
    functions, which it only looks at unless it `obeys_pragmas`; with `judges_interval` that of the
    pipeline is what a pragma asks for, and not refused. Where it `copies`, the user's C copies
    objects to places of its own (structs that are passed, initial values), and the normal form does
    not; where it has `pointees`, these are variables in the normal form. `propagated` are variables
    that are shifted by hand, or hand values on to such: they are none of the normal form, which
    reads the values where they come from; `moves` are then the statements as the source has them,
    for arrays that both know, and `gone` the bytes of the arrays among these variables. Others that
    are `unset` stay, as they are read before they are written. `outlined`
    are variables of an iteration that functions of the normal form compute where they are used.
    `streams` are the arrays that are streams in C++. Loops at the places `written_out` were written
    turn by turn without a pragma. `collected` are variables of which the normal form stores a sum
    once; `summing` are then, or where it hands variables on, the function and its region without
    that. Of the parameters `undecided` the plan says whether they are streams; those that are
    `streamed` by it are the caller's arrays in C, of which the design has `listed` some. `defaults`
    are settings of its steps and streams that it leaves out, without which other times would have
    others.
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
    variables: Mapping[str, KernelVariable] = field(default_factory=dict, repr=False)
    normal: str = field(default="", repr=False)
    stages: Mapping[str, str] = field(default_factory=dict, repr=False)
    others: tuple[str, ...] = ()
    apart: tuple[tuple[str, str], ...] = ()
    in_place: tuple[tuple[str, str], ...] = ()
    fixed: tuple[str, ...] = ()
    entry: SourceFile | None = field(default=None, repr=False)
    head: Any = field(default=None, compare=False, repr=False)
    conditions: tuple[str, ...] = ()
    pragmas: tuple[Pragma, ...] = field(default=(), compare=False, repr=False)
    obeys_pragmas: bool = field(default=False, compare=False, repr=False)
    judges_interval: bool = field(default=False, compare=False, repr=False)
    copies: bool = False
    pointees: bool = False
    written_out: frozenset[str] = frozenset()
    collected: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()
    streamed: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    defaults: tuple[str, ...] = ()
    summing: tuple[Any, tuple[Any, ...]] | None = field(default=None, compare=False, repr=False)
    propagated: Mapping[str, SourceLocation | None] = field(
        default_factory=dict, compare=False, repr=False
    )
    moves: tuple[Statement, ...] = field(default=(), compare=False, repr=False)
    unset: frozenset[str] = frozenset()
    gone: int = 0
    outlined: tuple[str, ...] = ()
    streams: tuple[str, ...] = ()
    remarks: Mapping[str, Problem] = field(default_factory=dict, compare=False, repr=False)

    @property
    def called(self) -> str:
        """The name that the user's file has for the function, with its namespaces."""
        return self.name if self.head is None else str(self.head.called)


@dataclass(frozen=True, slots=True, kw_only=True)
class Nest:
    """A nest of a multifor block: `offset` is where it starts, in ticks, at the time `entries`.

    An entry is -1 where no statement's time varies in it.
    """

    label: str
    statements: tuple[str, ...]
    entries: tuple[int, ...]
    offset: tuple[int, ...]
    source_location: SourceLocation | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Program:
    """Statements in textual order over arrays, with what is live before and after.

    `step_dimensions` is the number of leading time entries that make one atomic step when
    `order` is iteration. `iterator_names` are names for the time dimensions, for readers.
    `original` is the program this one was made of, by giving it another order or by cutting
    its tile; None where it is as its source has it. `tile` is a set of times: only instances
    at these are planned; None: all. `unroll` has the factors that are asked for by entries of
    times; once they are applied, `lanes` has them in order, and a time is [step, lane of each
    unrolled loop, rest]. `expand` are arrays that are to be put into single assignment; once
    that is done, `expanded_from` is the program as it was. `nests` are those of multifor blocks,
    which gave it its times. `written_out` are entries of the times of statements, by their names,
    whose few values C writes one after the other, without a loop. `skips`: streams have beats of
    instances alone that run. `notes` are what is to be said of how the design was read. Where
    instances are left out that only hold undefined values, `with_undefined` is what has them.
    Statements that stand `together` are to be one, at the times of the one that is named first;
    once they are, `joined_from` is the program as it was.
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
    code: Code | None = None
    original: Program | None = None
    tile: Any = field(default=None, compare=False)
    unroll: Mapping[int, int] = field(default_factory=dict)
    lanes: tuple[int, ...] = ()
    expand: tuple[str, ...] = ()
    expanded_from: Program | None = None
    nests: tuple[Nest, ...] = ()
    written_out: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    skips: bool = False
    notes: tuple[Problem, ...] = field(default=(), compare=False)
    with_undefined: Program | None = None
    together: tuple[tuple[str, ...], ...] = ()
    joined_from: Program | None = None

    def __repr__(self) -> str:
        return f"<Program {self.name}: {len(self.statements)} statements>"

    @property
    def source(self) -> Program:
        """The program as its source has it, all of it in its own order."""
        before = self.joined_from or self.original or self.expanded_from
        return self if before is None else before.source

    @property
    def as_read(self) -> Program:
        """Its source with all instances, those too that only hold undefined values."""
        return self.source.with_undefined or self.source

    @property
    def apart(self) -> Program:
        """The program with each statement, and each element of an array, by itself."""
        return self.joined_from or self

    @property
    def outside_of_c(self) -> tuple[str, ...]:
        """The planned arrays that C around the region has: there they stay where they are.

        They are whole in memory, so that C would only need more for a copy.
        """
        if self.kernel is None or self.tile is not None:
            return ()
        return tuple(
            array.name
            for array in self.arrays.values()
            if array.index and (array.is_parameter or array.is_shared)
            if array.storage in (Storage.MEMORY, Storage.STREAM)
        )

    @property
    def in_c(self) -> Program:
        """The program as C has it, each statement and each element by itself, without copies of
        what is outside."""
        outside = {n: replace(self.arrays[n], storage=Storage.EXTERNAL) for n in self.outside_of_c}
        words = [one for one in ({**self.arrays, **outside}).values() if one.word > 1]
        own = outside | {one.name: replace(one, word=1) for one in words}
        if not own and not self.together:
            return self
        return replace(self, arrays={**self.arrays, **own}, together=())

    def planned_arrays(self) -> tuple[Array, ...]:
        """The arrays hlsmem makes hardware for, in declaration order."""
        kinds = (Storage.MEMORY, Storage.STREAM, Storage.STATE)
        return tuple(array for array in self.arrays.values() if array.storage in kinds)

    @property
    def grain(self) -> str:
        """Grain of processes: `given` by the design, by DATAFLOW too, else a `statement`."""
        is_given = self.kernel is None or any(one.tasks for one in self.statements)
        return "given" if is_given else "statement"

    def selftimed_process(self, statement: Statement) -> str:
        """The process of a statement where processes run by themselves (plan.capacity)."""
        return statement.process if self.grain == "given" else statement.name

    @property
    def has_conditions(self) -> bool:
        """True if elements that filters read decide whether some instances run."""
        return any(statement.filters for statement in self.statements)

    def asks_data(self) -> bool:
        """True if data decide which element some access is to, or whether something is written."""
        return any(
            access.chosen or (access in statement.writes and not access.must)
            for statement in self.statements
            for access in (*statement.reads, *statement.writes)
        )

    def is_state(self, name: str) -> bool:
        """True if there is an array of this name, and it is state."""
        return name in self.arrays and self.arrays[name].storage is Storage.STATE

    def without_streams(self) -> frozenset[str]:
        """The planned arrays that have no streams: data decide on an access, only filters look at
        them, or they are state of which no first contents are known.

        What decides whether an instance runs the datapath has written itself.
        """
        planned = self.planned_arrays()
        kept = {one.name for one in planned if one.storage is Storage.STATE and one.first is None}
        looked = {
            access.array
            for statement in self.statements
            for own in statement.filters
            for access in own.accesses
        }
        read = {one.array for statement in self.statements for one in statement.reads}
        sets = self.live_out.get_set_list() if looked else None
        left = {sets.get_at(k).get_tuple_name() for k in range(sets.n_set())} if sets else set()
        return frozenset(kept | set(self.decided_by_data()) | (looked - read - left))

    def decided_by_data(self) -> dict[str, Access]:
        """The planned arrays of which data decide what is accessed, each with the first access.

        Either data choose the element, or whether it is written.
        """
        planned = {array.name for array in self.planned_arrays()}
        found: dict[str, Access] = {}
        for statement in self.statements:
            for access in (*statement.reads, *statement.writes):
                is_may_write = not access.must and access in statement.writes
                unknown = access.chosen or (is_may_write and not statement.filters)
                if access.array in planned and unknown:
                    found.setdefault(access.array, access)
        return found


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
