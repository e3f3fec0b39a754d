"""Read streams that have the RAMs of a banked copy to themselves, and their circuit then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlsmem.dependences.bank_forms import Route

if TYPE_CHECKING:
    from hlsmem.storage.ram.circuit import MemoryCircuit, StreamCircuit

# Cycles from the issue of a beat until a register behind the turn has it.
TURN_LATENCY = 4


def reads_alone(memory: MemoryCircuit, stream: StreamCircuit) -> bool:
    """True if all words of a stream come from a banked copy that no other stream reads.

    Then they may wait in the RAMs.
    """
    if stream.route is None or stream.is_write:
        return False
    copies = {o.copy for o in stream.operands if o.copy is not None}
    others = {o.copy for s in memory.streams if s is not stream for o in s.operands}
    return copies == {stream.route.copy} and not copies & others


def is_turned(memory: MemoryCircuit, stream: StreamCircuit) -> bool:
    """True if the words of a stream go to their operands through `hlsmem_rotator`.

    There all beats stand still with the one at the end, so that a beat is issued by the ready of
    the same cycle. No write may wait for these reads: it could be what ready waits for. Their RAMs
    may be read later than they are asked then, from an address in a register.
    """
    if stream.route is None or not reads_alone(memory, stream):
        return False
    position = memory.streams.index(stream)
    waited = any(gate.other == position for other in memory.streams for gate in other.gates)
    return not waited and lane_turns(stream.route, memory.banks) is not None


def lane_turns(route: Route, banks: int) -> tuple[int, ...] | None:
    """Per operand its bank where the selector is 0, if it turns with the selector; else None."""
    if not route.is_shared:
        return None
    firsts: list[int] = []
    for lane in route.lanes:
        found = {(bank - value) % banks for value, bank in enumerate(lane) if bank is not None}
        if len(found) != 1:
            return None
        firsts += found
    return tuple(firsts)


def latency_of(memory: MemoryCircuit, stream: StreamCircuit) -> int:
    """Cycles from the issue of a read beat until it is at the port."""
    return TURN_LATENCY if is_turned(memory, stream) else memory.read_latency
