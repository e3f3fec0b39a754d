"""Channels: the values of one write that one operand reads.

Source: the definitions of process networks as in Turjan, Kienhuis, Deprettere, "Translating
affine nested-loop programs to process networks" (CASES 2004); the dataflow is value-based.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import field
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.relations import maps_of
from hlsmem.program.model import Access, Program, Statement, Storage
from hlsmem.timing.events import LIVE_IN, LIVE_OUT, full_events
from hlsmem.timing.value_flow import dataflow


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """Values that `source` writes to `array` and operand `operand` of `sink` reads.

    `uses` is { time of the read -> time of the write }, one write for each read; `writes` are
    the times of all instances of the source. Both are within the context. Where the write or the
    read may not happen, the channel is `conditional`, and `uses` has every write that may be seen.
    """

    source: Statement
    array: str
    sink: Statement
    operand: int
    uses: Any = field(compare=False)
    writes: Any = field(compare=False)
    conditional: bool = False

    def __str__(self) -> str:
        """E.g. "P -> C.0 by blurx"."""
        return f"{self.source.name} -> {self.sink.name}.{self.operand} by {self.array}"


def channels_of(program: Program, arrays: Collection[str] | None = None) -> tuple[Channel, ...]:
    """The channels of a program in its own order: by array, then by reader, operand and writer.

    Values that live before the program or after it pass through no channel. Constants are none.
    With `arrays`, those of these alone.
    """
    full = full_events(program)
    found = list[Channel]()
    for name, array in program.arrays.items():
        if array.storage is Storage.ROM or (arrays is not None and name not in arrays):
            continue
        flow = maps_of(dataflow(program, name, full).uses)  # [A[x] -> W[i]] -> R[j]
        for sink in program.statements:
            for operand, access in enumerate(sink.reads):
                if access.array != name:
                    continue
                touched = access.relation.intersect_domain(sink.domain)
                found += _of_operand(program, flow, sink, operand, touched)
    return tuple(found)


def _of_operand(
    program: Program, flow: list[Any], sink: Statement, operand: int, touched: Any
) -> Iterator[Channel]:
    """The channels into one operand, which reads the elements `touched`."""
    for source in program.statements:
        for one in flow:
            writer = one.domain().unwrap().get_tuple_name(DimType.out)
            reader = one.get_tuple_name(DimType.out)
            if reader in (LIVE_OUT,) or writer in (LIVE_IN,):
                continue
            if (writer, reader) != (source.name, sink.name):
                continue
            pairs = one.intersect_domain_factor_domain(touched.reverse()).domain_factor_range()
            pairs = pairs.reverse()  # { R[j] -> W[i] }
            uses = pairs.apply_domain(_times(sink)).apply_range(_times(source))
            uses = uses.intersect_params(program.context).coalesce()
            if not uses.is_empty():
                yield Channel(
                    source=source,
                    array=touched.get_tuple_name(DimType.out),
                    sink=sink,
                    operand=operand,
                    uses=uses,
                    writes=_times(source).range().intersect_params(program.context).coalesce(),
                    conditional=not (
                        sink.reads[operand].must and _writes_are_sure(program, sink.reads[operand])
                    ),
                )


def _writes_are_sure(program: Program, read: Access) -> bool:
    """True if all writes of the array happen: one that may not changes what all readers see."""
    return all(
        access.must
        for one in program.statements
        for access in one.writes
        if access.array == read.array
    )


def _times(statement: Statement) -> Any:
    return statement.schedule.intersect_domain(statement.domain)
