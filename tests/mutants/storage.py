"""Faults of storage planted in plan.json: a memory that is told as another one, leaf by leaf.

A single leaf that is wrong stands out beside others. So words, copies and banks change together, as
they would where a planner chose another memory than was built, and mappings with their cells.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from math import prod
from typing import Any

from tests.mutants.plans import Document, PlanFault

KINDS = ("registers", "ram", "banked", "fifo", "chain")
STYLES = ("auto", "block")


def stored(subject: str, text: str) -> list[PlanFault]:
    """The faults of all memories, mappings, streams and cells of C in a plan.json."""
    document = json.loads(text)
    faults = [*_memories(document), *_mappings(document), *_streams(document), *_cells(document)]
    return [PlanFault(subject, name, change) for name, change in faults]


_Fault = tuple[str, Callable[[Document], None]]


def _memories(document: Document) -> Iterator[_Fault]:
    for name, memory in document["memories"].items():
        put = partial(_memory, name)
        kind, words, copies, banks = (memory[k] for k in ("kind", "words", "copies", "banks"))
        one = {"copies": 1, "banks": 1, "words": words // copies}
        for other in KINDS:
            if other != kind:
                yield f"{name} told as {other}", put(kind=other, **one)
        more = {"copies": copies + 1, "words": words // copies * (copies + 1)}
        yield f"{name} in a copy more", put(**more)
        if copies > 1:
            yield f"{name} in one copy", put(copies=1, words=words // copies)
        if banks > 1:
            yield f"{name} in half of its banks", put(banks=banks // 2)
            yield f"{name} in one bank", put(banks=1)
        yield f"{name} of a word more", put(words=words + 1)
        if words > 1:
            yield f"{name} of a word less", put(words=words - 1)
            yield f"{name} of half of its words", put(words=words // 2)
        yield f"{name} of a bit less", put(bits=max(memory["bits"] - 1, 0))
        style = STYLES[memory["style"] == STYLES[0]]
        yield f"{name} of style {style}", put(style=style)
    for one, other in pairwise(document["memories"]):
        if document["memories"][one] != document["memories"][other]:
            yield f"{one} told as {other}, and back", partial(_exchanged, "memories", one, other)
        yield f"parts of {one} in {other}, and back", partial(_moved, one, other)


def _memory(name: str, **leaves: Any) -> Callable[[Document], None]:
    return lambda document: document["memories"][name].update(leaves)


def _exchanged(holder: str, one: Any, other: Any, document: Any) -> None:
    held = document[holder]
    held[one], held[other] = held[other], held[one]


def _moved(one: str, other: str, document: Document) -> None:
    to = {one: other, other: one}
    for part in _dicts(document, "memory"):
        part["memory"] = to.get(part["memory"], part["memory"])


def _mappings(document: Document) -> Iterator[_Fault]:
    for name in document["arrays"]:
        # A scalar has one cell, and no modulus.
        if any(one["modulus"] for one in _dicts(document["arrays"][name], "modulus")):
            yield f"all moduli of {name} one larger", partial(_grown, name, 1)
            yield f"all moduli of {name} one smaller", partial(_grown, name, -1)


def _grown(name: str, by: int, document: Document) -> None:
    """Another last modulus in all mappings of an array, and their cells; words, where it has one
    memory."""
    array = document["arrays"][name]
    for mapping in _dicts(array, "pieces"):
        for piece in mapping["pieces"]:
            piece["modulus"][-1] += f" {'+' if by > 0 else '-'} {abs(by)}"
            piece["modulus_value"][-1] += by
        mapping["cells"] = sum(prod(piece["modulus_value"]) for piece in mapping["pieces"])
    held = {part["memory"] for part in _dicts(array, "memory")}
    if len(held) == 1:
        memory = document["memories"][held.pop()]
        memory["words"] = (memory["words"] // memory["copies"] + by) * memory["copies"]


def _streams(document: Document) -> Iterator[_Fault]:
    for number, stream in enumerate(document["streams"]):
        put = partial(_operands, number)
        if stream["operands"]:
            first = stream["operands"][0]
            yield f"{stream['name']} of nonsense", put({**first, "element": "nonsense[0]"})
        if len({one["element"] for one in stream["operands"][:2]}) > 1:
            second = stream["operands"][1]
            elements = ({**first, "element": second["element"]}, {**second, **_element(first)})
            yield f"{stream['name']} of elements exchanged", put(*elements)


def _element(operand: Document) -> Document:
    return {"element": operand["element"]}


def _operands(number: int, *operands: Document) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        document["streams"][number]["operands"][: len(operands)] = operands

    return change


def _cells(document: Document) -> Iterator[_Fault]:
    """Cells of C: where those of two arrays begin, exchanged, and a byte later."""
    hosts = {name: _dicts(array, "cell_bytes") for name, array in document["arrays"].items()}
    names = [name for name, found in hosts.items() if found and found[0]["at"] is not None]
    for one, other in pairwise(names):
        yield (
            f"C's cells of {one} and {other} exchanged",
            partial(_places, {one: other, other: one}),
        )
    for name in names:
        yield f"C's cells of {name} somewhere else", partial(_later, name)
        yield f"C's cells of {name} twice as wide", partial(_wider, name)


def _places(to: dict[str, str], document: Document) -> None:
    found = {name: _dicts(document["arrays"][name], "cell_bytes")[0] for name in to}
    places = {name: found[other]["at"] for name, other in to.items()}
    for name, place in places.items():
        found[name]["at"] = place


def _later(name: str, document: Document) -> None:
    (host, *_) = _dicts(document["arrays"][name], "cell_bytes")
    host["at"] += host["cell_bytes"]


def _wider(name: str, document: Document) -> None:
    (host, *_) = _dicts(document["arrays"][name], "cell_bytes")
    host["cell_bytes"] *= 2


def _dicts(document: Any, key: str) -> list[Document]:
    """All dictionaries with a key, at any depth, in the order of the text."""
    if isinstance(document, list):
        return [found for one in document for found in _dicts(one, key)]
    if not isinstance(document, dict):
        return []
    own = [document] if key in document else []
    return [*own, *(found for one in document.values() for found in _dicts(one, key))]
