"""Check `proof`: every claim of plan.json proved from its own text, by `hlsmem_verify`; storage is
held against the Verilog and the header of C.

That package shares no code with hlsmem. A claim that it does not prove fails, and is named: nobody
knows whether it holds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hlsmem.core.verdict import Status, Verdict
from hlsmem.core.wording import counted

if TYPE_CHECKING:
    from hlsmem_verify import KeyPath, Proof

Document = Mapping[str, Any]

_MOST = 4  # faults of an object that are told


def check_proof(design: str, text: str, out: Path | None = None) -> tuple[Verdict, ...]:
    """The verdicts on the text of a plan.json, and on the Verilog and header of its folder.

    One on each array, on each part of those that are in several, on cells of C that are apart, on
    the order of C, each branch FIFO and the streams; and where all hold one on the plan. Where
    something is false, what nobody could look at for that is left out.
    """
    from hlsmem_verify import Refused, document_of, proof_of, texts_of

    try:
        document = document_of(text)
        proof = proof_of(document, texts=None if out is None else texts_of(out))
    except Refused as reason:
        return (_verdict(design, Status.FAIL, str(reason)),)
    claims = [path for path, claim, _ in proof.leaves if claim == "proved"]
    found = [*_judged(document, proof, claims, design)]
    if proof.faults or proof.open:
        return tuple(found)
    source = "and rtl" if proof.is_built else f"alone; storage {proof.storage}"
    detail = f"{len(claims)} claims proved from plan.json {source}"
    if proof.is_built and proof.unbuilt:
        detail += f"; without streams, so not built: {', '.join(proof.unbuilt)}"
    return (_verdict(design, Status.PASS, detail), *found)


def _judged(
    document: Document, proof: Proof, claims: list[KeyPath], design: str
) -> Iterator[Verdict]:
    from hlsmem_verify import joined

    owners = _owners(document)

    def owner(path: KeyPath) -> str:
        above = (path[:size] for size in range(len(path), 0, -1))
        return next((owners[one] for one in above if one in owners), design)

    false: dict[str, list[str]] = {}
    for path, reason in proof.faults:
        false.setdefault(owner(path), []).append(f"{joined(path)}: {reason}")
    left: dict[str, list[str]] = {}
    for path, why in proof.open.items():
        left.setdefault(owner(path), []).append(f"nothing proves {joined(path)} ({why})")
    subjects = dict.fromkeys(owners.values())
    said = _said(document, set(claims))
    for subject in (*subjects, *(false.keys() | left.keys()) - subjects.keys()):
        if subject in false:
            yield _verdict(subject, Status.FAIL, "; ".join(false[subject][:_MOST]))
        elif subject not in left:
            yield _verdict(subject, Status.PASS, said[subject])
        elif not false:
            mine = sum(owner(path) == subject for path in claims)
            first, *others = left[subject]
            more = f" and {len(others)} more, `hlsmem-verify` lists them" if others else ""
            many = f"{mine - len(left[subject])} of {mine} claims proved"
            yield _verdict(subject, Status.FAIL, f"{many}, {first}{more}")


def _owners(document: Document) -> dict[KeyPath, str]:
    """The subject of a verdict, by the path of what it is on."""
    found: dict[KeyPath, str] = {}
    for name, array in document["arrays"].items():
        found["arrays", name] = name
        parts = array["holdings"]["hardware"]["parts"]
        for k, part in enumerate(parts):
            owner = name if len(parts) == 1 else part["memory"]
            found["arrays", name, "holdings", "hardware", "parts", k] = owner
            found["memories", part["memory"]] = owner
        if _is_apart(document, array):
            found["arrays", name, "holdings", "host"] = f"{name} in C"
        if "source" in array["holdings"]:
            found["arrays", name, "holdings", "source"] = f"{name} in the source"
    for name in (document.get("source") or {}).get("arrays", {}):
        found["source", "arrays", name] = f"{name} in the source"
    if (document.get("source") or {}).get("times"):
        found["source", "times"] = "the order of the source"
    for name in _of_text(document):
        found["host", "text", "arrays", name] = f"{name} on overlap"
    if _has_times(document):
        found["orders", "host"] = "the order of C"
    for k, one in enumerate(document["elastic"]):
        found["elastic", k] = one["stream"]
    if document["streams"]:
        found["streams",] = "streams"
    return found


def _of_text(document: Document) -> Document:
    """The arrays of C in the order of its text, which it runs where arguments overlap."""
    text = (document["host"] or {}).get("text") or {}
    arrays: Document = text.get("arrays", {})
    return arrays


def _has_times(document: Document) -> bool:
    return bool((document["orders"]["host"] or {}).get("times"))


def _is_apart(document: Document, array: Document) -> bool:
    """True if C has other cells for an array than hardware, or an order of its own."""
    host = array["holdings"]["host"]
    if host is None:
        return False
    (cells,) = host["parts"]
    parts = array["holdings"]["hardware"]["parts"]
    same = len(parts) == 1 and cells["mapping"] == parts[0]["mapping"]
    return not same or _has_times(document)


def _said(document: Document, claims: Collection[KeyPath]) -> dict[str, str]:
    """The report for each subject where all that is claimed of it holds."""
    found: dict[str, str] = {}
    for name, array in document["arrays"].items():
        held = array["holdings"]["hardware"]
        parts = held["parts"]
        for part in parts:
            found[name if len(parts) == 1 else part["memory"]] = _part(document, part)
        if len(parts) != 1:
            found[name] = f"{_hold(held['words'])} in {len(parts)} parts"
        if _is_apart(document, array):
            found[f"{name} in C"] = _mapping(array["holdings"]["host"]["parts"][0]["mapping"])
        if "source" in array["holdings"]:
            found[f"{name} in the source"] = _in_source(array["holdings"]["source"])
    source = document.get("source") or {}
    for name, one in source.get("arrays", {}).items():
        found[f"{name} in the source"] = _in_source(one["held"])
    found["the order of the source"] = "every read sees the value that it sees in the user's text"
    for name, one in _of_text(document).items():
        found[f"{name} on overlap"] = _mapping(one["mapping"])
    found["the order of C"] = (
        "every two instances that touch one element, one of them writing, keep their order"
    )
    for k, one in enumerate(document["elastic"]):
        is_known = ("elastic", k, "beats") in claims
        way = (
            "as many as the paths to its statement differ"
            if is_known
            else "found by a run; `rtl` counts the cycles with it"
        )
        found[one["stream"]] = f"{counted(one['beats'], 'beat')}: {way}"
    many = counted(len(document["streams"]), "stream")
    return found | {"streams": f"{many} with the accesses of the program, a beat an instance"}


def _part(document: Document, part: Document) -> str:
    """The proved property of a part, in words."""
    if part["mapping"] is not None:
        found = _mapping(part["mapping"])
        if part["bank_basis"] is not None:
            found += "; at these parameters so do the banks, and no beat reads one twice"
        return found
    from hlsmem_verify.kinds import KINDS

    memory = document["memories"][part["memory"]]
    words = _hold(memory["words"])
    if part["taps"] is None:
        return f"{words}; {KINDS[memory['kind']].says}"
    if memory["kind"] == "wire":
        return f"{words}; its operands are what the step of each read writes last"
    taps = ", ".join(str(tap) for tap in part["taps"])
    return f"{words}; its operands lie {taps} elements behind the newest"


def _in_source(held: Document) -> str:
    """The proved property of an array of the text that comes back, in words."""
    if "mapping" in held:
        return f"{held['form']}: {_mapping(held['mapping'])}"
    if "lines" in held:
        return f"{held['form']}: {_hold(held['words'])}, read as late as each has them"
    return f"{held['form']}: {counted(held['words'], 'word')}"


def _hold(words: int) -> str:
    return "1 word holds it" if words == 1 else f"{words} words hold it"


def _mapping(mapping: Document) -> str:
    cells, certificate = mapping["cells"], mapping["certificate"]
    many = "1 cell separates" if cells == 1 else f"{cells} cells separate"
    if certificate["scope"] == "all-parameters":
        return f"{many} all conflicting elements, for all parameters"
    at = ", ".join(f"{name}={value}" for name, value in certificate["at"].items())
    return f"{many} all conflicting elements{', at ' + at if at else ''}"


def _verdict(subject: str, status: Status, detail: str) -> Verdict:
    return Verdict(check="proof", subject=subject, status=status, detail=detail)
