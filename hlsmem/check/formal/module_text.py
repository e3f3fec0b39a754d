"""Generated modules as text: their registers, their ports, and copies with something added."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from hlsmem.core.lazy_dataclass import dataclass

_REGISTER = re.compile(
    r"^\s*(?:output )?reg\s+(?P<signed>signed )?\s*(?:\[(?P<high>\d+):0\] )?(?P<name>\w+);", re.M
)
_PORT = re.compile(r"(?P<way>input|output) +(?:wire|reg) +(?P<range>\[[^\]]+\] *)?(?P<name>\w+)")
_CONDITION = re.compile(r"(?!cell|offset|bank|key|after)")

# Lane i of what a turn shows is lane i + issue_turn of its data.
_TURNED = """
wire [LANES*WIDTH-1:0] turned;
wire [2*LANES*WIDTH-1:0] twice = {data, data};
genvar lane;
generate
    for (lane = 0; lane < LANES; lane = lane + 1)
        assign turned[lane*WIDTH +: WIDTH] = twice[(lane + issue_turn)*WIDTH +: WIDTH];
endgenerate"""


@dataclass(frozen=True, slots=True)
class Wire:
    """A register or wire of some bits."""

    name: str
    bits: int
    signed: bool


@dataclass(frozen=True, slots=True)
class Port:
    """A port of a module; `range` as Verilog writes it, empty for one bit."""

    name: str
    is_input: bool
    range: str


def ports_of(module: str) -> Iterator[Port]:
    """The ports in the header of a module."""
    for found in _PORT.finditer(_header(module)):
        yield Port(found["name"], found["way"] == "input", found["range"] or "")


def _header(module: str) -> str:
    head, _, _ = module.partition("\n);")
    return head[head.index("module ") :]


def registers(module: str) -> dict[str, Wire]:
    """The registers a module declares, one a line, by name."""
    return {
        found["name"]: Wire(found["name"], int(found["high"] or 0) + 1, bool(found["signed"]))
        for found in _REGISTER.finditer(module)
    }


def next_sources(generator: str) -> dict[str, set[str]]:
    """Per register of an address generator the names that what it is loaded with speaks of."""
    found: dict[str, set[str]] = {}
    for name, text in re.findall(r"^\s*next_(\w+) = (.*);", generator, re.M):
        found.setdefault(name, set()).update(re.findall(r"(?<!['\w])[a-z_]\w*", text))
    return found


def deciding(generator: str) -> set[str]:
    """The names that steps of an address generator and its conditions speak of, not how far
    registers move."""
    texts = re.findall(r"^\s*(?:end else )?if \((.*)\) begin$", generator, re.M)
    outputs = re.findall(r"^\s*assign (\w+) = (.*);", generator, re.M)
    texts += [text for name, text in outputs if _CONDITION.match(name)]
    texts += re.findall(r"^\s*wire (?:on_beat|at_last) = (.*);", generator, re.M)
    return {name for text in texts for name in re.findall(r"(?<!['\w])[a-z_]\w*", text)}


def tells_its_end(generator: str) -> bool:
    """True if an address generator shows that its last beat has gone."""
    return re.search(r"^    output reg +done\b", generator, re.M) is not None


def with_lines(module: str, lines: Iterable[str]) -> str:
    """The module with lines before its end."""
    body, end, rest = module.rpartition("endmodule")
    return f"{body}{chr(10).join(lines)}\n{end}{rest}"


def stub(module: str) -> str:
    """A module of the same name and ports whose outputs do anything at any time.

    Only `tdata` of what shows words of RAMs later is those words as they stand: see `lanes`.
    """
    header = _header(module).replace("output reg ", "output wire")
    lines = []
    for port in ports_of(module):
        if not port.is_input:
            lines.append(f"(* anyseq *) reg {port.range}any_{port.name};")
            shown = f"any_{port.name}"
            if port.name == "tdata" and re.search(r"module hlsmem_(skid|output_register) ", header):
                shown = "data"
            if port.name == "tdata" and "module hlsmem_rotator " in header:
                lines.append(_TURNED)
                shown = f"issue_turn < LANES ? turned : {shown}"
            lines.append(f"assign {port.name} = {shown};")
    return f"{header}\n);\n{chr(10).join(lines)}\nendmodule\n"


def probe(path: str, wire: Wire) -> str:
    """The declaration of a wire that stands for one inside an instance, after flattening."""
    signed = "signed " if wire.signed else ""
    return f"(* hierconn *) wire {signed}[{wire.bits - 1}:0] \\{path}.{wire.name} ;"


def assertions(claims: Mapping[str, str], when: str) -> list[str]:
    """The claims, by name, as assertions that hold `when`."""
    texts = (f"    if ({when}) {name}: assert ({claim});" for name, claim in claims.items())
    return ["always @* begin", *texts, "end"]


def before(left: Sequence[str], right: Sequence[str]) -> str:
    """The comparison whether `left` is lexicographically before `right`."""
    if not left:
        return "1'b0"
    rest = before(left[1:], right[1:])
    return f"({left[0]} < {right[0]} || ({left[0]} == {right[0]} && {rest}))"


def at_most(left: Sequence[str], right: Sequence[str]) -> str:
    return f"!{before(right, left)}"
