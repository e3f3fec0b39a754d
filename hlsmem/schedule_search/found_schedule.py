"""An order that was found: groups, rows and shifts of all statements."""

from __future__ import annotations

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.schedule_search.row_candidates import Rows
from hlsmem.schedule_search.statement_shifts import Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class Strips:
    """The row that is cut into strips of `width`, each run as a whole."""

    row: int
    width: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Groups, rows and shifts of all statements, and the `bits` that the order is estimated at.

    `turned` are the streams and external arrays that some statement touches in another order
    than before.
    """

    groups: tuple[int, ...]
    rows: tuple[Rows, ...]
    shifts: tuple[Vector, ...]
    bits: int
    turned: tuple[str, ...] = ()
    strips: Strips | None = None

    @property
    def kept(self) -> bool:
        """True if every external access keeps its order."""
        return not self.turned

    def leading_text(self) -> list[list[str]]:
        """The entries that lead the time of each statement, over its loops l0, l1, ..

        >>> from hlsmem.schedule_search.row_candidates import Row
        >>> rows = ((Row.of(0), Row.of(1)), (Row.of(0, 2), Row()))
        >>> order = Found(groups=(0, 0), rows=rows, shifts=((0, 0), (3, -1)), bits=8)
        >>> order.leading_text()
        [['l0', 'l1'], ['2*l0 + 3', '-1']]
        """
        found = []
        for group, rows, shift in zip(self.groups, self.rows, self.shifts, strict=True):
            entries = [row.text(steps) for row, steps in zip(rows, shift, strict=True)]
            if self.strips is not None:
                row, width = entries[self.strips.row], self.strips.width
                entries.insert(0, f"floor({row if row.isalnum() else f'({row})'}/{width})")
            if len(set(self.groups)) > 1:
                entries.insert(0, str(group))
            found.append(entries)
        return found
