"""Scalars that keep loops where they are, and what is said of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.program.model import Program
from hlsmem.schedule_search.distribution import distributed
from hlsmem.schedule_search.scalars import kept_by_scalars
from tests.plans import plan_storage, with_host
from tests.steps import load

PRODUCT = """void f(int n, const double a[n][n], const double b[n][n], double c[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0.0;
      for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];
      c[i][j] = s;
    }
}
"""
LIMIT = 2_000_000


def program_of(text: str, folder: Path, **parameters: int) -> Program:
    (folder / "f.c").write_text(text, encoding="utf-8")
    found = load(folder / "f.c", parameters=parameters).input
    assert isinstance(found, Program)
    return found


def fir(taps: int) -> str:
    return f"""void f(const float x[4000], const float h[{taps}], float y[4000]) {{
      for (int i = {taps - 1}; i < 4000; i++) {{
        float sum = 0.0f;
        for (int t = 0; t < {taps}; t++) sum += h[t] * x[i - t];
        y[i] = sum;
      }}
    }}
    """


def test_the_sum_of_a_product_keeps_its_loops(tmp_path: Path) -> None:
    program = program_of(PRODUCT, tmp_path, n=256)
    assert distributed(program, LIMIT) is None
    kept = kept_by_scalars(program, LIMIT)
    assert kept is not None
    assert kept.names == ("s",)
    assert 10 < kept.times < 20  # as a sum in c[i][j] moves, by the figure of orders
    plain = PRODUCT.replace("double s = 0.0;", "c[i][j] = 0.0;").replace("s +=", "c[i][j] +=")
    plain = plain.replace("      c[i][j] = s;\n", "")
    assert distributed(program_of(plain, tmp_path, n=256), LIMIT) is not None


@pytest.mark.parametrize(
    "text",
    [
        PRODUCT.replace("double s = 0.0;", "if (j == 0) s = 0.0;").replace(
            "  for (int i", "  double s = 0.0;\n  for (int i"
        ),  # a sum that goes on from column to column
        fir(9),  # what compilers unroll
        "void f(const int a[99], int b[99]) { for (int i = 0; i < 99; i++) b[i] = a[i]; }",
    ],
    ids=["goes on", "short", "no scalar"],
)
def test_others_keep_nothing(text: str, tmp_path: Path) -> None:
    parameters = {"n": 64} if "(int n" in text else {}
    assert kept_by_scalars(program_of(text, tmp_path, **parameters), LIMIT) is None


def test_the_plan_says_what_to_write(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(fir(32), encoding="utf-8")
    plan = with_host(plan_storage(load(tmp_path / "f.c"))).plan
    (remark,) = (one for one in plan.remarks if "keeps the order" in one)
    assert remark.startswith("f.c:3:15: C keeps the order of the source")
    assert "each iteration writes 'sum' anew" in remark
    assert not plan.has_host_schedule


def test_nothing_is_said_where_the_order_is_given(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(fir(32), encoding="utf-8")
    given = load(tmp_path / "f.c", settings=["host.order=given"])
    assert not any("keeps the order" in one for one in with_host(plan_storage(given)).plan.remarks)


def test_a_budget_that_is_used_up_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hlsmem.planner.host.host_planning._SCALARS", 1)
    (tmp_path / "f.c").write_text(fir(32), encoding="utf-8")
    remarks = with_host(plan_storage(load(tmp_path / "f.c"))).plan.remarks
    assert [one for one in remarks if "budget" in one] == [
        "C has the best order found within the budget, else the source's: what scalars keep from"
        " moving took more; host.order: given leaves the search out"
    ]
