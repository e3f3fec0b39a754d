"""What holds arrays in the text that comes back is proved, and planted faults are not."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hlsmem.check.rebuilt.rebuilt_program import arranged
from hlsmem.check.rebuilt.source_check import check_source
from hlsmem.core.verdict import Status
from hlsmem.plan import from_json, to_json
from hlsmem.program.model import Program
from hlsmem_verify import proof_of
from tests.plans import planning_of
from tests.steps import load

KERNELS = Path(__file__).parents[1] / "source_edits" / "kernels"
TOPS = {"scaled.cpp": ("kernel.function=top",), "unsharp.c": ("kernel.function=unsharp",)}

Document = dict[str, Any]


@cache
def document_of(name: str) -> Document:
    planning = planning_of(KERNELS / name, settings=TOPS.get(name, ()))
    text = to_json(planning.plan)
    assert to_json(from_json(text)) == text
    found: Document = json.loads(text)
    return found


def false_in(document: Document) -> list[str]:
    """The false claims on the text that comes back."""
    faults = proof_of(document).faults
    return [reason for path, reason in faults if "source" in path]


@pytest.mark.parametrize("name", ["gauss.cpp", "heat.cpp", "border.c", "edges.c", "unsharp.c"])
def test_what_holds_arrays_is_proved(name: str) -> None:
    document = document_of(name)
    assert document["source"]["program"]["statements"]
    found = proof_of(document)
    assert (found.faults, found.open) == ([], {})


def held(document: Document, array: str) -> Document:
    if array in document["arrays"]:
        found: Document = document["arrays"][array]["holdings"]["source"]
    else:
        found = document["source"]["arrays"][array]["held"]
    return found


def _line_short(document: Document) -> None:
    own = held(document, "tmp")
    own["lines"][0]["lines"][1]["words"] = "W - 3"
    own["words"], own["bits"] = own["words"] - 1, own["bits"] - 8


def _other_line(document: Document) -> None:
    held(document, "tmp")["lines"][0]["lines"][1]["after"] = 0


def _fewer_iterations(document: Document) -> None:
    held(document, "tmp")["lines"][0]["loops"][1]["lower"] = "2"


def _left_out(document: Document) -> None:
    held(document, "tmp")["lines"][0]["statements"].remove("S1")


def _words(document: Document) -> None:
    held(document, "tmp")["words"] += 1


def _bits(document: Document) -> None:
    held(document, "tmp")["bits"] += 1


def _kept(document: Document) -> None:
    held(document, "tmp")["form"] = "kept"


def _other_entry(document: Document) -> None:
    held(document, "tmp")["lines"][0]["loops"][0]["at"] = 0


def _too_early(document: Document) -> None:
    times = document["source"]["times"]
    times["S1"] = times["S1"].replace("[0, 1 + y,", "[0, y,")


def _first_reader(document: Document) -> None:
    times = document["source"]["times"]
    times["S1"] = times["S1"].replace("1 + x, 1, y", "1 + x, -1, y")


def _modulus(document: Document) -> None:
    own = held(document, "t")
    (piece,) = own["mapping"]["pieces"]
    piece["modulus"][0] += " - 1"
    piece["modulus_value"][0] -= 1
    own["mapping"]["cells"] -= 1
    own["words"], own["bits"] = own["words"] - 1, own["bits"] - own["bits"] // own["words"]


def _coefficient(document: Document) -> None:
    (piece,) = held(document, "t")["mapping"]["pieces"]
    piece["matrix"][0][0], piece["matrix_value"][0][0] = "0", 0


def _as_lines(document: Document) -> None:
    held(document, "t")["form"] = "lines"


def _shift(document: Document) -> None:
    held(document, "in")["lines"][0]["shift"][1] += 1


def _written(document: Document) -> None:
    held(document, "in")["form"] = "lines"


FAULTS: dict[Callable[[Document], None], tuple[str, str]] = {
    _line_short: ("gauss.cpp", "and no line has them then"),
    _other_line: ("gauss.cpp", "and no line has them then"),
    _fewer_iterations: ("gauss.cpp", "outside of the loops"),
    _left_out: ("gauss.cpp", "S1 accesses tmp and is not named"),
    _words: ("gauss.cpp", "bits is"),
    _bits: ("gauss.cpp", "bits is"),
    _kept: ("gauss.cpp", "what is kept has other storage"),
    _other_entry: ("gauss.cpp", "runs in loops between those that are named"),
    _too_early: ("gauss.cpp", "see other values than in the user's text"),
    _first_reader: ("gauss.cpp", "see other values than in the user's text"),
    _modulus: ("heat.cpp", "share a cell"),
    _coefficient: ("heat.cpp", "share a cell"),
    _as_lines: ("heat.cpp", "what is lines has other storage"),
    _shift: ("border.c", "and no line has them then"),
    _written: ("border.c", "what is lines arrives in another way"),
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda one: one.__name__)
def test_a_planted_fault_is_false(fault: Callable[[Document], None]) -> None:
    name, what = FAULTS[fault]
    document = deepcopy(document_of(name))
    fault(document)
    assert document != document_of(name)
    found = false_in(document)
    assert any(what in reason for reason in found), found


def test_the_program_of_the_text_is_held_against_the_design() -> None:
    document = deepcopy(document_of("gauss.cpp"))
    design = load(KERNELS / "gauss.cpp", settings=document["overrides"])
    assert isinstance(design.input, Program)
    program = arranged(design.input)
    (right,) = check_source(design, program, document)
    statement = document["source"]["program"]["statements"]["S1"]
    statement["schedule"] = statement["schedule"].replace("[1, y,", "[2, y,")
    (wrong,) = check_source(design, program, document)
    assert (right.status, wrong.status) == (Status.PASS, Status.FAIL)
    assert wrong.detail == "source: program.statements.S1.schedule is not the design's"


def test_places_of_the_text_stand_in_the_plan() -> None:
    text = (KERNELS / "gauss.cpp").read_text()
    statement = document_of("gauss.cpp")["source"]["program"]["statements"]["S1"]
    shown = [text[one["origin"]["start"] : one["origin"]["end"]] for one in statement["accesses"]]
    assert shown == ["tmp[y - 1][x]", "tmp[y][x]", "tmp[y + 1][x]", "out[y - 1][x]"]
