"""The run of circuits, predicted: every kind of storage brings what is simulated in it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

from hlsmem.core.budgets import ACCESSES
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.cycle_model import Datapaths, Prediction, predict_players
from hlsmem.cycle_model.circuit_model import Machine, Outcome
from hlsmem.cycle_model.closed_form import Passage, closed_form
from hlsmem.cycle_model.cycle_prediction import predict_rows
from hlsmem.cycle_model.repeated_rows import Rows, rows_alike
from hlsmem.cycle_model.stream_models import Stream, StreamModels, Writer
from hlsmem.dependences.circuit_streams import PlainStream
from hlsmem.dependences.row_period import Cut
from hlsmem.polyhedra import DimType
from hlsmem.storage.junctions import Junction
from hlsmem.storage.kinds import Circuit

# Beats of all streams together, up to which a run is simulated whole where it need not be; where it
# has to, that are as many as are listed.
MOST_WHOLE = 200_000
# No branch FIFO behind any read stream.
NO_DEPTHS: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """Circuits that run together. `forks` are write streams that bring the same beats to several
    parts of an array, and `sinks` the streams of those beats that no part takes.

    `depths` are the beats of branch FIFOs by the read streams that they stand behind.
    """

    memories: tuple[Circuit, ...]
    joined: tuple[Junction, ...]
    forks: tuple[tuple[str, ...], ...]
    sinks: tuple[PlainStream, ...]
    depths: Mapping[str, int]

    @property
    def step_entries(self) -> int:
        return self.memories[0].step_entries if self.memories else 0


def network_of(
    memories: Sequence[Circuit],
    joined: Sequence[Junction] = (),
    depths: Mapping[str, int] = NO_DEPTHS,
) -> Network:
    """The network of circuits; `joined` are the junctions of arrays in several parts."""
    forks, sinks = [], []
    for junction in joined:
        if junction.is_write:
            sink = junction.sink()
            sinks += [] if sink is None else [sink]
            names = [branch.stream for branch in junction.branches]
            forks.append((*names, *([] if sink is None else [sink.name])))
    return Network(
        memories=tuple(memories),
        joined=tuple(joined),
        forks=tuple(forks),
        sinks=tuple(sinks),
        depths=depths,
    )


def predict_circuits(
    memories: Sequence[Circuit],
    datapaths: Datapaths,
    joined: Sequence[Junction] = (),
    depths: Mapping[str, int] = NO_DEPTHS,
    outcome: Outcome | None = None,
) -> Prediction:
    """The prediction for circuits that run together, with these datapaths.

    `joined` and `depths` are those of a network. In closed form where no beat has to wait, else
    by a simulation of the run; where that is too long, cycles are not known and the reason says so.
    With an `outcome` the instances in it do not run.

    Raises LimitError if nothing moves: a defect of the plan, the blocked streams are named.
    """
    network = network_of(memories, joined, depths)
    found = without_stalls(network, datapaths)
    return simulated(network, datapaths, outcome) if found is None else found


def without_stalls(network: Network, datapaths: Datapaths) -> Prediction | None:
    """The prediction in closed form; None where beats may wait."""
    passages = [memory.passage(network.depths) for memory in network.memories]
    known = [passage for passage in passages if passage is not None]
    if not known or len(known) < len(passages) or datapaths.carried or datapaths.joined:
        return None
    known += [Passage(writer=sink, links=()) for sink in network.sinks]
    return closed_form(known, network.step_entries, datapaths, network.forks)


def simulated(network: Network, datapaths: Datapaths, outcome: Outcome | None = None) -> Prediction:
    """The prediction by a simulation: of a few rows of a long run where its rows are alike."""
    whole = all_streams(network)
    beats = sum(stream.beats for stream in whole)
    found = _by_rows(network, whole, datapaths) if beats > MOST_WHOLE else None
    if found is None and beats > ACCESSES:
        told = f"cycles are not predicted: the streams have {beats} beats, and runs in which beats"
        told += f" wait are played up to {ACCESSES}"
        return Prediction(cycles=None, interval=None, reason=told, wait=None, streams=())
    if found is None:
        players = _players(network)
        steps = network.step_entries
        found = predict_players(players, steps, datapaths, network.forks, outcome)
    return _outside(found, network.joined)


def all_streams(network: Network) -> list[PlainStream]:
    """The streams of a network, those of beats that no part takes too."""
    inner = [stream for memory in network.memories for stream in memory.streams]
    return [*inner, *network.sinks]


def _players(network: Network) -> list[StreamModels]:
    """The simulated models of a network."""
    players = [memory.players(network.depths) for memory in network.memories]
    streams = [Stream(sink) for sink in network.sinks]
    return players + [
        StreamModels(streams=(s,), readers=(), writers=(Writer(s, ()),)) for s in streams
    ]


def _by_rows(
    network: Network, whole: Sequence[PlainStream], datapaths: Datapaths
) -> Prediction | None:
    """The prediction from a few rows; None where it takes all."""
    rows = rows_of(network, whole, datapaths)
    if rows is None:
        return None

    def machine_of(kept: int) -> Machine | None:
        few, own = with_few(network, rows, kept), datapaths.without(rows.cut(kept))
        if few is None or not own.is_clear():
            return None
        return Machine(_players(few), own, few.forks)

    return predict_rows(rows, whole, machine_of, network.step_entries)


def rows_of(network: Network, whole: Sequence[PlainStream], datapaths: Datapaths) -> Rows | None:
    """Rows of the run of a network that are alike, `whole` are all its streams; None where it has
    too few, or what is looked up in storage is not known row by row, nor is what data decide."""
    if any(stream.predicate_reads() for stream in whole):
        return None
    inner = [stream for stream in whole if not stream.is_fill]
    times = [stream.instances.times for stream in inner]
    for memory in network.memories:
        times += memory.row_times()
    times += datapaths.row_times()
    if any(one is None for one in times):  # a chain whose beats were listed
        return None
    if len({one.dim(DimType.set) for one in times}) > 1:
        return None
    rows = rows_alike(times, partial(_tables, network, datapaths))
    if rows is None or rows.entry >= network.step_entries:
        return None
    cut = rows.cut(0)
    return rows if all(memory.counts_evenly(cut) for memory in network.memories) else None


def with_few(network: Network, rows: Rows, kept: int) -> Network | None:
    """The network of a run with so many periods of its rows; None where what is looked up in it
    takes rows that were left out."""
    few = _without(network, rows.cut(kept))
    return few if all(memory.is_clear() for memory in few.memories) else None


def _tables(network: Network, datapaths: Datapaths, entry: int) -> list[Any] | None:
    """Tables that a run looks up in storage, as sets of times with them; None if not in rows."""
    found: list[Any] = datapaths.row_tables(entry)
    for memory in network.memories:
        tables = memory.row_tables(entry)
        if tables is None:
            return None
        found += tables
    return found


def _without(network: Network, cut: Cut) -> Network:
    """The network of a run with a cut."""
    memories = tuple(memory.without(cut) for memory in network.memories)
    sinks = tuple(sink.without(cut) for sink in network.sinks)
    return replace(network, memories=memories, sinks=sinks)


def _outside(prediction: Prediction, joined: Sequence[Junction]) -> Prediction:
    """The prediction with a reason that names the streams of arrays, not those of their parts."""
    if prediction.reason is None:
        return prediction
    names = {branch.stream: one.name for one in joined for branch in one.branches}
    words = re.split(r"(\w+)", prediction.reason)
    return replace(prediction, reason="".join(names.get(word, word) for word in words))
