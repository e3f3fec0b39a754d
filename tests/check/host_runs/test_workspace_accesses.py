"""Accesses of C to its workspace, held against those of the plan one by one."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from hlsmem.api import check
from hlsmem.check.host_runs.workspace_accesses import Planned, misplaced
from hlsmem.emit.output_folder import write_folder
from hlsmem.read.design import load
from tests.families import by_default
from tests.plans import plan_c, whole_files


def planned(*accesses: tuple[int, int, bool, bool]) -> Planned:
    """Accesses of four bytes as (step, byte, is a write, must happen)."""
    step, byte, write, must = (np.array(column) for column in zip(*accesses, strict=True))
    rows = np.zeros(len(accesses), dtype=np.int64)
    run: Any = SimpleNamespace(instance_name=lambda number: ("S", [number]))
    return Planned(
        step=step,
        byte=byte,
        bytes=rows + 4,
        write=write,
        must=must,
        element=rows,
        instance=np.arange(len(accesses)),
        array=rows,
        elements={"a": np.zeros((1, 1), dtype=np.int64)},
        run=run,
    )


LOAD, STORE = 8, 9
# A store that nobody needs goes to the cell of the next one, and another one stays.
TWICE = planned(
    (0, 0, True, False),
    (1, 0, True, True),
    (2, 4, True, True),
    (3, 8, True, False),
    (4, 0, False, True),
)


@pytest.mark.parametrize(
    ("recorded", "is_right"),
    [
        ([(0, STORE), (0, STORE), (4, STORE), (8, STORE), (0, LOAD)], True),
        ([(0, STORE), (4, STORE), (0, LOAD)], True),
        ([(0, STORE), (4, STORE), (8, STORE), (0, LOAD)], True),
        ([(0, STORE), (0, STORE), (4, STORE), (0, LOAD)], True),
        ([(0, STORE), (8, STORE), (0, LOAD)], False),
        ([(4, STORE), (0, LOAD)], False),
        ([(0, STORE), (4, STORE), (0, LOAD), (0, LOAD)], False),
        ([(0, STORE), (4, STORE)], False),
    ],
)
def test_c_may_store_what_nobody_loads(recorded: list[tuple[int, int]], *, is_right: bool) -> None:
    assert (misplaced(TWICE, np.array(recorded)) == "") is is_right


def test_the_first_access_that_differs_is_named() -> None:
    found = misplaced(TWICE, np.array([(0, STORE), (8, STORE), (0, LOAD)]))
    assert found == (
        "of the workspace, bytes 8 to 11 are stored; the plan has a[0], which S[2] stores, in"
        " bytes 4 to 7"
    )


def test_an_element_that_a_statement_reads_twice_is_loaded_once(tmp_path: Path) -> None:
    kernel = tmp_path / "cholesky.c"
    kernel.write_text("""\
#define N 6
void f(const int in[N][N], int out[N][N]) {
    int a[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) a[i][j] = in[i][j] & 15;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++) {
            for (int q = 0; q < j; q++) a[i][j] ^= a[i][q] * a[j][q];
            a[i][j] ^= a[j][j];
        }
        for (int q = 0; q < i; q++) a[i][i] ^= a[i][q] * a[i][q];
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) out[i][j] = a[i][j];
}
""")
    found = plan_c(load(kernel, settings=["schedule=text"]))
    write_folder(tmp_path / "out", whole_files(found))
    source = (tmp_path / "out/host/cholesky.c").read_text()
    assert source.count("hlsmem_S3_1 * hlsmem_S3_1") == 1
    if by_default(False, True):
        assert check(tmp_path / "out", only=("host",)).exit_code == 0
