"""Distances of a chain in the parameters, such as 2*W + 2: for all sizes, not those of the plan.

Where the times of write beats are a box, their number is a polynomial in times and parameters. The
newest write beat and the one that wrote the element are quasi-affine in the time of the read beat;
the difference of their numbers has to be the same polynomial, in the parameters alone, wherever
these two are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.dependences.beat_relations import array_relations
from hlsmem.dependences.value_sources import last_before, newest_before
from hlsmem.polyhedra import DimType, PwMultiAff, Set
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Array, Program
from hlsmem.storage.reuse_chain.chain_selection import FEW_PIECES, pieces


def tap_formulas(program: Program, array: Array) -> tuple[QuasiPolynomial, ...] | None:
    """The distances of a chain's operands, reader by reader; None where they are no polynomials.

    They hold for all parameters of the context for which the times of write beats are a box of the
    same kind. The array is one that `find_chain` finds a chain for at the values of the program.
    """
    symbolic = replace(program, values={})
    streams = array_relations(symbolic, array)
    if program.lanes or pieces(streams) > FEW_PIECES:
        return None
    writer = next(stream for stream in streams if stream.is_write)
    times = writer.times.intersect_params(program.context)
    known = _weights(times, program.context)
    if known is None:
        return None
    weights, context = known
    if fix_parameters(context, program.values).is_empty():
        return None
    times = times.intersect_params(context)
    found: list[QuasiPolynomial] = []
    for reader in streams:
        if reader.is_write:
            continue
        read = reader.times.intersect_params(context)
        newest = PwMultiAff.from_map(newest_before(symbolic, times, read))
        for operand in range(len(reader.operands)):
            pairs = reader.elements(operand).apply_range(writer.elements(0).reverse())
            source = last_before(symbolic, pairs.intersect_params(context))
            distance = _distance(newest, source, weights)
            if distance is None:
                return None
            found.append(distance)
    return tuple(found)


def _weights(times: Any, context: Any) -> tuple[list[QuasiPolynomial], Any] | None:
    """Per entry how many beats lie between two of its values, and the parameters for which times
    are the box that this takes; None where they are none in most of the context."""
    weights = [QuasiPolynomial.constant(1)]
    box = Set.universe(times.get_space()).intersect_params(context)
    entries = times.dim(DimType.set)
    for entry in reversed(range(entries)):
        rest = times.eliminate(DimType.set, entry + 1, entries - entry - 1)
        alone = rest.eliminate(DimType.set, 0, entry).coalesce()
        ends = [_only_piece(end.gist_params(context)) for end in _ends(alone, entry)]
        first, last = (None if end is None else _quantity(end) for end in ends)
        inner = alone.gist_params(context).coalesce().get_basic_sets()
        if first is None or last is None or len(inner) > 1 or inner[0].dim(DimType.div):
            return None
        box = box.intersect(alone)
        weights.append(weights[-1] * (last - first + 1))
    return weights[-2::-1], context.subtract(box.subtract(times).params()).coalesce()


def _ends(times: Any, entry: int) -> tuple[Any, Any]:
    return times.dim_min(entry), times.dim_max(entry)


def _distance(
    newest: Any, source: Any, weights: Sequence[QuasiPolynomial]
) -> QuasiPolynomial | None:
    """The number of beats from the one that wrote an operand to the newest, in the parameters."""
    if source.is_empty():
        return QuasiPolynomial.constant(0)
    found: QuasiPolynomial | None = None
    for domain, forms in _parts(newest.sub(PwMultiAff.from_map(source))):
        apart = _sum(domain, forms, weights)
        if apart is None or (found is not None and apart != found):
            return None
        found = apart
    return found


def _sum(domain: Any, forms: Any, weights: Sequence[QuasiPolynomial]) -> QuasiPolynomial | None:
    """The sum of forms with their weights where it has no entry of the time; else None."""
    total = QuasiPolynomial.constant(0)
    of_entry = [QuasiPolynomial.constant(0)] * domain.dim(DimType.set)
    for weight, form in zip(weights, forms, strict=True):
        own = _quantity(form)
        if own is None:
            return None
        total += weight * own
        for entry in range(len(of_entry)):
            factor = int(form.get_coefficient_val(DimType.in_, entry).to_python())
            of_entry[entry] += weight * factor
    for entry, left in enumerate(of_entry):
        if not left.terms:
            continue
        value = domain.plain_get_val_if_fixed(DimType.set, entry)
        if value.is_nan():
            return None
        total += left * int(value.to_python())
    return total


def _parts(function: Any) -> Iterator[tuple[Any, list[Any]]]:
    """The pieces of a piecewise function: where it holds, and a form for every entry."""
    found: list[tuple[Any, list[Any]]] = []

    def keep(domain: Any, forms: Any) -> None:
        found.append((domain, [forms.get_aff(k) for k in range(forms.dim(DimType.out))]))

    function.coalesce().foreach_piece(keep)
    yield from found


def _only_piece(value: Any) -> Any:
    """The form of a piecewise one with a single piece; None where there are several."""
    pieces = value.coalesce().get_pieces()
    return pieces[0][1] if len(pieces) == 1 else None


def _quantity(form: Any) -> QuasiPolynomial | None:
    """The part of a form that is of parameters; None where it has quotients or fractions."""
    if form.dim(DimType.div) or not form.get_denominator_val().is_one():
        return None
    total = QuasiPolynomial.constant(int(form.get_constant_val().to_python()))
    for position in range(form.dim(DimType.param)):
        factor = int(form.get_coefficient_val(DimType.param, position).to_python())
        name = form.get_dim_name(DimType.param, position)
        total += factor * QuasiPolynomial.parameter(name)
    return total
