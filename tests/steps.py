"""Designs whose kernels keep the loops and the parameters that stand in their text.

Most tests are about what the text says: its statements, its order, the arrays that it names. A
kernel is planned with steps and streams of the reader's own unless its design says otherwise, and
tests of these load it by `hlsmem.read.design`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from hlsmem.program.options import Design
from hlsmem.read import design as reader
from hlsmem.read.as_written import AS_WRITTEN

KEPT = tuple(one for one in AS_WRITTEN if one.startswith("kernel."))
"""Settings that keep loops and parameters; the order is found as it is for users."""


def load(
    path: Path,
    *,
    parameters: Mapping[str, int] | None = None,
    settings: Sequence[str] = (),
    includes: Sequence[Path] = (),
    conditional: bool = False,
) -> Design:
    """The design in `path`, with its loops and its parameters as written."""
    return reader.load(
        path,
        parameters=parameters or {},
        settings=[*KEPT, *settings],
        includes=includes,
        conditional=conditional,
    )
