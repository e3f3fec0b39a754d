"""Local arrays that stay as they are: the C that is generated declares them."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.emit.output_folder import write_folder
from hlsmem.read.design import load
from tests.plans import plan_c, whole_files

# Declared in a loop, and behind a list that the normal form stores element by element.
_KERNELS = {
    "loop": """void f(const int in[16], int out[16]) {
    int p[16];
    for (int i = 0; i < 16; i++) p[i] = in[i];
    for (int y = 0; y < 4; y++) {
        int t[4];
        for (int x = 0; x < 4; x++) t[x] = p[4 * y + x] * 3;
        for (int x = 0; x < 4; x++) out[4 * y + x] = t[3 - x];
    }
}
""",
    "list": """void f(const int in[16], int out[16]) {
    int p[16], t[16] = {0};
    for (int i = 0; i < 16; i++) p[i] = in[i];
    for (int i = 0; i < 9; i++) t[i] = p[i] * 3;
    for (int i = 1; i < 16; i++) out[i] = t[i] + t[i - 1];
}
""",
}


@pytest.mark.dear
@pytest.mark.parametrize("name", _KERNELS)
def test_a_local_array_outside_of_the_plan(name: str, tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(_KERNELS[name])
    design = load(tmp_path / "f.c", settings=["arrays.t.storage=external"])
    write_folder(tmp_path / "out", whole_files(plan_c(design)))
    assert main(["check", str(tmp_path / "out"), "--only", "host"]) == 0
