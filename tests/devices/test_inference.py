"""What synthesis makes of memories, against grids that Yosys was run on."""

from __future__ import annotations

import random

import pytest

from hlsmem.core.errors import InputError
from hlsmem.devices import family_of
from hlsmem.devices.inference import blocks, implement
from hlsmem.devices.primitives import Style
from tests.devices.grids import SYNTHESISED, grid, near, predicted, predicted_rams, rams


@pytest.mark.parametrize("family", SYNTHESISED)
def test_ram_cells_are_exactly_those_of_yosys(family: str) -> None:
    memories = grid(family)
    assert len(memories) >= 60
    for memory in memories:
        made = predicted(family, memory)
        assert predicted_rams(made) == rams(memory["found"]), memory


@pytest.mark.parametrize("family", SYNTHESISED)
def test_luts_are_near_those_of_yosys_on_nine_in_ten(family: str) -> None:
    memories = grid(family)
    right = sum(near(predicted(family, m).luts, m["found"]["luts"]) for m in memories)
    assert right >= 0.9 * len(memories)


@pytest.mark.parametrize("family", SYNTHESISED)
def test_flip_flops_are_those_of_yosys(family: str) -> None:
    for memory in grid(family):
        made = predicted(family, memory)
        assert made.flip_flops == memory["found"]["flip_flops"], memory


@pytest.mark.parametrize(
    ("family", "lut_ram", "block"),
    [
        ("xc7", [(256, 8), (128, 16), (64, 32)], [(512, 8), (256, 16), (128, 32)]),
        ("ecp5", [(128, 8), (64, 16), (32, 32)], [(256, 8), (128, 16), (64, 32)]),
        ("ice40", [], [(16, 8), (16, 16), (256, 8)]),
    ],
)
def test_thresholds_between_lut_ram_and_block_ram(
    family: str, lut_ram: list[tuple[int, int]], block: list[tuple[int, int]]
) -> None:
    for words, bits in lut_ram:
        assert implement(family, words, bits, collision=False).style is Style.DISTRIBUTED
    for words, bits in block:
        assert implement(family, words, bits, collision=False).style is Style.BLOCK


@pytest.mark.parametrize(
    ("family", "words", "bits", "cell", "count"),
    [
        ("xc7", 1536, 32, "RAMB18E1", 3),
        ("xc7", 1024, 32, "RAMB36E1", 1),
        ("xc7", 16384, 32, "RAMB36E1", 16),
        ("ecp5", 4096, 32, "DP16KD", 8),
        ("ecp5", 1024, 32, "DP16KD", 2),
        ("ecp5", 512, 36, "DP16KD", 1),
        ("ice40", 1024, 16, "SB_RAM40_4K", 4),
    ],
)
def test_memories_that_engineers_know(
    family: str, words: int, bits: int, cell: str, count: int
) -> None:
    made = implement(family, words, bits, collision=False)
    assert (made.cell, made.count) == (cell, count)


def test_blocks_of_a_xilinx_family_are_counted_in_halves() -> None:
    assert blocks("xc7a35t", 1024, 32) == 2


def test_styles_override_the_choice() -> None:
    assert implement("ecp5", 32, 8, style=Style.BLOCK).blocks == 1
    distributed = implement("ecp5", 640, 16, style=Style.DISTRIBUTED)
    assert (distributed.count, distributed.luts_of_cells) == (160, 640)
    assert implement("xcup", 4096, 72, style=Style.LARGE).large == 1


def test_a_collision_costs_logic_on_ecp5_and_none_on_xc7() -> None:
    promised, unsure = (implement("ecp5", 1024, 32, collision=c) for c in (False, True))
    assert (promised.luts, promised.flip_flops) == (0, 0)
    assert 39 <= unsure.luts <= 55
    assert unsure.flip_flops == 76
    assert implement("xc7", 1024, 32, collision=True).luts == 0


def refusal(family: str, **request: object) -> str:
    with pytest.raises(InputError) as caught:
        implement(family, 64, 8, **request)  # type: ignore[arg-type]
    return str(caught.value)


def test_what_does_not_exist_is_refused_with_alternatives() -> None:
    assert refusal("ice40", style=Style.DISTRIBUTED) == (
        "ice40 has no memory of style distributed; use auto, registers, block"
    )
    assert refusal("ice40", ports=2) == (
        "ice40 has no memory with 2 ports of a kind; "
        "use 1 port, and copies or banks for more accesses a cycle"
    )
    assert refusal("ecp5", ports=2, style=Style.DISTRIBUTED) == (
        "ecp5 has no memory of style distributed with 2 ports of a kind; use auto, block"
    )
    assert refusal("xc7", style=Style.LARGE) == (
        "xc7 has no memory of style large; use auto, registers, distributed, block"
    )


@pytest.mark.long
@pytest.mark.needs("yosys")
@pytest.mark.parametrize("family", SYNTHESISED)
def test_memories_nobody_recorded_come_out_of_yosys_as_predicted(family: str) -> None:
    from benchmarks.yosys_grid import Shape, measure

    chance = random.Random(20)
    shapes = [
        Shape(
            words=int(2 ** chance.uniform(4, 13)),
            bits=chance.choice((1, 3, 8, 9, 12, 18, 24, 32, 36, 48, 72)),
            collision=chance.random() < 0.3,
            style=chance.choice(("auto", "auto", "block")),
        )
        for _ in range(20)
    ]
    right = 0
    for shape, found in zip(shapes, measure(family_of(family), shapes)[1], strict=True):
        made = implement(
            family, shape.words, shape.bits, style=Style(shape.style), collision=shape.collision
        )
        assert predicted_rams(made) == rams(found), shape
        right += near(made.luts, found["luts"])
    assert right >= 0.9 * len(shapes)
