"""Branch FIFOs: whether the Verilog of a top has those of plan.json."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass

Document = Mapping[str, Any]


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
    """Differences of the branch FIFOs in the Verilog of a top from those of plan.json.

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
    """Connection of each port of the branch FIFO of a stream."""

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
