"""Banks of operands that meet in one, and banks that constant addresses never name."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.check import load_subject
from hlsmem.check.formal import read_hints
from hlsmem.check.formal.formal_verdicts import control_of, jobs_of
from hlsmem.check.formal.proof_design import design_of
from hlsmem.check.formal.smt_proof import Answer, prove
from hlsmem.check.rtl.simulated_device import read_device
from hlsmem.core.verilog_library import plain
from hlsmem.tools.provers import find_prover
from tests.check.formal.test_formal_verdicts import planned


@pytest.mark.formal
@pytest.mark.long
def test_two_operands_from_eleven_banks_with_a_write_of_one_beat(tmp_path: Path) -> None:
    """One write has a constant bank, 0, fewer bits than the others; two reads are one element."""
    out = planned("durbin", tmp_path / "out", "--param", "N=12")
    subject = load_subject(out)
    assert subject.program is not None
    device = read_device(out / "sim" / f"{subject.plan.design}.json")
    rtl = {plain(f.name): plain(f.read_text()) for f in (out / "rtl").glob("*.v")}
    design = design_of(subject.program, device, rtl, read_hints(out / "sim"), subject.document)
    memory = device.memory_of("y_1")
    assert memory is not None
    assert memory.banks == 11
    control = control_of(design, "y_1")
    assert not control.reasons
    task, (sources, top) = control.tasks[0], jobs_of(control)[0]
    assert {"g0_writes_only_0_bank_8", "g1_reads_1_0_bank_3_address", "g1_word_0"} <= {*task.claims}
    assert prove(find_prover(), sources, top, depth=1, seconds=60).answer is Answer.PROVED
    # Bank 3 is asked for the offset of the first operand, where it has the second.
    right, wrong = "y_1_0_b3_r_addr = (m_y_1_S7_bank_0 == 4'd3)", "y_1_0_b3_r_addr = (1'b1)"
    text = sources["proof_buffer.v"]
    assert right in text
    broken = {**sources, "proof_buffer.v": text.replace(right, wrong)}
    assert prove(find_prover(), broken, top, depth=1, seconds=60).answer is not Answer.PROVED


TABLE = """module table(input wire clk, input wire [3:0] place);
    reg [3:0] kept = 4'd0, said = 4'd5;
    reg [3:0] now, then;
    always @* case (place) {cases} endcase
    always @* case (kept) {again} endcase
    always @(posedge clk) begin kept <= place; said <= now; end
    always @* same: assert (said == then);
endmodule
"""


@pytest.mark.formal
@pytest.mark.parametrize(("by", "answer"), [(0, Answer.PROVED), (1, Answer.REFUTED)])
def test_a_case_of_constants_is_no_memory_with_any_words(by: int, answer: Answer) -> None:
    """Yosys makes such a `case` a ROM, whose words are not known where induction begins."""

    def cases(name: str, more: int) -> str:
        rows = [f"4'd{k}: {name} = 4'd{(7 * k + 5 + more * (k == 9)) % 16};" for k in range(15)]
        return " ".join([*rows, f"default: {name} = 4'd0;"])

    text = TABLE.format(cases=cases("now", 0), again=cases("then", by))
    proof = prove(find_prover(), {"table.sv": text}, "table", depth=3, seconds=60)
    assert proof.answer is answer
