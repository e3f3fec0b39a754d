"""Changes of a design with what they save: values alone; `pipeline` finds and plans them."""

from __future__ import annotations

from collections.abc import Mapping

from hlsmem.core.lazy_dataclass import dataclass

# Kinds of changes, as `hlsmem what-if --kind` names them.
KINDS = (
    "fuse",
    "interchange",
    "strip",
    "slack",
    "strict",
    "step",
    "stream",
    "live_out",
    "banks",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Settings, KEY=VALUE, that change a design, and in one sentence what they do.

    `by_columns` are the streams and external arrays that are then read or written in another
    order; empty where the order is kept. `needs` is what the user has to know to be so, that no
    proof can show; empty where nothing is.
    """

    kind: str
    what: str
    settings: tuple[str, ...]
    by_columns: tuple[str, ...] = ()
    needs: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayFigures:
    """Size of the memories of an array."""

    words: int
    bits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Cost of a plan's memories: bits, words, block RAMs of a target; cycles of a run.

    `blocks` is None without a target, `cycles` where none are predicted.
    """

    bits: int
    words: int
    blocks: int | None
    cycles: int | None
    arrays: Mapping[str, ArrayFigures]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exceeded:
    """A figure above what a design allows: of an array, or of all where `array` is None.

    `metric` is cells, words, bits, blocks or cycles; `taken` is None where it is not known.
    """

    array: str | None
    metric: str
    most: int
    taken: int | None

    def after(self, figures: Figures) -> int | None:
        """The same figure with a change; None where that is not known, as cells of the C are."""
        if self.array is None:
            found: int | None = getattr(figures, self.metric, None)
            return found
        array = figures.arrays.get(self.array)
        return None if array is None else getattr(array, self.metric, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Priced:
    """A change with the figures of its plan; it is legal for all parameters of the context."""

    change: Change
    figures: Figures


@dataclass(frozen=True, slots=True, kw_only=True)
class Illegal:
    """A change that some dependence forbids, the bits it would take, and which one it is."""

    change: Change
    bits: int
    because: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """The changes of a design that save most, the best first, beside the design as it is.

    `order` is kept or any, as orders were looked for. `blocks_first` says that block RAMs are
    what is made small. `complete` says that no search for orders was cut; `work` counts what
    they looked at. `tried` changes were looked at in all; `not_tried` are those for which, or
    for more of which, the work limit left nothing.
    """

    design: str
    params: Mapping[str, int]
    now: Figures
    changes: tuple[Priced, ...]
    illegal: tuple[Illegal, ...]
    complete: bool
    work: int
    order: str = "any"
    blocks_first: bool = False
    tried: int = 0
    not_tried: tuple[str, ...] = ()

    def saving(self, figures: Figures) -> float:
        """Factor by which the cost is now greater: block RAMs where they count, else bits."""
        now, then = self.now.bits, figures.bits
        if self.blocks_first and self.now.blocks is not None and figures.blocks is not None:
            now, then = self.now.blocks, figures.blocks
        return now / max(1, then)
