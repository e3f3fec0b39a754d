"""Whether the files of OUT agree on its Verilog: the modules and their list, the cycles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any


def misfiled(folder: Path) -> Iterator[str]:
    """Where `files.f` in `folder` (OUT/rtl) is not the list of the modules beside it."""
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


def other_cycles(document: Mapping[str, Any], description: str, cycles: int) -> Iterator[str]:
    """Where plan.json `document` predicts other cycles than the file named `description`."""
    planned = (document["timing"] or {}).get("cycles")
    if planned != cycles:
        shown = "no cycles" if planned is None else f"{planned} cycles"
        yield f"plan.json predicts {shown}, {description} {cycles}"


def reason_for_none(out: Path, document: Mapping[str, Any], description: str) -> str | None:
    """Why OUT has no Verilog to check, by its plan; None where it has or should have some."""
    timing = document["timing"]
    if (out / description).exists() or any((out / "rtl").glob("*.v")):
        return None
    if timing is None:
        return None if document["streams"] else "the design has no streams to make Verilog for"
    reason = timing.get("reason") or "the plan does not say why"
    return f"no Verilog was made: {reason}" if timing["cycles"] is None else None
