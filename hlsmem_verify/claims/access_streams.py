"""Claims of streams: those of the accesses, a beat an instance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hlsmem_verify.facts import Facts
from hlsmem_verify.isl_values import DIM, at_values, count
from hlsmem_verify.lives import at_phase
from hlsmem_verify.outcomes import False_, must_be
from hlsmem_verify.program import READS


def prove_streams(facts: Facts) -> None:
    """The streams are those of the accesses, with a beat an instance."""
    found = list(_wanted(facts))
    if len({one["name"] for one in found}) < len(found):
        raise False_("two of them have one name")
    must_be("streams", [s["name"] for s in facts.document["streams"]], [s["name"] for s in found])
    for stated, wanted in zip(facts.document["streams"], found, strict=True):
        operands = [{k: v for k, v in o.items() if k != "element"} for o in stated["operands"]]
        must_be(f"{wanted['name']}.operands", operands, wanted["operands"])
        for key in ("array", "statement", "beats"):
            must_be(f"{wanted['name']}.{key}", stated[key], wanted[key])


def _wanted(facts: Facts) -> Iterator[dict[str, Any]]:
    if facts.program.rules is None:
        return
    rules = facts.program.rules
    arrays = [one for one in facts.document["arrays"] if not facts.has_no_streams(one)]
    for name, one in facts.program.statements.items():
        for prefix, is_read in (("m", True), ("s", False)):
            own: dict[str, list[Any]] = {}
            for access in one["accesses"]:
                if access["kind"] == "look":
                    continue
                if access["array"] in arrays and (access["kind"] in READS) == is_read:
                    own.setdefault(access["array"], []).append(access["relation"])
            for array, relations in own.items():
                instances = relations[0].domain()
                for relation in relations[1:]:
                    instances = instances.union(relation.domain())
                if rules["lanes"]:
                    times = one["times"].intersect_domain(instances)
                    first = 1 + rules["step"]
                    beats = times.project_out(DIM.out, first, len(rules["lanes"])).range()
                    instances = beats
                beats = count(at_values(instances, facts.values))
                if beats:
                    lanes = [len(relations)] * len(facts.lanes(name))
                    yield _stream(facts, f"{prefix}_{array}_{name}", array, name, beats, lanes)
    for array in arrays:
        if facts.is_state(array):  # it stays in place
            continue
        first, last = facts.program.live("live_in", array), facts.drain(array)
        lives = facts.lives.get(array)
        if first is not None and lives is not None:
            filled = lives.births.intersect_range(at_phase(lives.time, 0)).domain()
            beats = count(at_values(filled, facts.values))
            if beats:
                yield _stream(facts, f"s_{array}_fill", array, None, beats, [1])
        if last is not None:
            beats = count(at_values(last, facts.values))
            if beats:
                yield _stream(facts, f"m_{array}_drain", array, None, beats, [1])


def _stream(
    facts: Facts, name: str, array: str, statement: str | None, beats: int, lanes: list[int]
) -> dict[str, Any]:
    bits = -(-facts.document["arrays"][array]["element"]["bits"] // 8) * 8
    numbers = [lane for lane, many in enumerate(lanes) for _ in range(many)]
    operands = [
        {"bits": [k * bits, (k + 1) * bits - 1], "lane": lane} for k, lane in enumerate(numbers)
    ]
    return {
        "name": name,
        "array": array,
        "statement": statement,
        "beats": beats,
        "operands": operands,
    }
