"""Cells that C has apart: the fastest by the score, right for C's own order, judged by `exact`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hlsmem.emit.report import report
from hlsmem.pipeline import Planning, plan_storage
from hlsmem.pipeline.host import with_host
from hlsmem.planfile import from_json, to_json
from hlsmem.verdict import Status, Verdict
from hlsmem.verification.exact import check_exact
from tests.emit.c.plans import host_files, program_of, read_design

BLUR = """
#define N 64
void blur(const float in[N][N + 2], float out[N][N])
{
    float blurx[N][N];
#pragma scop
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            blurx[y][x] = in[y][x] + in[y][x + 1] + in[y][x + 2];
            if (y >= 2)
                out[y - 2][x] = blurx[y - 2][x] + blurx[y - 1][x] + blurx[y][x];
        }
#pragma endscop
}
"""
PARAMS = 'params: {N: 64}\ncontext: "[N] -> { : N >= 3 }"\nhost: {objective: speed'


def planned(folder: Path, more: str = "", kernel: str = BLUR) -> Planning:
    return with_host(plan_storage(read_design(folder, kernel, f"{PARAMS}{more}}}")))


def host_of(planning: Planning) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(to_json(planning.plan))["arrays"]["blurx"]["host"]
    return found


@pytest.fixture(scope="module")
def blur(tmp_path_factory: pytest.TempPathFactory) -> Planning:
    return planned(tmp_path_factory.mktemp("blur"))


def test_two_rows_in_place(blur: Planning) -> None:
    """Hardware keeps 2N + 1 cells; C takes the row that dies, by its order of whole steps."""
    own = blur.plan.arrays["blurx"]
    assert str(own.mapping.pieces[0].cells()) == "2*N + 1"
    assert own.host is not None
    (piece,) = own.host.mapping.pieces
    assert [str(one) for one in piece.modulus] == ["2", "N"]
    assert own.host.mapping.certificate.scope == "all-parameters"
    assert (own.host.order, own.host.shape, own.host.score) == ("iteration", "rows", "1.00")


def test_no_remainder_in_its_loops(blur: Planning) -> None:
    text = host_files(blur.design, blur.plan)["host/kernel.c"]
    head, body = text.split("void blur_ws(", 1)
    assert head.count("%") == 1  # the formula of the cell, taken once a row
    assert "%" not in body


def test_the_report_says_what_c_takes_and_why(blur: Planning) -> None:
    text = report(blur.plan)
    assert "- C: 128 cells, blurx(y, x) = (y mod 2, x mod N), proved for all parameters" in text
    assert "- C's loops: rows, score 1.00, of the least within 5 % the fewest cells" in text


def test_plan_json_is_read_as_it_is_written(blur: Planning) -> None:
    text = to_json(blur.plan)
    assert to_json(from_json(text)) == text


def test_c_keeps_the_plans_cells_where_nothing_is_faster(tmp_path: Path) -> None:
    """One cell a row is in the way of no loop."""
    kernel = BLUR.replace("blurx[y - 2][x] + blurx[y - 1][x] + blurx[y][x]", "blurx[y][x]")
    own = planned(tmp_path, kernel=kernel).plan.arrays["blurx"]
    assert own.host is not None
    assert own.host.mapping == own.mapping


def test_the_plans_objective_renumbers_its_cells(tmp_path: Path) -> None:
    design = read_design(tmp_path, BLUR, PARAMS.replace("speed", "plan") + "}")
    own = with_host(plan_storage(design)).plan.arrays["blurx"]
    assert own.host is not None
    (given,), (piece,) = own.mapping.pieces, own.host.mapping.pieces
    assert [str(one) for one in given.matrix[0]] == ["1", "-2"]
    assert [str(one) for one in piece.matrix[0]] == ["N", "1"]
    assert piece.modulus == given.modulus


def verdicts(planning: Planning, host: dict[str, Any]) -> dict[str, Verdict]:
    document = json.loads(to_json(planning.plan))
    document["arrays"]["blurx"]["host"] = host
    plan = from_json(json.dumps(document))
    program = program_of(planning.design)
    found = check_exact(planning.design, program, plan, document, hardware=False)
    return {one.subject: one for one in found}


def test_exact_judges_the_cells_of_c(blur: Planning) -> None:
    found = verdicts(blur, host_of(blur))
    assert found["blurx in C"].status is Status.PASS
    assert found["blurx in C"].detail == (
        "proved for all parameters: 128 cells separate all conflicting elements"
    )


def faulty(host: dict[str, Any], fault: str) -> dict[str, Any]:
    (piece,) = host["mapping"]["pieces"]
    match fault:
        case "one row":
            piece |= {"modulus": ["1", "N"], "modulus_value": [1, 64]}
            host["mapping"]["cells"] = 64
        case "a row too short":
            piece |= {"modulus": ["2", "N - 1"], "modulus_value": [2, 63]}
            host["mapping"]["cells"] = 126
        case "the plan's order":
            host["order"] = "sequential"
        case "another number":
            piece["modulus_value"] = [3, 64]
        case "no order":
            host["order"] = "backwards"
    return host


@pytest.mark.parametrize(
    "fault", ["one row", "a row too short", "the plan's order", "another number", "no order"]
)
def test_exact_finds_faults_in_the_cells_of_c(blur: Planning, fault: str) -> None:
    found = verdicts(blur, faulty(host_of(blur), fault))
    assert found["blurx in C"].status is Status.FAIL
    assert found["blurx"].status is Status.PASS
