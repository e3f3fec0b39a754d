"""The beats as columns of numbers, against the same listed instance by instance."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hlsmem.check.replayed.replay_check import run_of
from hlsmem.check.replayed.run_events import Run
from hlsmem.check.rtl.expected_beats import Traffic, traffic
from hlsmem.program.model import Program
from hlsmem.timing.planned_program import arranged
from tests.check import listed_beats
from tests.dependences.test_random import random_program
from tests.steps import load

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

DESIGNS: tuple[tuple[str, dict[str, int], tuple[str, ...]], ...] = (
    ("blur/design.yaml", {"N": 7}, ()),
    ("blur/design.yaml", {"N": 7}, ("order=iteration",)),
    ("blur/design.yaml", {"N": 8}, ("order=iteration", "pipeline.unroll.x=4")),
    ("jacobi1d/design.yaml", {"N": 9, "T": 3}, ("order=iteration",)),
    ("durbin/design.yaml", {"N": 6}, ()),
    ("matmul_relu/design.yaml", {"N": 4, "M": 3, "P": 3}, ()),
    ("sobel/design.yaml", {"N": 7}, ("arrays.in.storage=memory", "arrays.out.storage=memory")),
    ("two_readers/design.yaml", {}, ()),
)


def program_at(name: str, params: dict[str, int], settings: tuple[str, ...]) -> Program:
    given = load(EXAMPLES / name, parameters=params, settings=settings).input
    assert isinstance(given, Program)
    return arranged(given)


def compare(program: Program, run: Run | None) -> None:
    """All that the listed beats say, the columns say too."""
    found, wanted = traffic(program, run), listed_beats.traffic(program, run)
    assert found.disagreement == wanted.disagreement
    assert found.streams.keys() == wanted.streams.keys()
    for name, stream in found.streams.items():
        listed = wanted.streams[name]
        beats = stream.beats
        assert [beat.instance for beat in beats] == [beat.instance for beat in listed.beats]
        for mine, its in zip(beats, listed.beats, strict=True):
            # Values that no run has are made up.
            assert bare(mine.operands, run) == bare(its.operands, run), name
            if stream.direction == "read":
                assert mine.step == its.step
    keys = keys_of(program, wanted)
    together = [keys[beat] for beat in order(found)]
    assert together == sorted(together)
    assert len(together) == len(keys)
    assert {
        name: [set(own.patterns[kind]) for kind in own.pattern.tolist()]
        for name, own in found.instances.items()
    } == {name: list(map(set, instances)) for name, instances in wanted.instances.items()}


def bare(operands: tuple[object, ...], run: Run | None) -> list[object]:
    return [
        None
        if one is None
        else (
            one.element,  # type: ignore[attr-defined]
            one.bits if run is not None else 0,  # type: ignore[attr-defined]
            one.version,  # type: ignore[attr-defined]
            one.step if one.version >= 0 else None,  # type: ignore[attr-defined]
        )
        for one in operands
    ]


def order(found: Traffic) -> list[tuple[str, int]]:
    """The beats of all streams as the program has them."""
    ranks = [
        (rank, name, beat)
        for name, stream in found.streams.items()
        for beat, rank in enumerate(stream.rank.tolist())
    ]
    return [(name, beat) for _, name, beat in sorted(ranks)]


def keys_of(program: Program, wanted: listed_beats.Traffic) -> dict[tuple[str, int], Any]:
    """Where each beat stands in the program's own order; what an instance reads stands together."""
    textual = {statement.name: n for n, statement in enumerate(program.statements)}
    return {
        (name, number): (*beat.key[:-1], textual.get(stream.statement or "", 0), beat.key[-1])
        for name, stream in wanted.streams.items()
        for number, beat in enumerate(stream.beats)
    }


@pytest.mark.few("blur", "jacobi", "durbin", "sobel")
@pytest.mark.parametrize(("name", "params", "settings"), DESIGNS)
@pytest.mark.parametrize("recorded", [True, False], ids=["recorded", "made up"])
def test_examples(
    name: str, params: dict[str, int], settings: tuple[str, ...], *, recorded: bool
) -> None:
    program = program_at(name, params, settings)
    run = run_of(program, program.planned_arrays())[0] if recorded else None
    compare(program, run)


@pytest.mark.parametrize("seed", range(40))
def test_random_programs(seed: int) -> None:
    compare(random_program(random.Random(seed)), None)


def test_a_wrong_value_is_told_as_the_list_tells_it() -> None:
    program = program_at("blur/design.yaml", {"N": 6}, ())
    run, _ = run_of(program, program.planned_arrays())
    accesses = run.accesses["blurx"]
    bits = accesses.bits.copy()
    read = (~accesses.write).nonzero()[0][[40, 7]]
    bits[read] += 1
    wrong = replace(run, accesses={**run.accesses, "blurx": replace(accesses, bits=bits)})
    found = traffic(program, wrong).disagreement
    assert found is not None
    assert found == listed_beats.traffic(program, wrong).disagreement
