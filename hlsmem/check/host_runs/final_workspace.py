"""Final workspace of the host C, by the plan and by a run of the original.

The program runs in C's order over the cells that plan.json gives C. Every value that C stores is
the last of its cell, or is overwritten by a later one; so the content of each cell is known bit by
bit, and which cells are never written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np

from hlsmem.check.plans.plan_holdings import cells_in_c
from hlsmem.check.plans.plan_mapping import Folding, addresses, read_folding
from hlsmem.check.plans.time_rules import NoTimes, with_host_times
from hlsmem.check.rebuilt.order_of_c import in_the_order_of_c
from hlsmem.check.rebuilt.witness_text import named
from hlsmem.check.replayed.folded_memory import History, history_of
from hlsmem.check.replayed.replay_check import live_elements
from hlsmem.check.replayed.run_events import Accesses, Run
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra.relations import union_map
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.program.model import Array, Order, Program

Document = Mapping[str, Any]

_MOST_ACCESSES = 2_000_000


class NotFollowed(Exception):
    """The run cannot be followed cell by cell; says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """The cells of one array in the workspace, from byte `at`, each of `bytes`.

    Per cell: whether C writes it, whether it may (what it stores last may be a value that nobody
    needs), and the bits it holds at the end, of which `bits` count; `element` is whose they are.
    """

    array: str
    at: int
    bytes: int
    bits: int
    written: np.ndarray = field(compare=False)
    open: np.ndarray = field(compare=False)
    content: np.ndarray = field(compare=False)
    element: np.ndarray = field(compare=False)


def predicted(program: Program, document: Document, run: Run, times: np.ndarray) -> list[Cells]:
    """The cells of every array that has some, after a run of `program`, whose order is C's."""
    return [
        _cells(program, array, entry, run.accesses[array.name], times)
        for array in program.planned_arrays()
        for entry in (document["arrays"][array.name],)
        if in_c(array.name, entry)["at"] is not None
    ]


def in_c_order(given: Program, program: Program, document: Document) -> Program:
    """The program in the order that plan.json says C has; `given` is the design's.

    Raises NotFollowed where that is unknown or too long.
    """
    if in_the_order_of_c(given, program) is not program:
        raise NotFollowed("C puts instances of equal times into an order")
    order = document["orders"]["host"]
    if order is None or not document["arrays"]:
        raise NotFollowed("plan.json does not say which cells C has")
    accesses = [(s, a) for s in program.statements for a in (*s.reads, *s.writes)]
    planned = {array.name for array in program.planned_arrays()}
    stores = [access for one in program.statements for access in one.writes]
    if not all(access.must for access in stores if access.array in planned):
        raise NotFollowed("data decide on a store")
    total = sum(
        count(fix_parameters(access.relation.intersect_domain(statement.domain), program.values))
        for statement, access in accesses
        if access.array in planned
    )
    if total > _MOST_ACCESSES:
        raise NotFollowed(f"it has {total} accesses, more than {_MOST_ACCESSES}")
    try:
        program = with_host_times(program, document)
    except NoTimes as error:
        raise NotFollowed(str(error)) from None
    return replace(program, order=Order.ITERATION if order["steps"] else Order.SEQUENTIAL)


def difference_of(cells: Sequence[Cells], first: bytes, second: bytes, fills: Sequence[int]) -> str:
    """Difference from the plan of workspaces with other bytes before the call; "" without one."""
    for one in cells:
        found = _difference(one, first, second, fills)
        if found:
            return found
    known = np.zeros(len(first), dtype=bool)
    for one in cells:
        known[one.at : one.at + one.bytes * len(one.written)] = True
    same = np.frombuffer(first, np.uint8) == np.frombuffer(second, np.uint8)
    if (same & ~known).any():
        return f"byte {int(np.argmax(same & ~known))} of the workspace is no cell, and is written"
    return ""


def _difference(one: Cells, first: bytes, second: bytes, fills: Sequence[int]) -> str:
    many, size = len(one.written), one.bytes
    if len(first) < one.at + many * size:
        return f"the workspace ends within the {many} cells of {one.array}"
    own = [np.frombuffer(text, np.uint8, many * size, one.at) for text in (first, second)]
    rows = [part.reshape(many, size) for part in own]
    kept = (rows[0] == fills[0]).all(axis=1) & (rows[1] == fills[1]).all(axis=1)
    wrong = np.flatnonzero(~one.open & (kept == one.written))
    if len(wrong):
        cell = int(wrong[0])
        if one.written[cell]:
            who = _who(one, cell)
            return f"cell {cell} of {one.array} is never written, the plan puts {who} there"
        return f"cell {cell} of {one.array} is written, the plan leaves it alone"
    words = rows[0].copy().view(f"<u{size}").reshape(-1).astype(np.uint64)
    mask = np.uint64(2**one.bits - 1)
    differs = one.written & ~one.open & ((words & mask) != (one.content & mask))
    if differs.any():
        cell = int(np.argmax(differs))
        return (
            f"cell {cell} of {one.array} does not hold {_who(one, cell)} at the end: its bits are"
            f" {int(words[cell] & mask):#x}, not {int(one.content[cell] & mask):#x}"
        )
    return ""


def _who(one: Cells, cell: int) -> str:
    return named(one.array, one.element[cell].tolist())


def in_c(name: str, entry: Document) -> Document:
    """The entry of plan.json for an array in C; raises NotFollowed."""
    found = cells_in_c(entry)
    if found is None:
        raise NotFollowed(f"plan.json does not say which cells C has for {name}")
    return found


def folding_in_c(name: str, entry: Document) -> Folding:
    """The cells that plan.json gives an array in C; raises NotFollowed."""
    try:
        return read_folding(name, in_c(name, entry))
    except (ValueError, KeyError, TypeError) as error:
        raise NotFollowed(f"the cells of {name} cannot be read: {error}") from None


def history_in_c(program: Program, array: Array, accesses: Accesses, times: np.ndarray) -> History:
    """History of an array's elements in C's order, which is that of `program`."""
    return history_of(
        program,
        accesses,
        times,
        live_in=live_elements(program, program.live_in, array),
        live_out=live_elements(program, program.live_out, array),
    )


def _cells(
    program: Program, array: Array, entry: Document, accesses: Accesses, times: np.ndarray
) -> Cells:
    host, folding = in_c(array.name, entry), folding_in_c(array.name, entry)
    live_in = live_elements(program, program.live_in, array)
    history = history_in_c(program, array, accesses, times)
    address = addresses(folding, history.elements, program.values)
    content = np.zeros(folding.cells, dtype=np.uint64)
    last = np.full(folding.cells, -1, dtype=np.int64)
    order = _stores(history)
    cells = address[history.element[order]]
    last[cells] = order  # the last of several assignments stays
    stored = last >= 0
    content[stored] = history.bits[last[stored]].astype(np.uint64)
    element = np.zeros((folding.cells, history.elements.shape[1]), dtype=np.int64)
    element[stored] = history.elements[history.element[last[stored]]]
    surely = np.zeros(folding.cells, dtype=bool)
    surely[cells[needed(program, history)[order]]] = True
    is_open = stored & ~needed(program, history)[np.maximum(last, 0)]
    filled = addresses(folding, live_in, program.values)
    is_open[filled[~stored[filled]]] = True  # filled, though nobody reads it
    return Cells(
        array=array.name,
        at=host["at"],
        bytes=host["cell_bytes"],
        bits=array.element.bits,
        written=surely,
        open=is_open,
        content=content,
        element=element,
    )


def _stores(history: History) -> np.ndarray:
    """The writes in the order in which they reach their cells: in a step, after all reads."""
    position = np.arange(len(history.write))
    order: np.ndarray = np.lexsort((position, history.step))
    stores: np.ndarray = order[history.write[order]]
    return stores


def _one_at_a_time(program: Program) -> bool:
    """True if no two instances, for parameters in the context, have the same time."""
    times = union_map(one.schedule.intersect_domain(one.domain) for one in program.statements)
    return bool(times.intersect_params(program.context).is_injective())


def needed(program: Program, history: History) -> np.ndarray:
    """Per event, whether it is a write that C surely makes: in steps those that outlive theirs."""
    if program.order is not Order.ITERATION and _one_at_a_time(program):
        return history.write
    fetched = ~history.write & ~history.wire & (history.source >= 0)
    found = np.zeros(len(history.write), dtype=bool)
    found[history.source[fetched]] = True
    return found
