"""The text of generated C, kept in golden/: it should read as if a person had written it.

`HLSMEM_REFRESH=1 pytest` rewrites the files, shows the differences and fails once.
"""

from __future__ import annotations

import difflib
import os
from pathlib import Path

import pytest

from tests.emit.c.plans import Rows, plan_by_hand
from tests.emit.c.running import emitted
from tests.steps import load

GOLDEN = Path(__file__).parent / "golden"
EXAMPLES = Path(__file__).parents[3] / "examples"

SKEWED: dict[str, Rows] = {"blurx": [(["1", "-2"], "2*N + 1")]}
PAIRS: dict[str, Rows] = {"blurx": [(["N", "1"], "2*N")]}

CASES = {
    "blur_sequential": ("blur/design.yaml", (), SKEWED),
    "blur_iteration": ("blur/design.yaml", ("order=iteration",), PAIRS),
    "blur_network": ("blur/network.yaml", (), SKEWED),
    "sobel_stream": ("sobel/design.yaml", (), {"in": [(["N", "1"], "2*N + 3")]}),
}


@pytest.mark.parametrize("name", CASES)
def test_generated_text(name: str) -> None:
    file, settings, folds = CASES[name]
    design = load(EXAMPLES / file, settings=settings)
    texts = emitted(design, plan_by_hand(design, folds))
    compare(name, "\n".join(texts.values()))


def compare(name: str, text: str) -> None:
    file = GOLDEN / f"{name}.txt"
    old = file.read_text() if file.exists() else ""
    difference = "".join(
        difflib.unified_diff(old.splitlines(True), text.splitlines(True), "golden", "generated")
    )
    if difference and os.environ.get("HLSMEM_REFRESH"):
        file.write_text(text)
    assert not difference, difference
