"""Proofs of library modules: as they are, and with one thing wrong."""

from __future__ import annotations

import pytest

from hlsmem.check.formal.circuits.library_proof import Use, library_sources, uses
from hlsmem.check.formal.smt_proof import Answer, prove
from hlsmem.check.formal.top_verdict import leaf_sources
from hlsmem.core.data_files import resource_folder
from hlsmem.tools.provers import find_prover

LIBRARY = {file.name: file.read_text() for file in resource_folder("rtl").glob("*.v")}


def answer(module: str, numbers: dict[str, int], *edit: str) -> Answer:
    """What is proved of a module of the library, with one text in it replaced by another."""
    library = dict(LIBRARY)
    if edit:
        wrong, right = library[f"{module}.v"], edit[0]
        assert right in wrong
        library[f"{module}.v"] = wrong.replace(*edit)
    use = Use(module, tuple((name, str(value)) for name, value in numbers.items()))
    return prove(find_prover(), *library_sources(use, library), depth=1, seconds=60).answer


SKID_1 = {"WIDTH": 96, "SIDE": 1, "LATENCY": 1}
SKID_2 = {"WIDTH": 8, "SIDE": 2, "LATENCY": 2}
HOLD_1 = {"WIDTH": 96, "SIDE": 2, "LATENCY": 1}
HOLD_2 = {"WIDTH": 8, "SIDE": 1, "LATENCY": 2}
TURN_1 = {"WIDTH": 32, "LANES": 5, "TURN": 3, "SIDE": 1, "LATENCY": 1}
TURN_2 = {"WIDTH": 8, "LANES": 4, "TURN": 2, "SIDE": 2, "LATENCY": 2}
TURN_9 = {"WIDTH": 4, "LANES": 9, "TURN": 4, "SIDE": 1, "LATENCY": 2}
FIFO = {"WIDTH": 32, "DEPTH": 1024, "OUTREG": 0, "BEATS": 4096}
FIFO_REGISTERED = {"WIDTH": 32, "DEPTH": 1024, "OUTREG": 1, "BEATS": 2049}
FIFO_COUNTED = {"WIDTH": 8, "DEPTH": 17, "OUTREG": 0}
BRANCH = {"WIDTH": 9, "DEPTH": 6, "ADDRESS": 3}
DELAY = {"WIDTH": 16, "DEPTH": 637, "ADDRESS": 10, "OUTREG": 0}
DELAY_REGISTERED = {"WIDTH": 16, "DEPTH": 637, "ADDRESS": 10, "OUTREG": 1}


@pytest.mark.formal
@pytest.mark.few(
    *(f"hlsmem_{m}0" for m in ("skid", "output_register", "branch", "rotator", "delay", "fifo"))
)
@pytest.mark.parametrize(
    "use",
    [
        ("hlsmem_skid", SKID_2),
        ("hlsmem_output_register", HOLD_2),
        ("hlsmem_branch", BRANCH),
        ("hlsmem_skid", SKID_1),
        ("hlsmem_output_register", HOLD_1),
        ("hlsmem_rotator", TURN_1),
        ("hlsmem_rotator", TURN_2),
        ("hlsmem_rotator", TURN_9),
        ("hlsmem_delay", DELAY),
        ("hlsmem_delay", DELAY_REGISTERED),
        ("hlsmem_fifo", FIFO),
        ("hlsmem_fifo", FIFO_REGISTERED),
        ("hlsmem_fifo", FIFO_COUNTED),
        ("hlsmem_fifo", {"WIDTH": 8, "DEPTH": 1, "OUTREG": 1, "BEATS": 1}),
        ("hlsmem_fifo", {"WIDTH": 8, "DEPTH": 3, "OUTREG": 0, "BEATS": 2}),
        ("hlsmem_delay", {"WIDTH": 8, "DEPTH": 2, "ADDRESS": 1, "OUTREG": 0}),
        ("hlsmem_branch", {"WIDTH": 17, "DEPTH": 1, "ADDRESS": 1}),
    ],
    ids=lambda use: use[0],
)
def test_a_module_is_proved(use: tuple[str, dict[str, int]]) -> None:
    assert answer(*use) is Answer.PROVED


@pytest.mark.formal
@pytest.mark.few(*(f"numbers{k}-" for k in (0, 3, 8, 13, 20, 27)))  # one a module
@pytest.mark.parametrize(
    ("module", "numbers", "right", "wrong"),
    [
        ("hlsmem_skid", SKID_1, "arrives & (waiting[0] | ~tready)", "arrives & waiting[0]"),
        ("hlsmem_skid", SKID_2, "slots[(i+1)*BEAT +: BEAT]", "slots[i*BEAT +: BEAT]"),
        ("hlsmem_skid", SKID_2, "else if (issue & ~take)", "else if (issue)"),
        ("hlsmem_output_register", HOLD_1, "if (~held) slot <=", "slot <="),
        ("hlsmem_output_register", HOLD_1, "arrived & follows & ~leaves", "arrived & ~leaves"),
        ("hlsmem_output_register", HOLD_2, "issue | ~out | leaves", "issue | leaves"),
        ("hlsmem_output_register", HOLD_2, "if (move) out_side <=", "out_side <="),
        ("hlsmem_output_register", HOLD_2, "room = ~reserved[LATENCY]", "room = 1'b1"),
        ("hlsmem_rotator", TURN_1, "if (room) front <= data", "front <= data"),
        ("hlsmem_rotator", TURN_1, "lane + 4 * four + 2) % LANES", "lane + 4 * four + 1) % LANES"),
        ("hlsmem_rotator", TURN_2, "if (room) second", "second"),
        ("hlsmem_rotator", TURN_9, "else kept <= {ALL{1'b0}}", "else kept <= by_one"),
        ("hlsmem_rotator", TURN_9, "assign room = ~there[3] | tready", "assign room = 1'b1"),
        ("hlsmem_fifo", FIFO, "full = w == {~r[ADDRESS], r[ADDRESS-1:0]}", "full = 1'b0"),
        ("hlsmem_fifo", FIFO, "room = ~latched | m_tready", "room = 1'b1"),
        ("hlsmem_fifo", FIFO_COUNTED, "stored == NEARLY[COUNT-1:0]", "stored == ONE"),
        ("hlsmem_fifo", FIFO_COUNTED, "pop = some & room", "pop = room"),
        ("hlsmem_fifo", FIFO, "BEATS - 2;", "BEATS - 1;"),
        ("hlsmem_fifo", FIFO_REGISTERED, "m_only = ~some & ~latched", "m_only = ~some"),
        ("hlsmem_fifo", FIFO_REGISTERED, "latched & (~registered | m_tready)", "latched"),
        ("hlsmem_branch", BRANCH, "full <= after_next == first", "full <= 1'b0"),
        ("hlsmem_branch", BRANCH, "s_tready = ~full | m_tready", "s_tready = ~full"),
        ("hlsmem_branch", BRANCH, "m_tvalid <= ~alone", "m_tvalid <= ~full"),
        ("hlsmem_branch", BRANCH, "push = s_tvalid & s_tready", "push = s_tready"),
        ("hlsmem_branch", BRANCH, "LAST = DEPTH - 1", "LAST = DEPTH - 2"),
        ("hlsmem_branch", BRANCH, "m_tlast = ends & alone", "m_tlast = ends"),
        ("hlsmem_branch", BRANCH, "ends & ~(pop & m_tlast)", "ends"),
        ("hlsmem_delay", DELAY, "r_addr == BEFORE_LAST", "r_addr == LAST"),
        ("hlsmem_delay", DELAY, ".r_en(en)", ".r_en(1'b1)"),
        ("hlsmem_delay", DELAY_REGISTERED, ".o_en(en)", ".o_en(1'b1)"),
    ],
)
def test_a_fault_is_no_longer_proved(
    module: str, numbers: dict[str, int], right: str, wrong: str
) -> None:
    assert answer(module, numbers, right, wrong) in (Answer.REFUTED, Answer.NOT_INDUCTIVE)


RAM = {"WIDTH": 32, "DEPTH": 25, "ADDRESS": 5, "OUTREG": 0, "COLLISION": 1}
RAM_REGISTERED = {**RAM, "OUTREG": 1, "COLLISION": 0}
RAM_OUTPUT = {"WIDTH": 64, "DEPTH": 1923, "ADDRESS": 11}
REGISTER = {"WIDTH": 16, "OUTREG": 1, "READERS": 1}
SHARED = {"WIDTH": 16, "OUTREG": 0, "READERS": 3}


def leaf_answer(module: str, numbers: dict[str, int], *edit: str) -> Answer:
    library = dict(LIBRARY)
    if edit:
        assert edit[0] in library[f"{module}.v"]
        library[f"{module}.v"] = library[f"{module}.v"].replace(*edit)
    use = Use(module, tuple((name, str(value)) for name, value in numbers.items()))
    return prove(find_prover(), *leaf_sources(use, library), depth=8, seconds=60).answer


@pytest.mark.formal
@pytest.mark.parametrize(
    ("module", "numbers"),
    [
        ("hlsmem_ram", RAM),
        ("hlsmem_ram", RAM_REGISTERED),
        ("hlsmem_ram", {**RAM, "DEPTH": 3843, "ADDRESS": 12, "COLLISION": 0}),
        ("hlsmem_ram_output", RAM_OUTPUT),
        ("hlsmem_register", REGISTER),
        ("hlsmem_register", SHARED),
    ],
)
def test_of_a_memory_the_last_write_is_read(module: str, numbers: dict[str, int]) -> None:
    assert leaf_answer(module, numbers) is Answer.PROVED


@pytest.mark.formal
@pytest.mark.parametrize(
    ("module", "numbers", "right", "wrong"),
    [
        ("hlsmem_ram", RAM, "if (w_en) cells[w_addr]", "if (w_en && w_addr != 3) cells[w_addr]"),
        ("hlsmem_ram", RAM, "latch <= cells[r_addr]", "latch <= w_en ? w_data : cells[r_addr]"),
        ("hlsmem_ram", RAM_REGISTERED, "if (o_en) out <= latch", "out <= latch"),
        ("hlsmem_ram_output", RAM_OUTPUT, "if (o_en) r_data <= latch", "r_data <= latch"),
        (
            "hlsmem_ram_output",
            RAM_OUTPUT,
            ".w_data(w_data)",
            ".w_data({w_data[31:0], w_data[63:32]})",
        ),
        ("hlsmem_register", REGISTER, "if (r_en[k]) latch[", "latch["),
        ("hlsmem_register", SHARED, "if (r_en[k]) latch[", "if (r_en[0]) latch["),
    ],
)
def test_a_memory_with_a_fault_is_refuted(
    module: str, numbers: dict[str, int], right: str, wrong: str
) -> None:
    assert leaf_answer(module, numbers, right, wrong) is Answer.REFUTED


def test_uses_are_found_in_generated_text() -> None:
    text = """
    hlsmem_skid #(
        .WIDTH(96), .SIDE(1), .LATENCY(1)
    ) u_a (
        .clk(clk)
    );
    hlsmem_delay #(
        .WIDTH(16),
        .DEPTH(61)
    ) u_b (
        .clk(clk)
    );
"""
    assert [use.text() for use in uses(text)] == [
        "hlsmem_skid (WIDTH 96, SIDE 1, LATENCY 1)",
        "hlsmem_delay (WIDTH 16, DEPTH 61)",
    ]
