"""Check `proof`: every claim of plan.json proved from its own text, by `hlsmem_verify`; storage is
held against the Verilog and the header of C.

That file shares no code with hlsmem. A claim that it does not prove fails, and is named: nobody
knows whether it holds.
"""

from __future__ import annotations

from pathlib import Path

from hlsmem.verdict import Status, Verdict


def check_proof(design: str, text: str, out: Path | None = None) -> tuple[Verdict, ...]:
    """One verdict on the text of a plan.json, and on the Verilog and header of its folder."""
    from hlsmem_verify import Refused, document_of, joined, texts_of, verify

    try:
        found = verify(document_of(text), texts=None if out is None else texts_of(out))
    except Refused as reason:
        return (_verdict(design, Status.FAIL, str(reason)),)
    if found["false"]:
        return (_verdict(design, Status.FAIL, "; ".join(found["false"][:4])),)
    claims = [path for path, claim, _ in found["leaves"] if claim == "proved"]
    left = found["open"]
    if left:
        path, why = next(iter(left.items()))
        more = f" and {len(left) - 1} more, `hlsmem-verify` lists them" if len(left) > 1 else ""
        detail = (
            f"{sum(one not in left for one in claims)} of {len(claims)} claims proved, nothing"
            f" proves {joined(path)} ({why}){more}"
        )
        return (_verdict(design, Status.FAIL, detail),)
    is_built = found["storage"].startswith("compared")
    source = "and rtl" if is_built else f"alone; storage {found['storage']}"
    detail = f"{len(claims)} claims proved from plan.json {source}"
    return (_verdict(design, Status.PASS, detail),)


def _verdict(subject: str, status: Status, detail: str) -> Verdict:
    return Verdict(check="proof", subject=subject, status=status, detail=detail)
