"""Arrays of bare conflict sets for the page: elements and the differences that conflict."""

from __future__ import annotations

from typing import Any

from hlsmem.polyhedra.enumeration import bounding_box, box_volume, distinct_points
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program import ConflictInput
from hlsmem.verification import Subject
from hlsmem.verification.folding import addresses, read_folding
from hlsmem.viewing.runs import runs_of

# Differences, or pairs, that are listed.
_MOST = 20_000
# Elements of the grid, where the design does not say which there are.
_SIDE = 64


def elements_of(subject: Subject, name: str) -> dict[str, Any]:
    """The box of the elements, and the differences or pairs in conflict (None: too many)."""
    import numpy as np

    given = subject.design.input
    assert isinstance(given, ConflictInput)
    one, values = given.conflicts[name], subject.plan.params
    differences = fix_parameters(one.differences, values)
    listed = None
    if differences.is_bounded() and box_volume(differences) <= _MOST:
        listed = distinct_points(differences).tolist()
    if one.elements is not None:
        sides = bounding_box(fix_parameters(one.elements, values))
    else:
        reach = (
            [high for _, high in bounding_box(differences)]
            if differences.is_bounded()
            else [_SIDE - 1] * len(one.array.index)
        )
        sides = [(0, min(_SIDE - 1, max(high, 1) + 1)) for high in reach]
    sides = [(low, min(high, low + _SIDE - 1)) for low, high in sides]
    grid = np.indices([high - low + 1 for low, high in sides]).reshape(len(sides), -1).T
    points = grid + np.array([low for low, _ in sides], dtype=np.int64)
    own = read_folding(name, subject.document["arrays"][name])
    return {
        "box": [list(side) for side in sides],
        "cell_table": runs_of(addresses(own, points, values)),
        "differences": listed,
        "live_in": None,
        "live_out": None,
        "parts": [],
        "curve": None,
    }
