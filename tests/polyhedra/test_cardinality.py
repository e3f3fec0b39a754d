"""Formulas for numbers of points, compared with listing the points."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from hlsmem.polyhedra import Set
from hlsmem.polyhedra import cardinality as module
from hlsmem.polyhedra.cardinality import cardinality
from hlsmem.polyhedra.sets import fix_parameters, parameter_names, points
from tests.families import by_default


def _hold(text: str, context: str, values: dict[str, int], limit: int = 9) -> str:
    """Check the formula wherever it is said to hold, up to a limit; returns it."""
    shape = Set(text)
    found = cardinality(shape, Set(context), values)
    assert found is not None
    names = list(values)
    assert not fix_parameters(found.holds, values).is_empty()
    for at in product(range(limit), repeat=len(names)):
        here = dict(zip(names, at, strict=True))
        if not fix_parameters(found.holds, here).is_empty():
            assert found.formula.evaluate(here) == len(points(fix_parameters(shape, here))), here
    return str(found.formula)


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("[N] -> { A[x, y] : 0 <= x, y < N }", "N^2"),
        ("[N] -> { A[x, y] : 0 <= x <= y < N }", "floor((N^2 + N)/2)"),
        ("[N] -> { [x, y, z] : 0 <= x <= y <= z < N }", "floor((N^3 + 3*N^2 + 2*N)/6)"),
        ("[N] -> { [x, y] : 0 <= x, y < N and (x < 3 or y > N - 4) }", "6*N - 9"),
        ("[N] -> { [x] : 0 <= x < N and x mod 2 = 1 }", "floor(N/2)"),
        ("[N] -> { [x] : 0 <= 3x < 2N }", "floor((2*N + 2)/3)"),
        ("[N] -> { [x, y] : 0 <= x < N and 2x = 3y }", "floor((N + 2)/3)"),
        ("[N] -> { [] }", "1"),
        ("[N] -> { [x] : false }", "0"),
    ],
)
def test_formulas_are_those_of_the_textbook(text: str, formula: str) -> None:
    context = "[N] -> { : N >= 3 }"
    assert _hold(text, context, {"N": 8}) == formula
    found = cardinality(Set(text), Set(context), {"N": 8})
    assert found is not None
    assert Set(context).is_subset(found.holds)


def test_of_two_cases_the_one_of_the_values_is_given() -> None:
    text = "[N, M] -> { [x, y] : 0 <= x < N and 0 <= y < M and x + y < N }"
    context = "[N, M] -> { : N >= 1 and M >= 1 }"
    assert _hold(text, context, {"N": 5, "M": 9}) == "floor((N^2 + N)/2)"
    assert _hold(text, context, {"N": 9, "M": 5}) == "floor((2*M*N - M^2 + M)/2)"


def test_a_formula_may_hold_where_a_parameter_has_one_value_and_another_any() -> None:
    """Of M (N - 1), and what is added up where N is 3 instead: 2 M."""
    text = (
        "[N, M] -> { [x, y] : N >= 4 and 0 < x < N and 0 <= y < M; [x, y] : N = 3 and 1 <= x <= 2 "
        "and 0 <= y < M }"
    )
    context = "[N, M] -> { : N >= 3 and M >= 1 }"
    assert _hold(text, context, {"N": 5, "M": 4}) == "M*N - M"
    found = cardinality(Set(text), Set(context), {"N": 5, "M": 4})
    assert found is not None
    assert Set(context).is_subset(found.holds)


def test_what_has_no_end_or_too_many_cases_has_no_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    context = Set("[N] -> { : N >= 1 }")
    assert cardinality(Set("[N] -> { [x] : x >= N }"), context, {"N": 3}) is None
    monkeypatch.setattr(module, "MOST_REGIONS", 3)
    monkeypatch.setattr(module, "number_of_points", lambda *_: None)  # without barvinok
    triangle = Set("[N] -> { [x, y] : 0 <= x <= y < N and x + y < N }")
    assert cardinality(triangle, context, {"N": 3}) is None


_FORM = some.tuples(*[some.integers(-2, 2)] * 3, some.integers(-3, 6))


@given(
    rows=some.lists(_FORM, max_size=3),
    divisor=some.integers(1, 3),
    either=some.booleans(),
    size=some.integers(1, 8),
)
@settings(max_examples=by_default(20, 80), deadline=None, derandomize=True)
def test_random_sets_have_as_many_points_as_their_formula_says(
    rows: list[tuple[int, ...]], divisor: int, either: bool, size: int
) -> None:
    conditions = [f"{a}*x + {b}*y + {c}*N + {d} >= 0" for a, b, c, d in rows] or ["true"]
    joined = (" or " if either else " and ").join(conditions)
    text = f"[N] -> {{ [x, y] : 0 <= x, y < N and ({joined}) and (x + 2y) mod {divisor} = 0 }}"
    _hold(text, "[N] -> { : N >= 1 }", {"N": size}, 13)


@given(rows=some.lists(_FORM, min_size=1, max_size=2), n=some.integers(1, 5), m=some.integers(1, 5))
@settings(max_examples=by_default(10, 40), deadline=None, derandomize=True)
def test_random_sets_of_two_parameters(rows: list[tuple[int, ...]], n: int, m: int) -> None:
    conditions = [f"{a}*x + {b}*y + {c}*N + {d} >= 0" for a, b, c, d in rows]
    text = f"[N, M] -> {{ [x, y] : 0 <= x < N and 0 <= y < M and {' and '.join(conditions)} }}"
    shape = Set(text)
    assert list(parameter_names(shape)) == ["N", "M"]
    _hold(text, "[N, M] -> { : N >= 1 and M >= 1 }", {"N": n, "M": m}, 7)
