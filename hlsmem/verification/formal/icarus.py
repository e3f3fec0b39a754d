"""What a simulation of some sources prints; nothing where there is no Icarus."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from hlsmem.errors import LimitError, ToolError
from hlsmem.tools.run import run
from hlsmem.tools.simulators import find_simulator

_SECONDS = 120.0


def printed(sources: Mapping[str, str], top: str) -> str | None:
    """The output of the module `top`; None where nothing is known: no Icarus, or it failed."""
    try:
        programs = find_simulator(os.environ.get("PATH", ""), "icarus").folder
    except ToolError:
        return None
    with tempfile.TemporaryDirectory(prefix="hlsmem-formal-") as name:
        folder = Path(name)
        for file, text in sources.items():
            (folder / file).write_text(text, encoding="utf-8")
        compiler = [str(programs / "iverilog"), "-g2012", "-s", top, "-o", "simulation"]
        try:
            made = run([*compiler, *sources], folder=folder, seconds=_SECONDS)
            if not made.succeeded:
                return None
            done = run([str(programs / "vvp"), "simulation"], folder=folder, seconds=_SECONDS)
        except LimitError:
            return None
    return done.output
