"""The flow: area of the module alone, then placed and routed between flip-flops, some seeds.

One seed says little: routing varies by a fifth. The figure is the median. Figures are a table
beside the report, and JSON.
"""

from __future__ import annotations

import json
import re
import shutil
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hlsmem.core.errors import InputError, LimitError, Problem, ToolError
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.watchdog import scratch
from hlsmem.devices import FAMILIES
from hlsmem.devices.primitives import Family, Router
from hlsmem.emit.markdown_table import Column, table
from hlsmem.synthesis.netlist import Area, area, synthesis_of
from hlsmem.tools.find import Tool
from hlsmem.tools.foreign_verilog import foreign
from hlsmem.tools.run import Finished, run
from hlsmem.tools.sandbox import Sandbox
from hlsmem.tools.synthesizers import find_nextpnr, find_yosys

SEEDS = (1, 2, 3, 4, 5)
_SECONDS = 600
_NETLIST = "timed.json"
WRAPPER = "hlsmem_timed"
# What nextpnr says where a chip has too few cells of a kind.
_NO_ROOM = re.compile(r"no B[Ee][Ll]s remaining[^\n]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """Fastest clocks in MHz, one a seed, and the critical path of the median one.

    `critical_path` names its cells from start to end, `critical_path_ns` is its length.
    """

    seeds: tuple[int, ...]
    megahertz: tuple[float, ...]
    critical_path: tuple[str, ...]
    critical_path_ns: float

    @property
    def median(self) -> float:
        return float(statistics.median(self.megahertz))


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """A module on a family: what it takes, and how fast it is (None: cannot be placed here)."""

    module: str
    family: str
    area: Area
    timed: Timed | None


def sources_of(folder: Path, family: str) -> tuple[Path, ...]:
    """The Verilog of a generated folder in the order of its files.f, with a family's own texts.

    Raises InputError where the folder has no list of files, or Verilog that hlsmem never writes.
    """
    try:
        names = (folder / "files.f").read_text(encoding="utf-8").split()
    except OSError:
        raise InputError(
            Problem(
                f"{folder} has no files.f", "run `hlsmem plan` first; plans without Verilog say why"
            )
        ) from None
    strange = [*foreign(folder)]
    if strange:
        remedy = "run `hlsmem plan` again; synth takes what hlsmem wrote, Yosys takes anything"
        raise InputError(*(Problem(one, remedy) for one in strange))
    own = [folder / family / name for name in names]
    return tuple(o if o.is_file() else folder / n for o, n in zip(own, names, strict=True))


def synthesise(
    sources: Sequence[Path],
    module: str,
    family: str,
    *,
    seeds: Sequence[int] = SEEDS,
    parameters: Sequence[tuple[str, str]] = (),
) -> Figures:
    """Synthesise `module` out of Verilog files; no seeds: area only.

    A family without a router has its area alone. Raises ToolError where a tool is missing or
    refuses the design, LimitError where one runs out of time, or the chip it is placed on is too
    small.
    """
    target = FAMILIES[family]
    command = synthesis_of(target).command
    yosys = find_yosys()
    router = target.router if seeds else None
    nextpnr = find_nextpnr(router.name) if router is not None else None
    # Tools of WebAssembly see nothing of the system's temporary folder but the one they run in.
    with scratch("hlsmem-synthesis-") as folder:
        files = [Path(shutil.copy(source, folder)).name for source in sources]
        read = " ".join(["read_verilog", *files])
        chosen = "".join(f" -set {key} {value}" for key, value in parameters)
        set_up = f"{read}; " + (f"chparam{chosen} {module}; " if chosen else "")
        # Seen from its ports the block alone is wider than any chip has pins: no pads.
        cells = _area(yosys, folder, f"{set_up}{command} -top {module}", target)
        timed = None
        if router is not None and nextpnr is not None:
            netlist = json.loads((folder / "area.netlist").read_text(encoding="utf-8"))
            ports = ports_of(netlist, module)
            (folder / f"{WRAPPER}.v").write_text(wrapper_text(module, ports), encoding="utf-8")
            script = f"{set_up}read_verilog {WRAPPER}.v; {command} -top {WRAPPER} -json {_NETLIST}"
            _finish(_contained([*yosys.command, "-q", "-p", script], folder))
            timed = _timed(nextpnr, folder, router, seeds)
    return Figures(module=module, family=family, area=cells, timed=timed)


def _area(yosys: Tool, folder: Path, script: str, family: Family) -> Area:
    command = [
        *yosys.command,
        "-q",
        "-p",
        f"{script}; write_json area.netlist; tee -q -o area.json stat -json",
    ]
    _finish(_contained(command, folder))
    return area((folder / "area.json").read_text(encoding="utf-8"), family)


def unplaced(family: str) -> Problem | None:
    """Why designs of a family have no clock here; None where they can be placed and routed."""
    target = FAMILIES[family]
    if target.router is not None:
        return None
    return Problem(
        f"no place and route for {family}: hlsmem calls nextpnr, and has none for {target.title}",
        f"ask for the area alone with --seeds 0; the clock is told by {target.vendor_tool}",
    )


def _timed(nextpnr: Tool, folder: Path, router: Router, seeds: Sequence[int]) -> Timed:
    reports = [route(nextpnr, folder, router, seed) for seed in seeds]
    clocks = [_clock(report) for report in reports]
    middle = sorted(range(len(clocks)), key=lambda k: clocks[k])[len(clocks) // 2]
    cells, nanoseconds = _critical_path(reports[middle])
    return Timed(
        seeds=tuple(seeds),
        megahertz=tuple(clocks),
        critical_path=cells,
        critical_path_ns=nanoseconds,
    )


def route(nextpnr: Tool, folder: Path, router: Router, seed: int) -> Any:
    """nextpnr's report on the netlist in `folder`, placed and routed with a seed.

    Raises ToolError where it fails, LimitError where the chip has too few cells.
    """
    report = f"seed_{seed}.json"
    command = [*nextpnr.command, *router.arguments, "--json", _NETLIST, "--seed", str(seed)]
    command += ["--timing-allow-fail", "-q", "--report", report]
    finished = _contained(command, folder)
    full = _NO_ROOM.search(finished.errors + finished.output)
    if full is not None:
        what = f"the design has no room on the {router.part} that it is placed on: {full[0]}"
        remedy = "plan smaller parameters, or see its area alone with --seeds 0"
        raise LimitError(Problem(what, remedy))
    _finish(finished)
    return json.loads((folder / report).read_text(encoding="utf-8"))


def _clock(report: Any) -> float:
    slowest = min(float(clock["achieved"]) for clock in report["fmax"].values())
    return round(slowest, 1)


def _critical_path(report: Any) -> tuple[tuple[str, ...], float]:
    """The cells of the longest path within a clock, and its length in ns."""
    longest: tuple[tuple[str, ...], float] = ((), 0.0)
    for path in report.get("critical_paths", ()):
        if path["from"].startswith("<async>") or path["to"].startswith("<async>"):
            continue
        steps = path["path"]
        length = sum(step["delay"] for step in steps)
        if length > longest[1]:
            names = [step["from"]["cell"] for step in steps[:1]]
            names += [step["to"]["cell"] for step in steps if step["type"] == "routing"]
            longest = tuple(names), round(length, 2)
    return longest


def _contained(command: Sequence[str], folder: Path) -> Finished:
    """Run a tool on Verilog that may be anybody's."""
    sandbox = Sandbox(writable=folder.resolve(), unlimited=True)
    return run(command, folder=folder, seconds=_SECONDS, sandbox=sandbox)


def _finish(finished: Finished) -> None:
    if not finished.succeeded:
        said = finished.last_lines()
        raise ToolError(
            Problem(
                f"{finished.arguments[0]} ended with {finished.ending()}"
                + (f":\n{said}" if said else " and said nothing"),
                "report the design if it came from hlsmem",
            )
        )


@dataclass(frozen=True, slots=True)
class Port:
    direction: str
    name: str
    bits: int


def ports_of(netlist: Mapping[str, Any], module: str) -> tuple[Port, ...]:
    """The ports of a module in a netlist that Yosys wrote as JSON."""
    return tuple(
        Port(port["direction"], name, len(port["bits"]))
        for name, port in netlist["modules"][module]["ports"].items()
    )


def wrapper_text(module: str, ports: Sequence[Port]) -> str:
    """Verilog of the circuit around a timed module: a flip-flop on every input and output.

    Inputs come out of a shift register and outputs go into another one, so that a module of any
    width needs five pins, and paths from inputs to outputs count as well.
    """
    inputs = [p for p in ports if p.direction == "input" and p.name != "clk"]
    outputs = [p for p in ports if p.direction == "output"]
    into, out = sum(p.bits for p in inputs), sum(p.bits for p in outputs)
    lines = [
        f"module {WRAPPER} (input wire clk, input wire serial_in, input wire shift,",
        "                     output wire serial_out);",
        f"    (* keep *) reg [{into - 1}:0] drive;",
        f"    always @(posedge clk) drive <= {{drive[{max(into - 2, 0)}:0], serial_in}};",
        f"    wire [{out - 1}:0] result;",
        f"    (* keep *) reg [{out - 1}:0] sample;",
        f"    reg [{out - 1}:0] collect;",
        "    always @(posedge clk) begin",
        "        sample <= result;",
        f"        collect <= shift ? {{collect[{max(out - 2, 0)}:0], 1'b0}} : sample;",
        "    end",
        f"    assign serial_out = collect[{out - 1}];",
        f"    {module} timed (",
    ]
    connections = ["        .clk(clk)"]
    for bus, own in (("drive", inputs), ("result", outputs)):
        low = 0
        for port in own:
            connections.append(f"        .{port.name}({bus}[{low + port.bits - 1}:{low}])")
            low += port.bits
    return "\n".join([*lines, ",\n".join(connections), "    );", "endmodule", ""])


def synthesis_document(figures: Sequence[Figures]) -> dict[str, Any]:
    """The figures as plain values: clocks in MHz, lengths in ns."""
    return {
        "modules": [
            {
                "module": one.module,
                "family": one.family,
                "luts": one.area.luts,
                "flip_flops": one.area.flip_flops,
                "blocks": dict(one.area.blocks),
                "multipliers": one.area.multipliers,
                "timing": _timing(one),
            }
            for one in figures
        ]
    }


def _timing(one: Figures) -> dict[str, Any] | None:
    if one.timed is None:
        return None
    return {
        "median_mhz": one.timed.median,
        "mhz_by_seed": {
            str(seed): clock
            for seed, clock in zip(one.timed.seeds, one.timed.megahertz, strict=True)
        },
        "critical_path_ns": one.timed.critical_path_ns,
        "critical_path": list(one.timed.critical_path),
    }


def synthesis_text(figures: Sequence[Figures]) -> str:
    """The table, and the critical path under it."""
    columns = [
        Column("module"),
        Column("family"),
        *(Column(name, right=True) for name in ("LUT", "FF", "blocks", "DSP", "MHz", "of seeds")),
    ]
    lines = [table(columns, [_row(one) for one in figures])]
    for one in figures:
        if one.timed is not None and one.timed.critical_path:
            path = one.timed.critical_path
            lines.append(
                f"Critical path of {one.module}: {one.timed.critical_path_ns} ns from {path[0]}"
                f" to {path[-1]}, {len(path) - 2} cells between."
            )
    return "\n\n".join(lines)


def _row(one: Figures) -> list[str]:
    blocks = " + ".join(f"{number} {kind}" for kind, number in one.area.blocks.items()) or "0"
    clocks = ["-", "-"]
    if one.timed is not None:
        low, high = min(one.timed.megahertz), max(one.timed.megahertz)
        clocks = [f"{one.timed.median:.1f}", f"{len(one.timed.seeds)}: {low:.1f} to {high:.1f}"]
    counts = [str(one.area.luts), str(one.area.flip_flops), blocks, str(one.area.multipliers)]
    return [one.module, one.family, *counts, *clocks]
