"""Check `proof`: every claim of plan.json proved from its own text, by `hlsmem_verify`.

That file shares no code with hlsmem. A claim that it does not prove fails, and is named: nobody
knows whether it holds.
"""

from __future__ import annotations

from hlsmem.verdict import Status, Verdict


def check_proof(design: str, text: str) -> tuple[Verdict, ...]:
    """One verdict on the text of a plan.json."""
    from hlsmem_verify import Refused, document_of, joined, verify

    try:
        found = verify(document_of(text))
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
    return (_verdict(design, Status.PASS, f"{len(claims)} claims proved from plan.json alone"),)


def _verdict(subject: str, status: Status, detail: str) -> Verdict:
    return Verdict(check="proof", subject=subject, status=status, detail=detail)
