"""Agreement of the files of OUT on its Verilog: the modules and their list, the cycles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hlsmem.core.verdict import Status, Verdict
from hlsmem.core.wording import counted


def misfiled(folder: Path) -> Iterator[str]:
    """Differences of `files.f` in `folder` (OUT/rtl) from the list of the modules beside it."""
    modules = {file.name for file in folder.glob("*.v")}
    try:
        lines = (folder / "files.f").read_text(encoding="utf-8").split()
    except (OSError, UnicodeDecodeError):
        if modules:
            yield "rtl/files.f cannot be read; it lists the modules for other tools"
        return
    for name in sorted(modules - set(lines)):
        yield f"rtl/files.f does not list {name}"
    for position, name in enumerate(lines):
        if name not in modules:
            yield f"rtl/files.f lists {name}, which is not there"
        elif name in lines[:position]:
            yield f"rtl/files.f lists {name} twice"


def other_cycles(document: Mapping[str, Any], cycles: int | None) -> Iterator[str]:
    """Difference of the cycles that plan.json `document` predicts from those of the design."""
    predicted = (document["timing"] or {}).get("cycles")
    planned = None if predicted is None else predicted.get("value", predicted.get("bound"))
    if planned != cycles:
        shown = "no cycles" if planned is None else counted(planned, "cycle")
        yield f"plan.json predicts {shown}, the design {'none' if cycles is None else cycles}"


def no_verilog(out: Path, document: Mapping[str, Any], description: Path) -> Verdict | None:
    """The verdict where OUT has no Verilog by its plan; None where it has or should have some.

    Without arrays or streams there cannot be any. Where it could not be made, nothing is judged.
    """
    timing = document["timing"]
    if description.exists() or any((out / "rtl").glob("*.v")):
        return None
    if not document["streams"]:
        return _verdict(document, Status.SKIPPED, "there are no streams to make Verilog for")
    if timing is None or timing["cycles"] is not None:
        return None
    return _verdict(document, Status.NOT_JUDGED, "no Verilog: report.md says why")


def _verdict(document: Mapping[str, Any], status: Status, reason: str) -> Verdict:
    return Verdict(check="rtl", subject=document["design"], status=status, detail=reason)
