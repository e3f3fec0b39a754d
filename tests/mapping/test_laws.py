"""Laws of all methods on random unions of 0-symmetric polyhedra, judged by counting in numpy."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.mapping.certificate import Counterexample, at_values, everywhere
from hlsmem.mapping.conflict_differences import conflicts_of
from hlsmem.mapping.methods import method_named
from hlsmem.mapping.portfolio import plan_array
from hlsmem.mapping.storage_mapping import Certificate, StorageMapping
from tests.families import by_default
from tests.mapping.problems import BUDGET, QUICK, collision, piece_of, problem_of

REACH = {1: 9, 2: 5, 3: 3, 4: 2}


@dataclass(frozen=True)
class Cut:
    """row . x <= constant + slope * N."""

    row: tuple[int, ...]
    constant: int
    slope: int = 0

    def text(self) -> str:
        form = " + ".join(f"{factor}*x{k}" for k, factor in enumerate(self.row))
        return f"{form} <= {self.constant} + {self.slope}*N"

    def holds(self, points: np.ndarray, size: int) -> np.ndarray:
        return points @ np.array(self.row) <= self.constant + self.slope * size


Polyhedron = tuple[Cut, ...]


@st.composite
def unions(draw: st.DrawFn, *, parametric: bool = False) -> tuple[int, tuple[Polyhedron, ...]]:
    """(dimensions, pieces): each piece is meant together with its mirror image."""
    size = draw(st.integers(1, 2 if parametric else 4))
    slopes = st.integers(0, 1) if parametric else st.just(0)
    cuts = st.builds(
        Cut,
        row=st.tuples(*[st.integers(-2, 2)] * size),
        constant=st.integers(-2, 4),
        slope=slopes,
    )
    piece = st.lists(cuts, min_size=0, max_size=3).map(tuple)
    return size, tuple(draw(st.lists(piece, min_size=1, max_size=3)))


def enumerated(size: int, pieces: tuple[Polyhedron, ...], value: int = 0) -> np.ndarray:
    """The points of the pieces and their mirror images within the box, and 0."""
    reach = REACH[size] + value
    box = np.array(list(product(range(-reach, reach + 1), repeat=size)))
    inside = np.all(box == 0, axis=1)
    for piece in pieces:
        for points in (box, -box):
            inside |= np.all([cut.holds(points, value) for cut in piece], axis=0)
    return box[inside]


def problem_from(
    size: int, pieces: tuple[Polyhedron, ...], value: int | None = None
) -> StorageProblem:
    """The same set for isl; the box grows with N where `value` is given."""
    names = [f"x{k}" for k in range(size)]
    reach = f"{REACH[size]} + N" if value is not None else str(REACH[size])
    box = " and ".join(f"-({reach}) <= {name} <= {reach}" for name in names)
    text = "; ".join(
        f"[{', '.join(names)}] : {' and '.join([box, *(cut.text() for cut in piece)])}"
        for piece in pieces
    )
    if value is None:
        return problem_of(f"{{ {text.replace('0*N', '0')} }}", {}, context="{ : }")
    return problem_of(f"[N] -> {{ {text} }}", {"N": value}, context="[N] -> { : N >= 1 }")


@settings(max_examples=by_default(10, 40), deadline=None, derandomize=True)
@given(unions())
def test_all_methods_are_valid_and_auto_is_the_least(
    union: tuple[int, tuple[Polyhedron, ...]],
) -> None:
    size, pieces = union
    points = enumerated(size, pieces)
    problem = problem_from(size, pieces)
    choice = plan_array(problem, budget=BUDGET)
    found = [answer for _, answer in choice.candidates if isinstance(answer, StorageMapping)]
    assert {answer.method for answer in found} >= {"successive", "width", "lattice", "bases"}
    for mapping in found:
        assert collision(mapping.pieces[0], {}, points) is None
    assert choice.mapping.cells == min(mapping.cells for mapping in found)
    least = method_named("exhaustive").run(problem, BUDGET)
    assert isinstance(least, StorageMapping)
    assert choice.mapping.cells == least.cells
    assert all(bound.cells <= least.cells for bound in (*choice.bounds(), *least.bounds))


@settings(max_examples=by_default(15, 60), deadline=None, derandomize=True)
@given(unions(parametric=True), st.integers(1, 4))
def test_a_proof_for_all_parameters_holds_at_other_parameters(
    union: tuple[int, tuple[Polyhedron, ...]], value: int
) -> None:
    size, pieces = union
    problem = problem_from(size, pieces, value)
    for method in QUICK:
        answer = method.run(problem, BUDGET)
        if not isinstance(answer, StorageMapping):
            assert "certificate" not in answer.reason
            continue
        everywhere_valid = answer.certificate.scope == "all-parameters"
        for other in range(1, 6) if everywhere_valid else [value]:
            points = enumerated(size, pieces, other)
            assert collision(answer.pieces[0], {"N": other}, points) is None


@settings(max_examples=by_default(30, 120), deadline=None, derandomize=True)
@given(unions(), st.data())
def test_the_certificate_agrees_with_counting(
    union: tuple[int, tuple[Polyhedron, ...]], data: st.DataObject
) -> None:
    size, pieces = union
    points = enumerated(size, pieces)
    rows = data.draw(st.lists(st.tuples(*[st.integers(-3, 3)] * size), min_size=1, max_size=size))
    modulus = data.draw(st.lists(st.integers(1, 12), min_size=len(rows), max_size=len(rows)))
    piece = piece_of(rows, modulus)
    conflicts = conflicts_of(problem_from(size, pieces))
    counted = collision(piece, {}, points)
    for found in (at_values(piece, conflicts), everywhere(piece, conflicts)):
        if counted is None:
            assert isinstance(found, Certificate)
        else:
            assert isinstance(found, Counterexample)
            assert collision(piece, {}, np.array([found.difference])) == found.difference
            assert found.difference in set(map(tuple, points.tolist()))
