"""Formulas for tables of integers: sums, stairs, cycles, and pieces of such.

A formula is text of C over a position, `0` being the first; it has the table's value at each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

MOST_PIECES = 16
"""Pieces of a table that have formulas of their own, at most."""
_MOST_ROWS = 4
_LONGEST_PERIOD = 512


def formula_of(values: Sequence[int], at: str) -> str | None:
    """Return a formula for a table over the position `at`; None where none is found.

    >>> formula_of([0, 0, 1, 1, 2, 2], "i"), formula_of([0, 1, 2, 0, 1, 2, 0], "i")
    ('(i) / 2', '(i) % 3')
    >>> formula_of([7, 7, 7, 3, 3], "i")
    '((i) < 3 ? 7 : 3)'
    >>> formula_of([0, 1, 1, 2, 3, 3, 4, 5], "i")
    '(((i) % 3) < 2 ? ((i) % 3) : 1) + 2 * ((i) / 3)'
    """
    return _plain(values, at) or _repeated(values, at) or _pieces(values, at, MOST_PIECES)


def periodic_formula(values: Sequence[int], step: int, at: str) -> str | None:
    """Return a formula for a table that goes on without end, by `step` more in each period.

    >>> periodic_formula([0, 1], 1, "t"), periodic_formula([0, 1], 0, "t")
    ('((t) + 1) / 2', '(t) % 2')
    """
    period = len(values)
    several = [one + step * turn for turn in range(4) for one in values]
    found = _plain(several, at)
    if found is not None:
        return found
    inner = formula_of(values, f"({at}) % {period}")
    return None if inner is None else _sum(inner, _times(step, f"({at}) / {period}"))


def formula_over_rows(rows: Mapping[int, Sequence[int]], outer: str, at: str) -> str | None:
    """Return a formula for tables that a number `outer` chooses: `rows` has them by that number.

    >>> formula_over_rows({0: [0, 1], 1: [5, 6]}, "y", "x")
    '(x) + 5 * ((y))'
    >>> formula_over_rows({0: [0, 1, 2, 0], 1: [1, 2, 0, 1], 2: [2, 0, 1, 2]}, "y", "x")
    '((x) + (y)) % 3'
    """
    numbers = sorted(rows)
    if numbers != list(range(numbers[0], numbers[-1] + 1)):
        return None
    first = rows[numbers[0]]
    place = outer if not numbers[0] else f"{outer} - {numbers[0]}"
    kinds = list(dict.fromkeys(tuple(rows[one]) for one in numbers))
    if len(kinds) == 1:
        return formula_of(first, at)
    starts = [rows[one][0] - first[0] for one in numbers]
    if all(
        value - first[k] == start
        for one, start in zip(numbers, starts, strict=True)
        for k, value in enumerate(rows[one])
    ):
        inner, more = formula_of(first, at), formula_of(starts, place)
        return None if inner is None or more is None else _sum(inner, more)
    around = _around([rows[one] for one in numbers], place, at)
    if around is None and len(kinds) <= _MOST_ROWS:
        return _chosen_rows(kinds, [tuple(rows[one]) for one in numbers], place, at)
    return around


def _around(rows: Sequence[Sequence[int]], place: str, at: str) -> str | None:
    """`(at + start) % modulus`: rows that count round, each from where it begins."""
    modulus = max(map(max, rows)) + 1
    starts = [row[0] for row in rows]
    if modulus < 2 or any(
        one != (row[0] + k) % modulus for row in rows for k, one in enumerate(row)
    ):
        return None
    step = (starts[1] - starts[0]) % modulus
    if all(one == (starts[0] + step * k) % modulus for k, one in enumerate(starts)):
        start = _sum(_times(step, f"({place})"), str(starts[0]))
    else:
        found = formula_of(starts, place)
        if found is None:
            return None
        start = found
    return f"({_sum(f'({at})', start)}) % {modulus}"


def _chosen_rows(
    kinds: Sequence[tuple[int, ...]], rows: Sequence[tuple[int, ...]], place: str, at: str
) -> str | None:
    found = formula_of(kinds[-1], at)
    for one in reversed(kinds[:-1]):
        test = formula_of([int(row == one) for row in rows], place)
        inner = formula_of(one, at)
        if found is None or test is None or inner is None:
            return None
        found = f"(({test}) == 1 ? {inner} : {found})"
    return found


def _plain(values: Sequence[int], at: str) -> str | None:
    """One sum, stair or cycle for a whole table."""
    first = values[0]
    if all(one == first for one in values):
        return str(first)
    step = values[1] - first
    if all(one == first + step * k for k, one in enumerate(values)):
        return _sum(_times(step, f"({at})"), str(first))
    return _stair(values, at) or _cycle(values, at) or _leaps(values, at)


def _runs(values: Sequence[int]) -> list[tuple[int, int]]:
    """The values that follow each other, with how often each stands."""
    found: list[tuple[int, int]] = []
    for one in values:
        if found and found[-1][0] == one:
            found[-1] = one, found[-1][1] + 1
        else:
            found.append((one, 1))
    return found


def _quotient(at: str, width: int, skipped: int) -> str:
    """Number of steps of so many positions in front, of the first of which some are skipped."""
    moved = f"(({at}) + {skipped})" if skipped else f"({at})"
    return moved if width == 1 else f"{moved} / {width}"


def _stair(values: Sequence[int], at: str) -> str | None:
    """`step * ((at + skipped) / width) + first`."""
    runs = _runs(values)
    if len(runs) < 3 or runs[0][1] > runs[1][1]:
        return None
    width = runs[1][1]
    skipped, step = width - runs[0][1], runs[1][0] - runs[0][0]
    if any(one != values[0] + step * ((k + skipped) // width) for k, one in enumerate(values)):
        return None
    return _sum(_times(step, _quotient(at, width, skipped)), str(values[0]))


def _cycle(values: Sequence[int], at: str) -> str | None:
    """`step * ((at + skipped) / width % count) + least`."""
    runs = _runs(values)
    least, greatest = min(values), max(values)
    if len(runs) < 3:
        return None
    step = min(abs(a[0] - b[0]) for a, b in pairwise(runs))
    if (greatest - least) % step:
        return None
    count, width = (greatest - least) // step + 1, runs[1][1]
    skipped = (values[0] - least) // step * width + width - runs[0][1]
    if skipped < 0 or any(
        one != least + step * ((k + skipped) // width % count) for k, one in enumerate(values)
    ):
        return None
    return _sum(_times(step, f"{_quotient(at, width, skipped)} % {count}"), str(least))


def _leaps(values: Sequence[int], at: str) -> str | None:
    """`(step * at + first) % modulus`: what counts round in steps of more than 1."""
    steps = {b - a for a, b in pairwise(values)}
    if len(steps) != 2 or min(steps) > 0 or max(steps) < 0 or min(values) < 0:
        return None
    step, modulus, first = max(steps), max(steps) - min(steps), values[0]
    if any(one != (first + step * k) % modulus for k, one in enumerate(values)):
        return None
    return f"({_sum(_times(step, f'({at})'), str(first))}) % {modulus}"


def _repeated(values: Sequence[int], at: str) -> str | None:
    """A table that is one of fewer positions again and again, more by a number each time."""
    size = len(values)
    for period in range(2, size // 2 + 1):
        more = values[period] - values[0]
        if all(values[k + period] - values[k] == more for k in range(size - period)):
            inner = _plain(values[:period], f"({at}) % {period}") or _pieces(
                values[:period], f"({at}) % {period}", 3
            )
            if inner is None:
                return None
            return _sum(inner, _times(more, f"({at}) / {period}"))
    return None


def _pieces(values: Sequence[int], at: str, most: int, skipped: int = 0) -> str | None:
    """Formulas for parts of a table, each as long as may be, the first from `skipped` on."""
    if most == 0:
        return None
    place = f"{at} - {skipped}" if skipped else at
    whole = _plain(values, place) or (_repeated(values, place) if skipped else None)
    if whole is not None:
        return whole
    low, high = 1, len(values)  # a part in front of one that has a formula has one, too
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _plain(values[:middle], place) else (low, middle)
    first = _plain(values[:low], place)
    size = _repeating(values, 2 * low)
    longer = _repeated(values[:size], place) if size else None
    if longer is not None:
        low, first = size, longer
    rest = _pieces(values[low:], at, most - 1, skipped + low)
    return None if rest is None else f"(({at}) < {skipped + low} ? {first} : {rest})"


def _repeating(values: Sequence[int], least: int) -> int:
    """Length of the longest part in front that repeats itself, more than `least`."""
    best = least
    for period in range(2, min(len(values) // 3, _LONGEST_PERIOD) + 1):
        more = values[period] - values[0]
        size = next(
            (k for k in range(period, len(values)) if values[k] - values[k - period] != more),
            len(values),
        )
        if size >= 3 * period:
            best = max(best, size)
    return best if best > least else 0


def _times(factor: int, text: str) -> str:
    if factor in (0, 1):
        return text if factor else "0"
    return f"-({text})" if factor == -1 else f"{factor} * ({text})"


def _sum(left: str, right: str) -> str:
    if "0" in (left, right):
        return right if left == "0" else left
    is_less = right[0] == "-" and right[1:].isdigit()
    return f"{left} - {right[1:]}" if is_less else f"{left} + {right}"
