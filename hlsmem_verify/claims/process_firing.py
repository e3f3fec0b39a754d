"""Claims of processes that run by themselves: none waits for itself, windows fit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hlsmem_verify.claims.mappings import cells_of, rows_of
from hlsmem_verify.facts import Facts, Part
from hlsmem_verify.isl_values import Point
from hlsmem_verify.outcomes import False_, Unknown, must_be
from hlsmem_verify.program import WRITES


def prove_window(facts: Facts, part: Part) -> None:
    """Lemma *window*: a write has the cell of its number, and waits for all who read it."""
    mapping, rules = part.stated["mapping"], facts.program.rules
    if rules.get("capacity") != "selftimed":
        raise False_("a window is for processes that run by themselves")
    at = {"scope": "at", "at": facts.document["params"]}
    if mapping["certificate"] != mapping["certificate"] | at:
        raise False_("it is not for the plan's parameters")
    must_be("pieces", [one["domain"] for one in mapping["pieces"]], [None])
    ((_, modulus),) = rows_of(facts, mapping["pieces"][0], len(part.array["index"]))
    words = modulus.at(facts.values)
    must_be("cells", mapping["cells"], words)
    if words < 1:
        raise False_("a modulus is less than 1")
    cell = cells_of(facts, mapping, facts.values)
    values = facts.play.lives(part.name, operands=part.operands, takes=part.takes)
    if len({one.element for one in values}) < len(values):
        raise False_("an element is written twice")
    first = cell(values[0].element)[1] if values else 0
    for number, one in enumerate(values):
        if cell(one.element) != (0, (first + number) % words):
            raise False_(f"write {number} of {list(one.element)} has not the cell of its turn")
    facts.hold(prove_firing)


def prove_firing(facts: Facts) -> None:
    """Lemma *firing*: no instance waits for itself."""
    found = _waiting(facts)
    if found:
        raise False_(f"processes do not come to their end: {found} waits for itself")


def _waiting(facts: Facts) -> str:
    """An instance that waits for itself; "" where there is none.

    A process fires its instances in their order, each once what it reads is written and what
    it writes has a place. A FIFO of w words has one for a write when the value w writes before
    is read, a window when all have read the one in its cell; other arrays keep the order of
    the schedule. Where no instance waits for itself all fire, however fast each process is.
    """
    before: dict[tuple[str, Point], set[tuple[str, Point]]] = {}
    turns: dict[str, list[tuple[Point, str]]] = {}
    for name in facts.program.statements:
        queue = turns.setdefault(facts.program.rules["statements"][name]["process"], [])
        queue += [(time, name) for time, _ in facts.play.instances(name)[0]]
    process_of: dict[str, str] = {}
    for process, own in turns.items():
        own.sort()
        process_of |= dict.fromkeys((name for _, name in own), process)
        last = None
        for time, name in own:
            before[name, time] = set() if last is None else {last}
            last = (name, time)
    for array in {a["array"] for s in facts.program.statements.values() for a in s["accesses"]}:
        events = facts.play.events(array)
        held: list[Any] = [*facts.held(array)]
        held = held or [None]
        for part in held:
            if part and facts.memory(part)["kind"] in ("fifo", "window"):
                writer = {t: s[3 + len(array) :] for t, kind, s, *_ in events if kind in WRITES}
                for one, other in _waits(facts, array, part, facts.memory(part), writer):
                    before[one] |= {other} - {one}
                continue
            seen: dict[bool, dict[str, tuple[str, Point]]] = {True: {}, False: {}}
            for time, kind, stream, number, _ in events:
                is_write, name = kind in WRITES, stream[3 + len(array) :]
                if is_write or not part or [stream, number] in part["operands"]:
                    before[name, time] |= set(seen[not is_write].values()) - {(name, time)}
                    seen[is_write][process_of[name]] = (name, time)
    followers: dict[tuple[str, Point], list[tuple[str, Point]]] = {}
    left = {one: len(those) for one, those in before.items()}
    for one, those in before.items():
        for other in those:
            followers.setdefault(other, []).append(one)
    ready = [one for one, many in left.items() if not many]
    while ready:
        for one in followers.get(fired := ready.pop(), ()):
            left[one] -= 1
            if not left[one]:
                ready.append(one)
        del left[fired]
    return "".join(f"{name} at {list(time[1:])}" for name, time in [*left][:1])


def _waits(
    facts: Facts, array: str, part: dict[str, Any], memory: dict[str, Any], writer: dict[Point, str]
) -> Iterator[tuple[tuple[str, Point], tuple[str, Point]]]:
    """(instance, one that it waits for) of a FIFO or a window."""
    takes = part["takes"] and facts.program.set(part["takes"], "takes").reset_tuple_id()
    operands = [(str(s), int(k)) for s, k in part["operands"]]
    places: dict[int, list[tuple[str, Point]]] = {}
    values = facts.play.lives(array, operands=operands, takes=takes)
    for number, value in enumerate(values):
        if value.born[0] != 1 or any(time[0] != 1 for time, *_ in value.uses):
            raise Unknown("values from before or after a run that times itself")
        written = (writer[value.born], value.born)
        readers = [(stream[3 + len(array) :], time) for time, stream, _ in value.stored]
        yield from ((reader, written) for reader in readers)
        place = number % max(1, memory["words"] // memory["copies"])
        yield from ((written, reader) for reader in places.get(place, ()))
        places[place] = readers
