"""The check `rtl`, judged on a buffer written by hand: right as it is, wrong with any fault."""

from __future__ import annotations

import dataclasses
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hlsmem.check.rebuilt.run_prefix import Prefix
from hlsmem.check.rtl.access_log import RunAccesses, StreamAccesses
from hlsmem.check.rtl.expected_beats import empty_stream, traffic
from hlsmem.check.rtl.rtl_verdicts import check_design
from hlsmem.check.rtl.simulated_device import Device, DeviceMemory, DeviceStream
from hlsmem.check.rtl.step_pace import other_interval
from hlsmem.core.data_files import resource_folder
from hlsmem.core.verdict import Status, Verdict
from hlsmem.program.model import ElementType, Program
from hlsmem.tools.simulators import Simulator, find_simulator
from tests.programs import make_program

WINDOW = Path(__file__).parent / "rtl_window"
USED = ("hlsmem_ram", "hlsmem_skid", "hlsmem_wrap", "hlsmem_gate_count")

# P commits in cycles 0 to 2, C issues from 3 (P then one write a cycle beside it), 18 beats;
# the last is issued in cycle 20 and taken in 21, and busy falls two cycles later.
CYCLES = 23


def window_program() -> Program:
    program = make_program(
        values={"N": 20},
        domains=["[N] -> { P[i] : 0 <= i < N }", "[N] -> { C[i] : 2 <= i < N }"],
        schedules=["[N] -> { P[i] -> [i, 0] }", "[N] -> { C[i] -> [i, 1] }"],
        writes=["[N] -> { P[i] -> A[i] }"],
        reads=[f"[N] -> {{ C[i] -> A[i - {distance}] }}" for distance in (2, 1, 0)],
        planned=(),
        streamed=("A",),
    )
    array = dataclasses.replace(program.arrays["A"], element=ElementType("uint16"))
    return dataclasses.replace(program, arrays={"A": array})


def window_device(cycles: int = CYCLES) -> Device:
    common: dict[str, Any] = {"path": "u_A", "array": "A", "idle": 0, "user_bits": 0}
    return Device(
        top="window_mem",
        streams=(
            DeviceStream(
                name="s_A_P",
                statement="P",
                direction="write",
                beats=20,
                bits=16,
                copies=(),
                **common,
            ),
            DeviceStream(
                name="m_A_C",
                statement="C",
                direction="read",
                beats=18,
                bits=48,
                copies=(0, 1, 2),
                **common,
            ),
        ),
        memories=(DeviceMemory(array="A", path="u_A", copies=3, address_bits=2, base=0),),
        cycles=cycles,
    )


def window_document() -> dict[str, Any]:
    piece = {
        "domain": None,
        "matrix": [["1"]],
        "matrix_value": [[1]],
        "modulus": ["3"],
        "modulus_value": [3],
        "offset": ["0"],
        "offset_value": [0],
    }
    mapping = {"pieces": [piece], "certificate": {"scope": "all-parameters", "by": "hand"}}
    part = {
        "memory": "A",
        "operands": [["m_A_C", k] for k in range(3)],
        "takes": None,
        "mapping": mapping,
        "lattice": None,
        "base": 0,
        "bank_basis": None,
        "storage_basis": None,
        "taps": None,
    }
    held = {"parts": [part], "words": 3, "bound": None}
    array = {"index": ["i"], "element": {}, "holdings": {"hardware": held, "host": None}}
    memories = {"A": {"kind": "ram"}}
    program = {"order": "sequential", "strict": False, "slack": 0}
    document = {"program": program, "elastic": [], "paths": [], "memories": memories}
    return {**document, "arrays": {"A": array}}


def check_window(
    folder: Path,
    old: str = "",
    new: str = "",
    *,
    cycles: int = CYCLES,
    simulator: Simulator | None = None,
    waves: Path | None = None,
    static: bool = True,
    prefix: Prefix | None = None,
) -> tuple[Verdict, ...]:
    """The verdicts on the buffer with `old` replaced by `new`; on the beginning of its run."""
    shutil.copytree(WINDOW, folder / "rtl")
    for name in USED:
        shutil.copy(resource_folder("rtl") / f"{name}.v", folder / "rtl")
    buffer = folder / "rtl" / "window_A_buffer.v"
    text = buffer.read_text()
    assert not old or text.count(old) == 1
    buffer.write_text(text.replace(old, new) if old else text)
    sources = sorted((folder / "rtl").glob("*.v"))
    return check_design(
        window_program(),
        window_device(cycles),
        sources,
        window_document(),
        None,
        simulator or find_simulator(os.environ["PATH"]),
        waves=waves,
        static=static,
        prefix=prefix,
    )


def test_the_beats_of_the_window() -> None:
    found = traffic(window_program(), None)
    reads = found.streams["m_A_C"].beats
    assert [operand.element for operand in reads[5].operands if operand] == [(5,), (6,), (7,)]
    writes = {beat.instance: beat.operands[0] for beat in found.streams["s_A_P"].beats}
    assert reads[5].operands == (writes[5,], writes[6,], writes[7,])
    assert found.instances["C"].patterns == (("m_A_C",),)
    assert len(found.instances["C"]) == 18


@pytest.mark.needs("iverilog")
def test_a_right_buffer_passes(tmp_path: Path) -> None:
    whole, array = check_window(tmp_path, waves=tmp_path / "waves")
    assert whole.status is Status.PASS, whole.detail
    assert whole.detail.startswith(
        "predicted = measured = 23 cycles; 38 beats compared in each of 9"
    )
    assert array.status is Status.PASS, array.detail
    assert array.detail.startswith("486 recorded reads")
    assert (tmp_path / "waves.fst").stat().st_size > 0


FAULTS = (
    ("modulus minus one", ".MODULUS(3), .STEP(1)) u_w_cell", ".MODULUS(2), .STEP(1)) u_w_cell"),
    ("wrong step", ".MODULUS(3), .STEP(1)) u_r_cell", ".MODULUS(3), .STEP(2)) u_r_cell"),
    ("dropped write", "A_1_w_en = s_A_P_fire;", "A_1_w_en = s_A_P_fire & w_left != 5'd7;"),
    ("dropped read", "A_2_r_en = m_A_C_fire;", "A_2_r_en = m_A_C_fire & r_left != 5'd3;"),
    ("swapped copies", "r_data(data[15:0])", "r_data(data[31:16])"),
    ("need gate one beat early", ".START(-2)) u_need", ".START(-1)) u_need"),
    ("free gate one beat early", ".START(3), .BYPASS(1)) u_free", ".START(4), .BYPASS(1)) u_free"),
    ("need gate removed", "r_there & need & room", "r_there & room"),
    (
        "free gate removed",
        "assign s_A_P_tready = w_there & free;",
        "assign s_A_P_tready = w_there;",
    ),
    ("skid slot lost", "r_there & need & room", "r_there & need"),
    ("tlast early", ".issue_side(r_left == 5'd1)", ".issue_side(r_left == 5'd2)"),
    ("a beat less", "r_left <= 5'd18;", "r_left <= 5'd17;"),
    ("deadlock", ".START(-2)) u_need", ".START(-3)) u_need"),
    ("busy too short", "~under_way & ~m_A_C_tvalid", "~under_way"),
    ("never free", "w_there & free & s_A_P_tvalid;", "w_there & 1'b0;"),
)


# What only frames back to back, or a reset in mid-frame, show.
REPEATED = (
    (
        "a start at once loads no gate",
        "    hlsmem_gate_count #(.WIDTH(6), .START(-2)) u_need (\n        .clk(clk), .rst(rst), "
        ".load(start),",
        "    reg idle;\n    always @(posedge clk) idle <= ~busy;\n"
        "    hlsmem_gate_count #(.WIDTH(6), .START(-2)) u_need (\n        .clk(clk), .rst(rst), "
        ".load(start & idle),",
        "run without stalls",
    ),
    (
        "reset works once",
        "    hlsmem_skid #(.WIDTH(48)) u_skid (\n        .clk(clk), .rst(rst),",
        "    reg late = 1'b0;\n    always @(posedge clk) if (start) late <= 1'b1;\n"
        "    hlsmem_skid #(.WIDTH(48)) u_skid (\n        .clk(clk), .rst(rst & ~late),",
        "run eager writers",
    ),
)


@pytest.mark.parametrize(
    ("old", "new", "run"), [fault[1:] for fault in REPEATED], ids=[fault[0] for fault in REPEATED]
)
def test_what_only_runs_after_others_show(old: str, new: str, run: str, tmp_path: Path) -> None:
    whole, *_ = check_window(tmp_path, old, new, static=False)
    assert whole.status is Status.FAIL
    assert run in whole.detail


def test_a_beat_that_changes_while_it_waits_is_named(tmp_path: Path) -> None:
    """As long as nobody is ready it is right, which is when the bench looks."""
    restless = (
        ".tvalid(m_A_C_tvalid), .tready(m_A_C_tready)\n    );\n"
        "    reg waits;\n"
        "    always @(posedge clk) waits <= m_A_C_tvalid & ~m_A_C_tready;\n"
        "    assign m_A_C_tdata = held ^ {48{waits & m_A_C_tready}};\n    wire [47:0] held;\n"
    )
    old = f".data(data), .tdata(m_A_C_tdata), .tside(m_A_C_tlast),\n        {SKID}"
    new = f".data(data), .tdata(held), .tside(m_A_C_tlast),\n        {restless}"
    whole, *_ = check_window(tmp_path, old, new, static=False)
    assert whole.status is Status.FAIL
    assert "m_A_C shows another beat before the one it offered is taken" in whole.detail


def test_a_beat_with_an_unknown_bit_is_named(tmp_path: Path) -> None:
    """Only in the cycle in which somebody is ready for it."""
    unknown = (
        ".tvalid(m_A_C_tvalid), .tready(m_A_C_tready)\n    );\n    wire last;\n"
        "    reg waits;\n"
        "    always @(posedge clk) waits <= m_A_C_tvalid & ~m_A_C_tready;\n"
        "    assign m_A_C_tlast = waits & m_A_C_tready ? 1'bx : last;\n"
    )
    old = f".tside(m_A_C_tlast),\n        {SKID}"
    whole, *_ = check_window(tmp_path, old, f".tside(last),\n        {unknown}", static=False)
    assert whole.status is Status.FAIL
    assert "m_A_C is unknown (x): tvalid, tready, or what it offers" in whole.detail


# The generated buffers get these faults too; here they wait for the long tests.
LONG = {"wrong step", "dropped write", "dropped read", "need gate removed", "a beat less"}


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        pytest.param(*fault, id=fault[0], marks=[pytest.mark.long] if fault[0] in LONG else [])
        for fault in FAULTS
    ],
)
def test_a_faulty_buffer_fails(name: str, old: str, new: str, tmp_path: Path) -> None:
    verdicts = check_window(tmp_path, old, new, static=False)
    print(name, *verdicts, sep="\n")
    assert not all(verdict.fine for verdict in verdicts)


def test_a_wrong_cell_names_element_and_cycle(tmp_path: Path) -> None:
    old, new = FAULTS[0][1:]
    whole, array = check_window(tmp_path, old, new, static=False)
    assert whole.detail.startswith("m_A_C beat 0 (C[2]) at cycle 4: A[0] is ")
    assert array.detail == (
        "m_A_C beat 0 (C[2]) at cycle 3: reads A[0] from cell 0, which holds A[2] "
        "(run without stalls)"
    )


def test_a_hang_names_the_blocked_streams(tmp_path: Path) -> None:
    old, new = next(fault[1:] for fault in FAULTS if fault[0] == "deadlock")
    whole, array = check_window(tmp_path, old, new, static=False)
    assert array.status is Status.NOT_JUDGED
    assert array.detail.startswith("a run was broken off; until then ")
    assert whole.detail == (
        "no progress (cycle 87): s_A_P waits with beat 3 (P[3]) of 20; "
        "m_A_C waits with beat 0 (C[2]) of 18 (run without stalls)"
    )


SKID = ".tvalid(m_A_C_tvalid), .tready(m_A_C_tready)\n    );\n"


def test_a_beat_that_is_taken_back_is_named(tmp_path: Path) -> None:
    """All beats are right, and each is taken once: a reader that knows the rules loses some."""
    blinking = (
        ".tvalid(m_A_C_held), .tready(m_A_C_tready & m_A_C_tvalid)\n    );\n"
        "    wire m_A_C_held;\n"
        "    reg odd;\n"
        "    always @(posedge clk) odd <= rst ? 1'b0 : ~odd;\n"
        "    assign m_A_C_tvalid = m_A_C_held & (odd | r_left == 5'd0);\n"
    )
    whole, *_ = check_window(tmp_path, SKID, blinking, static=False)
    assert whole.status is Status.FAIL
    assert whole.detail == (
        "m_A_C takes a beat back that nobody has taken (tvalid falls), at cycle 7"
        " (run eager writers)"
    )


LINTED = (
    ("a need gate that nobody asks", "r_there & need & room", "r_there & room", "'need'"),
    ("a product", "{1'b0, w_next,", "{1'b0, w_next * r_cell,", "something that is no constant"),
    ("another port", "output reg         busy,", "output reg  [1:0]  busy,", "busy"),
    ("no Verilog", "endmodule", "endmodul", " -Wall: "),
)


@pytest.mark.parametrize(("name", "old", "new", "told"), LINTED, ids=[one[0] for one in LINTED])
def test_what_needs_no_simulation(name: str, old: str, new: str, told: str, tmp_path: Path) -> None:
    (whole,) = check_window(tmp_path, old, new)
    assert whole.status is Status.FAIL
    assert told in whole.detail, name


def test_another_number_of_cycles_fails(tmp_path: Path) -> None:
    whole, _ = check_window(tmp_path, cycles=CYCLES + 1, static=False)
    assert whole.detail == (
        "23 cycles measured, 24 predicted; m_A_C is the last to finish, in cycle 20"
    )


@pytest.mark.long
def test_a_right_buffer_passes_under_verilator(tmp_path: Path) -> None:
    simulator = find_simulator(os.environ["PATH"], prefer="verilator")
    verdicts = check_window(tmp_path, simulator=simulator)
    assert all(verdict.fine for verdict in verdicts), verdicts


@pytest.mark.parametrize(
    ("stated", "told"),
    [
        (2, ""),
        ("201/100", ""),
        (None, ""),
        (9, "plan.json has a step start every 9 cycles, measured are 2.00"),
        ("3/2", "plan.json has a step start every 3/2 cycles, measured are 2.00"),
    ],
)
def test_steps_start_as_often_as_planned(stated: int | str | None, told: str) -> None:
    """A stream of eight beats, each a step, every two cycles, and one of a beat before."""
    times = np.arange(8)[:, None]
    streams = {"m_a_S": (times, 4 + 2 * np.arange(8)), "s_a_P": (times[:1], np.array([1]))}
    expected = {
        name: replace(
            empty_stream(name, "a", "S", "read"),
            time=rows,
            step=rows,
            point=rows,
            value=np.zeros((len(rows), 1), dtype=np.int64),
        )
        for name, (rows, _) in streams.items()
    }
    run = RunAccesses(
        streams={
            name: StreamAccesses(cycle=cycle, place=cycle, address=cycle[:, None])
            for name, (_, cycle) in streams.items()
        }
    )
    for parts, said in (([{}], told), ([{}, {}], "")):  # of parts the port says nothing
        arrays = {"a": {"holdings": {"hardware": {"parts": parts}}}}
        document = {"timing": {"interval": stated}, "arrays": arrays, "program": {"step": 1}}
        assert other_interval(document, expected, run) == said


@pytest.mark.parametrize(("stated", "fits"), [(4, True), (2, True), (5, False)])
def test_beats_of_one_step_start_no_more_steps(stated: int, fits: bool) -> None:
    """Two arrive for each step, every two cycles one: told apart by an entry behind the steps'."""
    times = np.stack([np.arange(8) // 2, np.arange(8) % 2], axis=1)
    stream = replace(
        empty_stream("s_a_in", "a", "a_in", "write"),
        time=times,
        point=times,
        value=np.zeros((8, 1), dtype=np.int64),
    )
    cycle = 4 + 2 * np.arange(8)
    accesses = StreamAccesses(cycle=cycle, place=cycle, address=cycle[:, None])
    document = {
        "timing": {"interval": stated},
        "arrays": {"a": {"holdings": {"hardware": {"parts": [{}]}}}},
        "program": {"step": 1},
    }
    found = other_interval(document, {"s_a_in": stream}, RunAccesses(streams={"s_a_in": accesses}))
    assert (not found) == fits
