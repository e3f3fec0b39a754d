"""Formulas fitted to samples."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from hlsmem.core.quasi_polynomial import parse_quasi_polynomial
from hlsmem.lifetime.formula_fitting import fitted
from tests.families import by_default


@pytest.mark.parametrize(
    "formula",
    ["7", "2*N + 1", "N^2 + N + 1", "N^3 - 2*N", "floor(3*N/2)", "floor((N^2 + N)/2)"],
)
def test_a_formula_in_one_parameter_is_found_again(formula: str) -> None:
    quantity = parse_quasi_polynomial(formula)
    samples = {(n,): quantity.evaluate({"N": n}) for n in range(3, 14)}
    assert str(fitted(["N"], samples)) == formula


@given(factors=some.lists(some.integers(-5, 5), min_size=6, max_size=6))
@settings(max_examples=by_default(7, 30), deadline=None)
def test_quadratic_formulas_in_two_parameters_are_found_again(factors: list[int]) -> None:
    def at(n: int, m: int) -> int:
        return sum(f * t for f, t in zip(factors, (1, n, m, n * n, n * m, m * m), strict=True))

    found = fitted(["N", "M"], {(n, m): at(n, m) for n in range(2, 6) for m in range(1, 5)})
    assert found is not None
    assert found.evaluate({"N": 40, "M": -7}) == at(40, -7)


def test_samples_without_a_common_formula_have_none() -> None:
    assert fitted(["N"], {(n,): max(n, 6) for n in range(3, 14)}) is None


def test_a_formula_is_not_trusted_without_samples_to_verify_it() -> None:
    assert fitted(["N"], {(3,): 7, (4,): 9, (5,): 11}) is None
    assert str(fitted(["N"], {(3,): 7, (4,): 9, (5,): 11, (6,): 13})) == "2*N + 1"
    assert fitted(["N"], {(3,): 7, (4,): 9, (5,): 11, (6,): 12}) is None
