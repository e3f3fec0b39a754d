"""Rows of integers in a box as single integers, in the same order, to be sorted and compared."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from hlsmem.core.lazy_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np

# From here on sums and differences of codes may not fit in 64 bits.
_MOST = 1 << 61


@dataclass(frozen=True, slots=True)
class Code:
    """The first columns of rows of integers in a box as single integers, in the same order."""

    low: np.ndarray
    spans: np.ndarray
    strides: np.ndarray

    def encode(self, columns: Sequence[np.ndarray]) -> np.ndarray:
        """The codes of rows that are given by their columns; of the one row of no columns."""
        import numpy as np

        varying = np.flatnonzero(self.spans > 1).tolist()
        total = np.full(
            len(columns[0]) if columns else 1, -int(self.low[varying] @ self.strides[varying])
        )
        for position in varying:
            total += columns[position] * self.strides[position]
        return total

    def of_rows(self, rows: np.ndarray) -> np.ndarray:
        """The codes of the rows of a matrix."""
        import numpy as np

        return self.encode(list(rows.T)) if rows.shape[1] else np.zeros(len(rows), dtype=np.int64)

    def decode(self, keys: np.ndarray | int) -> np.ndarray:
        import numpy as np

        return np.asarray(np.asarray(keys)[..., None] // self.strides % self.spans + self.low)

    def leading(self, keys: np.ndarray, count: int) -> np.ndarray:
        """A number for the first `count` columns of each row."""
        import numpy as np

        return np.asarray(keys // (prod(self.spans[count:].tolist()) or 1))


def code_within(low: Sequence[int], high: Sequence[int]) -> Code | None:
    """The code of rows in a box (inclusive); None where 64 bits cannot tell them apart."""
    import numpy as np

    spans = [above - below + 1 for below, above in zip(low, high, strict=True)]
    if prod(spans) >= _MOST:
        return None
    return Code(
        low=np.array(low, dtype=np.int64),
        spans=np.array(spans, dtype=np.int64),
        strides=np.array([prod(spans[k + 1 :]) for k in range(len(spans))], dtype=np.int64),
    )


def code_of_rows(parts: Sequence[np.ndarray]) -> Code | None:
    """The code of all rows of some matrices, not all of them empty."""
    filled = [part for part in parts if len(part)]
    low = [min(int(part[:, k].min()) for part in filled) for k in range(filled[0].shape[1])]
    high = [max(int(part[:, k].max()) for part in filled) for k in range(filled[0].shape[1])]
    return code_within(low, high)
