"""The page of `make bench-host`: what it says follows from the rows that were measured."""

from __future__ import annotations

from benchmarks.host.__main__ import CASES, FOLDER, PLANS, Row, page
from hlsmem.verification.timing import Measured, Timed


def row(case: str, place: str, ratios: dict[str, float]) -> Row:
    outs = tuple(
        Timed(name=f"/tmp/x/{plan}", seconds=0.002 * ratio, ratio=ratio, least=0.4, greatest=1.6)
        for plan, ratio in ratios.items()
    )
    measured = Measured(
        params={"N": 64},
        compiler="cc 12",
        machine="a machine",
        starts=3,
        rounds=9,
        original=0.002,
        outs=outs,
        folded=frozenset(),
    )
    return Row(
        case=case,
        place=place,
        measured=measured,
        cells=dict.fromkeys(PLANS, 129),
        shapes=dict.fromkeys(PLANS, "rows"),
    )


def test_means_are_of_the_large_sizes_alone() -> None:
    text = page(
        [
            row(
                "blur",
                "in cache",
                {"plan": 9.0, "given": 9.0, "uncut": 9.0, "speed": 9.0, "successive": 9.0},
            ),
            row(
                "blur",
                "memory",
                {"plan": 1.0, "given": 1.0, "uncut": 1.0, "speed": 0.5, "successive": 1.0},
            ),
            row(
                "fir",
                "memory",
                {"plan": 1.0, "given": 1.0, "uncut": 1.0, "speed": 0.125, "successive": 0.25},
            ),
        ]
    )
    assert "geometric mean: plan 1.00, given 1.00, uncut 1.00, speed 4.00, successive 2.00." in text
    assert "against successive modulo, memory size, geometric mean: 2.00." in text
    assert "| 9.00 [0.40 1.60] |" in text


def test_every_kernel_has_a_source() -> None:
    assert {case.name for case in CASES} == {file.stem for file in FOLDER.glob("*.c")}
