"""Parameters of less than 32 bits: the plan holds for what their types hold."""

from __future__ import annotations

from pathlib import Path

import pytest

import hlsmem
from hlsmem.core.errors import InputError
from hlsmem.polyhedra import Set
from hlsmem.read.design import load

TABLE = """
short top(short in, unsigned char at)
{
    short table[256];
    for (int i = 0; i < 256; i++)
        table[i] = i * 3;
    return in * table[at];
}
"""


def test_a_subscript_is_within_its_type(tmp_path: Path) -> None:
    file = tmp_path / "top.c"
    file.write_text(TABLE)
    context = load(file, parameters={"at": 64}).program.context
    assert context.params().is_subset(Set("[at] -> { : 0 <= at <= 255 }").params())


def test_a_value_that_the_type_does_not_hold_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "top.c"
    file.write_text(TABLE)
    with pytest.raises(InputError, match="at=300 is no value of its type, which has 8 bits"):
        load(file, parameters={"at": 300})


def test_c_does_not_ask_what_a_type_says(tmp_path: Path) -> None:
    file = tmp_path / "top.c"
    file.write_text(TABLE)
    hlsmem.plan(str(file), params={"at": 64}).write(str(tmp_path / "out"))
    text = (tmp_path / "out" / "host" / "top.c").read_text()
    assert "if (at < 1)" in text  # -Wtype-limits tells of at <= 255
    assert "(!(at >= 1 && at <= 255)) ?" in text  # of a wide argument


def test_a_truth_is_any_number(tmp_path: Path) -> None:
    file = tmp_path / "top.c"
    head = "#include <stdbool.h>\nvoid top(int out[8], bool on)\n{\n"
    file.write_text(
        f"{head}    for (int i = 0; i < 8; i++)\n        if (on)\n            out[i] = i;\n}}\n"
    )
    assert load(file, parameters={"on": 64}).program.statements
