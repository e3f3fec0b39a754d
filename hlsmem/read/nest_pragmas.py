"""Nests that run side by side, as a pragma or the key `multifor` asks for them."""

from __future__ import annotations

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenNest:
    """A nest as it is written; `slot` is the first entry of the times of its statements."""

    label: str
    grain: tuple[int, ...]
    offset: tuple[int, ...]
    slot: int
    source_location: SourceLocation | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenBlock:
    """Nests of a block; `sequence` gives ties to the nests in their order."""

    sequence: bool
    nests: tuple[WrittenNest, ...]
    source_location: SourceLocation | None
