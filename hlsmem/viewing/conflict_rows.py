"""Arrays of bare conflict sets for the page: elements, and differences or pairs in conflict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hlsmem.check import DesignUnderCheck
from hlsmem.check.plans.plan_mapping import addresses, read_folding
from hlsmem.polyhedra.enumeration import bounding_box, box_volume, distinct_points
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import ConflictInput, ConflictSet
from hlsmem.viewing.instance_columns import runs_of

if TYPE_CHECKING:
    import numpy as np

# Differences, or pairs, that are listed.
_MOST = 20_000
# Elements of the grid, where the design does not say which there are.
_SIDE = 64


def elements_of(subject: DesignUnderCheck, name: str) -> dict[str, Any]:
    """The box of the elements, and the differences or pairs in conflict (None: too many).

    Pairs stand for themselves: other elements at their distance need not be in conflict. They are
    [position, position] in the box, row by row, each pair once.
    """
    import numpy as np

    given = subject.design.input
    assert isinstance(given, ConflictInput)
    one, values = given.conflicts[name], subject.plan.params
    sides = _sides(one, values)
    shape = [high - low + 1 for low, high in sides]
    corner = np.array([low for low, _ in sides], dtype=np.int64)
    points = np.indices(shape).reshape(len(sides), -1).T + corner
    document = subject.document["arrays"][name]
    own = read_folding(name, {**document, **document["holdings"]["hardware"]["parts"][0]})
    pairs = None if one.pairs is None else fix_parameters(one.pairs, values)
    return {
        "box": [list(side) for side in sides],
        "cell_table": runs_of(addresses(own, points, values)),
        "differences": _differences(fix_parameters(one.differences, values))
        if pairs is None
        else None,
        "pairs": None if pairs is None else _pairs(pairs, corner, shape),
        "live_in": None,
        "live_out": None,
        "parts": [],
        "curve": None,
    }


def _sides(one: ConflictSet, values: Mapping[str, int]) -> list[tuple[int, int]]:
    """The box of the elements that are shown."""
    elements = one.elements
    if elements is None and one.pairs is not None:
        elements = one.pairs.domain().union(one.pairs.range())
    found = None if elements is None else fix_parameters(elements, values)
    if found is not None and found.is_bounded():
        sides = bounding_box(found)
    else:
        differences = fix_parameters(one.differences, values)
        reach = (
            [high for _, high in bounding_box(differences)]
            if differences.is_bounded()
            else [_SIDE - 1] * len(one.array.index)
        )
        sides = [(0, min(_SIDE - 1, max(high, 1) + 1)) for high in reach]
    return [(low, min(high, low + _SIDE - 1)) for low, high in sides]


def _differences(differences: Any) -> list[list[int]] | None:
    if not differences.is_bounded() or box_volume(differences) > _MOST:
        return None
    found: list[list[int]] = distinct_points(differences).tolist()
    return found


def _pairs(pairs: Any, corner: np.ndarray, shape: Sequence[int]) -> list[list[int]] | None:
    import numpy as np

    if not pairs.wrap().is_bounded() or box_volume(pairs.wrap()) > _MOST:
        return None
    rows = distinct_points(pairs).reshape(-1, 2, len(shape)) - corner
    rows = rows[((rows >= 0) & (rows < np.array(shape))).all(axis=(1, 2))]
    positions = np.zeros(rows.shape[:2], dtype=np.int64)
    for axis, side in enumerate(shape):
        positions = positions * side + rows[..., axis]
    positions.sort(axis=1)
    found: list[list[int]] = np.unique(positions, axis=0).tolist()
    return [pair for pair in found if pair[0] != pair[1]]
