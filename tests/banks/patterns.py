"""The access patterns that everybody banks."""

from __future__ import annotations

from itertools import product

Offsets = list[tuple[int, ...]]


def box(*sizes: int) -> Offsets:
    return list(product(*(range(size) for size in sizes)))


def cube(radius: int, dimensions: int) -> Offsets:
    return list(product(range(-radius, radius + 1), repeat=dimensions))


def star(radius: int, dimensions: int, *, centre: bool = True) -> Offsets:
    """Points on the axes, up to a radius."""
    return [
        p for p in cube(radius, dimensions) if 0 < sum(map(bool, p)) < 2 or (centre and not any(p))
    ]


def near(points: Offsets, distance: int) -> Offsets:
    return [point for point in points if sum(map(abs, point)) <= distance]


PATTERNS: dict[str, Offsets] = {
    "5-point": star(1, 2),
    "ring": star(1, 2, centre=False),
    "2x2": box(2, 2),
    "bicubic stride 2": [(0, 0), (0, 2), (2, 0), (2, 2)],
    "6x1": box(6, 1),
    "1x6": box(1, 6),
    "3x3": cube(1, 2),
    "Prewitt": [point for point in cube(1, 2) if any(point)],
    "Sobel-x": [point for point in cube(1, 2) if point[1]],
    "LoG": near(cube(2, 2), 2),
    "radius-2 star": star(2, 2),
    "5x5": box(5, 5),
    "7-point": star(1, 3),
    "7-point ring": star(1, 3, centre=False),
    "3^3 without corners": near(cube(1, 3), 2),
    "3^3 without centre": [point for point in cube(1, 3) if any(point)],
}
