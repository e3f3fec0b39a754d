"""Numbers and formulas of plan.json against each other, the memories and the design."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.holdings import part_in
from tests.programs import make_program
from tests.verification.subjects import Document, blur, document_of, exact, piece


def fold(document: Document) -> Any:
    return part_in(document["arrays"]["b"])["mapping"]["pieces"][0]


def set_at(path: str, value: Any) -> Callable[[Document], None]:
    """Sets document[a][b].. for the path "a.b.."; `held` is what hardware has."""

    def change(document: Document) -> None:
        whole = path.replace("held.", "arrays.b.holdings.hardware.")
        *inner, last = [int(key) if key.isdigit() else key for key in whole.split(".")]
        target: Any = document
        for key in inner:
            target = target[key]
        target[last] = value

    return change


WHERE = "plan.json: arrays.b.holdings.hardware.parts[0]"
AGAIN = "run `hlsmem plan` again"
CASES = {
    "held.parts.0.mapping.pieces.0.modulus_value.0=16": (
        "pieces[0].modulus[0]: 2*N + 1 is 17 at N=8, the plan says 16; "
        "cells: the moduli multiply to 16, the plan says 17; "
        "16 cells are fewer than the 17 values alive at once"
    ),
    "held.parts.0.mapping.pieces.0.matrix_value.0.1=-3": (
        "pieces[0].matrix[0][1]: -2 is -2 at N=8, the plan says -3"
    ),
    "held.parts.0.mapping.pieces.0.offset_value.0=1": (
        "pieces[0].offset[0]: 0 is 0 at N=8, the plan says 1"
    ),
    "held.parts.0.mapping.cells=18": "cells: the moduli multiply to 17, the plan says 18",
    "held.bound.cells=18": (
        "bound max-live: 2*N + 1 is 17 at N=8, the plan says 18; "
        "17 cells are fewer than the 18 values alive at once"
    ),
    "memories.b.words=16": "cells 0 to 16 do not fit into 16 words of 'b'",
    "memories.b.copies=2": "cells 0 to 16 do not fit into 8 words of 'b'",
    "memories.b.bits=16": "an element has 32 bits, a word of 'b' has 16",
    "held.parts.0.base=-1": f"{WHERE}.base is -1; {AGAIN}",
    "held.parts.0.memory='c'": f"{WHERE}.memory is 'c', which memories does not have; {AGAIN}",
    "arrays.b.element.type='int16'": "element int16 of 32 bits, not int32",
    "arrays.b.index=['y', 'x']": "index ['y', 'x'], not ['i0', 'i1']",
    "program.order='iteration'": "order: the plan says iteration, the design sequential",
    "program.slack=65": "slack: more than 64 beats cannot be checked",
    "held.parts.0.mapping.pieces.0.domain='{ [i] : }'": "the domain { [i] : } has no 2 dimensions",
    "held.parts.0.mapping.pieces.0.domain='everywhere'": (
        "domain of a piece is no isl text; write it as { ... }"
    ),
    "held.parts.0.base=2**58": (
        "the mapping cannot be read: more than 1099511627776 cells, or a base beyond, cannot be "
        "checked"
    ),
    "held.parts.0.bank_basis=[[2]]": (
        f"{WHERE}.bank_block is None, where there are banks; {AGAIN}\n"
        f"{WHERE} has no storage_basis and no boxes, or both, where there are banks; {AGAIN}\n"
        f"{WHERE}.bank_basis has 1 entry, not 2; {AGAIN}\n"
        f"{WHERE}.bank_basis[0] has 1 entry, not 2; {AGAIN}"
    ),
    "held.parts.0.mapping.pieces.0.modulus_value.0=0": (
        f"{WHERE}.mapping.pieces[0].modulus_value[0] is 0; {AGAIN}"
    ),
    "held.parts.0.mapping.pieces.0.modulus=[]": (
        "\n".join(
            f"{WHERE}.mapping.pieces[0].{key} has 1 entry, not 0; {AGAIN}"
            for key in ("matrix", "matrix_value", "modulus_value", "offset", "offset_value")
        )
    ),
    "held.parts.0.mapping.pieces.0.matrix_value.0=[1]": (
        f"{WHERE}.mapping.pieces[0].matrix_value[0] has 1 entry, not 2; {AGAIN}"
    ),
    "held.parts.0.mapping.pieces=[]": "the mapping cannot be read: the mapping has no pieces",
}


@pytest.mark.parametrize("change", CASES)
def test_a_disagreement_is_named(change: str) -> None:
    program = blur()
    own = piece([[1, -2]], ["2*N + 1"], program.values)
    bound = {"kind": "max-live", "cells": 17, "expr": "2*N + 1", "witness": None}
    document = document_of(program, {"b": [own]}, bounds={"b": [bound]})
    path, _, value = change.partition("=")
    set_at(path, eval(value))(document)
    verdicts = exact(program, document)
    found = verdicts["b" if "b" in verdicts else "plan.json"]  # what is no plan, no check looks at
    assert found.detail == CASES[change]


def test_a_formula_is_read_where_it_holds() -> None:
    program = blur()
    own = piece([[1, -2]], ["2*N + 1"], program.values)
    formula = [{"when": "[N] -> { : N >= 5 }", "expr": "2*N + 1"}]
    bound = {"kind": "max-live", "cells": 17, "expr": formula, "witness": None}
    document = document_of(program, {"b": [own]})
    document["arrays"]["b"]["holdings"]["hardware"]["bound"] = bound
    assert exact(program, document)["b"].detail.startswith("proved")
    formula[0]["when"] = "[N] -> { : N < 5 }"
    assert exact(program, document)["b"].detail.startswith("bound max-live: ")
    formula[0] = {"when": "[N] -> { : N >= 5 }", "expr": "2*N"}
    assert exact(program, document)["b"].detail.startswith("bound max-live: ")


def two_arrays(base: int) -> dict[str, str]:
    program = make_program(
        values={},
        domains=["{ S[i] : 0 <= i < 4 }"],
        schedules=["{ S[i] -> [i] }"],
        writes=["{ S[i] -> A[i] }", "{ S[i] -> B[i] }"],
        planned=("A", "B"),
    )
    own = piece([[1]], [4], {})
    document = document_of(
        program, {"A": [own], "B": [own]}, memories={"A": ("m", 0), "B": ("m", base)}
    )
    return {name: verdict.detail for name, verdict in exact(program, document).items()}


def test_arrays_in_one_memory_do_not_overlap() -> None:
    assert all(detail.startswith("proved") for detail in two_arrays(4).values())
    assert two_arrays(3) == dict.fromkeys(
        ["A", "B"], "'A' (cells 0 to 3) and 'B' (from 3) overlap in memory 'm'"
    )
