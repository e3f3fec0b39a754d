"""Arrays of one dimension that are used as several: `a[i*w + j]` is row i, column j.

Elements keep their order in memory. Rows are told apart where 0 <= j < w at every access
(Maslov, "Delinearization: an efficient way to break multiloop dependence equations", PLDI 1992);
without that two elements could be one. What has to hold for the parameters is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import gcd
from typing import Any

from hlsmem.core.errors import Note, Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.polyhedra import DimType, PwAff, Set, Val
from hlsmem.polyhedra import piecewise as pw
from hlsmem.polyhedra.quantities import affine_of, affine_quantity, pieces_of, quantity_of
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.read.c.accesses import Touch
from hlsmem.read.c.affine import Reader
from hlsmem.read.c.products import Polynomial, Product
from hlsmem.read.c.refusal import Refusal
from hlsmem.read.c.region import Walk, Written
from hlsmem.read.c.symbols import Variable


@dataclass(frozen=True, slots=True, kw_only=True)
class Flat:
    """The dimensions in which an array of one dimension is read: strides of all but the last.

    `condition` (a parameter set) is where every access keeps to its row.
    """

    strides: tuple[QuasiPolynomial, ...]
    condition: Any

    def extents(
        self, whole: tuple[QuasiPolynomial, ...] | None, variable: Variable, walk: Walk
    ) -> tuple[QuasiPolynomial, ...] | None:
        """The extents of all dimensions: of the `whole` array, else as far as accesses reach."""
        inner = _ratios(self.strides)
        rows = None if whole is None else quotient(whole[0], self.strides[0])
        if rows is None and variable.scope != "parameter":
            rows = reach(variable, walk)
        return None if rows is None or inner is None else (rows, *inner)


def reach(
    variable: Variable, walk: Walk, needed: list[Any] | None = None
) -> QuasiPolynomial | None:
    """One more than the last row that is accessed; None where that is no one expression.

    With a list of what is `needed` it may be so for some parameters alone, which it then names.
    A row of an array of structs is accessed where one of its members is.
    """
    rows = None
    for touch in touches_of(walk.statements):
        if touch.variable.object is variable:
            if touch.is_at_run_time:
                return None
            values = pw.to_map(touch.subscripts[:1], touch.inside, "S").range()
            rows = values if rows is None else rows.union(values)
    if rows is None or rows.is_empty():
        return None
    last = rows.intersect_params(walk.reader.assumed).dim_max(0)
    inside = walk.reader.assumed.intersect(last.domain().params())
    found = quantity_of(last, inside)
    if found is None and needed is not None:
        return _reach_at(last, inside, walk.reader.values, needed)
    return None if found is None else found + 1


def _reach_at(
    last: Any, inside: Any, values: Mapping[str, int], needed: list[Any]
) -> QuasiPolynomial | None:
    """One more than the piece of `last` that holds at the values; where it does is `needed`.

    Pieces that are the same there stay the same: a stream that is read to its end is written to
    that end.
    """
    pieces = pieces_of(last, inside)
    for domain, piece in pieces:
        if fix_parameters(domain, values).is_empty():
            continue
        own, condition = PwAff.from_aff(piece), domain
        for _, other in pieces:
            same = own.eq_set(PwAff.from_aff(other)).params()
            if not fix_parameters(same, values).is_empty():
                condition = condition.intersect(same)
        needed.append(condition)
        return affine_quantity(piece) + 1
    return None


def with_rows(walk: Walk, values: Mapping[str, int], problems: Problems) -> dict[Variable, Flat]:
    """Give the accesses of `walk` that have products a subscript for each dimension.

    `values` are those of the parameters: conditions on them have to hold there. What cannot be
    told apart goes to `problems`.
    """
    touches: dict[Variable, list[Touch]] = {}
    is_read = not problems  # of loops that are refused the instances are not known
    for touch in touches_of(walk.statements):
        if touch.product is not None:
            touches.setdefault(touch.variable, []).append(touch)
    found: dict[Variable, Flat] = {}
    changed: dict[int, tuple[Any, ...]] = {}
    for variable, own in touches.items():
        chosen = [t for t in touches_of(walk.statements) if t.variable is variable and t.subscripts]
        if all(one.product is None or one.product.is_affine for one in own):
            changed |= {id(one): (_product(one).terms[()],) for one in own}
            continue
        if chosen:
            _refuse_chosen(walk.reader, chosen[0], problems)
            continue
        rows = _Rows(walk.reader, values, own)
        best = rows.best() or rows.of_equal_parameters()
        if best is None:
            if is_read:
                rows.refuse(problems)
            continue
        found[variable] = best.flat
        changed |= best.subscripts
    walk.statements[:] = [_with(one, changed) for one in walk.statements]
    return found


def _refuse_chosen(reader: Reader, touch: Touch, problems: Problems) -> None:
    name = touch.variable.name
    why = f"is known only when the program runs, so that rows of '{name}' cannot be told apart"
    remedy = "give the array a dimension for its rows"
    found = reader.refuse(Refusal.NON_AFFINE_EXPRESSION, touch.node, why, remedy).problem
    problems.add(found.what, found.remedy, found.source_location, found.notes)


def condition_of(found: Iterable[Flat], needed: Iterable[Any], assumed: Any) -> Any:
    """The parameters for which every access of all these arrays keeps to its row.

    And of all that is `needed` besides.
    """
    condition = Set.universe(assumed.space)
    for one in (*(flat.condition for flat in found), *needed):
        condition = condition.intersect(one)
    return condition


def touches_of(statements: Iterable[Written]) -> Iterable[Touch]:
    """All accesses of some statements."""
    return (touch for one in statements for touch in (*one.reads, *one.predicate_reads, one.write))


def _with(written: Written, changed: Mapping[int, tuple[Any, ...]]) -> Written:
    def made(touch: Touch) -> Touch:
        own = changed.get(id(touch))
        return touch if own is None else replace(touch, subscripts=own, product=None)

    filters = tuple(
        replace(
            one,
            predicate_reads=tuple(
                replace(look, touch=made(look.touch)) for look in one.predicate_reads
            ),
        )
        for one in written.filters
    )
    return replace(
        written,
        reads=tuple(map(made, written.reads)),
        write=made(written.write),
        filters=filters,
        tests=tuple(map(made, written.tests)),
    )


def _renamed(value: Polynomial, names: Mapping[str, str]) -> Polynomial:
    """A value with parameters in place of others."""
    terms: dict[Product, Any] = {}
    for product, one in value.terms.items():
        key = tuple(sorted(names.get(name, name) for name in product))
        terms[key] = terms[key].add(one) if key in terms else one
    strides = []
    for stride in value.strides:
        found = QuasiPolynomial.constant(0)
        for monomial, factor in stride.terms:
            own = [names.get(str(atom), str(atom)) for atom, n in monomial for _ in range(n)]
            found = (
                found + QuasiPolynomial.product(list(map(QuasiPolynomial.parameter, own))) * factor
            )
        strides.append(found)
    return replace(value, terms=terms, strides=tuple(strides))


def _product(touch: Touch) -> Polynomial:
    assert touch.product is not None
    return touch.product


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    flat: Flat
    subscripts: Mapping[int, tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class _Rows:
    """The ways to tell the rows of one array apart."""

    reader: Reader
    values: Mapping[str, int]
    touches: Sequence[Touch]

    def candidates(self) -> Iterable[_Candidate | None]:
        """Those that hold for all parameters first, then those that hold at their values."""
        made = [self.candidate(strides) for strides in self.strides()]
        proved = [one for one in made if one is not None and self.is_always(one.flat.condition)]
        return proved or made

    def best(self) -> _Candidate | None:
        return next((one for one in self.candidates() if one is not None), None)

    def of_equal_parameters(self) -> _Candidate | None:
        """The way where parameters that have one value are one; that they are is a condition."""
        names = sorted({name for product in self.products() for name in product})
        firsts: dict[int, str] = {}
        same = {
            name: firsts.setdefault(self.values[name], name)
            for name in names
            if name in self.values
        }
        others = {name: first for name, first in same.items() if name != first}
        if not others:
            return None
        touches = [replace(one, product=_renamed(_product(one), others)) for one in self.touches]
        found = _Rows(self.reader, self.values, touches).best()
        if found is None:
            return None
        condition, space = found.flat.condition, touches[0].inside.space
        for name, first in others.items():
            equal = pw.parameter(space, name).eq_set(pw.parameter(space, first))
            condition = condition.intersect(equal.params())
        subscripts = {
            id(own): found.subscripts[id(one)]
            for own, one in zip(self.touches, touches, strict=True)
        }
        return _Candidate(flat=replace(found.flat, condition=condition), subscripts=subscripts)

    def is_always(self, condition: Any) -> bool:
        return bool(self.reader.assumed.is_subset(condition))

    def products(self) -> list[Product]:
        """The products that loop variables are multiplied by, the longest first."""
        found = {p for one in self.touches for p in _product(one).terms if p}
        return sorted(found, key=lambda product: (-len(product), product))

    def strides(self) -> Iterable[tuple[QuasiPolynomial, ...]]:
        """Strides, outermost first: as they are multiplied in the text, or times a constant."""
        products = self.products()
        written = {s for one in self.touches for s in _product(one).strides}
        by_product: list[list[QuasiPolynomial]] = []
        for product in products:
            plain = QuasiPolynomial.product([QuasiPolynomial.parameter(name) for name in product])
            own = sorted((s for s in written if _leading(s) == _leading(plain)), key=str)
            if plain not in own:
                own.append(plain)
            factor = gcd(*(_content(_product(one).terms.get(product)) for one in self.touches))
            lead = own[0].terms[0][1]
            if factor > 1 and factor % lead == 0 and factor != lead:
                own.insert(0, own[0] * (factor // lead))
            by_product.append(own)
        yield from _combinations(by_product)

    def candidate(self, strides: tuple[QuasiPolynomial, ...]) -> _Candidate | None:
        ratios = _ratios(strides)
        if ratios is None or not all(one.is_affine() for one in ratios):
            return None
        condition = self.reader.assumed
        subscripts: dict[int, tuple[Any, ...]] = {}
        for touch in self.touches:
            ways = list(self.ways(touch, strides, ratios))
            way = next((one for one in ways if self.is_always(one[1])), None)
            way = way or next((one for one in ways if self.holds(one[1])), None)
            if way is None:
                return None
            subscripts[id(touch)] = way[0]
            condition = condition.intersect(way[1])
        if not self.holds(condition):
            return None
        condition = condition.gist(self.reader.assumed).coalesce()
        return _Candidate(flat=Flat(strides=strides, condition=condition), subscripts=subscripts)

    def holds(self, condition: Any) -> bool:
        """True if a condition holds at the values of the parameters, those that have one."""
        inside = condition.intersect(self.reader.assumed)
        return not fix_parameters(inside, self.values).is_empty()

    def ways(
        self, touch: Touch, strides: Sequence[QuasiPolynomial], ratios: Sequence[QuasiPolynomial]
    ) -> Iterable[tuple[tuple[Any, ...], Any]]:
        """Subscripts of an access, and the parameters for which they keep to their rows."""
        rest: dict[Product, Any] = dict(_product(touch).terms)
        space = touch.inside.space
        zero = pw.constant(space, 0)
        subscripts: list[Any] = []
        for stride in strides:
            lead, number = stride.terms[0]
            value = rest.get(tuple(sorted(str(a) for a, n in lead for _ in range(n))), zero)
            quotient_ = value.scale_down_val(Val(number)).floor()
            for monomial, factor in stride.terms:
                product = tuple(sorted(str(a) for a, n in monomial for _ in range(n)))
                part = quotient_.scale_val(Val(-factor))
                rest[product] = rest[product].add(part) if product in rest else part
            subscripts.append(quotient_)
        if any(p and pw.constant_value(one) != 0 for p, one in rest.items()):
            return
        last = rest.get((), zero)
        width = self.on(space, ratios[-1])
        for turns in (0, -1, 1, -2, 2):
            column = last.add(width.scale_val(Val(-turns)))
            row = subscripts[-1].add(pw.constant(space, turns))
            own = (*subscripts[:-1], row, column)
            yield own, self.condition(touch, own[1:], ratios)

    def on(self, space: Any, quantity: QuasiPolynomial) -> Any:
        """A quasi-polynomial as a value on instances."""
        return PwAff.from_aff(affine_of(quantity, space))

    def condition(
        self, touch: Touch, inner: Sequence[Any], ratios: Sequence[QuasiPolynomial]
    ) -> Any:
        """The parameters for which all but the first subscripts stay within their extents."""
        inside = touch.inside
        zero = pw.constant(inside.space, 0)
        for subscript, extent in zip(inner, ratios, strict=True):
            inside = inside.intersect(subscript.ge_set(zero))
            inside = inside.intersect(subscript.lt_set(self.on(inside.space, extent)))
        outside = touch.inside.subtract(inside).intersect_params(self.reader.assumed)
        return self.reader.assumed.subtract(outside.params())

    def refuse(self, problems: Problems) -> None:
        """Say at the first access that keeps the rows from being read what is missing."""
        products = self.products()
        name = self.touches[0].variable.name
        apart = [one for one in self.touches if not _product(one).is_affine]
        notes: list[Note] = []
        if len({len(one) for one in products}) < len(products):
            first = next(p for p in products if p in _product(apart[0]).terms)
            touch = next((t for t in apart if first not in _product(t).terms), apart[-1])
            own = next(p for p in products if p != first and p in _product(touch).terms)
            why = f"steps through '{name}' in rows of {'*'.join(own)} elements"
            source_location = self.reader.source.place(apart[0].node)
            notes = [Note(f"here rows have {'*'.join(first)} elements", source_location)]
            remedy = "step through an array by rows of one length, or give it two dimensions"
        else:
            stride = next(iter(self.strides()))[-1]
            touch = next((one for one in self.touches if self.alone(one) is None), apart[0])
            values = ", ".join(f"{n}={v}" for n, v in self.values.items())
            at = f" at {values}" if values else ""
            why = f"may leave its row of {stride} elements of '{name}'{at}"
            remedy = (
                "let the column stay in its row, choose other values of the parameters, or give"
                " the array two dimensions"
            )
        error = self.reader.refuse(Refusal.NON_AFFINE_EXPRESSION, touch.node, why, remedy)
        notes = [*error.problem.notes, *notes]
        problems.add(error.problem.what, error.problem.remedy, error.problem.source_location, notes)

    def alone(self, touch: Touch) -> _Candidate | None:
        """The reading of an access as if it were the only one; its strides are those of all."""
        only = _Rows(self.reader, self.values, [touch])
        found = (only.candidate(strides) for strides in self.strides())
        return next((one for one in found if one is not None), None)


def _combinations(
    choices: Sequence[Sequence[QuasiPolynomial]],
) -> Iterable[tuple[QuasiPolynomial, ...]]:
    """One of each, those written first; no more than a text has."""
    if not choices:
        yield ()
        return
    for first in choices[0]:
        for rest in _combinations(choices[1:]):
            yield (first, *rest)


def _leading(quantity: QuasiPolynomial) -> Any:
    return quantity.terms[0][0]


def _ratios(strides: Sequence[QuasiPolynomial]) -> tuple[QuasiPolynomial, ...] | None:
    """The extents behind the first; None where a stride is no multiple of the next."""
    found = []
    for outer, inner in zip(strides, (*strides[1:], QuasiPolynomial.constant(1)), strict=True):
        ratio = quotient(outer, inner)
        if ratio is None:
            return None
        found.append(ratio)
    return tuple(found)


def quotient(whole: QuasiPolynomial, part: QuasiPolynomial) -> QuasiPolynomial | None:
    """The polynomial whole / part where that is one.

    >>> n, w = map(QuasiPolynomial.parameter, ("n", "w"))
    >>> str(quotient(n * w + 2 * w, w)), quotient(n + 1, w)
    ('n + 2', None)
    """
    found, rest = QuasiPolynomial.constant(0), whole
    lead, number = part.terms[0]
    powers = dict(lead)
    while rest.terms:
        monomial, factor = rest.terms[0]
        own = dict(monomial)
        if factor % number or any(own.get(atom, 0) < power for atom, power in powers.items()):
            return None
        left = {atom: power - powers.get(atom, 0) for atom, power in own.items()}
        term = QuasiPolynomial(((tuple((a, p) for a, p in left.items() if p), factor // number),))
        found, rest = found + term, rest - term * part
    return found


def _content(value: Any) -> int:
    """The greatest integer that divides a value everywhere; 0 of none."""
    if value is None:
        return 0
    found: list[int] = []

    def note(_: Any, piece: Any) -> None:
        if piece.dim(DimType.div):
            found.append(1)
        numbers = [piece.get_constant_val()]
        for kind in (DimType.param, DimType.in_):
            numbers += [piece.get_coefficient_val(kind, i) for i in range(piece.dim(kind))]
        found.extend(n.to_python() if n.is_int() else 1 for n in numbers)

    value.foreach_piece(note)
    return gcd(*found)
