"""Claims of C: its order, its cells."""

from __future__ import annotations

from typing import Any

from hlsmem_verify.claims.arrays import prove_conflicts
from hlsmem_verify.claims.bounds import prove_bound
from hlsmem_verify.claims.holdings import stands
from hlsmem_verify.claims.mappings import prove_mapping
from hlsmem_verify.facts import Facts
from hlsmem_verify.header import bytes_in_c, bytes_of_c
from hlsmem_verify.limits import False_, Unknown, must_be
from hlsmem_verify.lives import Lives
from hlsmem_verify.program import Program

# C runs the program as it is.
_IN_THE_ORDER = {"steps": False, "times": {}}


def prove_host(facts: Facts, name: str) -> None:
    """No two elements that conflict as C runs share a cell, and no two arrays a byte."""
    facts.need(f"arrays.{name}.conflicts", prove_conflicts, name)
    array = facts.array(name)
    held = array["holdings"]["host"]
    must_be("parts", len(held["parts"]), 1)
    (cells,) = held["parts"]
    lives = _lives_in_c(facts, name, len(array["index"]))
    prove_mapping(facts, name, array, cells["mapping"], lives)
    bits = array["element"]["bits"]
    wide = next((w for w in (8, 16, 32, 64) if w >= bits), 0)
    must_be("cell_bytes", cells["cell_bytes"], wide // 8)
    must_be("words", held["words"], cells["mapping"]["cells"])
    must_be("bits", held["bits"], 8 * cells["cell_bytes"] * held["words"])
    must_be("certificate", held["certificate"], cells["mapping"]["certificate"])
    stands(held)
    if lives is not None:
        _prove_alone(facts, name, cells)
    elif cells["at"] is not None:
        raise False_("it has a place, and there is no C of the whole")
    known = []
    if held["bound"] is not None:
        own = lives or facts.lives.get(name)
        prove_bound(facts, name, held["bound"], held["words"], [], own)
        known = [(held["bound"]["kind"], held["bound"]["cells"])]
    if cells["lattice"] is not None:
        if facts.document["orders"]["host"] not in (None, _IN_THE_ORDER):
            raise Unknown("lattices are counted in the order of the program")
        prove_bound(facts, name, cells["lattice"], held["words"], known, facts.lives.get(name))


def prove_bytes_of_c(facts: Facts) -> None:
    bytes_of_c(facts.document, facts.texts)


def prove_order_of_c(facts: Facts) -> None:
    """C of the whole has the order of the program, or times that change no value."""
    order = facts.document["orders"]["host"]
    if order is None or not order["times"]:
        return
    if order["steps"]:
        raise False_("it has times of its own, and steps")
    if facts.program.rules is None:
        raise False_("it has times, and there is no program")
    found = facts.program.swapped(_in_times(facts, order["times"]))
    if found:
        raise False_(f"{found} change places")


def _in_times(facts: Facts, texts: dict[str, str]) -> Program:
    """The program in times of C, which takes streams of the hardware alone as they stand."""
    arrays = facts.document["arrays"]
    apart = [
        name
        for name, one in facts.document["program"]["statements"].items()
        if one["role"] != "compute"
        and all(arrays[access["array"]]["holdings"]["host"] is None for access in one["accesses"])
    ]
    return facts.program.in_times(texts, apart)


def _lives_in_c(facts: Facts, name: str, size: int) -> Lives | None:
    """When values live as C runs; None where there is no C of the whole, but cells alone."""
    order = facts.document["orders"]["host"]
    if order is None or facts.program.rules is None:
        return None
    program = _in_times(facts, order["times"]) if order["times"] else facts.program
    own = "iteration" if order["steps"] else "sequential"
    strict = not order["steps"] and program.is_tied()
    return Lives(program, name, size, order=own, strict=strict, slack=0)


def _prove_alone(facts: Facts, name: str, host: dict[str, Any]) -> None:
    """No other array of C has cells among those of this one, which are aligned."""
    if host["at"] is None:
        return must_be(f"cells of '{name}' without a place", host["mapping"]["cells"], 1)
    if host["at"] % host["cell_bytes"]:
        raise False_(f"cells of '{name}' are not aligned")
    first, last = bytes_in_c(host)
    for other, array in facts.document["arrays"].items():
        if other == name or array["holdings"]["host"] is None:
            continue
        for one in array["holdings"]["host"]["parts"]:
            if one["at"] is not None:
                start, end = bytes_in_c(one)
                if start < last and first < end:
                    raise False_(f"cells of '{name}' and '{other}' overlap")
    return None
