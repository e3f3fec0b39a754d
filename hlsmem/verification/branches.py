"""Branch FIFOs: whether they hold as many beats as the ways to their statement differ.

Made from plan.json and the program alone. Start times of all statements are right when each comes
no earlier than what it reads: what is left on a way are the beats that wait there. They are worked
out anew by going downhill: sums of differences are least where shifting no set of statements by a
cycle makes them less (Murota, "Discrete Convex Analysis", SIAM 2003, theorem 7.14).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from hlsmem.program import Program, Statement
from hlsmem.values import dataclass
from hlsmem.verdict import Status, Verdict
from hlsmem.verification.parts import Divided, Part
from hlsmem.verification.wires import is_wire
from hlsmem.wording import counted

Document = Mapping[str, Any]

# Statements up to which all sets of them are looked at.
MOST_STATEMENTS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """From one statement to another through a part: cycles, and bits of a beat that waits there.

    `stream` is the read stream. Where a part waits as a whole it stands for a statement, and
    there is a way of its write stream `into_part`.
    """

    source: str
    reader: str
    stream: str
    cycles: int
    bits: int
    into_part: bool = False


def branch_verdicts(check: str, divided: Divided) -> tuple[Verdict, ...]:
    """A verdict on every branch FIFO of plan.json."""
    elastic = divided.document["elastic"]
    if not elastic:
        return ()
    ways = None
    if divided.faults:
        objection = "the parts behind it are not those of the program"
    else:
        ways = ways_of(divided)
        objection = "" if ways is None else next(balance_faults(ways, elastic), "")
    detail = objection or _shown(ways)
    status = Status.FAIL if objection else Status.PASS
    return tuple(
        Verdict(
            check=check,
            subject=one["stream"],
            status=status,
            detail=detail if objection else f"{counted(one['beats'], 'beat')}: {detail}",
        )
        for one in elastic
    )


def _shown(ways: Sequence[Way] | None) -> str:
    if ways is None:
        return "found by a run; `rtl` counts the cycles with it"
    if len(_statements(ways)) > MOST_STATEMENTS:
        return "as many as the ways to its statement differ"
    return "as many as the ways to its statement differ, in the fewest bits"


def ways_of(divided: Divided) -> tuple[Way, ...] | None:
    """All ways from statement to statement; None where some are not chains.

    FIFOs and RAMs have room of their own, so that what waits behind them is found by a run.
    """
    program, found = divided.program, list[Way]()
    waiting = {one["stream"] for one in divided.document["elastic"]}
    for part in divided.parts:
        if part.entry["taps"] is None:
            return None
        writers = [s for s in program.statements if _touches(s.writes, part)]
        readers = [s for s in program.statements if _touches(s.reads, part)]
        if len(writers) != 1:
            return None
        (writer,) = writers
        bits = -(-part.entry["element"]["bits"] // 8) * 8
        source, cycles = writer.name, _result(program, writer)
        into = f"s_{part.name}_{writer.name}"
        if into in waiting:
            source = f"({part.name})"
            found.append(
                Way(
                    source=writer.name,
                    reader=source,
                    stream=into,
                    cycles=cycles,
                    bits=bits,
                    into_part=True,
                )
            )
            cycles = 0
        found += [
            Way(
                source=source,
                reader=reader.name,
                stream=f"m_{part.name}_{reader.name}",
                cycles=cycles + (not is_wire(part)),
                bits=bits * sum(access.array == part.name for access in reader.reads),
            )
            for reader in readers
        ]
    return tuple(found)


def _touches(accesses: Sequence[Any], part: Part) -> bool:
    return any(access.array == part.name for access in accesses)


def _result(program: Program, statement: Statement) -> int:
    """The cycles of a datapath; none where nothing that is planned is read."""
    planned = {array.name for array in program.planned_arrays()}
    return statement.latency if any(one.array in planned for one in statement.reads) else 0


def balance_faults(ways: Sequence[Way], elastic: Sequence[Document]) -> Iterator[str]:
    """What is wrong with the branch FIFOs of a plan, given all ways between its statements."""
    held = {way.stream: way for way in ways}
    depths = {one["stream"]: one["beats"] for one in elastic}
    if len(depths) != len(elastic):
        yield "a stream has two branch FIFOs"
    for one in elastic:
        way = held.get(one["stream"])
        if way is None:
            yield f"{one['stream']} is no read stream of a chain, and goes into no part of its own"
        elif one["bits"] != way.bits:
            yield f"a beat of {way.stream} has {way.bits} bits, not {one['bits']}"
        elif one["waits_for"] not in _brought(ways, way):
            yield f"{one['waits_for']} brings {way.reader} nothing"
    if not all(stream in held for stream in depths):
        return
    earliest = _earliest(ways)
    if earliest is None:
        yield "the statements wait for each other in turn, which no FIFO mends"
        return
    least = _least(ways, earliest)
    known = {way.stream: _left(way, least) for way in ways}
    if not _is_balanced(ways, depths):
        for stream, beats in known.items():
            if depths.get(stream, 0) != beats:
                has = counted(depths.get(stream, 0), "beat")
                yield f"{has} wait on {stream}, where the ways to its statement differ by {beats}"
    planned = sum(held[stream].bits * beats for stream, beats in depths.items())
    fewest = sum(held[stream].bits * beats for stream, beats in known.items())
    if len(_statements(ways)) <= MOST_STATEMENTS and planned > fewest:
        yield f"{planned} bits wait in branch FIFOs, where {fewest} would do"


def _brought(ways: Sequence[Way], way: Way) -> set[str]:
    """The read streams of the statement that a way leads to, or of all that read its part."""
    readers = {way.reader}
    if way.into_part:
        readers = {one.reader for one in ways if one.source == way.reader}
    return {one.stream for one in ways if one.reader in readers}


def _left(way: Way, starts: Mapping[str, int]) -> int:
    """The beats that wait on a way with these start times."""
    return starts[way.reader] - starts[way.source] - way.cycles


def _statements(ways: Sequence[Way]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for way in ways for name in (way.source, way.reader)))


def _earliest(ways: Sequence[Way]) -> dict[str, int] | None:
    """The earliest start times; None where the ways go round."""
    starts = dict.fromkeys(_statements(ways), 0)
    for _ in range(len(starts) + 1):
        late = [way for way in ways if _left(way, starts) < 0]
        if not late:
            return starts
        for way in late:
            starts[way.reader] = max(starts[way.reader], starts[way.source] + way.cycles)
    return None


def _least(ways: Sequence[Way], earliest: Mapping[str, int]) -> dict[str, int]:
    """Start times with the fewest bits waiting, downhill from the earliest ones.

    None is earlier than the earliest, so all steps are to later times.
    """
    starts = dict(earliest)
    names = _statements(ways)
    if len(names) > MOST_STATEMENTS:
        return starts
    sets = [set(one) for size in range(1, len(names)) for one in combinations(names, size)]
    while True:
        for moved in sets:
            longer = [w for w in ways if w.reader in moved and w.source not in moved]
            shorter = [w for w in ways if w.source in moved and w.reader not in moved]
            gain = sum(w.bits for w in shorter) - sum(w.bits for w in longer)
            if gain > 0 and all(_left(way, starts) > 0 for way in shorter):
                starts |= {name: starts[name] + 1 for name in moved}
                break
        else:
            return starts


def _is_balanced(ways: Sequence[Way], depths: Mapping[str, int]) -> bool:
    """Whether some start times leave exactly these beats on the ways."""
    ahead = [(way.source, way.reader, way.cycles + depths.get(way.stream, 0)) for way in ways]
    ahead += [(reader, source, -cycles) for source, reader, cycles in ahead]
    starts = dict.fromkeys(_statements(ways), 0)
    for _ in range(len(starts) + 1):
        late = [one for one in ahead if starts[one[1]] < starts[one[0]] + one[2]]
        if not late:
            return True
        for source, reader, cycles in late:
            starts[reader] = max(starts[reader], starts[source] + cycles)
    return False


_MADE = re.compile(
    r"hlsmem_branch #\((?P<parameters>.*?)\n    \) u_(?P<stream>\w+)_branch \("
    r"(?P<ports>.*?)\n    \);",
    re.S,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A branch FIFO in the Verilog of a top: its parameters and ports as they are written."""

    stream: str
    parameters: Mapping[str, str]
    ports: Mapping[str, str]


def made_branches(top: str) -> tuple[Made, ...]:
    """The branch FIFOs in the text of a top, whose library modules have their plain names."""
    return tuple(
        Made(
            stream=found["stream"],
            parameters=dict(re.findall(r"\.(\w+)\((.*?)\)", found["parameters"])),
            ports=dict(re.findall(r"\.(\w+)\((.*)\)", found["ports"])),
        )
        for found in _MADE.finditer(top)
    )


def branch_faults(top: str, elastic: Sequence[Document], users: Mapping[str, int]) -> Iterator[str]:
    """Where the Verilog of a top has other branch FIFOs than plan.json.

    `users` has the bits of tuser by stream.
    """
    made = {one.stream: one for one in made_branches(top)}
    wanted = {one["stream"]: one for one in elastic}
    for stream in sorted(made.keys() - wanted.keys()):
        yield f"{stream} waits in a branch FIFO that plan.json does not have"
    busy = re.search(r"assign busy = (.*);", top)
    for stream, one in wanted.items():
        if stream not in made:
            yield f"the branch FIFO of {stream} is missing"
            continue
        fifo, user = made[stream], users.get(stream, 0)
        beats, bits = str(one["beats"]), str(one["bits"] + user)
        if fifo.parameters.get("DEPTH") != beats:
            depth = fifo.parameters.get("DEPTH")
            yield f"the branch FIFO of {stream} holds {depth} beats, {beats} in plan.json"
        if fifo.parameters.get("WIDTH") != bits:
            width = fifo.parameters.get("WIDTH")
            yield f"the branch FIFO of {stream} is {width} bits wide, not {bits}"
        for port, text in _ports(stream, user).items():
            if fifo.ports.get(port) != text:
                yield f"{port} of the branch FIFO of {stream} is {fifo.ports.get(port)}, not {text}"
        for port in ("tdata", "tlast", "tvalid", "tready", *["tuser"] * bool(user)):
            if f".{stream}_{port}({stream}_now_{port})" not in top:
                yield f"{stream}_{port} of the part does not come from its branch FIFO"
        shown = f"{_sides(stream)[1]}_tvalid"
        if busy is None or shown not in re.findall(r"\w+", busy[1]):
            yield f"busy does not count what waits in the branch FIFO of {stream}"


def _ports(stream: str, user: int) -> dict[str, str]:
    """What each port of the branch FIFO of a stream is connected to."""

    def beat(name: str) -> str:
        return f"{{{name}_tuser, {name}_tdata}}" if user else f"{name}_tdata"

    found = {"clk": "clk", "rst": "rst"}
    for side, name in zip("sm", _sides(stream), strict=True):
        found |= {f"{side}_tdata": beat(name)}
        found |= {f"{side}_{end}": f"{name}_{end}" for end in ("tlast", "tvalid", "tready")}
    return found


def _sides(stream: str) -> tuple[str, str]:
    """The wires in front of and behind the branch FIFO of a stream; writes go into a part."""
    now = f"{stream}_now"
    return (stream, now) if stream.startswith("s_") else (now, stream)
