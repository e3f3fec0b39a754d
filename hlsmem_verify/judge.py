"""Goes through all lemmas of a plan, and says of every leaf what proves it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from hlsmem_verify.algebra import Values, own_values
from hlsmem_verify.claims.branch_fifos import has_chains_alone
from hlsmem_verify.claims.played import prove_played
from hlsmem_verify.facts import Facts
from hlsmem_verify.lemmas import LEMMAS, Lemma
from hlsmem_verify.outcomes import False_
from hlsmem_verify.play import Play
from hlsmem_verify.shape import SHAPE, H, KeyPath, M, P, joined, leaves


@dataclass
class Found:
    """False claims; by path the reason why nothing proves one, and the lemmas that prove it."""

    faults: list[tuple[KeyPath, str]] = field(default_factory=list)
    open: dict[KeyPath, str] = field(default_factory=dict)
    proved: dict[KeyPath, list[str]] = field(default_factory=dict)

    @property
    def false(self) -> list[str]:
        """The faults as people read them."""
        return [f"{joined(path)}: {reason}" for path, reason in self.faults]

    def of(self, path: KeyPath) -> tuple[str, str]:
        """(lemmas, why it is open) of a leaf: the nearest lemmas above it, the first that fails."""
        above = [path[:size] for size in range(len(path), -1, -1)]
        lemmas = next((self.proved[one] for one in above if one in self.proved), [])
        why = next((self.open[one] for one in reversed(above) if one in self.open), "")
        return ", ".join(lemmas), why or ("" if lemmas else "nothing here proves it")


def judged(facts: Facts, lemmas: Iterable[Lemma] = LEMMAS) -> Found:
    """Verdicts of lemmas on a plan."""
    found = Found()
    told: set[int] = set()
    for lemma in lemmas:
        for path, names in lemma.objects(facts):
            end = facts.end(lemma.prove, *names)
            proves = lemma.proves(path)
            if end is None:
                for one in () if lemma.beside else proves:
                    found.proved.setdefault(one, []).append(lemma.name)
                continue
            is_false = isinstance(end, False_)
            found.open |= dict.fromkeys(proves, "it is false" if is_false else str(end))
            if is_false and id(end) not in told:
                told.add(id(end))
                found.faults.append((proves[0] if len(proves) == 1 else path, str(end)))
    return found


def played(facts: Facts, values: Values) -> Found:
    """Claims for all parameters, held against a play at other values."""
    found = Found()
    play = Play(facts.program, own_values(values), facts.document["arrays"])
    at = " at " + ", ".join(f"{name}={value}" for name, value in values.items())
    for name in facts.document["arrays"]:
        path = ("arrays", f"{name}{at}")
        end = facts.end(prove_played, play, name)
        if isinstance(end, False_):
            found.faults.append((path, str(end)))
        elif end is not None:
            found.open[path] = str(end)
        else:
            found.proved[path] = ["a play"]
    return found


@dataclass
class Proof:
    """Of every leaf (path, class, what proves it), what is false, what is open and why, whether
    storage was held against Verilog, and the memories of arrays without streams, which have no
    module in it."""

    leaves: list[tuple[KeyPath, str, str]]
    faults: list[tuple[KeyPath, str]]
    open: dict[KeyPath, str]
    is_built: bool
    unbuilt: tuple[str, ...]

    @property
    def storage(self) -> str:
        """Text of the storage comparison: with rtl, or without."""
        if not self.is_built:
            return "not compared: no rtl here"
        left = ", ".join(self.unbuilt)
        return "compared with rtl" + (f"; without streams, so not built: {left}" if left else "")


def verify(
    document: dict[str, Any], sizes: Iterable[Values] = (), texts: dict[str, str] | None = None
) -> dict[str, Any]:
    """{leaves: [(path, class, what proved it)], false: [..], open: {path: reason}, storage} of a
    plan, as `proof_of` finds it; storage says whether it was held against Verilog."""
    found = proof_of(document, sizes, texts)
    false = Found(found.faults).false
    return {"leaves": found.leaves, "false": false, "open": found.open, "storage": found.storage}


def proof_of(
    document: dict[str, Any], sizes: Iterable[Values] = (), texts: dict[str, str] | None = None
) -> Proof:
    """Proof of a plan: which of its claims are proved, false or open.

    Claims for all parameters are held against a play at each of some sizes too. `texts` are the
    Verilog and the headers beside the plan by name, as `texts_of` reads them.
    """
    facts = Facts(document, texts)
    verdicts = judged(facts)
    faults, unknown = [*verdicts.faults], {**verdicts.open}
    for values in sizes:
        other = played(facts, document["params"] | values)
        faults, unknown = faults + other.faults, unknown | other.open
    by_run = {"elastic"} if document["elastic"] and not has_chains_alone(facts) else set()
    found = []
    left: dict[KeyPath, str] = {}
    for path, claim in leaves(document, SHAPE):
        if document["program"] is None and path[2:] == ("conflicts", "differences"):
            claim = H
        if _is_of_rtl(facts, path) or path[0] in by_run or _is_of_fifo(facts, path):
            claim = M
        how = claim
        if claim == P:
            lemmas, why = verdicts.of(path)
            how = "nothing proves it" if why else f"proved by {lemmas}"
            left |= {path: why} if why else {}
        found.append((path, claim, how))
    told = {path[:size] for path in left for size in range(len(path) + 1)}
    left |= {path: why for path, why in unknown.items() if path not in told}
    return Proof(found, faults, left, facts.has_verilog, facts.unbuilt)


def _is_of_fifo(facts: Facts, path: KeyPath) -> bool:
    """True of the words of a stream in the text that comes back: runs tell how many it needs."""
    match path:
        case ("arrays", str(name), "holdings", "source", "words" | "bits"):
            return bool(facts.array(name)["holdings"]["source"]["form"] == "fifo")
        case ("source", "arrays", str(name), "held", "words" | "bits"):
            return bool(facts.document["source"]["arrays"][name]["held"]["form"] == "fifo")
    return False


def _is_of_rtl(facts: Facts, path: KeyPath) -> bool:
    """True if the Verilog alone says a leaf of a memory, and is not here or has no module of it;
    registers have no style."""
    match path:
        case ("memories", str(name), "kind" | "style" as key):
            kind = facts.document["memories"][name]["kind"]
            is_built = facts.has_verilog and name not in facts.unbuilt
            return not is_built or (key == "style" and kind in ("registers", "wire"))
    return False
