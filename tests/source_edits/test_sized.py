"""Kernels as people write them: words of the text that comes back, its patch and its runs."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from hlsmem.cli.main import main

SIZED = Path(__file__).parent / "sized"
EXAMPLES = Path(__file__).parents[2] / "examples"
BITS: dict[str, dict[str, tuple[str, int, int]]] = {
    "blur.c": {"blurx": ("lines", 131072, 4096 + 32)},
    "gauss.cpp": {"tmp": ("lines", 24576, 992 + 8)},
    "edges.c": {"s": ("lines", 49152, 1504 + 8), "l": ("scalar", 98304, 16)},
    "maxima.c": {"rows": ("lines", 76800, 4864 + 16)},
    "unsharp.c": {"b": ("scalar", 24576, 8), "in": ("read-once", 24576, 2096 + 8)},
    "matmul_relu.c": {
        "product": ("in-place", 6144, 384),
        "active": ("in-place", 6144, 384),
    },
    "fir.c": {"sum": ("scalar", 73728, 32)},
    "heat.c": {"t": ("in-place", 102400, 6400)},
    "split.cpp": {"a": ("fifo", 16384, 64 * 32)},
}
"""The form of each array that changes, its bits as declared, and as it comes back: those of lines
and one more element, which is the value of the iteration."""
QUICK = ("maxima.c", "fir.c")


@pytest.mark.needs("git")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(one, marks=pytest.mark.dear if one in QUICK else pytest.mark.long)
        for one in BITS
    ],
)
def test_the_bits_the_patch_and_the_runs_of_a_kernel(name: str, tmp_path: Path) -> None:
    stem = name.partition(".")[0]
    file = SIZED / name
    shutil.copy(file if file.exists() else EXAMPLES / stem / name, tmp_path)
    out = tmp_path / "out"
    asked = ["--set", f"kernel.function={stem}"]
    assert main(["plan", str(tmp_path / name), "-o", str(out), *asked]) == 0
    assert held(json.loads((out / "plan.json").read_text())) == BITS[name]
    patch = f"out/source/{name}.patch"
    subprocess.run(["git", "apply", "--check", patch], cwd=tmp_path, check=True)
    assert main(["check", str(out), "--only", "patch"]) == 0


def held(plan: Any) -> dict[str, tuple[str, int, int]]:
    """The form of each array that changes, and its bits before and behind."""
    sizes, found = plan["params"], {}
    for name, one in (plan["arrays"] | plan["source"].get("arrays", {})).items():
        own = one.get("held") or one["holdings"].get("source")
        if own is None or own["form"] == "kept":
            continue
        cells = 1
        for extent in one["extents"]:
            cells *= int(eval(extent, {}, dict(sizes)))
        words = own["bits"] // own["words"]
        found[name] = own["form"], cells * words, own["bits"]
    return found
