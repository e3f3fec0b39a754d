"""Claims of FIFOs: values are read once, in the order of writes."""

from __future__ import annotations

from bisect import bisect_right

from hlsmem_verify.claims.process_firing import prove_firing
from hlsmem_verify.facts import Facts, Part
from hlsmem_verify.outcomes import False_, Unknown, must_be
from hlsmem_verify.play import in_turn
from hlsmem_verify.succession import succeed


def prove_fifo(facts: Facts, part: Part) -> None:
    """Lemma *FIFO*: each value is read once, in the order of writes; no more wait at once."""
    memory, rules = part.memory, facts.program.rules
    if memory["copies"] != 1 or memory["banks"] != 1:
        raise False_("a FIFO has no copies or banks")
    must_be("bits", memory["bits"], part.array["element"]["bits"])
    if rules["lanes"]:
        raise Unknown("a FIFO of unrolled loops")
    try:
        succeed(part, memory["words"], facts.values)
        return
    except Unknown:
        pass  # access by access
    values = facts.play.lives(part.name, operands=part.operands, takes=part.takes)
    in_turn(values)
    kept = part.lives.kept
    reads = [one.uses[0][0][:kept] for one in values]
    gone = (bisect_right(reads, one.born[:kept]) for one in values)
    most = max((number + 1 - past for number, past in enumerate(gone)), default=0)
    if rules.get("capacity") == "selftimed":
        facts.hold(prove_firing)
    elif most > memory["words"]:
        raise False_(f"{most} values wait at once, it has {memory['words']} words")
    held = max((held for *_, held in facts.play.moments(values)), default=0)
    if memory["words"] > max(2, held):
        raise False_(f"{held} values are alive at once, for {memory['words']} words")
