"""isl text: what is accepted, and the whole message and place for what is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.core.errors import InputError, LimitError
from hlsmem.core.source_location import SourceLocation, Span
from hlsmem.polyhedra import Map, Set, UnionMap, UnionSet
from hlsmem.polyhedra.isl_text import parse_map, parse_set, parse_union_map, parse_union_set
from tests.families import by_default

EXAMPLE = "write it as in { S[i,j] -> A[i,2j+1] : 0 <= i < 8 and j mod 2 = 0 }"
KINDS = "write { A[i] -> B[j] : ... } for a map and { A[i] : ... } for a set"


@pytest.mark.parametrize(
    ("parse", "kind", "text"),
    [
        (parse_set, Set, "[N] -> { S[y,x] : 0 <= y,x < N }"),
        (parse_set, Set, "[N] -> { : N >= 3 }"),
        (parse_set, Set, "{ S[i, i + 1] : exists e : i = 2e }"),
        (parse_set, Set, "{ [i] : i < 3; [i] : i > 7 }"),
        (parse_set, Set, "  { A[i' ] : i' > 0 }\n"),
        (parse_map, Map, "[N] -> { S[i] -> A[i mod 2, floor(i/3)] : i != N }"),
        (parse_map, Map, "{ S[i] -> [i, 0] : i < 4; S[i] -> [i, 1] : i >= 4 }"),
        (parse_union_set, UnionSet, "{ A[i] : i < 3; B[] }"),
        (parse_union_map, UnionMap, "{ S[i] -> A[i]; T[] -> B[] }"),
        (parse_union_map, UnionMap, "{ }"),
    ],
)
def test_valid_text(parse: Callable[..., Any], kind: Any, text: str) -> None:
    assert parse(text, parameters=("N",)).is_equal(kind(text))


def complaint(parse: Callable[..., Any], text: str) -> str:
    """The message, with the column and the stretch it points at."""
    span = Span(file="d", source=text, start=0, end=len(text), offsets=tuple(range(len(text))))
    with pytest.raises(InputError) as caught:
        parse(text, parameters=("N", "M"), source_location=span, what="domain")
    (problem,) = caught.value.problems
    assert problem.source_location is not None
    start = problem.source_location.column - 1
    stretch = text[start : start + problem.source_location.length]
    return f"{stretch} | {problem.what}; {problem.remedy}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "{ S[i] : 0 <= i < N }",
            "N | domain uses 'N' without declaring it; write [N] -> { ... }",
        ),
        (
            "[M] -> { S[i] : M <= i < N }",
            "N | domain uses 'N' without declaring it; write [M, N] -> { ... }",
        ),
        (
            "[N] -> { S[i] : 0 <= i < K }",
            "K | domain uses 'K', which is no dimension and no parameter;"
            " add it to params, or to the tuple",
        ),
        (
            "{ S[row] : 0 <= rwo < 4 }",
            "rwo | domain uses 'rwo', which is no dimension and no parameter; did you mean 'row'?",
        ),
        (
            "[K] -> { S[i] : i < K }",
            "K | domain declares 'K', which is no parameter of the design;"
            " add it to params; the parameters are: N, M",
        ),
        (
            "{ S[i] : i > 3 } and more",
            "and more | domain has text left over after the closing brace: 'and more';"
            " remove it, or join the parts with ';' inside the braces",
        ),
        (
            "{ S[i] : i > 3 } { S[i] }",
            "{ S[i] } | domain has text left over after the closing brace: '{ S[i] }';"
            " remove it, or join the parts with ';' inside the braces",
        ),
        ("i > 3", "i > 3 | domain is no isl text; write it as { ... }"),
        ("", " | domain is no isl text; write it as { ... }"),
        ("{ S[i : i > 3 }", "[ | domain has a '[' that is never closed; close it"),
        ("{ S[i] : i > 3", "{ | domain has a '{' that is never closed; close it"),
        ("{ S[i]] }", "] | domain has a ']' that nothing opens; remove it"),
        (
            "{ S[i] : i > $x }",
            "$ | domain has the character '$', which isl does not know; remove it",
        ),
        ("{ S[i] : i > 1 2 }", f"i > 1 2 | domain has 'i > 1 2', which isl cannot read; {EXAMPLE}"),
        (
            "{ S[i] : i > 0 and i =< 3 and i > 2 }",
            f"i =< 3 | domain has 'i =< 3', which isl cannot read; {EXAMPLE}",
        ),
        (
            "{ S[i] : i > 0; S[i] : (i < 3 or i <) }",
            f"(i < 3 or i <) | domain has '(i < 3 or i <)', which isl cannot read; {EXAMPLE}",
        ),
        ("{ S[i,] : i > 0 }", f"S[i,] | domain has 'S[i,]', which isl cannot read; {EXAMPLE}"),
        (
            "[N] -> { S[i] : i < N * i }",
            "i < N * i | domain has 'i < N * i', which isl cannot read;"
            " only integers multiply: isl's conditions and subscripts are affine",
        ),
        (
            "[N] { S[i] : i < N }",
            "[N]  | domain does not begin like isl text; begin it like [N, M] -> { ... }",
        ),
        (
            "{ S[i] -> A[i] }",
            f"{{ S[i] -> A[i] }} | domain is a map, but a set is needed here; {KINDS}",
        ),
        (
            "{ S[i]; T[i] }",
            f"{{ S[i]; T[i] }} | domain has 2 different tuples, but needs one; {KINDS}",
        ),
    ],
)
def test_bad_sets(text: str, message: str) -> None:
    assert complaint(parse_set, text) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{ S[i] }", f"{{ S[i] }} | domain is a set, but a map is needed here; {KINDS}"),
        (
            "{ S[i] -> A[2i, 2j] }",
            "j | domain uses 'j', which is no dimension and no parameter;"
            " add it to params, or to the tuple",
        ),
        (
            "{ S[i] -> A[i]; S[i] -> B[i] }",
            "{ S[i] -> A[i]; S[i] -> B[i] } | domain has 2 different tuples, but needs one;"
            f" {KINDS}",
        ),
    ],
)
def test_bad_maps(text: str, message: str) -> None:
    assert complaint(parse_map, text) == message


def test_a_union_of_sets_is_no_map() -> None:
    text = "{ A[i]; B[] }"
    message = f"{text} | domain is a set, but a map is needed here; {KINDS}"
    assert complaint(parse_union_map, text) == message


def test_a_plain_place_stays_as_it_is() -> None:
    place = SourceLocation(file="d.yaml", line=7, column=3)
    with pytest.raises(InputError) as caught:
        parse_set("{ S[i] : j > 0 }", parameters=(), source_location=place)
    assert str(caught.value) == (
        "d.yaml:7:3: set uses 'j', which is no dimension and no parameter;"
        " add it to params, or to the tuple"
    )


@given(st.text(alphabet="{}[]()NSi0:;,<>=->+* andor'$", max_size=25))
@settings(max_examples=by_default(37, 150), deadline=None, derandomize=True)
def test_any_text_is_read_or_refused_with_a_place_inside(text: str) -> None:
    span = Span(file="d", source=text, start=0, end=len(text), offsets=tuple(range(len(text))))
    for parse in (parse_set, parse_map, parse_union_set, parse_union_map):
        try:
            parse(text, parameters=("N",), source_location=span)
        except InputError as error:
            place = error.problems[0].source_location
            assert place is not None
            assert 1 <= place.column <= max(len(text), 1)


def test_a_text_with_too_many_cases_is_told_at_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each residue that is excluded doubles the pieces; isl itself would go on for hours."""
    monkeypatch.setattr("hlsmem.polyhedra.isl_text._OPERATIONS", 50_000)
    excluded = " and ".join(f"N mod {k} != 1" for k in range(3, 23, 2))
    whole = Span(file="d.yaml", source=f"context: {excluded}", start=9, end=len(excluded) + 9)
    with pytest.raises(LimitError) as caught:
        parse_set(
            f"[N] -> {{ : {excluded} }}", parameters=("N",), source_location=whole, what="context"
        )
    (problem,) = caught.value.problems
    assert "context takes more than 50,000 operations of isl to read" in problem.what
    assert problem.source_location == whole.place(0, 11 + len(excluded) + 2)
    assert parse_set("[N] -> { : N mod 3 != 1 }", parameters=("N",)).is_params()
