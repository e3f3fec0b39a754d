"""Filters as they stand in design.yaml."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.polyhedra import Map
from hlsmem.program.model import Program
from tests.read.loading import changed, messages_of, stretches_of
from tests.steps import load

HOLD = """\
hlsmem: 1
name: hold
params: {N: 8, M: 4}
arrays:
  c: {type: uint1, extents: [N]}
  m: {type: int16, extents: [], values: [0, 2*M]}
  f: {type: float, extents: []}
  s: {extents: []}
  o: {extents: [N], storage: external}
network:
  line:
    statements:
      F: {domain: "{ F[] }", schedule: "{ F[] -> [0,0] }", writes: ["{ F[] -> f[] }"]}
      M0: {domain: "{ M0[] }", schedule: "{ M0[] -> [0,1] }", writes: ["{ M0[] -> m[] }"]}
      T:
        domain: "[N] -> { T[i] : 0 <= i < N }"
        schedule: "{ T[i] -> [1 + i,0] }"
        writes: ["{ T[i] -> c[i] }"]
      S:
        domain: "[N] -> { S[i] : 0 <= i < N }"
        schedule: "{ S[i] -> [1 + i,1] }"
        writes: ["{ S[i] -> s[] }"]
        filter: {access: ["{ S[i] -> c[i] }", "{ S[i] -> m[] }"], value: "{ S[i] -> [1, x] : x > 2 }"}
      R:
        domain: "[N] -> { R[i] : 0 <= i < N }"
        schedule: "{ R[i] -> [1 + i,2] }"
        reads: ["{ R[i] -> s[] }"]
        writes: ["{ R[i] -> o[i] }"]
"""  # noqa: E501
FILTER = HOLD[HOLD.index("filter: ") : HOLD.index("\n      R:")]


def program_of(folder: Path, text: str) -> Program:
    path = folder / "design.yaml"
    path.write_text(text)
    program = load(path, conditional=True).input
    assert isinstance(program, Program)
    return program


def refused(folder: Path, text: str) -> list[str]:
    """The messages about a design for a command that takes filters."""
    path = folder / "design.yaml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        load(path, conditional=True)
    return [str(one).replace(f"{folder}/", "") for one in caught.value.problems]


def test_a_filter_and_its_values(tmp_path: Path) -> None:
    text = changed(
        HOLD,
        ("x > 2 }", "x > i and x < 2*M }"),
        ('value: "{ S[i] -> [1', 'value: "[M] -> { S[i] -> [1'),
    )
    program = program_of(tmp_path, text)
    statement = next(one for one in program.statements if one.name == "S")
    (found,) = statement.filters
    assert [one.array for one in found.accesses] == ["c", "m"]
    assert found.loops is None
    inside = "x > i and 0 <= i < N and N >= 1 and M >= 1"
    assert found.value.is_equal(Map(f"[N, M] -> {{ S[i] -> [1, x] : x < 2*M and {inside} }}"))
    assert [str(one) for one in program.arrays["m"].value_range] == ["0", "2*M"]
    assert [str(one) for one in program.arrays["c"].value_range] == ["0", "1"]


def test_filters_of_disjoint_instances(tmp_path: Path) -> None:
    several = """filter:
          - {access: ["{ S[i] -> c[i] }"], value: "{ S[i] -> [1] : i < 3 }", loops: 0}
          - {access: ["{ S[i] -> m[] }"], value: "{ S[i] -> [0] : i > 4 }"}"""
    program = program_of(tmp_path, changed(HOLD, (FILTER, several)))
    (found,) = [one.filters for one in program.statements if one.filters]
    assert [one.loops for one in found] == [0, None]


def test_statements_under_conditions_may_have_no_end(tmp_path: Path) -> None:
    """A loop that data ends has infinitely many iterations that might run."""
    endless = changed(
        HOLD, ("S[i] : 0 <= i < N", "S[i] : 0 <= i"), ("S[i] -> c[i]", "S[i] -> c[0]")
    )
    program = program_of(tmp_path, endless)
    assert not program.statements[3].domain.is_bounded()
    (message,) = [one for one in messages_of(tmp_path, endless) if "infinitely" in one]
    assert message == (
        "design.yaml:19:7: 'S' has infinitely many instances at N=8, M=4;"
        " bound its domain on all sides"
    )


def test_what_is_guarded_is_written_perhaps(tmp_path: Path) -> None:
    path = tmp_path / "design.yaml"
    path.write_text(HOLD)
    for conditional in (False, True):
        program = load(path, conditional=conditional).input
        assert isinstance(program, Program)
        sure = {one.name: one.writes[0].must for one in program.statements}
        assert sure == {"F": True, "M0": True, "T": True, "S": conditional, "R": True}
        assert [one.array for one in program.statements[3].sees] == ["c", "m"]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "-> c[i] }\", \"",
            "-> d[i] }\", \"",
            "there is no array 'd'; add d to arrays",
        ),
        (
            "[1, x] : x > 2",
            "[1]",
            "the filter of 'S' looks at 2 elements, but has values for 1;"
            " give an entry of value for every entry of access",
        ),
        (
            "S[i] -> m[]",
            "S[i,j] -> m[]",
            "'S' has 1 dimension, but 2 stand here; write the tuple of the domain",
        ),
        (
            "S[i] -> m[]",
            "R[i] -> m[]",
            "'R' stands where 'S' is meant; write S[...]",
        ),
        (
            "S[i] -> m[]",
            "S[i] -> m[i]",
            "'m' has 0 dimensions, but 1 stand here; give an entry for every dimension",
        ),
        (
            "S[i] -> m[]",
            "S[i] -> [i]",
            "entry 1 of the filter of 'S' names no array; write it like { S[i] -> c[i] }",
        ),
        (
            "-> c[i] }\", \"",
            "-> c[i] : i > 2 }\", \"",
            "the filter of 'S' looks at no element of 'c' at S[0] at N=8, M=4;"
            " let every entry of access cover the domain of value",
        ),
        (
            "[1, x] : x > 2",
            "[2, x] : x > 2",
            "the filter of 'S' never lets it run: 'c' has values from 0 to 1"
            " and 'm' has values from 0 to 2*M; correct value, or the arrays' values",
        ),
        (
            "[1, x] : x > 2",
            "v[1, x] : x > 2",
            "the filter of 'S' has values of 'v'; write them without a name,"
            " like { S[i] -> [1] }",
        ),
        (
            "[1, x] : x > 2",
            "[1, x] : i < 0",
            "the filter of 'S' is for no instance;"
            " compare its domain with the statement's, or remove it",
        ),
        (
            "S[i] -> m[]",
            "S[i] -> f[]",
            "the filter of 'S' looks at 'f', which holds float;"
            " compare in a statement of its own that writes a uint1",
        ),
        (
            "-> c[i] }\", \"",
            "-> c[i + 1] }\", \"",
            "'S' reads c[8], but the extents of 'c' are [8] at N=8, M=4;"
            " correct the subscript, the domain or the extents",
        ),
    ],
)  # fmt: skip
def test_filters_that_are_wrong(tmp_path: Path, old: str, new: str, expected: str) -> None:
    message = refused(tmp_path, changed(HOLD, (old, new)))[0]
    assert message.partition(": ")[2] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "filter: 3",
            "network.line.statements.S.filter must be a mapping, not 3; write it as {key: value}",
        ),
        (
            'filter: {access: [], value: "{ S[i] -> [] }"}',
            "the filter of 'S' looks at nothing;"
            " name an element that decides, or remove the filter",
        ),
        (
            'filter: [{acess: ["{ S[i] -> c[i] }"], value: "{ S[i] -> [1] }"}]',
            "the key 'access' is missing in network.line.statements.S.filter.0; add it",
        ),
        (
            'filter: {access: ["{ S[i] -> c[i] }"], value: "{ S[i] -> [1] }", loop: 1}',
            "unknown key 'loop' in network.line.statements.S.filter; did you mean 'loops'?",
        ),
        (
            'filter: {access: ["{ S[i] -> c[i] }"], value: "{ S[i] -> [1] }", loops: -1}',
            "network.line.statements.S.filter.loops must be at least 0, not -1;"
            " choose a larger number",
        ),
    ],
)
def test_keys_of_filters(tmp_path: Path, text: str, expected: str) -> None:
    assert refused(tmp_path, changed(HOLD, (FILTER, text)))[0].partition(": ")[2] == expected


def test_filters_for_the_same_instance(tmp_path: Path) -> None:
    several = """filter:
          - {access: ["{ S[i] -> c[i] }"], value: "{ S[i] -> [1] : i < 5 }"}
          - {access: ["{ S[i] -> m[] }"], value: "{ S[i] -> [0] : i > 3 }"}"""
    path = tmp_path / "design.yaml"
    path.write_text(changed(HOLD, (FILTER, several)))
    with pytest.raises(InputError) as caught:
        load(path, conditional=True)
    (problem,) = caught.value.problems
    assert problem.what == "two filters of 'S' are for S[4] at N=8, M=4"
    assert stretches_of([problem]) == ['"{ S[i] -> [0] : i > 3 }"']
    assert [note.text for note in problem.notes] == ["the other one"]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "[0, 2*M]",
            "[5]",
            "arrays.m.values must be two numbers or expressions, not a list;"
            " write the least and the greatest, as [0, 255]",
        ),
        (
            "[0, 2*M]",
            "[9, 2*M]",
            "values of 'm': there is none from 9 to 8; write the least first",
        ),
        (
            "[0, 2*M]",
            "[0, 40000]",
            "values of 'm': int16 has those from -32768 to 32767;"
            " choose a wider type, or other bounds",
        ),
        (
            "[0, 2*M]",
            "[0, M*M]",
            "values of 'm': M^2 is not affine in the parameters;"
            " write a number, or a sum such as 2*N - 1",
        ),
        (
            "{type: float, extents: []}",
            "{type: float, extents: [], values: [0, 1]}",
            "values are bounds of integers, and 'f' holds float; remove it",
        ),
    ],
)
def test_values_that_are_wrong(tmp_path: Path, old: str, new: str, expected: str) -> None:
    assert refused(tmp_path, changed(HOLD, (old, new)))[0].partition(": ")[2] == expected
