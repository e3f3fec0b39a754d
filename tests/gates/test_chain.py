"""Reuse chains: every operand is the element that came its distance before, counted by hand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest

from hlsmem.gates.chain import ChainCircuit, Gap, chain_circuit, possible_chains, with_chains
from hlsmem.gates.circuit import MemoryCircuit
from hlsmem.pipeline import Planning, plan_design, plan_storage
from hlsmem.program import Program
from hlsmem.read.design import load
from hlsmem.walk.stepper import holds, positions

EXAMPLES = Path(__file__).parents[2] / "examples"
OWN = Path(__file__).parent / "designs"
BY_ITERATION = ("order=iteration",)


def storage(file: Path, parameters: dict[str, int], *settings: str) -> tuple[Planning, Program]:
    planning = plan_storage(load(file, parameters=parameters, settings=settings))
    assert planning.program is not None
    return planning, planning.program


def chain_of(file: Path, parameters: dict[str, int], array: str, *settings: str) -> ChainCircuit:
    planning, program = storage(file, parameters, *settings)
    chain = chain_circuit(program, planning.plan, program.arrays[array])
    assert chain is not None
    return chain


def pushed_out(chain: ChainCircuit, reader: int) -> list[tuple[bool, bool]]:
    """(emitted, last) at every write beat, from the walker as hardware steps it."""
    circuit = chain.readers[reader]
    guards = dict(chain.walker.conditions)
    return [
        (
            circuit.emit is None or holds(guards[circuit.emit], place.registers),
            circuit.last is None or holds(guards[circuit.last], place.registers),
        )
        for place in positions(chain.walker)
    ]


def test_sobel_holds_two_lines_and_three_pixels() -> None:
    size = 9
    chain = chain_of(EXAMPLES / "sobel/design.yaml", {"N": size}, "in", *BY_ITERATION)
    arrivals = list(product(range(size), repeat=2))
    beats = [
        n for n, (y, x) in enumerate(arrivals) if y >= 2 and x >= 2
    ]  # the pixel at the corner of the window that comes last
    (reader,) = chain.readers
    assert reader.emissions.tolist() == beats
    below = (0, size, 2 * size)
    assert {*reader.taps} == {line + k for line in below for k in range(3)} - {size + 1}
    assert chain.words == 2 * size + 3
    out = pushed_out(chain, 0)
    assert [n for n, (emitted, _) in enumerate(out) if emitted] == beats
    assert [n for n, (_, last) in enumerate(out) if last] == beats[-1:]


@pytest.mark.parametrize(
    ("file", "array", "words"),
    [
        ("blur", "blurx", 2 * 10 + 1),
        ("half", "a", 10 + 2),
        ("two_consumers", "smooth", None),
    ],
)
def test_examples_by_iteration(file: str, array: str, words: int | None) -> None:
    chain = chain_of(EXAMPLES / file / "design.yaml", {"N": 10}, array, *BY_ITERATION)
    assert words is None or chain.words == words
    for number, reader in enumerate(chain.readers):
        out = pushed_out(chain, number)
        assert [n for n, (emitted, _) in enumerate(out) if emitted] == reader.emissions.tolist()


def shown(chain: ChainCircuit, reader: int, elements: Sequence[object]) -> list[tuple[object, ...]]:
    """What each beat of a reader shows: registers and RAMs of the gaps moved beat by beat."""
    circuit = chain.readers[reader]
    cells: list[object] = [None] * chain.words
    seen = []
    emits = iter(circuit.emissions.tolist())
    following = next(emits, None)
    for beat, element in enumerate(elements):
        cells = [element, *cells[:-1]]
        if beat == following:
            seen.append(tuple(cells[tap] for tap in circuit.taps))
            following = next(emits, None)
    return seen


def test_every_operand_is_its_own_element() -> None:
    size = 8
    file = OWN / "chains.yaml"
    for array in ("a", "b"):
        chain = chain_of(file, {"N": size}, array)
        first = 0 if array == "a" else 1
        written = list(product(range(first, size), repeat=2))
        for number, reader in enumerate(chain.readers):
            beats = shown(chain, number, written)
            assert len(beats) == reader.beats
            for row, beat in zip(reader.instances.tolist(), beats, strict=True):
                y, x = row[:2]
                for k, element in enumerate(beat):
                    if READS[array, reader.statement][k](y, x) is not None:
                        assert element == READS[array, reader.statement][k](y, x)


READS = {
    ("a", "B"): (lambda y, x: (y - 1, x), lambda y, x: (y, x), lambda y, x: (y, x - 1)),
    ("a", "O"): (lambda y, x: (y - 3, x),),
    ("b", "O"): (
        lambda y, x: (y - 2, x),
        lambda y, x: (y, x - 1) if x >= 4 else None,
        lambda y, x: (y, x),
    ),
}


def test_a_program_that_waits_for_its_own_results_is_no_chain() -> None:
    file = EXAMPLES / "jacobi1d/design.yaml"
    planning, program = storage(file, {"N": 10, "T": 4}, *BY_ITERATION)
    assert possible_chains(program, planning.plan) == {}


def test_reads_at_distances_that_change_are_no_chain() -> None:
    planning, program = storage(EXAMPLES / "matmul_relu/design.yaml", {}, *BY_ITERATION)
    assert possible_chains(program, planning.plan) == {}


def test_neither_slack_nor_sequential_order_gives_chains() -> None:
    for settings in ((), ("order=iteration", "plan.slack=1")):
        planning, program = storage(EXAMPLES / "blur/design.yaml", {"N": 9}, *settings)
        assert possible_chains(program, planning.plan) == {}


def test_a_plan_with_a_chain_says_so() -> None:
    planning, _ = storage(EXAMPLES / "blur/design.yaml", {"N": 9}, *BY_ITERATION)
    memory = with_chains(planning.plan, {"blurx": 19}).memories["blurx"]
    assert (memory.kind, memory.words, memory.copies) == ("chain", 19, 1)


def test_a_chain_that_would_stall_is_left_out() -> None:
    """B and O read `a` in one step, and O waits for what B makes of it."""
    planning = plan_design(load(OWN / "chains.yaml"))
    kinds = {circuit.array: type(circuit) for circuit in planning.circuits}
    assert kinds == {"a": MemoryCircuit, "b": ChainCircuit}


def test_long_gaps_stand_in_rams_and_end_in_a_register() -> None:
    chain = chain_of(EXAMPLES / "sobel/design.yaml", {"N": 64}, "in", *BY_ITERATION)
    long = Gap(61, 1)
    assert chain.positions == (0, 1, 2, 64, 66, 128, 129, 130)
    assert chain.gaps == (Gap(0, 1), Gap(0, 1), long, Gap(0, 2), long, Gap(0, 1), Gap(0, 1))
