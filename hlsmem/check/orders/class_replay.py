"""Check `replay` of a class of orders: many of it are run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from hlsmem.check.orders.listed_orders import (
    AffineMeeting,
    Kept,
    Lost,
    Ranked,
    kept_by,
    meeting,
    play,
    random_orders,
    tilings,
    witness_order,
)
from hlsmem.check.orders.listed_program import (
    LIVE_IN,
    MOST_INSTANCES,
    Listing,
    Value,
    list_program,
    too_large,
)
from hlsmem.check.plans.plan_holdings import whole
from hlsmem.check.plans.plan_mapping import addresses, read_folding
from hlsmem.check.rebuilt.witness_text import named
from hlsmem.core.verdict import Status, Verdict
from hlsmem.core.wording import counted
from hlsmem.program.model import Program
from hlsmem.program.options import Design
from hlsmem.program.schedule_classes import Banded, Given, ScheduleClass

Document = Mapping[str, Any]

ORDERS = 20


def check_class_replay(
    design: Design, program: Program, document: Document, *, orders: int = ORDERS
) -> tuple[Verdict, ...]:
    """One verdict an array: orders of the class are run, and every read finds its value."""
    asked = design.plan.schedules
    if isinstance(asked, Given):
        return ()
    if too_large(program):
        reason = f"more than {MOST_INSTANCES} instances are run in no other order; to see some run,"
        reason += " plan it at smaller parameters"
        return tuple(
            _verdict("replay", name, Status.NOT_JUDGED, reason, asked)
            for name in _subjects(program, document)
        )
    listing = list_program(program)
    kept = kept_by(listing, asked)
    found = []
    for name in _subjects(program, document):
        cells = _cells(listing, name, document)
        if isinstance(cells, str):
            found.append(_verdict("replay", name, Status.FAIL, cells, asked))
            continue
        texts, lost = [], ""
        for kind, total, ranked in _orders(listing, asked, kept, name, cells, orders):
            number = 0
            for one in ranked:
                number += 1
                failed = play(listing.values[name], cells, one.rank)
                if failed is not None:
                    lost = _lost_text(listing, name, failed, one)
                    break
            if lost:
                break
            if number:
                texts.append(f"{counted(number, kind)}{f' of {total}' if total > number else ''}")
        status = Status.FAIL if lost else Status.PASS
        detail = lost or f"{', '.join(texts)}: every read found its own value"
        found.append(_verdict("replay", name, status, detail, asked))
    return tuple(found)


def _orders(
    listing: Listing,
    asked: ScheduleClass,
    kept: Kept | None,
    name: str,
    cells: np.ndarray,
    orders: int,
) -> Iterator[tuple[str, int, Iterator[Ranked]]]:
    """(kind, how many there are, orders): witness orders, tilings, random ones, schedules."""
    if kept is None:
        schedules = AffineMeeting(listing, strict=False).schedules(orders)
        ranked: Iterator[Ranked] = (
            Ranked(f"legal schedule {k + 1}", times - times.min())
            for k, times in enumerate(schedules)
        )
        yield "legal schedule", 0, ranked
        return
    yield "witness order", 0, _witnesses(listing, kept, name, cells)
    if isinstance(asked, Banded):
        ranked, _, total = tilings(listing, asked)
        yield "tiling", total, ranked
    yield "random order", 0, random_orders(kept, orders)


def _witnesses(listing: Listing, kept: Kept, name: str, cells: np.ndarray) -> Iterator[Ranked]:
    """For every two values of a cell that are in no order: the order that makes them meet."""
    meets = meeting(kept, strict=False)
    for a, b in _together(listing.values[name], cells):
        if meets(a, b):
            yield witness_order(kept, a, b)


def _verdict(
    check: str,
    name: str,
    status: Status,
    detail: str,
    asked: ScheduleClass,
) -> Verdict:
    subject = f"{name}, class {asked.name}"
    return Verdict(check=check, subject=subject, status=status, detail=detail)


def _subjects(program: Program, document: Document) -> list[str]:
    return [one.name for one in program.planned_arrays() if one.name in document["arrays"]]


def _whole(name: str, document: Document) -> Document:
    """The array in the memory that holds it: one with addresses, as other orders use it too."""
    found = whole(document["arrays"][name])
    return {**document["arrays"][name], "mapping": None} if found is None else found


def _cells(listing: Listing, name: str, document: Document) -> np.ndarray | str:
    """The cell of each value, or what is malformed about the mapping."""
    values = listing.values[name]
    try:
        folding = read_folding(name, _whole(name, document))
        elements = np.array([one.element for one in values], dtype=np.int64)
        elements = elements.reshape(len(values), folding.rank)
        return addresses(folding, elements, listing.program.values)
    except (ValueError, KeyError, TypeError) as error:
        return f"the mapping cannot be read: {error}"


def _together(values: Sequence[Value], cells: np.ndarray) -> Iterator[tuple[Value, Value]]:
    """All ordered pairs of values of different elements in one cell."""
    by_cell: dict[int, list[Value]] = {}
    for value, cell in zip(values, cells.tolist(), strict=True):
        by_cell.setdefault(cell, []).append(value)
    for own in by_cell.values():
        for a in own:
            for b in own:
                if a.element != b.element:
                    yield a, b


def _instance_text(listing: Listing, number: int) -> str:
    if number == LIVE_IN:
        return "the fill before the start"
    instance = listing.instances[number]
    statement = listing.program.statements[instance.statement]
    loops = zip(statement.iterators, instance.loops, strict=False)
    return f"{statement.name}({', '.join(f'{loop}={value}' for loop, value in loops)})"


def _lost_text(listing: Listing, name: str, lost: Lost, order: Ranked) -> str:
    element = named(name, lost.value.element)
    reader = "the end" if lost.reader is None else _instance_text(listing, lost.reader)
    if lost.found is None:
        return f"in {order.text}, {reader} reads {element} and finds nothing"
    writer = _instance_text(listing, lost.found.writer)
    return (
        f"in {order.text}, {reader} reads {element} and finds"
        f" {named(name, lost.found.element)}, written by {writer}"
    )
