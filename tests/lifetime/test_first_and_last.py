"""First writes and last reads, against the loops of the program run one by one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from hlsmem.cli.command import main
from hlsmem.lifetime.first_and_last import lifetimes
from hlsmem.lifetime.storage_problems import storage_problems
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.relations import maps_of
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Program
from tests.steps import load

DURBIN = Path(__file__).parents[2] / "examples/durbin/design.yaml"
SIZE = 7

Access = tuple[str, tuple[int, ...]]


def accesses(function: object, values: Mapping[str, int]) -> dict[tuple[int, ...], Access]:
    """Element -> (statement, instance) of a function given as a UnionMap."""
    found: dict[tuple[int, ...], Access] = {}
    for piece in maps_of(fix_parameters(function, values)):
        size = piece.dim(DimType.in_)
        for row in distinct_points(piece).tolist():
            element = tuple(row[:size])
            assert element not in found
            found[element] = (piece.get_tuple_name(DimType.out), tuple(row[size:]))
    return found


def events_of_y(n: int) -> list[tuple[Access, list[tuple[int, int]], list[tuple[int, int]]]]:
    """(instance, reads of y, writes of y) of durbin.c, in its order."""
    found: list[tuple[Access, list[tuple[int, int]], list[tuple[int, int]]]] = []
    found.append((("S0", ()), [], [(0, 0)]))
    for k in range(1, n):
        found += [(("S5", (k, i)), [(i, k - 1)], []) for i in range(k)]
        for i in range(k):
            found.append((("S7", (k, i)), [(i, k - 1), (k - i - 1, k - 1)], [(i, k)]))
        found.append((("S8", (k,)), [], [(k, k)]))
    found += [(("S9", (i,)), [(i, n - 1)], []) for i in range(n)]
    return found


def test_functions_of_durbin_are_those_of_its_loops() -> None:
    program = load(DURBIN, parameters={"N": SIZE}).input
    assert isinstance(program, Program)
    (problem,) = (one for one in storage_problems(program) if one.array.name == "y")
    found = lifetimes(program, problem)
    first: dict[tuple[int, ...], Access] = {}
    last: dict[tuple[int, ...], Access] = {}
    for instance, reads, writes in events_of_y(SIZE):
        for element in reads:
            last[element] = instance
        for element in writes:
            first.setdefault(element, instance)
    assert accesses(found.first_write, program.values) == first
    assert accesses(found.last_read, program.values) == last
    assert found.written_once


def test_the_clauses_of_the_paper_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(DURBIN), "y", "--lifetimes", "--param", "N=8"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "y[i, k]"
    assert "    y[i, k = i] -> S8[k' = i] : 0 < i < N" in printed
    assert "    y[i, k = -1 + N] -> S9[i' = i] : 0 <= i < N" in printed
    assert "    [i, k = 1] : 2 - N <= i <= -3 + N" in printed


def test_a_conflict_set_has_no_lifetimes(capsys: pytest.CaptureFixture[str]) -> None:
    bare = DURBIN.parents[1] / "blur/conflicts.yaml"
    assert main(["explain", str(bare), "--lifetimes"]) == 2
    assert capsys.readouterr().err.startswith(
        "a bare conflict set has no writes and reads: there are no lifetimes; `hlsmem explain`"
    )


def test_an_unknown_array_names_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(DURBIN), "z", "--lifetimes", "--param", "N=8"]) == 2
    known = "planned arrays: out, y, sum, alpha, beta"
    assert f"'z' is not a planned array; {known}" in capsys.readouterr().err
