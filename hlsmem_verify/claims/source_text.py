"""Claims of the user's text as it comes back: its order, its cells, its lines."""

from __future__ import annotations

from itertools import pairwise
from math import prod
from typing import Any

import islpy as isl

from hlsmem_verify.algebra import Poly
from hlsmem_verify.claims.array_conflicts import prove_element
from hlsmem_verify.claims.mappings import prove_mapping
from hlsmem_verify.facts import Facts
from hlsmem_verify.isl_values import DIM, Point, listed
from hlsmem_verify.lives import Lives, accesses, at_phase, values_seen
from hlsmem_verify.naming import element_text
from hlsmem_verify.outcomes import False_, Unknown, must_be
from hlsmem_verify.program import READS, Program


def prove_order_of_source(facts: Facts) -> None:
    """Every read of the text that comes back sees what it sees in the user's text."""
    if not facts.document["source"].get("times"):
        return
    text, other = facts.text_of_user, facts.source.program
    if text.is_tied() or other.is_tied():
        raise False_("instances share a time")
    moved = _moved(other, text)
    sizes = {
        access["array"]: access["relation"].dim(DIM.out)
        for one in text.statements.values()
        for access in one["accesses"]
    }
    for name, size in sizes.items():
        seen, found = (_seen(program, name, size) for program in (text, other))
        both = isl.Map.identity(found.domain().unwrap().domain().get_space().map_from_set())
        found = found.apply_range(moved).apply_domain(both.product(moved))
        if not found.is_equal(seen):
            raise False_(f"reads of {name} see other values than in the user's text")


def _moved(other: Program, text: Program) -> Any:
    """{ time of an instance in a program -> its time in another }, before and after the run too."""
    found = isl.Map.empty(other.time.map_from_domain_and_range(text.time))
    for name, one in other.statements.items():
        found = found.union(one["times"].reverse().apply_range(text.statements[name]["times"]))
    for phase in (0, 2):
        first, last = (_start(program, phase) for program in (other, text))
        found = found.union(isl.Map.from_domain_and_range(first, last))
    return found


def _start(program: Program, phase: int) -> Any:
    found = at_phase(program.time, phase)
    for k in range(1, program.time.dim(DIM.set)):
        found = found.fix_val(DIM.set, k, isl.Val(0))
    return found


def _seen(program: Program, name: str, size: int) -> Any:
    """{ [element -> read] -> written } of all values that are seen."""
    return values_seen(accesses(program, name, size), program.time)


def prove_in_source(facts: Facts, name: str) -> None:
    """What holds an array of the plan in the text that comes back."""
    array = facts.array(name)
    _prove_held(facts, name, array, array["holdings"]["source"])


def prove_beside_plan(facts: Facts, name: str) -> None:
    """What holds another array there."""
    array = facts.document["source"]["arrays"][name]
    facts.source.hold(prove_element, name)
    _prove_held(facts, name, array, array["held"])


def _prove_held(facts: Facts, name: str, array: dict[str, Any], held: dict[str, Any]) -> None:
    form, own = held["form"], facts.source
    if form != "fifo":
        must_be("bits", held["bits"], held["words"] * array["element"]["bits"])
    has_cells, has_lines = form in ("in-place", "scalar"), form in ("lines", "read-once")
    if has_cells != ("mapping" in held) or has_lines != ("lines" in held):
        raise False_(f"what is {form} has other storage")
    if form in ("kept", "fifo"):
        if form == "kept":
            sides = array["extents"] or [0]
            declared = prod(facts.program.poly(one).at(facts.values) for one in sides)
            must_be("words", held["words"], declared)
        return
    facts.need("source.times", prove_order_of_source)
    if has_cells:
        program = own.program
        is_tied, size = program.is_tied(), len(array["index"])
        lives = Lives(program, name, size, order="sequential", strict=is_tied, slack=0)
        prove_mapping(own, name, array, held["mapping"], lives)
        must_be("words", held["words"], held["mapping"]["cells"])
        if form == "scalar":
            must_be("words", held["words"], 1)
        return
    _prove_lines(facts, name, array, held)


def _prove_lines(facts: Facts, name: str, array: dict[str, Any], held: dict[str, Any]) -> None:
    """Each read finds the value in a register or a line that has it so many iterations later."""
    is_parameter = held["form"] == "read-once"
    words = 0
    for one in held["lines"]:
        delays = _delays(facts, one)
        sizes = [facts.program.poly(line["words"]).at(facts.values) for line in one["lines"]]
        words += 1 + sum(sizes)
        if is_parameter != ("shift" in one):
            raise False_(f"what is {held['form']} arrives in another way")
        own = [
            (statement, access, relation)
            for statement in one["statements"]
            for access, relation in _accesses(facts, statement, name)
        ]
        if is_parameter:
            _prove_never_written(facts, name)
            born = _arriving(facts, one, len(array["index"]))
        else:
            _prove_all_are_here(facts, name, one["statements"])
            born = _written(own)
        _prove_reads(facts, name, one, delays, own, born)
    must_be("words", held["words"], words)


def _delays(facts: Facts, one: dict[str, Any]) -> set[Poly]:
    """After how many iterations values are in the registers and lines, and at once."""
    found = [Poly.of(0)]
    for line in one["lines"]:
        words = facts.program.poly(line["words"])
        if line["after"] >= len(found) or words.at(facts.values) < 1:
            raise False_("a line has the values of a later one, or no words")
        found.append(found[line["after"]] + words)
    return set(found)


def _accesses(facts: Facts, statement: str, name: str) -> list[tuple[dict[str, Any], Any]]:
    """The accesses of a statement to an array as { element -> time }."""
    own = facts.source.program.statements.get(statement)
    if own is None:
        raise False_(f"there is no statement {statement}")
    return [
        (access, access["relation"].reverse().apply_range(own["times"]))
        for access in own["accesses"]
        if access["array"] == name
    ]


def _prove_never_written(facts: Facts, name: str) -> None:
    for one in facts.source.program.statements.values():
        if any(a["array"] == name and "write" in a["kind"] for a in one["accesses"]):
            raise False_(f"{name} is written")


def _prove_all_are_here(facts: Facts, name: str, statements: list[str]) -> None:
    program = facts.source.program
    if any(program.live(key, name) is not None for key in ("live_in", "live_out")):
        raise False_(f"{name} has values before or after the run")
    for other, one in program.statements.items():
        if other not in statements and any(a["array"] == name for a in one["accesses"]):
            raise False_(f"{other} accesses {name} and is not named")


def _written(own: list[tuple[str, dict[str, Any], Any]]) -> Any:
    """{ element -> time of its one write }."""
    found = None
    for _, access, relation in own:
        if access["kind"] == "may-write":
            raise False_("data decide on a write")
        if access["kind"] == "write":
            found = relation if found is None else found.union(relation)
    if found is None or not found.is_single_valued():
        raise False_("an element is written more than once, or none is")
    return found


def _arriving(facts: Facts, one: dict[str, Any], size: int) -> Any:
    """{ element -> iteration in which it arrives }."""
    if size != len(one["shift"]) or size != len(one["loops"]):
        raise False_("elements have other indices than the loops around them")
    names = [f"x{k}" for k in range(size)]
    late = ", ".join(f"{x} + ({d})" for x, d in zip(names, one["shift"], strict=True))
    return isl.Map(f"{facts.source.program.head}{{ [{', '.join(names)}] -> [{late}] }}")


def _prove_reads(
    facts: Facts,
    name: str,
    one: dict[str, Any],
    delays: set[Poly],
    own: list[tuple[str, dict[str, Any], Any]],
    born: Any,
) -> None:
    program = facts.source.program
    is_arriving = "shift" in one
    places = _iterations(facts, one, has_outside=not is_arriving)
    when = born if is_arriving else born.apply_range(places)
    if not is_arriving and not when.is_injective():
        raise False_("an iteration writes two elements")
    loops = _box(facts, one)
    trips = [
        facts.program.poly(loop["upper"]) - facts.program.poly(loop["lower"])
        for loop in one["loops"]
    ]
    outside = 0 if is_arriving else one["loops"][0]["at"]
    for statement, access, relation in own:
        if not is_arriving or access["kind"] in READS:
            inside = relation.range().apply(places)
            _prove_inside(inside, loops, outside, f"{statement} runs")
        if access["kind"] not in READS:
            continue
        if access["kind"] != "read":
            raise Unknown("data decide on a read")
        if not relation.domain().is_subset(when.domain()):
            raise False_(f"{statement} reads elements that nothing brings")
        if is_arriving:
            arrived = when.intersect_domain(relation.domain()).range()
            _prove_inside(arrived, loops, 0, f"{statement} takes what arrives")
        late = when.reverse().apply_range(relation.apply_range(places))
        for gap in _constants(late.deltas()):
            inner = gap[outside:]
            shown = f"{statement} reads {element_text(name, gap)} iterations later"
            if any(gap[:outside]):
                raise False_(f"{shown}, beyond the loops")
            if _total(inner, trips) not in delays:
                raise False_(f"{shown}, and no line has them then")
        if not is_arriving:
            same = (
                relation.reverse().apply_range(born).intersect(places.apply_range(places.reverse()))
            )
            if not same.intersect(isl.Map.lex_le(program.time)).is_empty():
                raise False_(f"{statement} reads in an iteration before it is written")


def _total(gap: Point, trips: list[Poly]) -> Poly:
    """The iterations of the innermost loop that are a gap of the loops."""
    total = Poly.of(0)
    for late, size in zip(gap, trips, strict=True):
        total = total * size + late
    return total


def _iterations(facts: Facts, one: dict[str, Any], *, has_outside: bool) -> Any:
    """{ time -> the variables of the loops }, what stands in front of them before these."""
    program, entries = facts.source.program, [loop["at"] for loop in one["loops"]]
    size = program.time.dim(DIM.set)
    if not entries or any(b <= a for a, b in pairwise(entries)) or entries[-1] + 1 >= size:
        raise False_("its loops are no entries of a time")
    between = {*range(entries[0], entries[-1])} - {*entries}
    for name in one["statements"]:
        times = program.statements[name]["times"].range()
        if any(times.dim_max_val(1 + k) != times.dim_min_val(1 + k) for k in between):
            raise False_(f"{name} runs in loops between those that are named")
    names = [f"t{k}" for k in range(size)]
    outside = names[1 : 1 + entries[0]] if has_outside else []
    kept = [*outside, *(names[1 + k] for k in entries)]
    return isl.Map(f"{program.head}{{ [{', '.join(names)}] -> [{', '.join(kept)}] }}")


def _box(facts: Facts, one: dict[str, Any]) -> Any:
    """The iterations of the loops, a set."""
    program = facts.source.program
    names = [f"i{k}" for k in range(len(one["loops"]))]
    sides = []
    for name, loop in zip(names, one["loops"], strict=True):
        lower, upper = (facts.program.poly(loop[key]) for key in ("lower", "upper"))
        if not (lower.is_affine() and upper.is_affine()):
            raise Unknown("bounds that are not affine")
        sides.append(f"{lower} <= {name} < {upper}")
    return isl.Set(f"{program.head}{{ [{', '.join(names)}] : {' and '.join(sides)} }}")


def _prove_inside(found: Any, loops: Any, outside: int, what: str) -> None:
    inner = found.project_out(DIM.set, 0, outside) if outside else found
    if not inner.is_subset(loops):
        raise False_(f"{what} outside of the loops")


def _constants(gaps: Any) -> list[Point]:
    """The distances in a set, whatever the parameters are; raises False_ where they vary."""
    own = gaps.project_out(DIM.param, 0, gaps.dim(DIM.param))
    if not own.is_bounded():
        raise False_("reads follow writes at distances that vary")
    return listed(own)
