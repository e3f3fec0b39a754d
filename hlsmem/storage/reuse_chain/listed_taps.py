"""Reuse chains found by listing all beats: where isl has no numbers for the write beats."""

from __future__ import annotations

from typing import Any

import numpy as np

from hlsmem.addressing.nest_points import Listed
from hlsmem.dependences.beat_relations import array_relations, refuse_many
from hlsmem.dependences.requirements import Dependences, clock_of, dependences
from hlsmem.dependences.stream_forms import BeatStream, array_streams
from hlsmem.program.model import Array, Order, Program
from hlsmem.storage.reuse_chain.chain_selection import Following, NoChain, Reuse


def listed_chain(program: Program, array: Array) -> Reuse | NoChain:
    """`find_chain` for an array of one write stream that its readers do not feed.

    Raises LimitError where the beats are too many to be listed.
    """
    relations = array_relations(program, array)
    refuse_many(relations, "isl has no numbers for the write beats")
    streams = array_streams(program, array)
    found = dependences(program, streams)
    clock = clock_of(program, streams)
    stepwise = program.order is Order.ITERATION
    steps = clock.step if stepwise else clock.code
    writer = next(k for k, stream in enumerate(streams) if stream.is_write)
    points, lanes = streams[writer].visits.points, len(streams[writer].operands)
    written = steps(streams[writer].times)
    readers = []
    for reader, stream in enumerate(streams):
        if stream.is_write:
            continue
        # In a step the chain has taken its element before it is read; else writes come last.
        now = steps(stream.times) + int(stepwise)
        newest = np.searchsorted(written, now) - 1
        distances = _distances(stream, found, reader, newest, lanes)
        if isinstance(distances, NoChain):
            return distances
        if (np.diff(newest) <= 0).any():
            several = np.unique(newest, return_counts=True)[1]
            beats = int(several[several > 1][0])
            name = streams[reader].statement
            return NoChain(f"{name} has {beats} read beats between two writes")
        readers.append(
            Following(
                stream=relations[reader],
                distances=distances,
                emitted=_chosen(points, newest),
                taken=tuple(
                    None if operand.taken.all() else _chosen(points, newest[operand.taken])
                    for operand in stream.operands
                ),
                newest=None,
            )
        )
    return Reuse(writer=relations[writer], readers=tuple(readers), lanes=lanes)


def _chosen(points: Any, beats: Any) -> Listed:
    mask = np.zeros(len(points), dtype=bool)
    mask[beats] = True
    return Listed(points, mask)


def _distances(
    stream: BeatStream, found: Dependences, reader: int, newest: Any, lanes: int
) -> tuple[int, ...] | NoChain:
    """Elements between each operand and the newest of `lanes` a beat."""
    distances = []
    sources = zip(found.wire_beat[reader], found.wire_operand[reader], strict=True)
    for operand, (beat, place) in zip(stream.operands, sources, strict=True):
        behind = ((newest - beat) * lanes + lanes - 1 - place)[operand.taken]
        low, high = (int(behind.min()), int(behind.max())) if behind.size else (0, 0)
        if low != high or low < 0:
            where = f" at {operand.source_location}" if operand.source_location else ""
            return NoChain(
                f"the read of {stream.array!r}{where} lies {low} to {high} elements behind"
                " the newest"
            )
        distances.append(low)
    return tuple(distances)
