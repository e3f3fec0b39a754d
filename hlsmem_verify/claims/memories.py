"""Claims of memories: each is built as planned."""

from __future__ import annotations

from collections import Counter

from hlsmem_verify.built import built, module_of, shown
from hlsmem_verify.claims.parts import prove_given_part, prove_part
from hlsmem_verify.facts import Facts
from hlsmem_verify.outcomes import False_
from hlsmem_verify.program import READS


def prove_held(facts: Facts, name: str) -> None:
    """A memory holds one part, and is proved with it."""
    holders = facts.holders.get(name, [])
    if len(holders) != 1:
        raise False_("two parts are in it" if holders else "no part is in it")
    ((array, k),) = holders
    prove = prove_given_part if facts.program.rules is None else prove_part
    facts.need(f"arrays.{array}.holdings.hardware.parts[{k}]", prove, array, k)


def prove_built(facts: Facts, name: str) -> None:
    """The module has the words of a memory, and streams to all that reads from it."""
    memory, module = facts.document["memories"][name], module_of(_module(facts, name), facts.texts)
    holders = facts.holders.get(name, [])
    if facts.program.rules is None or not holders:
        built(memory, module, 0, 1)
        return
    array, k = holders[0]
    part = facts.held(array)[k]
    readers = [one.removeprefix(f"m_{array}_") for one, _ in part["operands"]]
    latched = memory["kind"] == "fifo" and _is_latched(facts, array, readers, memory["words"])
    built(memory, module, int(latched), facts.write_lanes(array))
    wanted = {f"m_{name}_{one}" for one in readers}
    own = {one.removesuffix("_tdata") for one in module.outputs if one.endswith("_tdata")}
    # What decides on a stream of the array itself may stay inside.
    streams = {one["name"] for one in facts.document["streams"] if one["array"] == array}
    inside = {f"m_{name}_{one}" for one in readers if one in streams}
    if not wanted - inside <= own <= wanted:
        here, there = (", ".join(sorted(one)) or "nothing" for one in (own, wanted))
        raise False_(f"{shown(module.place)}: {here} reads from it, {there} is planned")


def _is_latched(facts: Facts, array: str, readers: list[str], words: int) -> bool:
    """True if the latch behind the RAM of a FIFO has one of its words: it takes that as soon as it
    is empty, if the reader waits for no other memory, and leaves a power of two."""
    less, planned = words - 1, facts.document["arrays"]
    if less < 2 or less & (less - 1):
        return False
    own = [facts.program.statements[one] for one in readers if one in facts.program.statements]
    alone = all(
        access["array"] == array and access["kind"] in READS
        for one in own
        for access in one["accesses"]
        if access["array"] in planned
    )
    return alone and not any(one["filters"] for one in own)


def _module(facts: Facts, memory: str) -> str:
    suffix = "" if facts.program.rules is None else "_buffer"
    return f"{facts.document['design']}_{memory}{suffix}"


def prove_top(facts: Facts) -> None:
    """The top has the buffer of each memory once, none of one without streams."""
    memories = facts.document["memories"]
    if facts.program.rules is None or not memories:
        return
    name = f"{facts.document['design']}_mem"
    top = module_of(name, facts.texts)
    many = Counter(one.module for one in top.instances)
    for memory in memories:
        one, wanted = _module(facts, memory), int(memory not in facts.unbuilt)
        if many[one] != wanted:
            planned = "one" if wanted else "none: nothing streams to or from it"
            raise False_(f"{shown(top.place)}: {name} has {many[one]} of {one}, not {planned}")
