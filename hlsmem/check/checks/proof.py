"""Every claim of plan.json is proved from its own text, and storage held against the Verilog."""

from __future__ import annotations

from hlsmem.core.verdict import Check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hlsmem.check.design_under_check import DesignUnderCheck
    from hlsmem.core.verdict import Verdict


def _run(subject: DesignUnderCheck) -> tuple[Verdict, ...]:
    import json

    from hlsmem.check.plans.proof_check import check_proof

    return check_proof(subject.plan.design, json.dumps(subject.document), subject.out)


CHECK = Check(
    name="proof",
    order=30,
    proves="mappings, bounds, parts, banks, FIFOs, chains and streams hold for the program that"
    " plan.json states; rtl/ has the words, copies, banks and kinds of memories, host/ the cells",
    on_whose_word="the program in plan.json, which `source` holds against the design; isl",
    run=_run,
)
