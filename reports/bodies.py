"""Heuristics on random 0-symmetric convex bodies: mean size over the least lattice.

The comparison of Bee+Cl@k, section 4, on bodies of our own.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from math import prod
from random import Random
from typing import Any

import numpy as np

from hlsmem.emit.table import Column, table
from hlsmem.lifetime import StorageProblem
from hlsmem.mapping.methods import method_named
from hlsmem.mapping.model import Mapping
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.sets import count, points
from hlsmem.program import Array, ElementType, Storage

SEED = 2007
BUDGET = 1_000_000

# How many bodies in how many dimensions, and the largest bound of a row.
SAMPLES = ((400, 2, 40), (120, 3, 26))

# Largest entries of a row, and least bounds.
ENTRIES, LEAST = 5, 5

COLUMNS = (
    ("Rogers", "minima:rogers"),
    ("1.a", "minima:1.a"),
    ("H2, minima", "gauge:2-minima"),
    ("H3, minima", "gauge:3-minima"),
    ("H3, unit vectors", "gauge:3-unit"),
    ("bases", "bases"),
)

# Largest entries of the unimodular matrices of which all are tried, by dimensions.
SMALL = {2: 2, 3: 1}


def bodies_table() -> Iterator[str]:
    """The comparison as a section of the report."""
    yield "### Random bodies"
    yield (
        "Mean of the cells over those of the least lattice, each with its best order of the"
        " vectors, on bodies { x : -c <= a.x <= c } with one row a more than dimensions: entries"
        f" up to {ENTRIES}, c from {LEAST} to 40 in the plane and to 26 in space, seed {SEED}."
        " Small bases: the least over all unimodular matrices with entries up to 2, 1 in space."
        " The bodies of the paper are not known: the figures depend on how they are drawn."
    )
    titles = [title for title, _ in COLUMNS] + ["exact widths, small bases"]
    columns = [Column("bodies"), *(Column(title, right=True) for title in titles)]
    yield table(columns, [[title, *figures] for title, figures in means(SAMPLES)])


def means(samples: tuple[tuple[int, int, int], ...]) -> Iterator[tuple[str, list[str]]]:
    """For each sample its title and the mean of every column."""
    for number, size, most in samples:
        random = Random(SEED + size)
        ratios = [over_optimum(body(random, size, most)) for _ in range(number)]
        figures = [sum(column, start=Fraction(0)) / number for column in zip(*ratios, strict=True)]
        yield f"{number} in {size}-D", [f"{float(figure):.2f}" for figure in figures]


def over_optimum(problem: StorageProblem) -> list[Fraction]:
    """The cells of every column over those of the least lattice."""
    least = cells_of("exhaustive", problem)
    cells = [cells_of(name, problem) for _, name in COLUMNS]
    return [Fraction(one, least) for one in [*cells, small_bases(problem.differences)]]


def small_bases(differences: Any) -> int:
    """The least product of exact widths along the rows of a small unimodular matrix, in order."""
    elements = points(differences)
    size = elements.shape[1]
    entries = range(-SMALL[size], SMALL[size] + 1)
    # Of a row and its negative one will do: the first entry that is not 0 is positive.
    rows = [row for row in product(entries, repeat=size) if row > (0,) * size]
    values = np.abs(elements @ np.array(rows).T)
    return min(
        prod(_width(values, chosen[:position], row) for position, row in enumerate(chosen))
        for chosen in permutations(range(len(rows)), size)
        if abs(round(np.linalg.det([rows[k] for k in chosen]))) == 1
    )


def _width(values: np.ndarray, before: tuple[int, ...], row: int) -> int:
    """One more than the largest value of a row on the elements where those before are 0."""
    return 1 + int(values[(values[:, list(before)] == 0).all(axis=1), row].max())


def cells_of(name: str, problem: StorageProblem) -> int:
    """The cells by a method, before moduli are lowered."""
    found = method_named(name).run(problem, BUDGET)
    if not isinstance(found, Mapping):
        raise AssertionError(f"{name}: {found.reason}")
    return (found.unfinished or found).cells


def body(random: Random, size: int, most: int) -> StorageProblem:
    """A random bounded body that is more than a few points around 0."""
    names = ["x", "y", "z"][:size]
    rows = [row for row in product(range(-ENTRIES, ENTRIES + 1), repeat=size) if any(row)]
    while True:
        bounds = []
        for row in (random.choice(rows) for _ in range(size + 1)):
            limit = random.randint(LEAST, most)
            bounds.append(f"{-limit} <= {_form(row, names)} <= {limit}")
        differences = Set(f"{{ [{', '.join(names)}] : {' and '.join(bounds)} }}")
        if differences.is_bounded() and count(differences) > 3**size:
            break
    array = Array(
        name="A",
        element=ElementType("int32"),
        index=tuple(names),
        extents=None,
        storage=Storage.MEMORY,
    )
    return StorageProblem(
        array=array,
        parameters=(),
        values={},
        context=Set("{ : }"),
        differences=differences,
    )


def _form(row: tuple[int, ...], names: list[str]) -> str:
    return " + ".join(f"{factor}{name}" for factor, name in zip(row, names, strict=True))
