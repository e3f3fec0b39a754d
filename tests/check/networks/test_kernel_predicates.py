"""Values of inputs that filters look at: with them every instance runs that ran, and no other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from hlsmem.check.c_runs.condition_outcomes import FORCED_OUTCOMES, OWN_OUTCOMES, Outcome
from hlsmem.check.replayed.replay_check import runs_of
from hlsmem.check.replayed.run_events import Run
from hlsmem.check.rtl.expected_beats import traffic
from hlsmem.program.model import Program
from hlsmem.timing.planned_program import arranged
from tests.steps import load

KERNEL = """\
void k(const unsigned char a[4], const short b[4][5], const unsigned char m[4], short out[4][5])
{
    short t[4][5];
#pragma scop
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5; j++) {
            t[i][j] = 0;
            if (m[i] && a[i] > b[i][j])
                t[i][j] += 1;
            else if (a[i] > 100 || b[i][j] > 50)
                t[i][j] += 2;
            else
                t[i][j] += 3;
            out[i][j] = t[i][j];
        }
#pragma endscop
}
"""


def seen(run: Run, name: str) -> dict[tuple[int, ...], int]:
    """The values of an input's elements; each has one."""
    found: dict[tuple[int, ...], int] = {}
    own = run.accesses[name]
    for element, bits in zip(own.element.tolist(), own.bits.tolist(), strict=True):
        assert found.setdefault(tuple(element), bits) == bits
    return found


def ran(run: Run, name: str) -> set[tuple[int, ...]]:
    assert run.ran is not None
    chosen = (run.statement == run.statements.index(name)) & run.ran
    return {tuple(one) for one in run.iterators[chosen, :2].tolist()}


@pytest.mark.parametrize("kind", [OWN_OUTCOMES, FORCED_OUTCOMES])
def test_branches_run_as_they_did(tmp_path: Path, kind: Sequence[Outcome]) -> None:
    """A row's flag is tested with every element of the row, C leaves out what does not matter."""
    (tmp_path / "k.c").write_text(KERNEL)
    file = tmp_path / "design.yaml"
    file.write_text("hlsmem: 1\nname: k\nkernel: {file: k.c}\nplan: {control: skip}\n")
    given = load(file).input
    assert isinstance(given, Program)
    program = arranged(given)
    planned = list(program.planned_arrays())
    assert {"a", "b", "m"} <= {one.name for one in planned}
    mixed = False
    for run, _ in runs_of(program, planned, outcomes=kind):
        a, b, m = (seen(run, name) for name in "abm")
        b = {at: np.int16(np.uint16(bits)).item() for at, bits in b.items()}
        points = {(i, j) for i in range(4) for j in range(5)}
        first = {(i, j) for i, j in points if m[i,] and a[i,] > b[i, j]}
        second = {(i, j) for i, j in points - first if a[i,] > 100 or b[i, j] > 50}
        assert ran(run, "S1") == first
        assert ran(run, "S2") == second
        assert ran(run, "S3") == points - first - second
        mixed |= len(first) not in (0, len(points)) or len(second) not in (0, len(points))
    assert mixed


def test_what_c_leaves_out_has_a_value_that_is_promised(tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text(
        """\
void k(const short a[6], const short b[6], short out[6])
{
    short t[6];
#pragma scop
    for (int i = 0; i < 6; i++) {
        t[i] = 0;
        if (a[i] > 5 && b[i] > -5)
            t[i] = 1;
        out[i] = t[i];
    }
#pragma endscop
}
"""
    )
    file = tmp_path / "design.yaml"
    promised = "arrays: {a: {values: [0, 9]}, b: {values: [-9, -3]}}"
    file.write_text(
        f"hlsmem: 1\nname: k\nkernel: {{file: k.c}}\n{promised}\nplan: {{control: skip}}\n"
    )
    given = load(file).input
    assert isinstance(given, Program)
    program = arranged(given)
    for run, _ in runs_of(program, list(program.planned_arrays()), outcomes=OWN_OUTCOMES[:2]):
        assert len(seen(run, "b")) == 6
        assert set(seen(run, "b").values()) <= set(range(2**16 - 9, 2**16 - 2))


def test_a_mask_of_bytes_is_not_always_set(tmp_path: Path) -> None:
    """Of 256 values one keeps an instance from running: inputs that are drawn have it."""
    (tmp_path / "k.c").write_text(
        """\
void k(const short a[20], const unsigned char mask[20], short out[20])
{
#pragma scop
    for (int i = 0; i < 20; i++) {
        out[i] = 0;
        if (mask[i])
            out[i] = a[i];
    }
#pragma endscop
}
"""
    )
    file = tmp_path / "design.yaml"
    file.write_text("hlsmem: 1\nname: k\nkernel: {file: k.c}\nplan: {control: skip}\n")
    given = load(file).input
    assert isinstance(given, Program)
    program = arranged(given)
    for run, _ in runs_of(program, list(program.planned_arrays()), outcomes=OWN_OUTCOMES):
        assert 0 < len(ran(run, "S1")) < 20


def test_what_a_filter_alone_looks_at_is_no_operand(tmp_path: Path) -> None:
    """`v = L[i - 2]` looks at L[i - 1], whose beats end at the filter, and reads none of it."""
    (tmp_path / "k.c").write_text(
        """\
void k(const unsigned char im[8], unsigned char out[8])
{
    unsigned char L[10];
    L[0] = 0;
    L[1] = 0;
    for (int i = 2; i < 10; i++) {
        unsigned char v = 0;
        if (im[i - 2]) {
            if (L[i - 1])
                v = L[i - 1];
            else if (L[i - 2])
                v = L[i - 2];
            else
                v = 1;
        }
        L[i] = v;
        out[i - 2] = v;
    }
}
"""
    )
    given = load(tmp_path / "k.c").input
    assert isinstance(given, Program)
    program = arranged(given)
    for run, _ in runs_of(program, list(program.planned_arrays()), outcomes=OWN_OUTCOMES):
        assert traffic(program, run).disagreement is None
