"""Question of `hlsmem network`: the channels of a design, and their storage in the plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.watchdog import scratch
from hlsmem.core.wording import counted
from hlsmem.emit import marked
from hlsmem.network.channels import Channel, channels_of
from hlsmem.network.firing import Net, least_capacity, run
from hlsmem.network.listed_channels import capacities_of, instance_of, net_of
from hlsmem.network.processes import Process, processes_of
from hlsmem.plan import Plan
from hlsmem.planner.array_folding import operations_of
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.program.model import ConflictInput, Program, Storage
from hlsmem.program.options import Design
from hlsmem.read.design import load
from hlsmem.studies.networks.channel_classes import facts_of
from hlsmem.studies.networks.derived import network_files
from hlsmem.studies.networks.table import ChannelRow, Waiting
from hlsmem.timing.planned_program import arranged_within


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """The derived network of a design at its parameters.

    `together` are capacities that are enough together, found one channel after the other, in
    the order of `rows`; `stuck` is where the network ends that has the capacities of steps.
    Both are None where there is too much to list.
    """

    design: Design = field(compare=False)
    processes: tuple[Process, ...]
    rows: tuple[ChannelRow, ...]
    together: tuple[int, ...] | None
    stuck: tuple[Waiting, ...] | None


def ask_network(
    design: Design, *, grain: str | None = None, capacities: Sequence[int] | None = None
) -> Network:
    """The channels between the processes of a design, in its own order.

    `grain` is one of `network.GRAINS`; by default the processes are those that the design
    gives, the tasks of DATAFLOW among them, and each statement of another kernel is one.
    `capacities` are tried, in the order of `rows`. Raises InputError for a conflict set, and where
    the network is stuck with the capacities: with the circle of processes that wait for each other.
    """
    given = design.input
    if isinstance(given, ConflictInput):
        what = "a conflict set has no processes, and no channels between them"
        raise InputError(Problem(what, "give a program"))
    program = arranged_within(operations_of(design), given)
    channels = channels_of(program)
    processes = processes_of(program, grain or given.grain)
    sure = [one for one in channels if not one.conditional]
    net = net_of(program, processes, sure)
    plan = plan_hardware(design).plan
    alone = None if net is None else iter([_alone(net, number) for number in range(len(sure))])
    rows = tuple(
        _row(program, plan, one, None if alone is None or one.conditional else next(alone))
        for one in channels
    )
    if capacities is not None:
        _try(program, net, processes, rows, capacities)
    return Network(
        design=design,
        processes=processes,
        rows=rows,
        together=None if net is None else _together(net),
        stuck=None if net is None else _stuck(program, net, processes, rows),
    )


def write_network(
    design: Design, target: Path, *, grain: str | None = None, force: bool = False
) -> tuple[Path, ...]:
    """Write a design as a network of processes: NET.yaml, and NET.c where bodies need one.

    What is written was read again before. Raises InputError where a network cannot say what the
    design says, and where a file would be replaced that hlsmem did not make, unless by `force`.
    """
    given = design.input
    if isinstance(given, ConflictInput):
        what = "a conflict set has no processes, and no statements to write"
        raise InputError(Problem(what, "give a program"))
    if target.suffix not in (".yaml", ".yml"):
        what = f"--out {target}: a design is a YAML file"
        raise InputError(Problem(what, "give it the ending .yaml"))
    # Nests side by side are told by their times: a network has no loops to say it by.
    program = given if given.nests else given.source
    grain = grain or given.grain
    beside = target.with_suffix(".c")
    files = network_files(design, program, processes_of(program, grain), code_file=beside.name)
    texts = {target: files.yaml, **({beside: files.code} if files.code else {})}
    marked.refuse_others(texts, force=force)
    _read_again(texts)
    for file in reversed(texts):  # the design last: it names the other
        comment = marked.YAML if file == target else marked.C
        marked.write_marked(file, texts[file], comment, force=force)
    return tuple(texts)


def _read_again(texts: Mapping[Path, str]) -> None:
    """Raise InputError with what a reader would say of a network that is not written yet."""
    with scratch("hlsmem-network-") as folder:
        for file, text in texts.items():
            (folder / file.name).write_text(text, encoding="utf-8")
        try:
            load(folder / next(iter(texts)).name)
        except InputError as error:
            found = (f"as a network: {one.what}" for one in error.problems)
            remedies = (one.remedy for one in error.problems)
            raise InputError(*map(Problem, found, remedies)) from None


def _stuck(
    program: Program, net: Net, processes: Sequence[Process], rows: Sequence[ChannelRow]
) -> tuple[Waiting, ...] | None:
    """The circle of waits with the capacities of steps, one for a wire; None without one."""
    rows = [row for row in rows if row.facts is not None]
    found = [row.capacities for row in rows]
    by_steps = [None if one is None else max(one.cycle, 1) for one in found]
    return _circle(program, net, processes, rows, by_steps)


def _circle(
    program: Program,
    net: Net,
    processes: Sequence[Process],
    rows: Sequence[ChannelRow],
    capacities: Sequence[int | None],
) -> tuple[Waiting, ...] | None:
    """Circular wait at the end of the run with these capacities; None where it is done."""
    stuck = run(net, capacities).deadlock
    if stuck is None:
        return None
    return tuple(
        Waiting(
            process=processes[one.process].name,
            instance=instance_of(program, processes[one.process], one.firing),
            channel=str(rows[one.channel]),
            for_room=one.for_room,
        )
        for one in stuck.cycle
    )


def _try(
    program: Program,
    net: Net | None,
    processes: Sequence[Process],
    rows: Sequence[ChannelRow],
    capacities: Sequence[int],
) -> None:
    """Raise InputError where the network is stuck with these capacities, or cannot be run."""
    listed = ",".join(map(str, capacities))
    rows = [row for row in rows if row.facts is not None]
    if len(capacities) != len(rows):
        what = f"--capacities {listed}: there are {counted(len(rows), 'channel')} to give one"
        names = ", ".join(map(str, rows)) or "none"
        raise InputError(Problem(what, f"in their order: {names}"))
    if net is None:
        what = f"--capacities {listed}: there is too much to list"
        raise InputError(Problem(what, "ask at smaller parameters, --param"))
    circle = _circle(program, net, processes, rows, capacities)
    if circle is None:
        return
    full = next(one for one in circle if one.for_room)
    number = [str(row) for row in rows].index(full.channel)
    what = f"--capacities {listed}: the network is stuck: {'; '.join(map(str, circle))}"
    least = least_capacity(net, capacities, number)
    remedy = f"give {full.channel} more than {capacities[number]}"
    if least.deadlock is None:
        remedy = f"give {full.channel} at least {least.most[number]}"
    raise InputError(Problem(what, remedy))


def _alone(net: Net, number: int) -> int:
    """The least capacity of a channel where all others have room for everything."""
    return least_capacity(net, [None] * len(net.parts), number).most[number]


def _together(net: Net) -> tuple[int, ...]:
    capacities: list[int | None] = [None] * len(net.parts)
    found = []
    for number in range(len(net.parts)):
        found.append(least_capacity(net, capacities, number).most[number])
        capacities[number] = found[-1]
    return tuple(found)


def _row(program: Program, plan: Plan, channel: Channel, alone: int | None) -> ChannelRow:
    realised, words = _storage(program, plan, channel)
    return ChannelRow(
        source=channel.source.name,
        array=channel.array,
        sink=channel.sink.name,
        operand=channel.operand,
        facts=None if channel.conditional else facts_of(program, channel),
        capacities=None if channel.conditional else capacities_of(program, channel),
        selftimed=alone,
        realised=realised,
        words=words,
    )


def _storage(program: Program, plan: Plan, channel: Channel) -> tuple[str, int | None]:
    """The kind and the words of what serves the operand; other channels may share it."""
    storage = program.arrays[channel.array].storage
    if storage in (Storage.EXTERNAL, Storage.DATAPATH):
        return storage.value, None
    before = channel.sink.reads[: channel.operand]
    number = sum(one.array == channel.array for one in before)
    operand = (f"m_{channel.array}_{channel.sink.name}", number)
    for part in plan.arrays[channel.array].hardware.parts:
        if operand in part.operands:
            memory = plan.memories[part.memory]
            return memory.kind, memory.words
    return "none", None
