"""Storage problems for tests, and a judge of mappings that only counts cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Mapping as Values
from functools import cache
from typing import Any

import numpy as np

from hlsmem.core.quasi_polynomial import QuasiPolynomial, parse_quasi_polynomial
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.mapping.methods import methods
from hlsmem.mapping.storage_mapping import NoMapping, Piece, StorageMapping
from hlsmem.polyhedra import DimType, Map, Set
from hlsmem.polyhedra.sets import points
from hlsmem.program.model import Array, ElementType, Storage
from tests.programs import Case, golden_cases

BUDGET = 1_000_000

# The methods that take well under a second; the others have tests of their own.
QUICK = tuple(method for method in methods() if method.name not in ("hyperplane", "family"))


def problem_of(
    differences: Any,
    values: Values[str, int] | None = None,
    *,
    context: str | None = None,
    elements: str | None = None,
    extents: Sequence[str] | None = None,
    index: Sequence[str] | None = None,
) -> StorageProblem:
    """The problem of one array; differences (isl text or set) are closed under sign, with 0.

    Without a context, the parameters for which anything conflicts.
    """
    given = Set(differences) if isinstance(differences, str) else differences
    size = given.dim(DimType.set)
    zero = Set(f"{{ [{', '.join('0' * size)}] }}")
    names = tuple(given.get_dim_name(DimType.param, k) for k in range(given.dim(DimType.param)))
    ground = Set(context) if context else given.subtract(zero).params()
    if ground.is_empty() and not context:
        ground = Set.universe(ground.get_space())
    closed = given.union(given.neg()).union(zero)
    names = tuple(dict.fromkeys([*names, *(values or {})])) if context else names
    return StorageProblem(
        array=Array(
            name="A",
            element=ElementType("int32"),
            index=tuple(index) if index else tuple(f"i{k}" for k in range(size)),
            extents=tuple(map(parse_quasi_polynomial, extents)) if extents is not None else None,
            storage=Storage.MEMORY,
        ),
        parameters=names,
        values={name: (values or {})[name] for name in names},
        context=ground,
        differences=closed,
        elements=Set(elements) if elements else None,
    )


def piece_of(matrix: Sequence[Sequence[object]], modulus: Sequence[object]) -> Piece:
    """A piece from integers and texts, offset 0."""
    return Piece(
        matrix=tuple(tuple(_quantity(entry) for entry in row) for row in matrix),
        modulus=tuple(_quantity(entry) for entry in modulus),
        offset=(QuasiPolynomial.constant(0),) * len(modulus),
    )


def _quantity(entry: object) -> QuasiPolynomial:
    return parse_quasi_polynomial(str(entry).replace("**", "^"))


def golden_problems(*numbers: str) -> Iterator[tuple[dict[str, Any], int, StorageProblem]]:
    """(case, position of the parameter values, problem) of every case with printed conflicts."""
    for number in numbers:
        for case, position, problem in _golden_problems(number):
            yield dict(case), position, problem


@cache
def _golden_problems(number: str) -> tuple[tuple[Case, int, StorageProblem], ...]:
    found = []
    for case in golden_cases(number):
        given = case.get("differences")
        if given is None and case.get("pairs"):
            given = Map(case["pairs"]).deltas()
        if given is None:
            continue
        for position, values in enumerate(case["params"]):
            problem = problem_of(
                given, values, context=case.get("context"), index=case.get("index")
            )
            found.append((case, position, problem))
    return tuple(found)


def as_found(answer: StorageMapping | NoMapping) -> StorageMapping:
    """The mapping as its method gave it, before its moduli were lowered."""
    assert isinstance(answer, StorageMapping), answer
    return answer.unfinished or answer


def difference_points(problem: StorageProblem) -> np.ndarray:
    """All differences at the problem's values: int64, one a row."""
    fixed = problem.differences.intersect_params(problem.context)
    for name, value in problem.values.items():
        fixed = fixed.intersect_params(Set(f"[{name}] -> {{ : {name} = {value} }}"))
    return points(fixed.project_out(DimType.param, 0, fixed.dim(DimType.param)))


def collision(
    piece: Piece, values: Values[str, int], differences: np.ndarray
) -> tuple[int, ...] | None:
    """A non-zero difference of two elements in one cell, or None: plain enumeration."""
    nonzero = differences[np.any(differences != 0, axis=1)]
    if not piece.matrix:
        return tuple(nonzero[0].tolist()) if len(nonzero) else None
    matrix = np.array(piece.matrix_at(values), dtype=np.int64)
    modulus = np.array(piece.modulus_at(values), dtype=np.int64)
    same = np.all((nonzero @ matrix.T) % modulus == 0, axis=1)
    return tuple(nonzero[same][0].tolist()) if same.any() else None
