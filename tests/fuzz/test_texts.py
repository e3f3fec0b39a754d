"""Broken C, YAML and isl text through the command, and what the judge of it notices."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest

from tests.cli.planted import plant_verb
from tests.fuzz.texts import Attempt, mutated, outcome, prepare, sources

TEXTS = 60
BATCH = 3


@pytest.mark.few(1)
@pytest.mark.parametrize("first", range(0, TEXTS, BATCH))
def test_a_broken_design_ends_with_a_message_and_no_half_folder(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + BATCH):
        folder = tmp_path / str(seed)
        folder.mkdir()
        attempt = prepare(seed, folder)
        assert outcome(attempt, seconds=60).trouble == "", f"seed {seed}: {attempt.arguments}"
        shutil.rmtree(folder)


def test_every_design_is_planned_as_it_stands_and_changed_by_a_mutation() -> None:
    designs = [source.folder / source.design for source in sources()]
    assert len(designs) > 60
    texts = [file.read_text() for file in designs]
    changed = [text != mutated(Random(number), text) for number, text in enumerate(texts)]
    assert sum(changed) > 0.9 * len(designs)


CAUGHT = {
    "raise ValueError": "exit code 70",
    "print('Traceback (most recent call last)')": "a traceback",
    "print('no idea'); return 2": "a message without a remedy",
    "(Path('out') / 'half').mkdir(parents=True); return 4": "left behind: ['out']",
    "return 0": "exit code 0 without a plan",
    "import os; os._exit(42)": "exit code 42",
    "while True: pass": "no end within 1 s",
    "import os, signal; os.kill(os.getpid(), signal.SIGALRM)": "it waits for ever",
    "return len(b'x' * (1 << 27)) and 2": "it held ",
}


@pytest.mark.parametrize("work", CAUGHT)
def test_the_judge_notices(work: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    namespace: dict = {"Path": Path}
    exec(f"def schema():\n    {work}\n    return 2", namespace)
    plant_verb(
        monkeypatch,
        "plan",
        run=lambda **_: None,
        print=lambda *_, **__: namespace["schema"](),
        design=None,
    )
    monkeypatch.setattr("tests.fuzz.texts.MEMORY", 1 << 16)
    found = outcome(Attempt(tmp_path, ("plan", "x.c", "-o", "out")), seconds=1)
    assert CAUGHT[work] in found.trouble
    assert found.result == "FAILED"
