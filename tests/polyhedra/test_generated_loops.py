"""Loops that isl cannot split."""

import pytest

from hlsmem.polyhedra import PolyhedralError, Set, UnionMap
from hlsmem.polyhedra.generated_loops import generate
from hlsmem.polyhedra.limits import WorkLimitError, limited

# isl fails at it: "input involves unknown divs".
UNSPLIT = """[M] -> {
  s[i, j] -> [i, j] : exists (a, b: 0 <= i <= M - 2 and 0 <= j < M and 4*floor(i/4) >= M - 3
    and M - 3 <= 4a <= i and M - 3 <= 4b <= i);
  s[i, j] -> [i, j] : i = M - 1 and 0 <= j < M and 4*floor((M - 1)/4) >= M - 3
    and 4*floor(M/4) < M }"""


def test_loops_that_isl_cannot_split_stay_whole() -> None:
    schedule, context = UnionMap(UNSPLIT), Set("[M] -> { : M > 0 }")
    assert generate(schedule, context, ["y", "x"], apart=True) == generate(
        schedule, context, ["y", "x"]
    )


def test_what_isl_cannot_do_at_all_is_an_error() -> None:
    with pytest.raises(PolyhedralError):
        generate(UnionMap("{ s[i] -> [i] }"), Set("{ : }"), ["x"])


@pytest.mark.parametrize("operations", [10, 100, 400])
def test_work_that_is_used_up_is_no_loop_that_isl_cannot_split(operations: int) -> None:
    """What isl makes behind a limit that was hit is told by the limit, also the second attempt."""
    schedule = UnionMap(f"[used_{operations}, M] -> {{ s[i, j] -> [i, j] : 0 <= i < j < M }}")
    with pytest.raises(WorkLimitError), limited(operations):
        generate(schedule, Set("[M] -> { : M > 0 }"), ["y", "x"], apart=True)
