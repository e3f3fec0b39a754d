"""What README and manual show was made: the report of the blur, the table of checks, a kernel."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.core.verdict import CHECKS
from tests.families import by_default
from tests.pages import DOCS, README, ROOT, blocks, prose, show

# Where the sections of the report stand: all of it is shown, each section once.
REPORT = {
    README: ("",),
    DOCS / "start.md": ("in", "out", "blurx", "Hardware", "How the numbers are known"),
    DOCS / "accelerators.md": ("Accelerator",),
    DOCS / "checks.md": ("Checks",),
    DOCS / "source.md": ("Source",),
}


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
    parts = re.split(r"^(?=## )", capsys.readouterr().out, flags=re.M)
    names = ["", *(part.splitlines()[0].removeprefix("## ") for part in parts[1:])]
    assert sorted(names) == sorted(name for shown in REPORT.values() for name in shown)
    sections = dict(zip(names, parts, strict=True))
    for page, shown in REPORT.items():
        text = "".join(sections[name] for name in shown).rstrip("\n")
        fence = "````" if "```" in text else "```"
        show(page, "report", f"{fence}\n{text}\n{fence}")


def test_the_table_of_checks_is_that_of_the_registry() -> None:
    rows = [
        ("check", "what holds where it passes", "on whose word", "needs"),
        ("---",) * 4,
        *(
            (f"`{one.name}`", one.proves, one.on_whose_word, ", ".join(one.needs))
            for one in CHECKS.own.values()
        ),
    ]
    show(DOCS / "checks.md", "checks", "\n".join(f"| {' | '.join(row)} |" for row in rows))


# All checks of 64 x 64 take as long as all the rest of this file.
@pytest.mark.few(1)
@pytest.mark.parametrize(("size", "checks"), [(16, by_default(["rtl"], ["host", "rtl"])), (64, [])])
def test_the_kernel_in_the_readme_plans_and_checks(
    size: int, checks: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = next(text for language, text in blocks(README) if language == "c")
    assert len(kernel.splitlines()) == 10
    (tmp_path / "mean.c").write_text(kernel)
    monkeypatch.chdir(tmp_path)
    assert main(["plan", "mean.c", "--param", f"N={size}", "-o", "build/mean"]) == 0
    assert main(["check", "build/mean", *(f"--only={one}" for one in checks)]) == 0


def test_no_paragraph_of_the_readme_is_long() -> None:
    paragraphs = re.split(r"\n\s*\n", prose(README))
    assert [text for text in paragraphs if len(text.split()) > 70 and text[0] not in "|-"] == []
