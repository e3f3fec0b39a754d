"""Which storage is found: the sizes that the documents promise, and lists that can be pasted."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.dependences.related_dependences import Unrelated
from hlsmem.plan import Plan
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.storage import chooser
from hlsmem.storage.ram import circuit
from tests.plans import hardware_of
from tests.steps import load

EXAMPLES = Path(__file__).parents[2] / "examples"
BLUR = EXAMPLES / "blur" / "design.yaml"
REG_DETECT = EXAMPLES / "papers" / "reg_detect" / "design.yaml"
TWO = Path(__file__).parent / "designs" / "two.yaml"


@cache
def plan_of(file: Path, *settings: str) -> Plan:
    return hardware_of(file, settings=settings).plan


def held(plan: Plan, array: str) -> list[tuple[str, int]]:
    """(kind, words) of the memories of an array, in the order of its parts."""
    memories = [plan.memories[part.memory] for part in plan.arrays[array].hardware.parts]
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
    rejected = plan.arrays["t"].notes.rejected
    (whole,) = (one for one in rejected if [s.kind for s in one.parts] == ["ram"])
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
    others = [one.resources.blocks for one in plan.arrays["blurx"].notes.rejected if one.resources]
    assert others
    if objective == "blocks":
        assert blocks <= min(others)


def example(name: str) -> Path:
    return EXAMPLES / name / "design.yaml"


def test_large_memories_that_are_to_be_listed_are_not_built_to_be_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(chooser, "MOST_COMPARED", 300)
    monkeypatch.setattr(circuit, "FEW_ACCESSES", 300)

    def none(*_: object, **__: object) -> None:
        raise Unrelated("isl has had enough")

    monkeypatch.setattr(circuit, "RelatedBetween", none)
    plan = plan_hardware(load(BLUR, settings=("params.N=10",))).plan
    reasons = {one.parts[0].kind: one.reason for one in plan.arrays["blurx"].notes.rejected}
    assert held(plan, "blurx") == [("chain", 21)]
    assert reasons["ram"] == (
        "blurx is read and written 340 times, and accesses are looked at one by one up to 300, as"
        " isl has had enough"
    )


def test_a_class_of_schedules_has_one_part_with_an_address() -> None:
    parts = "arrays.A.parts=[{operands: [m_A_S.0, m_A_S.1, m_A_S.2], kind: chain}]"
    with pytest.raises(InputError, match="planned for a class of schedules"):
        plan_hardware(load(example("e1"), settings=(parts,)))


CHANNELS = {
    (BLUR, "memory"): [("banked", 129)],
    (BLUR, "dedicated"): [("chain", 129)],
    (TWO, "memory"): [("ram", 65), ("ram", 65), ("registers", 1)],
    (TWO, "dedicated"): [("fifo", 65), ("fifo", 64), ("registers", 1)],
}


@pytest.mark.few(2)
@pytest.mark.parametrize(("file", "channels"), CHANNELS, ids=str)
def test_channels_leave_kinds_out(file: Path, channels: str) -> None:
    array = "blurx" if file is BLUR else "t"
    assert held(plan_of(file, f"plan.channels={channels}"), array) == CHANNELS[file, channels]


def test_the_reads_of_an_array_come_before_channels() -> None:
    plan = plan_of(BLUR, "plan.channels=memory", "arrays.blurx.reads=chain")
    assert held(plan, "blurx") == [("chain", 129)]
    plan = plan_of(BLUR, "plan.channels=dedicated", "arrays.blurx.reads=copies")
    assert held(plan, "blurx") == [("ram", 387)]


@pytest.mark.dear
def test_a_part_that_a_method_has_no_mapping_of_is_no_candidate() -> None:
    plan = plan_of(REG_DETECT, "plan.method=family")
    assert [one.mapping is not None for one in plan.arrays["sum_d"].hardware.parts] == [True]


@pytest.mark.dear
def test_parts_that_a_method_has_no_mapping_of_are_refused() -> None:
    with pytest.raises(InputError) as error:
        plan_of(REG_DETECT, "plan.method=family", "arrays.sum_d.parts=operands")
    assert str(error.value).endswith(
        "'sum_d' cannot be in parts: the method that was asked for has no mapping of one;"
        " leave out arrays.sum_d.parts, or set plan.method: auto"
    )
