"""Which storage is found: the sizes that the documents promise, and lists that can be pasted."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from hlsmem.devices.primitives import Cost
from hlsmem.errors import InputError
from hlsmem.pipeline import plan_design
from hlsmem.plan import Plan, Rejected, Share
from hlsmem.read.design import load
from hlsmem.storage import chooser

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


def example(name: str) -> Path:
    return EXAMPLES / name / "design.yaml"


@pytest.mark.parametrize(
    ("file", "settings"),
    [
        (BLUR, ("params.N=12",)),
        (BLUR, ("params.N=12", "target.device=ecp5-25k")),
        (TWO, SMALL),
        (example("sobel"), ("params.W=12", "params.H=8", "order=iteration")),
        (example("durbin"), ("params.N=8", "target.device=ecp5-25k")),
        (example("e1"), ()),
    ],
)
def test_what_is_offered_is_planned_when_it_is_pasted(
    file: Path, settings: tuple[str, ...]
) -> None:
    """With the words and the cost that were told, and a run that is no longer."""
    found = plan_of(file, *settings)
    assert found.timing is not None
    registers = "yes" if found.timing.output_register else "no"
    same = (*settings, f"target.output_register={registers}") if found.target else settings
    ways = [(array, way) for array in found.arrays for way in offered(found, array)]
    assert ways
    for array, way in ways:
        plan = plan_of(file, *same, f"arrays.{array}.parts={listed(way.parts)}")
        assert [kind for kind, _ in held(plan, array)] == [one.kind for one in way.parts]
        assert sum(words for _, words in held(plan, array)) == way.words
        operands = [part.operands for part in plan.arrays[array].parts]
        assert operands == [one.operands for one in way.parts]
        assert plan.timing is not None
        assert plan.timing.cycles is not None
        if way.cycles is not None:
            assert plan.timing.cycles <= way.cycles
        if way.resources is not None:
            memories = [plan.memories[part.memory] for part in plan.arrays[array].parts]
            taken = sum((memory.resources or Cost() for memory in memories), Cost())
            assert taken == way.resources


def test_large_memories_are_not_built_to_be_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chooser, "MOST_COMPARED", 300)
    plan = plan_design(load(BLUR, settings=("params.N=10",))).plan
    reasons = {one.parts[0].kind: one.reason for one in plan.arrays["blurx"].rejected}
    assert held(plan, "blurx") == [("chain", 21)]
    assert reasons["ram"] == (
        "not compared: gates would be worked out from 340 accesses, more than 300"
    )


def test_a_class_of_schedules_has_one_part_with_an_address() -> None:
    parts = "arrays.A.parts=[{operands: [m_A_S.0, m_A_S.1, m_A_S.2], kind: chain}]"
    with pytest.raises(InputError, match="planned for a class of schedules"):
        plan_design(load(example("e1"), settings=(parts,)))
