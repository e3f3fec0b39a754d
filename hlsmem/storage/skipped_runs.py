"""The run of what holds all arrays: predicted, with branch FIFOs where they help, and its bound."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from itertools import repeat

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.cycle_model import Datapaths, Prediction
from hlsmem.cycle_model.cycle_floor import Flow, Reuse, least_cycles
from hlsmem.dependences.circuit_streams import PlainStream
from hlsmem.plan import Elastic
from hlsmem.storage.build import BuiltStorage
from hlsmem.storage.elastic import branch_fifos
from hlsmem.storage.kinds import Circuit
from hlsmem.storage.predicted_run import (
    MOST_WHOLE,
    Network,
    all_streams,
    network_of,
    predict_circuits,
    rows_of,
    simulated,
    with_few,
    without_stalls,
)

# Of the plans of an array's candidates, those that take at most so many times the least cycles.
CYCLES_ALLOWED = 1.05
# Runs that are simulated to find the fewest beats of branch FIFOs behind RAMs and FIFOs.
MOST_RUNS = 24
# Beats of a run up to which the cycles that no storage undercuts are looked for.
MOST_FOLLOWED = 2_000_000
# Rows from which the cycles of a long run are counted on, and how many more are looked at.
_FEW_ROWS, _ROWS_MORE = 6, 2
# Cycles at the ends of a run that no choice of storage saves.
ENDS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The predicted run of a choice, with its branch FIFOs; `lookups` is the work of all
    simulations."""

    prediction: Prediction
    elastic: tuple[Elastic, ...] = ()
    lookups: int = field(default=0, compare=False)


def least_of(
    built: Collection[BuiltStorage],
    datapaths: Datapaths,
    fastest: Collection[int | None] | None = None,
) -> int:
    """Cycles that a run of what holds all arrays does not undercut, with any branch FIFOs.

    With `fastest`, cycles that a beat of an array is in storage at least, those that no storage
    of it undercuts; None where an array stays in what holds it. Of a long run they are counted on
    from few of its rows that are alike; 0 where there are none and the beats are too many to be
    followed.
    """
    circuits = [circuit for one in built for circuit in one.circuits]
    least = [
        value
        for one, value in zip(built, fastest or repeat(None, len(built)), strict=True)
        for _ in one.circuits
    ]
    beats = sum(stream.beats for circuit in circuits for stream in circuit.streams)
    if beats > MOST_WHOLE:
        network = network_of(circuits, [junction for one in built for junction in one.junctions])
        found = _least_by_rows(network, least, datapaths)
        if found is not None:
            return found
    return 0 if beats > MOST_FOLLOWED else _followed(circuits, least, datapaths)


def _least_by_rows(
    network: Network, least: Sequence[int | None], datapaths: Datapaths
) -> int | None:
    """The same from runs of few rows, if two more take as many cycles more twice in a row.

    What a whole run takes is not proved by that: storage is chosen by it, nothing is claimed.
    """
    rows = rows_of(network, all_streams(network), datapaths)
    if rows is None:
        return None
    kept = _FEW_ROWS + rows.periods % _ROWS_MORE
    found = []
    for more in range(3):
        few = with_few(network, rows, kept + more * _ROWS_MORE)
        if few is None:
            return None
        found.append(_followed(few.memories, least, datapaths))
    first, second, third = found
    if third - second != second - first:
        return None
    return first + (rows.periods - kept) // _ROWS_MORE * (second - first)


def _followed(
    circuits: Sequence[Circuit], least: Sequence[int | None], datapaths: Datapaths
) -> int:
    """The same from all beats of some circuits."""
    streams: list[PlainStream] = []
    flows: list[Flow] = []
    reuses: list[Reuse] = []
    for circuit, cycles in zip(circuits, least, strict=True):
        streams += circuit.streams
        flows += circuit.flows(circuit.least_cycles if cycles is None else cycles)
        reuses += circuit.reuses() if cycles is None else ()
    return least_cycles(streams, flows, datapaths, reuses)


def run_of(built: Iterable[BuiltStorage], datapaths: Datapaths, least: Callable[[], int]) -> Run:
    """The run of what holds all arrays, with branch FIFOs where it stalls without and they help.

    `least` gives the cycles that no run of it undercuts, as `least_of`. Raises LimitError if
    nothing moves.
    """
    listed = tuple(built)
    circuits = [circuit for one in listed for circuit in one.circuits]
    joined = [junction for one in listed for junction in one.junctions]
    first = predict_circuits(circuits, datapaths, joined)
    plain = Run(prediction=first, lookups=first.lookups)
    if is_full(plain.prediction):
        return plain
    elastic = branch_fifos(circuits, datapaths.latency, joined)
    depths = {one.stream: one.beats for one in elastic}
    if not depths:
        return plain
    network = network_of(circuits, joined, depths)
    prediction = without_stalls(network, datapaths)
    if prediction is None:
        # A bound takes less than a simulation that is in vain.
        if not _can_help(plain, least()):
            return plain
        prediction = simulated(network, datapaths)
    run = Run(prediction=prediction, elastic=elastic, lookups=plain.lookups + prediction.lookups)
    after = run.prediction.cycles
    if after is None or not _can_help(plain, after):
        return replace(plain, lookups=run.lookups)
    if all(circuit.has_exact_depths for circuit in circuits):
        return run

    tried = list[Prediction]()

    def cycles(fewer: Mapping[str, int]) -> int | None:
        tried.append(predict_circuits(circuits, datapaths, joined, fewer))
        return tried[-1].cycles

    fewest = _fewest(elastic, depths, after, cycles)
    cycles({one.stream: one.beats for one in fewest})
    lookups = run.lookups + sum(one.lookups for one in tried)
    return Run(prediction=tried[-1], elastic=fewest, lookups=lookups)


def _can_help(plain: Run, cycles: int) -> bool:
    """True if a run with branch FIFOs in so many cycles is worth them."""
    before = plain.prediction.cycles
    return before is None or cycles * CYCLES_ALLOWED <= before


def _fewest(
    elastic: Sequence[Elastic],
    depths: Mapping[str, int],
    most: int | None,
    cycles: Callable[[Mapping[str, int]], int | None],
) -> tuple[Elastic, ...]:
    """The branch FIFOs with as few beats each, the widest first, as a run takes no cycle more with.

    So many runs are looked at, at most, then the rest stays as it is.
    """
    fewest, left = dict(depths), MOST_RUNS
    for one in sorted(elastic, key=lambda one: one.bits, reverse=True):
        low, high = 0, fewest[one.stream]
        while low < high and left:
            middle, left = (low + high) // 2, left - 1
            found = cycles(_filled({**fewest, one.stream: middle}))
            if found is not None and most is not None and found <= most:
                high = middle
            else:
                low = middle + 1
        fewest[one.stream] = high
    return tuple(replace(one, beats=fewest[one.stream]) for one in elastic if fewest[one.stream])


def _filled(depths: Mapping[str, int]) -> dict[str, int]:
    """The branch FIFOs that there are."""
    return {stream: beats for stream, beats in depths.items() if beats}


def is_full(prediction: Prediction) -> bool:
    """True if a run takes hardly more cycles than its longest stream has beats."""
    if prediction.cycles is None:
        return (prediction.interval or 1.0) <= CYCLES_ALLOWED
    beats = max((stream.beats for stream in prediction.streams), default=0)
    return prediction.cycles <= CYCLES_ALLOWED * beats + ENDS
