"""Laws of the cycle count that follow from the rules alone, by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hlsmem.cycle_model import Datapaths, Prediction
from hlsmem.dependences.related_dependences import Unrelated
from hlsmem.emit.report import report
from hlsmem.planner.output_files import simulated_files
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.program.model import Program
from hlsmem.storage.build import circuits
from hlsmem.storage.predicted_run import predict_circuits
from hlsmem.storage.ram import circuit as ram
from hlsmem.storage.ram.circuit import MemoryCircuit
from tests.dependences.test_random import plan_of
from tests.plans import hardware_of, laid
from tests.programs import make_program
from tests.steps import load

EXAMPLES = Path(__file__).parents[2] / "examples"

NONE = Datapaths(latency={})


def chain(length: int) -> Program:
    """Every element is made from the one before: nothing can overlap."""
    return make_program(
        values={"N": length},
        domains=["[N] -> { S[i] : 0 <= i < N }"],
        schedules=["[N] -> { S[i] -> [i, 0] }"],
        writes=["[N] -> { S[i] -> A[i] }"],
        reads=["[N] -> { S[i] -> A[i - 1] : i >= 1 }"],
        drop_unprovided_reads=True,
    )


def cycles(program: Program, latency: int, *, output_register: bool = False) -> Prediction:
    memories = circuits(program, laid(plan_of(program, 0)), output_register=output_register)
    return predict_circuits(
        memories, Datapaths(latency={s.name: latency for s in program.statements})
    )


@pytest.mark.parametrize("latency", [0, 1, 4])
@pytest.mark.parametrize("output_register", [False, True])
def test_a_value_goes_round_in_two_cycles_and_the_latency(
    latency: int, output_register: bool
) -> None:
    short = cycles(chain(10), latency, output_register=output_register)
    long = cycles(chain(17), latency, output_register=output_register)
    rounds = 2 + latency + output_register
    assert short.cycles is not None
    assert long.cycles == short.cycles + 7 * rounds
    assert short.interval == long.interval == rounds
    back = f"whose value is back after {rounds} cycles"
    assert short.reason == long.reason == f"m_A_S waits for s_A_S, {back}"


@pytest.mark.parametrize("size", [8, 12])
def test_blur_writes_one_value_a_cycle(size: int) -> None:
    settings = ("arrays.blurx.reads=copies",)
    planning = hardware_of(EXAMPLES / "blur/design.yaml", parameters={"N": size}, settings=settings)
    assert planning.program is not None
    memories = circuits(planning.program, laid(planning.plan))
    # The last write in cycle N*N - 1, the last read issued one later and taken two later,
    # then two registers until busy falls.
    assert predict_circuits(memories, NONE).cycles == size * size - 1 + 4
    streams = {s.name: s for s in predict_circuits(memories, NONE).streams}
    assert streams["s_blurx_P"].last_cycle == size * size - 1
    assert streams["m_blurx_C"].first_cycle == 2 * size + 1


def test_latency_delays_the_end_alone_where_nothing_comes_back() -> None:
    planning = hardware_of(EXAMPLES / "blur/design.yaml", parameters={"N": 8})
    assert planning.program is not None
    memories = circuits(planning.program, laid(planning.plan))
    assert (
        predict_circuits(memories, Datapaths(latency={"C": 9})).cycles
        == predict_circuits(memories, NONE).cycles
    )


# How much is lost besides a beat a cycle at the busiest write port, or of the longest stream.
@pytest.mark.few("blur", "two")
@pytest.mark.parametrize(
    ("name", "size", "method", "lost"),
    [
        ("blur", 8, "width", 2),
        ("half", 16, "bases", 2),
        ("two_consumers", 24, "width", 2),
        ("triangle", 8, "auto", 6),
        ("jacobi1d", 12, "lattice", 3),
        pytest.param("heat2d", 6, "lattice", 3, marks=pytest.mark.long),
    ],
)
def test_what_is_lost_does_not_grow(name: str, size: int, method: str, lost: int) -> None:
    assert [beyond_the_port(name, n, method) for n in (size, 2 * size)] == [lost, lost]


def beyond_the_port(name: str, size: int, method: str) -> int:
    settings = ["plan.slack=1", f"plan.method={method}"]
    if name in ("jacobi1d", "heat2d"):  # one memory, whose write port is the busiest
        settings += ["arrays.a.reads=copies"]
    planning = hardware_of(EXAMPLES / name / "design.yaml", {"N": size}, settings)
    assert planning.prediction is not None
    beats = []
    for streams in (circuit.streams for circuit in planning.circuits):
        beats.append(sum(stream.beats for stream in streams if stream.is_write))
        beats += [stream.beats for stream in streams]
    return planning.prediction.cycles - max(beats)


def test_loops_that_share_a_port_start_a_step_in_every_cycle() -> None:
    # Step and Edge write one value an iteration between them, while Load is long over.
    prediction = hardware_of(EXAMPLES / "jacobi1d/design.yaml", {"N": 12, "T": 6}).prediction
    assert prediction is not None
    assert (prediction.interval, prediction.reason) == (1.0, None)


def test_streams_that_wait_for_each_other_are_reported() -> None:
    from hlsmem.core.errors import LimitError

    program = chain(6)
    (memory,) = circuits(program, laid(plan_of(program, 0)))
    reader = next(k for k, stream in enumerate(memory.streams) if not stream.is_write)
    circuit = memory.streams[reader]
    gate = replace(circuit.gates[0], limit=np.asarray(circuit.gates[0].limit) + 1)
    streams = list(memory.streams)
    streams[reader] = replace(circuit, gates=(gate,))
    with pytest.raises(LimitError, match="wait for each other: m_A_S at beat 0 of 5"):
        predict_circuits([replace(memory, streams=tuple(streams))], NONE)


def test_a_program_without_planned_arrays_has_nothing_to_predict() -> None:
    settings = ["arrays.in.storage=external"]
    planning = hardware_of(EXAMPLES / "sobel/design.yaml", settings=settings)
    assert (planning.circuits, planning.prediction, planning.plan.timing) == ((), None, None)
    assert predict_circuits([], NONE).interval == 1.0


@pytest.mark.dear
def test_a_run_of_which_no_part_repeats_has_verilog_without_cycles(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("hlsmem.cycle_model.stream_simulation.MOST_SIMULATED", 100)
    planning = plan_hardware(load(EXAMPLES / "durbin/design.yaml", parameters={"N": 8}))
    timing = planning.plan.timing
    assert timing is not None
    assert (timing.cycles, timing.interval) == (None, None)
    assert timing.reason == (
        "cycles are not predicted: more than 100 cycles are unlike those before them"
    )
    files = simulated_files(planning)
    assert "Its cycles are not predicted: more than 100 " in files["rtl/README.md"]
    assert json.loads(files["sim/durbin.json"])["prediction"]["cycles"] is None
    assert "Cycles are not predicted: more than 100 cycles" in report(planning.plan)


@pytest.mark.few(1)
@pytest.mark.parametrize(("least_part", "predicted"), [(0.01, True), (0.99, False)])
def test_a_run_that_hardly_gets_on_is_given_up_early(
    monkeypatch: pytest.MonkeyPatch, least_part: float, predicted: bool
) -> None:
    monkeypatch.setattr("hlsmem.cycle_model.stream_simulation.MOST_SIMULATED", 1000)
    monkeypatch.setattr("hlsmem.cycle_model.stream_simulation._LEAST_PART", least_part)
    planning = plan_hardware(load(EXAMPLES / "durbin/design.yaml", parameters={"N": 12}))
    assert planning.prediction is not None
    assert (planning.prediction.cycles is not None) == predicted
    assert predicted or "more than 250 cycles" in str(planning.prediction.reason)


def blur_in_copies(size: int) -> Planning:
    settings = ("arrays.blurx.reads=copies",)
    return plan_hardware(
        load(EXAMPLES / "blur/design.yaml", parameters={"N": size}, settings=settings)
    )


def test_a_large_memory_is_planned_without_listing() -> None:
    """It ends as many cycles after the last value was written as a small one."""
    ends = []
    for size in (64, 2100):
        planning = blur_in_copies(size)
        assert [type(one) for one in planning.circuits] == [MemoryCircuit]
        assert planning.prediction is not None
        assert planning.prediction.cycles is not None
        ends.append(planning.prediction.cycles - size * size)
    assert ends[0] == ends[1]


def test_a_plan_too_long_to_be_listed_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object, **__: object) -> None:
        raise Unrelated("isl has had enough")

    monkeypatch.setattr(ram, "RelatedBetween", none)
    planning = blur_in_copies(2100)
    timing = planning.plan.timing
    assert (planning.circuits, planning.prediction) == ((), None)
    assert timing is not None
    assert (timing.cycles, timing.interval) == (None, None)
    # N * N written, three operands of (N - 2) * N instances read.
    assert timing.reason == (
        f"no Verilog: blurx is read and written {2100 * 2100 + 3 * 2098 * 2100} times, and"
        " accesses are looked at one by one up to 4194304, as isl has had enough; plan it with"
        " smaller parameters, see --param"
    )
