"""The depths of streams held against what they need: as pragmas, types and defaults have them.

A stream of C++ has depth 2 where nothing says another (AMD UG1399, "Dataflow").
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from hlsmem.core.errors import Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.network.depths import Needed, needed_depths, net_of_tasks, streams_between
from hlsmem.polyhedra import DimType
from hlsmem.program.model import Kernel, Program
from hlsmem.program.options import Design

_DEFAULT = 2


@dataclass(frozen=True, slots=True)
class _Depth:
    """The depth of a stream, and where it was asked for, or else the stream was declared.

    `words` are None where a pragma says none, or a `text` that is no number.
    """

    words: int | None
    asked: bool
    source_location: SourceLocation | None
    text: str = ""

    def __str__(self) -> str:
        return f"depth {self.text or self.words} {'asked' if self.asked else 'by default'}"


@dataclass(frozen=True, slots=True)
class ShallowStream:
    """A stream with which a run stops, and the words that it needs; `asked` says whether its text
    names a depth, at `source_location`."""

    name: str
    asked: bool
    source_location: SourceLocation | None
    needed: int


def broken_depths(design: Design) -> tuple[Problem, ...]:
    """The STREAM pragmas that are obeyed, and too shallow."""
    obeys = design.kernel is not None and design.kernel.obeys_pragmas
    return shallow_streams(design, (True,)) if obeys else ()


def shallow_streams(design: Design, asked: Collection[bool]) -> tuple[Problem, ...]:
    """Of each stream that needs more than it has, the depth with which there is no deadlock.

    That is said of depths that were asked for (True) and of those by default (False), as `asked`
    has them.
    """
    found = _analysed(design, asked)
    return () if found is None else tuple(_judged(found, asked))


def deeper_streams(design: Design) -> tuple[ShallowStream, ...]:
    """The streams that need more than they have, with their depths."""
    found = _analysed(design, (True, False))
    if found is None:
        return ()
    return tuple(
        ShallowStream(name, depth.asked, depth.source_location, found.needed[name].depth)
        for name, depth in found.depths.items()
        if name in found.needed and found.reasons.get(name) is None and not depth.text
    )


@dataclass(frozen=True, slots=True)
class _Analysed:
    """Streams with their depths, why some are not looked at, and what others need; `runs` says
    whether runs are short enough to tell."""

    depths: Mapping[str, _Depth]
    reasons: Mapping[str, tuple[str, str] | None]
    needed: Mapping[str, Needed]
    runs: bool


def _analysed(design: Design, asked: Collection[bool]) -> _Analysed | None:
    """None where no stream has a depth that is to be looked at."""
    given, kernel = design.program, design.kernel
    if given is None or kernel is None:
        return None
    depths = _depths(given, kernel)
    if not any(_is_said(one, asked) for one in depths.values()):
        return None
    program = _as_written(given.as_read, kernel)
    reasons = streams_between(program, depths)
    streams = {name: name in kernel.streams for name, why in reasons.items() if why is None}
    # What is obeyed is held against the plan, whose memories hand elements over one by one.
    whole = not kernel.obeys_pragmas
    net = net_of_tasks(program, streams, whole=whole) if streams else None
    needed: Mapping[str, Needed] = {}
    if net is not None:
        found = needed_depths(net, [depths[name].words for name in streams])
        needed = {name: found[k] for k, name in enumerate(streams) if k in found}
    return _Analysed(depths, reasons, needed, net is not None)


def _depths(program: Program, kernel: Kernel) -> Mapping[str, _Depth]:
    """The depths of the streams that are inside of a kernel."""
    found = {}
    if any(one.tasks for one in program.source.statements):
        for name in kernel.streams:
            found[name] = _Depth(_DEFAULT, False, program.arrays[name].source_location)
    for pragma in kernel.pragmas:
        if pragma.name != "STREAM" or pragma.array is None:
            continue
        name = pragma.array
        if "off" in pragma.options or pragma.options.get("type", "fifo").lower() != "fifo":
            found.pop(name, None)
        elif "depth" in pragma.options:
            words = pragma.number("depth")
            text = pragma.options["depth"] if words is None else ""
            found[name] = _Depth(words, True, pragma.source_location, text)
        else:
            found.setdefault(name, _Depth(None, True, pragma.source_location))
    return {name: one for name, one in found.items() if not program.arrays[name].is_parameter}


def _is_said(depth: _Depth, asked: Collection[bool]) -> bool:
    return depth.asked in asked and (depth.words is not None or depth.text != "")


def _as_written(program: Program, kernel: Kernel) -> Program:
    """The program that takes from streams when its source does, not when it uses what it took."""
    if not kernel.moves:
        return program
    size = kernel.moves[0].schedule.dim(DimType.out)
    return replace(program, statements=kernel.moves, time_dimensions=size, step_dimensions=size)


def _judged(found: _Analysed, asked: Collection[bool]) -> Iterator[Problem]:
    for name, why in found.reasons.items():
        depth = found.depths[name]
        if not _is_said(depth, asked):
            continue
        if depth.text:
            why = ("that is no number that is known here", "write a number")
        if why is None and not found.runs and depth.asked:
            why = ("the runs are too long to say what is needed", "look at smaller sizes")
        if why is not None:
            yield Problem(f"'{name}': {depth}; {why[0]}", why[1], depth.source_location)
        elif name in found.needed:
            yield _shallow(name, depth, found.needed[name])


def _shallow(name: str, depth: _Depth, needed: Needed) -> Problem:
    beside = "" if needed.alone else " beside the depths of the others"
    what = f"'{name}': {depth}, {needed.depth} needed{beside}: deadlock"
    remedy = "give it that depth, or run its reader sooner: see hlsmem what-if"
    if not depth.asked:
        remedy = f"add #pragma HLS STREAM variable={name} depth={needed.depth}"
    elif not needed.alone:
        remedy = "give it that depth, or more to another stream on the way"
    return Problem(what, remedy, depth.source_location)
