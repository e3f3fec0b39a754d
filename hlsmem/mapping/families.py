"""Maps whose kernel is a given family of lattices, their moduli formulas in the parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import gcd, prod

from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.mapping.mapping_kernel import Generators, adjugate, determinant, product_of
from hlsmem.mapping.storage_mapping import Piece
from hlsmem.polyhedra.lattices import Vector, completion, dot, small_vectors

# Largest entries of constant rows, by the dimensions of the array, and most components.
_REACH = {1: 1, 2: 12, 3: 2, 4: 1}
_MOST_COMPONENTS = 3

Component = tuple[tuple[QuasiPolynomial, ...], QuasiPolynomial]


def pieces_of(generators: Generators, values: Mapping[str, int]) -> Iterator[Piece]:
    """Maps with the lattice as kernel, for all parameters at which its generators are one.

    Constant rows first, fewest and smallest entries first; then one row of formulas, beside
    indices that are taken modulo something on their own. Moduli are positive at `values`.
    """
    for components in _of_constant_rows(generators, values):
        yield _piece(components)
    for components in _of_one_row(generators, values):
        yield _piece(components)


def _piece(components: Sequence[Component]) -> Piece:
    return Piece(
        matrix=tuple(row for row, _ in components),
        modulus=tuple(modulus for _, modulus in components),
        offset=(QuasiPolynomial.constant(0),) * len(components),
    )


def _length(row: Vector) -> tuple[int, int]:
    return sum(map(bool, row)), sum(map(abs, row))


def _of_constant_rows(
    generators: Generators, values: Mapping[str, int]
) -> Iterator[list[Component]]:
    """Sets of constant rows, shortest first; a row modulo the common divisor of its products.

    The lattice is then part of the kernel, and equal to it if the product of the moduli is
    its determinant and every vector of remainders is reached, as by rows of a basis. Sets are
    sorted before that is asked of them: most often the first is taken, of very many.
    """
    size = len(generators)
    numbers = [tuple(entry.evaluate(values) for entry in vector) for vector in generators]
    sized: list[tuple[Vector, QuasiPolynomial, int]] = []
    for row in small_vectors(size, _REACH.get(size, 0)):
        if gcd(*(dot(row, vector) for vector in numbers)) == 1:
            continue
        divisor = _common_divisor([product_of(row, generator) for generator in generators])
        if divisor is not None:
            at = divisor.evaluate(values)
            if at and divisor.constant_value() not in (-1, 1):
                sized.append((row, divisor if at > 0 else -divisor, abs(at)))
    cells = _positive(determinant(generators), values)
    wanted = cells.evaluate(values)
    lengths, sizes = [_length(row) for row, _, _ in sized], [at for _, _, at in sized]
    found: list[tuple[int, int, tuple[int, ...]]] = []
    for count in range(1, min(size, _MOST_COMPONENTS) + 1):
        for chosen in combinations(range(len(sized)), count):
            if prod([sizes[k] for k in chosen]) == wanted:
                entries = sum([lengths[k][0] for k in chosen])
                found.append((entries, sum([lengths[k][1] for k in chosen]), chosen))
    for _, _, chosen in sorted(found, key=lambda one: one[:2]):
        rows, moduli = [sized[k][0] for k in chosen], [sized[k][1] for k in chosen]
        if QuasiPolynomial.product(moduli) == cells and _part_of_a_basis(rows):
            yield [
                (tuple(map(QuasiPolynomial.constant, row)), modulus)
                for row, modulus in zip(rows, moduli, strict=True)
            ]


def _of_one_row(generators: Generators, values: Mapping[str, int]) -> Iterator[list[Component]]:
    """One row from the adjugate, modulo the determinant, where an entry is 1 or -1.

    A column of the adjugate makes the determinant of one generator and 0 of the others, so
    the lattice is part of the kernel; an entry of 1 reaches every remainder. Otherwise an
    index of which a single generator is a multiple is split off first.
    """
    cells = _positive(determinant(generators), values)
    for column in zip(*adjugate(generators), strict=True):
        if any(abs(entry.constant_value() or 0) == 1 for entry in column):
            yield [(column, cells)]
    size = len(generators)
    for axis, modulus, rest in _split(generators) if size > 1 else ():
        for components in _of_one_row(rest, values):
            zero, one = QuasiPolynomial.constant(0), QuasiPolynomial.constant(1)
            wider = [((*row[:axis], zero, *row[axis:]), bound) for row, bound in components]
            index = tuple(one if k == axis else zero for k in range(size))
            yield [*wider, (index, _positive(modulus, values))]


def _split(generators: Generators) -> Iterator[tuple[int, QuasiPolynomial, Generators]]:
    """(axis, modulus, the others) where one generator alone, along an axis, moves its index."""
    for axis in range(len(generators)):
        along = [generator for generator in generators if generator[axis].terms]
        if len(along) == 1 and sum(bool(entry.terms) for entry in along[0]) == 1:
            others = [generator for generator in generators if generator is not along[0]]
            rest = tuple((*other[:axis], *other[axis + 1 :]) for other in others)
            yield axis, along[0][axis], rest


def _positive(quantity: QuasiPolynomial, values: Mapping[str, int]) -> QuasiPolynomial:
    return -quantity if quantity.evaluate(values) < 0 else quantity


def _common_divisor(images: Sequence[QuasiPolynomial]) -> QuasiPolynomial | None:
    """The greatest polynomial of which all are integer multiples, up to sign."""
    found: QuasiPolynomial | None = None
    for image in images:
        if not image.terms:
            continue
        if found is None:
            found = image
            continue
        primitive, content = _primitive(found)
        other, factor = _primitive(image)
        if other not in (primitive, -primitive):
            return None
        found = primitive * gcd(content, factor)
    return found


def _primitive(quantity: QuasiPolynomial) -> tuple[QuasiPolynomial, int]:
    content = gcd(*(factor for _, factor in quantity.terms))
    terms = tuple((monomial, factor // content) for monomial, factor in quantity.terms)
    return QuasiPolynomial(terms), content


def _part_of_a_basis(rows: Sequence[Vector]) -> bool:
    try:
        completion(rows, len(rows[0]))
    except ValueError:
        return False
    return True
