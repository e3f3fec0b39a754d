"""The least admissible lattice for convex differences in the plane, whatever their number.

A lattice of determinant d has a vector u of which the gauge is at most sqrt(4 d / area), by
Minkowski's theorem: few vectors lie in that ring just outside the differences. With u = g p,
p primitive, the lattice lies on the lines of height h, 2h, .. along p, with d = g h, and
takes every g-th point of each. So a line must hold fewer than g differences, which bounds h
from below, as the lines get shorter with their height. Determinants are tried upwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.mapping.search.least import Found
from hlsmem.polyhedra.lattices import Matrix, Vector, hermite

# How far above the area's bound the ring of vectors reaches at first: convex bodies in the
# plane have lattices within 1.13 of it (Reinhardt), and the rest is for integers.
_FIRST_RING = 1.15
_WIDER = 1.1

# Determinants that are looked at together, as a part of their size.
_WINDOW = 1 / 512


@dataclass(frozen=True, slots=True)
class _Body:
    """{ z : |forms . z| <= limits }, of which the integer points are the differences."""

    forms: np.ndarray
    limits: np.ndarray


@dataclass(frozen=True, slots=True)
class _Directions:
    """Vectors u = count * primitive, a point `up` on the line of height 1, the least heights."""

    primitive: np.ndarray
    count: np.ndarray
    up: np.ndarray
    height: np.ndarray

    def part(self, chosen: np.ndarray) -> _Directions:
        return _Directions(
            self.primitive[chosen], self.count[chosen], self.up[chosen], self.height[chosen]
        )


def least_planar_lattice(rows: Mapping[Vector, int], *, start: int = 1, budget: int) -> Found:
    """The least lattice for the integers z with |a.z| <= c for all a: c in `rows`.

    The body is bounded and of two dimensions; no lattice with a determinant below `start` is
    admissible. A node, and a step of the budget, is a vector u tried with a height h;
    those are pruned of which already the first line holds too many differences.
    """
    body = _Body(np.array(list(rows), dtype=np.int64), np.array(list(rows.values())))
    least = area_of(rows) / 4
    first, ring, nodes, pruned = max(start, int(least)), _FIRST_RING, 0, 0
    while True:
        last = max(int(least * ring) + 1, first)
        directions = _directions(body, (last / least) ** 0.5)
        for begin, end in _windows(first, last):
            for determinant, chosen, heights in _by_determinant(directions, begin, end):
                nodes += len(heights)
                spent, found = nodes > budget, None
                if not spent:
                    found, long = _admissible(body, directions.part(chosen), heights)
                    pruned += long
                if spent or found is not None:
                    return Found(
                        lattice=found,
                        least=determinant,
                        known=start,
                        nodes=nodes,
                        pruned=pruned,
                        work=nodes,
                    )
        first, ring = last + 1, ring * _WIDER


def _windows(first: int, last: int) -> Iterator[tuple[int, int]]:
    while first <= last:
        end = min(last, first + int(first * _WINDOW))
        yield first, end
        first = end + 1


def _directions(body: _Body, reach: float) -> _Directions:
    """Half of the vectors of gauge 1 to `reach`, with the least heights they allow."""
    vectors = _ring(body, reach)
    count = np.gcd(vectors[:, 0], vectors[:, 1])
    primitive = vectors // count[:, None]
    up = _one_up(primitive)
    return _Directions(primitive, count, up, _least_heights(body, primitive, up, count))


def _ring(body: _Body, reach: float) -> np.ndarray:
    widths = [_width(body, axis) * reach + 1 for axis in (0, 1)]
    axes = [np.arange(-int(width), int(width) + 1) for width in widths]
    box = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    box = box[len(box) // 2 + 1 :]
    gauge = np.zeros(len(box))
    for form, limit in zip(body.forms, body.limits, strict=True):
        np.maximum(gauge, np.abs(box @ form) / (limit + 1), out=gauge)
    found: np.ndarray = box[(gauge > 1 - 1e-9) & (gauge < reach + 1e-9)]
    return found


def _width(body: _Body, axis: int) -> float:
    """A bound of |z| along an axis: that of the best pair of rows."""
    best = np.inf
    for i, (a, c) in enumerate(zip(body.forms, body.limits, strict=True)):
        for b, e in zip(body.forms[:i], body.limits[:i], strict=True):
            determinant = abs(int(a[0] * b[1] - a[1] * b[0]))
            if determinant:
                other = 1 - axis
                reach = (abs(b[other]) * (c + 1) + abs(a[other]) * (e + 1)) / determinant
                best = min(best, float(reach))
    return best


def _one_up(primitive: np.ndarray) -> np.ndarray:
    """Points w with p[0] w[1] - p[1] w[0] = 1: Euclid's algorithm on all at once."""
    a, b = primitive[:, 0].copy(), primitive[:, 1].copy()
    x, y = np.ones_like(a), np.zeros_like(a)
    s, t = np.zeros_like(a), np.ones_like(a)
    # Always a = x p0 + y p1 and b = s p0 + t p1.
    while (left := b != 0).any():
        quotient = np.where(left, a // np.where(left, b, 1), 0)
        a, b = np.where(left, b, a), np.where(left, a - quotient * b, b)
        x, s = np.where(left, s, x), np.where(left, x - quotient * s, s)
        y, t = np.where(left, t, y), np.where(left, y - quotient * t, t)
    # a is 1 or -1 now.
    return np.column_stack([-y * a, x * a])


def _least_heights(
    body: _Body, primitive: np.ndarray, up: np.ndarray, count: np.ndarray
) -> np.ndarray:
    """The least heights at which a line is shorter than `count` steps, by bisection."""
    low = np.zeros(len(count), dtype=np.int64)
    high = np.full(len(count), int(body.limits.max() + 1) * 2 * int(np.abs(primitive).max()) + 1)
    while (high - low > 1).any():
        middle = (low + high) // 2
        first, last = _line(body, primitive, up, middle)
        short = last - first < count - 1e-6
        high = np.where(short, middle, high)
        low = np.where(short, low, middle)
    return high


def _line(
    body: _Body, primitive: np.ndarray, up: np.ndarray, height: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The real k between which height * up + k * primitive is in the body; first > last: none."""
    first = np.full(len(height), -np.inf)
    last = np.full(len(height), np.inf)
    for form, limit in zip(body.forms, body.limits, strict=True):
        slope = primitive @ form
        start = (up @ form) * height
        with np.errstate(divide="ignore", invalid="ignore"):
            one, other = (-limit - start) / slope, (limit - start) / slope
        flat = slope == 0
        inside = np.abs(start) <= limit
        one = np.where(flat, np.where(inside, -np.inf, np.inf), one)
        other = np.where(flat, np.where(inside, np.inf, -np.inf), other)
        # Where the slope is 0 and the line is outside, the bounds stay the wrong way round.
        np.maximum(first, np.where(flat, one, np.minimum(one, other)), out=first)
        np.minimum(last, np.where(flat, other, np.maximum(one, other)), out=last)
    return first, last


def _by_determinant(
    directions: _Directions, first: int, last: int
) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """(d, directions, heights) for the determinants d in a range, upwards."""
    low = np.maximum(directions.height, -(-first // directions.count))
    high = last // directions.count
    many = np.maximum(high - low + 1, 0)
    chosen = np.repeat(np.arange(len(many)), many)
    begin = np.repeat(np.cumsum(many) - many, many)
    heights = low[chosen] + np.arange(len(chosen)) - begin
    determinants = directions.count[chosen] * heights
    order = np.argsort(determinants, kind="stable")
    chosen, heights, determinants = chosen[order], heights[order], determinants[order]
    distinct, where = np.unique(determinants, return_index=True)
    ends = np.append(where, len(determinants))[1:]
    for determinant, start, end in zip(distinct, where, ends, strict=True):
        yield int(determinant), chosen[start:end], heights[start:end]


def _admissible(
    body: _Body, directions: _Directions, heights: np.ndarray
) -> tuple[Matrix | None, int]:
    """(a lattice with one of the vectors and heights that meets no difference, how many cannot).

    None where there is no such lattice. Those cannot whose line is too long.
    """
    first, last = _whole_line(body, directions, heights)
    free = np.flatnonzero(last - first + 1 < directions.count)
    long = len(heights) - len(free)
    for position in free:
        one = directions.part(np.array([position]))
        step = _free_step(body, one, int(heights[position]))
        if step is not None:
            p, up, count = one.primitive[0], one.up[0], int(one.count[0])
            second = int(heights[position]) * up + step * p
            return hermite([tuple(map(int, count * p)), tuple(map(int, second))]), long
    return None, long


def _whole_line(
    body: _Body, directions: _Directions, heights: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The first and last differences on lines, exactly; first > last where there is none."""
    most = np.int64(1) << 40
    first = np.full(len(heights), -most)
    last = np.full(len(heights), most)
    for form, limit in zip(body.forms, body.limits, strict=True):
        slope = directions.primitive @ form
        start = (directions.up @ form) * heights
        sign = np.where(slope < 0, -1, 1)
        slope, start = slope * sign, start * sign
        flat = slope == 0
        divisor = np.where(flat, 1, slope)
        outside = flat & (np.abs(start) > limit)
        low = np.where(flat, np.where(outside, most, -most), -((limit + start) // divisor))
        high = np.where(flat, np.where(outside, -most, most), (limit - start) // divisor)
        np.maximum(first, low, out=first)
        np.minimum(last, high, out=last)
    return first, last


def _free_step(body: _Body, direction: _Directions, height: int) -> int | None:
    """The k of a lattice point on the line of that height such that no line meets a difference."""
    count = int(direction.count[0])
    steps = np.arange(count)
    multiple = 1
    while True:
        first, last = _whole_line(body, direction, np.array([multiple * height]))
        low, points = int(first[0]), int(last[0] - first[0]) + 1
        if points > 0:
            steps = steps[(multiple * steps - low) % count >= points]
        # Lines above one that the body does not reach are empty too.
        if not len(steps) or not _reaches(body, direction, (multiple + 1) * height):
            return int(steps[0]) if len(steps) else None
        multiple += 1


def _reaches(body: _Body, direction: _Directions, height: int) -> bool:
    first, last = _line(body, direction.primitive, direction.up, np.array([height]))
    return bool(first[0] <= last[0] + 1e-6)


def area_of(rows: Mapping[Vector, int]) -> float:
    """The area of { z : |a.z| < c + 1 }, a symmetric polygon, from its corners."""
    corners = _corners([(a, c + 1) for a, c in rows.items()])
    total = 0.0
    for (x, y), (u, v) in zip(corners, [*corners[1:], *corners[:1]], strict=True):
        total += x * v - y * u
    return total / 2


def _corners(rows: list[tuple[Vector, int]]) -> list[tuple[float, float]]:
    """The corners in counter-clockwise order: a large square, cut by one row after another."""
    size = 4.0 * max(limit for _, limit in rows) * max(max(map(abs, a)) for a, _ in rows)
    corners = [(size, -size), (size, size), (-size, size), (-size, -size)]
    for (a, b), limit in rows:
        for sign in (1, -1):
            corners = _cut(corners, (sign * a, sign * b), limit)
    return corners


def _cut(
    corners: list[tuple[float, float]], form: tuple[int, int], limit: int
) -> list[tuple[float, float]]:
    """The part of a convex polygon where form . z <= limit."""
    found: list[tuple[float, float]] = []
    for (x, y), (u, v) in zip(corners, [*corners[1:], *corners[:1]], strict=True):
        here, there = form[0] * x + form[1] * y - limit, form[0] * u + form[1] * v - limit
        if here <= 0:
            found.append((x, y))
        if here * there < 0:
            part = here / (here - there)
            found.append((x + part * (u - x), y + part * (v - y)))
    return found
