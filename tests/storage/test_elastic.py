"""Branch FIFOs: as deep as the paths differ, no beat deeper, and right at any depth."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import MappingProxyType

import pytest

from hlsmem.check.plans.plan_holdings import wired_streams
from hlsmem.check.replayed.replay_check import run_of
from hlsmem.check.rtl.bench_vectors import BenchRun, bench_vectors
from hlsmem.check.rtl.expected_beats import traffic
from hlsmem.check.rtl.rtl_verdicts import run_bench
from hlsmem.check.rtl.simulated_device import Device, read_device
from hlsmem.cycle_model import Datapaths, datapaths_of
from hlsmem.plan import to_json
from hlsmem.planner.output_files import simulated_files
from hlsmem.planner.plan_assembly import Planning
from hlsmem.program.model import Program
from hlsmem.storage.predicted_run import network_of, predict_circuits, simulated, without_stalls
from hlsmem.tools.simulators import find_simulator
from tests.plans import hardware_of

EXAMPLES = Path(__file__).parents[2] / "examples"
OWN = Path(__file__).parent / "designs"
MIXED = OWN / "mixed.yaml"
DESIGNS = {
    "unsharp": (EXAMPLES / "unsharp/design.yaml", {"W": 8, "H": 6}),
    "unsharp, wide": (EXAMPLES / "unsharp/design.yaml", {}),
    "unsharp, slack 1": (EXAMPLES / "unsharp/design.yaml", {"W": 8, "H": 6}),
    "camera": (EXAMPLES / "camera/design.yaml", {"W": 20, "H": 12}),
    "camera, slack 1": (EXAMPLES / "camera/design.yaml", {"W": 20, "H": 12}),
    "chains": (Path(__file__).parents[1] / "dependences/designs/chains.yaml", {"N": 8}),
    "behind a FIFO": (EXAMPLES / "unsharp/design.yaml", {"W": 8, "H": 6}),
    "behind a RAM": (MIXED, {"N": 8}),
    "behind banks": (MIXED, {"N": 8}),
    "beside a RAM": (MIXED, {"N": 8}),
    "in front of a part": (OWN / "waits.yaml", {}),
    "beside a FIFO": (OWN / "slips.yaml", {}),
}
# Where no depth would do for ever.
ENDLESS = {
    "rates": (OWN / "rates.yaml", {}),
    "rates, longer": (OWN / "rates.yaml", {"N": 256}),
    "rounds": (OWN / "rounds.yaml", {}),
}
SETTINGS = {
    "unsharp, slack 1": ("plan.slack=1",),
    "camera, slack 1": ("plan.slack=1",),
    "behind a FIFO": ("arrays.in.parts=streams",),
    "behind banks": ("arrays.a.reads=banks",),
    "beside a RAM": ("arrays.a.reads=auto", "arrays.b.reads=copies"),
}


@cache
def planning(name: str) -> Planning:
    file, parameters = (DESIGNS | ENDLESS)[name]
    return hardware_of(file, parameters, SETTINGS.get(name, ()))


def program_of(name: str) -> Program:
    found = planning(name).program
    assert found is not None
    return found


def depths_of(name: str) -> dict[str, int]:
    return {one.stream: one.beats for one in planning(name).plan.elastic}


def cycles(name: str, depths: dict[str, int], latency: dict[str, int] | None = None) -> int:
    """The cycles of a run with branch FIFOs of these depths, predicted."""
    own = planning(name)
    joined = [junction for built in own.storage.values() for junction in built.junctions]
    slower = datapaths_of(program_of(name)).latency if latency is None else latency
    found = predict_circuits(
        own.circuits, Datapaths(latency=slower), joined, MappingProxyType(depths)
    ).cycles
    assert found is not None
    return found


def device(name: str, folder: Path, depths: dict[str, int]) -> tuple[Device, list[Path]]:
    """The generated Verilog with branch FIFOs of other depths than planned."""
    for file, text in simulated_files(planning(name)).items():
        if file.startswith(("rtl/", "sim/")):
            target = folder / file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
    design = planning(name).plan.design
    top = folder / f"rtl/{design}_mem.v"
    text = top.read_text()
    for stream, depth in depths.items():
        address = max(1, (depth - 1).bit_length())
        text, found = re.subn(
            rf"\.DEPTH\(\d+\),\n(\s+)\.ADDRESS\(\d+\)\n(\s+\) u_{stream}_branch)",
            rf".DEPTH({depth}),\n\1.ADDRESS({address})\n\2",
            text,
        )
        assert found == 1
    top.write_text(text)
    return read_device(folder / f"sim/{design}.json"), sorted((folder / "rtl").glob("*.v"))


def in_verilog(
    name: str, folder: Path, depths: dict[str, int], runs: tuple[BenchRun, ...]
) -> list[int]:
    """The cycles of each run; all beats were the right ones."""
    program = program_of(name)
    made, sources = device(name, folder, depths)
    recorded, _ = run_of(program, program.planned_arrays())
    registered = "slack" in name
    wired = wired_streams(json.loads(to_json(planning(name).plan)))
    expected = traffic(program, recorded)
    vectors = bench_vectors(program, made, expected, runs, registered=registered, wired=wired)
    found = run_bench(made, sources, vectors, find_simulator(os.environ["PATH"]), 600)
    assert [record["fault"] for record in found.records] == [None] * len(runs)
    return [record["cycles"] for record in found.records]


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("behind a FIFO", {"in_0": "chain", "in_1": "fifo", "b": "registers"}),
        ("behind a RAM", {"a": "ram", "b": "chain"}),
        ("behind banks", {"a": "banked", "b": "chain"}),
        ("beside a RAM", {"a": "chain", "b": "ram"}),
        ("in front of a part", {"in_0": "wire", "in_1": "chain", "q": "registers"}),
        ("beside a FIFO", {"in": "registers", "b": "fifo"}),
    ],
)
def test_every_kind_of_storage_may_have_a_branch_fifo_behind_it(
    name: str, kinds: dict[str, str]
) -> None:
    plan = planning(name).plan
    assert {memory: one.kind for memory, one in plan.memories.items()} == kinds
    assert len(plan.elastic) == 1
    assert plan.timing is not None
    assert plan.timing.interval == 1.0


@pytest.mark.parametrize(("name", "waiting"), [("rates", 16), ("rates, longer", 64)])
def test_where_rates_differ_for_ever_the_array_grows_and_no_branch_fifo(
    name: str, waiting: int
) -> None:
    """The schedule says when both are read, so that what waits till then is alive: it has cells.
    Branch FIFOs hold what latencies add, which does not depend on how long a run is."""
    assert planning(name).plan.memories["a_1"].words == waiting
    most = {"m_a_1_O": 2}
    assert all(beats <= most[stream] for stream, beats in depths_of(name).items())
    assert cycles(name, most) == cycles(name, {"m_a_1_O": 50})


def test_a_way_that_goes_round_has_no_branch_fifo_as_none_would_help() -> None:
    """Every sum takes seven cycles from the one before: however deep, the other branch fills."""
    assert not depths_of("rounds")
    assert {cycles("rounds", {"m_a_O": beats}) for beats in (1, 6, 60)} == {cycles("rounds", {})}
    timing = planning("rounds").plan.timing
    assert timing is not None
    assert timing.reason == "s_a_L is held back, as m_a_O waits for m_s_O"


def test_sums_in_turn_elsewhere_take_no_branch_fifo_away() -> None:
    """A sum beside a fork that needs one: what goes round is left out, and nothing else. As the sum
    takes three cycles an element, fewer beats do."""
    summed = (
        "arrays.s={type: uint8, extents: [N]}",
        "network.sum={statements: {A: {"
        'domain: "[N] -> { A[x] : 0 < x < N }", schedule: "[N] -> { A[x] -> [x, 2] }",'
        'reads: ["[N] -> { A[x] -> s[x - 1] : x > 1 }"], writes: ["[N] -> { A[x] -> s[x] }"],'
        'body: "s = a0 + 1"}}}',
        'live_out=["[N] -> { out[x] : 0 <= x < N - 2; s[x] : x = N - 1 }"]',
    )
    own = hardware_of(DESIGNS["beside a FIFO"][0], {}, summed)
    assert [one.stream for one in own.plan.elastic] == [*depths_of("beside a FIFO")]


@pytest.mark.dear
def test_six_beats_of_unsharp_run_at_full_speed_and_five_do_not() -> None:
    """W*H + 8 cycles in closed form; with fewer beats the chain stands still in every row."""
    assert depths_of("unsharp, wide") == {"m_in_S": 6}
    assert cycles("unsharp, wide", {"m_in_S": 6}) == 128 * 24 + 8
    assert cycles("unsharp, wide", {"m_in_S": 7}) == 128 * 24 + 8
    assert cycles("unsharp, wide", {"m_in_S": 5}) == 3541


@pytest.mark.long
@pytest.mark.parametrize(("depth", "wanted"), [(5, 3541), (6, 3080), (7, 3080)])
def test_simulation_agrees_with_these_cycles(depth: int, wanted: int, tmp_path: Path) -> None:
    depths = {"m_in_S": depth}
    assert in_verilog("unsharp, wide", tmp_path, depths, (BenchRun(name="r"),)) == [wanted]


@pytest.mark.few("behind", "beside")
@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.long if n == "camera, slack 1" else ()) for n in DESIGNS],
)
def test_with_one_beat_less_the_cycles_grow_and_with_one_more_they_stay(name: str) -> None:
    depths = depths_of(name)
    assert depths
    planned = planning(name).prediction
    assert planned is not None
    assert cycles(name, depths) == planned.cycles
    for stream, beats in depths.items():
        assert planned.cycles is not None
        assert cycles(name, {**depths, stream: beats - 1}) > planned.cycles
        assert cycles(name, {**depths, stream: beats + 1}) == planned.cycles


def test_a_wide_beat_waits_as_single_elements_in_front_of_its_part() -> None:
    """Nine operands wait for Q: 13 beats, 117 words, behind one chain, 12 in front of a part."""
    (one,) = planning("in front of a part").plan.elastic
    assert (one.stream, one.beats, one.bits, one.waits_for) == ("s_in_1_in_in", 12, 8, "m_q_V")
    others = planning("in front of a part").plan.arrays["in"].notes.rejected
    (chain,) = (way for way in others if [part.kind for part in way.parts] == ["chain"])
    assert chain.reason == "105 words of branch FIFOs more"


def test_no_beat_of_the_next_run_goes_into_what_waits_in_front_of_a_part() -> None:
    """Every beat has a part in both; still the fork counts them, and is closed behind the last."""
    files = simulated_files(planning("in front of a part"))
    fork = files["rtl/waits_s_in_in_in_fork.v"]
    assert "assign s_in_1_in_in_tvalid = open & s_in_in_in_tvalid & s_in_1_in_in_wants;" in fork


@pytest.mark.few(0.34)
@pytest.mark.parametrize("latency", range(1, 15))
def test_what_waits_in_front_of_a_part_is_known_in_closed_form(latency: int) -> None:
    """At the depth that is needed, and with more; what is stalled is simulated."""
    own = planning("in front of a part")
    given = datapaths_of(program_of("in front of a part")).latency
    slower = Datapaths(latency={**given, "Q": latency})
    joined = [junction for built in own.storage.values() for junction in built.junctions]
    known = 0
    for depth in range(1, 18):
        network = network_of(own.circuits, joined, {"s_in_1_in_in": depth})
        found = without_stalls(network, slower)
        if found is not None:
            known += 1
            assert found.cycles == simulated(network, slower).cycles
    assert known == 18 - max(latency, 1)


SLOWER = range(21)
LONG = (
    "camera",
    "camera, slack 1",
    "chains",
    "behind a FIFO",
    "behind banks",
    "beside a RAM",
    "in front of a part",
    "beside a FIFO",
)


def runs_of(name: str) -> tuple[BenchRun, ...]:
    """Datapaths of all statements alike, from 0 cycles to 20 more than the slowest."""
    slowest = max(datapaths_of(program_of(name)).latency.values())
    return tuple(BenchRun(name=f"{k}", latency=k) for k in range(slowest + max(SLOWER) + 1))


@pytest.mark.few("RAM-one")
@pytest.mark.parametrize("depth", [None, 1], ids=["planned", "one"])
@pytest.mark.parametrize(
    "name",
    [
        "unsharp",
        "unsharp, slack 1",
        "behind a RAM",
        *(pytest.param(name, marks=pytest.mark.long) for name in LONG),
    ],
)
def test_no_depth_and_no_datapath_decides_what_comes_out(
    name: str, depth: int | None, tmp_path: Path
) -> None:
    """Every beat is right, and the cycles are those predicted, at any depth and latency."""
    depths = {stream: depth or beats for stream, beats in depths_of(name).items()}
    found = in_verilog(name, tmp_path, depths, runs_of(name))
    statements = datapaths_of(program_of(name)).latency
    assert found == [cycles(name, depths, dict.fromkeys(statements, k)) for k in range(len(found))]


@pytest.mark.long
@pytest.mark.parametrize("slower", SLOWER)
def test_a_datapath_slower_than_declared_takes_the_cycles_predicted(
    slower: int, tmp_path: Path
) -> None:
    """One branch alone is slower: B, whose result the other branch waits for."""
    name = "unsharp"
    own = datapaths_of(program_of(name)).latency
    program = program_of(name)
    late = replace(
        program,
        statements=tuple(
            replace(one, latency=one.latency + slower * (one.name == "B"))
            for one in program.statements
        ),
    )
    made, sources = device(name, tmp_path, {})
    vectors = bench_vectors(
        late, made, traffic(late, None), (BenchRun(name="slower"), BenchRun(name="s", stall=0.2))
    )
    found = run_bench(made, sources, vectors, find_simulator(os.environ["PATH"]), 600)
    assert [record["fault"] for record in found.records] == [None, None]
    wanted = cycles(name, depths_of(name), {**own, "B": own["B"] + slower})
    assert found.records[0]["cycles"] == wanted
