"""Claims of an array by itself: its element, its extents, its conflicts."""

from __future__ import annotations

import re
from math import prod
from typing import Any

import islpy as isl

from hlsmem_verify.algebra import Poly
from hlsmem_verify.facts import Facts
from hlsmem_verify.isl_values import DIM
from hlsmem_verify.lives import Lives
from hlsmem_verify.orders import Orders
from hlsmem_verify.outcomes import False_, Unknown, must_be


def prove_element(facts: Facts, name: str) -> None:
    array = facts.array(name)
    found = re.fullmatch(r"u?int([1-9]\d?)|float|double", array["element"]["type"])
    if found is None:
        raise False_(f"{array['element']['type']} is no type")
    bits = int(found[1]) if found[1] else {"float": 32, "double": 64}[found[0]]
    must_be("bits", array["element"]["bits"], bits)


def prove_declared(facts: Facts, name: str) -> None:
    array = facts.array(name)
    declared, extents = array["declared"], array["extents"]
    if (declared is None) != (extents is None):
        raise False_("declared goes with extents")
    if extents is None:
        return
    must_be("extents", len(extents), len(array["index"]))
    cells = prod(map(facts.program.poly, extents), start=Poly.of(1))
    if cells != facts.program.poly(declared["expr"]):
        raise False_("it is not the product of the extents")
    must_be("cells", declared["cells"], cells.at(facts.values))


def prove_conflicts(facts: Facts, name: str) -> None:
    """Those in the file are those that follow from the program."""
    array = facts.array(name)
    stated, size = array["conflicts"], len(array["index"])
    if stated is None:
        raise Unknown("the conflicts are not stated")
    given = facts.program.set(stated["differences"], f"arrays.{name}.conflicts.differences")
    if given.dim(DIM.set) != size:
        raise False_("the differences have other dimensions than the index")
    given = given.reset_tuple_id()
    zero = isl.Set(f"{{ [{', '.join(['0'] * size)}] }}").align_params(given.get_space())
    given = given.union(zero.intersect_params(facts.program.context))
    facts.differences[name] = given
    if facts.program.rules is None:
        _prove_given(facts, array, given)
        return
    if stated["pairs"] is not None or stated["elements"] is not None:
        raise False_("pairs and elements go with a plan without a program")
    lives = facts.lives[name] = Lives(facts.program, name, size)
    facts.pairs[name] = own = lives.conflicts()
    if "class" not in array:
        if not own.deltas().union(zero).intersect_params(facts.program.context).is_equal(given):
            raise False_("they are not the conflicts of the program")
        return
    stated = array["class"]
    orders = Orders(facts.program, stated, facts.document["arrays"])
    facts.pairs[name] = pairs = orders.conflicts(lives)
    found = pairs.deltas().union(zero).intersect_params(facts.program.context)
    if orders.fixed:
        found, given, own = orders.fix(found), orders.fix(given), orders.fix(own)
    is_exact = orders.is_exact and stated["relation"] == "exact"
    if not (found.is_equal(given) if is_exact else found.is_subset(given)):
        raise False_("they are not the conflicts of the class")
    if not orders.is_exact and stated["relation"] == "exact":
        raise Unknown("what all orders of the class keep is not known to be all")
    must_be("class.outside", stated["outside"], not own.is_subset(pairs))


def _prove_given(facts: Facts, array: dict[str, Any], given: Any) -> None:
    """Without a program they are the hypothesis, with pairs the differences of these."""
    if not given.is_equal(given.neg()):
        raise False_("the differences are not symmetric")
    if array["conflicts"]["pairs"] is not None:
        pairs = facts.program.map(array["conflicts"]["pairs"], "conflicts.pairs")
        if not pairs.deltas().reset_tuple_id().is_subset(given):
            raise False_("a pair has another difference")
