"""Every module keeps what rtl/README.md promises, and a bench that sees every planted fault."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hlsmem.tools.simulators import Verilator, find_simulator
from tests.rtl.harness import LIBRARY, Case, Fault, run_case

CASES = (
    Case(
        module="hlsmem_ram",
        parameters=tuple(
            {"WIDTH": width, "DEPTH": depth, "ADDRESS": address, "OUTREG": out, "COLLISION": both}
            for width, depth, address in ((8, 13, 4), (1, 1, 1), (65, 4, 2))
            for out in (0, 1)
            for both in (0, 1)
        ),
        faults=(
            Fault("if (o_en) out <= latch;", "out <= latch;"),
            Fault(
                "if (r_en) latch <= cells[r_addr];\n            end\n        end else",
                "if (r_en) latch <= w_en && w_addr == r_addr ? w_data : cells[r_addr];\n"
                "            end\n        end else",
            ),
            Fault("if (r_en) latch <= cells[r_addr];\n`ifndef", "latch <= cells[r_addr];\n`ifndef"),
            Fault("assign r_data = out;", "assign r_data = latch;"),
            Fault(
                "if (w_en) cells[w_addr] <= w_data;\n                if (r_en) latch <= "
                "cells[r_addr];\n            end",
                "cells[w_addr] <= w_data;\n                if (r_en) latch <= "
                "cells[r_addr];\n            end",
            ),
        ),
    ),
    Case(
        module="hlsmem_ram_output",
        uses=("hlsmem_ram",),
        model_only=("OUTREG", "COLLISION"),
        parameters=(
            {"WIDTH": 8, "DEPTH": 5, "ADDRESS": 3, "OUTREG": 1, "COLLISION": 0},
            {"WIDTH": 1, "DEPTH": 2, "ADDRESS": 1, "OUTREG": 1, "COLLISION": 0},
        ),
        faults=(
            Fault("if (o_en) r_data <= latch;", "r_data <= latch;"),
            Fault(".r_en(r_en)", ".r_en(1'b1)"),
            Fault(".w_en(w_en)", ".w_en(1'b1)"),
        ),
    ),
    Case(
        module="hlsmem_register",
        parameters=(
            {"WIDTH": 8, "OUTREG": 0, "READERS": 1},
            {"WIDTH": 1, "OUTREG": 1, "READERS": 1},
            {"WIDTH": 5, "OUTREG": 0, "READERS": 3},
            {"WIDTH": 4, "OUTREG": 1, "READERS": 2},
        ),
        faults=(
            Fault("if (r_en[k]) latch[", "latch["),
            Fault("if (r_en[k]) latch[", "if (r_en[0]) latch["),
            Fault("if (w_en) value <= w_data;", "value <= w_data;"),
            Fault("<= value;", "<= w_en ? w_data : value;"),
            Fault("if (o_en[k]) out[", "out["),
            Fault("if (o_en[k]) out[", "if (o_en[0]) out["),
        ),
    ),
    Case(
        module="hlsmem_branch",
        parameters=(
            {"WIDTH": 8, "DEPTH": 6, "ADDRESS": 3},
            {"WIDTH": 4, "DEPTH": 2, "ADDRESS": 1},
            {"WIDTH": 1, "DEPTH": 1, "ADDRESS": 1},
        ),
        faults=(
            Fault("~full | m_tready", "~full"),
            Fault("~full | m_tready", "1'b1"),
            Fault("full <= after_next == first;", "full <= 1'b0;"),
            Fault("m_tvalid <= ~alone;", "m_tvalid <= 1'b0;"),
            Fault("m_tlast = ends & alone;", "m_tlast = ends;"),
            Fault("if (push) beats[next]", "if (s_tvalid) beats[next]"),
        ),
    ),
    Case(
        module="hlsmem_skid",
        parameters=tuple(
            {"WIDTH": width, "SIDE": side, "LATENCY": latency}
            for latency in (1, 2)
            for width, side in ((8, 3), (1, 1))
        ),
        faults=(
            Fault("localparam SLOTS = LATENCY + 1;", "localparam SLOTS = LATENCY + 2;"),
            Fault("assign room = ~reserved[SLOTS-1];", "assign room = 1'b1;"),
            Fault("assign room = ~reserved[SLOTS-1];", "assign room = ~reserved[SLOTS-2];"),
            Fault("(waiting[0] | ~tready)", "~tready"),
            Fault("(waiting[0] | ~tready)", "1'b1"),
            Fault("waiting[0] ? slots[BEAT-1:0] : arriving", "slots[BEAT-1:0]"),
            Fault("else if (issue & ~take)", "else if (issue)"),
            Fault("slots[(i+1)*BEAT +: BEAT];", "slots[i*BEAT +: BEAT];"),
            Fault(
                "if (~kept[i]) slots[i*BEAT +: BEAT] <= arriving;\n                    else",
                "if (~waiting[i]) slots[i*BEAT +: BEAT] <= arriving;\n                    else",
            ),
            Fault("if (rst) waiting <= {SLOTS{1'b0}};\n        else", ""),
            Fault(
                "assign tvalid = waiting[0] | arrives;",
                "assign tvalid = (waiting[0] | arrives) & tready;",
            ),
        ),
    ),
    Case(
        module="hlsmem_output_register",
        parameters=tuple(
            {"WIDTH": width, "SIDE": side, "LATENCY": latency}
            for latency in (1, 2)
            for width, side in ((8, 3), (1, 1))
        ),
        faults=(
            Fault("assign room = ~reserved[LATENCY];", "assign room = 1'b1;"),
            Fault("assign room = ~reserved[LATENCY];", "assign room = ~reserved[LATENCY-1];"),
            Fault("(arrived & follows & ~leaves)", "(arrived & follows)"),
            Fault("(arrived & follows & ~leaves)", "(follows & ~leaves)"),
            Fault("if (~held) slot", "slot"),
            Fault("held ? slot : {side, data}", "{side, data}"),
            Fault("take & ~held;", "take;"),
            Fault("(issue | ~out | leaves)", "(~out | leaves)"),
            Fault("(issue | ~out | leaves)", "(issue | ~out)"),
            Fault("if (move) out_side", "out_side"),
        ),
    ),
    Case(
        module="hlsmem_wrap",
        parameters=tuple(
            {"WIDTH": width, "MODULUS": modulus, "STEP": step, "FLAG": flag}
            for width, modulus, step, flag in (
                (4, 13, 1, 0),
                (4, 13, 1, 1),
                (4, 13, 5, 0),
                (4, 13, 12, 0),
                (4, 16, 1, 1),
                (4, 16, 7, 0),
                (1, 1, 0, 0),
                (1, 2, 1, 1),
                (3, 5, 0, 0),
                (32, 4000000000, 7, 0),
            )
        ),
        faults=(
            Fault("localparam FIRST = MODULUS - STEP;", "localparam FIRST = MODULUS - STEP - 1;"),
            Fault("value >= FIRST", "value > FIRST"),
            Fault("localparam DOWN = STEP - MODULUS;", "localparam DOWN = STEP - MODULUS + 1;"),
            Fault("localparam UP = STEP;", "localparam UP = STEP + 1;"),
            Fault("localparam BEFORE = MODULUS - 2;", "localparam BEFORE = MODULUS - 3;"),
            Fault(
                "if (load) last <= load_value == LAST[WIDTH-1:0];\n                    else ", ""
            ),
            Fault(
                "if (load) value <= load_value;\n        else if (step) value <= next;",
                "if (step) value <= next;\n        else if (load) value <= load_value;",
            ),
        ),
    ),
    Case(
        module="hlsmem_multiply",
        parameters=(
            {"A_BITS": 8, "B_BITS": 9, "Q_BITS": 17, "SIGNED": 1},
            {"A_BITS": 8, "B_BITS": 5, "Q_BITS": 13, "SIGNED": 0},
            {"A_BITS": 12, "B_BITS": 12, "Q_BITS": 12, "SIGNED": 1},
            {"A_BITS": 3, "B_BITS": 4, "Q_BITS": 16, "SIGNED": 1},
        ),
        faults=(
            Fault("a_1[A_BITS-1]", "1'b0"),
            Fault("b_1[B_BITS-1]", "1'b0"),
            Fault("{1'b0}}, a_1} *", "{1'b1}}, a_1} *"),
            Fault("a_1 <= a;", "a_1 <= b;"),
            Fault("q <= product[Q_BITS-1:0];", "q <= a_1 * b_1;"),
            Fault("posedge clk) if (ce)", "posedge clk) if (1'b1)"),
        ),
    ),
    Case(
        module="hlsmem_gate",
        model_only=("WIDTHS", "SIGNED"),
        parameters=(
            {"WIDTH": 12, "SIGN": 0b1000_1000_1000, "WIDTHS": (4, 4, 4), "SIGNED": (1, 1, 1)},
            {"WIDTH": 9, "SIGN": 0b1000_0000_1, "WIDTHS": (5, 3, 1), "SIGNED": (1, 0, 1)},
            {"WIDTH": 3, "SIGN": 0b100, "WIDTHS": (3,), "SIGNED": (1,)},
        ),
        faults=(
            Fault("time_vector ^ SIGN} <", "time_vector ^ SIGN} <="),
            Fault(
                "time_vector ^ SIGN} < {done, progress ^ SIGN}", "time_vector} < {done, progress}"
            ),
            Fault("{done, progress", "{1'b0, progress"),
            Fault("{1'b0, time_vector", "{done, time_vector"),
            Fault("SIGN} < {", "SIGN} > {"),
        ),
    ),
    Case(
        module="hlsmem_gate_count",
        parameters=tuple(
            {"WIDTH": width, "START": start, "BYPASS": bypass}
            for width, start in ((4, 0), (4, -3), (3, 2))
            for bypass in (0, 1)
        ),
        faults=(
            Fault("localparam BEGIN = START - 1;", "localparam BEGIN = START;"),
            Fault("if (up & ~down)", "if (up)"),
            Fault("if (down & ~up)", "if (down)"),
            Fault("(&ahead & up)", "up"),
            Fault("(&ahead & up)", "(&ahead)"),
            Fault("if (rst | load)", "if (rst)"),
            Fault(
                "begin : registered\n            assign open = done |",
                "begin : registered\n            assign open =",
            ),
        ),
    ),
    Case(
        module="hlsmem_fifo",
        uses=("hlsmem_wrap", "hlsmem_ram", "hlsmem_ram_output"),
        parameters=(
            *({"WIDTH": 8, "DEPTH": depth} for depth in (1, 2, 3, 4, 5, 13)),
            *({"WIDTH": 8, "DEPTH": depth, "OUTREG": 1} for depth in (1, 2, 3, 8)),
            {"WIDTH": 8, "DEPTH": 4, "BEATS": 300},
            {"WIDTH": 8, "DEPTH": 6, "BEATS": 5},
            {"WIDTH": 8, "DEPTH": 8, "OUTREG": 1, "BEATS": 100},
        ),
        cycles=500,
        faults=(
            Fault("localparam NEARLY = DEPTH - 1;", "localparam NEARLY = DEPTH - 2;"),
            Fault("assign room = ~latched | m_tready;", "assign room = ~latched;"),
            Fault("assign room = ~latched | o_en;", "assign room = 1'b1;"),
            Fault("some & room", "some"),
            Fault("is_some <= push | stored != ONE;", "is_some <= 1'b1;"),
            Fault("moves = push ^ pop;", "moves = push | pop;"),
            Fault("s_tvalid & ~full", "s_tvalid"),
            Fault("else if (room) latched <= some;", "else if (some) latched <= 1'b1;"),
            Fault("sent[COUNTED-1:0] == BEFORE", "sent[COUNTED-1:0] != BEFORE"),
            Fault("assign m_only = ~some & ~latched;", "assign m_only = ~some;"),
            Fault("assign m_only = ~some;", "assign m_only = 1'b1;"),
            Fault("BEATS - 2;", "BEATS - 1;"),
            Fault("w == {~r[ADDRESS], r[ADDRESS-1:0]}", "w == {r[ADDRESS], ~r[ADDRESS-1:0]}"),
            Fault("latched & (~registered | m_tready)", "latched & ~registered"),
            Fault("else if (m_tready) registered <= 1'b0;", ""),
        ),
    ),
    Case(
        module="hlsmem_delay",
        uses=("hlsmem_ram", "hlsmem_ram_output"),
        parameters=(
            {"WIDTH": 8, "DEPTH": 2, "ADDRESS": 1},
            {"WIDTH": 5, "DEPTH": 7, "ADDRESS": 3, "SLICE": 2},
            {"WIDTH": 8, "DEPTH": 8, "ADDRESS": 3},
            {"WIDTH": 8, "DEPTH": 3, "ADDRESS": 2, "OUTREG": 1},
            {"WIDTH": 9, "DEPTH": 13, "ADDRESS": 4, "OUTREG": 1, "SLICE": 4},
        ),
        faults=(
            Fault(
                "localparam BEFORE_LAST = DEPTH - 2;",
                "localparam BEFORE_LAST = DEPTH - 3;",
            ),
            Fault("if (rst) behind <= LAST[ADDRESS-1:0];", "if (rst) behind <= {ADDRESS{1'b0}};"),
            Fault("else if (en) behind <= r_addr;", "else behind <= r_addr;"),
            Fault("behind <= {r_addr, behind[2*ADDRESS-1:ADDRESS]}", "behind <= {r_addr, r_addr}"),
            Fault(
                ".r_en(en), .r_addr(r_addr), .o_en(en)", ".r_addr(r_addr), .o_en(en), .r_en(1'b1)"
            ),
            Fault(".r_en(en), .r_addr(r_addr), .o_en(1'b0)", ".r_en(1'b1), .r_addr(r_addr)"),
            Fault(".o_en(en)", ".o_en(1'b1)"),
            Fault("localparam LOW = k * SLICE;", "localparam LOW = 0;"),
        ),
    ),
    Case(
        module="hlsmem_rotator",
        parameters=tuple(
            {"WIDTH": width, "LANES": lanes, "TURN": turn, "SIDE": side, "LATENCY": latency}
            for width, lanes, turn, side in ((3, 5, 3, 1), (2, 4, 2, 3), (1, 9, 4, 1), (5, 2, 1, 1))
            for latency in (1, 2)
        ),
        faults=(
            Fault("assign room = ~there[3] | tready;", "assign room = 1'b1;"),
            Fault("else if (room) there <=", "else there <="),
            Fault("if (rst) there <= 4'b0000;\n        else", ""),
            Fault("if (room) front <= data;", "front <= data;"),
            Fault("if (room) second <=", "second <="),
            Fault("turn_3[0] ?", "turn_2[0] ?"),
            Fault("turn_2 <= turn_1;", "turn_2 <= issue_turn;"),
            Fault("side_4 <= side_3;", "side_4 <= side_2;"),
            Fault("(lane + 4 * four + 2) % LANES :", "(lane + 2) % LANES :"),
            Fault("turn_3 >> 2 == HIGH", "turn_3 >> 1 == HIGH"),
            Fault("else kept <= {ALL{1'b0}};", "else kept <= kept;"),
        ),
    ),
    Case(
        module="hlsmem_tags",
        parameters=({"WIDTH": 5, "DEPTH": 9, "ADDRESS": 4}, {"WIDTH": 1, "DEPTH": 1, "ADDRESS": 1}),
        faults=(
            Fault("r_en & (", "("),
            Fault("~written[r_addr] | ", ""),
            Fault("tags[r_addr] != r_tag", "1'b0"),
            Fault("tags[w_addr] <= w_tag;", "if (~written[w_addr]) tags[w_addr] <= w_tag;"),
        ),
    ),
)


def test_every_module_has_a_bench() -> None:
    assert {file.stem for file in LIBRARY.glob("*.v")} == {case.module for case in CASES}


@pytest.mark.needs("iverilog")  # with so many faults in one build Verilator takes up to 14 s
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.module)
def test_as_its_model(case: Case, tmp_path: Path) -> None:
    simulator = find_simulator(os.environ["PATH"])
    as_it_is, *faulty = run_case(case, simulator, tmp_path)
    assert set(as_it_is.values()) == {None}, as_it_is
    missed = [
        fault for fault, found in zip(case.faults, faulty, strict=True) if not any(found.values())
    ]
    assert missed == []


@pytest.mark.long
@pytest.mark.parametrize("case", CASES[2:3], ids=lambda case: case.module)
def test_as_its_model_under_verilator(case: Case, tmp_path: Path) -> None:
    simulator = find_simulator(os.environ["PATH"], prefer="verilator")
    assert isinstance(simulator, Verilator)
    as_it_is, *faulty = run_case(case, simulator, tmp_path)
    assert set(as_it_is.values()) == {None}, as_it_is
    assert all(any(found.values()) for found in faulty)
