"""What C runs where arguments overlap: cells in the order of the text, proved from plan.json."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import hlsmem_verify
from hlsmem import api
from hlsmem.check.rebuilt.rebuilt_program import arranged
from hlsmem.check.rebuilt.source_check import check_source
from hlsmem.core.verdict import Status
from hlsmem.planner.output_files import output_files
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.program.model import Program
from hlsmem.read.as_written import AS_WRITTEN
from hlsmem.read.design import load
from tests.proof.documents import Document, set_to

# `s` is no array of the plan by default, whose datapath keeps it.
KERNEL = """#define H 8
#define W 10
void rows(const short in[H][W], short out[H][W])
{
    short a[H][W], b[H][W], s;
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
            a[i][j] = in[i][j] + 1;
    for (int i = 1; i < H; i++)
        for (int j = 0; j < W; j++) {
            s = a[i][j] - a[i - 1][j];
            b[i][j] = s * 3;
        }
    for (int i = 2; i < H; i++)
        for (int j = 0; j < W; j++)
            out[i][j] = b[i][j] + b[i - 1][j];
}
"""
TEXT = ("host", "text")
A = (*TEXT, "arrays", "a")
PIECE = (*A, "mapping", "pieces", 0)


@cache
def files_of(settings: tuple[str, ...] = ()) -> dict[str, str]:
    design = api.load(text=KERNEL, name="rows.c", settings=("host.alias=check", *settings))
    return dict(output_files(plan_design(design)))


def found_in(document: Document, texts: dict[str, str] | None = None) -> dict[str, Any]:
    read = hlsmem_verify.document_of(json.dumps(document))
    return hlsmem_verify.verify(read, texts=texts)


@pytest.mark.few("as written")
@pytest.mark.parametrize("settings", [(), AS_WRITTEN], ids=["found", "as written"])
def test_the_text_is_stated_and_proved(settings: tuple[str, ...]) -> None:
    files = files_of(settings)
    document = json.loads(files["plan.json"])
    assert document["host"]["text"]["program"]["order"] == "sequential"
    found = found_in(document, files)
    assert (found["false"], found["open"]) == ([], {})


def less(document: Document) -> None:
    """A row of `a` less than conflicts need."""
    mapping = document["host"]["text"]["arrays"]["a"]["mapping"]
    (piece,) = mapping["pieces"]
    piece["modulus"], piece["modulus_value"] = ["H - 1", "W"], [7, 10]
    mapping["cells"] = 70


def folded(document: Document) -> None:
    """Columns of `a` in every other cell of a row."""
    (piece,) = document["host"]["text"]["arrays"]["a"]["mapping"]["pieces"]
    piece["matrix"], piece["matrix_value"] = [["1", "0"], ["0", "2"]], [[1, 0], [0, 2]]


def later(document: Document) -> None:
    """The third nest in front of the second."""
    statements = document["host"]["text"]["program"]["statements"]
    last = list(statements)[-1]
    statements[last]["schedule"] = statements[last]["schedule"].replace("-> [2, i,", "-> [0, i,")


FALSE: dict[str, tuple[Callable[[Document], None], str]] = {
    "a row less": (less, "a[0][0] and a[7][0] share a cell"),
    "cells that are not counted": (set_to(*A, "mapping", "cells", 79), "cells"),
    "another modulus": (set_to(*PIECE, "modulus_value", [8, 9]), "modulus_value"),
    "another mapping": (folded, "share a cell"),
    "another factor": (set_to(*PIECE, "matrix_value", [[1, 1], [0, 1]]), "matrix_value"),
    "a place that overlaps": (set_to(*A, "at", 4), "overlap"),
    "a place that is not aligned": (set_to(*A, "at", 1), "not aligned"),
    "no place": (set_to(*A, "at", None), "without a place"),
    "narrow cells": (set_to(*A, "cell_bytes", 1), "cell_bytes"),
    "a wide type": (set_to(*A, "element", {"type": "int32", "bits": 16}), "bits"),
    "another order": (later, "nothing has written it"),
    "steps": (set_to(*TEXT, "program", "order", "iteration"), "steps"),
}


@pytest.mark.few(0.5)
@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_of_the_text_fails(name: str) -> None:
    change, why = FALSE[name]
    document = json.loads(files_of(AS_WRITTEN)["plan.json"])
    change(document)
    found = found_in(document)
    assert any(why in one for one in found["false"]), found["false"]


def test_a_workspace_without_room_for_the_text_fails() -> None:
    files = dict(files_of(AS_WRITTEN))
    header = files["host/rows.h"]
    lines = header.splitlines()
    (at,) = (k for k, one in enumerate(lines) if one.startswith("#define ROWS_WS_BYTES"))
    (own,) = (one for one in lines if one.startswith("#define ROWS_CELLS_BYTES"))
    lines[at] = own.replace("ROWS_CELLS_BYTES", "ROWS_WS_BYTES")
    files["host/rows.h"] = "\n".join(lines)
    found = found_in(json.loads(files["plan.json"]), files)
    assert any("the order of the text needs" in one for one in found["false"])


@pytest.mark.few("as written")
@pytest.mark.parametrize("settings", [(), AS_WRITTEN], ids=["found", "as written"])
def test_the_text_is_held_against_the_design(tmp_path: Path, settings: tuple[str, ...]) -> None:
    files = files_of(settings)
    (tmp_path / "rows.c").write_text(files["design/rows.c"])
    document = json.loads(files["plan.json"])
    design = load(tmp_path / "rows.c", settings=document["overrides"])
    assert isinstance(design.input, Program)
    program = arranged(design.input)
    (right,) = check_source(design, program, document)
    assert (right.status, right.detail.startswith("the program")) == (Status.PASS, True)
    later(document)
    document["host"]["text"]["arrays"]["a"]["index"] = ["y", "x"]
    (wrong,) = check_source(design, program, document)
    assert wrong.status is Status.FAIL
    assert "host.text: arrays.a.index is ['y', 'x']" in wrong.detail
    assert ".schedule is not the design's" in wrong.detail
