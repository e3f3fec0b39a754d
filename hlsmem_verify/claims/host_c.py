"""Claims of C: its order, its cells."""

from __future__ import annotations

from typing import Any

from hlsmem_verify.claims.array_conflicts import prove_conflicts, prove_element
from hlsmem_verify.claims.mappings import prove_mapping
from hlsmem_verify.claims.needed_cells import prove_bound
from hlsmem_verify.claims.whole_holdings import stands
from hlsmem_verify.facts import Facts
from hlsmem_verify.header import bytes_in_c, bytes_of_c
from hlsmem_verify.lives import Lives
from hlsmem_verify.outcomes import False_, Unknown, must_be
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
    _prove_bytes(array, cells)
    must_be("words", held["words"], cells["mapping"]["cells"])
    must_be("bits", held["bits"], 8 * cells["cell_bytes"] * held["words"])
    must_be("certificate", held["certificate"], cells["mapping"]["certificate"])
    stands(held)
    if lives is not None:
        _prove_alone(name, _cells_in_c(facts))
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


def prove_text(facts: Facts, name: str) -> None:
    """The same where arguments overlap: C runs the order of the text, an instance a step."""
    own = facts.text
    array, program = own.array(name), own.program
    if program.rules["order"] != "sequential" or program.rules["slack"]:
        raise False_("the text runs in steps, or with slack")
    own.hold(prove_element, name)
    strict = program.is_tied()
    lives = Lives(program, name, len(array["index"]), order="sequential", strict=strict, slack=0)
    prove_mapping(own, name, array, array["mapping"], lives)
    _prove_bytes(array, array)
    _prove_alone(name, own.document["arrays"])


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
    """Lifetimes of values as C runs; None where there is no C of the whole, but cells alone."""
    order = facts.document["orders"]["host"]
    if order is None or facts.program.rules is None:
        return None
    program = _in_times(facts, order["times"]) if order["times"] else facts.program
    own = "iteration" if order["steps"] else "sequential"
    strict = not order["steps"] and program.is_tied()
    return Lives(program, name, size, order=own, strict=strict, slack=0)


def _prove_bytes(array: dict[str, Any], cells: dict[str, Any]) -> None:
    """A cell has the bytes of the least type of C that has the bits."""
    bits = array["element"]["bits"]
    wide = next((w for w in (8, 16, 32, 64) if w >= bits), 0)
    must_be("cell_bytes", cells["cell_bytes"], wide // 8)


def _cells_in_c(facts: Facts) -> dict[str, dict[str, Any]]:
    """The cells of the arrays that C has, by name."""
    held = {n: one["holdings"]["host"] for n, one in facts.document["arrays"].items()}
    return {name: one["parts"][0] for name, one in held.items() if one is not None}


def _prove_alone(name: str, cells: dict[str, dict[str, Any]]) -> None:
    """No other array has cells among those of this one, which are aligned."""
    own = cells[name]
    if own["at"] is None:
        return must_be(f"cells of '{name}' without a place", own["mapping"]["cells"], 1)
    if own["at"] % own["cell_bytes"]:
        raise False_(f"cells of '{name}' are not aligned")
    first, last = bytes_in_c(own)
    for other, one in cells.items():
        if other != name and one["at"] is not None:
            start, end = bytes_in_c(one)
            if start < last and first < end:
                raise False_(f"cells of '{name}' and '{other}' overlap")
    return None
