"""Implied requirements: those that other requirements already bring about."""

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
    waiting = _by_waiting(required)
    return {
        (waits, on): count
        for waits in waiting
        for on, count in _implied(waiting, waits).items()
        if count.any()
    }


def without_implied(required: Pairs) -> dict[tuple[int, int], Any]:
    """The requirements without those that the kept ones imply."""
    kept = dict(required)
    waiting = _by_waiting(required)
    for pair in sorted(required, key=lambda pair: (-int(required[pair].max()), pair)):
        waits, on = pair
        direct = waiting[waits].pop(on)
        implied = _implied(_leading_to(waiting, on), waits).get(on)
        if implied is not None and (implied >= required[pair]).all():
            del kept[pair]
        else:
            waiting[waits][on] = direct
    return kept


def _by_waiting(required: Pairs) -> dict[int, dict[int, Any]]:
    """Running maxima of the counts, by who waits and for whom: entry j is of the first j beats."""
    found: dict[int, dict[int, Any]] = {}
    for (waits, on), count in required.items():
        found.setdefault(waits, {})[on] = np.concatenate(([0], np.maximum.accumulate(count)))
    return found


def _leading_to(waiting: Mapping[int, Mapping[int, Any]], on: int) -> dict[int, dict[int, Any]]:
    """The counts on the ways by which somebody waits for `on`."""
    by_whom: dict[int, list[int]] = {}
    for waits, of in waiting.items():
        for one in of:
            by_whom.setdefault(one, []).append(waits)
    found, pending = {on}, [on]
    while pending:
        more = set(by_whom.get(pending.pop(), ())) - found
        found |= more
        pending += more
    return {
        waits: {one: count for one, count in waiting[waits].items() if one in found}
        for waits in found & waiting.keys()
    }


def _implied(waiting: Mapping[int, Mapping[int, Any]], waits: int) -> dict[int, Any]:
    """For whom the beats of `waits` wait in the end: what grows is passed on until nothing does."""
    found = {on: count[1:] for on, count in waiting.get(waits, {}).items()}
    pending = list(found)
    while pending:
        through = pending.pop()
        count = found[through]
        for on, further in waiting.get(through, {}).items():
            if on == waits:
                continue
            implied = further[count]
            known = found.get(on)
            if known is None or (implied > known).any():
                found[on] = implied if known is None else np.maximum(known, implied)
                if implied.any() and on not in pending:
                    pending.append(on)
    return found
