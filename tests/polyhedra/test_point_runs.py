"""Runs of points beside the points listed one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlsmem.polyhedra import DimType, Set
from hlsmem.polyhedra.codes import code_within
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.point_runs import runs_of

FORMS = [
    "0 <= x < {a} and 0 <= y < {b} and z = 0",
    "0 <= x < {a} and x <= y <= {b} and z = x + y",
    "0 <= x < {a} and 0 <= y < {b} and 0 <= z <= y",
    "0 <= x < {a} and y = {c} and x <= z < {b}",
    "0 <= x < {a} and x mod 2 = 0 and 0 <= y < {b} and z = {c}",
    "0 <= x < {a} and y = 2x and 0 <= z < {b}",
    "x = {c} and 0 <= y < {a} and 2z = y",
    "0 <= y < {b} and x = {a} - y and z = 1",
    "0 <= x, y < {a} and x + y < {b} and -1 <= z <= 1",
]
PIECE = st.builds(
    lambda form, a, b, c: form.format(a=a, b=b, c=c),
    st.sampled_from(FORMS),
    st.integers(0, 7),
    st.integers(0, 7),
    st.integers(-3, 9),
)
SETS = st.lists(PIECE, min_size=1, max_size=3).map(
    lambda found: Set(f"{{ [x, y, z] : {' or '.join(f'({one})' for one in found)} }}")
)
LOW, HIGH = (-12,) * 3, (24,) * 3


@given(
    st.lists(SETS, min_size=1, max_size=2),
    st.sampled_from([(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)]),
)
def test_runs_have_the_codes_of_the_points(parts: list[Set], columns: tuple[int, int]) -> None:
    width, fixed = columns
    code = code_within(LOW[:width], HIGH[:width])
    assert code is not None
    parts = [one.make_disjoint() for one in parts]
    found = runs_of(parts, code, 10_000, fixed=fixed)
    assert found is not None
    assert len({run.stride for own in found for run in own}) <= 1
    for part, own in zip(parts, found, strict=True):
        codes = np.sort(code.of_rows(distinct_points(part)[:, :width]))
        listed = [run.at(np.arange(len(run))) for run in own]
        for run, numbers in zip(own, listed, strict=True):
            assert (np.diff(numbers) >= 0).all()
            lasts = run.ends - run.stride
            same = code.leading(run.firsts, fixed) == code.leading(lasts, fixed)
            assert not fixed or same.all()
            limits = np.unique(np.concatenate([numbers, numbers + 1, run.ends, [-9, 10**6]]))
            assert run.below(limits).tolist() == [int((numbers < one).sum()) for one in limits]
            assert (run.firsts[1:] >= run.ends[:-1]).all() or (run.counts == 1).all()
        assert np.sort(np.concatenate([np.empty(0, np.int64), *listed])).tolist() == codes.tolist()


def _is_listed(text: str, most: int = 10_000) -> bool:
    part = Set(text)
    code = code_within((0,) * part.dim(DimType.set), (99_999,) * part.dim(DimType.set))
    assert code is not None
    return runs_of([part], code, most) is not None


@pytest.mark.parametrize("most", [19, 20])
def test_there_are_as_many_runs_as_lines(most: int) -> None:
    text = "{ [x, y] : 0 <= x < 20 and x <= y < 90000 }"
    assert _is_listed(text, most) == (most >= 20)


def test_few_points_a_line_are_not_worth_it() -> None:
    assert _is_listed("{ [x, y, z] : 0 <= x < 100 and 0 <= y < 100 and z = 2 }")
    assert _is_listed("{ [x, y] : 0 <= x < 9000 and 0 <= y < 20 }")
    assert not _is_listed("{ [x, y] : 0 <= x < 9000 and 0 <= y < 2 }")


def test_the_axis_is_that_of_the_fewest_lines() -> None:
    """A border of two points a row makes no lines of two points of all rows."""
    inner, border = (
        "0 <= x < 99 and 0 <= y < 900 and z = 0",
        "y = 900 and 0 <= x < 99 and 0 <= z < 2",
    )
    assert _is_listed(f"{{ [x, y, z] : ({inner}) or ({border}) }}", 99 * 3)


def test_places_outside_are_left_out() -> None:
    code = code_within((0,), (9,))
    assert code is not None
    found = runs_of([Set("{ [x] : 2 <= x < 5 }")], code, 9)
    assert found is not None
    ((run,),) = found
    assert run.at(np.array([-1, 0, 2, 3])).tolist() == [2, 4]
