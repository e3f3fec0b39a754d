"""Why a stream has no beat in a cycle: whom it waits for, and whom that one waits for in turn.

The last link is what holds all of them back. Where the links go round, a value has to come
back before the next one can go.
"""

from __future__ import annotations

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import counted
from hlsmem.cycle_model.circuit_model import Machine
from hlsmem.cycle_model.stream_models import Datapath, Hold, Stream

_OF_DATAPATHS = (Hold.ROOM, Hold.RESULT)


@dataclass(frozen=True, slots=True)
class Link:
    """A stream, what holds it back, and the other stream."""

    stream: Stream
    hold: Hold
    other: Stream


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """A stream, what holds it back, and the other stream, by their names.

    `round_cycles` is not 0 where the other waits for this one in turn, or has to be computed: the
    cycles until a value is back. `step_beats` are the most beats of a step, where these are what
    is held back by.
    """

    stream: str
    hold: Hold
    other: str | None = None
    round_cycles: int = 0
    step_beats: int = 0

    @property
    def is_under_way(self) -> bool:
        """True if nothing but a value on its way is waited for."""
        return self.hold is Hold.RESULT or (self.hold is Hold.ROOM and self.other is None)

    def text(self) -> str:
        match self.hold:
            case Hold.GATE if self.round_cycles:
                back = f"whose value is back after {counted(self.round_cycles, 'cycle')}"
                return f"{self.stream} waits for {self.other}, {back}"
            case Hold.PORT:
                return f"{self.stream} waits at the write port for {self.other}"
            case Hold.IDLE:
                return f"{self.stream} passes places without a beat"
            case Hold.COPY:
                return f"{self.stream} waits for other reads of its copy"
            case Hold.STEP:
                return f"a step has up to {self.step_beats} beats of {self.stream}"
            case Hold.CARRIED:
                after = f"which the datapath has after {counted(self.round_cycles, 'cycle')}"
                return f"{self.stream} waits for {self.other}, {after}"
        return f"{self.stream} waits for {self.other or 'its datapath'}"


def cause(machine: Machine, stream: Stream) -> Wait:
    """The reason that holds `stream` back in this cycle, in which it has no beat.

    To be asked between the commits of a cycle and the moves of its datapaths. A link that has
    a beat just now but had none before is asked for the reason of that.
    """
    links: list[Link] = []
    while True:
        hold, by = (stream.hold, stream.by) if stream.hold else stream.held
        if hold is None:  # it has a beat in every cycle
            before = links[-1]
            return _wait(before.stream, before.hold, stream)
        carried = _carried(machine, stream, hold)
        if carried is not None:
            return carried
        other = _other(machine, stream, hold, by)
        if other is None or hold is Hold.PORT:
            return _wait(stream, hold, other)
        links.append(Link(stream, hold, other))
        if any(link.stream is other for link in links):
            return _around(machine, links, other)
        stream = other


def _wait(stream: Stream, hold: Hold, other: Stream | None, cycles: int = 0) -> Wait:
    return Wait(
        stream=stream.circuit.name,
        hold=hold,
        other=other.circuit.name if other else None,
        round_cycles=cycles,
    )


def _other(machine: Machine, stream: Stream, hold: Hold, by: Stream | None) -> Stream | None:
    """Whom a stream waits for, if it is one."""
    if hold in (Hold.GATE, Hold.PORT, Hold.CONDITION):
        return by
    path = machine.path_of.get(stream)
    return _missing(path, stream) if path is not None and hold in _OF_DATAPATHS else None


def _carried(machine: Machine, stream: Stream, hold: Hold) -> Wait | None:
    """The value that the datapath of a stream has not computed yet, if that holds it back."""
    path = machine.path_of.get(stream) if hold in _OF_DATAPATHS else None
    if path is None or path.late is None:
        return None
    kept = path.late
    value = f"the {kept.array} of {kept.of.name}"
    return Wait(
        stream=stream.circuit.name,
        hold=Hold.CARRIED,
        other=value,
        round_cycles=max(1, kept.of.latency if kept.cycles is None else kept.cycles),
    )


def _missing(path: Datapath, asking: Stream) -> Stream | None:
    """The stream of an instance that the datapath waits for, not that which asks.

    A write beat that is not accepted, else a read beat that is not there, or was late.
    """
    if path.at_end >= 0:
        for writer in path.ports[path.kinds[path.at_end]][1]:
            if writer not in path.accepted and writer.hold is not None and writer is not asking:
                return writer
    if path.following >= len(path.kinds):
        return None
    readers = path.ports[path.kinds[path.following]][0]
    others = [reader for reader in readers if reader.stream is not asking]
    late = [r.stream for r in others if not path.complete and not r.is_valid()]
    late += [r.stream for r in others if r.stream.hold is not None]
    return late[0] if late else None


def _around(machine: Machine, links: list[Link], entry: Stream) -> Wait:
    """The read of a round that waits for a write, with the cycles of the round."""
    start = next(k for k, link in enumerate(links) if link.stream is entry)
    ring = links[start:]
    cycles = sum(
        machine.path_of[link.stream].latency + machine.latency_of[link.other] + 1
        for link in ring
        if link.hold is Hold.RESULT and link.other in machine.latency_of
    )
    gates = [link for link in ring if link.hold is Hold.GATE and not link.stream.circuit.is_write]
    link = gates[0] if gates else ring[0]
    return _wait(link.stream, link.hold, link.other, cycles)
