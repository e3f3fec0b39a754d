"""Quasi-polynomials against integer arithmetic: what Python computes at the values is the
oracle."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.core.quasi_polynomial import QuasiPolynomial, parse_quasi_polynomial

VALUES = st.fixed_dictionaries({name: st.integers(-9, 9) for name in "KMN"})

N = QuasiPolynomial.parameter("N")
M = QuasiPolynomial.parameter("M")


def _grown(inner: st.SearchStrategy[QuasiPolynomial]) -> st.SearchStrategy[QuasiPolynomial]:
    return st.one_of(
        st.builds(lambda a, b: a + b, inner, inner),
        st.builds(lambda a, b: a - b, inner, inner),
        st.builds(lambda a, b: a * b, inner, inner),
        st.builds(lambda a, d: a.floor_divide(d), inner, st.integers(1, 5)),
    )


QUANTITIES = st.recursive(
    st.one_of(
        st.integers(-5, 5).map(QuasiPolynomial.constant),
        st.sampled_from("KMN").map(QuasiPolynomial.parameter),
    ),
    _grown,
    max_leaves=8,
)


@settings(deadline=None, derandomize=True)
@given(QUANTITIES)
def test_printed_text_reads_back_as_the_same_quantity(quantity: QuasiPolynomial) -> None:
    assert parse_quasi_polynomial(str(quantity)) == quantity


@settings(deadline=None, derandomize=True)
@given(QUANTITIES, QUANTITIES, VALUES)
def test_evaluation_respects_sum_difference_and_product(
    left: QuasiPolynomial, right: QuasiPolynomial, values: dict[str, int]
) -> None:
    a, b = left.evaluate(values), right.evaluate(values)
    assert (left + right).evaluate(values) == a + b
    assert (left - right).evaluate(values) == a - b
    assert (left * right).evaluate(values) == a * b
    assert (-left).evaluate(values) == -a


@settings(deadline=None, derandomize=True)
@given(QUANTITIES, st.integers(1, 6), VALUES)
def test_floor_division_rounds_down(
    quantity: QuasiPolynomial, divisor: int, values: dict[str, int]
) -> None:
    assert quantity.floor_divide(divisor).evaluate(values) == quantity.evaluate(values) // divisor


@settings(deadline=None, derandomize=True)
@given(QUANTITIES, QUANTITIES, QUANTITIES)
def test_equal_sums_and_products_print_equal_text(
    a: QuasiPolynomial, b: QuasiPolynomial, c: QuasiPolynomial
) -> None:
    assert str(a + b + c) == str(c + b + a)
    assert str(a * b) == str(b * a)
    assert str(a * (b + c)) == str(a * b + a * c)


@settings(deadline=None, derandomize=True)
@given(st.integers(-9, 9), st.integers(-9, 9), VALUES)
def test_integers_mix_with_quantities(a: int, b: int, values: dict[str, int]) -> None:
    assert (a + N * b).evaluate(values) == a + values["N"] * b
    assert (a - b * N).evaluate(values) == a - b * values["N"]


@settings(deadline=None, derandomize=True)
@given(QUANTITIES, VALUES)
def test_constants_are_the_quantities_without_parameters(
    quantity: QuasiPolynomial, values: dict[str, int]
) -> None:
    constant = quantity.constant_value()
    assert constant is None or constant == quantity.evaluate(values)
    assert (constant is not None) == (not quantity.parameters())


@pytest.mark.parametrize(
    ("quantity", "text"),
    [
        (QuasiPolynomial.constant(0), "0"),
        (N - N, "0"),
        (-N, "-N"),
        (2 * N + 1, "2*N + 1"),
        (1 - 2 * N, "1 - 2*N"),
        (-2 * N - 1, "-2*N - 1"),
        (N * N * M - 3 * M, "M*N^2 - 3*M"),
        ((N + 1).floor_divide(2), "floor((N + 1)/2)"),
        ((4 * N + 2).floor_divide(2), "2*N + 1"),
        (N.floor_divide(2) * N.floor_divide(2), "floor(N/2)^2"),
        (QuasiPolynomial.constant(-7).floor_divide(2), "-4"),
    ],
)
def test_text(quantity: QuasiPolynomial, text: str) -> None:
    assert str(quantity) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("N/2", 3),
        ("-N/2", -4),
        ("-(N/2)", -3),
        ("2*N^2 - 1", 97),
        ("(N + 1)*(N - 1)", 48),
        ("floor(N/2) + floor((N - 1)/3)", 5),
        ("3*N/2*2", 20),
        ("  7 ", 7),
        ("2^3^1", None),
    ],
)
def test_parsing_against_python(text: str, value: int | None) -> None:
    if value is None:
        with pytest.raises(ValueError, match="expected an operator or the end"):
            parse_quasi_polynomial(text)
    else:
        assert parse_quasi_polynomial(text).evaluate({"N": 7}) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected an integer, a parameter or '(' at character 1 of ''"),
        ("N +", "expected an integer, a parameter or '(' at character 4 of 'N +'"),
        ("N 2", "expected an operator or the end at character 3 of 'N 2'"),
        ("(N", "expected ')' at character 3 of '(N'"),
        ("N/M", "expected a positive integer divisor at character 3 of 'N/M'"),
        ("N/0", "expected a positive integer divisor at character 3 of 'N/0'"),
        ("N^M", "expected an exponent up to 8 at character 3 of 'N^M'"),
        ("N % 2", "expected an operator or the end at character 3 of 'N % 2'"),
    ],
)
def test_bad_text(text: str, message: str) -> None:
    with pytest.raises(ValueError, match="expected") as caught:
        parse_quasi_polynomial(text)
    assert str(caught.value) == message


def test_evaluation_names_the_parameter_without_a_value() -> None:
    with pytest.raises(KeyError, match="M"):
        (N + M).evaluate({"N": 1})


@pytest.mark.parametrize("divisor", [0, -2])
def test_only_positive_divisors(divisor: int) -> None:
    with pytest.raises(ValueError, match=f"by a positive integer, not by {divisor}"):
        N.floor_divide(divisor)


def test_product_of_nothing_is_one() -> None:
    product: Callable[[list[QuasiPolynomial]], QuasiPolynomial] = QuasiPolynomial.product
    assert str(product([])) == "1"
    assert str(product([N, N, M])) == "M*N^2"


def test_parameters_inside_of_floor_count() -> None:
    assert (N.floor_divide(2) + 1).parameters() == {"N"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("N^1000000000", "expected an exponent up to 8 at character 3"),
        ("N^9", "expected an exponent up to 8 at character 3"),
        ("7" * 19, "expected an integer of at most 18 digits at character 1"),
        ("N/" + "7" * 19, "expected an integer of at most 18 digits at character 3"),
        ("(" * 30 + "N" + ")" * 30, "expected a formula at most 24 deep at character 25"),
        ("-" * 30 + "N", "expected a formula at most 24 deep at character 25"),
        ("((A+B+C+D+E)^8)^8", "expected products of at most 10000 pairs of terms"),
        ("+".join(["N"] * 2049), "a formula of 4097 characters, more than 4096"),
    ],
)
def test_a_formula_beyond_a_limit(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        parse_quasi_polynomial(text)


def test_formulas_at_the_limits() -> None:
    assert parse_quasi_polynomial("N^8").evaluate({"N": 2}) == 256
    assert parse_quasi_polynomial("7" * 18).constant_value() == int("7" * 18)
    assert str(parse_quasi_polynomial("(" * 23 + "N" + ")" * 23)) == "N"
    assert str(parse_quasi_polynomial("+".join(["N"] * 2048))) == "2048*N"
