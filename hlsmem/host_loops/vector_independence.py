"""Independence of the iterations of an innermost loop, which may run side by side in vector lanes.

Two iterations meet where both name one cell, or one element of a given array. All pairs of
iterations are looked at at once: the variables of loops are parameters of a set, the innermost
one twice. Pairs that meet in a cell agree in every row of its frame up to a multiple of the
modulus, as in `mapping.certificate`. What is not affine is taken to meet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from hlsmem.core.expression import (
    Expression,
    Integer,
    Name,
    Operation,
    Operator,
    names_in,
    substituted,
)
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import Atom, QuasiPolynomial
from hlsmem.host_loops.cell_frame import CellFrame, Row, least_residue
from hlsmem.host_loops.loop_polynomials import polynomial, slope
from hlsmem.host_loops.pointer_loop import LoopShape
from hlsmem.host_loops.symbolic_sizes import Scale
from hlsmem.polyhedra import PwAff, Set, Val
from hlsmem.polyhedra.generated_loops import Loop
from hlsmem.polyhedra.quantities import affine_of
from hlsmem.read.design_names import RESERVED

_MOST_TURNS = 8
"""Multiples of a modulus that is not a number, and factors of a row, that are tried."""
_NEAR = 4
"""Cells by which neighbours in a vector may be apart: compilers shuffle, and need not gather."""
_OTHER = f"{RESERVED}other"
"""The loop's variable in the second iteration of a pair."""


@dataclass(frozen=True, slots=True)
class Touch:
    """An element that the body of a loop reads or `stores`; its `cell` where it is folded.

    Without subscripts of which it is known what they are, it may be any element.
    """

    array: str
    subscripts: tuple[Expression, ...] | None
    cell: bool
    stores: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Independent:
    """Iterations may run side by side where the given arrays of each pair in `apart` do not
    overlap. `in_place` says that cells of one array are both read and stored.
    """

    apart: frozenset[tuple[str, str]]
    in_place: bool


@dataclass(frozen=True, slots=True)
class Carried:
    """Iterations may need each other, and why."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """Facts around loops: frames by array, and arrays that are variables of their own."""

    frames: Mapping[str, CellFrame]
    variables: frozenset[str]
    scale: Scale = field(compare=False)


def independence(
    around: Sequence[Loop],
    loop: Loop,
    shape: LoopShape,
    touches: Sequence[Touch] | None,
    ground: Ground,
) -> Independent | Carried:
    """Decide whether iterations of an innermost loop may run side by side.

    `touches` are those of its body as its text has them; None where that is not known. Iterations
    may meet in one way only: what the one reads a later one stores, and stands behind in the
    text. Lanes of vectors keep that order. Where pointers wrap, iterations are those of a segment.
    """
    if touches is None:
        return Carried("what it reads and stores is not known")
    memory = [one for one in touches if not (one.cell and one.array in ground.variables)]
    placed = list(enumerate(memory))
    stores = {one: place for place, one in reversed(placed) if one.stores}
    reads = {one: place for place, one in placed if not one.stores}
    if not stores:
        return Carried("it stores nothing")
    pairs = _Pairs.of(around, loop, shape, memory, ground)
    for store, place in stores.items():
        for other in stores:
            if _same_array(store, other) and pairs.meet(store, other):
                return Carried(f"two iterations store one place of {store.array}")
        for read, read_place in reads.items():
            if not _same_array(store, read):
                continue
            if pairs.meet(store, read):
                return Carried(f"an iteration reads {store.array} where an earlier one stored it")
            if read_place > place and pairs.meet(read, store):
                return Carried(f"{store.array} is read behind the store of a later iteration")
    return Independent(apart=_apart(memory), in_place=_in_place(memory))


def jumps(loop: Loop, touches: Iterable[Touch], frames: Mapping[str, CellFrame]) -> bool:
    """True if along a loop some element moves from row to row, or its cell by more than a few.

    Vectors of such elements are gathered; compilers that may change loops do better.
    """
    for one in touches:
        rows = [polynomial(row) for row in one.subscripts or ()]
        forms = [row for row in rows if row is not None]
        if not forms or len(forms) < len(rows):
            continue
        if one.cell and one.array in frames:
            forms = [row.form(forms) for row in frames[one.array].rows]
        *rest, last = [slope(form, loop.iterator) for form in forms] or [
            QuasiPolynomial.constant(0)
        ]
        if any(step is None or step.constant_value() != 0 for step in rest):
            return True
        apart = None if last is None else last.constant_value()
        if apart is None or abs(apart) > _NEAR:
            return True
    return False


def _same_array(one: Touch, other: Touch) -> bool:
    return (one.array, one.cell) == (other.array, other.cell)


def _apart(touches: Iterable[Touch]) -> frozenset[tuple[str, str]]:
    given = [one for one in touches if not one.cell]
    return frozenset(
        (min(one.array, other.array), max(one.array, other.array))
        for one in given
        for other in given
        if one.stores and one.array != other.array
    )


def _in_place(touches: Sequence[Touch]) -> bool:
    cells = [one for one in touches if one.cell]
    stored = {one.array for one in cells if one.stores}
    return any(one.array in stored for one in cells if not one.stores)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pairs:
    """Pairs of iterations, the first before the second, as a set of variables of loops."""

    iterator: str
    ground: Ground
    sizes: Mapping[QuasiPolynomial, str]
    all: Any = field(compare=False)

    @staticmethod
    def of(
        around: Sequence[Loop],
        loop: Loop,
        shape: LoopShape,
        touches: Iterable[Touch],
        ground: Ground,
    ) -> _Pairs:
        bounds = [bound for one in (*around, loop) for bound in _bounds(one)]
        then = {loop.iterator: Name(_OTHER)}
        bounds += [substituted(bound, then) for bound in _bounds(loop)]
        forms = [polynomial(bound) for bound in bounds]
        apart = QuasiPolynomial.parameter(_OTHER) - QuasiPolynomial.parameter(loop.iterator)
        forms.append(apart - 1)
        sizes = _sizes(touches, ground)
        for size, name in sizes.items():
            least = _affine_below(size, ground.scale)
            forms += [] if least is None else [QuasiPolynomial.parameter(name) - least]
        for pointer in shape.wrapping:
            room = pointer.wraps or apart
            room = (QuasiPolynomial.parameter(sizes[room]) if room in sizes else room) - 1
            forms += [room - apart * pointer.stride, room + apart * pointer.stride]
        named = {loop.iterator, _OTHER, *ground.scale.parameters, *sizes.values()}
        named.update(*(form.parameters() for form in forms if form is not None))
        named.update(*(names_in(part) for one in touches for part in one.subscripts or ()))
        pairs = Set(f"[{', '.join(sorted(named))}] -> {{ : }}").params()
        scale = ground.scale
        pairs = pairs.intersect(scale.context)
        if not scale.symbolic:
            for name, value in scale.values.items():
                pairs = _where_zero(pairs, QuasiPolynomial.parameter(name) - value)
        for form in forms:
            if form is not None:
                pairs = _where_positive(pairs, form + 1)
        return _Pairs(iterator=loop.iterator, ground=ground, sizes=sizes, all=pairs)

    def meet(self, first: Touch, second: Touch) -> bool:
        """True if a pair may make these touches of one place, the first and the second of it."""
        if first.subscripts is None or second.subscripts is None:
            return not self.all.is_empty()
        here = [polynomial(one) for one in first.subscripts]
        then = {self.iterator: Name(_OTHER)}
        there = [polynomial(substituted(one, then)) for one in second.subscripts]
        gaps = [
            left - right
            for left, right in zip(here, there, strict=True)
            if left is not None and right is not None
        ]
        pairs = self.all
        if not first.cell:
            for gap in gaps:
                pairs = _where_zero(pairs, gap)
            return not pairs.is_empty()
        frame = self.ground.frames.get(first.array)
        if frame is None or len(gaps) < len(here):
            return not pairs.is_empty()
        found = [pairs]
        for row in frame.rows:
            factors = zip(_factors(row, self.ground.scale), gaps, strict=True)
            gap = sum((factor * gap for factor, gap in factors), QuasiPolynomial.constant(0))
            modulus = row.modulus
            if row.wraps and modulus in self.sizes:
                gap = _affine_residue(gap, modulus)
                modulus = QuasiPolynomial.parameter(self.sizes[modulus])
            found = [
                part
                for one in found
                for part in _where_congruent(one, gap, modulus if row.wraps else None)
            ]
        return bool(found)


def _bounds(loop: Loop) -> Iterator[Expression]:
    """Expressions that are not negative in a loop; the greatest of several is above each."""
    name = Name(loop.iterator)
    for first in _parts(loop.first, Operator.MAXIMUM):
        yield Operation(Operator.SUBTRACT, (name, first))
    if loop.last is not None:
        for last in _parts(loop.last, Operator.MINIMUM):
            yield Operation(Operator.SUBTRACT, (last, name))


def _parts(expression: Expression, operator: Operator) -> Iterator[Expression]:
    match expression:
        case Operation(own, arguments) if own is operator:
            for one in arguments:
                yield from _parts(one, operator)
        case Operation(Operator.SUBTRACT, (Operation(own, arguments), Integer() as less)) if (
            own is operator
        ):
            for one in arguments:
                yield from _parts(Operation(Operator.SUBTRACT, (one, less)), operator)
        case _:
            yield expression


def _factors(row: Row, scale: Scale) -> tuple[QuasiPolynomial, ...]:
    """The coefficients of a row or, if they then are numbers, of a few times it.

    Where a row is a multiple of the modulus, so is every number of times the row.
    """
    own = row.coefficients
    if not row.wraps or all(one.constant_value() is not None for one in own):
        return own
    for turns in (turn for size in range(1, _MOST_TURNS + 1) for turn in (size, -size)):
        found = tuple(least_residue(one * turns, row.modulus, scale) for one in own)
        if all(one.constant_value() is not None for one in found):
            return found
    return own


def _sizes(touches: Iterable[Touch], ground: Ground) -> dict[QuasiPolynomial, str]:
    """Names for moduli that are no affine forms of parameters: isl knows these as parameters."""
    arrays = dict.fromkeys(one.array for one in touches if one.cell)
    rows = (row for name in arrays if name in ground.frames for row in ground.frames[name].rows)
    moduli = dict.fromkeys(row.modulus for row in rows if row.wraps and not row.modulus.is_affine())
    return {modulus: f"{RESERVED}modulus{number}" for number, modulus in enumerate(moduli)}


def _affine_below(value: QuasiPolynomial, scale: Scale) -> QuasiPolynomial | None:
    """An affine form that a polynomial is never below in the context; None where none is found.

    Parameters and quotients are written as their least values and what they are above these;
    products of what is above may then be left out where all are added.
    """
    shifted, back = value, dict[Atom, QuasiPolynomial]()
    for atom in {atom for monomial, _ in value.terms for atom, _ in monomial}:
        own = QuasiPolynomial(((((atom, 1),), 1),))
        if not own.is_affine():
            return None
        here = PwAff.from_aff(affine_of(own, scale.context.get_space()))
        bound = here.intersect_params(scale.context).min_val()
        if not bound.is_int():
            return None
        back[atom] = own - bound.to_python()
        shifted = _with_atom(shifted, atom, own + bound.to_python())
    found = QuasiPolynomial.constant(0)
    for monomial, factor in shifted.terms:
        if sum(power for _, power in monomial) < 2:
            found = found + (back[monomial[0][0]] if monomial else 1) * factor
        elif factor < 0:
            return None
    return found


def _with_atom(value: QuasiPolynomial, atom: Atom, other: QuasiPolynomial) -> QuasiPolynomial:
    """A polynomial with another in place of an atom."""
    found = QuasiPolynomial.constant(0)
    for monomial, factor in value.terms:
        term = QuasiPolynomial.constant(factor)
        for own, power in monomial:
            base = other if own == atom else QuasiPolynomial(((((own, 1),), 1),))
            for _ in range(power):
                term = term * base
        found = found + term
    return found


def _affine_residue(gap: QuasiPolynomial, modulus: QuasiPolynomial) -> QuasiPolynomial:
    """A gap plus a multiple of a modulus that is affine, or the gap where a few are not."""
    turns = (turn for size in range(_MOST_TURNS + 1) for turn in (size, -size))
    return next((one for turn in turns if (one := gap + modulus * turn).is_affine()), gap)


def _where_congruent(
    pairs: Any, gap: QuasiPolynomial, modulus: QuasiPolynomial | None
) -> list[Any]:
    """Parts of some pairs in which a gap is a multiple of a modulus; or 0, without one."""
    if modulus is None:
        found = [_where_zero(pairs, gap)]
    elif (size := modulus.constant_value()) is not None:
        affine = _affine(pairs, gap)
        found = [pairs if affine is None else pairs.intersect(affine.mod_val(Val(size)).zero_set())]
    else:
        found = _multiples(_where_positive(pairs, modulus), gap, modulus)
    return [one for one in found if not one.is_empty()]


def _multiples(pairs: Any, gap: QuasiPolynomial, modulus: QuasiPolynomial) -> list[Any]:
    """As `_where_congruent`, a part a multiple; all pairs where these would be too many."""
    found = [_where_zero(pairs, gap)]
    for turns in range(1, _MOST_TURNS + 1):
        beyond = [_where_positive(pairs, way - modulus * (turns - 1)) for way in (gap, -gap)]
        if all(one.is_empty() for one in beyond):
            return found
        found += [_where_zero(pairs, gap - modulus * turns * sign) for sign in (1, -1)]
    return [pairs]


def _affine(pairs: Any, value: QuasiPolynomial) -> Any | None:
    try:
        return PwAff.from_aff(affine_of(value, pairs.get_space()))
    except ValueError:
        return None


def _where_zero(pairs: Any, value: QuasiPolynomial) -> Any:
    """The pairs at which a value is 0; all of them where it is not affine."""
    affine = _affine(pairs, value)
    return pairs if affine is None else pairs.intersect(affine.zero_set())


def _where_positive(pairs: Any, value: QuasiPolynomial) -> Any:
    """The pairs at which a value is above 0; all of them where it is not affine."""
    affine = _affine(pairs, value)
    return pairs if affine is None else pairs.intersect(affine.pos_set())
