"""What isl says of the points of a nest is what all points say, listed in numpy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hlsmem.addressing import generator_compiler as compile_module
from hlsmem.addressing.generator_compiler import compile_generator
from hlsmem.addressing.loop_forms import Affine, Condition, Every, Some, holds_at, loop_form
from hlsmem.addressing.loop_forms import Test as Sign
from hlsmem.addressing.loop_states import places_of, places_of_states
from hlsmem.addressing.loop_visits import Visits, visits_of
from hlsmem.addressing.nest_points import Listed, Region
from hlsmem.addressing.point_boxes import box_condition, condition_of_part
from hlsmem.addressing.state_changes import plan_steps
from hlsmem.polyhedra import DimType, Map, Set, UnionMap
from hlsmem.polyhedra.generated_loops import Node, generate
from hlsmem.polyhedra.sets import points
from tests.addressing.generator_run import positions
from tests.addressing.listing import list_places, list_visits
from tests.addressing.test_generators import NESTS
from tests.families import by_default


def test_the_last_of_points_with_remainders_is_the_last() -> None:
    """isl's maximum of what is left of these where i is 19 is (19, 1, 0)."""
    region = Region(
        Set(
            "{ [i, j, k] : (1 + i) mod 2 = 0 and (1 + j) mod 2 = 0 and 0 < i <= 19 and 0 < j <= 23"
            " and -2 + j <= 2 k < j }"
        )
    )
    there = region.where(Sign(loop_form(0).plus(-19), True))
    assert (there.first(), there.last()) == ((19, 1, 0), (19, 23, 11))


SMALL = st.integers(-4, 9)
FORMS = st.builds(
    lambda constant, y, x, divisor, factor: (
        Affine(constant, (y, x)) + Affine(0, (y, 2)).modulo(divisor).scaled(factor)
    ),
    SMALL,
    st.integers(-3, 3),
    st.integers(-3, 3),
    st.integers(2, 5),
    st.integers(-1, 1),
)
TESTS = st.builds(Sign, FORMS, st.booleans())
CONDITIONS: st.SearchStrategy[Condition] = st.one_of(
    TESTS,
    st.lists(TESTS, max_size=3).map(lambda parts: Every(tuple(parts))),
    st.lists(TESTS, min_size=1, max_size=2).map(lambda parts: Some(tuple(parts))),
)


BOXES = st.tuples(SMALL, st.integers(0, 40), SMALL, st.integers(0, 40)).map(
    lambda at: Set(f"{{ [y, x] : 0 <= y - {at[0]} <= {at[1]} and 0 <= x - {at[2]} <= {at[3]} }}")
)
# Banks: remainders, and quotients of what quotients were added to.
BANKS = st.builds(
    lambda constant, y, x, inner, divisor: (
        Affine(constant, (y, x)) + Affine(0, (y, 2)).floor_divide(inner)
    ).modulo(divisor),
    SMALL,
    st.integers(-3, 3),
    st.integers(-3, 3),
    st.integers(2, 4),
    st.integers(2, 5),
)


@given(BOXES, st.one_of(BANKS, FORMS), BANKS)
def test_pairs_of_banks_are_those_at_all_points(box: Set, first: Affine, second: Affine) -> None:
    listed = Listed(np.array(points(box)))
    assert Region(box).pairs(first, second) == listed.pairs(first, second)


@given(BANKS, st.integers(-50, 50), st.integers(-50, 50), st.integers(0, 1))
def test_a_form_is_the_same_a_period_later(form: Affine, y: int, x: int, loop: int) -> None:
    period = form.period(loop)
    assert period is not None
    moved = (y + period, x) if loop == 0 else (y, x + period)
    assert form.at((y, x)) == form.at(moved)


@st.composite
def nests(draw: st.DrawFn) -> Set:
    """Sets of two loops: boxes, skewed, strided, one or two pieces."""
    pieces = []
    for _ in range(draw(st.integers(1, 2))):
        low, high = draw(SMALL), draw(st.integers(0, 7))
        skew, stride = draw(st.integers(-1, 1)), draw(st.integers(1, 3))
        wide = draw(st.integers(0, 6))
        phase = draw(st.integers(0, stride - 1))
        pieces.append(
            f"[y,x] : {low} <= y <= {low} + {high} and {skew}*y <= x <= {skew}*y + {wide}"
            f" and (x + y) mod {stride} = {phase}"
        )
    return Set(f"{{ {'; '.join(pieces)} }}")


def loops_over(domain: Set) -> tuple[Node, tuple[str, ...]]:
    loops = tuple(f"i{d}" for d in range(domain.dim(DimType.set)))
    order = Map.identity(domain.space.map_from_set()).intersect_domain(domain)
    named = order.set_tuple_name(DimType.in_, "S")
    node = generate(UnionMap.from_map(named.reset_tuple_id(DimType.out)), Set("{ : }"), loops)
    assert node is not None
    return node, loops


def assert_equal_walks(domain: Set) -> None:
    node, loops = loops_over(domain)
    asked = visits_of(node, loops)
    listed, facts = list_visits(node, loops)
    assert (asked.points == listed).all()
    assert asked.facts == facts
    slow = Visits(Listed(listed), facts)
    last = loop_form(len(loops) - 1)
    cell = (loop_form(0).scaled(5) + last).modulo(7).scaled(2) + (last.plus(1)).floor_divide(3)
    outputs = {"cell": cell, "sum": loop_form(0) + last}
    guard = {"guard": Every((Sign(last.plus(-1)), Sign(loop_form(0).scaled(-1).plus(3))))}
    own = compile_generator(node, loops, outputs, guard, asked)
    places = list_places(node, slow)
    assert places_of(asked).rows().tolist() == places.tolist()
    regions = places_of_states(asked, plan_steps(node, asked))
    visited: list[list[list[int]]] = [[] for _ in own.steps]
    for place in positions(own):
        visited[place.state].append([place.registers[loop] for loop in own.loop_registers])
    assert [region.rows().tolist() for region in regions] == visited
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(compile_module, "places_of", lambda _: Listed(places))
        assert own == compile_generator(node, loops, outputs, guard, slow)


@pytest.mark.parametrize("name", NESTS)
def test_a_walker_is_the_same_from_the_set_and_from_all_its_points(name: str) -> None:
    assert_equal_walks(Set(NESTS[name]).reset_tuple_id())


@settings(deadline=None, max_examples=by_default(10, 40))
@given(nests())
def test_walkers_of_random_nests_are_the_same(domain: Set) -> None:
    if not domain.is_empty():
        assert_equal_walks(domain)


@settings(deadline=None, max_examples=by_default(10, 40))
@given(nests(), CONDITIONS, CONDITIONS, FORMS)
def test_a_region_answers_as_the_list_of_its_points(
    domain: Set, one: Condition, other: Condition, form: Affine
) -> None:
    region, listed = Region(domain), Listed(points(domain))
    for asked, expected in (
        (region, listed),
        (region.where(one), listed.where(one)),
        (region.without(one), listed.without(one)),
        (region.where(other).minus(region.where(one)), listed.where(other).without(one)),
    ):
        assert (asked.rows() == expected.rows()).all()
        assert len(asked) == len(expected)
        assert asked.is_empty == expected.is_empty
        assert asked.always(other) == expected.always(other)
        assert asked.implies(one, other) == expected.implies(one, other)
        if expected.is_empty:
            continue
        assert (asked.first(), asked.last()) == (expected.first(), expected.last())
        assert (asked.least(form), asked.greatest(form)) == (
            expected.least(form),
            expected.greatest(form),
        )
        assert asked.constant(form) == expected.constant(form)
        assert [asked.stride(loop) for loop in (0, 1)] == [expected.stride(k) for k in (0, 1)]


@settings(deadline=None, max_examples=by_default(10, 40))
@given(nests(), nests(), CONDITIONS)
def test_conditions_of_parts_hold_there_alone(
    domain: Set, other: Set, condition: Condition
) -> None:
    for part in (Region(domain.intersect(other)), Region(domain).where(condition)):
        rows = points(domain)
        chosen = {tuple(row) for row in part.rows()}
        mask = np.array([tuple(row) in chosen for row in rows], dtype=bool)
        found = condition_of_part(Region(domain), part)
        assert found == condition_of_part(Listed(rows), Listed(rows, mask))
        if found is not None:
            assert (np.broadcast_to(holds_at(found, rows.T), mask.shape) == mask).all()


GRID = np.array([(y, x) for y in range(3) for x in range(4)])


@given(st.lists(st.booleans(), min_size=len(GRID), max_size=len(GRID)))
@example([True, False, False, False] + 8 * [True])
def test_boxes_are_of_points_of_a_part_alone(chosen: list[bool]) -> None:
    """Also where the row below has a point of the part that an earlier box took, beside others."""
    mask = np.array(chosen)
    whole, part = Listed(GRID), Listed(GRID, mask)
    boxes = box_condition(whole, part, len(GRID))
    assert boxes is not None
    for found in (boxes, condition_of_part(whole, part)):
        if found is not None:
            assert (np.broadcast_to(holds_at(found, GRID.T), mask.shape) == mask).all()
