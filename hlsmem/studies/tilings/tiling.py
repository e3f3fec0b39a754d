"""One tiling with its figures."""

from __future__ import annotations

from hlsmem.core.lazy_dataclass import dataclass

Row = tuple[int, ...]

# The kinds by name, and what they are.
KINDS = {
    "pipelined": "rectangles of skewed loops, in waves that fill and drain",
    "overlapped": "blocks of data for a band of time, which compute again what their neighbours do",
    "split": "shrinking and growing blocks of data in turn, for a band of time",
    "diamond": "faced over time and the first loop of data, skewed in the others",
    "molecular": "skewed tiles in slices: what is sent first, what needs no neighbour, the rest",
    "faced": "a row for each loop, with time inside of their cone: all start at once",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiling:
    """Tiling of a nest.

    `rows` are the forms that tell tiles apart (texts), `sizes` and `origin` of each. `waves` are
    the tiles of each wave: all of one may run at once. `computed` counts points with those that
    several tiles make, `useful` each once. `slices` are the points of the parts of a full tile
    that run one after the other. `points_most` are those of the fullest tile, which is `fullest`
    where tiles are told apart by rows alone, `forms`. Of an illegal tiling `cycle` has two tiles
    that each need the other, by their rows, or `reason` says what is missing; there are no waves
    then. `expanded` are arrays whose values are tiled, each in an element of its own; of an illegal
    tiling those that would make it legal. `by` is graph or formula.
    """

    kind: str
    rows: tuple[str, ...]
    sizes: tuple[int, ...]
    origin: tuple[int, ...]
    waves: tuple[int, ...] = ()
    computed: int = 0
    useful: int = 0
    slices: tuple[int, ...] = ()
    points_most: int = 0
    fullest: tuple[int, ...] | None = None
    forms: tuple[Row, ...] = ()
    cycle: tuple[Row, Row] | None = None
    reason: str = ""
    expanded: tuple[str, ...] = ()
    by: str = "graph"

    @property
    def is_legal(self) -> bool:
        return self.cycle is None and not self.reason

    @property
    def tiles(self) -> int:
        return sum(self.waves)

    @property
    def startup(self) -> int:
        """The waves before the widest ones."""
        return self.waves.index(max(self.waves)) if self.waves else 0

    @property
    def drain(self) -> int:
        """The waves after the widest ones."""
        return self.waves[::-1].index(max(self.waves)) if self.waves else 0

    def share(self, parallel: int) -> float | None:
        """The share of tiles in waves of at least so many; None without waves."""
        if not self.waves:
            return None
        return sum(one for one in self.waves if one >= parallel) / self.tiles
