"""Check that the target of a design exists, and has what its arrays ask for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.source_location import SourceLocation
from hlsmem.devices import family_of
from hlsmem.devices.inference import implement
from hlsmem.devices.primitives import Style
from hlsmem.program.model import Array


def require_target(device: str, place: SourceLocation | None, arrays: Iterable[Array]) -> None:
    """Raise InputError for a device, named at `place`, or a style of an array that it has not."""
    problems: list[Problem] = []
    family_of(device, place)
    for array in arrays:
        try:
            implement(device, 16, 8, style=Style(array.style))
        except InputError as error:
            problems += [
                replace(
                    problem,
                    what=f"{array.name!r}: {problem.what}",
                    source_location=array.source_location,
                )
                for problem in error.problems
            ]
    if problems:
        raise InputError(*problems)
