"""Star closures: the paper's example, and the law that no multiple of a free vector is taken."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.polyhedra import Set
from hlsmem.polyhedra.sets import points
from hlsmem.polyhedra.star_closure import inequalities, origin, polyhedron, star_closure
from tests.families import by_default


def test_the_papers_strips_do_not_take_the_axis() -> None:
    strips = Set("{ [x,y] : 2 <= y <= 3 or -3 <= y <= -2; [0,0] }")
    expected = Set("{ [x,y] : 1 <= y <= 3 or -3 <= y <= -1; [0,0] }")
    assert star_closure(strips).is_equal(expected)


def test_a_convex_set_around_0_stays() -> None:
    diamond = Set("{ [x,y] : -4 <= x + y <= 4 and -4 <= x - y <= 4 }")
    assert star_closure(diamond).is_equal(diamond)


def test_a_point_becomes_the_integer_points_on_its_way() -> None:
    assert star_closure(Set("{ [6,4] }")).is_equal(Set("{ [0,0]; [3,2]; [6,4] }"))


@settings(max_examples=by_default(10, 40), deadline=None, derandomize=True)
@given(
    st.lists(st.tuples(*[st.integers(-5, 5)] * 4), min_size=1, max_size=3),
)
def test_whoever_has_a_multiple_inside_is_inside(boxes: list[tuple[int, ...]]) -> None:
    text = "; ".join(
        f"[x,y] : {min(a, b)} <= x <= {max(a, b)} and {min(c, d)} <= y <= {max(c, d)}"
        for a, b, c, d in boxes
    )
    given_set = Set(f"{{ {text} }}")
    inside = set(map(tuple, points(given_set).tolist()))
    closed = set(map(tuple, points(star_closure(given_set)).tolist()))
    for vector in product(range(-5, 6), repeat=2):
        multiples = {tuple(k * entry for entry in vector) for k in range(1, 6)}
        if multiples & inside or vector == (0, 0):
            assert vector in closed
        for k in range(2, 6):
            if tuple(k * entry for entry in vector) in closed:
                assert vector in closed


def test_constraints_come_apart_and_together() -> None:
    half = Set("{ [x,y] : x = 2y and 0 <= y <= 3 }")
    (piece,) = half.get_basic_sets()
    assert polyhedron(half.get_space(), inequalities(piece)).is_equal(half)
    assert origin(half.get_space()).is_equal(Set("{ [0,0] }"))
