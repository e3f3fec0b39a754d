"""Formulas of barvinok as quasi-polynomials; it need not be installed for that."""

from typing import Any

import islpy
import pytest

from hlsmem.polyhedra import Set, barvinok, cardinality
from hlsmem.polyhedra.sets import fix_parameters, points

# What barvinok says of { [x, y] : 0 <= x < N and 0 <= 2y < x + M }.
FORMULA = (
    "[N, M] -> { (((-1/4 * N + 1/4 * N^2) + (-1/4 + 1/2 * N) * M + 1/4 * M^2)"
    " + 1/2 * floor((N + M)/2)) : 2 - N <= M <= 0;"
    " ((((-1/4 * N + 1/4 * N^2) + 1/2 * N * M) - 1/2 * floor((M)/2))"
    " + 1/2 * floor((N + M)/2)) : N > 0 and M > 0 }"
)
SHAPE = "[N, M] -> { [x, y] : 0 <= x < N and 0 <= 2y < x + M }"
# islpy carries no type information.
_Formula: Any = islpy.PwQPolynomial


@pytest.mark.parametrize("values", [{"N": 5, "M": 4}, {"N": 6, "M": -2}, {"N": 2, "M": -9}])
def test_the_piece_at_the_values_is_the_number_of_points_on_its_domain(
    values: dict[str, int],
) -> None:
    quantity, holds = barvinok.piece_at(_Formula(FORMULA), values)
    checked = 0
    for n in range(9):
        for m in range(-9, 9):
            at = {"N": n, "M": m}
            if not fix_parameters(holds, at).is_empty():
                assert quantity.evaluate(at) == len(points(fix_parameters(Set(SHAPE), at))), at
                checked += 1
    assert checked > 10
    assert not fix_parameters(holds, values).is_empty()


def test_it_is_asked_where_our_own_sums_give_up(monkeypatch: pytest.MonkeyPatch) -> None:
    context, values = Set("[N, M] -> { : N >= 1 and M >= 1 }"), {"N": 5, "M": 4}
    own = cardinality.cardinality(Set(SHAPE), context, values)
    assert own is not None
    monkeypatch.setattr(cardinality, "MOST_REGIONS", 0)
    if not barvinok.is_at_hand():
        assert cardinality.cardinality(Set(SHAPE), context, values) is None
        asked = []
        monkeypatch.setattr(
            cardinality,
            "number_of_points",
            lambda shape, at: asked.append(shape) or barvinok.piece_at(_Formula(FORMULA), at),
        )
    found = cardinality.cardinality(Set(SHAPE), context, values)
    assert found is not None
    assert context.is_subset(found.holds)
    for n in range(1, 8):
        for m in range(1, 8):
            if not fix_parameters(own.holds, {"N": n, "M": m}).is_empty():
                assert found.formula.evaluate({"N": n, "M": m}) == own.formula.evaluate(
                    {"N": n, "M": m}
                )
