"""Wires of a plan: whether the beats of their one reader may wait where they come from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hlsmem.program import Order, Program
from hlsmem.verification.holdings import parts_of
from hlsmem.verification.parts import Part
from hlsmem.verification.rules import rules_of


def is_wire(part: Part) -> bool:
    return bool(part.entry["kind"] == "wire")


def wired_streams(document: Mapping[str, Any]) -> frozenset[str]:
    """The read streams of a plan that show in a cycle what is written in it."""
    return frozenset(
        stream
        for array in document["arrays"].values()
        for part in parts_of(array)
        if document["memories"][part["memory"]]["kind"] == "wire"
        for stream, _ in part["operands"]
    )


def wire_fault(program: Program, part: Part, document: Mapping[str, Any]) -> str:
    """Why a part of the divided program is no wire; empty where it may be one.

    A write beat then goes when its reader takes it: one statement that waits for nothing else.
    That the newest element is what it reads, its taps say.
    """
    words = document["memories"][part.entry["memory"]]["words"]
    if words:
        return f"a wire holds no word, its memory has {words}"
    if program.order is not Order.ITERATION:
        return "a wire is for reads of the step that writes, and the order is sequential"
    if rules_of(document).slack:
        return "with slack ready depends on registers only, that of a wire on its reader"
    readers = [s for s in program.statements if any(a.array == part.name for a in s.reads)]
    if len(readers) != 1:
        return f"{len(readers)} statements read a wire, at paces of their own"
    planned = {array.name for array in program.planned_arrays()}
    others = {access.array for access in readers[0].reads} & planned - {part.name}
    if others:
        return f"{readers[0].name} reads a wire, and waits for {min(others)} too"
    return ""
