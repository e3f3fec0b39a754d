"""Cells that C has apart: the fastest by the score, right for C's own order, judged by `proof`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hlsmem.core.errors import InputError
from hlsmem.core.verdict import Status, Verdict
from hlsmem.emit.report import report
from hlsmem.plan import ArrayPlan, Plan, from_json, to_json
from hlsmem.planner.host.host_planning import in_shape
from hlsmem.planner.plan_assembly import Planning
from tests.check.subjects import proof
from tests.emit.c.plans import (
    Rows,
    host_files,
    in_c,
    mappings_of,
    plan_by_hand,
    program_of,
    read_design,
)
from tests.holdings import cells_in
from tests.plans import plan_storage, with_host

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
PARAMS = 'params: {N: 64}\ncontext: "[N] -> { : N >= 3 }"\nhost: {'


def planned(folder: Path, more: str = "", kernel: str = BLUR) -> Planning:
    return with_host(plan_storage(read_design(folder, kernel, f"{PARAMS}{more}}}")))


@pytest.fixture(scope="module")
def blur(tmp_path_factory: pytest.TempPathFactory) -> Planning:
    return planned(tmp_path_factory.mktemp("blur"))


def test_two_rows_in_place(blur: Planning) -> None:
    """Hardware keeps 2N + 1 cells; C takes the row that dies, by its order of whole steps."""
    own = blur.plan.arrays["blurx"]
    assert str(own.hardware.parts[0].mapping.pieces[0].cells()) == "2*N + 1"
    assert own.host is not None
    (piece,) = own.host.cells.mapping.pieces
    assert [str(one) for one in piece.modulus] == ["2", "N"]
    assert own.host.cells.mapping.certificate.scope == "all-parameters"
    assert blur.plan.host_order is not None
    assert blur.plan.host_order.steps
    assert (own.host.cells.shape, own.notes.score) == ("rows", "1.00")


def test_rows_that_would_hold_reads_up_are_longer(tmp_path: Path) -> None:
    """Rows of 1022 floats lie eight bytes from a page apart; rows of 1024 do not."""
    inner = BLUR.replace("int x = 0; x < N;", "int x = 1; x < N - 1;")
    own = planned(tmp_path, "extra_cells: 60", inner).plan.arrays["blurx"]
    assert own.host is not None
    (piece,) = own.host.cells.mapping.pieces
    assert [str(one) for one in piece.modulus] == ["2", "N"]
    assert any((one.cells, one.shape) == (124, "rows") for one in own.notes.pareto_front)


def test_no_remainder_in_its_loops(blur: Planning) -> None:
    text = host_files(blur.design, blur.plan)["host/kernel.c"]
    head, body = text.split("void blur_ws(", 1)
    assert head.count("%") == 1  # the formula of the cell, taken once a row
    assert "%" not in body


def test_the_report_says_what_c_takes_and_why(blur: Planning) -> None:
    text = report(blur.plan)
    assert (
        "- C: 128 cells = 2*N, 512 bytes, blurx(y, x) = (y mod 2, x mod N); rows (optimal)" in text
    )
    assert "- bound in C's order: max-live 128 = 2*N, proved" in text
    assert "- certificate of C: proved for all parameters (by multiples)" in text
    assert "score" not in text.split("## Checks")[0]


def test_plan_json_is_read_as_it_is_written(blur: Planning) -> None:
    text = to_json(blur.plan)
    assert to_json(from_json(text)) == text


def test_c_keeps_the_plans_cells_where_nothing_is_faster(tmp_path: Path) -> None:
    """One cell a row is in the way of no loop."""
    kernel = BLUR.replace("blurx[y - 2][x] + blurx[y - 1][x] + blurx[y][x]", "blurx[y][x]")
    own = planned(tmp_path, kernel=kernel)
    host = own.plan.arrays["blurx"].host
    assert host is not None
    assert host.cells.mapping == own.folded.mappings["blurx"]


def test_the_plans_objective_renumbers_its_cells(tmp_path: Path) -> None:
    design = read_design(tmp_path, BLUR, PARAMS + "objective: plan}")
    own = with_host(plan_storage(design))
    host = own.plan.arrays["blurx"].host
    assert host is not None
    (given,), (piece,) = own.folded.mappings["blurx"].pieces, host.cells.mapping.pieces
    assert [str(one) for one in given.matrix[0]] == ["1", "-2"]
    assert [str(one) for one in piece.matrix[0]] == ["N", "1"]
    assert piece.modulus == given.modulus


def taken(folder: Path, more: str) -> ArrayPlan:
    own = planned(folder, more).plan.arrays["blurx"]
    assert own.host is not None
    return own


def shape_of(own: ArrayPlan) -> str:
    assert own.host is not None
    return own.host.cells.shape


@pytest.mark.parametrize(
    ("choice", "cells", "shape"),
    [
        ("{method: successive}", "2*N", "rows"),
        ("{method: linear}", "2*N", "segments"),
        ("{shape: segments}", "2*N", "segments"),
        ("{method: declared}", "N^2", "straight"),
    ],
)
def test_the_design_may_choose(tmp_path: Path, choice: str, cells: str, shape: str) -> None:
    """Whatever it scores, and however many cells."""
    own = taken(tmp_path, f"choice: {{blurx: {choice}}}")
    assert own.host is not None
    host = own.host.cells
    assert (str(host.mapping.pieces[0].cells()), host.shape) == (cells, shape)
    assert own.notes.is_given


def test_a_choice_is_free_of_the_objective(tmp_path: Path) -> None:
    own = planned(tmp_path, "objective: plan, choice: {blurx: {shape: rows}}")
    assert own.plan.arrays["blurx"].host is not None
    assert own.plan.arrays["blurx"].host.cells.shape == "rows"
    assert own.plan.arrays["blurx"].notes.is_given
    assert to_json(from_json(to_json(own.plan))) == to_json(own.plan)


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        (
            "{method: successive, shape: straight}",
            "host.choice.blurx: no mapping by successive with loops as straight is right for C's"
            " order; there are: lattice 129 cells, segments, successive 128 cells, rows",
        ),
        ("{method: latice}", "unknown method 'latice'; use one of: auto, declared, successive,"),
    ],
)
def test_a_choice_that_nothing_meets(tmp_path: Path, choice: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        planned(tmp_path, f"choice: {{blurx: {choice}}}")
    (problem,) = caught.value.problems
    assert f"{problem.what}; {problem.remedy}".startswith(message)
    assert problem.source_location is not None
    assert problem.source_location.line == 6


def test_a_stack_that_is_too_small(tmp_path: Path) -> None:
    small = "storage: stack, stack_kib: 1, choice: {blurx: {method: declared}}"
    design = read_design(tmp_path, BLUR, f"{PARAMS}{small}}}")
    with pytest.raises(InputError) as caught:
        host_files(design, with_host(plan_storage(design)).plan)
    (problem,) = caught.value.problems
    assert problem.what.endswith("bytes, more than host.stack_kib: 1")
    assert problem.source_location is not None
    assert problem.source_location.line == 6


@pytest.mark.long
def test_sizes_of_the_score(tmp_path: Path) -> None:
    """Segments are as fast as rows where rows are long, and slow where they are short."""
    long = taken(tmp_path / "long", "sizes: [{N: 65536}]")
    short = taken(tmp_path / "short", "sizes: [{N: 64}]")
    figures = [
        {one.shape: float(one.score) for one in own.notes.pareto_front} for own in (long, short)
    ]
    assert shape_of(long) == shape_of(short) == "rows"
    linear = [
        taken(tmp_path / size, f"sizes: [{{N: {size}}}], choice: {{blurx: {{method: linear}}}}")
        for size in ("65536", "64")
    ]
    assert [shape_of(one) for one in linear] == ["segments", "segments"]
    assert figures == [{"rows": 1.0}, {"rows": 1.0}]


def test_c_that_orders_instances_itself_keeps_the_plans_cells(tmp_path: Path) -> None:
    """Checks follow the plan's order, in which the instances of an unrolled loop have one time."""
    unrolled = "order: iteration\npipeline: {unroll: {x: 2}}\n"
    design = read_design(tmp_path, BLUR, f"{unrolled}{PARAMS}}}")
    planning = with_host(plan_storage(design))
    host = planning.plan.arrays["blurx"].host
    if host is not None:
        assert host.words == planning.folded.mappings["blurx"].cells
    chosen = read_design(
        tmp_path, BLUR, f"{unrolled}{PARAMS}choice: {{blurx: {{method: successive}}}}}}"
    )
    with pytest.raises(InputError, match="order of its own; leave it out"):
        with_host(plan_storage(chosen))


def at_values(folder: Path, more: str, own: Rows) -> tuple[Plan, ArrayPlan]:
    """The blur with a mapping that is only known to be right at the plan's sizes."""
    planning = plan_storage(read_design(folder, BLUR, f"{PARAMS}{more}}}"))
    program = program_of(planning.design)
    plan = plan_by_hand(planning.design, {"blurx": own}, scope="at")
    found = in_c(planning.plan, in_shape(planning.design, program, mappings_of(plan)))
    return found, found.arrays["blurx"]


def test_cells_that_hold_at_all_sizes_come_first(tmp_path: Path) -> None:
    """The plan's 129 cells are certified at N = 64 alone; two rows hold for all."""
    _, own = at_values(tmp_path, "", [(["1", "-2"], "129")])
    assert own.host is not None
    host = own.host.cells
    assert host.mapping.certificate.scope == "all-parameters"
    assert [str(one) for one in host.mapping.pieces[0].modulus] == ["2", "N"]


def test_what_other_sizes_run_and_the_way_out(tmp_path: Path) -> None:
    plan, own = at_values(tmp_path, "extra_cells: 0", [(["1", "-2"], "63")])
    assert own.host is not None
    assert own.host.certificate.scope == "at"
    assert own.notes.fallback is not None
    assert (own.notes.fallback.method, own.notes.fallback.cells) == ("successive", 128)
    assert "at other sizes than N=64 C runs the unfolded original" in report(plan)


def verdicts(planning: Planning, fault: str = "") -> dict[str, Verdict]:
    """What `proof` says of a plan, or of a copy with a fault planted in it."""
    document = json.loads(to_json(planning.plan))
    plant(document, fault)
    return proof(document)


def test_proof_judges_the_cells_of_c(blur: Planning) -> None:
    found = verdicts(blur)
    assert found["blurx in C"].status is Status.PASS
    assert found["blurx in C"].detail == (
        "128 cells separate all conflicting elements, for all parameters"
    )


def plant(document: dict[str, Any], fault: str) -> None:
    """A fault in what a plan.json says of the C."""
    part = cells_in(document["arrays"]["blurx"])
    (piece,) = part["mapping"]["pieces"]
    match fault:
        case "one row":
            piece |= {"modulus": ["1", "N"], "modulus_value": [1, 64]}
            part["mapping"]["cells"] = 64
        case "a row too short":
            piece |= {"modulus": ["2", "N - 1"], "modulus_value": [2, 63]}
            part["mapping"]["cells"] = 126
        case "the plan's order":
            document["orders"]["host"]["steps"] = False
        case "another number":
            piece["modulus_value"] = [3, 64]


@pytest.mark.parametrize(
    "fault", ["one row", "a row too short", "the plan's order", "another number"]
)
def test_proof_finds_faults_in_the_cells_of_c(blur: Planning, fault: str) -> None:
    found = verdicts(blur, fault)
    assert found["blurx in C"].status is Status.FAIL
    assert found["blurx"].status is Status.PASS
