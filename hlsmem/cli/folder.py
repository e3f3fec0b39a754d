"""Work of verbs on a folder OUT beside their own: draw it anew, and list the files kept."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hlsmem.check import DesignUnderCheck
    from hlsmem.core.verdict import Verdict


def print_kept(out: Path, kept: Sequence[str]) -> None:
    """Print which files of OUT the user had changed, and where they are now."""
    for name in kept:
        print(f"{out / name}: yours, kept beside what was written", file=sys.stderr)


def drawn(
    out: Path, subject: DesignUnderCheck, verdicts: Sequence[Verdict], synthesis: str
) -> dict[str, str]:
    """The report of a folder, and the page of a run that is not long."""
    from hlsmem.emit.report import report
    from hlsmem.emit.source_patch import SOURCE_SECTION
    from hlsmem.plan import read_plan
    from hlsmem.viewing.page import small_page

    pictures = [file.relative_to(out).as_posix() for file in out.glob("pictures/*.svg")]
    page = small_page(subject, verdicts)
    own = {} if page.html is None else {"report.html": page.html}
    plan = read_plan(out)
    section = out / SOURCE_SECTION
    text = report(
        plan,
        verdicts,
        pictures=pictures,
        source=section.read_text(encoding="utf-8") if section.is_file() else "",
        synthesis=synthesis,
        page=page.remark,
    )
    return own | {"report.md": text}


def begin(out: Path, *, trust: bool) -> None:
    """End what an interrupted command began in OUT; with `trust` programs of the design run as the
    user, which tools read in the environment."""
    from hlsmem.emit.output_folder import settle

    if trust:
        os.environ["HLSMEM_TRUST"] = "1"
    settle(out)
