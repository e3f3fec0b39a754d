"""The conflicts of one array as every method looks at them: symbolic, and at the plan's values."""

from __future__ import annotations

from collections.abc import Mapping as Values
from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.lifetime.storage_problem import Pairs, StorageProblem
from hlsmem.polyhedra import DimType, PwAff, Set, Val
from hlsmem.polyhedra.memoized import Itself, kept
from hlsmem.polyhedra.quantities import (
    affine_of,
    form_values,
    maximum,
    quantity_of,
    quantity_pieces,
)
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.polyhedra.star_closure import origin
from hlsmem.program.model import Array

_KEPT = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflicts:
    """Differences of conflicting elements, 0-symmetric, with 0, within the context.

    `differences_at` are those at the plan's values. All symbolic sets name the same
    parameters. `pairs` are the conflicting elements and `elements` are those there
    are; both are None where unknown. Where elements are known, the context is
    that of parameters with any element: without elements no address is ever computed.
    `promised` are the parameters of the design's own context, for which a certificate
    speaks: a modulus has to be positive there even where no element exists.
    """

    array: Array
    values: Values[str, int]
    context: Any = field(compare=False)
    promised: Any = field(compare=False)
    differences: Any = field(compare=False)
    differences_at: Any = field(compare=False)
    elements: Any = field(compare=False)
    pairs: Pairs | None

    @property
    def dimensions(self) -> int:
        return int(self.differences.dim(DimType.set))

    def at(self, values: Values[str, int]) -> Conflicts | None:
        """The same conflicts for a plan at other values; None where they are out of context."""
        if fix_parameters(self.context, values).is_empty():
            return None
        differences = fix_parameters(self.differences, values)
        return replace(self, values=values, differences_at=differences)

    def is_conflict_free(self) -> bool:
        """True if no two elements conflict, for any parameters."""
        return bool(self.differences.is_subset(origin(self.differences.get_space())))


def conflicts_of(problem: StorageProblem) -> Conflicts:
    """The view of `problem` that methods and certificates work on; all methods ask for it."""
    return _conflicts_of(Itself(problem))


@kept(_KEPT)
def _conflicts_of(asked: Itself) -> Conflicts:
    problem: StorageProblem = asked.value
    space = _parameter_space(problem)
    values = {name: problem.values[name] for name in problem.parameters}
    context = problem.context.params().align_params(space)
    elements = problem.elements
    if elements is not None:
        elements = elements.align_params(space).intersect_params(context)
        if not fix_parameters(elements, values).is_empty():
            context = elements.params().coalesce()
    differences = problem.differences.align_params(space).intersect_params(context)
    pairs = problem.pairs
    if pairs is not None:
        inside = pairs.relation.align_params(space).intersect_params(context)
        pairs = replace(pairs, relation=inside)
    zero = origin(differences.get_space()).intersect_params(context)
    differences = differences.union(zero).coalesce()
    return Conflicts(
        array=problem.array,
        values=values,
        context=context,
        promised=problem.context.params().align_params(space),
        differences=differences,
        differences_at=fix_parameters(differences, values),
        elements=elements,
        pairs=pairs,
    )


def width_at(points: Any, row: Sequence[int]) -> int:
    """max of row . x over a parameter-free, bounded set that is not empty."""
    return int(form_values(points, row).dim_max_val(0).to_python())


def modulus_above(points: Any, row: Sequence[int], conflicts: Conflicts) -> QuasiPolynomial:
    """The width of symbolic `points` along `row`, plus one: the least modulus that never wraps.

    Equal to that at the plan's values; above it elsewhere where no single expression fits.
    A constant, right at the plan's values alone, where no expression is an upper bound.
    """
    return covering(maximum(points, row), conflicts, of_size=True) + 1


def covering(value: Any, conflicts: Conflicts, *, of_size: bool = False) -> QuasiPolynomial:
    """An upper bound of `value` (PwAff over the parameters), exact at the plan's values.

    It holds for all parameters where `value` has an expression that does; else it is the
    constant at the plan's values. The bound of a size may also fail where it is negative:
    no modulus is above it there, so that proofs leave these parameters out.
    """
    exact = quantity_of(value, conflicts.context)
    if exact is not None:
        return exact
    here = int(value.intersect_params(_point(conflicts)).max_val().to_python())
    space = value.domain().get_space()
    defined = value.domain().intersect(conflicts.context)
    partial = None
    for piece in quantity_pieces(value, conflicts.context):
        if piece.value.evaluate(conflicts.values) != here:
            continue
        bound = PwAff.from_aff(affine_of(piece.value, space))
        covered = bound.ge_set(value)
        if defined.is_subset(covered):
            return piece.value
        if of_size and defined.intersect(bound.nonneg_set()).is_subset(covered):
            partial = piece.value
    return QuasiPolynomial.constant(here) if partial is None else partial


def _point(conflicts: Conflicts) -> Any:
    """The parameter set that holds the plan's values alone."""
    point = Set.universe(conflicts.context.get_space())
    for name, value in conflicts.values.items():
        position = point.find_dim_by_name(DimType.param, name)
        point = point.fix_val(DimType.param, position, Val(value))
    return point


def _parameter_space(problem: StorageProblem) -> Any:
    """The parameter space of the differences, the context and every named parameter."""
    declared = Set(f"[{', '.join(problem.parameters)}] -> {{ : }}").get_space()
    space = problem.differences.get_space().params()
    return space.align_params(declared).align_params(problem.context.get_space())
