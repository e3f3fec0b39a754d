"""Subject of a question: a design, or a folder OUT, which has the design it was planned from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from hlsmem.plan import main_file, read_plan
from hlsmem.program.options import Design
from hlsmem.read.design import load


def design_of(
    path: Path,
    parameters: Mapping[str, int],
    settings: Sequence[str],
    *,
    conditional: bool = False,
) -> Design:
    """The design in a file, or that of an OUT with the settings it was planned with.

    One in a file may be `conditional`. Raises InputError with all problems found.
    """
    if not path.is_dir():
        return load(path, parameters=parameters, settings=settings, conditional=conditional)
    plan = read_plan(path)
    file = main_file(path, plan)
    return load(file, parameters=parameters, settings=[*plan.overrides, *settings])
