"""The places of a stream's walk, some of them without a beat, listed where a play asks for them."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from hlsmem.addressing.loop_states import places_of
from hlsmem.addressing.loop_visits import Visits
from hlsmem.addressing.nest_points import Points
from hlsmem.addressing.state_changes import plan_steps
from hlsmem.polyhedra.generated_loops import Node


class Walked:
    """The places of a walk in order: their keys, and as an array whether each is a beat."""

    def __init__(self, visits: Visits, places: Points) -> None:
        self.visits, self.places = visits, places

    def __len__(self) -> int:
        return len(self.places)

    @cached_property
    def keys(self) -> Any:
        """The loops' values at all places, shape (places, loops)."""
        return self.places.rows()

    @cached_property
    def is_beat(self) -> Any:
        """Whether each place is a beat, shape (places,)."""
        keys, beats = self.keys, self.visits.points
        low = keys.min(axis=0)
        sides = tuple((keys.max(axis=0) - low + 1).tolist())
        codes = [np.ravel_multi_index(tuple((rows - low).T), sides) for rows in (keys, beats)]
        return np.isin(codes[0], codes[1], assume_unique=True)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.asarray(self.is_beat, dtype=dtype)


def walked(node: Node, visits: Visits) -> Walked | None:
    """The places of the walk of some loops; None where all are beats."""
    if all(plan_steps(node, visits).is_beat):
        return None
    places = places_of(visits)
    return None if places is visits.region else Walked(visits, places)
