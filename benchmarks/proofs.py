"""What the proofs of `check --only formal` take on the examples, one after the other.

Seconds are those of the processor, so that other work on the machine counts little.
"""

from __future__ import annotations

import json
import resource
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from hlsmem.check.formal.formal_verdicts import control_of, jobs_of
from hlsmem.check.formal.proof_design import design_of
from hlsmem.check.formal.smt_proof import prove
from hlsmem.check.rtl.simulated_device import read_device
from hlsmem.core.errors import ToolError
from hlsmem.core.verilog_library import plain
from hlsmem.emit.markdown_table import Column, table
from hlsmem.planner.output_files import output_files
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.read.design import load
from hlsmem.tools.provers import find_prover

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
IMAGE = {"W": 64, "H": 64}
SIZES: tuple[tuple[str, Mapping[str, int], tuple[str, ...]], ...] = (
    ("blur", {}, ()),
    ("sobel", {}, ()),
    ("sobel", {}, ("order=iteration",)),
    ("window3", IMAGE, ()),
    ("window3/unrolled", IMAGE, ()),
    ("window5", IMAGE, ()),
    ("half", {}, ()),
    ("heat2d", {}, ()),
    ("durbin", {"N": 64}, ()),
    ("triangle", {"N": 64}, ()),
    ("stencil5", {}, ()),
    ("bicubic", {}, ()),
    ("echo", {}, ()),
    ("fifo", {}, ()),
)


def _seconds_of_tools() -> float:
    """Processor time of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def rows(folder: Path) -> Iterator[list[str]]:
    """Per example: proofs, the longest, all together, and what came out."""
    prover = find_prover()
    for name, parameters, settings in SIZES:
        file = EXAMPLES / (f"{name}.yaml" if "/" in name else f"{name}/design.yaml")
        planning = plan_design(load(file, parameters=parameters, settings=settings))
        assert planning.program is not None
        files = output_files(planning)
        rtl = {
            plain(file.removeprefix("rtl/")): plain(text)
            for file, text in files.items()
            if file.startswith("rtl/") and file.endswith(".v") and file.count("/") == 1
        }
        hints = json.loads(files["sim/invariants.json"])["streams"]
        description = folder / "description.json"
        description.write_text(files[f"sim/{planning.plan.design}.json"], encoding="utf-8")
        document = json.loads(files["plan.json"])
        device = read_device(description)
        design = design_of(planning.program, device, rtl, hints, document)
        seconds, answers = [], set()
        for array in dict.fromkeys(stream.array for stream in design.device.traced):
            if design.divided.is_divided(array):
                continue  # its parts have proofs of their own
            for sources, top in jobs_of(control_of(design, array)):
                start = _seconds_of_tools()
                answers.add(prove(prover, sources, top, depth=1, seconds=60).answer.value)
                seconds.append(_seconds_of_tools() - start)
        label = " ".join([name, *(f"{k}={v}" for k, v in parameters.items()), *settings])
        longest, total = f"{max(seconds):.1f}", f"{sum(seconds):.1f}"
        yield [label, str(len(seconds)), longest, total, ", ".join(sorted(answers))]


def report(folder: Path) -> str:
    columns = [Column("example"), Column("proofs"), Column("longest s"), Column("sum s")]
    return table([*columns, Column("answers")], list(rows(folder)))


def print_table() -> None:
    """Print the table, or which tool is missing."""
    try:
        find_prover()
    except ToolError as error:
        print(f"no proofs: {error}")
        return
    with tempfile.TemporaryDirectory() as name:
        print(report(Path(name)))


if __name__ == "__main__":
    print_table()
