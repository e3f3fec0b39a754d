"""A folded memory, played: what each cell holds at every read, without a loop in Python.

The content of a cell at a read is what the last write to that cell left; sorting the events
by cell and order puts that write in front of the read.
"""

from __future__ import annotations

from dataclasses import field, fields

import numpy as np

from hlsmem.check.replayed.row_numbers import row_numbers
from hlsmem.check.replayed.run_events import Accesses
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.program.model import Order, Program

_FILL, _DRAIN = -1, -2


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """All events of one array in full schedule order: fills, the run, drains.

    Per event: the element (row of `elements`), whether it writes, its bits, its instance (-1
    for the fill before the start, -2 for the drain after the end), its moment and its step
    (numbers that grow with time), its `source` (for a read: the event that wrote its value,
    -1 where nothing did) and whether it is a `wire`: a read of what its own step made.
    """

    elements: np.ndarray = field(compare=False)
    element: np.ndarray = field(compare=False)
    write: np.ndarray = field(compare=False)
    bits: np.ndarray = field(compare=False)
    instance: np.ndarray = field(compare=False)
    moment: np.ndarray = field(compare=False)
    step: np.ndarray = field(compare=False)
    source: np.ndarray = field(compare=False)
    wire: np.ndarray = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mismatch:
    """A read that does not get its value: the event, what it found instead, and in words."""

    read: int
    reason: str
    found: int | None = None


def history_of(
    program: Program,
    accesses: Accesses,
    times: np.ndarray,
    *,
    live_in: np.ndarray,
    live_out: np.ndarray,
) -> History:
    """The history of one array; `live_in`, `live_out` are its live elements.

    Only live-in elements that somebody reads are filled.
    """
    rows = np.concatenate([accesses.element, live_in, live_out])
    numbers, count = row_numbers(rows) if rows.shape[1] else (np.zeros(len(rows), dtype=int), 1)
    elements = np.zeros((count, rows.shape[1]), dtype=np.int64)
    elements[numbers] = rows
    ends = np.cumsum([len(accesses), len(live_in)])
    touched, filled, drained = np.split(numbers, ends)

    time = times[accesses.instance]
    order = np.lexsort((accesses.write, *time.T[::-1]))
    element, write = touched[order], accesses.write[order]
    bits, instance = accesses.bits[order], accesses.instance[order]
    moment = _groups(time[order])
    steps = program.step_dimensions if program.order is Order.ITERATION else time.shape[1]
    step = _groups(time[order][:, :steps])

    drained = np.unique(drained)
    fills = _needed(np.unique(filled), element, write, drained)
    initial = _first_bits(count, element, bits)
    final = _final_bits(count, touched, accesses.bits)
    size = len(element)
    events = {
        "element": np.concatenate([fills, element, drained]),
        "write": np.concatenate([_full(fills, 1), write, _full(drained, 0)]).astype(bool),
        "bits": np.concatenate([initial[fills], bits, final[drained]]),
        "instance": np.concatenate([_full(fills, _FILL), instance, _full(drained, _DRAIN)]),
        "moment": np.concatenate([_full(fills, -1), moment, _full(drained, size)]),
        "step": np.concatenate([_full(fills, -1), step, _full(drained, size)]),
    }
    source = _last_write(events["element"], events["write"], np.arange(len(events["element"])))
    wire = ~events["write"] & (source >= 0) & (events["step"] == events["step"][source])
    return History(elements=elements, **events, source=source, wire=wire)


def without_lacking(history: History) -> History:
    """The history without reads that nothing provides: there is no value to compare."""
    kept = history.write | (history.source >= 0)
    if kept.all():
        return history
    number = np.cumsum(kept) - 1
    events = (one.name for one in fields(history) if one.name != "elements")
    columns = {name: getattr(history, name)[kept] for name in events}
    source = columns["source"]
    columns["source"] = np.where(source >= 0, number[source], -1)
    return History(elements=history.elements, **columns)


def play(history: History, address: np.ndarray, *, strict: bool) -> Mismatch | None:
    """The first read that goes wrong when element k lies in cell `address[k]`; None if none.

    In a step all reads come first, then the writes in full order. `strict` also forbids that
    a step overwrites a cell it reads with another element.
    """
    reads = ~history.write
    position = np.arange(len(reads))
    problem = _first(position, reads & (history.source < 0))
    if problem is not None:
        return Mismatch(read=problem, reason="but nothing provides it: no write, no live-in")
    source = np.where(reads, history.source, position)
    problem = _first(position, reads & (history.bits[source] != history.bits))
    if problem is not None:
        reason = "and the schedule gives it another value than the original:"
        return Mismatch(read=problem, reason=reason, found=int(history.source[problem]))
    cell = address[history.element]
    problem = _first(position, cell < 0)
    if problem is not None:
        return Mismatch(read=problem, reason="but it lies in no piece of the mapping")

    order = np.lexsort((position, history.write, history.step))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = position
    holds = _last_write(cell, history.write, place)
    fetched = reads & ~history.wire
    tenant = np.where(holds >= 0, holds, 0)
    wrong = fetched & (
        (holds < 0)
        | (history.element[tenant] != history.element)
        | (history.bits[tenant] != history.bits)
    )
    problem = _first(place, wrong)
    if problem is not None:
        found = int(holds[problem])
        return Mismatch(read=problem, reason="but the cell holds", found=found)
    return _overwritten_while_read(history, cell, fetched) if strict else None


def most_alive(history: History, *, strict: bool) -> int:
    """The greatest number of elements that lie in cells at one time."""
    writes = np.flatnonzero(history.write)
    if not len(writes):
        return 0
    moment, group = np.unique(history.moment[writes], return_inverse=True)
    step = np.full(len(moment), -1, dtype=np.int64)
    step[group] = history.step[writes]
    last = np.full(len(history.write), -2, dtype=np.int64)
    fetched = np.flatnonzero(~history.write & ~history.wire & (history.source >= 0))
    np.maximum.at(last, history.source[fetched], history.step[fetched])
    end = np.searchsorted(step, last[writes], side="right" if strict else "left")
    end = np.minimum(np.maximum(end, group + 1), _next_group(history.element[writes], group))
    change = np.bincount(group, minlength=len(moment) + 1)
    change = change - np.bincount(end, minlength=len(moment) + 1)
    return int(np.cumsum(change).max())


def _next_group(element: np.ndarray, group: np.ndarray) -> np.ndarray:
    """For each write, when its element is written again: it then makes room for itself."""
    order = np.lexsort((group, element))
    again = np.append(element[order[1:]] == element[order[:-1]], False)
    following = np.append(group[order[1:]], 0)
    found = np.empty(len(group), dtype=np.int64)
    found[order] = np.where(again, following, np.iinfo(np.int64).max)
    return found


def _overwritten_while_read(
    history: History, cell: np.ndarray, fetched: np.ndarray
) -> Mismatch | None:
    """A read whose cell another element is written to in the same step."""
    key, _ = row_numbers(np.column_stack([cell, history.step]))
    reader = np.full(int(key.max(initial=-1)) + 1, -1, dtype=np.int64)
    reads = np.flatnonzero(fetched)
    reader[key[reads]] = reads
    writes = np.flatnonzero(history.write)
    other = reader[key[writes]]
    clash = (other >= 0) & (history.element[other] != history.element[writes])
    first = _first(writes, clash)
    if first is None:
        return None
    write = int(writes[first])
    return Mismatch(
        read=int(other[first]), reason="while the cell is overwritten with", found=write
    )


def _full(like: np.ndarray, value: int) -> np.ndarray:
    return np.full(len(like), value, dtype=np.int64)


def _first(rank: np.ndarray, wrong: np.ndarray) -> int | None:
    """The index with the least rank among those that are wrong."""
    found = np.flatnonzero(wrong)
    return int(found[np.argmin(rank[found])]) if len(found) else None


def _groups(times: np.ndarray) -> np.ndarray:
    """Numbers that grow by one wherever a row of sorted times differs from the one before."""
    if not len(times):
        return np.zeros(0, dtype=np.int64)
    changes = np.any(np.diff(times, axis=0, prepend=times[:1]) != 0, axis=1)
    return np.cumsum(changes).astype(np.int64)


def _needed(
    filled: np.ndarray, element: np.ndarray, write: np.ndarray, drained: np.ndarray
) -> np.ndarray:
    """The live-in elements whose value somebody reads."""
    _, first = np.unique(element, return_index=True)
    read_first = element[first][~write[first]]
    kept_only = np.setdiff1d(drained, element[write])
    return np.intersect1d(filled, np.concatenate([read_first, kept_only]))


def _first_bits(count: int, element: np.ndarray, bits: np.ndarray) -> np.ndarray:
    """The bits of the first event of each element: its initial content where that is a read."""
    found = np.zeros(count, dtype=np.int64)
    found[element[::-1]] = bits[::-1]
    return found


def _final_bits(count: int, element: np.ndarray, bits: np.ndarray) -> np.ndarray:
    """Final bits of each element: those of its last event as the original ran."""
    found = np.zeros(count, dtype=np.int64)
    found[element] = bits
    return found


def _last_write(key: np.ndarray, write: np.ndarray, place: np.ndarray) -> np.ndarray:
    """For each event the last write with the same key at an earlier place, or -1.

    A write finds itself.
    """
    order = np.lexsort((place, key))
    latest = np.maximum.accumulate(np.where(write[order], np.arange(len(order)), -1))
    found = np.where(latest >= 0, order[latest], -1)
    result = np.empty(len(order), dtype=np.int64)
    result[order] = np.where((found >= 0) & (key[found] == key[order]), found, -1)
    return result
