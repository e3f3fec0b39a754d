"""Replays of real kernels: what passes, what is caught, and how it is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hlsmem.core.errors import LimitError, ToolError
from hlsmem.core.verdict import Status
from hlsmem.polyhedra import Map, Set
from hlsmem.program.model import ConflictInput, Program, Statement
from hlsmem.timing.arrival import with_streams
from tests.check.subjects import blur, document_of, passes, piece, replay
from tests.holdings import part_in
from tests.proof.mappings import PROVED, mapped
from tests.steps import load

EXAMPLES = Path(__file__).parents[3] / "examples"


def example(name: str, *settings: str) -> Program:
    file = EXAMPLES / name
    found = load(file if file.is_file() else file / "design.yaml", settings=settings).input
    assert isinstance(found, Program)
    return with_streams(found)


def detail(program: Program, array: str, matrix: list[list[str | int]], *modulus: str | int) -> str:
    """What the replay says of one array; other planned arrays are not in the plan."""
    own = piece(matrix, modulus, program.values)
    verdict = replay(program, document_of(program, {array: [own]}))[array]
    return f"{verdict.status.value}: {verdict.detail}"


SMALL = ("params.N=8",)


def test_blur_folds_into_its_bound() -> None:
    program = example("blur", *SMALL)
    assert detail(program, "blurx", [[1, -2]], "2*N + 1") == (
        "pass: 144 reads and 64 writes over 17 words: every read found its own value"
    )
    assert detail(program, "blurx", [[1, -2]], "2*N") == (
        "fail: C(y=2, x=7) reads blurx[0][7] at N=8, but the cell holds blurx[2][0], "
        "written by P(y=2, x=0)"
    )


def test_numbers_and_formulas_are_both_played() -> None:
    program = example("blur", *SMALL)
    document = document_of(program, {"blurx": [piece([[1, -2]], ["2*N + 1"], program.values)]})
    own = part_in(document["arrays"]["blurx"])["mapping"]["pieces"][0]
    own["modulus"] = ["2*N"]
    assert replay(program, document)["blurx"].detail.startswith(
        "by the formulas of the plan, C(y=2, x=7) reads blurx[0][7] at N=8, but the cell holds"
    )
    own["modulus"], own["modulus_value"] = ["2*N + 1"], [16]
    assert replay(program, document)["blurx"].detail.startswith("C(y=2, x=7) reads blurx[0][7]")
    own["modulus"] = ["N - 8"]
    assert replay(program, document)["blurx"].detail == (
        "the mapping cannot be read: the modulus N - 8 is 0"
    )
    own["modulus"] = ["2*M + 1"]
    assert replay(program, document)["blurx"].detail == (
        "the mapping cannot be read: 'M' has no value"
    )


def test_values_made_and_used_in_a_step_are_wires() -> None:
    program = example("blur", *SMALL, "order=iteration")
    assert detail(program, "blurx", [["N", 1]], "2*N").startswith("pass: 96 reads and 64 writes")
    assert detail(program, "blurx", [["N", 1]], "2*N - 1").startswith("fail: C(")


def test_the_network_of_blur_does_the_same() -> None:
    program = example("blur/network.yaml", *SMALL)
    assert detail(program, "blurx", [[1, -2]], "2*N + 1").startswith("pass: 144 reads")
    assert detail(program, "blurx", [[1, -2]], "2*N").startswith("fail: C(y=2, x=7) reads")


def test_a_stream_arrives_as_late_as_it_may() -> None:
    program = example("sobel", *SMALL)
    assert detail(program, "in", [["N", 1]], "2*N + 3").startswith("pass: ")
    assert "in_in(" in detail(program, "in", [["N", 1]], "2*N + 2")


def test_a_memory_is_filled_before_the_start() -> None:
    program = example("sobel", *SMALL, "arrays.in.storage=memory")
    assert detail(program, "in", [[1, 0], [0, 1]], "N", "N").startswith("pass: ")
    less = detail(program, "in", [["N", 1]], "N^2 - 1")
    assert less.endswith("but the cell holds in[7][7], written by the fill before the start")


def test_scalars_and_rows_of_durbin() -> None:
    program = example("durbin", "params.N=7")
    assert detail(program, "beta", [[0]], 1).startswith("pass: ")
    assert detail(program, "y", [[1, 0], [0, 1]], "N", 2).startswith("pass: ")
    assert detail(program, "y", [[1, 0], [0, 1]], "N - 1", 2).startswith("fail: S")


def test_what_leaves_at_the_end_is_drained() -> None:
    program = example("sobel", *SMALL, "arrays.out.storage=memory", "arrays.in.storage=external")
    assert detail(program, "out", [[1, 0], [0, 1]], "N", "N").startswith("pass: ")
    assert detail(program, "out", [[1, 0], [0, 1]], "N - 3", "N").startswith(
        "fail: the drain after the end reads out[1][1] at N=8, but the cell holds out[6][1]"
    )


def test_a_bound_above_what_is_alive_is_refused() -> None:
    program = example("blur", *SMALL)
    own = piece([[1, 0], [0, 1]], ["N", "N"], program.values)
    bound = {"kind": "max-live", "cells": 18, "expr": None}
    document = document_of(program, {"blurx": [own]}, bounds={"blurx": [bound]})
    assert replay(program, document)["blurx"].detail == (
        "the plan says that 18 values are alive at once, there were 17 at most"
    )
    document["arrays"]["blurx"]["holdings"]["hardware"]["bound"]["cells"] = 17
    assert passes(replay(program, document))


# Faults of the front end: the replay reads the original C, not the program made of it.


def changed(program: Program, name: str, **changes: Any) -> Program:
    return replace(
        program,
        statements=tuple(
            replace(statement, **changes) if statement.name == name else statement
            for statement in program.statements
        ),
    )


def statement(program: Program, name: str) -> Statement:
    return next(one for one in program.statements if one.name == name)


def test_a_read_the_front_end_lost_is_caught_though_the_proof_holds() -> None:
    program = example("blur", *SMALL)
    lost = changed(program, "C", reads=statement(program, "C").reads[1:])
    own = piece([[1, -1]], ["N + 1"], program.values)
    document = document_of(lost, {"blurx": [own]})
    assert mapped(document) == {"blurx": PROVED}
    verdict = replay(lost, document)["blurx"]
    assert verdict.detail == "the original reads blurx 144 times, the design 96"


def test_a_domain_that_is_too_small_is_caught() -> None:
    program = example("blur", *SMALL)
    domain = statement(program, "C").domain
    fewer = changed(program, "C", domain=domain.intersect(Set("[N] -> { C[y,x] : y >= 3 }")))
    assert detail(fewer, "blurx", [[1, 0], [0, 1]], "N", "N") == (
        "fail: C ran 48 times, the design says 40"
    )


def test_a_domain_elsewhere_is_caught() -> None:
    program = example("blur", *SMALL)
    shifted = statement(program, "C").domain.apply(Map("{ C[y,x] -> C[y-1,x] }"))
    moved = changed(program, "C", domain=shifted)
    assert detail(moved, "blurx", [[1, 0], [0, 1]], "N", "N").startswith(
        "fail: C ran outside its domain: [7, 0] is outside "
    )


def test_a_schedule_that_reads_too_early_is_caught() -> None:
    program = example("blur", *SMALL)
    early = statement(program, "C").schedule.apply_range(Map("{ [a,y,b,x,c] -> [a,y,b,x-1,c] }"))
    assert detail(changed(program, "C", schedule=early), "blurx", [[1, 0], [0, 1]], "N", "N") == (
        "fail: C(y=2, x=0) reads blurx[2][0] at N=8, but nothing provides it: no write, no live-in"
    )


def test_a_statement_the_front_end_lost_is_caught() -> None:
    program = example("blur", *SMALL)
    lost = replace(program, statements=program.statements[:1])
    assert detail(lost, "blurx", [[1, 0], [0, 1]], "N", "N") == (
        "fail: the design has 1 statements, the original 2"
    )


# What cannot be replayed.


def test_a_conflict_set_is_never_replayed() -> None:
    given = load(EXAMPLES / "blur" / "conflicts.yaml", settings=SMALL).input
    assert isinstance(given, ConflictInput)
    own = piece([[1, 0], [0, 1]], ["N", "2"], given.values)
    verdict = replay(given, document_of(given, {"blurx": [own]}))["blurx"]
    assert (verdict.status, verdict.fine) == (Status.SKIPPED, True)
    assert verdict.detail == "a conflict set has no order in which it could run"


def test_what_cannot_be_followed_counts_as_not_passed() -> None:
    program = example("blur", *SMALL)
    assert program.kernel is not None
    kernel = replace(program.kernel, name="other")
    own = piece([[1, -2]], ["2*N + 1"], program.values)
    broken = replace(program, kernel=kernel)
    verdict = replay(broken, document_of(broken, {"blurx": [own]}))["blurx"]
    assert (verdict.status, verdict.fine) == (Status.NOT_JUDGED, False)
    assert verdict.detail == ("the original cannot be replayed: there is no function 'other'")


def test_a_run_that_is_too_long_is_refused_before_it_starts() -> None:
    program = blur(3000)
    own = piece([[1, -2]], ["2*N + 1"], program.values)
    with pytest.raises(LimitError) as limit:
        replay(program, document_of(program, {"b": [own]}))
    assert str(limit.value) == (
        "a replay would record 35982000 accesses, more than 8388608; "
        "`--beats N` stops it after N beats of the longest stream"
    )


def test_a_missing_compiler_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("CC", raising=False)
    program = blur()
    own = piece([[1, -2]], ["2*N + 1"], program.values)
    with pytest.raises(ToolError, match="no C compiler for the replay check: none of cc, gcc"):
        replay(program, document_of(program, {"b": [own]}))
