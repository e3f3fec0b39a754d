"""Of all candidates the cheapest that does not stall is taken."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hlsmem.errors import InputError, Problem
from hlsmem.pipeline import plan_storage
from hlsmem.predict import latencies
from hlsmem.program import Program
from hlsmem.read.design import load
from hlsmem.storage import chooser as module
from hlsmem.storage.candidates import Candidate, ranking
from hlsmem.storage.chooser import Built, Chooser, Run
from hlsmem.storage.layout import in_memory
from hlsmem.storage.parts import operands_of

BLUR = Path(__file__).parents[2] / "examples" / "blur" / "design.yaml"


def candidates() -> tuple[Program, list[Candidate]]:
    """Blur in copies, and the same with more words each time."""
    planning = plan_storage(load(BLUR, parameters={"N": 6}))
    assert planning.program is not None
    program = planning.program
    array = program.arrays["blurx"]
    held = in_memory(planning.choices["blurx"].mapping, (), 3)
    block = operands_of(program, array)
    return program, [
        Candidate(
            array="blurx", shares=((block, replace(held, words=held.words + k, lanes=k // 9)),)
        )
        for k in range(3)
    ]


def chooser(program: Program, found: list[Candidate]) -> Chooser:
    return Chooser(
        program,
        {"blurx": found},
        ranking("auto", None),
        strict=False,
        slack=0,
        latency=latencies(program),
    )


def slower(monkeypatch: pytest.MonkeyPatch, one: Chooser, factors: dict[Candidate, float]) -> None:
    """Runs with some candidates take so many times the cycles."""
    honest = one.run

    def run(current: dict[str, Candidate]) -> Run:
        found = honest(current)
        assert isinstance(found, Run)
        prediction = found.prediction
        assert prediction.cycles is not None
        factor = factors.get(current["blurx"], 1.0)
        cycles = int(prediction.cycles * factor)
        return replace(found, prediction=replace(prediction, cycles=cycles))

    monkeypatch.setattr(one, "run", run)


def test_without_stalls_the_cheapest_is_taken() -> None:
    program, found = candidates()
    assert chooser(program, found).choose().built["blurx"].candidate == found[0]


def test_a_candidate_that_stalls_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    program, found = candidates()
    one = chooser(program, found)
    slower(monkeypatch, one, {found[0]: 2.0, found[1]: 2.0})
    chosen = one.choose()
    assert chosen.built["blurx"].candidate == found[2]
    cycles = {outcome.candidate: outcome.cycles for outcome in chosen.outcomes["blurx"]}
    assert cycles[found[0]] is not None
    assert cycles[found[2]] is not None
    assert cycles[found[0]] > 1.9 * cycles[found[2]]


def test_hardly_more_cycles_are_no_stall(monkeypatch: pytest.MonkeyPatch) -> None:
    """A twentieth more is allowed: the cheaper of the two is taken."""
    program, found = candidates()
    one = chooser(program, found)
    slower(monkeypatch, one, {found[0]: 2.0, found[1]: 1.5 * 1.04, found[2]: 1.5})
    assert one.choose().built["blurx"].candidate == found[1]


def test_what_cannot_be_built_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    program, found = candidates()
    build = module.build

    def failing(program: Program, candidate: Candidate, **rules: bool) -> Built:
        if candidate == found[0]:
            raise InputError(Problem("two ports are needed", "split it"))
        return build(program, candidate, **rules)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "build", failing)
    chosen = chooser(program, found).choose()
    assert chosen.built["blurx"].candidate == found[1]
    reasons = {outcome.candidate: outcome.reason for outcome in chosen.outcomes["blurx"]}
    assert reasons[found[0]] == "two ports are needed"
