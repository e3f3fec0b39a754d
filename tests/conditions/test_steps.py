"""Steps of which not all instances run (`order: iteration`, lanes), a beat for each of them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hlsmem.check.rtl.bench_vectors import _users
from hlsmem.check.rtl.expected_beats import WRITE, empty_stream
from hlsmem.cli.main import main
from hlsmem.core.errors import InputError
from hlsmem.planner.planning_sequence import plan_hardware
from tests.conditions.designs import CORRECTED
from tests.conditions.test_rtl import judged
from tests.steps import load

# Where the mask is set, an element is written, once; who reads one looks at its mask.
MASKED = """\
#define H 3
#define W 8
void k(const unsigned char in[H][W], const unsigned char mask[H][W], unsigned char out[H][W]) {
    unsigned char t[H][W];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            if (mask[y][x] > 60)
                t[y][x] = in[y][x] / 2;
            if (x > 0 && mask[y][x] > 60 && mask[y][x - 1] > 60)
                out[y][x] = t[y][x] + t[y][x - 1];
        }
}
"""
STEPS = ("plan.control=predicate", "order=iteration")
LANES = (*STEPS, "pipeline.unroll={x: 4}")


def masked(folder: Path) -> Path:
    (folder / "k.c").write_text(MASKED)
    return folder / "k.c"


@pytest.mark.few("lanes")
@pytest.mark.parametrize(
    ("settings", "bits", "words", "beats"),
    [(STEPS[:1], 1, 2, 24), (STEPS, 1, 2, 24), (LANES, 4, 5, 6)],
    ids=["one by one", "steps", "lanes"],
)
def test_bits_say_which_instances_of_a_beat_run(
    tmp_path: Path,
    settings: tuple[str, ...],
    bits: int,
    words: int,
    beats: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In a chain, which needs no bit: what is not written nobody reads."""
    out = tmp_path / "out"
    given = [part for one in settings for part in ("--set", one)]
    assert main(["plan", str(masked(tmp_path)), "-o", str(out), *given]) == 0
    plan = json.loads((out / "plan.json").read_text())
    memory = plan["memories"]["t"]
    assert (memory["kind"], memory["words"]) == ("chain", words)
    assert plan["timing"]["cycles"]["value"] <= beats + 3
    top = (out / "rtl" / "k_mem.v").read_text()
    assert f"input  wire [{bits - 1}:0] s_t_S0_tuser," in top
    code, text = judged(out, capsys)
    assert code == 0, text
    assert "the same in 8 outcomes of the conditions" in text


def test_c_takes_steps_apart_in_cells_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A step of the plan passes t[y][x] on; C stores it, as what follows may not run."""
    out = tmp_path / "out"
    given = [part for one in STEPS for part in ("--set", one)]
    assert main(["plan", str(masked(tmp_path)), "-o", str(out), *given]) == 0
    plan = json.loads((out / "plan.json").read_text())
    holdings = plan["arrays"]["t"]["holdings"]
    assert holdings["hardware"]["bound"]["cells"] == 1
    assert (holdings["host"]["words"], holdings["host"]["bound"]["cells"]) == (2, 2)
    assert plan["orders"]["host"]["steps"] is False
    capsys.readouterr()
    only = [part for one in ("proof", "replay", "host") for part in ("--only", one)]
    code = main(["check", str(out), *only])
    assert code == 0, capsys.readouterr().out


def test_bit_k_is_that_of_instance_k() -> None:
    beats = replace(
        empty_stream("s_t_S", "t", "S", WRITE),
        value=np.array([[0, 1, 2], [3, 4, 5]], dtype=np.int32),
        free=np.array([[False, True, True], [True, False, False]]),
    )
    assert _users(beats) == [0b001, 0b110]


@pytest.mark.long
def test_cells_that_wait_for_beats_of_all_instances(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "design.yaml", tmp_path / "out"
    path.write_text(CORRECTED)
    settings = ["--set", STEPS[0], "--set", "plan.slack=1"]
    assert main(["plan", str(path), "-o", str(out), *settings]) == 0
    code, text = judged(out, capsys)
    assert code == 0, text


@pytest.mark.parametrize("control", ["auto", "skip"])
@pytest.mark.parametrize(
    ("settings", "why"),
    [
        (LANES[1:], "lanes of unrolled loops share beats, whether an instance runs or not"),
        (LANES[1:2], "order: iteration reads ahead, whether an instance runs or not"),
        (("plan.slack=1",), "slack counts beats of instances that surely run"),
    ],
    ids=["lanes", "steps", "slack"],
)
def test_streams_that_skip_share_no_steps(
    tmp_path: Path, control: str, settings: tuple[str, ...], why: str
) -> None:
    settings = (*settings, f"plan.control={control}")
    if control == "auto":
        remarks = plan_hardware(load(masked(tmp_path), settings=settings)).plan.remarks
        assert any(f"(plan.control: predicate): 'S0' has a filter, and {why}" in r for r in remarks)
        return
    with pytest.raises(InputError) as error:
        load(masked(tmp_path), settings=settings)
    found = [str(one) for one in error.value.problems]
    told = f"{tmp_path}/k.c:7:17: 'S0' has a filter, and {why}; use plan.control: predicate"
    assert told in found


def test_a_step_passes_on_no_value_that_only_may_be_made(tmp_path: Path) -> None:
    path = tmp_path / "design.yaml"
    path.write_text(CORRECTED)
    with pytest.raises(InputError) as error:
        load(path, settings=STEPS)
    (found,) = map(str, error.value.problems)
    assert found.startswith(f"{path}:3")
    assert "within a step what is made of 'A', whose elements have several values" in found
    assert found.endswith("; use order: sequential, or write each once (c ? a : b)")


# A[i mod 2] is written over and over, perhaps.
AGAIN = """\
hlsmem: 1
name: again
params: {N: 8}
context: "[N] -> { : N >= 4 }"
plan: {control: predicate}
arrays:
  x: {type: int16, extents: [N], storage: external}
  c: {type: uint1, extents: [N], storage: external}
  A: {type: int16, extents: [2]}
  o: {type: int16, extents: [N], storage: external}
network:
  line:
    statements:
      W:
        domain: "[N] -> { W[i] : 0 <= i < N }"
        schedule: "{ W[i] -> [i, 0] }"
        reads: ["{ W[i] -> x[i] }"]
        writes: ["{ W[i] -> A[i mod 2] }"]
        body: "A = a0"
        filter: {access: ["{ W[i] -> c[i] : i > 1 }"], value: "{ W[i] -> [1] : i > 1 }"}
      R:
        domain: "[N] -> { R[i] : 1 <= i < N }"
        schedule: "{ R[i] -> [i, 1] }"
        reads: ["{ R[i] -> A[i mod 2] }", "{ R[i] -> A[(i + 1) mod 2] }"]
        writes: ["{ R[i] -> o[i] }"]
        body: "o = a0 - a1"
live_in: ["[N] -> { x[i] : 0 <= i < N }", "[N] -> { c[i] : 0 <= i < N }"]
live_out: ["[N] -> { o[i] : 0 < i < N }"]
"""


def test_a_guarded_write_taken_as_certain_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A chain, whose taps are right where all instances run."""
    path, out = tmp_path / "design.yaml", tmp_path / "out"
    path.write_text(AGAIN)
    kinds = []
    for certain in (False, True):
        if certain:
            monkeypatch.setattr(
                "hlsmem.storage.storage_candidates.may_hold_several_values", lambda *_: False
            )
        assert main(["plan", str(path), "-o", str(out)]) == 0
        kinds.append(json.loads((out / "plan.json").read_text())["memories"]["A"]["kind"])
    assert kinds == ["ram", "chain"]
    capsys.readouterr()
    assert main(["check", str(out), "--only", "proof"]) == 1
    text = capsys.readouterr().out
    part = "arrays.A.holdings.hardware.parts[0]"
    assert f"{part}.memory (a chain of elements with several values)" in text
