"""A run from reset, to tell a claim that is broken from one that induction cannot see.

Address generators know nothing but their steps, so one run without stalls goes through all they do.
It is simulated with Icarus; where there is none, nothing is known.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from hlsmem.check.formal.model.icarus import printed
from hlsmem.check.formal.module_text import ports_of
from hlsmem.check.formal.proof_tasks import Task, task_sources
from hlsmem.check.formal.smt_proof import Answer, Proof

_TOP = "trial_top"
_PROBE = re.compile(r"\(\* hierconn \*\) (wire .*)\\(\S+) ;")


def run_trial(
    buffer: str, top: str, library: Mapping[str, str], task: Task, cycles: int, *, stubs: bool
) -> Proof | None:
    """The first claim of a task that a run of so many cycles breaks; None where none is known.

    With `stubs` memories and skids are ready at all times, whatever they hold; a chain has to be
    looked at with its own.
    """
    sources = task_sources(buffer, replace(task, claims={}), library, stubs=stubs)
    sources = {name: _ready(text) for name, text in sources.items()}
    names = _signals(task)
    checks = "".join(
        f'    if (!({claim})) begin $display("broken {name}"); broken = 1; end\n'
        for name, claim in task.claims.items()
    )
    shown = "".join(f'        $display("{name} %b", {name});\n' for name in names)
    body = (
        "reg broken = 1'b0;\ninteger trial_cycle = 0;\n"
        "always @(negedge clk) if (proof_seen) begin\n"
        f"{checks}    if (broken) begin\n"
        f'        $display("cycle %0d", trial_cycle);\n{shown}        $finish;\n    end\n'
        "    trial_cycle = trial_cycle + 1;\nend\n"
    )
    text = sources["proof_buffer.v"]
    sources["proof_buffer.v"] = text.rpartition("endmodule")[0] + body + "endmodule\n"
    sources["trial.v"] = _trial_text(buffer, top, cycles)
    output = printed(sources, _TOP)
    if output is None:
        return None
    broken = re.search(r"^broken (\w+)", output, re.M)
    cycle = re.search(r"^cycle (\d+)", output, re.M)
    if broken is None or cycle is None:
        return None
    values = {found[1]: int(found[2], 2) for found in re.finditer(r"^(\w+) ([01]+)$", output, re.M)}
    return Proof(answer=Answer.REFUTED, claim=broken[1], cycle=int(cycle[1]), values=values)


def _signals(task: Task) -> list[str]:
    """Signals of a witness: coordinates of ghosts, and addresses."""
    found: dict[str, None] = {}
    for piece in task.pieces:
        ghost = piece.ghost
        found |= dict.fromkeys(f"{ghost.name}_{k}" for k in range(ghost.forms.rank))
        for line in piece.lines:
            found |= dict.fromkeys(re.findall(r"^wire signed \[\d+:0\] (\w+_cell) =", line))
        found |= dict.fromkeys(
            register
            for line in piece.lines
            for register in re.findall(r"^reg signed \[\d+:0\] (g\d+_\d+);", line, re.M)
        )
    for claim in task.claims.values():
        found |= dict.fromkeys(re.findall(r"\b\w+_\d+(?:_b\d+)?_[rw]_addr\b", claim))
    return [*found]


def _ready(text: str) -> str:
    """A proof's text for simulation: free values made all ones, probes plain hierarchical names.

    RAMs each show a word of their own all the time. Of the elements of a chain one is followed
    after the other.
    """
    shown = r"\(\* anyseq \*\) (reg .*?any_r_data;)"
    text = re.sub(shown, r"\1 initial any_r_data = {2{$random}};", text)
    text = re.sub(r"\(\* anyseq \*\) reg (.*?)(\w+);", r"wire \1\2 = ~0;", text)
    ages = [int(age) for age in re.findall(r"run_(\d+)(?:_lane_\d+)?;", text)]
    oldest = max(ages, default=0)
    text = text.replace("chosen && !marked", f"chosen && (!marked || age > {oldest + 2})")
    text = re.sub(r"always @\* assume .*", "", text)
    text = re.sub(r"always @\* if \(!proof_seen\) assume .*", "", text)
    return _PROBE.sub(r"\1\\\2  = \2;", text)


def _trial_text(buffer: str, top: str, cycles: int) -> str:
    lines = [f"module {_TOP};", "reg clk = 1'b0;", "reg seen = 1'b0;"]
    lines.append(f"initial begin repeat ({2 * cycles}) #1 clk = ~clk; $finish; end")
    lines.append("always @(posedge clk) seen <= 1'b1;")
    lines += ["reg [31:0] noise = 0;", "always @(posedge clk) noise <= $random;"]
    ports = []
    for port in ports_of(buffer):
        name = port.name
        if name == "clk":
            continue
        noise = "_tdata" in name or "_tready" in name
        value = "~seen" if name == "rst" else "{8{noise}}" if noise else "~0"
        given = f" = {value}" if port.is_input else ""
        lines.append(f"wire {port.range}{name}{given};")
        ports.append(f".{name}({name})")
    lines.append(f"{top} buffer (.clk(clk), {', '.join(ports)});")
    return "\n".join([*lines, "endmodule", ""])
