"""Checks of a class of orders: `exact` by a second path, `replay` over many orders of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from hlsmem.classes import Banded, Given, ScheduleClass
from hlsmem.options import Design
from hlsmem.program import Program
from hlsmem.verdict import Status, Verdict
from hlsmem.verification.folding import addresses, read_folding, symbolic_domain
from hlsmem.verification.holdings import bounds_of, whole
from hlsmem.verification.large import objection_at_size
from hlsmem.verification.listing import (
    LIVE_IN,
    MOST_INSTANCES,
    Listing,
    Value,
    list_program,
    too_large,
)
from hlsmem.verification.orders import (
    AffineMeeting,
    Kept,
    Lost,
    Meets,
    Ranked,
    kept_by,
    meeting,
    play,
    random_orders,
    tilings,
    witness_order,
)
from hlsmem.verification.relation import NotRelated, class_pairs, differences_of
from hlsmem.verification.rules import rules_of
from hlsmem.verification.separation import Separated, nonpositive_modulus, separates
from hlsmem.verification.source import class_disagreements
from hlsmem.verification.witness import named
from hlsmem.wording import counted

Document = Mapping[str, Any]

# Pairs of values in one cell that isl is asked about, of which each takes about a millisecond.
_MOST_ASKED = 4000
ORDERS = 20


def check_class_exact(design: Design, program: Program, document: Document) -> tuple[Verdict, ...]:
    """One verdict an array: no two values of a cell are alive together in any order of the class.

    By listing at the plan's values, and by isl for the formulas of a certificate for all
    parameters.
    """
    asked = design.plan.schedules
    if isinstance(asked, Given):
        return ()
    subjects = _subjects(program, document)
    wrong = {
        name: next(class_disagreements(program, asked, name, document), "") for name in subjects
    }
    if too_large(program):
        return tuple(
            _judged(program, name, document, asked, objection)
            for name in subjects
            for objection in (wrong[name] or objection_at_size(program, name, document),)
        )
    listing = list_program(program)
    strict = rules_of(document).strict
    kept = kept_by(listing, asked)
    meets: Meets = (
        AffineMeeting(listing, strict=strict) if kept is None else meeting(kept, strict=strict)
    )
    found = []
    for name in subjects:
        objection = wrong[name] or _collision(listing, name, document, meets)
        objection = objection or _antichain(listing, name, document, meets)
        found.append(_judged(program, name, document, asked, objection))
    return tuple(found)


def _judged(
    program: Program, name: str, document: Document, asked: ScheduleClass, objection: str
) -> Verdict:
    """The verdict of `exact` on an array, its formulas proved where the plan claims them."""
    unknown = ""
    own = _whole(name, document)
    if not objection and _claims_all(own):
        try:
            objection = _for_all_parameters(program, name, document)
        except NotRelated as reason:
            unknown = f"; for all parameters that is not known: {reason}"
    status = Status.FAIL if objection else Status.PASS
    detail = objection or _proved(own, document["params"], unknown)
    return _verdict("exact", name, status, detail, asked)


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


def _claims_all(own: Document) -> bool:
    mapping = own["mapping"] or {"certificate": {"scope": "none"}}
    return bool(mapping["certificate"]["scope"] == "all-parameters")


def _proved(own: Document, values: Mapping[str, int], unknown: str) -> str:
    cells = own["holdings"]["hardware"]["words"]
    many = "1 cell is" if cells == 1 else f"{cells} cells are"
    if _claims_all(own) and values and not unknown:
        return f"proved for all parameters: {many} enough in every order"
    at = ", ".join(f"{name}={value}" for name, value in values.items())
    return f"proved{' at ' + at if at else ''}: {many} enough in every order{unknown}"


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


def _collision(listing: Listing, name: str, document: Document, meets: Meets) -> str:
    """Two values of one cell that some order of the class keeps alive together."""
    cells = _cells(listing, name, document)
    if isinstance(cells, str):
        return cells
    for asked, (a, b) in enumerate(_together(listing.values[name], cells), 1):
        if isinstance(meets, AffineMeeting) and asked > _MOST_ASKED:
            return f"more than {_MOST_ASKED} pairs share a cell: plan it at smaller parameters"
        reason = meets(a, b)
        if reason:
            return _meeting_text(listing, name, a, b, reason)
    return ""


def _meeting_text(listing: Listing, name: str, a: Value, b: Value, reason: str) -> str:
    first, second = named(name, a.element), named(name, b.element)
    if reason.startswith("read by "):
        reader = _instance_text(listing, int(reason.removeprefix("read by ")))
        story = f"before {reader} reads {first}"
    elif reason == "written in either order":
        story = f"and {_instance_text(listing, a.writer)} writes {first} before or after that"
    else:
        story = f"while {first} is {reason}"
    return (
        f"{first} and {second} share a cell: in some order of the class"
        f" {_instance_text(listing, b.writer)} writes {second} {story}"
    )


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


def _antichain(listing: Listing, name: str, document: Document, meets: Meets) -> str:
    """The objection to the witness of a width: two of its elements that are in an order."""
    for bound in bounds_of(document["arrays"][name]):
        if "points" not in (bound["witness"] or {}):
            continue
        witness = [tuple(element) for element in bound["witness"]["points"]]
        if len(set(witness)) != bound["cells"]:
            return (
                f"the {bound['kind']} is {bound['cells']}, its witness has"
                f" {len(set(witness))} elements"
            )
        values: dict[Any, list[Value]] = {}
        for value in listing.values[name]:
            values.setdefault(value.element, []).append(value)
        for k, x in enumerate(witness):
            for y in witness[:k]:
                pairs = [(a, b) for a in values.get(x, []) for b in values.get(y, [])]
                if not any(meets(a, b) or meets(b, a) for a, b in pairs):
                    return (
                        f"the {bound['kind']} of {bound['cells']} counts {named(name, x)} and"
                        f" {named(name, y)}, which no order keeps alive together"
                    )
    return ""


def _for_all_parameters(program: Program, name: str, document: Document) -> str:
    """The objection to the formulas of a mapping for some parameters; raises NotRelated."""
    folding = read_folding(name, _whole(name, document))
    if folding.kernel:
        return ""  # judged with the own order, by the lattice that the certificate states
    pairs = class_pairs(document, name)
    for piece in folding.pieces:
        own = pairs
        if piece.domain is not None:
            domain = symbolic_domain(piece, program.parameters)
            own = pairs.intersect_domain(domain).intersect_range(domain)
        objection = nonpositive_modulus(piece.rows, program.context)
        if objection:
            return objection
        answer = separates(piece.rows, differences_of(own))
        if not isinstance(answer, Separated):
            return f"not proved for all parameters in every order: {answer}"
    return ""
