"""The storage problem of one array: which elements must not share a cell, and known bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.lifetime.live_interval import LiveIntervals
from hlsmem.lifetime.occupancy import Occupancies
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Alive:
    """Elements that are alive at once: just after the writes at a program point.

    `program_point` is an isl set of one [phase, time..] for the parameters, phase 1; 0 is before
    the run, 2 after it. None: one element is all that is asked for.
    """

    program_point: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """Points of which any two are a conflicting difference apart, as an isl set."""

    elements: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A number of cells no mapping of the stated kind can go below.

    `kind`: max-live (no mapping at all), width (no mapping good for the class of orders),
    difference-clique (no lattice), clique, exhaustive. `witness` are elements of which any two
    conflict in some order of a class, as many as `cells`: with it a bound is of that class.
    `cells` is exact at the plan's parameters; `expr` is a formula over the parameters or None.
    `status`: proved (at all parameters no mapping of that kind has fewer cells than the formula
    says), "proved for N >= 3", fitted, "fitted for N >= 4", or "counted at N=64". `when` are the
    parameters that a proof is for, as an isl set, None for all. `proof` is what shows it again.
    """

    kind: str
    cells: int
    expr: str | None
    status: str
    witness: tuple[tuple[int, ...], ...] = ()
    when: str | None = None
    proof: Alive | Apart | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BandFacts:
    """Loops of a class of orders: `kind` is sequential or tiled, `rows` are as the design has them,
    `maps` the same as isl texts by statement."""

    kind: str
    rows: tuple[str, ...]
    maps: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassFacts:
    """The class of orders that conflicts are for, as plan and report state it.

    `schedules` is its name; `before` is the relation that is asked for, one text a pair of
    statements; `is_symbolic`: affine schedules with the same coefficients for all parameters.
    Without `is_exact` more elements conflict than some order of the class needs; with `is_fixed`
    all holds at the plan's values alone. `remark` says why. `outside` names two elements that the
    design's own schedule keeps alive together and no order of the class does; it is empty where
    there are none.
    """

    schedules: str
    bands: tuple[BandFacts, ...] = ()
    before: tuple[str, ...] | None = None
    is_symbolic: bool = False
    is_exact: bool = True
    is_fixed: bool = False
    remark: str = ""
    outside: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenVector:
    """An occupancy vector that was looked for, or, where there is none, the reason."""

    vector: tuple[int, ...] | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Conflicting elements as a relation { a -> b }: both ways, or at least one way."""

    relation: Any = field(compare=False)
    is_symmetric: bool = True

    def symmetric(self) -> Any:
        """The relation with each pair both ways; put into few pieces where it was not so yet."""
        if self.is_symmetric:
            return self.relation
        return self.relation.union(self.relation.reverse()).coalesce()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class StorageProblem:
    """Conflicts of one array, symbolic in the parameters and within the context.

    `differences` (DS) is a union of polyhedra over the array's indices (anonymous tuple),
    0-symmetric, with 0. `pairs` are the conflicting elements, without the identity, or None
    where only differences are known. `elements` are the elements that ever hold a value, or
    None. `occupied` says when, or is None where there is no time; so do `lives`, where a formula
    of max-live is still to be found, else None.
    `orders` are None for the design's own schedule, and for bare conflict sets. `vectors` are
    occupancy vectors by kind, where methods ask for them.
    """

    array: Array
    parameters: tuple[str, ...]
    values: Mapping[str, int]
    context: Any = field(compare=False)
    differences: Any = field(compare=False)
    pairs: Pairs | None = None
    elements: Any = field(default=None, compare=False)
    occupied: Occupancies | None = field(default=None, compare=False)
    lives: LiveIntervals | None = field(default=None, compare=False)
    bounds: tuple[Bound, ...] = ()
    orders: ClassFacts | None = None
    vectors: Mapping[str, GivenVector] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<StorageProblem of {self.array.name}, {self.scope}>"

    @property
    def scope(self) -> str:
        """given, sequential, tiled, affine, any or before."""
        return "given" if self.orders is None else self.orders.schedules

    @property
    def conflicts(self) -> Any:
        """The symmetric relation of conflicting elements, or None. It is made anew each time."""
        return None if self.pairs is None else self.pairs.symmetric()

    def at_the_plan(self) -> StorageProblem:
        """The problem at the plan's values, without parameters."""
        values, extents = self.values, self.array.extents
        if extents is not None:
            extents = tuple(QuasiPolynomial.constant(extent.evaluate(values)) for extent in extents)
        return replace(
            self,
            array=replace(self.array, extents=extents),
            parameters=(),
            values={},
            context=fix_parameters(self.context, values),
            differences=fix_parameters(self.differences, values),
            pairs=None
            if self.pairs is None
            else replace(self.pairs, relation=fix_parameters(self.pairs.relation, values)),
            elements=None if self.elements is None else fix_parameters(self.elements, values),
        )
