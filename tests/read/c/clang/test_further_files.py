"""Files that are read behind another, as `kernel.sources` names them."""

from __future__ import annotations

from pathlib import Path

from tests.steps import load

TOP = """\
int twice(int x);
int less(int x);
void top(const int in[8], int out[8]) {
    for (int i = 0; i < 8; i++) out[i] = twice(less(in[i]));
}"""


def test_files_behind_a_text_without_an_end_of_line(tmp_path: Path) -> None:
    (tmp_path / "top.cpp").write_text(TOP)
    (tmp_path / "twice.cpp").write_text("int twice(int x) { return 2 * x; }\n")
    (tmp_path / "less.cpp").write_text("int less(int x) { return x - 1; }\n")
    settings = ["kernel.sources=[twice.cpp, less.cpp]", "kernel.function=top"]
    design = load(tmp_path / "top.cpp", settings=settings)
    assert [one.name for one in design.program.statements] == ["S0"]
