"""Pictures as text: goldens, and what has to be true of any of them.

`HLSMEM_REFRESH=1 pytest` rewrites the goldens, shows the differences and fails once.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hlsmem.emit.picture import svg
from hlsmem.planner.output_files import pictures as drawn_pictures
from tests.plans import plan_storage
from tests.steps import load

GOLDEN = Path(__file__).parent / "golden"
EXAMPLES = Path(__file__).parents[3] / "examples"
_SVG = "{http://www.w3.org/2000/svg}"


def pictures(name: str, size: Sequence[int] = (), *settings: str) -> dict[str, str]:
    parameters = dict(zip(("N", "T"), size, strict=False))
    design = load(EXAMPLES / name, parameters=parameters, settings=settings)
    return drawn_pictures(plan_storage(design))


GOLDENS = {
    "blur": ("blur/design.yaml", (8,)),
    "heat2d": ("heat2d/design.yaml", (5, 3)),
    "durbin": ("durbin/design.yaml", (12,)),
    "line": ("two_consumers/design.yaml", (16,)),
}


@pytest.mark.parametrize("name", GOLDENS)
def test_pictures_are_the_golden_ones(name: str) -> None:
    drawn = pictures(*GOLDENS[name])
    differences = [_compared(f"{name}-{Path(file).name}", text) for file, text in drawn.items()]
    assert not any(differences), "\n".join(differences)


def _compared(name: str, text: str) -> str:
    golden = GOLDEN / name
    old = golden.read_text() if golden.exists() else ""
    difference = "".join(
        difflib.unified_diff(old.splitlines(True), text.splitlines(True), name, "drawn")
    )
    if difference and os.environ.get("HLSMEM_REFRESH"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text)
    return difference


LARGE = [
    ("blur/design.yaml", (300,)),
    ("durbin/design.yaml", (100,)),
    ("heat2d/design.yaml", (24, 4), "plan.method=lattice"),
    ("blur/tiled.yaml", (32,)),
    ("jacobi1d/conflicts.yaml", (64, 20)),
    ("blur/design.yaml", (40,), "plan.method=declared"),
]


@pytest.mark.parametrize("case", LARGE, ids=lambda case: "-".join(map(str, case)))
def test_pictures_are_small_well_formed_and_inside_their_frame(case: tuple) -> None:
    found = pictures(*case)
    assert found
    for text in found.values():
        assert len(text.encode()) < 200_000
        root = ElementTree.fromstring(text)
        width, height = float(root.attrib["width"]), float(root.attrib["height"])
        background = root.find(f"{_SVG}rect")
        assert background is not None
        assert background.attrib["fill"] == "#ffffff"
        assert (background.attrib["width"], background.attrib["height"]) == (
            root.attrib["width"], root.attrib["height"]
        )  # fmt: skip
        for label in root.iter(f"{_SVG}text"):
            assert 0 <= float(label.attrib["x"]) <= width
            assert 0 <= float(label.attrib["y"]) <= height
            assert _left_end(label) >= 0
            assert _left_end(label) + _width(label) <= width


def _width(label: ElementTree.Element) -> float:
    if "transform" in label.attrib:
        return 0
    return 0.55 * float(label.attrib["font-size"]) * len(label.text or "")


def _left_end(label: ElementTree.Element) -> float:
    part = {"start": 0.0, "middle": 0.5, "end": 1.0}[label.attrib["text-anchor"]]
    return float(label.attrib["x"]) - part * _width(label)


def _stairs(text: str) -> list[float]:
    """The heights of the curve, in pixels from the top."""
    root = ElementTree.fromstring(text)
    (curve,) = [
        path.attrib["d"]
        for path in root.iter(f"{_SVG}path")
        if path.attrib["fill"] == "none" and path.attrib["d"].startswith("M")
    ]
    start = re.match(r"M[\d.]+ ([\d.]+)", curve)
    assert start is not None
    return [float(start[1]), *map(float, re.findall(r"V([\d.]+)", curve))]


@pytest.mark.parametrize("name", ["blur", "sobel", "durbin", "triangle", "heat2d"])
def test_the_drawn_curve_touches_the_line_of_max_live(name: str) -> None:
    size = (20, 3) if name == "heat2d" else (20,)
    for file, text in pictures(f"{name}/design.yaml", size, "plan.method=lattice").items():
        if not file.endswith("-life.svg"):
            continue
        root = ElementTree.fromstring(text)
        dashed = [
            float(line.attrib["y1"])
            for line in root.iter(f"{_SVG}line")
            if line.attrib.get("stroke-dasharray") == "6 4" and line.attrib["x1"] == "72"
        ]
        # The legend has one such line too, above the frame.
        assert min(_stairs(text)) == max(dashed)


def test_arrays_of_one_cell_and_conflict_sets_have_what_there_is_to_show() -> None:
    assert list(pictures("durbin/design.yaml", (12,))) == [
        "pictures/y-life.svg", "pictures/y-conflicts.svg"
    ]  # fmt: skip
    assert list(pictures("blur/conflicts.yaml", (12,))) == ["pictures/blurx-conflicts.svg"]


def test_the_same_plan_gives_the_same_bytes() -> None:
    assert pictures("blur/tile.yaml") == pictures("blur/tile.yaml")


def test_texts_are_escaped() -> None:
    assert svg.escaped("a<b & 'c'>\x07") == "a&lt;b &amp; &#39;c&#39;&gt;?"
    root = ElementTree.fromstring(svg.document(10, 10, "<&>", [svg.text(1, 2, "x < 'y'")]))
    assert [label.text for label in root.iter(f"{_SVG}text")] == ["x < 'y'"]


@pytest.mark.parametrize(
    ("low", "high", "most", "numbers"),
    [
        (0, 10, 6, [0, 2, 4, 6, 8, 10]),
        (-7, 7, 8, [-6, -4, -2, 0, 2, 4, 6]),
        (-74, 74, 8, [-60, -40, -20, 0, 20, 40, 60]),
        (0, 1.15, 6, [0, 1]),
        (3, 9, 3, [4, 6, 8]),
    ],
)
def test_ticks_are_round_numbers(low: float, high: float, most: int, numbers: list[int]) -> None:
    assert svg.round_numbers(low, high, most) == numbers


@pytest.mark.parametrize(
    ("value", "text"), [(1.0, "1"), (0.5, "0.5"), (-0.001, "0"), (12.346, "12.35"), (100, "100")]
)
def test_lengths_are_short(value: float, text: str) -> None:
    assert svg.number(value) == text
