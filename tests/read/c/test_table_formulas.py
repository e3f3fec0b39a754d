"""Formulas for tables: each has the table's value at every position."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from hlsmem.read.c import tree
from hlsmem.read.c.normal.closed_forms.concrete_expressions import quotient, remainder
from hlsmem.read.c.normal.closed_forms.table_formulas import (
    formula_of,
    formula_over_rows,
    periodic_formula,
)
from hlsmem.read.c.trees import expression


def value(node: object, names: dict[str, int]) -> int:
    """The value of a formula as C has it."""
    match node:
        case tree.Constant(value=digits):
            return int(digits)
        case tree.ID(name=own):
            return names[own]
        case tree.UnaryOp(op="-", expr=inner):
            return -value(inner, names)
        case tree.TernaryOp(cond=cond, iftrue=then, iffalse=otherwise):
            return value(then if value(cond, names) else otherwise, names)
        case tree.BinaryOp(op=op, left=left, right=right):
            a, b = value(left, names), value(right, names)
            match op:
                case "+":
                    return a + b
                case "-":
                    return a - b
                case "*":
                    return a * b
                case "/":
                    assert a >= 0 < b  # as isl has it, too
                    return quotient(a, b)
                case "%":
                    assert a >= 0 < b
                    return remainder(a, b)
                case "<":
                    return int(a < b)
                case "==":
                    return int(a == b)
    raise AssertionError(node)


def table_of(text: str | None, size: int) -> list[int] | None:
    if text is None:
        return None
    node = expression(text)
    return [value(node, {"i": k}) for k in range(size)]


NUMBERS = st.integers(-3, 3)
TABLES = st.lists(NUMBERS, min_size=1, max_size=30)


@given(TABLES)
def test_a_formula_is_its_table(values: list[int]) -> None:
    assert table_of(formula_of(values, "i"), len(values)) in (None, values)


@given(st.integers(1, 4), st.integers(1, 5), st.integers(0, 9), NUMBERS, st.integers(1, 60))
def test_counters_that_wrap_have_a_formula(
    width: int, count: int, skipped: int, least: int, size: int
) -> None:
    values = [(k + skipped) // width % count + least for k in range(size)]
    assert table_of(formula_of(values, "i"), size) == values


@given(st.integers(2, 19), st.integers(1, 30), st.integers(0, 30), st.integers(2, 40))
def test_counters_that_leap_have_a_formula(modulus: int, step: int, first: int, size: int) -> None:
    values = [(first + step * k) % modulus for k in range(size)]
    assert table_of(formula_of(values, "i"), size) == values


@given(
    st.integers(2, 19),
    st.integers(1, 24),
    st.integers(0, 30),
    st.integers(0, 30),
    st.integers(2, 12),
)
def test_counters_that_wrap_within_rows_have_a_formula(
    modulus: int, width: int, step: int, first: int, count: int
) -> None:
    rows = {y: [(first + step * y + k) % modulus for k in range(width + 1)] for y in range(count)}
    text = formula_over_rows(rows, "y", "i")
    reaches = max(map(max, rows.values())) + 1 == modulus
    if text is None:
        assert not reaches
        return
    node = expression(text)
    for y, row in rows.items():
        assert [value(node, {"i": i, "y": y}) for i in range(len(row))] == row


@given(st.lists(st.integers(-2, 2), min_size=1, max_size=8), st.integers(-2, 5))
def test_a_formula_goes_on_as_its_period_does(values: list[int], step: int) -> None:
    more = [one + step * turn for turn in range(9) for one in values]
    assert table_of(periodic_formula(values, step, "i"), len(more)) in (None, more)


@given(st.lists(st.lists(NUMBERS, min_size=4, max_size=4), min_size=1, max_size=6))
def test_rows_are_chosen_by_a_number(rows: Sequence[Sequence[int]]) -> None:
    text = formula_over_rows(dict(enumerate(rows)), "y", "i")
    if text is not None:
        node = expression(text)
        for y, row in enumerate(rows):
            assert [value(node, {"i": i, "y": y}) for i in range(4)] == row
