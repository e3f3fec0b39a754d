"""Which storage is found: the sizes that the documents promise, and lists that can be pasted."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from hlsmem.pipeline import plan_design
from hlsmem.plan import Plan, Rejected, Share
from hlsmem.read.design import load

EXAMPLES = Path(__file__).parents[2] / "examples"
BLUR = EXAMPLES / "blur" / "design.yaml"
TWO = Path(__file__).parent / "designs" / "two.yaml"
SMALL = ("params.W=16", "params.H=8")


@cache
def plan_of(file: Path, *settings: str) -> Plan:
    return plan_design(load(file, settings=settings)).plan


def held(plan: Plan, array: str) -> list[tuple[str, int]]:
    """(kind, words) of the memories of an array, in the order of its parts."""
    memories = [plan.memories[part.memory] for part in plan.arrays[array].parts]
    return [(memory.kind, memory.words) for memory in memories]


@pytest.mark.parametrize(
    ("settings", "wanted"),
    [
        ((), [("chain", 129)]),
        (("order=iteration",), [("chain", 129)]),
        (("arrays.blurx.parts=operands",), [("fifo", 129), ("fifo", 65), ("registers", 1)]),
        (("arrays.blurx.reads=copies",), [("ram", 387)]),
        (("arrays.blurx.parts=one",), [("chain", 129)]),
    ],
)
def test_blur(settings: tuple[str, ...], wanted: list[tuple[str, int]]) -> None:
    assert held(plan_of(BLUR, *settings), "blurx") == wanted


def test_a_fine_and_a_coarse_reader_have_a_fifo_each() -> None:
    plan = plan_of(TWO)
    assert held(plan, "t") == [("fifo", 65), ("fifo", 64), ("registers", 1)]
    assert plan.timing is not None
    assert plan.timing.cycles == 8195
    (whole,) = (one for one in plan.arrays["t"].rejected if [s.kind for s in one.parts] == ["ram"])
    assert whole.words == 2289


@pytest.mark.parametrize(
    ("objective", "wanted", "blocks"),
    [
        # Two delay lines of 32 bits in a block each, and less logic than anything else.
        ("auto", ("chain", 129), 2),
        ("cells", ("chain", 129), 2),
        ("words", ("chain", 129), 2),
        # Three banks of 43 words are LUT RAM.
        ("blocks", ("banked", 129), 0),
    ],
)
def test_objectives(objective: str, wanted: tuple[str, int], blocks: int) -> None:
    plan = plan_of(BLUR, "target.device=ecp5-25k", f"plan.objective={objective}")
    assert held(plan, "blurx") == [wanted]
    assert plan.resources.blocks == blocks
    others = [one.resources.blocks for one in plan.arrays["blurx"].rejected if one.resources]
    assert others
    if objective == "blocks":
        assert blocks <= min(others)


def listed(parts: tuple[Share, ...]) -> str:
    """Parts as a design takes them."""
    entries = (
        f"{{operands: [{', '.join(f'{s}.{k}' for s, k in one.operands)}], kind: {one.kind}}}"
        for one in parts
    )
    return f"[{', '.join(entries)}]"


def offered(plan: Plan, array: str) -> list[Rejected]:
    return [one for one in plan.arrays[array].rejected if one.words is not None]


@pytest.mark.parametrize(
    ("file", "settings", "array"), [(BLUR, ("params.N=12",), "blurx"), (TWO, SMALL, "t")]
)
def test_what_is_offered_is_planned_when_it_is_pasted(
    file: Path, settings: tuple[str, ...], array: str
) -> None:
    ways = offered(plan_of(file, *settings), array)
    assert ways
    for way in ways:
        plan = plan_of(file, *settings, f"arrays.{array}.parts={listed(way.parts)}")
        assert sum(words for _, words in held(plan, array)) == way.words
        operands = [part.operands for part in plan.arrays[array].parts]
        assert operands == [one.operands for one in way.parts]
