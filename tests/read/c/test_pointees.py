"""Numbers behind pointers that bodies of functions leave behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.read.design import load

TEXT = """
static void next(int row[8], KIND *column, int x)
{
    row[*column] = x;
    *column = *column == 7 ? 0 : *column + 1;
}
void f(const int in[64], int out[64])
{
    int row[8];
    int column = 0;
    for (int i = 0; i < 64; i++) {
        next(row, &column, in[i]);
        out[i] = row[i % 8];
    }
}
"""


def test_a_pointer_that_is_looked_through_alone_is_its_variable(tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text(TEXT.replace("KIND", "int"))
    program = load(tmp_path / "k.c", settings=["kernel.function=f"]).program
    assert set(program.arrays) == {"in", "out", "row"}


def test_one_of_another_type_is_not(tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text(TEXT.replace("KIND", "unsigned"))
    with pytest.raises(InputError):
        load(tmp_path / "k.c", settings=["kernel.function=f"])


TWICE = """
static void step(int *count) { *count = *count == 3 ? 0 : *count + 1; }
static void one(const int in[8], int out[8])
{
    int ring[4], column = 0;
    for (int i = 0; i < 8; i++) {
        ring[column] = in[i];
        out[i] = ring[column];
        step(&column);
    }
}
void f(const int in[8], int out[8], int more[8])
{
    one(in, out);
    one(out, more);
}
"""


def test_names_that_blocks_share_are_those_of_each_block(tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text(TWICE)
    program = load(tmp_path / "k.c", settings=["kernel.function=f"]).program
    assert {"in", "out", "more"} <= set(program.arrays)
    assert not any(one.startswith("column") for one in program.arrays)


RETURNED = """
long f(const int in[8])
{
    long sum, *own = &sum;
    *own = 0;
    for (int i = 0; i < 8; i++)
        *own += in[i];
    return *own;
}
"""


def test_a_number_that_is_returned_through_a_pointer_is_its_variable(tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text(RETURNED)
    kernel = load(tmp_path / "k.c").program.kernel
    assert kernel is not None
    assert "own" not in kernel.normal
    assert "return result;" in kernel.normal
