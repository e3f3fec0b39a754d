"""Comparisons joined by | and &, in the region and in functions that name values first."""

from __future__ import annotations

from pathlib import Path

import pytest
from islpy import Set

from hlsmem.read.c.expression_parser import parsed_expression
from hlsmem.read.c.normal.control_flow.joined_conditions import joined
from hlsmem.read.design import load

TEXT = """
static _Bool outside(unsigned k, unsigned i, unsigned j)
{
    unsigned half = k / 2;
    return (i < half) | (i > 8 - half - 1) | !((j >= half) & (j <= 8 - half - 1));
}
void f(const int in[8][8], int out[8][8])
{
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            if (CONDITION)
                continue;
            out[i][j] = in[i - 1][j + 1];
        }
}
"""
OPEN = "(i < 1) | (i > 6) | !((j >= 1) & (j <= 6))"


@pytest.mark.parametrize("condition", [OPEN, "outside(3, i, j)"])
def test_comparisons_are_conditions(condition: str, tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text(TEXT.replace("CONDITION", condition))
    design = load(tmp_path / "k.c", settings=["kernel.function=f"])
    (statement,) = design.program.statements
    assert statement.domain.is_equal(Set("{ S0[i, j] : 1 <= i <= 6 and 1 <= j <= 6 }"))


@pytest.mark.parametrize("condition", ["(i < 1) | in[i][j]", "(i < 1) | (in[i][j] > 3)", "i | j"])
def test_bits_and_elements_stay_what_they_are(condition: str) -> None:
    """Behind || an element would not be read where the first condition holds."""
    node = parsed_expression(condition)
    assert joined(node) is node
