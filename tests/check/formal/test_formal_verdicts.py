"""The check `formal`: generated buffers pass, planted faults fail with a witness."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hlsmem.check import load_subject, run_checks
from hlsmem.check.formal import prove_design, read_hints
from hlsmem.check.rtl.simulated_device import read_device
from hlsmem.cli.main import main
from hlsmem.core.errors import InputError
from hlsmem.core.verdict import Status, Verdict
from hlsmem.tools.provers import find_prover
from tests.faults.verilog import planted_faults
from tests.plans import described

EXAMPLES = Path(__file__).parents[3] / "examples"


# One memory with addresses and gates, which the chooser would not take by itself.
BLURX_IN_RAMS = ("--set", "arrays.blurx.reads=copies")
SMOOTH_IN_RAMS = ("--set", "arrays.smooth.reads=copies", "--set", "arrays.smooth.parts=one")


# The kinds of faults that lie in what the check claims.
IN_REACH = {
    "modulus minus one",
    "modulus minus one, one walker",
    "wrong step",
    "wrong coefficient",
    "wrong offset",
    "beat of no instance",
    "dropped write",
    "dropped read",
    "swapped copies",
    "swapped banks",
    "skid slot lost",
    "read lost in a stall",
    "tlast early",
    "gate one beat early",
    "gate removed",
    # Chains
    "delay one beat short",
    "swapped operands",
    "wrong lane",
    "wrong tap",
    "beat out early",
    "beat lost in a stall",
    # FIFOs
    "one beat short",
    "run over early",
}
OWN = Path(__file__).parent / "designs"
FIFOS = Path(__file__).parents[2] / "dependences" / "designs" / "fifos.yaml"


def planned(example: str, out: Path, *options: str) -> Path:
    """An OUT of a kernel as written, whose arrays have memories with addresses."""
    design = str(EXAMPLES / example / "design.yaml")
    assert main(["plan", design, "--as-written", "-o", str(out), *options]) == 0
    return described(out)


def proved(out: Path, kinds: set[str]) -> dict[str, list[Verdict]]:
    """The verdicts on every fault of these kinds planted in OUT, by kind and place."""
    rtl = {file.name: file.read_text() for file in (out / "rtl").glob("*.v")}
    own = {name: text for name, text in rtl.items() if not name.startswith("hlsmem_")}
    return {
        f"{fault.kind} {fault.where}": judged(out, {**rtl, **fault.files})
        for fault in planted_faults(own)
        if fault.kind in kinds
    }


def buffers(out: Path) -> list[Verdict]:
    """The verdicts on OUT, without that on its top, which is right in all these tests.

    Nor are those here that only name a module of a family, of which there is one in each folder.
    """
    verdicts = run_checks(out, ("formal",)).verdicts
    named = len([*(out / "rtl").glob("*/*.v")])
    *found, top = verdicts[: len(verdicts) - named]
    assert all(verdict.status is Status.SKIPPED for verdict in verdicts[len(verdicts) - named :])
    assert top.status is Status.PASS, top.detail
    return found


def judged(out: Path, rtl: Mapping[str, str], **hints: Any) -> list[Verdict]:
    """The verdicts on OUT with this Verilog, and other hints for some streams."""
    subject = load_subject(out)
    assert subject.program is not None
    device = read_device(out / "sim" / f"{subject.plan.design}.json")
    known = {**read_hints(out / "sim"), **hints}
    return [*prove_design(subject.program, device, rtl, known, subject.document, find_prover())]


@pytest.mark.formal
@pytest.mark.needs("iverilog")
def test_a_buffer_is_proved_and_a_wrong_step_fails_with_a_witness(tmp_path: Path) -> None:
    out = planned("two_consumers", tmp_path / "out", "--param", "N=12", *SMOOTH_IN_RAMS)
    verdicts = buffers(out)
    assert [(v.subject, v.status) for v in verdicts] == [("smooth", Status.PASS)]
    (verdict,) = next(iter(proved(out, {"wrong offset"}).values()))
    assert verdict.status is Status.FAIL
    assert "by the plan, cell" in verdict.detail
    assert not verdict.fine


@pytest.mark.formal
@pytest.mark.needs("iverilog")
def test_gates_that_open_early_or_late_are_caught(tmp_path: Path) -> None:
    out = planned("blur", tmp_path / "out", "--param", "N=4", *BLURX_IN_RAMS)
    (verdict,) = next(iter(proved(out, {"gate one beat early"}).values()))
    assert not verdict.fine
    assert "goes before" in verdict.detail
    rtl = {file.name: file.read_text() for file in (out / "rtl").glob("*.v")}
    buffer = "blur_blurx_buffer.v"
    late = rtl[buffer].replace(".START(9)", ".START(8)")
    assert late != rtl[buffer]
    (verdict,) = judged(out, {**rtl, buffer: late})
    assert not verdict.fine


@pytest.mark.formal
@pytest.mark.long
def test_words_in_other_lanes_are_caught(tmp_path: Path) -> None:
    out = planned("transpose", tmp_path / "out", "--param", "N=8")
    found = proved(out, {"wrong rotation", "read lost in a stall"})
    assert len(found) == 4
    for fault, (verdict,) in found.items():
        assert not verdict.fine
        turned = fault.startswith("wrong rotation")
        said = "the word of another RAM" if turned else "read elsewhere than it was asked"
        assert said in verdict.detail
    rtl = {file.name: file.read_text() for file in (out / "rtl").glob("*.v")}
    buffer = "transpose_tile_buffer.v"
    for right, wrong in (
        ("write_data = s_tile_L_tdata[31:0]", "write_data = {32{s_tile_L_tdata[0]}}"),
        (".issue_turn(m_tile_R_bank_0)", ".issue_turn(~m_tile_R_bank_0)"),
    ):
        text = rtl[buffer].replace(right, wrong)
        assert text != rtl[buffer]
        (verdict,) = judged(out, {**rtl, buffer: text})
        assert not verdict.fine


@pytest.mark.formal
@pytest.mark.needs("iverilog")
@pytest.mark.long
def test_words_beside_a_wire_are_proved_and_the_wire_is_named(tmp_path: Path) -> None:
    out = tmp_path / "out"
    design = str(FIFOS.with_name("chains.yaml"))
    assert main(["plan", design, "-o", str(out), "--set", "arrays.a.reads=copies"]) == 0
    described(out)
    verdicts = buffers(out)
    assert {v.status for v in verdicts} == {Status.PASS}
    assert "(not shown here, as wires bring it: operand 1 of m_a_B)" in verdicts[0].detail
    rtl = {file.name: file.read_text() for file in (out / "rtl").glob("*.v")}
    right = "{m_a_B_fetched[31:16], a_wire_0_data, m_a_B_fetched[15:0]}"
    wrong = "{m_a_B_fetched[15:0], a_wire_0_data, m_a_B_fetched[31:16]}"
    text = rtl["chains_a_buffer.v"].replace(right, wrong)
    assert text != rtl["chains_a_buffer.v"]
    verdict, *others = judged(out, {**rtl, "chains_a_buffer.v": text})
    assert all(other.fine for other in others)
    assert not verdict.fine
    assert "m_a_B: operand 0 is the word of another RAM" in verdict.detail


BANKED = [
    ("stencil5", ["order=iteration", "pipeline.unroll.x=2", "target.output_register=yes"], "M=12"),
    ("blur", ["arrays.blurx.reads=banks"], "N=12"),
]


@pytest.mark.formal
@pytest.mark.needs("iverilog")
@pytest.mark.long
@pytest.mark.parametrize(("example", "settings", "size"), BANKED)
def test_words_that_no_turn_brings_are_proved_and_wrong_ones_are_caught(
    example: str, settings: list[str], size: str, tmp_path: Path
) -> None:
    options = [word for setting in settings for word in ("--set", setting)]
    out = planned(example, tmp_path / "out", *options, "--param", "N=12", "--param", size)
    (verdict,) = buffers(out)
    assert verdict.status is Status.PASS
    assert "each word is that of its RAM" in verdict.detail
    found = proved(out, {"wrong rotation", "selector lost in a stall"})
    assert {fault.rpartition(" ")[0] for fault in found} == {
        "wrong rotation",
        "selector lost in a stall",
    }
    for (verdict,) in found.values():
        assert not verdict.fine
        assert "the word of another RAM" in verdict.detail


@pytest.mark.formal
def test_gates_that_are_proved_and_promise_too_little_are_caught(tmp_path: Path) -> None:
    """Verilog and hints that agree on a gate one beat early, and RAMs that must not collide."""
    out = planned("blur", tmp_path / "out", "--param", "N=8", *BLURX_IN_RAMS)
    rtl = {file.name: file.read_text() for file in (out / "rtl").glob("*.v")}
    buffer = rtl["blur_blurx_buffer.v"]
    hints = dict(read_hints(out / "sim")["s_blurx_P"])
    (gate,) = hints["gates"]
    early = buffer.replace(".START(17)", ".START(18)")
    told = {**hints, "gates": [{**gate, "start": 18}]}
    (verdict,) = judged(out, {**rtl, "blur_blurx_buffer.v": early}, s_blurx_P=told)
    assert not verdict.fine
    assert "s_blurx_P beat" in verdict.detail
    no_answer = buffer.replace(".COLLISION(1)", ".COLLISION(0)")
    (verdict,) = judged(out, {**rtl, "blur_blurx_buffer.v": no_answer})
    assert not verdict.fine
    assert "s_blurx_P beat" in verdict.detail


@pytest.mark.formal
@pytest.mark.needs("iverilog")
def test_a_chain_is_proved_and_swapped_operands_fail_with_a_witness(tmp_path: Path) -> None:
    options = ["--param", "N=8", "--set", "order=iteration"]
    out = planned("sobel", tmp_path / "out", *options)
    verdicts = buffers(out)
    assert [(v.subject, v.status) for v in verdicts] == [("in", Status.PASS)]
    assert "12 operands come out as they went in" in verdicts[0].detail
    (verdict,) = next(iter(proved(out, {"swapped operands"}).values()))
    assert verdict.status is Status.FAIL
    assert "is not what was written to in[" in verdict.detail
    assert not verdict.fine


def guards(out: Path) -> Path:
    """A read stream whose address generator passes places without a beat."""
    assert main(["plan", str(OWN / "guards.yaml"), "-o", str(out)]) == 0
    described(out)
    assert any(stream["places"] for stream in read_hints(out / "sim").values())
    return out


@pytest.mark.formal
@pytest.mark.needs("iverilog")
def test_a_walk_with_places_without_a_beat_is_proved_and_a_beat_there_fails(
    tmp_path: Path,
) -> None:
    out = guards(tmp_path / "out")
    (verdict,) = buffers(out)
    assert verdict.status is Status.PASS
    (verdict,) = next(iter(proved(out, {"beat of no instance"}).values()))
    assert not verdict.fine
    assert verdict.status is Status.FAIL
    assert "m_a_G between two beats: it moves where it has no beat" in verdict.detail


@pytest.mark.formal
@pytest.mark.long
def test_faults_beside_places_without_a_beat_are_caught(tmp_path: Path) -> None:
    kinds = {"wrong step", "wrong offset", "dropped read", "gate one beat early", "gate removed"}
    found = proved(guards(tmp_path / "out"), kinds)
    assert len(found) == 10
    assert [where for where, verdicts in found.items() if all(v.fine for v in verdicts)] == []


@pytest.mark.formal
@pytest.mark.long
def test_places_that_the_walk_does_not_pass_prove_nothing(tmp_path: Path) -> None:
    out = guards(tmp_path / "out")
    rtl = {file.name: file.read_text() for file in (out / "rtl").glob("*.v")}
    told = dict(read_hints(out / "sim")["m_a_G"])
    told["places"] = ["{ [1, 1]; [1, 5]; [3, 8] }"]
    (verdict,) = judged(out, rtl, m_a_G=told)
    assert not verdict.fine


def unrolled(out: Path, *sizes: str) -> Path:
    """A chain of four elements a write beat."""
    options = [word for size in sizes for word in ("--param", size)]
    design = str(EXAMPLES / "window3" / "unrolled.yaml")
    assert main(["plan", design, "-o", str(out), *options]) == 0
    return described(out)


@pytest.mark.formal
@pytest.mark.needs("iverilog")
def test_a_chain_of_several_lanes_is_proved_and_an_element_in_another_one_fails(
    tmp_path: Path,
) -> None:
    out = unrolled(tmp_path / "out", "W=16", "H=6")
    (verdict,) = buffers(out)
    assert verdict.status is Status.PASS
    assert verdict.detail.startswith("36 operands come out as they went in")
    (verdict,) = next(iter(proved(out, {"wrong lane"}).values()))
    assert verdict.status is Status.FAIL
    assert "operand 29 is not what was written to in[0][3]" in verdict.detail
    assert not verdict.fine


@pytest.mark.formal
@pytest.mark.needs("iverilog")
@pytest.mark.long
def test_faults_in_chains_of_several_lanes_are_caught(tmp_path: Path) -> None:
    found = proved(unrolled(tmp_path / "out", "W=32", "H=8"), IN_REACH)
    assert {fault.rpartition(" ")[0] for fault in found} >= {
        "delay one beat short",
        "wrong lane",
        "wrong tap",
        "swapped operands",
        "beat out early",
        "beat lost in a stall",
        "tlast early",
    }
    for (verdict,) in found.values():
        assert not verdict.fine
        assert "m_in_S0 beat" in verdict.detail


@pytest.mark.formal
def test_a_skid_in_front_of_a_chain_is_proved_and_a_beat_lost_in_it_fails(tmp_path: Path) -> None:
    settings = ("--set", "order=iteration", "--set", "plan.slack=1", "--param", "N=8")
    out = planned("sobel", tmp_path / "out", *settings)
    rtl = {file.name: file.read_text() for file in (out / "rtl").glob("*.v")}
    (verdict,) = judged(out, rtl)
    assert verdict.status is Status.PASS, verdict.detail
    found = proved(out, {"beat lost in a skid"})
    assert len(found) == 2
    for (verdict,) in found.values():
        assert verdict.status is Status.FAIL, verdict.detail


def fifos(out: Path) -> Path:
    assert main(["plan", str(FIFOS), "-o", str(out), "--param", "N=20"]) == 0
    return described(out)


@pytest.mark.formal
def test_fifos_are_proved_and_one_that_is_too_short_fails(tmp_path: Path) -> None:
    out = fifos(tmp_path / "out")
    verdicts = buffers(out)
    assert [(v.subject, v.status) for v in verdicts] == [("a", Status.PASS), ("b", Status.PASS)]
    assert "in their order" in verdicts[0].detail
    buffer = out / "rtl" / "fifos_a_buffer.v"
    buffer.write_text(buffer.read_text().replace(".DEPTH(6)", ".DEPTH(4)"))
    short, whole = buffers(out)
    assert (short.status, whole.status) == (Status.FAIL, Status.PASS)
    assert short.detail == "6 values wait at once, its FIFO holds 5"


@pytest.mark.formal
@pytest.mark.needs("iverilog")
@pytest.mark.long
def test_faults_in_fifos_are_caught(tmp_path: Path) -> None:
    found = proved(fifos(tmp_path / "out"), IN_REACH)
    assert len(found) == 8
    told = [v.detail for verdicts in found.values() for v in verdicts if not v.fine]
    assert len(told) == len(found)
    assert "cycle 3: tlast is wrong" in told


@pytest.mark.formal
@pytest.mark.few("triangle", "transpose")
@pytest.mark.parametrize(
    ("example", "options"),
    [
        ("blur", []),
        ("half", []),
        ("sobel", []),
        ("sobel", ["--set", "order=iteration"]),
        ("window3", ["--param", "W=64", "--param", "H=48"]),
        ("window5", ["--param", "W=64", "--param", "H=48"]),
        ("durbin", ["--param", "N=12"]),
        ("durbin", ["--param", "N=64"]),
        ("triangle", ["--param", "N=64"]),
        ("heat2d", []),
        ("jacobi1d", []),
        ("matmul_relu", []),
        ("stencil5", ["--param", "N=16", "--param", "M=16"]),
        ("bicubic", []),
        ("transpose", []),
        ("echo", []),
        ("fifo", []),
    ],
)
def test_examples_are_proved(example: str, options: list[str], tmp_path: Path) -> None:
    verdicts = buffers(planned(example, tmp_path / "out", *options))
    assert {v.status for v in verdicts} == {Status.PASS}


@pytest.mark.formal
@pytest.mark.few("blur")
@pytest.mark.parametrize(
    ("example", "options"),
    [("blur", []), ("triangle", []), ("half", []), ("sobel", ["--set", "order=iteration"])],
)
def test_planted_faults_are_caught(example: str, options: list[str], tmp_path: Path) -> None:
    found = proved(planned(example, tmp_path / "out", "--param", "N=8", *options), IN_REACH)
    assert len(found) >= 4
    assert [where for where, verdicts in found.items() if all(v.fine for v in verdicts)] == []


def test_without_tools_the_way_to_get_them_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = planned("two_consumers", tmp_path / "out", "--param", "N=12", *SMOOTH_IN_RAMS)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    capsys.readouterr()
    assert main(["check", str(out), "--only", "formal"]) == 3
    assert "pip install hlsmem[" in capsys.readouterr().out
    assert "formal" not in {verdict.check for verdict in run_checks(out, ("proof",)).verdicts}


def test_hints_that_are_missing_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"invariants\.json"):
        read_hints(tmp_path)


def test_hints_of_another_version_are_named(tmp_path: Path) -> None:
    old = json.dumps({"format": "hlsmem-invariants/1", "streams": {}})
    (tmp_path / "invariants.json").write_text(old)
    with pytest.raises(InputError, match="not of this version; run `hlsmem plan` again"):
        read_hints(tmp_path)
