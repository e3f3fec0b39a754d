"""Banks in Verilog: the right words in every beat, one access a cycle and bank, faults caught."""

from __future__ import annotations

import os
import random
import re
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import pytest

from hlsmem.addressing.loop_forms import Affine, holds_at
from hlsmem.check.verilog_text.lint import lint
from hlsmem.core.errors import InputError, LimitError
from hlsmem.dependences.bank_forms import offset_distance
from hlsmem.emit.verilog.verilog_files import rtl_files
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.lifetime.storage_problems import storage_problems
from hlsmem.mapping.portfolio import plan_array
from hlsmem.plan import Plan
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.program.model import Program
from hlsmem.storage.array_parts import operands_of
from hlsmem.storage.banked.kind import Banked
from hlsmem.storage.banked.routes import is_turned, lane_turns
from hlsmem.storage.build import layout
from hlsmem.storage.kind import NotAllocated
from hlsmem.storage.kinds import Allocation
from hlsmem.storage.partition_requests import Conditions, PartitionRequest
from hlsmem.storage.ram.circuit import MemoryCircuit
from hlsmem.tools.simulators import find_simulator
from tests.dependences.test_random import random_program
from tests.emit.verilog.simulated import written, wrong
from tests.faults.verilog import planted_faults
from tests.plans import hardware_of, plan_of
from tests.steps import load

EXAMPLES = Path(__file__).parents[3] / "examples"


def banked(program: Program, slack: int) -> tuple[Program, Plan]:
    """A plan with every array in banks that can be; InputError where one cannot."""
    arrays = {name: replace(a, reads="banks") for name, a in program.arrays.items()}
    program = replace(program, arrays=arrays)
    conditions = Conditions(fold=partial(plan_array, method="auto", budget=50_000), slack=slack)
    held = [
        (problem.array.name, in_banks_where_possible(program, problem, conditions))
        for problem in storage_problems(program, slack=slack)
    ]
    made = layout(program, held, slack=slack)
    whole = {
        name: replace(one, part=replace(one.part, operands=operands))
        for name, one in made.items()
        for operands in [operands_of(program, program.arrays[name])]
    }
    return program, plan_of(program, whole, slack=slack)


def in_banks_where_possible(
    program: Program, problem: StorageProblem, conditions: Conditions
) -> Allocation:
    """An array that is read by one operand a beat, or is one cell, has no banks."""
    request = PartitionRequest(
        program=program,
        array=problem.array,
        block=operands_of(program, problem.array),
        conditions=conditions,
        source=program,
    )
    held = request.of(Banked)
    return request.in_memory if isinstance(held, NotAllocated) else held


def simulate_random(seed: int, folder: Path) -> None:
    chance = random.Random(seed)
    program, slack = random_program(chance), chance.choice([0, 0, 1, 2])
    registered = chance.random() < 0.4
    try:
        program, plan = banked(program, slack)
        written(program, plan, folder, registered=registered)
    except (InputError, LimitError) as error:
        pytest.skip(f"no banks: {error}")
    assert wrong(program, plan, folder, static=seed % 4 == 0) == []


# Streams of several operands and of one, a drain, both orders, slack, output registers, guards.
@pytest.mark.few(1)
@pytest.mark.parametrize("seed", [1, 7, 16])
def test_random_programs_in_banks_do_what_the_plan_says(seed: int, tmp_path: Path) -> None:
    simulate_random(seed, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 160))
def test_more_random_programs_in_banks(seed: int, tmp_path: Path) -> None:
    simulate_random(seed, tmp_path)


def example(name: str, *settings: str, **parameters: int) -> Planning:
    return _example(name, settings, tuple(parameters.items()))


@cache
def _example(
    name: str, settings: tuple[str, ...], parameters: tuple[tuple[str, int], ...]
) -> Planning:
    file = EXAMPLES / name / "design.yaml"
    return hardware_of(file, parameters=dict(parameters), settings=settings)


def memory_of(planning: Planning) -> MemoryCircuit:
    (memory,) = planning.circuits
    assert isinstance(memory, MemoryCircuit)
    return memory


def test_one_bank_number_turns_all_operands_of_a_stencil() -> None:
    memory = memory_of(example("stencil5", N=10, M=10))
    assert (memory.banks, memory.copies, memory.banked) == (5, 1, (0,))
    route = memory.streams[0].route
    assert route is not None
    assert route.is_shared
    turns = {
        tuple((bank - lane[0]) % 5 for bank in lane if bank is not None and lane[0] is not None)
        for lane in route.lanes
    }
    assert turns == {(0, 1, 2, 3, 4)}


def test_words_are_turned_in_registers_where_no_write_waits_for_the_reads() -> None:
    for name, size in (("stencil5", 5), ("bicubic", 4), ("transpose", 4)):
        planning = example(name)
        memory = memory_of(planning)
        readers = [s for s in memory.streams if not s.is_write]
        assert all(is_turned(memory, s) for s in readers)
        turns = [lane_turns(s.route, size) for s in readers if s.route is not None]
        assert all(t is not None and len(set(t)) == size for t in turns)
        reader, writer = readers[0], next(s for s in memory.streams if s.is_write)
        position = memory.streams.index(reader)
        waits = replace(writer, gates=(replace(reader.gates[0], other=position),))
        streams = tuple(waits if s is writer else s for s in memory.streams)
        assert not is_turned(replace(memory, streams=streams), reader)


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 7, 13, 291])
def test_random_banks_are_clean_under_verilator(seed: int, tmp_path: Path) -> None:
    """In that of 1 a stream leaves out a bank, in that of 291 some offsets have no distance."""
    chance = random.Random(seed)
    program, plan = banked(random_program(chance), chance.choice([0, 0, 1, 2]))
    written(program, plan, tmp_path, registered=seed == 7)
    simulator = find_simulator(os.environ["PATH"], prefer="verilator")
    (found,) = lint(sorted((tmp_path / "rtl").glob("*.v")), f"{plan.design}_mem", simulator)
    assert found.complaints == ()


def test_operands_that_are_always_in_one_bank_need_no_selector(tmp_path: Path) -> None:
    """The coarse reader's words are in the first bank and in the second, whatever the beat."""
    parts = "[{operands: [m_t_A.0, m_t_B.0, m_t_B.1], kind: banked}]"
    planning = example("two_readers", f"arrays.t.parts={parts}", W=32, H=8)
    assert planning.program is not None
    written(planning.program, planning.plan, tmp_path)
    (text,) = (file.read_text() for file in tmp_path.rglob("*_buffer.v"))
    (unused,) = re.findall(r"wire unused = .*", text)
    assert "m_t_B_bank_0" in unused


def test_a_bank_to_spare_is_no_operand_and_linters_know(tmp_path: Path) -> None:
    """Elements 1, 2 and 3 apart need four banks, of which a beat reads three."""
    (tmp_path / "spare.c").write_text(
        """void spare(const short a[20], short b[17]) {
        #pragma scop
            for (int i = 0; i < 17; i++)
                b[i] = a[i] + a[i + 1] * a[i + 3];
        #pragma endscop
        }"""
    )
    (tmp_path / "spare.yaml").write_text(
        "{hlsmem: 1, name: spare, kernel: {file: spare.c, function: spare},"
        " arrays: {a: {storage: memory, reads: banks}}}"
    )
    planning = plan_hardware(load(tmp_path / "spare.yaml"))
    assert planning.program is not None
    assert memory_of(planning).banks == 4
    written(planning.program, planning.plan, tmp_path)
    (text,) = (file.read_text() for file in tmp_path.rglob("*_buffer.v"))
    (unused,) = re.findall(r"wire unused = .*", text)
    spare = set(re.findall(r"m_a_S0_turned\[\d+:\d+\]", unused))
    operands = set(re.findall(r"_word_\d+ = (m_a_S0_turned\[\d+:\d+\]);", text))
    assert spare | operands == {f"m_a_S0_turned[{k + 15}:{k}]" for k in (0, 16, 32, 48)}
    assert len(spare) == 1
    assert wrong(planning.program, planning.plan, tmp_path) == []


@pytest.mark.few(1)
@pytest.mark.parametrize(("loop", "width"), [("x=2", 8), ("y=2", 7)])
def test_banks_serve_all_lanes_of_an_unrolled_loop(loop: str, width: int, tmp_path: Path) -> None:
    """Two pixels beside each other read eight elements; the last row of some is alone."""
    settings = ["order=iteration", f"pipeline.unroll.{loop}"]
    planning = example("stencil5", *settings, N=7, M=width)
    assert planning.program is not None
    memory = memory_of(planning)
    assert (memory.banks, memory.copies) == (8, 1)
    written(planning.program, planning.plan, tmp_path)
    assert wrong(planning.program, planning.plan, tmp_path) == []


def test_a_stream_that_brings_several_elements_a_beat_has_no_banks() -> None:
    settings = ["order=iteration", "pipeline.unroll.x=2", "arrays.in.storage=stream"]
    with pytest.raises(InputError) as caught:
        example("stencil5", *settings, N=8, M=8)
    (problem,) = caught.value.problems
    assert problem.what == "'in' cannot be in banks: unrolled, a beat writes several elements"


def test_offsets_of_operands_are_at_distances_from_one() -> None:
    for name in ("stencil5", "bicubic", "transpose"):
        for stream in memory_of(example(name)).streams:
            if stream.is_write or stream.route is None:
                continue
            assert stream.route.distances is not None
            assert len({*stream.route.offsets}) == 1
    route = memory_of(example("stencil5")).streams[0].route
    assert route is not None
    assert route.distances is not None
    assert [(d.least, d.more) for d in route.distances] == [
        (0, 0),
        (-1, 1),
        (0, 1),
        (-13, 0),
        (13, 0),
    ]


def test_a_distance_is_what_forms_differ_by() -> None:
    chance = random.Random(5)
    points = [(chance.randrange(-40, 40), chance.randrange(-40, 40)) for _ in range(200)]
    for _ in range(200):
        factors = tuple(chance.randrange(-3, 4) for _ in range(2))
        divisor, times = chance.randrange(2, 9), chance.choice([-7, -1, 1, 4])
        line = Affine(chance.randrange(9), (2, 13))

        one, other = (
            line + Affine(chance.randrange(-20, 20), factors).floor_divide(divisor).scaled(times)
            for _ in range(2)
        )
        found = offset_distance(one, other)
        assert found is not None
        least, more, when = found
        for point in points:
            apart = least + (more if when is not None and holds_at(when, point) else 0)
            assert one.at(point) == other.at(point) + apart
    assert offset_distance(Affine(0, (1,)), Affine(0, (2,))) is None
    assert offset_distance(Affine(0, (1,)).floor_divide(3), Affine(0, (1,)).floor_divide(2)) is None


def test_every_stream_of_several_reads_has_banks_of_its_own() -> None:
    planning = example("transpose", N=8)
    memory = memory_of(planning)
    assert memory.banked == (0, 1)
    words = planning.plan.memories["tile"]
    assert (words.kind, words.banks, words.copies, words.words) == ("banked", 4, 2, 2 * 64)


@pytest.mark.long
def test_banks_take_the_cycles_that_copies_take() -> None:
    banks, copies = example("stencil5"), example("stencil5", "arrays.in.reads=copies")
    assert banks.prediction is not None
    assert copies.prediction is not None
    assert copies.prediction.cycles is not None
    # One more for the register in front of the RAMs, one for that in the turn, at the end.
    assert banks.prediction.cycles == copies.prediction.cycles + 2
    assert banks.plan.memories["in"].words == 4160
    assert copies.plan.memories["in"].words == 5 * 4094


def test_no_address_is_multiplied_or_divided() -> None:
    planning = example("bicubic")
    assert planning.prediction is not None
    for file in rtl_files(planning.program, planning.plan, planning.circuits, planning.prediction):
        if file.name.endswith(("_walk.v", "_buffer.v")):
            text = "\n".join(line.split("//")[0] for line in file.text.splitlines())
            assert "%" not in text
            assert "/" not in text
            assert "*" not in text.replace("@*", "")


FAULTS = ("swapped banks", "wrong rotation", "swapped copies", "wrong step")


@pytest.mark.parametrize(
    "kind", [FAULTS[0], *(pytest.param(one, marks=pytest.mark.dear) for one in FAULTS[1:])]
)
def test_faults_of_banks_are_caught(kind: str, tmp_path: Path) -> None:
    planning = example("stencil5", N=6, M=7)
    assert planning.program is not None
    plan = planning.plan
    written(planning.program, plan, tmp_path)
    own = {f.name: f.read_text() for f in (tmp_path / "rtl").glob("stencil5_*.v")}
    fault = next(one for one in planted_faults(own, most=1) if one.kind == kind)
    for name, text in fault.files.items():
        (tmp_path / "rtl" / name).write_text(text)
    assert wrong(planning.program, plan, tmp_path)


@pytest.mark.dear
def test_banks_without_a_fault_pass(tmp_path: Path) -> None:
    planning = example("stencil5", N=6, M=7)
    assert planning.program is not None
    written(planning.program, planning.plan, tmp_path)
    assert wrong(planning.program, planning.plan, tmp_path) == []


def test_the_cheapest_of_all_memories_is_taken() -> None:
    """Of ECP5 five copies of 4096 words are 40 block RAMs, five banks ten, nine of 484 nine."""
    settings = ["arrays.in.reads=auto", "target.device=ecp5-25k"]
    memory = example("stencil5", *settings).plan.memories["in"]
    assert (memory.kind, memory.banks) == ("banked", 9)
    assert memory.resources is not None
    assert memory.resources.blocks == 9


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("name", "settings", "said"),
    [
        (
            "stencil5",
            ["arrays.in.max_banks=4"],
            "'in' has 5 accesses a cycle, which 4 banks cannot serve",
        ),
        ("stencil5", ["arrays.in.max_banks=1"], "'in' cannot be in banks: max_banks is 1"),
        (
            "triangle",
            ["arrays.sum.reads=banks"],
            "'sum' cannot be in banks: no beat reads more than one element of it",
        ),
        (
            "durbin",
            ["arrays.alpha.reads=banks"],
            "'alpha' cannot be in banks: it has one cell",
        ),
    ],
)
def test_banks_that_cannot_be_are_refused(name: str, settings: list[str], said: str) -> None:
    with pytest.raises(InputError) as caught:
        example(name, *settings)
    (problem,) = caught.value.problems
    assert problem.what.startswith(said)
    assert problem.source_location is not None
