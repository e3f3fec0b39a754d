"""Reuse chains: every operand is the element that came its distance before, counted by hand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from hlsmem.core.errors import InputError
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.program.model import Program
from hlsmem.storage.reuse_chain.circuit import ChainCircuit, NoChain, chain_circuit
from tests.addressing.generator_run import holds, positions
from tests.plans import hardware_of, laid, plan_storage
from tests.steps import load

EXAMPLES = Path(__file__).parents[2] / "examples"
OWN = Path(__file__).parent / "designs"
BY_ITERATION = ("order=iteration",)


def storage(file: Path, parameters: dict[str, int], *settings: str) -> tuple[Planning, Program]:
    planning = plan_storage(load(file, parameters=parameters, settings=settings))
    assert planning.program is not None
    return planning, planning.program


def chain_of(file: Path, parameters: dict[str, int], array: str, *settings: str) -> ChainCircuit:
    planning, program = storage(file, parameters, *settings)
    chain = chain_circuit(program, laid(planning.plan)[array], program.arrays[array])
    assert isinstance(chain, ChainCircuit)
    return chain


def no_chain(file: Path, parameters: dict[str, int], array: str, *settings: str) -> str:
    """Why an array is no chain."""
    planning, program = storage(file, parameters, *settings)
    found = chain_circuit(program, laid(planning.plan)[array], program.arrays[array])
    assert isinstance(found, NoChain)
    return found.reason


def pushed_out(chain: ChainCircuit, reader: int) -> list[tuple[bool, bool]]:
    """(emitted, last) at every write beat, from the address generator as hardware steps it."""
    circuit = chain.readers[reader]
    guards = dict(chain.generator.conditions)
    return [
        (
            circuit.emit is None or holds(guards[circuit.emit], place.registers),
            circuit.last is None or holds(guards[circuit.last], place.registers),
        )
        for place in positions(chain.generator)
    ]


def test_sobel_holds_two_lines_and_three_pixels() -> None:
    size = 9
    chain = chain_of(EXAMPLES / "sobel/design.yaml", {"N": size}, "in", *BY_ITERATION)
    arrivals = list(product(range(size), repeat=2))
    beats = [
        n for n, (y, x) in enumerate(arrivals) if y >= 2 and x >= 2
    ]  # the pixel at the corner of the window that comes last
    (reader,) = chain.readers
    assert np.flatnonzero(chain.emits(reader)).tolist() == beats
    below = (0, size, 2 * size)
    assert {*reader.distances} == {line + k for line in below for k in range(3)} - {size + 1}
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
        assert [n for n, (emitted, _) in enumerate(out) if emitted] == np.flatnonzero(
            chain.emits(reader)
        ).tolist()


def shown(chain: ChainCircuit, reader: int, elements: Sequence[object]) -> list[tuple[object, ...]]:
    """What each beat of a reader shows: every lane moved beat by beat, its taps looked up."""
    circuit, lanes = chain.readers[reader], len(chain.chain.lanes)
    cells: list[list[object]] = [[None] * (1 + one.positions[-1]) for one in chain.chain.lanes]
    seen = []
    emits = {*np.flatnonzero(chain.emits(circuit)).tolist()}
    for beat in range(len(elements) // lanes):
        newest_first = elements[beat * lanes : (beat + 1) * lanes][::-1]
        cells = [[new, *old[:-1]] for new, old in zip(newest_first, cells, strict=True)]
        if beat in emits:
            taps = [chain.chain.tap(distance) for distance in circuit.distances]
            places = [
                (tap.lane, chain.chain.lanes[tap.lane].positions[tap.position]) for tap in taps
            ]
            seen.append(tuple(cells[lane][position] for lane, position in places))
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
            for row, beat in zip(reader.instances.rows.tolist(), beats, strict=True):
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
    """The two steps of a time loop are one statement each, and feed each other."""
    reason = no_chain(EXAMPLES / "jacobi1d/design.yaml", {"N": 10, "T": 4}, "a", *BY_ITERATION)
    assert reason == "3 accesses write 'a', a chain takes those of one"


def test_reads_at_distances_that_change_are_no_chain() -> None:
    reason = no_chain(EXAMPLES / "matmul_relu/design.yaml", {}, "active", *BY_ITERATION)
    assert reason.endswith("lies 0 to 11 elements behind the newest")
    assert "matmul_relu.c:21:30" in reason


def test_reads_between_two_writes_are_no_chain() -> None:
    assert no_chain(OWN / "two_reads.yaml", {}, "a") == "R has 2 read beats between two writes"


def test_blur_is_a_chain_in_both_orders() -> None:
    """In sequential order a step reads before it writes: the newest element is a beat older."""
    for settings, taps in (((), (18, 9, 0)), (BY_ITERATION, (18, 9, 0))):
        chain = chain_of(EXAMPLES / "blur/design.yaml", {"N": 9}, "blurx", *settings)
        (reader,) = chain.readers
        assert (reader.distances, chain.words) == (taps, 19)


def test_a_chain_may_hold_its_newest_element_beside_the_cells_of_the_memory() -> None:
    planning, program = storage(EXAMPLES / "echo/design.yaml", {"N": 3000})
    assert planning.plan.memories["in"].words == 1283
    found = chain_circuit(program, laid(planning.plan)["in"], program.arrays["in"])
    assert isinstance(found, ChainCircuit)
    assert found.words == 1284


def test_with_slack_a_chain_has_a_skid_that_is_counted() -> None:
    settings = ("plan.slack=1", "target.device=ecp5-25k")
    tight, loose = (
        hardware_of(EXAMPLES / "window3/design.yaml", parameters={"W": 12}, settings=own)
        for own in (settings[1:], settings)
    )
    one, other = (planning.plan.memories["in"] for planning in (tight, loose))
    assert (one.kind, other.kind) == ("chain", "chain")
    assert other.words == one.words + 1
    assert one.resources is not None
    assert other.resources is not None
    assert other.resources.flip_flops == one.resources.flip_flops + other.bits
    assert tight.prediction == loose.prediction


def test_a_plan_with_a_chain_says_so() -> None:
    planning = hardware_of(EXAMPLES / "blur/design.yaml", parameters={"N": 9})
    memory = planning.plan.memories["blurx"]
    assert (memory.kind, memory.words, memory.copies) == ("chain", 19, 1)
    (part,) = planning.plan.arrays["blurx"].hardware.parts
    assert part.taps == (18, 9, 0)
    assert part.operands == tuple(("m_blurx_C", k) for k in range(3))


@pytest.mark.long
def test_chains_of_branches_that_meet_again_do_not_stall() -> None:
    """B and O read `a` in one step, and O waits for what B makes of it in a branch FIFO."""
    planning = hardware_of(OWN / "chains.yaml")
    kinds = {circuit.array: type(circuit) for circuit in planning.circuits}
    assert kinds == {"a": ChainCircuit, "b": ChainCircuit}
    (branch,) = planning.plan.elastic
    assert (branch.stream, branch.waits_for) == ("m_a_O", "m_b_O")
    assert branch.beats > 0
    timing = planning.plan.timing
    assert timing is not None
    assert timing.interval == 1.0


def test_long_gaps_stand_in_rams_and_end_in_a_register() -> None:
    chain = chain_of(EXAMPLES / "sobel/design.yaml", {"N": 64}, "in", *BY_ITERATION)
    (lane,) = chain.chain.lanes
    assert lane.positions == (0, 1, 2, 64, 66, 128, 129, 130)
    segments = [(segment.ram, segment.registers) for segment in lane.segments]
    assert segments == [(0, 1), (0, 1), (61, 1), (0, 2), (61, 1), (0, 1), (0, 1)]


@pytest.mark.parametrize(
    ("factors", "lanes"), [({"x": 2}, 2), ({"x": 4}, 4), ({"y": 2, "x": 2}, 4)]
)
def test_unrolled_every_operand_is_its_own_element(factors: dict[str, int], lanes: int) -> None:
    """Lanes of a step in the order of the unrolled loops, outermost first."""
    width, height = 16, 8
    settings = [f"pipeline.unroll.{loop}={factor}" for loop, factor in factors.items()]
    file = EXAMPLES / "window3/design.yaml"
    chain = chain_of(file, {"W": width, "H": height}, "in", *settings)
    down, right = factors.get("y", 1), factors.get("x", 1)
    written = [
        (y + j, x + i)
        for y in range(0, height, down)
        for x in range(0, width, right)
        for j in range(down)
        for i in range(right)
    ]
    assert chain.beats == len(written) // lanes
    beats = shown(chain, 0, written)
    # Steps begin with the arrivals, one row and one column before the first pixel.
    steps = [
        [(y + j, x + i) for j in range(down) for i in range(right)]
        for y in range(-1, height - 1, down)
        for x in range(-1, width - 1, right)
    ]
    inside = [[0 < y < height - 1 and 0 < x < width - 1 for y, x in step] for step in steps]
    pixels = [(step, held) for step, held in zip(steps, inside, strict=True) if any(held)]
    assert len(beats) == len(pixels)
    window = list(product((-1, 0, 1), repeat=2))
    for operands, (step, held) in zip(beats, pixels, strict=True):
        for lane, (y, x) in enumerate(step):
            mine = operands[lane * 9 : lane * 9 + 9]
            if held[lane]:
                assert set(mine) == {(y + j, x + i) for j, i in window}
                assert mine[4] == (y, x)


def test_a_row_that_does_not_fill_its_beats_is_refused() -> None:
    design = load(
        EXAMPLES / "window3/design.yaml",
        parameters={"W": 17, "H": 8},
        settings=("pipeline.unroll.x=2",),
    )
    with pytest.raises(InputError) as caught:
        plan_hardware(design)
    (problem,) = caught.value.problems
    assert "in[0][0] and in[0][1] in one step" in problem.what
    assert "one here brings 1" in problem.remedy
