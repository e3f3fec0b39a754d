"""The verdict on a top: its wiring, the memories below it, and that a proof speaks of every module.

A module that no proof has in it, and none is about, fails: what it does nobody knows.
"""

from __future__ import annotations

from collections.abc import Iterator

from hlsmem.check.formal.circuits.buffer_proof import walkers_of
from hlsmem.check.formal.circuits.junction_proof import junction_walker
from hlsmem.check.formal.circuits.library_proof import Use, uses
from hlsmem.check.formal.circuits.memory_proof import LEAVES, leaf_sources
from hlsmem.check.formal.module_hierarchy import modules_in
from hlsmem.check.formal.proof_design import Design
from hlsmem.check.formal.smt_proof import Answer, Proof, prove
from hlsmem.check.formal.top_wiring import wiring_sources
from hlsmem.check.rtl.simulated_device import WRITE
from hlsmem.core.wording import counted
from hlsmem.tools.provers import Prover

# They stand in the proofs of what uses them as they are.
_WITHIN = frozenset({"hlsmem_gate", "hlsmem_gate_count", "hlsmem_wrap"})
_DEPTH = 8


class NotProvedError(Exception):
    """What of a top could not be proved, for people."""


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
    """How a memory is to be made changes nothing of what it does."""
    return Use(use.module, tuple(one for one in use.parameters if one[0] != "STYLE"))


def _spoken_of(design: Design) -> Iterator[str]:
    """The modules that the proofs of buffers, junctions and branch FIFOs are about."""
    yield from (use.module for use in uses(design.rtl[f"{design.device.top}.v"]))
    for array in dict.fromkeys(stream.array for stream in design.device.traced):
        if not design.divided.is_divided(array):
            buffer = f"{design.name}_{array}_buffer"
            text = design.rtl.get(f"{buffer}.v", "")
            yield buffer
            yield from (module for _, module in walkers_of(text))
            yield from (use.module for use in uses(text))
            continue
        for port in design.device.streams:
            if port.array == array:
                kind = "fork" if port.direction == WRITE else "join"
                junction = f"{design.name}_{port.name}_{kind}"
                yield junction
                walker = junction_walker(design.rtl.get(f"{junction}.v", ""))
                yield from (walker,) if walker else ()
