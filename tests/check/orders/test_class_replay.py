"""Checks of classes: tilings and random orders are run, and planted faults are found."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hlsmem.check import run_checks
from hlsmem.check.orders.listed_orders import (
    Kept,
    kept_by,
    meeting,
    play,
    random_orders,
    tilings,
    witness_order,
)
from hlsmem.check.orders.listed_program import list_program
from hlsmem.core.verdict import Verdict
from hlsmem.emit.output_folder import write_folder
from hlsmem.program.schedule_classes import Banded
from tests.classes import AFFINE, ANY, E1_ROWS, SEQUENTIAL, e1, tiled
from tests.families import by_default
from tests.holdings import part_in
from tests.plans import files_of

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "e1" / "design.yaml"
CLASS_CHECKS = ("proof", "replay")


def planned(out: Path, *settings: str) -> Path:
    write_folder(out, files_of(EXAMPLE, settings=settings))
    return out


def of_class(out: Path) -> list[Verdict]:
    """What `proof` says of the array, and `replay` of its class."""
    found = run_checks(out, CLASS_CHECKS).verdicts
    return [one for one in found if one.check == "proof" and one.subject == "A"] + [
        one for one in found if one.check == "replay" and ", class " in one.subject
    ]


def changed(out: Path, change: Callable[[Any], None]) -> Path:
    document = json.loads((out / "plan.json").read_text())
    change(document["arrays"]["A"])
    (out / "plan.json").write_text(json.dumps(document))
    return out


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("settings", "runs"),
    [
        ((), "200 tilings of 3510, 20 random orders"),
        (("plan.schedules=any", "plan.bands=null"), "20 random orders"),
        (("plan.schedules=affine", "plan.bands=null"), "20 legal schedules"),
        (("plan.schedules=sequential", "plan.bands=null"), "20 random orders"),
    ],
)
def test_every_class_is_proved_and_run(tmp_path: Path, settings: Any, runs: str) -> None:
    proof, replay = of_class(planned(tmp_path / "out", *settings))
    assert (proof.status.value, replay.status.value) == ("pass", "pass")
    assert runs in replay.detail


def modulus(value: int, text: str) -> Callable[[Any], None]:
    def change(own: Any) -> None:
        piece = part_in(own)["mapping"]["pieces"][0]
        piece["modulus"], piece["modulus_value"] = [text], [value]
        part_in(own)["mapping"]["cells"] = value
        own["holdings"]["hardware"]["bound"] = None

    return change


@pytest.mark.parametrize(("value", "text"), [(7, "3*n - 5"), (9, "3*n - 3")])
def test_a_modulus_beside_the_right_one_fails_with_the_pair_and_an_order(
    tmp_path: Path, value: int, text: str
) -> None:
    out = changed(planned(tmp_path / "out"), modulus(value, text))
    proof, replay = of_class(out)
    assert proof.status.value == replay.status.value == "fail"
    assert re.search(r"A\[\d\]\[\d\] and A\[\d\]\[\d\] share a cell", proof.detail)
    assert re.search(r"S\(i=\d, j=\d\) reads A\[\d\]\[\d\] and finds A", replay.detail)


def test_a_shorter_vector_fails(tmp_path: Path) -> None:
    """(2, 0) instead of (3, 0), which is right for some tilings alone."""

    def change(own: Any) -> None:
        part_in(own)["mapping"]["pieces"][0] |= {
            "matrix": [["1", "0"], ["0", "1"]],
            "matrix_value": [[1, 0], [0, 1]],
            "modulus": ["2", "n"],
            "modulus_value": [2, 4],
            "offset": ["0", "0"],
            "offset_value": [0, 0],
        }
        own["holdings"]["hardware"]["bound"] = None

    assert {one.status.value for one in of_class(changed(planned(tmp_path / "out"), change))} == {
        "fail"
    }


def test_an_antichain_with_an_ordered_pair_fails(tmp_path: Path) -> None:
    def change(own: Any) -> None:
        width = own["holdings"]["hardware"]["bound"]
        width["witness"]["points"][0] = [0, 0]
        width["witness"]["points"][-1] = [8, 3]

    proof, _ = of_class(changed(planned(tmp_path / "out"), change))
    assert proof.status.value == "fail"
    assert "bound: " in proof.detail


def test_a_plan_of_another_class_fails(tmp_path: Path) -> None:
    out = planned(tmp_path / "out")
    changed(out, lambda own: own["class"].update(schedules="sequential"))
    (source,) = run_checks(out, ("source",)).verdicts
    assert "class is of other orders, sequential, than the design's: tiled" in source.detail
    changed(out, lambda own: own.pop("class"))
    (source,) = run_checks(out, ("source",)).verdicts
    assert "it is none, the design asks for tiled" in source.detail


def cells_of(program: Any, row: tuple[int, int], value: int) -> np.ndarray:
    values = list_program(program).values["A"]
    return np.array([one.element for one in values]) @ np.array(row) % value


def failing(m: int, n: int, value: int, most: int) -> int:
    """Tilings of E1 in which (2i - j) mod `value` loses a read."""
    program = e1(m, n)
    listing, cells = list_program(program), cells_of(program, (2, -1), value)
    asked = tiled(E1_ROWS)
    assert isinstance(asked, Banded)
    ranked, _, _ = tilings(listing, asked, most)
    return sum(play(listing.values["A"], cells, one.rank) is not None for one in ranked)


def test_all_tilings_of_the_golden_case_at_three_moduli() -> None:
    wrong = {7: 2909, 8: 0, 9: 1700}
    for value in by_default((8,), (7, 8, 9)):
        assert failing(9, 4, value, 3510) == wrong[value]


@pytest.mark.long
def test_all_tilings_of_the_golden_case_at_9x9() -> None:
    assert [failing(9, 9, value, 6885) for value in (22, 23, 24)] == [342, 0, 51]


def test_a_relation_with_a_row_less_lets_a_wrong_mapping_pass_nowhere() -> None:
    """Planted: the class by row i + j alone keeps pairs that tilings do not."""
    program = e1(9, 4)
    listing = list_program(program)
    right, wrong = (kept_by(listing, tiled(text)) for text in (E1_ROWS, "{ S[i, j] -> [i] }"))
    assert isinstance(right, Kept)
    assert isinstance(wrong, Kept)
    values = listing.values["A"]
    meets, misses = meeting(right, strict=False), meeting(wrong, strict=False)
    lost = [(a, b) for a in values for b in values if a != b and meets(a, b) and not misses(a, b)]
    assert lost
    # Each such pair, put into one cell, loses a read in its witness order or in a tiling.
    a, b = lost[0]
    cells = np.array([0 if one in (a, b) else 1 + k for k, one in enumerate(values)])
    orders = [witness_order(right, a, b), witness_order(right, b, a)]
    assert any(play(values, cells, one.rank) is not None for one in orders)


@pytest.mark.parametrize("asked", [SEQUENTIAL, tiled(E1_ROWS), ANY])
def test_random_orders_keep_the_class(asked: Any) -> None:
    kept = kept_by(list_program(e1(6, 5)), asked)
    assert kept is not None
    for one in random_orders(kept, 4):
        for x, row in enumerate(kept.before):
            assert all(one.rank[x] < one.rank[y] for y in range(len(kept.before)) if row >> y & 1)


def test_affine_schedules_are_asked_pair_by_pair() -> None:
    assert kept_by(list_program(e1(5, 4)), AFFINE) is None


def test_a_schedule_outside_of_its_class_has_cells_alone(tmp_path: Path) -> None:
    order = "{ S[i, j] -> S[k, l] : k + l > i + j or (k + l = i + j and k >= i) }"
    settings = ("plan.schedules=before", "plan.bands=null", f"plan.before='{order}'")
    out = planned(tmp_path / "out", *settings)
    assert not (out / "rtl").exists()
    assert not (out / "host").exists()
    assert json.loads((out / "plan.json").read_text())["arrays"]["A"]["class"]["outside"] is True
    text = json.loads((out / "notes.json").read_text())["arrays"]["A"]["outside"]
    assert "A[7][2] (written by S at i=7, j=2 at [7, 2])" in text
    checks = run_checks(out)
    assert {one.check: one.status.value for one in checks.verdicts} == {
        "source": "pass",
        "proof": "pass",
        "reading": "skipped",
        "replay": "pass",
        "host": "skipped",
        "patch": "skipped",
        "rtl": "skipped",
        "generated": "skipped",
    }
    assert all(one.fine for one in checks.verdicts)
