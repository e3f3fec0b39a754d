"""Output of a simulation of some sources; nothing where there is no Icarus."""

from __future__ import annotations

import os
from collections.abc import Mapping

from hlsmem.core.errors import LimitError, ToolError
from hlsmem.core.watchdog import scratch
from hlsmem.tools.run import run
from hlsmem.tools.sandbox import Sandbox
from hlsmem.tools.simulators import find_simulator

_SECONDS = 120.0


def printed(sources: Mapping[str, str], top: str) -> str | None:
    """The output of the module `top`; None where nothing is known: no Icarus, or it failed."""
    try:
        programs = find_simulator(os.environ.get("PATH", ""), "icarus").folder
    except ToolError:
        return None
    with scratch("hlsmem-formal-") as folder:
        for file, text in sources.items():
            (folder / file).write_text(text, encoding="utf-8")
        compiler = [str(programs / "iverilog"), "-g2012", "-s", top, "-o", "simulation"]
        try:
            sandbox = Sandbox(writable=folder)
            made = run([*compiler, *sources], folder=folder, seconds=_SECONDS, sandbox=sandbox)
            if not made.succeeded:
                return None
            command = [str(programs / "vvp"), "simulation"]
            done = run(command, folder=folder, seconds=_SECONDS, sandbox=sandbox)
        except LimitError:
            return None
    return done.output
