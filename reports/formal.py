"""reports/formal.md: planted faults under `check --only formal`, and what the proofs say of them.

One fault of each kind in one example of each kind of buffer; reports/faults.md has what
simulation says of all. A fault that proofs do not see is equivalent, or listed as left to `rtl`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hlsmem.check.formal import prove_design, read_hints
from hlsmem.check.rtl.simulated_device import read_device
from hlsmem.core.verdict import Status
from hlsmem.tools.provers import Prover, find_prover
from reports.faults import (
    AS_IT_IS,
    ROOT,
    DesignUnderCheck,
    generated,
    rtl_outcome,
    subject_of,
    write_rtl,
)
from tests.faults.verilog import PlantedFault, planted_faults

# Count gates, compare gates and several writers, banks, chains; at sizes that are proved fast.
SUBJECTS = (
    ("blur", ()),
    ("triangle", ()),
    ("transpose", ()),
    ("sobel", ("order=iteration",)),
    ("window3/unrolled", ()),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A fault and what the proofs say; `left` is what simulation says where they pass."""

    example: str
    fault: PlantedFault
    status: Status
    detail: str
    left: str = ""


def findings(subject: DesignUnderCheck, prover: Prover) -> Iterator[Finding]:
    """Every kind of fault planted once in a subject; raises if it does not pass as it is."""
    with tempfile.TemporaryDirectory(prefix="hlsmem-faults-") as name:
        out = Path(name)
        files = write_rtl(subject, out)
        if _finding(subject, out, files, AS_IT_IS, prover).status is not Status.PASS:
            raise AssertionError(f"{subject.name} is not proved as it is")
        for fault in planted_faults(generated(files), most=1):
            yield _finding(subject, out, files, fault, prover)


def _finding(
    subject: DesignUnderCheck,
    out: Path,
    files: Mapping[str, str],
    fault: PlantedFault,
    prover: Prover,
) -> Finding:
    verdicts = prove_design(
        subject.program,
        read_device(out / "sim" / f"{subject.planning.plan.design}.json"),
        {**files, **fault.files},
        read_hints(out),
        subject.document,
        prover,
    )
    worst = min(verdicts, key=lambda one: (one.fine, one.status is not Status.FAIL))
    left = ""
    if worst.fine and fault.files:
        outcome = rtl_outcome(subject, out, fault)
        left = f"left to {outcome.by}" if outcome.caught else outcome.by
    return Finding(
        example=subject.name, fault=fault, status=worst.status, detail=worst.detail, left=left
    )


def table() -> str:
    """The whole report; raises where a fault is neither seen nor equivalent nor left to `rtl`."""
    prover = find_prover()
    found = [
        finding
        for name, settings in SUBJECTS
        for subject in subject_of(", ".join([name, *settings]), _file(name), settings)
        for finding in findings(subject, prover)
    ]
    holes = [one.fault.where for one in found if one.status is Status.PASS and not one.left]
    if holes:
        raise AssertionError(f"neither seen nor equivalent: {holes}")
    failed = sum(one.status is Status.FAIL for one in found)
    doubted = sum(one.status is Status.NOT_JUDGED for one in found)
    lines = [
        "# Planted faults and proofs",
        "",
        "Rebuilt by `make reports`. One fault of each kind in an example of each kind of buffer,",
        "under `check --only formal`. Nothing but a pass is fine: what is not proved counts as",
        "caught. Edits of plan.json are for `proof` and `replay`: proofs take the plan as it is.",
        "",
        f"{len(found)} faults: {failed} fail with a witness, {doubted} are not proved,"
        f" {len(found) - failed - doubted} pass.",
        "",
        "| example | fault | where | formal | what it says |",
        "|---|---|---|---|---|",
    ]
    words = {Status.FAIL: "fail", Status.NOT_JUDGED: "not proved", Status.PASS: "pass"}
    for one in found:
        said = one.left or one.detail.removeprefix("not proved: ")
        cells = (one.example, one.fault.kind, one.fault.where, words[one.status], said)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _file(name: str) -> Path:
    return ROOT / "examples" / (f"{name}.yaml" if "/" in name else f"{name}/design.yaml")


def main() -> None:
    (ROOT / "reports" / "formal.md").write_text(table(), encoding="utf-8")
