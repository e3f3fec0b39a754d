"""Claims of chains: each operand is so many writes behind the newest."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import islpy as isl

from hlsmem_verify.algebra import Poly
from hlsmem_verify.facts import Facts, Part
from hlsmem_verify.isl_values import DIM, affine_of, at_values, coalesced
from hlsmem_verify.lives import Lives
from hlsmem_verify.outcomes import False_, Unknown, must_be
from hlsmem_verify.play import by_rank
from hlsmem_verify.separation import forms_of, restricted
from hlsmem_verify.succession import rank


def prove_chain(facts: Facts, part: Part) -> None:
    """Lemma *chain*: operand k is the element so many writes before the newest."""
    taps, formulas, name, kind = (
        part.stated["taps"],
        part.stated["taps_expr"],
        part.name,
        part.memory["kind"],
    )
    live = facts.live_operands(name, part.operands)
    must_be("taps", len(taps), len(live))
    if formulas is not None:
        formulas = [facts.program.poly(one) for one in formulas]
        must_be("taps", taps, [one.at(facts.values) for one in formulas])
    lanes = facts.write_lanes(name)
    deepest = [0] * lanes
    for tap in taps:
        deepest[tap % lanes] = max(deepest[tap % lanes], tap // lanes)
    skid = facts.program.rules["slack"] > 0
    words = 0 if kind == "wire" else lanes * (1 + skid) + sum(deepest)
    must_be("words", part.memory["words"], words)
    if kind == "wire" and any(taps):
        raise False_("a wire keeps nothing")
    places = {op: k for k, (op, _) in enumerate(live)}
    try:
        _prove_taps(facts, part, live)
    except Unknown:
        by_place = {op: taps[k] for op, k in places.items()}
        try:
            if formulas is None:
                rank(part, by_place, facts.values)
                return
        except Unknown:
            pass  # access by access
        own = part.lives.accesses
        sure = own.maybe.is_empty() and own.choosing.is_empty()
        # What plays takes all writes for certain: of several values any may be the newest.
        if formulas is not None or not (sure or part.lives.births.is_single_valued()):
            raise
        values = facts.play.lives(
            name, operands=None if lanes > 1 else part.operands, takes=part.takes
        )
        by_rank(
            values,
            by_place,
            part.lives.kept if lanes > 1 else 0,
        )


def _prove_taps(facts: Facts, part: Part, live: list[tuple[tuple[str, int], Any]]) -> None:
    """Lemma *axes*: elements are written axis by axis of a box, in whatever order: by rank."""
    lives, formulas = part.lives, part.stated["taps_expr"]
    fixed, known = formulas is None, None
    if not lives.births.is_single_valued() or not lives.births.is_injective():
        _prove_newest(facts, part.stated["taps"], fixed, lives)
        return
    for position, ((stream, _), relation) in enumerate(live):
        apart = _behind(facts, stream.removeprefix(f"m_{part.name}_"), relation, lives)
        tap = facts.program.poly(str((part.stated["taps"] if fixed else formulas)[position]))
        if fixed:
            apart = at_values(apart, facts.values).align_params(facts.program.context.get_space())
        zero = isl.Set(f"{{ [{', '.join(['0'] * len(part.array['index']))}] }}")
        if apart.is_subset(zero.align_params(apart.get_space())):
            if tap.terms:
                raise False_(f"tap {position} is the newest element")
            continue
        if known is None:
            known = _rank_of(facts, lives, fixed)
        rank, boxed = known
        for piece, form in forms_of(apart.intersect_params(boxed), rank):
            if not piece.is_subset(restricted(piece, f"{form} = {tap}", facts.program)):
                raise False_(f"tap {position} is not {tap.shown()} elements behind the newest")


def _prove_newest(facts: Facts, taps: list[int], fixed: bool, lives: Lives) -> None:
    """Lemma *newest value*: tap 0 of elements that are written again.

    The last write before each read, of whatever element, is that of the value it sees.
    """
    rules = facts.program.rules
    own = lives.accesses
    sure = own.maybe.is_empty() and own.choosing.is_empty()
    if rules["order"] == "iteration" or rules["lanes"] or not sure or any(taps):
        raise Unknown("a chain of elements with several values")
    seen = coalesced(lives.stored.domain_factor_range().reverse())  # read -> written
    before = isl.Map.lex_gt(lives.time).intersect_domain(seen.domain())
    newest = before.intersect_range(coalesced(lives.births.range())).lexmax()
    if fixed:
        seen, newest = (at_values(one, facts.values) for one in (seen, newest))
    if not seen.is_subset(newest):
        raise False_("an operand reads what is not the newest element")


def _behind(facts: Facts, statement: str, relation: Any, lives: Lives) -> Any:
    """The newest element minus the one that is read, over all reads of an operand."""
    rules = facts.program.rules
    times = facts.program.statements[statement]["times"]
    written = coalesced(lives.births.reverse())  # time -> element
    before = isl.Map.lex_gt(lives.time)
    if rules["lanes"]:  # all lanes of a beat are there at once
        cut = lives.cut()
        step = cut.get_space().range()
        before = cut.apply_range(isl.Map.lex_ge(step)).apply_range(cut.reverse())
    newest = before.intersect_range(written.domain()).intersect_domain(times.range())
    newest = newest.lexmax().apply_range(written)
    reads = times.intersect_domain(relation.domain()).apply_range(newest)
    both = relation.range_product(reads).range().unwrap()  # read -> newest
    return coalesced(both.deltas().intersect_params(facts.program.context))


def _rank_of(facts: Facts, lives: Lives, fixed: bool) -> tuple[list[Poly], Any]:
    """Factors of the number of a write, where elements fill a box axis by axis.

    And the parameters for which they do: at others taps in the parameters claim nothing.
    """
    written = coalesced(lives.births)
    if fixed:
        space = facts.program.context.get_space()
        written = at_values(written, facts.values).align_params(space)
    elements = coalesced(written.domain())
    late = written.apply_range(isl.Map.lex_ge(lives.time)).apply_range(written.reverse())
    rules = facts.program.rules
    for k in range(1 + rules["step"] + len(rules["lanes"]), 1 + rules["time"]):
        if rules["lanes"] and not written.range().plain_get_val_if_fixed(DIM.set, k).is_int():
            raise Unknown("several writes of a lane of an unrolled loop")
    late = coalesced(late).intersect_domain(elements)
    size = elements.dim(DIM.set)
    order = _axes_of(late, size)
    axes = [axis for axis, _ in order]
    strides, stride = [Poly.of(1)] * size, Poly.of(1)
    box = isl.Set.universe(elements.get_space())
    for k in range(size):
        line = elements.project_out(DIM.set, k + 1, size - k - 1).project_out(DIM.set, 0, k)
        plain = isl.Map.from_domain_and_range(isl.Set.universe(elements.get_space()), line)
        same = isl.Map(f"{{ [{', '.join(f'x{j}' for j in range(size))}] -> [x{k}] }}")
        box = box.intersect(plain.intersect(same.align_params(plain.get_space())).domain())
    boxed = facts.program.context.subtract(box.subtract(elements).params())
    if boxed.intersect(facts.program.point()).is_empty():
        raise Unknown("the written elements are no box")
    steps = [_step(elements.intersect_params(boxed), k) for k in range(size)]
    for axis, next_ in zip(reversed(axes), [*reversed(axes)][1:], strict=False):
        low, high = elements.dim_min(axis), elements.dim_max(axis)
        span = affine_of(high.sub(low).gist_params(boxed)) * Fraction(1, steps[axis])
        stride = stride * (span + 1)
        strides[next_] = stride
    signs = dict(order)
    return [strides[k] * Fraction(signs[k], steps[k]) for k in range(size)], boxed


def _axes_of(late: Any, size: int) -> list[tuple[int, int]]:
    """(axis, 1 up or -1 down) of writes, the slowest first and of equal ones row-major.

    `late` { x -> y written before it, or with it }. An axis that may be the slowest may be so
    whatever the others are.
    """
    found: list[tuple[int, int]] = []
    x, y = (", ".join(f"{name}{k}" for k in range(size)) for name in "xy")
    while len(found) < size:
        for k, sign in product(range(size), (1, -1)):
            sooner = f"x{k} < y{k}" if sign > 0 else f"x{k} > y{k}"
            before = isl.Map(f"{{ [{x}] -> [{y}] : {sooner} }}")
            if k not in dict(found) and late.is_disjoint(before):
                found.append((k, sign))
                late = late.intersect(isl.Map(f"{{ [{x}] -> [{y}] : x{k} = y{k} }}"))
                break
        else:
            raise Unknown("elements are written in the order of no axes")
    return found


def _step(elements: Any, axis: int) -> int:
    """By how much neighbours along an axis differ; raises Unknown where not always by as much."""
    size = elements.dim(DIM.set)
    line = elements.project_out(DIM.set, axis + 1, size - axis - 1).project_out(DIM.set, 0, axis)
    step = int(line.get_stride(0).to_python())
    on = isl.Map(f"{{ [x] -> [y] : exists (k : k >= 0 and y = x + {step}*k) }}")
    on = on.align_params(line.get_space())
    between = isl.Set.from_basic_set(line.polyhedral_hull())
    if not line.lexmin().apply(on).intersect(between).is_subset(line):
        raise Unknown("the written elements are no box")
    return step
