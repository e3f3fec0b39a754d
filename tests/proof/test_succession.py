"""Chains and FIFOs by relations between times, against the play of the same accesses."""

from __future__ import annotations

import copy
from bisect import bisect_right, insort
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hlsmem_verify
from hlsmem.plan import to_json
from hlsmem_verify import False_, Unknown
from hlsmem_verify.facts import Facts, Part
from hlsmem_verify.lives import Lives
from hlsmem_verify.play import Play, Value, by_rank, in_turn
from hlsmem_verify.succession import rank, succeed
from tests.conftest import EXAMPLES
from tests.plans import hardware_of

STORAGE = EXAMPLES.parent / "tests" / "storage" / "designs"
DESIGNS = [
    EXAMPLES / "fifo" / "design.yaml",
    EXAMPLES / "two_readers" / "design.yaml",
    EXAMPLES / "edges" / "design.yaml",
    EXAMPLES / "half" / "design.yaml",
    EXAMPLES / "two_consumers" / "design.yaml",
    *(STORAGE / f"{name}.yaml" for name in ("rates", "rounds", "two", "waits", "wire")),
]


def facts_of(file: Path, parameters: dict[str, int] | None = None) -> Facts:
    plan = hardware_of(file, parameters).plan
    return Facts(hlsmem_verify.document_of(to_json(plan)))


def parts_of(facts: Facts) -> list[Part]:
    """The parts without a mapping, with what lives in them."""
    found = []
    for name, array in facts.document["arrays"].items():
        for stated in array["holdings"]["hardware"]["parts"]:
            takes = stated["takes"]
            if takes is not None:
                takes = facts.program.set(takes, "takes").reset_tuple_id()
            operands = [(str(stream), int(k)) for stream, k in stated["operands"]]
            memory = facts.document["memories"][stated["memory"]]
            size = len(array["index"])
            lives = Lives(facts.program, name, size, operands=operands, takes=takes)
            if stated["mapping"] is None:
                found.append(Part(name, array, stated, memory, operands, takes, lives))
    return found


def verdict(prove: Callable[..., None], *given: Any) -> str:
    try:
        prove(*given)
    except False_:
        return "false"
    except Unknown:
        return "unknown"
    return "proved"


def simulated_fifo(play: Play, values: list[Value], kept: int, words: int) -> None:
    """Most that wait after any write, and that live at once, counted access by access."""
    in_turn(values)
    reads: list[tuple[int, ...]] = []  # of the values so far, sorted
    for one in values:
        insort(reads, one.uses[0][0][:kept])
        if len(reads) - bisect_right(reads, one.born[:kept]) > words:
            raise False_("too many wait")
    held = max(held for *_, held in play.moments(values))
    if words > max(2, held):
        raise False_("too few are alive")


@pytest.mark.few("fifo", "half", "rates", "waits", "wire")
@pytest.mark.parametrize("file", DESIGNS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_relations_say_what_the_play_says(file: Path) -> None:
    facts = facts_of(file)
    compared = 0
    for part in parts_of(facts):
        values = facts.play.lives(part.name, operands=part.operands, takes=part.takes)
        if part.memory["kind"] == "fifo":
            for words in {
                1,
                part.memory["words"] - 1,
                part.memory["words"],
                part.memory["words"] + 1,
            }:
                if words < 1:
                    continue
                own = verdict(succeed, part, words, facts.values)
                compared += own != "unknown"
                if own != "unknown":
                    kept = part.lives.kept
                    assert own == verdict(simulated_fifo, facts.play, values, kept, words), words
            continue
        live = [op for op, _ in facts.live_operands(part.name, part.operands)]
        for change in range(-1, 2):
            taps = dict(zip(live, part.stated["taps"], strict=True))
            taps[live[0]] = max(0, taps[live[0]] + change)
            own = verdict(rank, part, taps, facts.values)
            compared += own != "unknown"
            if own != "unknown":
                assert own == verdict(by_rank, values, taps, 0), taps
    assert compared


def test_a_long_fifo_is_proved_without_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = facts_of(EXAMPLES / "fifo" / "design.yaml", {"N": 2_000_000})
    monkeypatch.setattr(Play, "lives", None)
    document = facts.document
    found = hlsmem_verify.verify(document)
    assert (found["false"], found["open"]) == ([], {})
    words = document["memories"]["queue"]["words"]
    for other, what in (
        (words - 1, f"more than {words - 1} values wait at once"),
        (words + 1, f"fewer values are alive at once than its {words + 1} words"),
    ):
        wrong = copy.deepcopy(document)
        wrong["memories"]["queue"]["words"] = other
        told = hlsmem_verify.verify(wrong)["false"]
        assert f"arrays.queue.holdings.hardware.parts[0]: {what}" in told


@pytest.mark.parametrize("design", ["half", "blur", "edges"])
def test_a_tap_is_that_of_its_operand(design: str) -> None:
    """Operands in another order than their taps; both in another order are right as well."""
    document = facts_of(EXAMPLES / design / "design.yaml").document
    parts = [
        part
        for array in document["arrays"].values()
        for part in array["holdings"]["hardware"]["parts"]
        if part["taps"] and len(set(part["taps"])) > 1
    ]
    assert parts
    for part in parts:
        part["operands"].reverse()
    assert hlsmem_verify.verify(document)["false"]
    for part in parts:
        part["taps"].reverse()
        if part["taps_expr"] is not None:
            part["taps_expr"].reverse()
    assert hlsmem_verify.verify(document)["false"] == []
