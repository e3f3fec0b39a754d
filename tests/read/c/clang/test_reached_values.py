"""Numbers that a loop's variable goes through: clang is asked about each expression once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hlsmem.polyhedra import limits
from hlsmem.read.c.clang import known_expressions
from tests.steps import load

TEXT = """\
void f(const int in[4000], int out[4000]) {{
    unsigned left = 0;
    for (int i = 0; i < 4000; i++) {{
        if (left >= {last}) left = 0; else left = left + 1;
        if (left == {last} + 5) out[i] = 1; else out[i] = in[i];
    }}
}}
"""


def test_clang_is_asked_as_often_about_many_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Callable[..., Any]] = []
    whole = known_expressions.number_of
    monkeypatch.setattr(limits, "copies", False)
    monkeypatch.setattr(
        known_expressions, "number_of", lambda *given: (asked.append(whole), whole(*given))[1]
    )
    found = []
    for last in (7, 900):
        asked.clear()
        file = tmp_path / f"f{last}.cpp"
        file.write_text(TEXT.format(last=last))
        program = load(file).program
        assert len(program.statements) == 1, "no number is 5 beyond the last"
        found.append(len(asked))
    assert found[0] == found[1] > 0
