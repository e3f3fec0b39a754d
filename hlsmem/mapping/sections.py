"""Differences of conflicting elements beside the lattice of a mapping, in planes to be drawn.

A mapping is valid if its lattice, the differences of elements that share a cell, meets the
conflicts in 0 alone; its cells are the area of the lattice's parallelogram. In two dimensions
the picture is complete. In more, planes are chosen: parallel ones where conflicts are thin in
all other directions, so that they show all; otherwise those that coordinate axes span.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.mapping.storage_mapping import StorageMapping
from hlsmem.polyhedra import DimType, Val
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.lattices import Vector, annihilators, hermite
from hlsmem.polyhedra.relations import rearrangement
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.polyhedra.star_closure import Inequality, inequalities, origin

# Conflicts of all sections are listed one by one up to this number, and outlined beyond.
_LISTED = 4000
# Lattice points that are shown at most in all sections: windows closer to 0 are chosen instead.
_SHOWN = 400
# Parallel planes that are drawn at most.
_PLANES = 4

Corner = tuple[Fraction, Fraction]
Outline = tuple[tuple[float, float], ...]
Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Window:
    """A rectangle of points (x, y), borders included."""

    left: int
    right: int
    low: int
    high: int

    def around(self, points: Sequence[Point]) -> Window:
        """The least window that holds this one and the points."""
        return Window(
            min([self.left, *(x for x, _ in points)]),
            max([self.right, *(x for x, _ in points)]),
            min([self.low, *(y for _, y in points)]),
            max([self.high, *(y for _, y in points)]),
        )

    def with_margin(self) -> Window:
        aside = max(1, (self.right - self.left) // 12)
        above = max(1, (self.high - self.low) // 12)
        return Window(self.left - aside, self.right + aside, self.low - above, self.high + above)

    def closer(self) -> Window:
        """A smaller window about 0; sides that are next to it stay."""
        ends = (self.left, self.right, self.low, self.high)
        return Window(*(end if abs(end) <= 3 else int(0.8 * end) for end in ends))

    def area(self) -> int:
        return (self.right - self.left + 1) * (self.high - self.low + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A plane through the differences, or a line: every y is then 0, and `axes` is one name.

    Points are (x, y): x counts along the last of the `axes`, in which conflicts reach farthest.
    `fixed` says where the plane is.
    `runs` are conflicts (y, first x, last x), side by side; `outlines` stand in their place
    where they are too many. `lattice` are the differences of elements in one cell, within the
    window; `basis` spans them where the section is all there is. `is_cropped` says that not
    all conflicts of the plane are in the window.
    """

    axes: tuple[str, ...]
    fixed: tuple[tuple[str, int], ...]
    window: Window
    runs: tuple[tuple[int, int, int], ...]
    outlines: tuple[Outline, ...]
    lattice: tuple[Point, ...]
    basis: tuple[Point, Point] | None
    is_cropped: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferencePlot:
    """Conflicts between the elements of one array, and the lattice that respects them.

    `conflicts` counts the differences other than 0; `is_complete` says that the sections show
    all of them, up to sign.
    """

    array: str
    cells: int
    conflicts: int
    sections: tuple[Section, ...]
    is_complete: bool


def difference_plot(problem: StorageProblem, mapping: StorageMapping) -> DifferencePlot | None:
    """The plot of one array at the plan's values.

    None where nothing conflicts, and where the cells are not those of one lattice.
    """
    differences = fix_parameters(problem.differences, problem.values)
    differences = differences.union(origin(differences.get_space())).coalesce()
    conflicts = count(differences) - 1
    if conflicts == 0 or len(mapping.pieces) != 1:
        return None
    (piece,) = mapping.pieces
    kernel = _kernel(piece.matrix_at(problem.values), piece.modulus_at(problem.values))
    planes, are_parallel = _planes(differences)
    cuts = [_cut(plane, differences, kernel, _SHOWN // len(planes)) for plane in planes]
    if are_parallel:
        cuts = _in_one_window(cuts)
    return DifferencePlot(
        array=problem.array.name,
        cells=mapping.cells,
        conflicts=conflicts,
        sections=tuple(_section(cut, problem.array.index, _LISTED // len(cuts)) for cut in cuts),
        is_complete=are_parallel,
    )


def _kernel(rows: Sequence[Vector], moduli: Sequence[int]) -> list[Vector]:
    """Generators of the differences x with rows . x = 0 modulo the moduli."""
    size = len(rows[0])
    extended = [
        (*row, *(modulus if k == position else 0 for k in range(len(moduli))))
        for position, (row, modulus) in enumerate(zip(rows, moduli, strict=True))
    ]
    return [vector[:size] for vector in annihilators(extended, size + len(moduli))]


@dataclass(frozen=True, slots=True)
class _Plane:
    """The positions of the axes, the horizontal one last, and the other coordinates' values."""

    axes: tuple[int, ...]
    fixed: tuple[tuple[int, int], ...]


def _planes(differences: Any) -> tuple[list[_Plane], bool]:
    """The planes to draw, and whether they are parallel; these hold all, up to sign."""
    size = differences.dim(DimType.set)
    extents = [int(differences.dim_max_val(k).to_python()) for k in range(size)]
    widest = sorted(range(size), key=lambda k: (-extents[k], -k))
    axes = tuple(reversed(widest[:2]))
    others = [k for k in range(size) if k not in axes]
    heights = differences
    for axis in sorted(axes, reverse=True):
        heights = heights.project_out(DimType.set, axis, 1)
    if count(heights) < 2 * _PLANES:
        upper = [at for at in distinct_points(heights).tolist() if at >= [0] * len(others)]
        return [_Plane(axes, tuple(zip(others, at, strict=True))) for at in upper], True
    pairs = [tuple(reversed(pair)) for pair in combinations(widest[:3], 2)]
    planes = [_Plane(pair, tuple((k, 0) for k in range(size) if k not in pair)) for pair in pairs]
    return planes, False


@dataclass(frozen=True, slots=True)
class _Cut:
    """Conflicts (pairs [y, x]) and lattice in a plane, and what is shown of them."""

    plane: _Plane
    shape: Any
    lattice: _Lattice | None
    window: Window


def _cut(plane: _Plane, differences: Any, kernel: Sequence[Vector], shown: int) -> _Cut:
    shape = differences
    for position, value in plane.fixed:
        shape = shape.fix_val(DimType.set, position, Val(value))
    for position, _ in sorted(plane.fixed, reverse=True):
        shape = shape.project_out(DimType.set, position, 1)
    if plane.axes[0] > plane.axes[-1]:
        shape = shape.apply(rearrangement(2, [1, 0]))
    if len(plane.axes) == 1:
        shape = shape.insert_dims(DimType.set, 0, 1).fix_val(DimType.set, 0, Val(0))
    lattice = _lattice(kernel, plane)
    return _Cut(plane, shape, lattice, _window(_box(shape), lattice, not plane.fixed, shown))


def _in_one_window(cuts: Sequence[_Cut]) -> list[_Cut]:
    """Parallel cuts with the same window, so that they can be compared."""
    window = cuts[0].window
    for cut in cuts[1:]:
        other = cut.window
        window = window.around([(other.left, other.low), (other.right, other.high)])
    return [replace(cut, window=window) for cut in cuts]


def _section(cut: _Cut, index: Sequence[str], listed: int) -> Section:
    box, window = _box(cut.shape), cut.window
    is_few = count(cut.shape) <= listed
    return Section(
        axes=tuple(index[k] for k in cut.plane.axes),
        fixed=tuple((index[k], value) for k, value in cut.plane.fixed),
        window=window,
        runs=tuple(_runs(cut.shape)) if is_few else (),
        outlines=() if is_few else outlines(cut.shape),
        lattice=() if cut.lattice is None else tuple(cut.lattice.points(window)),
        basis=cut.lattice.short_basis(box) if cut.lattice and not cut.plane.fixed else None,
        is_cropped=window.around([(box.left, box.low), (box.right, box.high)]) != window,
    )


@dataclass(frozen=True, slots=True)
class _Lattice:
    """The points start + i * (shift, height) + j * (width, 0); of a line: i is 0."""

    start: Point
    width: int
    height: int
    shift: int

    def points(self, window: Window) -> Iterator[Point]:
        """The lattice points of a window, row by row."""
        x, y = self.start
        rows = range(1)
        if self.height:
            rows = range(-((y - window.low) // self.height), (window.high - y) // self.height + 1)
        for row in rows:
            first = x + row * self.shift
            first += -((first - window.left) // self.width) * self.width
            for across in range(first, window.right + 1, self.width):
                yield across, y + row * self.height

    def short_basis(self, box: Window) -> tuple[Point, Point] | None:
        """A basis that is short where both extents of the box count the same (Gauss)."""
        if not self.height:
            return None
        wide, high = max(1, box.right), max(1, box.high)

        def product(a: Point, b: Point) -> int:
            return a[0] * b[0] * high * high + a[1] * b[1] * wide * wide

        short, long = (self.width, 0), (self.shift, self.height)
        while True:
            if product(short, short) > product(long, long):
                short, long = long, short
            size = product(short, short)
            times = (2 * product(short, long) + size) // (2 * size)
            if times == 0:
                return _upwards(short), _upwards(long)
            long = long[0] - times * short[0], long[1] - times * short[1]

    def area(self) -> int:
        return self.width * max(1, self.height)


def _lattice(kernel: Sequence[Vector], plane: _Plane) -> _Lattice | None:
    """The part of the lattice in a plane, or None where it has none."""
    fixed = [k for k, _ in plane.fixed]
    rows = hermite([[vector[k] for k in (*fixed, *plane.axes)] for vector in kernel])
    point = [0] * len(rows)
    for position, (_, value) in enumerate(plane.fixed):
        times, rest = divmod(value - point[position], rows[position][position])
        if rest:
            return None
        point = [a + times * b for a, b in zip(point, rows[position], strict=True)]
    if len(plane.axes) == 1:
        return _Lattice((point[-1], 0), rows[-1][-1], 0, 0)
    return _Lattice((point[-1], point[-2]), rows[-1][-1], rows[-2][-2], rows[-2][-1])


def _box(shape: Any) -> Window:
    ends = [
        int(getattr(shape, name)(position).to_python())
        for position in (1, 0)
        for name in ("dim_min_val", "dim_max_val")
    ]
    return Window(*ends)


def _window(box: Window, lattice: _Lattice | None, is_all: bool, most: int) -> Window:
    """All conflicts and the lattice points next to 0; less where these are too many."""
    window = box.around([(0, 0)])
    if lattice is None:
        return window.with_margin()
    basis = lattice.short_basis(box)
    if basis is None:
        window = window.around([(lattice.width, 0), (-lattice.width, 0)])
    elif is_all or not any(point != (0, 0) for point in lattice.points(window.with_margin())):
        (a, b), (c, d) = basis
        corners = [(a, b), (c, d), (a + c, b + d)]
        window = window.around([*corners, *((-x, -y) for x, y in corners)])
    window = window.with_margin()
    while window.area() > most * lattice.area():
        window = window.closer()
    return window


def _runs(shape: Any) -> Iterator[tuple[int, int, int]]:
    """The points (y, x) of a set, neighbours along x together."""
    row = first = last = None
    for y, x in distinct_points(shape).tolist():
        if y == row and last is not None and x == last + 1:
            last = x
            continue
        if row is not None and first is not None and last is not None:
            yield row, first, last
        row, first, last = y, x, x
    if row is not None and first is not None and last is not None:
        yield row, first, last


def _upwards(vector: Point) -> Point:
    """The vector or its opposite, whichever points up, or to the right."""
    x, y = vector
    return vector if (y, x) > (0, 0) else (-x, -y)


def outlines(points: Any) -> tuple[Outline, ...]:
    """The corners (x, y) of the convex pieces of a bounded, parameter-free set of pairs [y, x].

    Every point counts as a square of side 1. Counterclockwise; pieces with holes, such as
    every second point, are outlined without them.
    """
    found = [_corners(inequalities(piece)) for piece in points.remove_divs().get_basic_sets()]
    return tuple(_hull(_squares(corners)) for corners in found if corners)


def _corners(constraints: Sequence[Inequality]) -> set[Corner]:
    """Corners where two borders meet within all others; a constraint is over (y, x)."""
    found: set[Corner] = set()
    for ((a, b), e), ((c, d), f) in combinations(constraints, 2):
        determinant = a * d - b * c
        if determinant:
            y = Fraction(b * f - d * e, determinant)
            x = Fraction(c * e - a * f, determinant)
            if all(g * y + h * x + i >= 0 for (g, h), i in constraints):
                found.add((x, y))
    return found


def _squares(corners: Iterable[Corner]) -> list[Corner]:
    half = Fraction(1, 2)
    return sorted(
        {(x + a, y + b) for x, y in corners for a in (-half, half) for b in (-half, half)}
    )


def _hull(points: Sequence[Corner]) -> Outline:
    """The convex hull of points in lexicographic order (Andrew's monotone chain)."""
    border: list[Corner] = []
    for side in (points, points[::-1]):
        chain: list[Corner] = []
        for point in side:
            while len(chain) > 1 and not _turns_left(chain[-2], chain[-1], point):
                chain.pop()
            chain.append(point)
        border += chain[:-1]
    return tuple((float(x), float(y)) for x, y in border)


def _turns_left(a: Corner, b: Corner, c: Corner) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0])
