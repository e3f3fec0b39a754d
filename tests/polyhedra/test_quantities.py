import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from hlsmem.core.quasi_polynomial import QuasiPolynomial, parse_quasi_polynomial
from hlsmem.polyhedra import PwAff, Set
from hlsmem.polyhedra.quantities import affine_of, maximum, quantity_of, quantity_pieces
from hlsmem.polyhedra.sets import fix_parameters, points
from tests.families import by_default


def _context(text: str) -> Set:
    return Set(f"[N] -> {{ : {text} }}")


@pytest.mark.parametrize(
    ("value", "context", "expected"),
    [
        ("[N] -> { [2N + 1] }", "N >= 1", "2*N + 1"),
        ("[N] -> { [N] : N > 5; [5] : N <= 5 }", "N >= 5", "N"),
        ("[N] -> { [floor((N + floor(N/3))/2)] }", "N >= 1", "floor(2*N/3)"),
        ("[N] -> { [N/2] : N mod 2 = 0 }", "N >= 2 and N mod 2 = 0", "floor(N/2)"),
        ("[N] -> { [N mod 4] }", "N >= 1", "N - 4*floor(N/4)"),
        ("[N] -> { [7] }", "N >= 1", "7"),
    ],
)
def test_a_value_with_one_piece_on_the_context_becomes_a_quantity(
    value: str, context: str, expected: str
) -> None:
    found = quantity_of(PwAff(value), _context(context))
    wanted = parse_quasi_polynomial(expected)
    assert found is not None
    for n in range(6, 40, 2):
        assert found.evaluate({"N": n}) == wanted.evaluate({"N": n})


@pytest.mark.parametrize(
    ("value", "context"),
    [
        ("[N] -> { [N] : N > 5; [5] : N <= 5 }", "N >= 1"),
        ("[N] -> { [N] : N > 5 }", "N >= 1"),
        ("[N] -> { [N/2] : N mod 2 = 0 }", "N >= 1"),
    ],
)
def test_a_value_with_several_pieces_or_a_gap_is_no_single_quantity(
    value: str, context: str
) -> None:
    assert quantity_of(PwAff(value), _context(context)) is None


def test_pieces_carry_their_conditions() -> None:
    pieces = quantity_pieces(PwAff("[N] -> { [N] : N > 5; [5] : N <= 5 }"), _context("N >= 1"))
    found = {str(piece.value): Set(piece.when) for piece in pieces}
    assert found["N"].is_equal(_context("N > 5"))
    assert found["5"].is_equal(_context("N <= 5"))


_QUANTITY = some.sampled_from(["N", "1", "3*N - M", "floor((2*N + M)/3)", "-floor((M - N)/4)"])


@given(left=_QUANTITY, right=_QUANTITY, n=some.integers(-9, 9), m=some.integers(-9, 9))
@settings(max_examples=by_default(15, 60), deadline=None)
def test_a_quantity_survives_the_way_to_isl_and_back(left: str, right: str, n: int, m: int) -> None:
    quantity = parse_quasi_polynomial(left) * 2 - parse_quasi_polynomial(right)
    context = Set("[N, M] -> { : }")
    there = affine_of(quantity, context.get_space())
    back = quantity_of(PwAff.from_aff(there), context)
    assert back is not None
    assert back.evaluate({"N": n, "M": m}) == quantity.evaluate({"N": n, "M": m})


def test_a_product_of_parameters_and_an_unknown_parameter_are_refused() -> None:
    space = _context("N >= 1").get_space()
    n = QuasiPolynomial.parameter("N")
    with pytest.raises(ValueError, match="product of parameters"):
        affine_of(n * n, space)
    with pytest.raises(ValueError, match="'M' is not a parameter"):
        affine_of(QuasiPolynomial.parameter("M"), space)


@given(row=some.tuples(some.integers(-3, 3), some.integers(-3, 3)), n=some.integers(1, 5))
@settings(max_examples=by_default(7, 30), deadline=None)
def test_maximum_is_the_greatest_value_of_the_form(row: tuple[int, int], n: int) -> None:
    triangle = Set("[N] -> { A[x, y] : 0 <= x <= y < N and (x + y) mod 2 = 0 }")
    found = quantity_of(maximum(fix_parameters(triangle, {"N": n}), row), Set("{ : }"))
    assert found is not None
    values = points(fix_parameters(triangle, {"N": n})) @ row
    assert found.constant_value() == max(values)


def test_numbers_of_more_than_64_bits_are_kept() -> None:
    space = Set("{ : }").space
    found = PwAff.from_aff(affine_of(QuasiPolynomial.constant(3 << 70), space))
    assert str(found.max_val()) == str(3 << 70)
