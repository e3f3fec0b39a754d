"""What the command line prints: a terminal obeys nothing of it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from hlsmem.cli.command import print_error
from hlsmem.cli.main import main
from hlsmem.core.errors import InputError, Note, Problem
from hlsmem.emit.output_folder import write_folder
from tests.plans import files_of

BLUR = Path(__file__).resolve().parents[2] / "examples" / "blur" / "design.yaml"


def test_problems_spell_control_characters_out() -> None:
    note = Note("first written in \x1b]0;title\x07")
    printed = io.StringIO()
    print_error(InputError(Problem("no \x1b[31mred", "try \u202egreen", notes=(note,))), printed)
    assert printed.getvalue() == (
        "no \\x1b[31mred; try \\u202egreen\n  first written in \\x1b]0;title\\x07\n"
    )


def test_the_report_of_a_stranger_s_folder_spells_them_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = files_of(BLUR, {"N": 8})
    plan = files["plan.json"].replace('"tool": "', '"tool": "\\u001b[31m')
    write_folder(tmp_path / "out", {**files, "plan.json": plan})
    main(["check", str(tmp_path / "out"), "--only", "proof"])
    printed = "".join(capsys.readouterr())
    assert "\\x1b[31m" in printed
    assert "\x1b" not in printed
