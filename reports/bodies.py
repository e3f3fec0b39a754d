"""Heuristics on random 0-symmetric convex bodies: mean size over the least lattice.

The comparison of Bee+Cl@k, section 4, on bodies of our own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations, product
from math import prod, sqrt
from random import Random
from statistics import mean, stdev
from typing import Any

import numpy as np

from hlsmem.emit.markdown_table import Column, table
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.mapping.methods import method_named
from hlsmem.mapping.storage_mapping import StorageMapping
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.sets import count, points
from hlsmem.program.model import Array, ElementType, Storage

SEED = 2007
BUDGET = 1_000_000

# How many bodies are drawn in how many dimensions.
NUMBERS = ((400, 2), (120, 3))

# Largest coordinates of corners, by dimensions.
CORNERS = {2: 10, 3: 4}

# Largest entries of a row, least bounds, and largest bounds by dimensions.
ENTRIES, LEAST, MOST = 5, 5, {2: 40, 3: 26}

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
        "Mean of the cells over those of the least lattice and its standard error, each with its"
        " best order of the vectors. Hulls: of n + 2 random points and their negatives, with"
        f" coordinates up to {CORNERS[2]} in the plane, {CORNERS[3]} in space. Slabs:"
        f" {{ x : -c <= a.x <= c }} with n + 1 random rows a, entries up to {ENTRIES}, c from"
        f" {LEAST} to {MOST[2]} in the plane, {MOST[3]} in space. Seed {SEED}. Small bases: the"
        " least over all unimodular matrices with entries up to 2, 1 in space. The bodies of the"
        " paper are not known: the figures depend on how they are drawn."
    )
    titles = [title for title, _ in COLUMNS] + ["exact widths, small bases"]
    columns = [Column("bodies"), *(Column(title, right=True) for title in titles)]
    rows = (
        [f"{number} {draw.__name__}s in {size}-D", *means(draw, number, size)]
        for draw in (hull, slab)
        for number, size in NUMBERS
    )
    yield table(columns, list(rows))


def means(draw: Callable[[Random, int], Set], number: int, size: int) -> list[str]:
    """The mean of every column, on so many bodies in so many dimensions."""
    random = Random(SEED + size)
    ratios = [over_optimum(body(draw, random, size)) for _ in range(number)]
    return [_mean(column) for column in zip(*ratios, strict=True)]


def _mean(ratios: tuple[Fraction, ...]) -> str:
    """The mean and its standard error."""
    return f"{float(mean(ratios)):.2f} ± {stdev(map(float, ratios)) / sqrt(len(ratios)):.2f}"


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
    if not isinstance(found, StorageMapping):
        raise AssertionError(f"{name}: {found.reason}")
    return (found.unfinished or found).cells


def hull(random: Random, size: int) -> Set:
    """The hull of random points and their negatives."""
    most = CORNERS[size]
    corners = [[random.randint(-most, most) for _ in range(size)] for _ in range(size + 2)]
    corners += [[-x for x in corner] for corner in corners]
    return Set(f"{{ {'; '.join(map(str, corners))} }}").convex_hull().to_set()


def slab(random: Random, size: int) -> Set:
    """What lies between pairs of parallel lines or planes of random slopes and distances."""
    names = "xyz"[:size]
    rows = [row for row in product(range(-ENTRIES, ENTRIES + 1), repeat=size) if any(row)]
    bounds = []
    for row in (random.choice(rows) for _ in range(size + 1)):
        limit = random.randint(LEAST, MOST[size])
        form = " + ".join(f"{factor}{name}" for factor, name in zip(row, names, strict=True))
        bounds.append(f"{-limit} <= {form} <= {limit}")
    return Set(f"{{ [{', '.join(names)}] : {' and '.join(bounds)} }}")


def body(draw: Callable[[Random, int], Set], random: Random, size: int) -> StorageProblem:
    """A random bounded body that is more than a few points around 0."""
    while True:
        differences = draw(random, size)
        if differences.is_bounded() and count(differences) > 3**size:
            break
    array = Array(
        name="A",
        element=ElementType("int32"),
        index=tuple("xyz"[:size]),
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
