"""Polynomials and their sums, compared with adding up numbers."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as some

from hlsmem.polyhedra.summation import Polynomial, summed
from tests.families import by_default

_TERMS = some.lists(
    some.tuples(some.tuples(some.integers(0, 4), some.integers(0, 2)), some.integers(-3, 3)),
    max_size=4,
)


@given(terms=_TERMS, low=some.integers(-4, 4), length=some.integers(0, 6), n=some.integers(-3, 5))
@settings(max_examples=by_default(15, 60), deadline=None, derandomize=True)
def test_sums_over_a_range_are_those_of_its_numbers(
    terms: list, low: int, length: int, n: int
) -> None:
    polynomial = Polynomial.of(2, terms)
    # Variable 0 runs from n + low to n + low + length - 1, where variable 1 is n.
    first, last = Polynomial.affine([0, 1, low]), Polynomial.affine([0, 1, low + length - 1])
    total = summed(polynomial, 0, first, last)
    assert total.evaluate((0, n)) == sum(
        polynomial.evaluate((k, n)) for k in range(n + low, n + low + length)
    )


def test_quantities_are_rounded_down() -> None:
    half = Polynomial.of(
        1, [((2,), Fraction(1, 2)), ((1,), Fraction(1, 2)), ((0,), Fraction(1, 3))]
    )
    quantity = half.quantity(["N"])
    assert str(quantity) == "floor((3*N^2 + 3*N + 2)/6)"
    assert [quantity.evaluate({"N": n}) for n in (1, 2, 3)] == [1, 3, 6]


def test_terms_that_cancel_are_gone() -> None:
    n = Polynomial.affine([1, 0])
    assert n - n == Polynomial.constant(1, 0)
    assert n * n == n.power(2)
