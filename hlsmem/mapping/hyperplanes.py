"""Storage hyperplanes: rows of a mapping, each of which separates as many conflicts as can be.

Source: Bhaskaracharya, Bondhugula, Cohen, "Automatic storage optimization for arrays"
(TOPLAS 2016), algorithm 1 with equations 2, 5 and 6. A hyperplane looks at two elements
through their difference alone, so the conflict polyhedra are taken as sets of differences
later - earlier; what holds on one over the rationals holds on the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.mapping.basis import zeros_of
from hlsmem.mapping.milp import IntegerProgram, NoSolution, lexicographic_minimum
from hlsmem.polyhedra import DimType, Set
from hlsmem.polyhedra.lattices import Matrix, Vector
from hlsmem.polyhedra.star_closure import Inequality, inequalities

# An affine form over parameters and differences whose factors are forms in the unknowns:
# (factors in the order of the inequalities, constant). A factor maps unknowns to numbers;
# the key None has the number without unknown.
Factor = Mapping[int | None, float]
Unknown = tuple[Sequence[Factor], Factor]

INFINITE = float("inf")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hyperplanes:
    """Rows; for each, how many conflict polyhedra it satisfied of how many; steps taken."""

    rows: Matrix
    satisfied: tuple[tuple[int, int], ...]
    steps: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NoHyperplane:
    """No row that satisfies any of the polyhedra `left`; `rows` were found before.

    `ended` where there may be one beyond the limit of steps.
    """

    rows: Matrix
    left: tuple[Any, ...]
    steps: int
    ended: bool


def storage_hyperplanes(
    pieces: Iterable[Any], context: Any, *, limit: int, most_steps: int
) -> Hyperplanes | NoHyperplane:
    """Rows that together separate all differences of the conflict polyhedra `pieces`.

    `pieces` are basic sets of differences, none with 0, each oriented so that later elements
    minus earlier ones are in it; `context` is the basic set of the parameters. `limit` is the
    constant c that bounds coefficients and widths, and has to be larger than those of the
    rows sought. Of the rows that satisfy equally many polyhedra the one with the least width
    u.P + w is taken: u in the order of the parameters, then w, then the least sum of
    coefficients, then the lexicographically greatest.
    """
    rows: list[Vector] = []
    satisfied: list[tuple[int, int]] = []
    left, steps = _filled(pieces), 0
    while left:
        found = _next_row(left, context, limit, most_steps - steps)
        steps += found.steps
        if not any(found.row) or found.satisfied == 0:
            return NoHyperplane(rows=tuple(rows), left=left, steps=steps, ended=found.ended)
        rows.append(found.row)
        satisfied.append((found.satisfied, len(left)))
        zeros = zeros_of(left[0].get_space(), found.row)
        left = _filled(
            part
            for piece in left
            for part in zeros.intersect(Set.from_basic_set(piece)).get_basic_sets()
        )
    return Hyperplanes(rows=tuple(rows), satisfied=tuple(satisfied), steps=steps)


def greatest_constant(pieces: Sequence[Any]) -> int:
    """The greatest absolute constant in the constraints of the pieces."""
    return max(
        (abs(constant) for piece in pieces for _, constant in _constraints(piece.remove_divs())),
        default=0,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    row: Vector
    satisfied: int
    steps: int
    ended: bool


def _filled(pieces: Iterable[Any]) -> tuple[Any, ...]:
    """The pieces with any integer point, without existential variables.

    An empty polyhedron would be satisfied by every row, with both signs.
    """
    return tuple(piece.remove_divs() for piece in pieces if not piece.is_empty())


def _next_row(pieces: Sequence[Any], context: Any, limit: int, most_steps: int) -> _Row:
    """The integer program of algorithm 1 for one row; no polyhedron satisfied where it fails."""
    size = pieces[0].dim(DimType.set)
    parameters = pieces[0].dim(DimType.param)
    program = IntegerProgram()
    row = [program.variable(-limit, limit) for _ in range(size)]
    slopes = [program.variable(-limit, limit) for _ in range(parameters)]
    # The width may be below a multiple of the parameters: its constant is free in sign.
    width = program.variable(-INFINITE, INFINITE)
    chosen = [(program.variable(0, 1), program.variable(0, 1)) for _ in pieces]
    missed = program.variable(0, len(pieces))
    program.require(
        {missed: 1, **{x: 1 for pair in chosen for x in pair}}, len(pieces), len(pieces)
    )
    # Equation 5: the width is at most c times the sum of the parameters, plus c.
    within = (
        [{None: limit, slope: -1} for slope in slopes],
        {None: limit, width: -1},
    )
    _require_never_negative(program, within, _constraints(context))
    for piece, (below, above) in zip(pieces, chosen, strict=True):
        constraints = _constraints(piece)
        for sign, satisfied in ((1, above), (-1, below)):
            bound: list[Factor] = [{slope: 1} for slope in slopes]
            bound += [{g: -sign} for g in row]
            # Equation 2: the width bounds the form.
            _require_never_negative(program, (bound, {width: 1}), constraints)
            # Equation 6: on all of a satisfied polyhedron the form is at least 1.
            slack: list[Factor] = [{None: limit, satisfied: -limit}] * parameters
            value: list[Factor] = [{g: sign} for g in row]
            rest: Factor = {None: limit, satisfied: -(limit + 1)}
            _require_never_negative(program, ([*slack, *value], rest), constraints)
    total = _sum_of_magnitudes(program, row, limit)
    objectives = [
        (missed, 1),
        *((slope, 1) for slope in slopes),
        (width, 1),
        (total, 1),
        *((g, -1) for g in row),
    ]
    found = lexicographic_minimum(program, objectives, most_steps)
    if isinstance(found, NoSolution):
        return _Row(row=(0,) * size, satisfied=0, steps=found.steps, ended=found.ended)
    return _Row(
        row=tuple(found.integer(g) for g in row),
        satisfied=len(pieces) - found.integer(missed),
        steps=found.steps,
        ended=False,
    )


def _sum_of_magnitudes(program: IntegerProgram, row: Sequence[int], limit: int) -> int:
    sizes = []
    for g in row:
        size = program.variable(0, limit)
        program.require({size: 1, g: -1}, 0, INFINITE)
        program.require({size: 1, g: 1}, 0, INFINITE)
        sizes.append(size)
    total = program.variable(0, limit * len(row))
    program.require({total: 1, **dict.fromkeys(sizes, -1)}, 0, 0)
    return total


def _constraints(piece: Any) -> list[Inequality]:
    """The inequalities of a basic set over (parameters, set dimensions)."""
    count = piece.dim(DimType.param)
    return inequalities(piece.move_dims(DimType.set, 0, DimType.param, 0, count))


def _require_never_negative(
    program: IntegerProgram, form: Unknown, constraints: Sequence[Inequality]
) -> None:
    """Farkas: the form is a non-negative combination of the constraints and 1."""
    factors, constant = form
    multipliers = [program.variable(0, INFINITE, integer=False) for _ in constraints]
    one = program.variable(0, INFINITE, integer=False)
    for position, factor in enumerate(factors):
        equation = {m: -c[0][position] for m, c in zip(multipliers, constraints, strict=True)}
        _require_equal(program, factor, equation)
    equation = {m: -c[1] for m, c in zip(multipliers, constraints, strict=True)}
    _require_equal(program, constant, equation | {one: -1})


def _require_equal(program: IntegerProgram, factor: Factor, negative: Mapping[int, float]) -> None:
    """factor + negative = 0."""
    number = factor.get(None, 0)
    form = {k: value for k, value in negative.items() if value}
    form |= {k: value for k, value in factor.items() if k is not None}
    program.require(form, -number, -number)
