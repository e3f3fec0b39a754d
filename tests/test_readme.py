"""The README is true: the report it prints, the kernel it shows, the links it gives."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.verdict import CHECKS

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
HLSMEM = [sys.executable, "-m", "hlsmem"]


# CI runs it by itself: no other test takes as long.
@pytest.mark.long
@pytest.mark.needs("clang", "iverilog")
@pytest.mark.usefixtures("all_builds")
def test_the_report_is_the_one_that_make_demo_prints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "blur")
    assert main(["plan", str(ROOT / "examples" / "blur" / "design.yaml"), "-o", out]) == 0
    capsys.readouterr()
    assert main(["check", out]) == 0
    _has("report", f"```\n{capsys.readouterr().out}```")


def test_the_table_of_checks_is_that_of_the_registry() -> None:
    rows = [
        ("check", "what holds where it passes", "on whose word", "needs"),
        ("---",) * 4,
        *(
            (f"`{one.name}`", one.proves, one.on_whose_word, ", ".join(one.needs))
            for one in CHECKS.own.values()
        ),
    ]
    _has("checks", "\n".join(f"| {' | '.join(row)} |" for row in rows))


def _has(name: str, content: str) -> None:
    """The README shows what was made, between comments of a name; HLSMEM_REFRESH writes it."""
    text = README.read_text(encoding="utf-8")
    block = f"<!-- {name} -->\n{content}\n<!-- /{name} -->"
    fresh = re.sub(rf"<!-- {name} -->.*<!-- /{name} -->", lambda _: block, text, flags=re.S)
    assert block in fresh
    if _anywhere(fresh) == _anywhere(text):
        return
    if os.environ.get("HLSMEM_REFRESH"):
        README.write_text(fresh, encoding="utf-8")
    assert fresh == text


def _anywhere(text: str) -> str:
    """The text without what depends on whether Yosys is there, and how wide that makes a table."""
    text = re.sub(r"(\(Icarus [\d.]+\)); [^|]*", r"\1 ", text)
    return re.sub(r"-{2,}", "--", re.sub(r" +", " ", text))


# All checks of 64 x 64 take as long as all the rest of this file.
@pytest.mark.few(1)
@pytest.mark.parametrize(("size", "checks"), [(16, ["host", "rtl"]), (64, [])])
def test_the_kernel_in_the_readme_plans_and_checks(
    size: int, checks: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = re.findall(r"```c\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.S)
    kernel = next(block for block in blocks if "void mean" in block)
    assert len(kernel.splitlines()) == 10
    (tmp_path / "mean.c").write_text(kernel)
    monkeypatch.chdir(tmp_path)
    assert main(["plan", "mean.c", "--param", f"N={size}", "-o", "build/mean"]) == 0
    assert main(["check", "build/mean", *(f"--only={one}" for one in checks)]) == 0


def _links() -> list[str]:
    """Links of the text; those in blocks of output lead from the folder of that output."""
    text = re.sub(r"```.*?```", "", README.read_text(encoding="utf-8"), flags=re.S)
    return re.findall(r"\]\(([^)#:]+)\)", text)


@pytest.mark.parametrize("link", _links())
def test_links_lead_somewhere(link: str) -> None:
    assert (ROOT / link).exists()


def test_every_verb_is_in_the_readme() -> None:
    done = subprocess.run([*HLSMEM, "--help"], capture_output=True, text=True, check=True)
    verbs = re.findall(r"^    (\w+) ", done.stdout, flags=re.M)
    assert len(verbs) >= 6
    text = README.read_text(encoding="utf-8")
    assert [verb for verb in verbs if f"`hlsmem {verb}" not in text] == []
