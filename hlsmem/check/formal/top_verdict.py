"""The verdict on a top: its wiring, the memories below it, and that a proof speaks of every module.

A module that no proof has in it, and none is about, fails: what it does nobody knows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from hlsmem.check.formal.circuits.buffer_proof import generators_of
from hlsmem.check.formal.circuits.junction_proof import junction_generator
from hlsmem.check.formal.circuits.library_proof import Use, added_text, uses, with_parameters
from hlsmem.check.formal.circuits.top_wiring import wiring_sources
from hlsmem.check.formal.module_text import with_lines
from hlsmem.check.formal.proof_design import Design
from hlsmem.check.formal.smt_proof import Answer, Proof, prove
from hlsmem.check.rtl.simulated_device import WRITE
from hlsmem.core.errors import Problem, ToolError
from hlsmem.core.watchdog import scratch
from hlsmem.core.wording import counted
from hlsmem.tools.provers import Prover
from hlsmem.tools.run import run
from hlsmem.tools.sandbox import Sandbox

LEAVES = ("hlsmem_ram", "hlsmem_ram_output", "hlsmem_register")
_CELLS = "reg [WIDTH-1:0] cells [0:DEPTH-1];"
_WATCHED = "(* anyconst *) reg [ADDRESS-1:0] watched;"
# They stand in the proofs of what uses them as they are.
_WITHIN = frozenset({"hlsmem_gate", "hlsmem_gate_count", "hlsmem_wrap"})
_DEPTH = 8

_SECONDS = 400


class NotProvedError(Exception):
    """The unproved property of a top, in words."""


def whole_fault(design: Design, prover: Prover, seconds: float) -> tuple[str, str]:
    """(what is wrong with a top, what was proved of it); one of them is empty.

    Raises NotProvedError where a proof did not end, ToolError where Yosys refuses the Verilog.
    """
    found = modules_in(prover, design.rtl, design.device.top)
    known = {design.device.top, *_WITHIN, *LEAVES, *_spoken_of(design)}
    strange = sorted({one.module for one in found} - known)
    if strange:
        return f"{strange[0]} is in the circuit, and no proof speaks of it", ""
    try:
        sources, claims = wiring_sources(design.device, design.divided, design.rtl)
    except ValueError as reason:
        return str(reason), ""
    proof = prove(prover, sources, design.device.top, depth=1, seconds=seconds)
    fault = _fault("the wiring", proof)
    if fault:
        return fault, ""
    leaves = [*dict.fromkeys(_without_style(one) for one in found if one.module in LEAVES)]
    for leaf in leaves:
        sources, module = leaf_sources(leaf, design.rtl)
        fault = _fault(leaf.text(), prove(prover, sources, module, depth=_DEPTH, seconds=seconds))
        if fault:
            return fault, ""
    what = f"each bit of {counted(len(design.device.streams), 'stream')} is that of its buffer"
    if leaves:
        what += f", {counted(len(leaves), 'kind')} of memory show what was written last"
    return (
        "",
        f"{what}: {counted(claims, 'claim')} on wires; {counted(len(found), 'module')}, all"
        f" proved ({prover.title})",
    )


def _fault(subject: str, proof: Proof) -> str:
    match proof.answer:
        case Answer.PROVED:
            return ""
        case Answer.REFUTED:
            return f"{subject}: {proof.claim.replace('_', ' ')} (cycle {proof.cycle})"
        case Answer.NOT_INDUCTIVE | Answer.UNFINISHED:
            raise NotProvedError(f"{subject}: {proof.claim or 'the proof'} is {proof.answer.value}")


def _without_style(use: Use) -> Use:
    """The use of a memory without its style, which does not change its behaviour."""
    return Use(use.module, tuple(one for one in use.parameters if one[0] != "STYLE"))


def _spoken_of(design: Design) -> Iterator[str]:
    """The modules that the proofs of buffers, junctions and branch FIFOs are about."""
    yield from (use.module for use in uses(design.rtl[f"{design.device.top}.v"]))
    for array in dict.fromkeys(stream.array for stream in design.device.traced):
        if not design.divided.is_divided(array):
            buffer = f"{design.name}_{array}_buffer"
            text = design.rtl.get(f"{buffer}.v", "")
            yield buffer
            yield from (module for _, module in generators_of(text))
            yield from (use.module for use in uses(text))
            continue
        for port in design.device.streams:
            if port.array == array:
                kind = "fork" if port.direction == WRITE else "join"
                junction = f"{design.name}_{port.name}_{kind}"
                yield junction
                generator = junction_generator(design.rtl.get(f"{junction}.v", ""))
                yield from (generator,) if generator else ()


def leaf_sources(use: Use, library: Mapping[str, str]) -> tuple[dict[str, str], str]:
    """The sources of the proof of a memory, and its top; `library` by file name.

    Of a cell, anyone, the last write is read. All other proofs have a RAM of one followed cell in
    place of the real one; this shows that the real one is like it, with the parameters that Yosys
    finds it has in the design.

    Raises KeyError where the library lacks it.
    """
    text = library[f"{use.module}.v"]
    parameters = dict(use.parameters)
    sources: dict[str, str] = {}
    match use.module:
        case "hlsmem_ram":
            text = text.replace(_CELLS, f"{_CELLS}\nwire [WIDTH-1:0] its_cell = cells[watched];")
            block = "no_collision" if parameters.get("COLLISION", "1") == "0" else "old_value"
            cell, latch, more = f"{block}.its_cell", "latch", [_WATCHED]
        case "hlsmem_ram_output":
            sources["hlsmem_ram.v"] = added_text("hlsmem_ram")
            cell, latch = "\\ram.content ", "latch"
            more = [
                "localparam OUTREG = 1, COLLISION = 0;",
                "(* hierconn *) wire [ADDRESS-1:0] \\ram.watched ;",
                "(* hierconn *) wire [WIDTH-1:0] \\ram.content ;",
                "wire [ADDRESS-1:0] watched = \\ram.watched ;",
            ]
        case _:
            cell, latch = "value", "latch[reader*WIDTH +: WIDTH]"
            more = [
                "localparam DEPTH = 1, COLLISION = 1;",
                "wire watched = 1'b0, w_addr = 1'b0, r_addr = 1'b0;",
                "(* anyconst *) reg [31:0] reader;",
                "always @* assume (reader < READERS);",
            ]
    added = re.sub(r"\bCELL\b", lambda _: cell, added_text("leaf"))
    added = re.sub(r"\bLATCH\b", latch, added.partition("reg proof_seen")[2])
    if use.module == "hlsmem_register":  # of one reader, anyone
        added = re.sub(r"\b([ro]_en)\b", r"\1[reader]", added)
        added = added.replace("r_data", "r_data[reader*WIDTH +: WIDTH]")
    lines = [*more, *f"reg proof_seen{added}".splitlines()]
    if use.module == "hlsmem_ram":  # in front of the blocks that look at it
        text = text.replace("reg [WIDTH-1:0] latch;", f"reg [WIDTH-1:0] latch;\n{_WATCHED}", 1)
        lines = lines[1:]
    sources["proof_module.v"] = with_parameters(with_lines(text, lines), parameters)
    return sources, use.module


def modules_in(prover: Prover, rtl: Mapping[str, str], top: str) -> tuple[Use, ...]:
    """Every module below `top` of the texts by file name, once for each set of parameters.

    Raises ToolError where Yosys does not read them.
    """
    with scratch("hlsmem-hierarchy-") as folder:
        for file, text in rtl.items():
            (folder / file).write_text(text, encoding="utf-8")
        script = (
            f"read_verilog {' '.join(rtl)}; hierarchy -check -top {top}; proc;"
            " write_json modules.json"
        )
        done = run(
            [*prover.yosys.command, "-q", "-p", script],
            folder=folder,
            seconds=_SECONDS,
            sandbox=Sandbox(writable=folder, unlimited=True),
        )
        if not done.succeeded:
            what = f"{done.arguments[0]} ended with {done.ending()}:\n{done.last_lines()}"
            raise ToolError(Problem(what, "report the design if it came from hlsmem"))
        found = json.loads((folder / "modules.json").read_text(encoding="utf-8"))["modules"]
    return tuple(
        Use(
            module["attributes"].get("hdlname", name).lstrip("\\"),
            tuple(
                (parameter, _value(value))
                for parameter, value in sorted(module.get("parameter_default_values", {}).items())
            ),
        )
        for name, module in sorted(found.items())
    )


def _value(bits: str) -> str:
    """A parameter as Verilog writes it; Yosys has numbers in binary and texts as they are.

    >>> _value("00000000000000000000000000011001"), _value("auto")
    ('25', '"auto"')
    """
    if bits and set(bits) <= {"0", "1"}:
        number = int(bits, 2)
        return str(number - (1 << len(bits)) if len(bits) == 32 and bits[0] == "1" else number)
    return f'"{bits}"'
