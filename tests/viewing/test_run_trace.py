"""The trace of a plan, replayed here by an interpreter of its own from the document alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hlsmem.check import load_subject
from hlsmem.cli.main import main
from hlsmem.planner.output_files import output_files
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.viewing.run_trace import trace_of
from hlsmem.viewing.shown_window import window_of
from tests.plans import put
from tests.steps import load
from tests.viewing.columns import expanded

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def written(tmp_path: Path, name: str, *settings: str) -> Path:
    """OUT without its pictures and reports."""
    out = tmp_path / name.replace("/", "_")
    files = output_files(plan_design(load(EXAMPLES / name, settings=settings)))
    put(out, files)
    return out


def replay(document: dict[str, Any], name: str) -> tuple[int, int, list[str]]:
    """Reads, most elements alive, and what was wrong; from the document, by dictionaries."""
    array = document["arrays"][name]
    sides = [high - low + 1 for low, high in array["box"]]

    def element(position: int) -> tuple[int, ...]:
        found = []
        for side, (low, _) in zip(sides[::-1], array["box"][::-1], strict=True):
            found.append(position % side + low)
            position //= side
        return tuple(found[::-1])

    table = expanded(array["cell_table"]) if array["cell_table"] else None

    def cell(point: tuple[int, ...]) -> Any:
        if table is not None:
            place = 0
            for side, x, (low, _) in zip(sides, point, array["box"], strict=True):
                place = place * side + x - low
            return table[place]
        (piece,) = array["pieces"]
        rows = zip(piece["matrix"], piece["modulus"], piece["offset"], strict=True)
        return tuple(
            (sum(a * x for a, x in zip(row, point, strict=True)) + offset) % modulus
            for row, modulus, offset in rows
        )

    events: list[tuple[int, int, int, tuple[int, ...]]] = []
    for statement in document["statements"]:
        steps = expanded(statement["step"])
        ranks = expanded(statement["rank"]) if statement["rank"] else steps
        for access in statement["accesses"]:
            if access["array"] != name:
                continue
            columns = [expanded(column) for column in access["element"]]
            present = expanded(access["present"]) if access["present"] else [1] * len(steps)
            wire = expanded(access["wire"]) if access["wire"] else [0] * len(steps)
            for k, step in enumerate(steps):
                if present[k] and not wire[k]:
                    point = tuple(column[k] for column in columns)
                    events.append((step, access["kind"] == "write", ranks[k], point))
    events.sort()
    holder = {cell(e): e for e in map(element, expanded(array["live_in"] or []))}
    lives: dict[tuple[int, ...], list[int]] = {e: [-1, -1] for e in holder.values()}
    done, wrong, reads = [], [], 0
    for step, is_write, _, point in events:
        if is_write:
            done += [lives[point]] if point in lives else []
            lives[point] = [step, step]
            holder[cell(point)] = point
        else:
            reads += 1
            lives[point][1] = step
            if holder.get(cell(point)) != point:
                wrong.append(f"step {step}: {point} finds {holder.get(cell(point))}")
    for point in map(element, expanded(array["live_out"] or [])):
        lives[point][1] = document["steps"] + 1
    done += lives.values()
    moments = [-1, *sorted({start for start, _ in done})]
    alive = [
        sum(a <= moment < b or a == b == moment for a, b in done)
        for moment in (moments if len(moments) < 400 else moments[:: len(moments) // 300])
    ]
    return reads, max(alive), wrong


def test_the_trace_of_the_blur(tmp_path: Path) -> None:
    out = written(tmp_path, "blur/design.yaml")
    document = trace_of(load_subject(out))
    text = json.dumps(document, separators=(",", ":"))
    assert document["steps"] == 8064
    assert len(text) < 10_000
    assert text == json.dumps(trace_of(load_subject(out)), separators=(",", ":"))
    first, second = document["statements"]
    assert (first["name"], first["line"], first["count"]) == ("P", 10, 4096)
    assert first["step"] == [0, 1, 129, 130, 2, 3967]
    assert [access["column"] for access in second["accesses"]] == [33, 51, 69]
    assert document["arrays"]["blurx"]["parts"][0]["taps"] == [
        ["C", 0, 128], ["C", 1, 64], ["C", 2, 0]
    ]  # fmt: skip


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("blur/design.yaml", "blurx"),
        ("two_consumers/design.yaml", "smooth"),
        ("triangle/design.yaml", "sum"),
        ("half/design.yaml", "a"),
    ],
)
@pytest.mark.parametrize("order", ["sequential", "iteration"])
def test_every_read_finds_its_element(tmp_path: Path, name: str, array: str, order: str) -> None:
    settings = [f"order={order}"] + (["params.N=8"] if name.startswith(("blur", "half")) else [])
    out = written(tmp_path, name, *settings)
    document = trace_of(load_subject(out))
    reads, alive, wrong = replay(document, array)
    assert wrong == []
    assert reads > 0
    plan = load_subject(out).plan.arrays[array]
    assert plan.hardware.bound is not None
    assert alive == plan.hardware.bound.cells


def test_one_cell_less_is_seen(tmp_path: Path) -> None:
    settings = "arrays.blurx.reads=copies"  # in RAMs, which have addresses
    document = trace_of(load_subject(written(tmp_path, "blur/design.yaml", settings)))
    document["arrays"]["blurx"]["pieces"][0]["modulus"] = [128]
    _, _, wrong = replay(document, "blurx")
    assert wrong[0] == "step 255: (0, 63) finds (2, 0)"


def test_steps_of_a_run_know_what_is_alive_around_them(tmp_path: Path) -> None:
    subject = load_subject(written(tmp_path, "blur/design.yaml", "params.N=8"))
    document = trace_of(subject, steps=(40, 59))
    assert document["window"] == {"first": 40, "steps": 112}
    assert document["steps"] == 20
    reads, alive, wrong = replay(document, "blurx")
    assert (wrong, alive) == ([], 17)
    assert 0 < reads < 144
    assert len(expanded(document["arrays"]["blurx"]["live_in"])) == 16


def test_a_window_around_a_time_is_a_part_of_the_same_run(tmp_path: Path) -> None:
    subject = load_subject(written(tmp_path, "blur/design.yaml", "params.N=16"))
    assert subject.program is not None
    assert window_of(subject.program, ["blurx"], 10_000) is None
    window = window_of(subject.program, ["blurx"], 200, around=[0, 9, 0, 3, 0])
    assert window is not None
    document = trace_of(subject, window=window)
    assert replay(document, "blurx")[1:] == (33, [])
    low = document["window"]["first"]
    same = trace_of(subject, steps=(low, low + document["steps"] - 1))
    for key in ("live_in", "live_out"):
        assert document["arrays"]["blurx"][key] == same["arrays"]["blurx"][key]
    assert document["window"] == same["window"]
    assert [one["step"] for one in document["statements"]] == [
        one["step"] for one in same["statements"]
    ]


def test_what_is_not_there_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = written(tmp_path, "blur/design.yaml", "params.N=8")
    for arguments, told in [
        (["--steps", "100..112"], "--steps 100..112: the run has steps 0 to 111"),
        (["--steps", "7..3"], "--steps 7..3: the run has steps 0 to 111"),
        (["--array", "in"], "'in' is not a planned array; planned arrays: blurx"),
    ]:
        capsys.readouterr()
        assert main(["view", str(out), *arguments]) == 2
        assert capsys.readouterr().err.startswith(told)
        assert not (out / "report.html").exists()


def test_a_folder_without_a_plan_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["view", str(tmp_path)]) == 2
    assert "plan.json cannot be read; run `hlsmem plan DESIGN" in capsys.readouterr().err


@pytest.mark.long
def test_plan_and_check_write_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    design = str(EXAMPLES / "blur" / "design.yaml")
    assert main(["plan", design, "--param", "N=8", "-o", str(out)]) == 0
    before = (out / "report.html").read_text()
    assert main(["check", str(out), "--only", "proof"]) == 0
    after = (out / "report.html").read_text()
    assert '"check":"proof"' in after
    assert '"check"' not in before
    capsys.readouterr()


def test_a_loop_of_huge_steps_is_planned_without_a_table_of_what_it_skips(tmp_path: Path) -> None:
    huge = Path(__file__).parents[1] / "refusals/c/huge_numbers.c"
    assert main(["plan", str(huge), "-o", str(tmp_path)]) == 0
    said = (tmp_path / "report.md").read_text()
    assert "No page shows the run: the accesses of an array lie among 4611686018427387905" in said
