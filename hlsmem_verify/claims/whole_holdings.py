"""Claims of all that holds an array: sums, standing, scope."""

from __future__ import annotations

from typing import Any

from hlsmem_verify.claims.array_conflicts import prove_conflicts
from hlsmem_verify.claims.needed_cells import prove_bound
from hlsmem_verify.facts import Facts
from hlsmem_verify.isl_values import at_values, count
from hlsmem_verify.outcomes import MOST_SWEPT, False_, must_be


def prove_bounded(facts: Facts, name: str) -> None:
    """The bound of what holds an array, by its kind."""
    held = facts.hardware(name)
    facts.need(f"arrays.{name}.conflicts", prove_conflicts, name)
    if facts.runs_free(name):
        raise False_("processes that run by themselves have no order to count in")
    prove_bound(facts, name, held["bound"], held["words"], [], facts.lives.get(name))


def prove_counted(facts: Facts, name: str) -> None:
    """Prove that max-live is stated wherever it can be counted: nobody may leave it out."""
    held = facts.hardware(name)
    facts.need(f"arrays.{name}.conflicts", prove_conflicts, name)
    if facts.runs_free(name) or facts.program.rules is None or "class" in facts.array(name):
        return
    if held["words"] <= 1 or any(facts.kind(part) == "wire" for part in held["parts"]):
        return
    births = at_values(facts.lives[name].births, facts.values).wrap()
    if 0 < count(births) <= MOST_SWEPT:
        raise False_("how many elements are alive at once is not stated")


def prove_lattice(facts: Facts, name: str, k: int) -> None:
    """A bound of modular mappings is of one that is all that holds the array."""
    facts.need(f"arrays.{name}.conflicts", prove_conflicts, name)
    held = facts.hardware(name)
    part = held["parts"][k]
    bound, whole = part["lattice"], held["bound"]
    if bound is None:
        return
    if len(held["parts"]) != 1 or part["mapping"] is None:
        raise False_("it is of no mapping of the whole array")
    known = [] if whole is None else [(whole["kind"], whole["cells"])]
    prove_bound(facts, name, bound, part["mapping"]["cells"], known, facts.lives.get(name))


def prove_sums(facts: Facts, name: str) -> None:
    """Words and bits are those of the memories, and of the branch FIFOs at them."""
    held = facts.hardware(name)
    words = bits = 0
    for part in held["parts"]:
        memory = facts.memory(part)
        words, bits = words + memory["words"], bits + memory["words"] * memory["bits"]
        own = [str(stream) for stream, _ in part["operands"]]
        names = {f"m_{part['memory']}_{one.removeprefix(f'm_{name}_')}": one for one in own}
        for one in facts.document["elastic"]:
            stream, inner = one["stream"], f"s_{part['memory']}_"
            if stream in names or stream.startswith(inner):
                values = own.count(names[stream]) if stream in names else 1
                words, bits = words + one["beats"] * values, bits + one["beats"] * one["bits"]
    must_be("words", held["words"], words)
    must_be("bits", held["bits"], bits)


def prove_standing(facts: Facts, name: str) -> None:
    stands(facts.hardware(name))


def stands(held: dict[str, Any]) -> None:
    """The words beside the bounds: those of all, and of modular mappings where one is all."""
    words, bound = held["words"], held["bound"]
    lattice = held["parts"][0]["lattice"] if len(held["parts"]) == 1 else None
    gap = "" if bound is None else f"{words - bound['cells']} above {kind_counted(bound)}"
    if words <= 1:
        found = "optimal"
    elif bound is not None and bound["cells"] == words:
        found = "optimal for the class" if "points" in (bound["witness"] or {}) else "optimal"
    elif lattice is not None and lattice["cells"] == words:
        found = ", ".join(["optimal among modular mappings", *([gap] if gap else [])])
    else:
        found = gap or "no bound known"
    must_be("standing", held["standing"], found)


def _scope_of(part: dict[str, Any]) -> str:
    """Scope of the proof of a part: its mapping or its taps; words of a FIFO are a number."""
    if part["mapping"] is not None:
        return str(part["mapping"]["certificate"]["scope"])
    sure = part["taps_expr"] is not None or (part["taps"] is not None and not any(part["taps"]))
    return "all-parameters" if sure else "at"


def prove_weakest(facts: Facts, name: str) -> None:
    """The certificate of all is the weakest of its parts."""
    held = facts.hardware(name)
    scopes = [_scope_of(part) for part in held["parts"]]
    scope = "all-parameters" if set(scopes) == {"all-parameters"} else "at"
    must_be("scope", held["certificate"]["scope"], scope)
    at = {} if scope == "all-parameters" else facts.document["params"]
    must_be("at", held["certificate"]["at"], at)
    if len(held["parts"]) == 1 and held["parts"][0]["mapping"] is not None:
        must_be("certificate", held["certificate"], held["parts"][0]["mapping"]["certificate"])
    elif "kernel" in held["certificate"]:
        raise False_("a kernel is of a mapping")


def kind_counted(bound: dict[str, Any]) -> str:
    """Kind of a count: a bound of a long run, so many live at some moment, is max-live too."""
    return "max-live" if bound["kind"] == "live-at" else str(bound["kind"])
