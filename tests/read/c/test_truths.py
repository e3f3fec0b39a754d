"""What a _Bool keeps as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.read.design import load

TEXT = """
static TYPE large(int x) { return x > 3; }
void f(const int in[8], int out[8])
{
    _Bool kept[8];
    for (int i = 0; i < 8; i++)
        kept[i] = large(in[i]);
    for (int i = 0; i < 8; i++)
        out[i] = kept[7 - i] ? in[i] : 0;
}
"""


def test_a_function_that_returns_a_truth_sets_one(tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text(TEXT.replace("TYPE", "_Bool"))
    assert load(tmp_path / "k.c", settings=["kernel.function=f"]).program.statements


def test_a_number_is_no_truth(tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text(TEXT.replace("TYPE", "int"))
    with pytest.raises(InputError, match="keeps only whether the value is 0 in a _Bool"):
        load(tmp_path / "k.c", settings=["kernel.function=f"])
