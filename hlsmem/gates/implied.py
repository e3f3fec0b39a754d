"""What waiting implies: requirements that other requirements already bring about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

Pairs = Mapping[tuple[int, int], Any]


def closure(required: Pairs) -> dict[tuple[int, int], Any]:
    """For every pair, what beats wait for directly, or because of whom they wait for.

    `required[a, b][j]` counts the beats of b that go before beat j of a; results are running
    maxima. Waiting longer for b up to the closure changes no behaviour.
    """
    found = {pair: np.maximum.accumulate(count) for pair, count in required.items()}
    changed = True
    while changed:
        changed = False
        for (waits, through), count in list(found.items()):
            for (middle, on), further in list(found.items()):
                if middle != through or on == waits:
                    continue
                implied = np.where(count > 0, further[np.maximum(count, 1) - 1], 0)
                known = found.get((waits, on))
                if known is None or (implied > known).any():
                    found[waits, on] = implied if known is None else np.maximum(known, implied)
                    changed = changed or bool(implied.any())
    return {pair: count for pair, count in found.items() if count.any()}


def without_implied(required: Pairs) -> dict[tuple[int, int], Any]:
    """The requirements without those that the kept ones imply."""
    kept = dict(required)
    for pair in sorted(required, key=lambda pair: (-int(required[pair].max()), pair)):
        others = {p: count for p, count in kept.items() if p != pair}
        implied = closure(others).get(pair)
        if implied is not None and (implied >= required[pair]).all():
            kept = others
    return kept
