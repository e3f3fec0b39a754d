"""Claims for all parameters, held against a play at some."""

from __future__ import annotations

from typing import Any

from hlsmem_verify.claims.mappings import cells_of
from hlsmem_verify.facts import Facts
from hlsmem_verify.isl_values import at_values, listed
from hlsmem_verify.outcomes import False_, must_be
from hlsmem_verify.play import Play, Value, by_rank, together


def prove_played(facts: Facts, play: Play, name: str) -> None:
    """Prove the claims on an array for all parameters, at those of a play."""
    array = facts.array(name)
    values, stated = play.values, array["conflicts"]
    given = set()
    if stated is not None:
        apart = facts.program.set(stated["differences"], "differences")
        given = set(listed(at_values(apart, values))) - {(0,) * len(array["index"])}
    held, host = array["holdings"]["hardware"], array["holdings"]["host"]
    if facts.program.rules is None:
        for one in (*held["parts"], *(host["parts"] if host else ())):
            if _scope_of(one) == "all-parameters":
                zero = (((0,) * len(point)) for point in given)
                together(zip(given, zero, strict=True), cells_of(facts, one["mapping"], values))
        return
    if "class" in array and array["class"]["fixed"] and values != facts.values:
        return
    strict = facts.program.rules["strict"]
    lives = play.lives(name)
    pairs = play.meetings(lives, strict)
    if "class" in array:
        before = play.kept_by(array["class"])
        pairs = play.class_meetings(lives, before, strict)
    found = {
        tuple(a - b for a, b in zip(x, y, strict=True))
        for pair in pairs
        for x, y in (pair, pair[::-1])
    }
    exact = "class" not in array or array["class"]["relation"] == "exact"
    if stated is not None and (found != given if exact else not found <= given):
        raise False_(f"its conflicts are others: {sorted(found ^ given)[:2]}")
    bound = held["bound"]
    if bound is not None and bound["kind"] == "max-live" and bound["expr"] is not None:
        _prove_max_live_at(facts, bound, play, lives, strict)
    whole = len(held["parts"]) == 1 and held["parts"][0]["takes"] is None
    for one in held["parts"]:
        if whole and _scope_of(one) == "all-parameters":
            together(pairs, cells_of(facts, one["mapping"], values))
        else:
            _prove_part_at(facts, play, name, one)
    order = facts.document["orders"]["host"]
    if host is None or order is None or order["times"]:
        return
    (cells,) = host["parts"]
    bound = host["bound"]
    own = play.lives(name, order="iteration" if order["steps"] else "sequential", slack=0)
    strict = not order["steps"] and facts.program.is_tied()
    if bound is not None and bound["kind"] == "max-live" and bound["expr"] is not None:
        _prove_max_live_at(facts, bound, play, own, strict)
    if _scope_of(cells) == "all-parameters":
        together(play.meetings(own, strict), cells_of(facts, cells["mapping"], values))


def _scope_of(one: dict[str, Any]) -> str:
    """Scope of the proof of a mapping; "" where there is none."""
    return "" if one["mapping"] is None else str(one["mapping"]["certificate"]["scope"])


def _prove_max_live_at(
    facts: Facts, bound: dict[str, Any], play: Play, lives: list[Value], strict: bool
) -> None:
    expr = bound["expr"]
    if isinstance(expr, list):
        where = facts.program.set(expr[0]["when"], "when").params()
        if where.is_disjoint(facts.program.point(play.values)):
            return
        expr = expr[0]["expr"]
    most = max((held for *_, held in play.moments(lives, strict)), default=0)
    must_be("max-live", facts.program.poly(expr).at(play.values), most)


def _prove_part_at(facts: Facts, play: Play, name: str, stated: dict[str, Any]) -> None:
    takes, lanes = stated["takes"], bool(facts.program.rules["lanes"])
    if takes is not None:
        takes = facts.program.set(takes, "takes").reset_tuple_id()
    operands = [(str(s), int(k)) for s, k in stated["operands"]]
    own = play.lives(name, operands=None if lanes else operands, takes=takes)
    mapping, formulas = stated["mapping"], stated["taps_expr"]
    if mapping is not None and mapping["certificate"]["scope"] == "all-parameters":
        together(
            play.meetings(own, facts.program.rules["strict"]), cells_of(facts, mapping, play.values)
        )
    if formulas is not None:
        live = [op for op, _ in facts.live_operands(name, operands)]
        taps = [facts.program.poly(one).at(play.values) for one in formulas]
        cut = 1 + facts.program.rules["step"] if facts.write_lanes(name) > 1 else 0
        by_rank(own, dict(zip(live, taps, strict=True)), cut)
