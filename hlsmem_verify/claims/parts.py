"""Claims of a part: what its operands read lies where it says."""

from __future__ import annotations

from hlsmem_verify.claims.array_conflicts import prove_conflicts
from hlsmem_verify.claims.banks import ports_of, prove_banked, prove_fits
from hlsmem_verify.claims.chains import prove_chain
from hlsmem_verify.claims.fifo_depths import prove_fifo
from hlsmem_verify.claims.mappings import prove_mapping
from hlsmem_verify.claims.process_firing import prove_window
from hlsmem_verify.facts import Facts, Part
from hlsmem_verify.isl_values import DIM
from hlsmem_verify.kinds import KINDS
from hlsmem_verify.lives import Lives
from hlsmem_verify.outcomes import False_, must_be

# The claims of kinds that have neither cells nor taps.
_WITHOUT_TAPS = {"fifo": prove_fifo}
_BANKS = ("bank_basis", "bank_block", "storage_basis", "boxes")


def prove_given_part(facts: Facts, name: str, _k: int) -> None:
    """Lemma *one RAM*: given conflicts have no streams, and one mapping alone."""
    array, parts = facts.array(name), facts.held(name)
    facts.need(f"arrays.{name}.holdings.hardware.parts", prove_division, name)
    (stated,) = parts
    own = {key: stated[key] for key in ("memory", "mapping", "lattice")}
    if stated != {**dict.fromkeys(stated), **own, "operands": [], "base": 0}:
        raise False_("it is no mapping in one RAM")
    if stated["mapping"] is None:
        raise False_("it has no mapping")
    prove_mapping(facts, name, array, stated["mapping"], None)
    prove_fits(Part("", array, stated, facts.memory(stated), [], None, None), 1)


def prove_division(facts: Facts, name: str) -> None:
    """Each operand of the read streams is served by one part, each part has a memory."""
    facts.need(f"arrays.{name}.conflicts", prove_conflicts, name)
    program, array, parts = facts.program, facts.array(name), facts.held(name)
    if program.rules is None:
        return must_be("parts", len(parts), 1)
    wanted = [op for op, _ in facts.operands(name)]
    served = [(str(s), int(k)) for part in parts for s, k in part["operands"]]
    dead = {s for s, _ in served} - {s for s, _ in wanted}
    if array.get("state") and not facts.is_kept(name):
        raise False_("what a run leaves is not what the next one finds")
    if sorted(op for op in served if op[0] not in dead) != sorted(wanted):
        raise False_("the parts do not serve each operand of the read streams once")
    for stream in dead:
        statement = stream.removeprefix(f"m_{name}_")
        if statement not in program.statements:
            raise False_(f"{stream} is no stream of {name}")
    if len({part["memory"] for part in parts}) != len(parts) or not parts:
        raise False_("two parts are in one memory, or there is none")
    if len(parts) > 1 and (program.rules["lanes"] or program.live("live_in", name)):
        raise False_("an array of unrolled loops, or live before the run, is in one part")
    return None


def prove_part(facts: Facts, name: str, k: int) -> None:
    """Prove that the values its operands read are where the part says."""
    facts.need(f"arrays.{name}.holdings.hardware.parts", prove_division, name)
    array, parts = facts.array(name), facts.held(name)
    stated, many = parts[k], len(parts)
    memory, takes = facts.memory(stated), None
    if stated["takes"] is not None:
        takes = facts.program.set(stated["takes"], "takes").reset_tuple_id()
        if takes.dim(DIM.set) != len(array["index"]):
            raise False_("takes has other dimensions than the index")
    operands = [(str(s), int(k)) for s, k in stated["operands"]]
    whole = many == 1 and takes is None and stated["mapping"] is not None
    counted = None if facts.program.rules["lanes"] else operands
    lives = facts.lives[name]
    if not whole:
        lives = Lives(facts.program, name, len(array["index"]), operands=counted, takes=takes)
    part = Part(name, array, stated, memory, operands, takes, lives)
    kind, banks = memory["kind"], any(stated[key] is not None for key in _BANKS)
    if stated["mapping"] is not None:
        if not KINDS[kind].has_mapping or stated["taps"] is not None:
            raise False_(f"it has a mapping, and taps or a memory of kind {kind}")
        if kind == "window" and not banks:
            prove_window(facts, part)
            prove_fits(part, ports_of(facts, part))
            return
        prove_mapping(facts, name, array, stated["mapping"], None if whole else lives)
        if kind == "banked":
            prove_banked(facts, part)
        elif banks:
            raise False_("it has banks in one RAM")
        else:
            prove_fits(part, ports_of(facts, part))
        return
    if stated["base"] or banks or not KINDS[kind].is_ordered:
        raise False_(f"no mapping, but a base, banks or a memory of kind {kind}")
    if any(stream == f"m_{name}_drain" for stream, _ in operands):
        raise False_("it is drained, and nothing stays in it")
    if (stated["taps"] is None) == KINDS[kind].has_taps:
        raise False_(f"taps do not go with a memory of kind {kind}")
    if memory["copies"] != 1 or memory["banks"] != 1:
        raise False_(f"a {kind} has no copies or banks")
    must_be("bits", memory["bits"], array["element"]["bits"])
    (prove_chain if KINDS[kind].has_taps else _WITHOUT_TAPS[kind])(facts, part)
