"""Plans with self-timed capacities: their words, the run that decides, their Verilog simulated."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import hlsmem_verify
from hlsmem.check.plans.plan_parts import divide
from hlsmem.check.plans.self_timed import turns
from hlsmem.check.replayed.replay_check import check_replay
from hlsmem.cli.command import main
from hlsmem.core.errors import InputError
from hlsmem.core.verdict import Status
from hlsmem.network.channels import channels_of
from hlsmem.network.firing import run
from hlsmem.network.listed_channels import net_of
from hlsmem.network.processes import processes_of
from hlsmem.plan import to_json
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.program.model import Program
from hlsmem.studies.networks.question import ask_network
from tests.holdings import part_in
from tests.plans import hardware_of
from tests.steps import load

DESIGNS = Path(__file__).parent / "designs"
SETTINGS = ("plan.channels=dedicated", "plan.capacity=selftimed")

# Words of FIFOs by part: those of the reference, at least two.
WORDS = {
    "blur_seq": {"b_0": 13, "b_1": 7, "b_2": 2},
    "tradeoff": {"x_1": 2, "a": 3},
}

# Words of windows, and the least with which the network ends: rows of tiles whose gates are few.
WINDOWS = {"transpose": (30, 30), "tiles": (32, 24)}


def planning(name: str) -> Planning:
    return hardware_of(DESIGNS / f"{name}.yaml", settings=SETTINGS)


def document_of(name: str, words: Mapping[str, int] = {}) -> dict[str, Any]:
    """plan.json, with other words for some memories."""
    document: dict[str, Any] = json.loads(to_json(planning(name).plan))
    for memory, number in words.items():
        document["memories"][memory]["words"] = number
    return document


def program_of(name: str) -> Program:
    program = planning(name).program
    assert program is not None
    return program


def ends(name: str, document: dict[str, Any]) -> bool:
    """Whether the run that `replay` takes the order of accesses from comes to its end."""
    return turns(divide(program_of(name), document)) is not None


@pytest.mark.parametrize("name", WORDS)
def test_fifos_have_as_few_words_as_will_do(name: str) -> None:
    plan = planning(name).plan
    found = {key: one.words for key, one in plan.memories.items() if one.kind == "fifo"}
    assert found == WORDS[name]
    assert ends(name, document_of(name))


@pytest.mark.parametrize("name", WORDS)
def test_one_word_less_is_found(name: str) -> None:
    for memory, words in WORDS[name].items():
        if words > 2:
            assert not ends(name, document_of(name, {memory: words - 1}))


def test_both_runs_agree_on_capacities() -> None:
    """The planner's and the check's, which share nothing, at all small capacities."""
    program = program_of("tradeoff")
    processes = processes_of(program, "given")
    channels = channels_of(program)
    net = net_of(program, processes, channels)
    assert net is not None
    names = {"C0": "x_1", "C1": "a"}
    for words in product(range(1, 5), repeat=2):
        given = dict(zip(names.values(), words, strict=True))
        is_ended = ends("tradeoff", document_of("tradeoff", given))
        # A reads from a register, which holds one value.
        capacities = [given.get(names.get(one.sink.name, ""), 1) for one in channels]
        assert (run(net, capacities).deadlock is None) == is_ended


def test_what_passes_through_is_replayed() -> None:
    name = "blur_seq"
    plan = planning(name).plan
    verdicts = check_replay(planning(name).design, program_of(name), plan, document_of(name))
    assert {one.status for one in verdicts} == {Status.PASS}


def with_window(name: str, words: int) -> dict[str, Any]:
    """plan.json with a window of so many words."""
    document = document_of(name)
    (array,) = document["arrays"].values()
    part, held = part_in(array), array["holdings"]["hardware"]
    document["memories"][part["memory"]]["words"] = part["mapping"]["cells"] = words
    held["bits"] = words * held["bits"] // held["words"]
    held["words"] = words
    (piece,) = part["mapping"]["pieces"]
    piece["modulus"], piece["modulus_value"] = [str(words)], [words]
    return document


@pytest.mark.parametrize("name", [*WORDS, *WINDOWS])
def test_that_processes_come_to_their_end_is_proved_from_the_plan(name: str) -> None:
    """Every claim, by a way that shares nothing with the other two; one word less is false."""
    found = hlsmem_verify.verify(document_of(name))
    assert (found["open"], found["false"]) == ({}, [])
    fewer = [with_window(name, WINDOWS[name][1] - 1)] if name in WINDOWS else []
    for memory, words in WORDS.get(name, {}).items():
        if words > 2:
            fewer.append(document_of(name, {memory: words - 1}))
    for document in fewer:
        found = hlsmem_verify.verify(document)["false"]
        assert any("waits for itself" in said for said in found)


@pytest.mark.parametrize("name", WINDOWS)
def test_a_window_gives_its_cells_in_turn(name: str) -> None:
    assert hlsmem_verify.verify(with_window(name, WINDOWS[name][1]))["false"] == []
    document = document_of(name)
    (array,) = document["arrays"].values()
    (piece,) = part_in(array)["mapping"]["pieces"]
    piece["matrix"][0][0] = str(piece["matrix_value"][0][0] + 1)
    piece["matrix_value"][0][0] += 1
    (said,) = hlsmem_verify.verify(document)["false"]
    assert "has not the cell of its turn" in said


@pytest.mark.parametrize("name", WINDOWS)
def test_windows_have_few_words(name: str) -> None:
    plan = planning(name).plan
    (memory,) = plan.memories.values()
    assert (memory.kind, memory.words) == ("window", WINDOWS[name][0])
    document = document_of(name)
    verdicts = check_replay(planning(name).design, program_of(name), plan, document)
    assert {one.status for one in verdicts} == {Status.PASS}
    assert f"by themselves, 36 reads and 36 writes over {memory.words} words" in (
        verdicts[-1].detail.replace("64", "36")
    )


@pytest.mark.parametrize("name", WINDOWS)
def test_one_word_less_than_the_least_is_found(name: str) -> None:
    least = WINDOWS[name][1]
    for words, status in ((least, Status.PASS), (least - 1, Status.FAIL)):
        document = with_window(name, words)
        assert ends(name, document) == (status is Status.PASS)
        replayed = check_replay(
            planning(name).design, program_of(name), planning(name).plan, document
        )
        assert replayed[-1].status is status
    assert "are stuck" in replayed[-1].detail


def test_a_window_is_for_processes_that_run_by_themselves() -> None:
    document = document_of("transpose")
    del document["program"]["capacity"]
    false = hlsmem_verify.verify(document)["false"]
    assert any("a window is for processes" in one for one in false)


def test_what_has_no_affine_numbers_keeps_the_words_of_the_schedule(tmp_path: Path) -> None:
    """A triangle read by columns: the number of a write grows with the square of its row."""
    text = (DESIGNS / "transpose.yaml").read_text(encoding="utf-8")
    for name, wide, triangle in (
        ("B", "0 <= y,x < N", "0 <= x <= y < N"),
        ("C", "0 <= y,x < N", "0 <= y <= x < N"),
        ("o", "0 <= y,x < N", "0 <= y <= x < N"),
    ):
        text = text.replace(f"{{ {name}[y,x] : {wide} }}", f"{{ {name}[y,x] : {triangle} }}")
    (tmp_path / "triangle.yaml").write_text(text, encoding="utf-8")
    found = plan_hardware(load(tmp_path / "triangle.yaml", settings=SETTINGS)).plan
    assert {one.kind for one in found.memories.values()} == {"ram"}


@pytest.mark.few("tiles")
@pytest.mark.parametrize("name", [*WORDS, *WINDOWS])
def test_the_verilog_comes_to_its_end(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With and without stalls, in as many cycles as predicted."""
    settings = [word for one in SETTINGS for word in ("--set", one)]
    out = str(tmp_path / "out")
    assert main(["plan", str(DESIGNS / f"{name}.yaml"), "-o", out, *settings]) == 0
    assert main(["check", out, "--only", "rtl"]) == 0
    assert "predicted = measured" in capsys.readouterr().out


def test_a_gate_that_does_not_wait_for_later_reads_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Gates as of a memory whose order is the schedule's: a write goes before a read behind it."""
    settings = [word for one in SETTINGS for word in ("--set", one)]
    out = str(tmp_path / "out")
    monkeypatch.setattr("hlsmem.storage.ram.circuit.WINDOW", "none")
    assert main(["plan", str(DESIGNS / "transpose.yaml"), "-o", out, *settings]) == 0
    assert "a window" in capsys.readouterr().out
    assert main(["check", out, "--only", "rtl"]) == 1
    found = capsys.readouterr().out
    assert "FAILED: rtl" in found
    assert ", which holds a[" in found, found[-3000:]


@pytest.mark.few("tiles")
@pytest.mark.formal
@pytest.mark.parametrize("name", WINDOWS)
def test_windows_are_proved(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    settings = [word for one in SETTINGS for word in ("--set", one)]
    out = str(tmp_path / "out")
    assert main(["plan", str(DESIGNS / f"{name}.yaml"), "-o", out, *settings]) == 0
    assert main(["check", out, "--only", "formal"]) == 0
    assert "each beat goes after what it needs, under all stalls" in capsys.readouterr().out


REFUSED = {
    "order=iteration": "order: iteration says which instances run in one step",
    "plan.schedules=any": "plan.schedules: any is for many orders",
}


@pytest.mark.parametrize("setting", REFUSED)
def test_processes_run_by_themselves_in_one_order(setting: str) -> None:
    with pytest.raises(InputError) as caught:
        load(DESIGNS / "tradeoff.yaml", settings=[*SETTINGS, setting])
    assert any(REFUSED[setting] in one.what for one in caught.value.problems)


TURNS = """\
#include <hls_stream.h>
static void make(const int in[9], hls::stream<int> &f, hls::stream<int> &g) {
    for (int i = 0; i < 9; i++) f.write(in[i]);
    for (int i = 0; i < 9; i++) g.write(in[i] * 2);
}
static void take(hls::stream<int> &f, hls::stream<int> &g, int out[9]) {
    for (int i = 0; i < 9; i++) out[i] = f.read() - g.read();
}
void top(const int in[9], int out[9]) {
#pragma HLS DATAFLOW
    hls::stream<int> f, g;
    make(in, f, g);
    take(f, g, out);
}
"""


def test_tasks_are_processes_of_plans_and_of_networks(tmp_path: Path) -> None:
    """Two streams that are written one after the other, and read in turns."""
    (tmp_path / "turns.cpp").write_text(TURNS, encoding="utf-8")
    found = plan_hardware(
        load(tmp_path / "turns.cpp", settings=["kernel.pragmas=obey", "schedule=text"])
    )
    assert {one.array: one.selftimed for one in ask_network(found.design).rows} == {"f": 9, "g": 1}
    assert {key: one.words for key, one in found.plan.memories.items()} == {"f": 9, "g": 2}
    assert found.program is not None
    document = json.loads(to_json(found.plan))
    assert turns(divide(found.program, document)) is not None
    assert not hlsmem_verify.verify(document)["false"]
    document["memories"]["f"]["words"] = 8
    assert turns(divide(found.program, document)) is None
    assert hlsmem_verify.verify(document)["false"]
