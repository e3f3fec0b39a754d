"""What is proved of mappings, and the witness that is named where one is false."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from hlsmem.polyhedra import Set
from hlsmem.polyhedra.sets import points
from hlsmem.program.model import Array, ConflictInput, ConflictSet, ElementType, Order, Storage
from hlsmem_verify.facts import Facts
from hlsmem_verify.lives import Lives
from tests.check.subjects import Document, blur, document_of, piece
from tests.programs import make_program
from tests.proof.mappings import PROVED, mapped

EIGHT = {"N": 8}


def is_proved(document: Document) -> bool:
    return set(mapped(document).values()) == {PROVED}


def said_of(modulus: str, matrix: list[list[str | int]] | None = None, **options: bool) -> str:
    own = piece(matrix or [[1, -2]], [modulus], EIGHT)
    return mapped(document_of(blur(), {"b": [own]}, **options))["b"]


def test_the_least_modulus_of_blur_is_proved_for_all_parameters() -> None:
    assert said_of("2*N + 1") == PROVED


def test_a_certificate_at_the_values_is_judged_there_only() -> None:
    assert said_of("17") != PROVED
    assert said_of("17", everywhere=False) == PROVED


def test_one_cell_less_is_refused_with_the_pair_and_who_needs_it() -> None:
    found = (
        "b[0][7] and b[2][0] share a cell at N=8: b[0][7] is written by P(y=0, x=7) and still"
        " needed by C(y=2, x=7) when b[2][0] is written by P(y=2, x=0)"
    )
    assert said_of("2*N") == said_of("16", everywhere=False) == found


def test_a_modulus_that_is_right_at_the_values_only_is_refused() -> None:
    assert said_of("N + 9").startswith("b[")
    assert " share a cell at N=" in said_of("N + 9")
    assert " share a cell at N=8" not in said_of("N + 9")


def test_a_modulus_that_vanishes_is_refused() -> None:
    assert said_of("4*N - 15") == "4*N + (-15) may be less than 1"


def test_coefficients_with_parameters_are_proved() -> None:
    assert said_of("2*N + 1", [["N", 1]]) == PROVED
    assert "share a cell" in said_of("2*N", [["N", 1]])


def test_classes_of_residues_name_the_parameters_of_the_program() -> None:
    """At N = 8 this is right, at odd N two cells too few: the witness is of such an N."""
    found = re.search(r"share a cell at N=(\d+): ", said_of("4*floor(N/2) + 1"))
    assert found is not None
    assert int(found[1]) % 2


def test_what_cannot_be_expressed_is_not_called_proved() -> None:
    assert said_of("2*N^2 + N", [["N^2", 1]]) == "a row with products of parameters"


def test_reading_first_and_writing_last_saves_a_cell_by_iteration() -> None:
    program = blur(order=Order.ITERATION)
    least = document_of(program, {"b": [piece([["N", 1]], ["2*N"], EIGHT)]})
    less = document_of(program, {"b": [piece([["N", 1]], ["2*N - 1"], EIGHT)]})
    assert is_proved(least)
    assert not is_proved(less)


def chain(strict: bool, modulus: int, live_out: str = "{ }", live_in: str = "{ }") -> bool:
    """Does a running value, a[i] = f(a[i-1]), fit into `modulus` cells?"""
    program = make_program(
        values={},
        domains=["{ S[i] : 0 <= i < 9 }"],
        schedules=["{ S[i] -> [i] }"],
        reads=["{ S[i] -> A[i-1] : i > 0 }"],
        writes=["{ S[i] -> A[i] }"],
        live_out=[live_out],
        live_in=[live_in],
    )
    document = document_of(program, {"A": [piece([[1]], [modulus], {})]}, strict=strict)
    return is_proved(document)


def test_strict_forbids_to_overwrite_what_is_read_at_the_same_time() -> None:
    assert chain(strict=False, modulus=1)
    assert not chain(strict=True, modulus=1)
    assert chain(strict=True, modulus=2)


@pytest.mark.parametrize("strict", [False, True])
def test_as_many_elements_are_alive_as_are_counted_one_by_one(strict: bool) -> None:
    """Each value of a stencil with two gaps stays for three steps: with the last one if strict."""
    program = make_program(
        values={},
        domains=["{ S[i] : 0 <= i < 9 }"],
        schedules=["{ S[i] -> [i] }"],
        reads=["{ S[i] -> A[i - 3] : i > 2; S[i] -> A[i - 1] : 1 <= i < 6 }"],
        writes=["{ S[i] -> A[i] : i != 2 and i != 4 }"],
        live_in=["{ A[i] : i = 2 or i = 4 }"],
        live_out=["{ }"],
    )
    facts = Facts(document_of(program, {"A": [piece([[1]], [9], {})]}, strict=strict))
    lives = Lives(facts.program, "A", 1)
    written = {i: -1 if i in (2, 4) else i for i in range(9)}
    read = {i: i + 3 for i in range(6)}  # the later of its reads
    for now in range(9):
        alive = {i for i in read if written[i] <= now < read[i] + strict}
        alive |= {now} & set(written.values())  # while it is written, whoever reads it
        found = lives.alive(facts.program.set(f"{{ [1, {now}] }}", "moment"))
        assert {i for (i,) in points(found)} == alive


def test_slack_keeps_a_value_for_further_beats_of_its_reader() -> None:
    program = blur()
    enough, less = (
        document_of(program, {"b": [piece([["N", 1]], [modulus], EIGHT)]})
        for modulus in ("2*N + 2", "2*N + 1")
    )
    assert is_proved(less)
    enough["program"]["slack"] = less["program"]["slack"] = 1
    assert is_proved(enough)
    assert mapped(less)["b"] == (
        "b[0][0] and b[2][1] share a cell at N=8: b[0][0] is written by P(y=0, x=0) and needed "
        "by C(y=2, x=0) and 1 beats longer when b[2][1] is written by P(y=2, x=1)"
    )


def test_what_is_live_out_stays_until_the_end() -> None:
    assert not chain(strict=False, modulus=8, live_out="{ A[i] : i = 0 or i = 8 }")
    assert chain(strict=False, modulus=9, live_out="{ A[i] : i = 0 or i = 8 }")


def test_live_in_elements_that_nobody_reads_need_no_cell() -> None:
    assert chain(strict=False, modulus=1, live_in="{ A[i] : 20 <= i < 30 }")


def test_live_in_elements_that_are_read_lie_there_from_the_start() -> None:
    program = make_program(
        values={},
        domains=["{ S[i] : 0 <= i < 4 }"],
        schedules=["{ S[i] -> [i] }"],
        reads=["{ S[i] -> A[i] }"],
        live_in=["{ A[i] : 0 <= i < 4 }"],
    )
    four, three = (document_of(program, {"A": [piece([[1]], [m], {})]}) for m in (4, 3))
    assert is_proved(four)
    assert mapped(three)["A"] == (
        "A[0] and A[3] share a cell: A[0] is filled before the start and A[3] is filled before "
        "the start"
    )


def test_a_read_of_what_nobody_wrote_names_the_reader() -> None:
    program = make_program(
        values={},
        domains=["{ S[i] : 0 <= i < 4 }"],
        schedules=["{ S[i] -> [i] }"],
        reads=["{ S[i] -> A[i-1] }"],
        writes=["{ S[i] -> A[i] }"],
    )
    document = document_of(program, {"A": [piece([[1]], [1], {})]})
    assert mapped(document)["A"] == ("A[-1] is read by S(i=0), and nothing has written it")


@pytest.mark.parametrize(("must", "least"), [(True, 1), (False, 3)])
def test_a_write_that_may_not_happen_ends_nothing(must: bool, least: int) -> None:
    """Elements are written, two steps later perhaps again, and read at once."""
    program = make_program(
        values={"N": 8},
        context="[N] -> { : N >= 4 }",
        domains=[f"[N] -> {{ {name}[i] : 0 <= i < N }}" for name in "STR"],
        schedules=[
            "[N] -> { S[i] -> [i,0] }",
            "[N] -> { T[i] -> [i + 2,1] }",
            "[N] -> { R[i] -> [i + 2,2] }",
        ],
        reads=["[N] -> { R[i] -> A[i] }"],
        writes=["[N] -> { S[i] -> A[i] }", "[N] -> { T[i] -> A[i] }"],
    )
    first, second, reader = program.statements
    (write,) = second.writes
    perhaps = replace(second, writes=(replace(write, must=must),))
    program = replace(program, statements=(first, perhaps, reader))
    for cells in range(1, 5):
        document = document_of(program, {"A": [piece([[1]], [str(cells)], {"N": 8})]})
        assert is_proved(document) is (cells >= least)


def test_a_scalar_has_one_cell_and_no_rows() -> None:
    program = make_program(
        values={},
        domains=["{ S[i] : 0 <= i < 4 }"],
        schedules=["{ S[i] -> [i] }"],
        reads=["{ S[i] -> A[] : i > 0 }"],
        writes=["{ S[i] -> A[] }"],
    )
    assert is_proved(document_of(program, {"A": [piece([], [], {})]}))


def pieces_of(first: str, second: str) -> str:
    program = make_program(
        values={"N": 6},
        context="[N] -> { : N >= 4 }",
        domains=["[N] -> { S[i] : 0 <= i < N }", "[N] -> { T[i] : 0 <= i < N }"],
        schedules=["[N] -> { S[i] -> [0,i] }", "[N] -> { T[i] -> [1,i] }"],
        reads=["[N] -> { T[i] -> A[i] }"],
        writes=["[N] -> { S[i] -> A[i] }"],
    )
    own = [
        piece([[1]], ["2"], program.values, domain=first),
        piece([[1]], ["N - 2"], program.values, domain=second),
    ]
    return mapped(document_of(program, {"A": own}))["A"]


def test_pieces_lie_one_after_the_other() -> None:
    assert pieces_of("[N] -> { [i] : i < 2 }", "[N] -> { [i] : i >= 2 }") == PROVED


@pytest.mark.parametrize(
    ("second", "found"),
    [
        ("[N] -> { [i] : i >= 1 }", "A[1] at N=6 is in two pieces"),
        ("[N] -> { [i] : i >= 3 }", "A[2] at N=6 is in no piece"),
        ("[N] -> { [i] : 2 <= i < 6 }", "A[6] at N=7 is in no piece"),
    ],
)
def test_every_element_lies_in_exactly_one_piece(second: str, found: str) -> None:
    assert pieces_of("[N] -> { [i] : i < 2 }", second) == found


def given(differences: str, matrix: list[list[str | int]], *moduli: str, pairs: Any = None) -> str:
    """What is said of conflicts that are given, and of a mapping."""
    array = Array(
        name="A",
        element=ElementType("int32"),
        index=("x", "y"),
        extents=None,
        storage=Storage.MEMORY,
    )
    source = ConflictInput(
        name="bare",
        parameters=("N",),
        values=EIGHT,
        context=Set("[N] -> { : N >= 3 }"),
        conflicts={"A": ConflictSet(array=array, differences=Set(differences))},
    )
    document = document_of(source, {"A": [piece(matrix, moduli, EIGHT)]})
    stated = {"differences": differences, "pairs": pairs, "elements": None}
    document["arrays"]["A"]["conflicts"] = stated
    return mapped(document)["A"]


REVERSE_L = "1 <= x < N and 0 <= y <= 1"
BOTH = f"[N] -> {{ [x,y] : {REVERSE_L}; [x,y] : 1 <= -x < N and 0 <= -y <= 1 }}"


def test_differences_of_given_conflicts_are_separated() -> None:
    assert given(BOTH, [[1, 0], [0, 1]], "N", "2") == PROVED
    assert given(BOTH, [[1, -1]], "N") in (
        "A[0][0] and A[1][1] share a cell, and conflict at N=8",
        "A[0][0] and A[-1][-1] share a cell, and conflict at N=8",
    )


def test_given_conflicts_are_symmetric_and_those_of_their_pairs() -> None:
    half = f"[N] -> {{ [x,y] : {REVERSE_L} }}"
    assert given(half, [[1, 0], [0, 1]], "N", "2") == "the differences are not symmetric"
    pairs = "[N] -> { [x,y] -> [v,w] : x = 0 and v = 3 * N and y = w = 0 }"
    assert given(BOTH, [[1, 0], [0, 1]], "N", "2", pairs=pairs) == ("a pair has another difference")
