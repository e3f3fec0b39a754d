"""The words of FIFOs and windows where processes run by themselves: as few as let them end.

Such networks are confluent (Kahn): a run that ends with bounded channels does so in whatever order
processes are fired, and however streams stall.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from hlsmem.core.errors import InputError, LimitError
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.network.channels import Channel, channels_of
from hlsmem.network.firing import Net, least_capacity
from hlsmem.network.listed_channels import net_of
from hlsmem.network.listing import orders_of
from hlsmem.network.processes import selftimed_processes
from hlsmem.program.model import Program
from hlsmem.program.options import Design
from hlsmem.storage.build import BuiltStorage, Terms, build
from hlsmem.storage.chooser import StorageChoice
from hlsmem.storage.fifo.circuit import FifoCircuit
from hlsmem.storage.skipped_runs import CYCLES_ALLOWED, ENDS
from hlsmem.storage.window.kind import Numbering, numbering_of

# Words of a FIFO that is one: with one word a register would wait for its reader.
_LEAST = 2
# Rows of a loop that a window may have more than the least, if its gates are shorter then.
_ROWS_MORE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """A part of an array that may have fewer words, and the channel through it.

    A FIFO, or a RAM whose writes have the numbers that cells are given by.
    """

    array: str
    part: int
    channel: Channel
    words: int
    numbering: Numbering | None = None


def least_capacities(
    design: Design, program: Program, chosen: StorageChoice, terms: Terms
) -> tuple[StorageChoice, str]:
    """The choice with FIFOs, and windows for RAMs, of as few words as will do, one after the other
    with those before it fixed, where the design asks for that; the same choice, and why, where the
    network cannot be listed, or a kernel would wait.

    A RAM stays where a window takes as many words, or has no gates. Accesses of all other memories
    keep the order of the schedule meanwhile.
    """
    if design.plan.capacity == "schedule":
        return chosen, ""
    if program.has_conditions:
        return chosen, "data decide which instances run"
    places, why = list(_places(program, chosen)), ""
    while places:
        words = _least_words(program, chosen, places)
        if words is None:
            return chosen, "the run is too long to be listed"
        shorter = [one for one, few in zip(places, words, strict=True) if few < one.words]
        rams = [one for one in places if one.numbering is not None]
        kept = [one for one in rams if one not in shorter]
        if not kept:
            try:
                found = _resized(program, chosen, dict(zip(places, words, strict=True)), terms)
            except _NoWindow as error:
                kept = [one for one in rams if one.array == error.args[0]]
            else:
                if not _waits(design, program, found, chosen):
                    return found, ""
                why = f"of fewest words it takes {found.prediction.cycles} cycles"
                kept = rams or places
        places = [one for one in places if one not in kept]
    return chosen, why


def _waits(design: Design, program: Program, found: StorageChoice, chosen: StorageChoice) -> bool:
    """True if a kernel, which does not ask for fewest words, takes more cycles with fewer."""
    least, cycles = chosen.prediction.cycles, found.prediction.cycles
    if program.kernel is None or design.plan.objective == "words" or least is None:
        return False
    return cycles is None or cycles > CYCLES_ALLOWED * least + ENDS


class _NoWindow(Exception):
    """A window of an array, its argument, has no circuit."""


def _least_words(
    program: Program, chosen: StorageChoice, places: Sequence[_Place]
) -> tuple[int, ...] | None:
    """The least words of all places together; None where there is too much to list."""
    processes = selftimed_processes(program)
    net = net_of(program, processes, [one.channel for one in places])
    if net is None:
        return None
    parts = [
        replace(part, by_number=place.numbering is not None)
        for part, place in zip(net.parts, places, strict=True)
    ]
    orders = orders_of(program, processes, dict(_others(program, chosen, places)))
    if orders is None:
        return None
    net = Net(steps=net.steps, parts=tuple(parts), orders=tuple(orders))
    # Until it is its turn a RAM has room for everything.
    words = [one.words if one.numbering is None else None for one in places]
    found = []
    for number, place in enumerate(places):
        run = least_capacity(net, words, number)
        assert run.deadlock is None
        is_fifo = place.numbering is None
        least = max(_LEAST, run.most[number] if is_fifo else run.windows[number])
        words[number] = min(place.words, least) if is_fifo else least
        found.append(words[number])
    return tuple(one for one in found if one is not None)


def _places(program: Program, chosen: StorageChoice) -> Iterator[_Place]:
    """The FIFOs of a choice, and its RAMs with numbered writes, each with its channel."""
    by_operand: dict[tuple[str, str, int], list[Channel]] = {}
    for one in channels_of(program):
        by_operand.setdefault((one.array, one.sink.name, one.operand), []).append(one)
    for name, built in chosen.built.items():
        for number, circuit in enumerate(built.circuits):
            block, held = built.candidate.shares[number]
            numbering = numbering_of(held, circuit)
            if isinstance(circuit, FifoCircuit) or numbering is not None:
                stream, operand = block[0]
                sink = next(s for s in program.statements if stream == f"m_{name}_{s.name}")
                reads = [k for k, read in enumerate(sink.reads) if read.array == name]
                (channel,) = by_operand[name, sink.name, reads[operand]]
                yield _Place(
                    array=name,
                    part=number,
                    channel=channel,
                    words=held.words,
                    numbering=numbering,
                )


def _others(
    program: Program, chosen: StorageChoice, places: Sequence[_Place]
) -> Iterator[tuple[str, frozenset[str] | None]]:
    """Arrays with other parts than these, and the statements that read from those; None: all."""
    mine = {(one.array, one.part) for one in places}
    for array in program.planned_arrays():
        built = chosen.built.get(array.name)
        if built is None:
            yield array.name, None
            continue
        streams = {
            stream
            for number, (block, _) in enumerate(built.candidate.shares)
            if (array.name, number) not in mine
            for stream, _ in block
        }
        if streams:
            names = (s.name for s in program.statements if f"m_{array.name}_{s.name}" in streams)
            yield array.name, frozenset(names)


def _resized(
    program: Program, chosen: StorageChoice, least: Mapping[_Place, int], terms: Terms
) -> StorageChoice:
    """The choice with so many words in these places, and its run.

    Raises _NoWindow. It stays as it was where its run is too long to predict, or ends nowhere.
    """
    found = {}
    for name, built in chosen.built.items():
        own = {one.part: (one, few) for one, few in least.items() if one.array == name}
        built = _in_windows(program, built, own, terms)
        found[name] = _of_words(built, {number: few for number, (_, few) in own.items()})
    resized = replace(chosen, built=found)
    try:
        return replace(resized, prediction=resized.run(program))
    except LimitError:
        windows = [one.array for one in least if one.numbering is not None]
        if windows:
            raise _NoWindow(windows[0]) from None
        return chosen


def _in_windows(
    program: Program, built: BuiltStorage, words: Mapping[int, tuple[_Place, int]], terms: Terms
) -> BuiltStorage:
    """The built storage with windows in place of numbered RAMs; raises _NoWindow.

    More words than the least keep the network going too: of some that make shorter gates the first
    that has any is taken.
    """
    windows = [
        (number, place.numbering, _sizes(place, place.numbering, few))
        for number, (place, few) in words.items()
        if place.numbering is not None
    ]
    if not windows:
        return built
    for chosen in zip(*(sizes for _, _, sizes in windows), strict=False):
        shares = list(built.candidate.shares)
        for (number, numbering, _), few in zip(windows, chosen, strict=True):
            shares[number] = (shares[number][0], numbering.window(program, few))
        try:
            return build(program, replace(built.candidate, shares=tuple(shares)), terms)
        except (InputError, LimitError):
            continue
    raise _NoWindow(built.candidate.array)


def _sizes(place: _Place, numbering: Numbering, least: int) -> list[int]:
    """Words of a window to try: the least, then whole rows of each loop, fewer than the RAM's."""
    strides = {abs(one) for one in numbering.row if abs(one) > 1}
    more = {(least // one + k) * one for one in strides for k in range(1, _ROWS_MORE + 1)}
    return [least, *sorted(one for one in more if least < one < place.words)]


def _of_words(built: BuiltStorage, least: Mapping[int, int]) -> BuiltStorage:
    """The built storage with FIFOs of so many words, by their numbers."""
    circuits, shares = list(built.circuits), list(built.candidate.shares)
    memories = dict(built.memories)
    for number, memory in enumerate(built.memories):
        (block, held), circuit, words = shares[number], circuits[number], least.get(number)
        if words is None or not isinstance(circuit, FifoCircuit):
            continue
        circuits[number] = replace(circuit, words=words)
        shares[number] = (block, held.with_words(words))
        memories[memory] = replace(memories[memory], words=words)
        if built.device is not None:
            memories[memory] = circuits[number].taking(memories[memory], built.device)
    candidate = replace(built.candidate, shares=tuple(shares))
    return replace(built, candidate=candidate, circuits=tuple(circuits), memories=memories)
