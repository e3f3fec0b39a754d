"""What a check cannot judge is neither a pass nor a failure."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path

import pytest

from hlsmem.check import run_checks
from hlsmem.cli.main import main
from hlsmem.core.verdict import CHECKS, Status, Verdict
from hlsmem.emit import output_folder as folder_of
from hlsmem.emit.output_folder import write_folder
from hlsmem.planner.output_files import output_files
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.tools import find as tools
from tests.check.subjects import others_than
from tests.plans import files_of
from tests.steps import load

BLUR = Path(__file__).parents[2] / "examples" / "blur" / "design.yaml"

KERNEL = """\
#define N 8
void k(const int in[N], int out[N])
{
    int t[N];
    for (int i = 0; i < N; i++)
        t[i] = {first};
    for (int i = 0; i < N; i++)
        {second};
    for (int i = 0; i < N; i++)
        out[i] = t[{index}];
}
"""


def judged(folder: Path, **texts: str) -> dict[str, Verdict]:
    """By check the first verdict that is not a pass; of `proof`, `replay` and `host`."""
    text = KERNEL
    for name, own in ({"first": "in[i]", "second": "t[i] += 1", "index": "i"} | texts).items():
        text = text.replace(f"{{{name}}}", own)
    (folder / "k.c").write_text(text)
    write_folder(folder / "out", output_files(plan_design(load(folder / "k.c"))))
    found = run_checks(folder / "out", ("proof", "replay", "host"))
    assert found.exit_code == 3
    assert {one.status for one in found.verdicts if one.check == "proof"} == {Status.PASS}
    return {one.check: one for one in reversed(found.verdicts) if one.status is not Status.PASS}


def test_an_original_that_divides_by_zero(tmp_path: Path) -> None:
    found = judged(tmp_path, first="7 / (in[i] - in[i])")
    assert {one.status for one in found.values()} == {Status.NOT_JUDGED}
    assert found["replay"].detail.startswith("the original cannot be replayed: running it ended")
    assert found["host"].detail.startswith("the original stops: SIG")


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        ({"index": "in[i] & 15"}, "with drawn inputs it reads t["),
        ({"second": "t[in[i] & 15] = i"}, "with drawn inputs it writes t["),
    ],
    ids=["read", "written"],
)
def test_data_that_lead_out_of_an_array(tmp_path: Path, texts: dict[str, str], reason: str) -> None:
    """Both programs then read what happens to lie there: no difference says anything."""
    found = judged(tmp_path, **texts)
    assert {one.status for one in found.values()} == {Status.NOT_JUDGED}, found
    assert reason in found["replay"].detail
    assert "outside of t[8]" in found["replay"].detail
    told = found["host"].detail
    assert "the original is not defined either: k.c:" in told or told.startswith(
        "the original stops"
    )


def test_a_tool_that_is_missing_leaves_the_other_checks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_folder(tmp_path / "out", files_of(BLUR, {"N": 8}))
    monkeypatch.setenv("CC", str(tmp_path / "missing"))
    command = ["check", str(tmp_path / "out"), "--only", "proof"]
    assert main([*command, "--only", "host"]) == 3
    printed = capsys.readouterr().out
    assert f"Passed: proof; not run: {others_than('proof')}." in printed
    wanted = f"Not checked: host of blur; `{tools.C_COMPILER.install[0]}` brings what they need."
    assert wanted in printed
    usual = [replace(CHECKS.own[name], default=name in ("proof", "host")) for name in CHECKS.own]
    monkeypatch.setattr(CHECKS, "own", {check.name: check for check in usual})
    monkeypatch.setattr(CHECKS, "_known", {})
    assert main(["check", str(tmp_path / "out")]) == 0
    assert wanted in capsys.readouterr().out


def test_a_folder_that_cannot_be_written_has_its_verdicts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    write_folder(out, files_of(BLUR, {"N": 8}))
    before = {file: file.read_bytes() for file in out.rglob("*") if file.is_file()}

    def refused(_path: Path) -> object:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(folder_of, "gone_afterwards", refused)
    assert main(["check", str(out), "--only", "proof"]) == 0
    printed = capsys.readouterr()
    assert "Passed: proof; not run: " in printed.out
    (line,) = printed.err.splitlines()
    assert line == (
        f"cannot write '{out}/checks.json': Read-only file system; make its folder writable"
    )
    (out / "plan.json").write_text((out / "plan.json").read_text().replace("2*N + 1", "2*N + 2"))
    assert main(["check", str(out), "--only", "proof"]) == 1
    del before[out / "plan.json"]
    assert before == {file: file.read_bytes() for file in before}


def test_a_full_disk_of_temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_folder(tmp_path / "out", files_of(BLUR, {"N": 8}))

    def full(_prefix: str) -> object:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/tmp/full")

    monkeypatch.setattr("hlsmem.check.host_runs.host_check.scratch", full)
    found = run_checks(tmp_path / "out", ("proof", "host"))
    assert found.exit_code == 3
    (verdict,) = [one for one in found.verdicts if one.check == "host"]
    assert verdict.detail == "cannot write '/tmp/full': No space left on device; see TMPDIR"
