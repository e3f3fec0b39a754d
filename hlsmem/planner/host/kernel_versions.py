"""The values that calls of a kernel have twice or more: those that C has versions for."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.source_location import SourceLocation
from hlsmem.core.user_files import read_text
from hlsmem.program.options import Design
from hlsmem.read.design import changed


def profiled(design: Design, file: Path) -> Design:
    """The design with versions for the values that a counting build has seen twice or more.

    These are values of the parameters that the design is specialised for, in the context. Raises
    InputError where there are none, and for what is no such file.
    """
    kernel = design.kernel
    if kernel is None or not kernel.fixed:
        what = f"--profile {file}: the design is specialised for no parameter"
        raise InputError(Problem(what, "add host: {specialise: auto}, or name parameters there"))
    seen = {name: Counter[int]() for name in kernel.fixed}
    for number, line in enumerate(_lines(file), start=1):
        values = dict(_VALUE.findall(line))
        if not set(seen) <= set(values):
            place = SourceLocation(file=str(file), line=number, column=1, text=line)
            what = f"the line does not say the value of {', '.join(seen)}"
            remedy = "take a file that a build with -D.._PROFILE has written"
            raise InputError(Problem(what, remedy, place))
        for name, counted in seen.items():
            counted[int(values[name])] += 1
    given = {
        name: sorted(value for value, times in counted.items() if times >= _OFTEN)
        for name, counted in seen.items()
    }
    texts = ", ".join(f"{name}: {values}" for name, values in given.items())
    return changed(design, [f"host.specialise={{{texts}}}"], option="--profile")


_OFTEN = 2
"""Calls with a value, from which on it has a version."""
_VALUE = re.compile(r"(\w+)=(-?\d{1,18})(?!\S)")


def _lines(file: Path) -> list[str]:
    try:
        return read_text(file).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        what = f"--profile {file}: {getattr(error, 'strerror', None) or 'it is no text'}"
        raise InputError(Problem(what, "check the name")) from None
