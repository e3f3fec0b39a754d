"""The check `formal` on a top: wiring, memories, start and busy, and modules nobody speaks of."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.check import load_subject
from hlsmem.check.formal import prove_top, read_hints
from hlsmem.check.formal.formal_verdicts import family_leaves
from hlsmem.check.rtl.simulated_device import read_device
from hlsmem.core.verdict import Status, Verdict
from hlsmem.tools.provers import find_prover
from tests.check.formal.test_formal_verdicts import BLURX_IN_RAMS, judged, planned


@pytest.fixture(scope="module")
def unsharp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return planned(
        "unsharp", tmp_path_factory.mktemp("u") / "out", "--param", "W=8", "--param", "H=6"
    )


@pytest.fixture(scope="module")
def blur(tmp_path_factory: pytest.TempPathFactory) -> Path:
    options = ("--param", "N=6", *BLURX_IN_RAMS)
    return planned("blur", tmp_path_factory.mktemp("b") / "out", *options)


def texts(out: Path) -> dict[str, str]:
    return {file.name: file.read_text() for file in (out / "rtl").glob("*.v")}


def with_fault(out: Path, file: str, right: str, wrong: str) -> dict[str, str]:
    """The Verilog of OUT where one text in a file is another."""
    rtl = texts(out)
    (name,) = (name for name in rtl if name.startswith(file))
    assert right in rtl[name]
    return {**rtl, name: rtl[name].replace(right, wrong, 1)}


def on_top(out: Path, rtl: dict[str, str]) -> Verdict:
    subject = load_subject(out)
    assert subject.program is not None
    device = read_device(out / "sim" / f"{subject.plan.design}.json")
    document, hints = subject.document, read_hints(out / "sim")
    (verdict,) = prove_top(subject.program, device, rtl, hints, document, find_prover())
    return verdict


@pytest.mark.formal
def test_a_right_top_is_proved(unsharp: Path) -> None:
    whole = on_top(unsharp, texts(unsharp))
    assert (whole.subject, whole.status) == ("unsharp_mem", Status.PASS), whole.detail
    assert whole.detail.startswith("each bit of 5 streams is that of its buffer")
    assert "modules, all proved" in whole.detail


TOP_FAULTS = (
    (
        ".m_in_B_tdata(m_in_B_tdata)",
        ".m_in_B_tdata({m_in_B_tdata[7:0], m_in_B_tdata[71:8]})",
        "m in B tdata is another",
    ),
    (".s_b_B_tlast(s_b_B_tlast)", ".s_b_B_tlast(1'b1)", "s b B tlast is another"),
    ("wire go = start & ~busy;", "wire go = start;", "start is another"),
    (
        "assign busy = in_busy | b_busy | m_in_S_tvalid;",
        "assign busy = in_busy | m_in_S_tvalid;",
        "busy is another",
    ),
    (".m_tready(m_in_S_tready)", ".m_tready(1'b1)", "m in S m tready is another"),
    (
        "u_b (\n        .clk(clk),\n        .rst(rst)",
        "u_b (\n        .clk(clk),\n        .rst(start)",
        "u b rst is another",
    ),
)


@pytest.mark.formal
@pytest.mark.few(1)
@pytest.mark.parametrize(("right", "wrong", "told"), TOP_FAULTS, ids=[f[2] for f in TOP_FAULTS])
def test_a_wire_of_the_top_that_is_another(
    right: str, wrong: str, told: str, unsharp: Path
) -> None:
    verdict = on_top(unsharp, with_fault(unsharp, "unsharp_mem", right, wrong))
    assert verdict.status is Status.FAIL
    assert verdict.detail.startswith("the wiring: ")
    assert told in verdict.detail


@pytest.mark.formal
def test_a_memory_that_drops_writes_is_found(blur: Path) -> None:
    right, wrong = "if (w_en) cells", "if (w_en && w_addr != 2) cells"
    fault = on_top(blur, with_fault(blur, "hlsmem_ram_v", right, wrong))
    assert (fault.subject, fault.status) == ("blur_mem", Status.FAIL)
    assert "a cell lost what was written" in fault.detail


RUN_FAULTS = (
    ("assign load = rst | (busy & over);", "assign load = busy & over;"),
    ("else if (start) busy <= 1'b1;", "else if (start & write_enable) busy <= 1'b1;"),
    ("else if (start) busy <= 1'b1;", "else busy <= 1'b1;"),
    ("wire over = s_blurx_P_done & m_blurx_C_over;", "wire over = s_blurx_P_done;"),
    ("wire over = s_blurx_P_done & m_blurx_C_over;", "wire over = m_blurx_C_over;"),
    ("s_blurx_P_open = busy & s_blurx_P_beat", "s_blurx_P_open = s_blurx_P_beat"),
)


@pytest.mark.formal
@pytest.mark.few(1)
@pytest.mark.parametrize(("right", "wrong"), RUN_FAULTS)
def test_start_busy_and_reset_of_a_buffer(right: str, wrong: str, blur: Path) -> None:
    (verdict,) = judged(blur, with_fault(blur, "blur_blurx_buffer", right, wrong))
    assert not verdict.fine


@pytest.mark.formal
def test_a_module_that_no_proof_speaks_of_fails(blur: Path) -> None:
    rtl = texts(blur)
    (top,) = (name for name in rtl if name.endswith("_mem.v"))
    (file,) = (name for name in rtl if name.startswith("blur_s_blurx_P_walk"))
    other = rtl[file].replace("module blur_s_blurx_P_walk", "module blur_other", 1)
    within = rtl[top].replace(
        "    assign busy", "    blur_other within (.clk(clk));\n    assign busy"
    )
    verdict = on_top(blur, {**rtl, top: within, "blur_other.v": other})
    assert verdict.status is Status.FAIL
    assert verdict.detail == "blur_other is in the circuit, and no proof speaks of it"


def test_what_a_family_has_instead_of_a_module_is_named(tmp_path: Path) -> None:
    (tmp_path / "ecp5").mkdir()
    (tmp_path / "ecp5/hlsmem_ram_output_v0_1_0.v").write_text("")
    (verdict,) = family_leaves(tmp_path)
    assert (verdict.subject, verdict.status) == ("hlsmem_ram_output", Status.SKIPPED)
    assert verdict.fine
    assert "ecp5/hlsmem_ram_output_v0_1_0.v, which synthesis for ecp5 takes" in verdict.detail
    assert "not proved" in verdict.detail
