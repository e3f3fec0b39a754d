"""Memories under conditions: their sizes, what judges them, and what it catches."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.core.errors import InputError
from hlsmem.plan import to_json
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.program.model import Program
from hlsmem_verify import Refused
from tests.check.subjects import document_of, passes, piece, proof, replay
from tests.conditions.designs import CORRECTED, FILTER, WHILE, program_of, stored
from tests.plans import plan_storage
from tests.proof.mappings import PROVED, mapped
from tests.read.loading import changed, messages_of
from tests.steps import load
from tests.studies.dataflow.programs import random_program


def cells(folder: Path, text: str) -> dict[str, int]:
    path = folder / "design.yaml"
    path.write_text(text)
    arrays = plan_storage(load(path)).plan.arrays
    return {name: one.hardware.parts[0].mapping.cells for name, one in arrays.items()}


def test_a_guarded_write_ends_nothing(tmp_path: Path) -> None:
    assert cells(tmp_path, CORRECTED) == {"c": 2, "A": 3}
    assert cells(tmp_path, changed(CORRECTED, (FILTER, ""))) == {"c": 1, "A": 1}


def judged(program: Program, size: int) -> dict[str, str]:
    """What is said of A in so many cells, by a proof and by `replay`."""
    document = document_of(program, {"A": [piece([[1]], [size], program.values)]})
    return {
        "proof": "pass" if mapped(document)["A"] == PROVED else "fail",
        "replay": replay(program, document)["A"].status.value,
    }


def test_a_guarded_write_taken_for_certain_is_caught(tmp_path: Path) -> None:
    program = program_of(tmp_path, CORRECTED)
    assert judged(program, 3) == {"proof": "pass", "replay": "pass"}
    assert judged(program, 1) == {"proof": "fail", "replay": "fail"}
    assert judged(program, 2) == {"proof": "fail", "replay": "fail"}


def test_a_filter_says_that_a_write_may_not_happen(tmp_path: Path) -> None:
    """Whatever the reader makes of a guarded write, nobody takes it for certain."""
    program = program_of(tmp_path, CORRECTED)
    certain = replace(
        program,
        statements=tuple(
            replace(one, writes=tuple(replace(access, must=True) for access in one.writes))
            for one in program.statements
        ),
    )
    document = document_of(certain, {"A": [piece([[1]], [1], program.values)]})
    with pytest.raises(Refused, match="has a filter and a write that surely happens"):
        mapped(document)


def test_what_a_filter_looks_at_stays(tmp_path: Path) -> None:
    program = program_of(tmp_path, CORRECTED)
    document = document_of(program, {"c": [piece([[1]], [1], program.values)]})
    assert mapped(document)["c"] != PROVED
    assert replay(program, document)["c"].detail == (
        "outcome 1 (all hold): S(i=2) reads c[1] at N=12,"
        " but the cell holds c[2], written by T(i=2)"
    )


def test_outcomes_are_counted(tmp_path: Path) -> None:
    program = program_of(tmp_path, CORRECTED)
    document = document_of(program, {"A": [piece([[1]], [3], program.values)]})
    verdict = replay(program, document)["A"]
    assert verdict.outcomes == (1, 2, 3, 4, 5, 6, 7, 8)
    assert verdict.detail.startswith("10 reads and ")
    assert "8 outcomes of the conditions: S ran " in verdict.detail
    never = program_of(tmp_path, changed(CORRECTED, ("a0 % 3 == 0", "a0 > 30000")))
    assert replay(never, document)["A"].detail.endswith(
        "S ran 0 times of 60 ('S' never otherwise unless forced)"
    )


def test_values_are_a_promise(tmp_path: Path) -> None:
    text = changed(CORRECTED, ("c: {type: uint1", "c: {values: [0, 1], type: int16"))
    text = changed(text, ("c = a0 % 3 == 0", "c = a0 % 3"))
    program = program_of(tmp_path, text)
    document = document_of(program, {"A": [piece([[1]], [3], program.values)]})
    detail = replay(program, document)["A"].detail
    assert "looks at c[" in detail
    assert detail.endswith("which holds 2: its values are 0 to 1")


def test_a_loop_that_data_end(tmp_path: Path) -> None:
    """Its filter looks at all conditions before: each write of one is kept until the end."""
    assert cells(tmp_path, WHILE) == {"w": 6, "s": 1}
    program = program_of(tmp_path, WHILE)
    document = document_of(
        program,
        {"w": [piece([[1]], ["N"], program.values)], "s": [piece([[]], [1], program.values)]},
    )
    assert set(mapped(document).values()) == {PROVED}
    found = replay(program, document)
    assert passes(found)
    assert "W ran" in found["s"].detail


@pytest.mark.dear
def test_plan_and_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "design.yaml", tmp_path / "out"
    path.write_text(CORRECTED)
    assert main(["plan", str(path), "-o", str(out)]) == 0
    # `rtl` and `formal` are asked of less, in test_rtl.py and test_skip.py.
    only = ("source", "proof", "replay", "host")
    assert main(["check", str(out), *(f"--only={one}" for one in only)]) == 0
    capsys.readouterr()
    checks = json.loads((out / "checks.json").read_text())["checks"]
    seeds = [one["outcomes"] for one in checks if one["check"] == "replay"]
    assert seeds == [[1, 2, 3, 4, 5, 6, 7, 8]] * 2
    assert {one["verdict"] for one in checks if one["check"] == "proof"} == {"pass"}
    host = out / "host" / "corrected.c"
    text = host.read_text()
    assert " == 1)" in text
    host.write_text(text.replace(" == 1)", " == 0)"))
    assert main(["check", str(out), "--only", "host"]) == 1


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(100))
def test_random_programs(tmp_path: Path, seed: int) -> None:
    """No plan of a program under conditions is wrong in any outcome that is run."""
    text = stored(random_program(seed), 2 + seed % 3, live=seed % 4 > 0)
    path = tmp_path / "design.yaml"
    path.write_text(text)
    try:
        planning = plan_hardware(load(path))
    except InputError as error:
        if not all(re.search("reads|is read before", one.what) for one in error.problems):
            raise
        return  # something is read that nothing provides
    assert planning.program is not None
    document = json.loads(to_json(planning.plan))
    assert passes(proof(document))
    assert passes(replay(planning.program, document))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "S[i] -> [i, 2]",
            "S[i] -> [i, 1]",
            "two instances run at one time, where one may decide for the other;"
            " give every instance a time of its own, such as [i, 0] and [i, 1]",
        ),
        (
            "network:\n",
            "plan: {schedules: any}\nnetwork:\n",
            "plan.schedules: any needs every order; leave it out",
        ),
        (
            "network:\n",
            'plan: {tile: "[N] -> { [i, s] : i < 4 }"}\nnetwork:\n',
            "a tile is planned for instances that surely run; leave plan.tile out",
        ),
    ],
)
def test_what_conditions_do_not_go_with(tmp_path: Path, old: str, new: str, expected: str) -> None:
    found = messages_of(tmp_path, changed(CORRECTED, (old, new)))
    assert any(one.endswith(f"'S' has a filter, and {expected}") for one in found), found


def test_a_condition_that_is_not_there_yet(tmp_path: Path) -> None:
    path = tmp_path / "design.yaml"
    path.write_text(
        changed(
            CORRECTED,
            ("S[i] -> c[i - 1]", "S[i] -> c[i + 1]"),
            ("S[i] : 2 <= i < N", "S[i] : 2 <= i < N - 1"),
        )
    )
    with pytest.raises(InputError, match=r"reads c\[.*but T at .* writes it"):
        plan_storage(load(path))
