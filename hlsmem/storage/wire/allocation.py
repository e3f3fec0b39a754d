"""Where a wire holds an array: one statement reads what another writes in the same step, and waits
for nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hlsmem.core.wording import listed
from hlsmem.dependences.value_sources import later_steps
from hlsmem.program.model import Order, Program
from hlsmem.storage.chain.allocation import NoChain

if TYPE_CHECKING:
    from hlsmem.storage.chain.circuit import ChainCircuit
    from hlsmem.storage.partition_requests import Share


def find_wire(share: Share) -> ChainCircuit | str:
    """The chain of the newest beat alone that the wire stands for, or why there is no wire.

    A reader that waits for another stream too needs its beat kept until that comes.
    """
    program = share.program
    if program.order is not Order.ITERATION:
        return "order: sequential has no steps of several statements"
    if share.conditions.slack:
        return "with plan.slack ready depends on registers only"
    if program.lanes:
        return "its loops are unrolled"
    chain = share.chain
    if isinstance(chain, NoChain):
        return chain.reason
    if len(chain.readers) > 1:
        names = listed([reader.name for reader in chain.readers])
        return f"{names} go at paces of their own"
    (reader,) = chain.readers
    if chain.chain.words:
        far = max(reader.distances)
        operand = reader.distances.index(far)
        return f"{reader.name}.{operand} reads what came {far} beats before the newest"
    if reader.newest is None or not later_steps(program, reader.newest).is_empty():
        return f"{reader.name} reads what an earlier step wrote"
    others = [name for name in _read_with(share.source, reader.statement) if name not in share.own]
    if others:
        return f"{reader.statement} waits for {others[0]} too, so that a beat is kept for it"
    return chain


def _read_with(program: Program, statement: str) -> Iterator[str]:
    """All operands of the read streams of a statement, such as m_a_S.0."""
    planned = {array.name for array in program.planned_arrays()}
    numbers: dict[str, int] = {}
    (reads,) = (one.reads for one in program.statements if one.name == statement)
    for access in reads:
        if access.array in planned:
            number = numbers.get(access.array, 0)
            numbers[access.array] = number + 1
            yield f"m_{access.array}_{statement}.{number}"
