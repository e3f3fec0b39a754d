"""Schedule classes as a design asks for them: the orders that a plan has to be right for."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Rows of loops that are run together: tiled in any way, or one after the other.

    `rows` is a UnionMap from the instances of all statements to as many integers each; `texts`
    are the rows as the design has them.
    """

    is_tiled: bool
    rows: Any = field(compare=False)
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Given:
    """The design's own schedule alone."""

    name = "given"


@dataclass(frozen=True, slots=True, kw_only=True)
class Banded:
    """Bands, the outermost first; instances equal in all of them keep the design's order.

    `name` is sequential or tiled; without `bands` they are found in the design's times.
    """

    name: str
    bands: tuple[Band, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AffineSchedules:
    """All one-dimensional affine schedules, at the plan's sizes (fixed) or affine in them."""

    name = "affine"
    is_symbolic: bool = False


@dataclass(frozen=True, slots=True)
class AnyOrder:
    """All orders that keep the dependences."""

    name = "any"


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """All orders with `relation`, a UnionMap { x -> y : x runs at or before y }."""

    name = "before"
    relation: Any = field(compare=False)
    source_location: SourceLocation | None = None


ScheduleClass = Given | Banded | AffineSchedules | AnyOrder | Before
GIVEN = Given()
