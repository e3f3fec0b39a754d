"""The programs of the source papers, as printed, through every verb: an answer, or a refusal with a
remedy. What figures come out is the matter of `tests/test_rows.py`."""

from __future__ import annotations

import re
import shlex
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from reports.seeds import ROWS, rows_of

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = sorted(
    file.relative_to(ROOT).as_posix()
    for pattern in ("tests/seeds/*.c", "tests/seeds/*.yaml", "examples/papers/*/design.yaml")
    for file in ROOT.glob(pattern)
)
VERBS = {
    "tiles": (),
    "vectors": (),
    "compare": ("--classes",),
    "network": (),
    "dataflow": (),
}


@cache
def sizes() -> dict[str, list[str]]:
    """The parameters with which rows ask about a program, by its path."""
    found: dict[str, list[str]] = {}
    for row in rows_of(ROWS.read_text(encoding="utf-8")):
        for command in row.command.split(" && "):
            words = shlex.split(command)
            if len(words) > 2 and words[0] == "hlsmem":
                own = [f"--param={b}" for a, b in pairwise(words) if a == "--param"]
                found.setdefault(words[2], own)
    return found


def answered(capsys: pytest.CaptureFixture[str], *words: str) -> int:
    """The exit code of a command that answers, or refuses with a remedy; 4 where a limit is met."""
    code = main(list(words))
    out, told = capsys.readouterr()
    assert code in (0, 1, 2, 4), told
    if code in (2, 4):
        first = told.splitlines()[0]
        assert re.search(r"; \w|: \w.*; ", first), first
    else:
        assert out.strip(), words
    return code


@pytest.mark.few("004e-figure-20.c-tiles", "004e-figure-20.c-dataflow", "004d-listing-4.c")
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_as_printed_is_answered_or_refused_with_a_remedy(
    program: str, verb: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    answered(capsys, verb, program, *sizes().get(program, ()), *VERBS[verb])


@pytest.mark.few("004d-listing-4.c")
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_as_printed_is_planned_and_checked(
    program: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    out = str(tmp_path / "out")
    if answered(capsys, "plan", program, *sizes().get(program, ()), "-o", out) != 0:
        assert not (tmp_path / "out").exists()
        return
    checks = [word for name in ("source", "proof", "replay") for word in ("--only", name)]
    assert main(["check", out, *checks]) in (0, 3), capsys.readouterr().out
